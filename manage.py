#!/usr/bin/env python
"""Run Django's management commands."""

import os
import sys


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
    _let_any_terminal_show_any_name()
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


def _let_any_terminal_show_any_name() -> None:
    """Escape what the terminal's own encoding lacks, rather than break off with the work done and the word unsaid."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
