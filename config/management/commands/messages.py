"""Keep the catalogues of translations, without GNU gettext."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import trans_real

from config.tools import translation


class Command(BaseCommand):
    """update: take over new sentences; check: fail on what is missing; compile: make them readable for Django."""

    help = "Update, check or compile the catalogues of translations."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Read what to do."""
        parser.add_argument("what", choices=("update", "check", "compile"))

    def handle(self, *args: Any, what: str, **options: Any) -> None:
        """Do it."""
        {"update": self.update, "check": self.check_all, "compile": self.compile}[what](options["verbosity"])

    def update(self, verbosity: int) -> None:
        """Rewrite every catalogue to hold exactly the code's sentences."""
        for language in translation.LANGUAGES:
            for name, domain in translation.domains().items():
                missing, gone = translation.update(domain, language)
                self.stdout.write(f"{language} {name}: {missing} missing, {gone} no longer used")

    def check_all(self, verbosity: int) -> None:
        """Fail with a list of everything that is wrong."""
        found = [
            problem
            for language in translation.LANGUAGES
            for part in (
                *(translation.problems(domain, language) for domain in translation.domains().values()),
                translation.disagreements(language),
            )
            for problem in part
        ]
        if found:
            raise CommandError("\n".join([*found, f"{len(found)} to mend; see `manage.py messages update`."]))
        self.stdout.write("Every sentence is translated.")

    def compile(self, verbosity: int) -> None:
        """Compile, and let this process forget what it has read before."""
        made = translation.compile_all()
        if made:
            trans_real._translations.clear()  # type: ignore[attr-defined]
            trans_real._default = None  # type: ignore[attr-defined]
        if verbosity:
            self.stdout.write(f"{len(made)} compiled.")
