"""Uploads are read in a child process that has little time, little memory and no secrets. [INTEGRITY 5]"""

import os
import sys
import threading
import time
from contextlib import ExitStack, suppress
from random import Random

import pytest
from django.conf import settings

from config.tests import hostile_files
from config.tests.test_bad_draw import Desk
from config.tests.test_bad_files import Scene, text_of
from penalties.appeals.rules.attachments import read_attachment
from scoring.problems import Refusal
from seating.rules.pasted import read_plan
from tournaments.people.rules.imported import Incoming, _doubles
from tournaments.people.rules.pasted import read_pasted
from tournaments.web import sandbox, sandbox_child
from tournaments.web.rules import read_csv

SECONDS = 3
ROOT = settings.BASE_DIR
TOO_LONG = "Reading this file takes too long. Save it anew, as plainly as possible."
TOO_LARGE = "Reading this file takes too much memory. Save it anew, as plainly as possible."
BUSY = "Other files are being read at this moment. Send this one again in a few seconds."
UNREADABLE = "This file could not be read. Save it anew and try again."


def refusal_of(name, **details):
    """Run a greedy job and return how it is refused."""
    with pytest.raises(Refusal) as caught:
        sandbox.run(f"config.tests.greedy_jobs:{name}", [b""], field="file", details=details)
    (problem,) = caught.value.problems
    return problem.code, str(problem)


# The child


def test_a_child_knows_no_secret_and_no_django():
    found, files = sandbox.run("config.tests.greedy_jobs:tells", [b"a\nb", b"", b"c"], field="file")
    assert not found["knows_django"]
    assert set(found["environment"]) <= {
        "SYSTEMROOT",
        "LD_LIBRARY_PATH",
        "LC_CTYPE",
        "__CF_USER_TEXT_ENCODING",
    }
    assert files == [b"a\nb", b"", b"c"]


def test_a_child_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 0.5)
    assert refusal_of("sleeps") == ("file_too_complex", TOO_LONG)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no processor time")
def test_a_child_that_computes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(sandbox, "SECONDS", 60)
    assert refusal_of("computes") == ("file_too_complex", TOO_LONG)


@pytest.mark.parametrize("hundredths", range(-3, 8))
def test_a_child_whose_timer_rings_while_it_ends_has_answered(hundredths):
    seconds = sandbox_child.MODEST_AFTER + hundredths / 100
    assert sandbox.run("config.tests.greedy_jobs:works", [], field="file", details={"seconds": seconds})


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps this limit")
def test_a_child_that_hoards_memory_is_refused():
    assert refusal_of("hoards") == ("file_too_complex", TOO_LARGE)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows limits no files")
def test_a_child_writes_no_file(tmp_path):
    assert refusal_of("writes", path=str(tmp_path / "a"))[0] in {"file_unreadable", "file_too_complex"}
    assert not (tmp_path / "a").exists() or (tmp_path / "a").stat().st_size == 0


@pytest.mark.parametrize("name", ["fails", "ends"])
def test_a_fault_of_ours_is_a_sentence_and_a_line_in_the_log_without_data(name, caplog):
    assert refusal_of(name) == ("file_unreadable", UNREADABLE)
    assert "An upload could not be read" in caplog.text
    assert "Пётр" not in caplog.text


def test_more_files_than_may_be_read_at_once_are_asked_to_wait():
    with ExitStack() as stack:
        for _ in range(sandbox.AT_ONCE):
            stack.enter_context(sandbox.slots)
        assert refusal_of("tells") == ("slow_down", BUSY)
    assert sandbox.run("config.tests.greedy_jobs:tells", [], field="file")


def test_a_machine_without_another_process_asks_to_wait(monkeypatch):
    monkeypatch.setattr(sandbox, "COMMAND", ["/nonexistent/python"])
    assert refusal_of("tells") == ("slow_down", BUSY)
    assert refusal_of("tells") == ("slow_down", BUSY)


