"""What follows from the record: it may be dropped and rebuilt at any moment."""

import json
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import Player
from tournaments.models.tournament import Tournament


class StandingsRevision(models.Model):
    """How often the record moved and up to which move the standings were worked out.

    A row of its own, touched last in every transaction, so that writers of one tournament meet only here.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.PROTECT, related_name="revision", primary_key=True
    )
    wanted = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)

    class Meta:
        """Found by what is behind."""

        verbose_name = _("standings revision")
        verbose_name_plural = _("standings revisions")

    def __str__(self) -> str:
        """Return both numbers."""
        return f"{self.done}/{self.wanted}"


LINE = ("session", "table", "game_points", "tournament_points", "place", "is_first", "uma", "kind")
"""What a session's numbers in `Standing.lines` stand for; the last ones are left out where there is nothing to say."""


class Standing(models.Model):
    """A player's row in the standings: place, values by criterion, and why it is behind the row above.

    `stage` is the last one the player reached, 0 without stages; `lines` holds what each session brought, as JSON.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="standings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="standings")
    position = models.PositiveIntegerField()
    place = models.PositiveIntegerField(null=True)
    is_shared = models.BooleanField(default=False)
    decided_by = models.CharField(max_length=40, blank=True)
    stage = models.PositiveSmallIntegerField(default=0)
    values = models.JSONField()
    lines = models.TextField(default="[]")

    class Meta:
        """First to last, each player once."""

        ordering = ["position"]
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="standing_player_once"),
        ]

    def __str__(self) -> str:
        """Return place and player."""
        return f"{self.place or '—'} {self.player}"

    @property
    def results(self) -> list[dict[str, Any]]:
        """Return what each session brought, with the table that it came from."""
        return results_of(self.lines)


def lines_until(lines: str, session: int) -> str:
    """Leave out what later sessions brought."""
    return json.dumps([line for line in json.loads(lines) if line[0] <= session])


def results_of(lines: str) -> list[dict[str, Any]]:
    """Read the lines of a standing."""
    return [
        {"uma": None, "kind": "played", **dict(zip(LINE, line, strict=False))} for line in json.loads(lines)
    ]


class FrozenStandings(models.Model):
    """What strangers see of the standings until they are revealed: numbers alone, names are read as they are now. [RULES 9.15]"""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="frozen_standings", primary_key=True
    )
    said = models.JSONField()
    frozen_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """One a tournament."""

        verbose_name = _("frozen standings")
        verbose_name_plural = _("frozen standings")

    def __str__(self) -> str:
        """Name the tournament."""
        return str(self.tournament)


class Snapshot(models.Model):
    """The public state of a tournament at a revision, ready to send: gzip of JSON."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="snapshot", primary_key=True
    )
    revision = models.PositiveIntegerField()
    body = models.BinaryField()
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        """One a tournament."""

        verbose_name = _("snapshot")
        verbose_name_plural = _("snapshots")

    def __str__(self) -> str:
        """Return the revision."""
        return f"r{self.revision}"


class Chances(models.Model):
    """What players may still reach, as it was at one moment: the newest of each tenth of a session is kept for the curve.

    `body` is gzip of JSON, empty where nothing can be said: before the first result, and once all is played.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="chances")
    session = models.PositiveIntegerField()
    tenth = models.PositiveSmallIntegerField()
    revision = models.PositiveIntegerField()
    body = models.BinaryField(default=b"")
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        """In the order of play, each tenth once."""

        ordering = ["session", "tenth"]
        verbose_name = _("chances")
        verbose_name_plural = _("chances")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "session", "tenth"], name="chances_tenth_once"),
            models.CheckConstraint(condition=models.Q(tenth__lte=10), name="chances_tenth_range"),
        ]

    def __str__(self) -> str:
        """Return the moment."""
        return f"{self.session}.{self.tenth} r{self.revision}"
