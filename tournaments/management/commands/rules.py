"""Print every clause that asks something of the software: where it is done, and which test proves it."""

import re
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring import citations
from scoring.clauses import Clause
from scoring.words import LANGUAGES

ROOT = Path(__file__).parents[3]
PACKAGES = ("scoring", "seating", "penalties", "tournaments", "config")


class Command(BaseCommand):
    """Clause → function → test, for the whole project; also every other tag that a docstring cites."""

    help = "Prints clause → function → test, and the clauses that lack one of them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Take one system, or a part of a clause's tag."""
        parser.add_argument("tag", nargs="?", default="", help="for example SBR, or “SBR 2.8”")
        parser.add_argument("--lang", default="en", choices=LANGUAGES)

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the table; exit 1 when a clause that touches points lacks a function or a test."""
        cited = citations.citations(ROOT, PACKAGES)
        wanted = {clause.tag: clause for clause in citations.listed()}
        others = [Clause(tag, "") for tag in sorted(cited) if tag not in wanted]
        chosen = [c for c in [*wanted.values(), *others] if lies_in(c.tag, options["tag"])]
        if not chosen:
            raise CommandError(f"No clause is cited as “{options['tag']}”.")
        table = citations.rows([clause for clause in chosen if clause.tag in wanted], cited)
        self.stdout.write("\n".join(citations.report(table, options["lang"])))
        for row in citations.rows([clause for clause in chosen if clause.tag not in wanted], cited):
            if places := ", ".join(f"{one.path} {one.name}" for one in [*row.functions, *row.tests]):
                self.stdout.write(f"[{row.clause.tag}] {places}")
        if citations.lacking(table):
            sys.exit(1)


def lies_in(tag: str, part: str) -> bool:
    """Whether a tag is this one or lies below it: 2.8.2 lies in 2.8, and 2.80 does not."""
    return re.match(re.escape(part) + r"(?!(?<=\d)\d)", tag, re.IGNORECASE) is not None