def test_half_of_the_threads_are_left_to_everybody_else():
    assert settings.WEB_THREADS - sandbox.AT_ONCE >= settings.WEB_THREADS // 2


# Hostile files


def processor_time():
    """How much this process and its children have used."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.fixture(scope="module")
def dice():
    return Random(os.environ.get("SEED", "1"))


@pytest.mark.django_db
@pytest.mark.parametrize("name", hostile_files.TABLES)
def test_a_hostile_table_is_answered_in_time_and_nothing_is_stored(name, dice, monkeypatch):
    """The time is the processor's: by the clock a child has four seconds, which a machine busy with tests may not have to give."""
    kind, scene = hostile_files.TABLES[name], Scene()
    body = kind.make(dice)
    monkeypatch.setattr(sandbox, "SECONDS", 120)
    began = processor_time()
    response = scene.send(body, kind.name)
    assert processor_time() - began < SECONDS
    assert kind.answer[1] in text_of(response)
    assert response.status_code == kind.answer[0]
    assert scene.names == ["Пётр Чиж"]


@pytest.mark.parametrize("name", hostile_files.FILES)
def test_a_hostile_file_of_an_appeal_is_refused_in_time(name, dice, monkeypatch):
    kind = hostile_files.FILES[name]
    body = kind.make(dice)
    monkeypatch.setattr(sandbox, "SECONDS", 120)
    began = processor_time()
    with pytest.raises(Refusal, match=kind.answer[1]):
        sandbox.run(
            "penalties.appeals.rules.attachments:job",
            [body] * 5,
            field="attachments",
            details={"names": [kind.name] * 5},
        )
    assert processor_time() - began < SECONDS


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("job", "status", "sentence"),
    [("sleeps", 422, TOO_LONG), ("hoards", 422, TOO_LARGE), ("fails", 422, UNREADABLE)],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_child_that_fails_is_told_on_the_page(job, status, sentence, language, monkeypatch):
    run, scene = sandbox.run, Scene(language)
    monkeypatch.setattr(sandbox, "SECONDS", 0.5 if job == "sleeps" else sandbox.SECONDS)
    monkeypatch.setattr(
        sandbox, "run", lambda _, files, **kept: run(f"config.tests.greedy_jobs:{job}", files, **kept)
    )
    response = scene.send("name\nWren")
    assert response.status_code == status
    assert (sentence in text_of(response)) == (language == "en")
    assert scene.names == ["Пётр Чиж"]


@pytest.mark.django_db
@pytest.mark.parametrize("job", ["sleeps", "hoards"])
def test_a_plan_that_takes_too_long_is_told_on_the_page(job, monkeypatch):
    run, desk = sandbox.run, Desk("en")
    desk.event(8)
    monkeypatch.setattr(sandbox, "SECONDS", 0.5 if job == "sleeps" else sandbox.SECONDS)
    monkeypatch.setattr(
        sandbox, "run", lambda _, files, **kept: run(f"config.tests.greedy_jobs:{job}", files, **kept)
    )
    response = desk.post("paste/", text="1 2 3 4")
    assert response.status_code == 422
    assert {"sleeps": TOO_LONG, "hoards": TOO_LARGE}[job] in text_of(response)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_page_that_is_asked_to_wait_says_so(language):
    scene = Scene(language)
    with ExitStack() as stack:
        for _ in range(sandbox.AT_ONCE):
            stack.enter_context(sandbox.slots)
        response = scene.send("name\nWren")
    assert response.status_code == 429
    assert (BUSY in text_of(response)) == (language == "en")


@pytest.mark.django_db
def test_a_workbook_that_takes_long_does_not_hold_the_interpreter():
    """A file of 2 kB once stopped every thread of the process for sixteen seconds."""
    scene, longest = Scene(), 0.0
    body = hostile_files.merged(90_000, open_end=True)
    over = threading.Event()

    def count():
        nonlocal longest
        while not over.is_set():
            began = time.monotonic()
            over.wait(0.01)
            longest = max(longest, time.monotonic() - began)

    counting = threading.Thread(target=count)
    counting.start()
    scene.send(body, "a.xlsx")
    over.set()
    counting.join()
    assert longest < 2


