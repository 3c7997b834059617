"""`manage.py rules` finds what was asked for and nothing beside it."""

import os
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tournaments.management.commands.rules import lies_in


def told(*arguments):
    """What the command prints."""
    out = StringIO()
    call_command("rules", *arguments, stdout=out)
    return out.getvalue()


def test_clause_is_printed_with_its_functions_and_tests():
    lines = told("SBR 2.8.2").splitlines()
    assert lines[0] == "[SBR 2.8.2] the ladder of minor offences"
    assert "    penalties/ladder/rules/ladder.py  next_step" in lines
    assert any(line.startswith("    test: penalties/tests/test_ladder.py") for line in lines)
    assert "Clauses: 1; without a function or a test: 0." in lines


def test_every_clause_is_followed_by_a_place():
    """A heading with nothing beside it or beneath it would tell nobody anything."""
    lines = told().splitlines()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if re.fullmatch(r"\[[^]]+\] ?", line):
            assert following.startswith("    "), line


def test_clause_that_nothing_cites_is_refused():
    with pytest.raises(CommandError, match="No clause is cited as “SBR 99”"):
        told("SBR 99")


@pytest.mark.parametrize(
    ("tag", "part", "lies"),
    [
        ("SBR 2.8.2", "SBR 2.8", True),
        ("SBR 2.8.2", "sbr", True),
        ("RULES 8.3", "RULES 8.3", True),
        ("RULES 8.30", "RULES 8.3", False),
        ("RIICHI reg. 6.2", "RIICHI reg", True),
        ("INTEGRITY 114, 115", "INTEGRITY 114", True),
        ("SBR 2.8", "2.8", False),
    ],
)
def test_part_of_a_tag_ends_where_a_number_does(tag, part, lies):
    assert lies_in(tag, part) is lies


def test_a_terminal_of_another_encoding_is_told_all_the_same():
    """What the encoding lacks is escaped, in whatever a command prints."""
    told = subprocess.run(
        [sys.executable, "manage.py", "rules", "SBR 2.8.2", "--lang", "ru"],
        cwd=settings.BASE_DIR,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert "\\u043" in told.stdout


def test_a_reader_that_leaves_early_ends_a_command_quietly():
    """As `manage.py rules | head` does: no traceback, and the status that a shell knows."""
    run = subprocess.Popen(
        [sys.executable, "manage.py", "rules"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=settings.BASE_DIR,
    )
    run.stdout.readline()
    run.stdout.close()
    told = run.stderr.read()
    run.stderr.close()
    assert (run.wait(), told) == (141, b"")
