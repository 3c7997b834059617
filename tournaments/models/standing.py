"""What follows from the record: it may be dropped and rebuilt at any moment."""

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
        """Give both numbers."""
        return f"{self.done}/{self.wanted}"


class Standing(models.Model):
    """A player's row in the standings: place, values by criterion, and why it is behind the row above."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="standings")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="standings")
    position = models.PositiveIntegerField()
    place = models.PositiveIntegerField(null=True)
    is_shared = models.BooleanField(default=False)
    decided_by = models.CharField(max_length=20, blank=True)
    values = models.JSONField()
    results = models.JSONField(default=list)

    class Meta:
        """First to last, each player once."""

        ordering = ["position"]
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "player"], name="standing_player_once"),
        ]

    def __str__(self) -> str:
        """Give place and player."""
        return f"{self.place or '—'} {self.player}"


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
        """Give the revision."""
        return f"r{self.revision}"