# Time grows with the size


def seconds(function, argument):
    """How much processor time a call takes, at its best."""
    best = []
    for _ in range(3):
        began = time.process_time()
        with suppress(Refusal):
            function(argument)
        best.append(time.process_time() - began)
    return min(best)


def namesakes(count, **told):
    """Rows of one name that one thing tells apart."""
    return [
        Incoming(n, {"name": "Wren", **{key: f"{value}{n}" for key, value in told.items()}})
        for n in range(count)
    ]


LINEAR = {
    "quotes inside a cell": (read_csv, lambda n: b"name\na" + b'"' * 30 * n),
    "quotes in cells": (read_csv, lambda n: b"name\n" + b'"",' * 10 * n),
    "half of a pair": (read_csv, lambda n: b"name\n" + b'""' * 15 * n),
    "spaces": (read_csv, lambda n: b"name\n" + b" " * 30 * n + b'"'),
    "rows of one name and many cities": (_doubles, lambda n: namesakes(n, city="Oslo ")),
    "rows of one name and many numbers": (_doubles, lambda n: namesakes(n, ema_number="0")),
    "rows that all are the same": (_doubles, namesakes),
    "a pasted list": (lambda text: read_pasted(text, countries={}, listed=[]), lambda n: "Wren\n" * n),
    "a plan of lines": (lambda text: read_plan(text, {}), lambda n: "1 2 3 4\n" * n),
    "a plan of one line": (lambda text: read_plan(text, {}), lambda n: "1 - " * 20 * n),
    "a plan of columns": (
        lambda text: read_plan(text, {}), lambda n: "session;table;E;S\n" + "".join(f"1;{k};1;2\n" for k in range(n)),
    ),
    "fill bytes": (lambda body: read_attachment("a.jpg", body), lambda n: b"\xff" * 1000 * n),
    "stuffed bytes": (
        lambda body: read_attachment("a.jpg", body), lambda n: hostile_files.jpeg(b"\xff\x00" * 1000 * n),
    ),
    "chunks": (
        lambda body: read_attachment("a.png", body),
        lambda n: hostile_files.png(between=hostile_files.chunk(b"tEXt", b"") * n),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", LINEAR)
def test_time_grows_no_faster_than_the_file(name):
    """Eight times the size would take sixty-four times as long if every piece were compared with every other."""
    function, make = LINEAR[name]
    small, large = seconds(function, make(250)), seconds(function, make(2000))
    assert large < 24 * small + 0.02


TAKERS_OF_FILES = {
    "tournaments/people/views/importing.py": "tournaments.web.workbooks:job",
    "tournaments/desk/views/logs.py": "tournaments.tables.rules.logs:job",
    "penalties/appeals/forms.py": "penalties.appeals.rules.attachments:job",
    "seating/desk/forms.py": "seating.rules.pasted:job",
    "config/tools/styleguide.py": "",
}
"""Which job reads the files that a form takes; the style guide only shows such a field."""


def test_every_form_that_takes_files_has_them_read_by_a_child():
    """Whoever adds one finds here that it must not read them itself."""
    paths = [
        path
        for package in ("tournaments", "penalties", "seating", "config")
        for path in (ROOT / package).rglob("*.py")
    ]
    texts = {
        path.relative_to(ROOT).as_posix(): path.read_text() for path in paths if "tests" not in path.parts
    }
    assert {name for name, text in texts.items() if "forms.FileField" in text} == set(TAKERS_OF_FILES)
    for job in filter(None, TAKERS_OF_FILES.values()):
        assert any(f'"{job}"' in text for text in texts.values())
