"""What happens behind the pages, for whoever counts it: this package knows nobody who does."""

from django.dispatch import Signal

recomputed = Signal()
"""Standings were worked out; `seconds` says how long that took."""

swept = Signal()
"""The sweep has looked for standings that are behind."""

job_failed = Signal()
"""A job of a site without workers ended with an error; `job` names it."""
