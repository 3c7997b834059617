"""Signals about background work, sent so that the metrics can count it without being imported here."""

from django.dispatch import Signal

recomputed = Signal()
"""Standings were worked out; `seconds` says how long that took."""

push_queued = Signal()
"""Notifications were queued and committed; whoever sends them may be woken."""

swept = Signal()
"""The sweep has looked for standings that are behind."""

job_failed = Signal()
"""A job of a site without workers ended with an error; `job` names it."""
