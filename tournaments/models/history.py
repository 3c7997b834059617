"""Who did what, when, to what and why; append-only, chained, and refused any change by the database itself."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.people import Player
from tournaments.models.protocol import Protocol
from tournaments.models.tournament import Tournament


class HistoryEntry(models.Model):
    """One entry in the chain of a tournament or of one protocol; `content` is what the digest covers."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="history")
    protocol = models.ForeignKey(Protocol, on_delete=models.PROTECT, related_name="history", null=True)
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    content = models.TextField()
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    class Meta:
        """A number once in each chain."""

        ordering = ["id"]
        verbose_name = _("history entry")
        verbose_name_plural = _("history")
        constraints = [
            models.UniqueConstraint(
                fields=["protocol", "number"],
                condition=Q(protocol__isnull=False),
                name="history_number_once_a_protocol",
            ),
            models.UniqueConstraint(
                fields=["tournament", "number"],
                condition=Q(protocol__isnull=True),
                name="history_number_once_a_tournament",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="history_number_positive"),
        ]

    def __str__(self) -> str:
        """Return number and kind."""
        return f"{self.number} {self.kind}"


class Objection(models.Model):
    """What a player wrote in an objection; the entry that notes it is sealed, and these words are erased with their author. [INTEGRITY 1]"""

    entry = models.OneToOneField(HistoryEntry, on_delete=models.PROTECT, related_name="objection")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="objections")
    text = models.CharField(_("what is wrong"), max_length=5000)

    class Meta:
        """One an entry."""

        ordering = ["id"]
        verbose_name = _("objection")
        verbose_name_plural = _("objections")

    def __str__(self) -> str:
        """Return the words."""
        return self.text


class Receipt(models.Model):
    """The answer once given to a write that carried a key; kept as long as the tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="receipts")
    key = models.CharField(max_length=64)
    actor = models.CharField(max_length=60)
    body_digest = models.CharField(max_length=64)
    answer = models.JSONField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A key once a tournament."""

        verbose_name = _("receipt")
        verbose_name_plural = _("receipts")
        constraints = [models.UniqueConstraint(fields=["tournament", "key"], name="receipt_key_once")]

    def __str__(self) -> str:
        """Return the key."""
        return self.key
