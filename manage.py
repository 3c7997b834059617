#!/usr/bin/env python
"""Run Django's management commands."""

import os
import sys

EX_PIPE = 128 + 13
"""What a shell says of a program that was ended by a closed pipe."""


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
    _let_any_terminal_show_any_name()
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        _end_quietly()


def _end_quietly() -> None:
    """End without a word where whoever reads the output has left, as `head` does after its lines."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(EX_PIPE)


def _let_any_terminal_show_any_name() -> None:
    """Escape what the terminal's own encoding lacks, rather than break off with the work done and the word unsaid."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
