"""The record of one table, hand by hand. Rows are never deleted: what no longer counts says so."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from scoring.upgrades import FACTS
from tournaments.models.people import Player
from tournaments.models.play import Table
from tournaments.models.versioned import VersionedField


class Protocol(models.Model):
    """The record of one table in one session; `version` counts the entries of its history.

    `has_final` and `has_objection` say what there is to look for beside the hands, where `whole` has read it.
    """

    class Mode(models.TextChoices):
        """How the table is recorded."""

        HANDS = "hands", _("Hand by hand")
        FINAL_RESULT = "final_result", _("Final result only")

    class State(models.TextChoices):
        """How far the table is."""

        OPEN = "open", _("In play")
        ENDED = "ended", _("Awaiting confirmation")
        CONFIRMED = "confirmed", _("Confirmed")
        SIGNED_OFF = "signed_off", _("Signed off by a referee")

    table = models.OneToOneField(Table, on_delete=models.PROTECT, related_name="protocol")
    mode = models.CharField(_("mode"), max_length=12, choices=Mode.choices, default=Mode.HANDS)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    version = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """One a table."""

        verbose_name = _("protocol")
        verbose_name_plural = _("protocols")

    def __str__(self) -> str:
        """Name the table."""
        return str(self.table)

    @property
    def is_settled(self) -> bool:
        """Return whether it stands: confirmed by the players or signed off by a referee."""
        return self.state in {self.State.CONFIRMED, self.State.SIGNED_OFF}


class InForce(models.TextChoices):
    """Whether a recorded fact still counts, and if not, why."""

    IN_FORCE = "in_force", _("In force")
    CORRECTED = "corrected", _("Corrected")
    UNDONE = "undone", _("Undone")
    VOIDED = "voided", _("Voided")


class Hand(models.Model):
    """One deal as recorded (`facts`, docs/RECORD.md) with the payments that follow from it."""

    protocol = models.ForeignKey(Protocol, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField(_("number"))
    facts = VersionedField(_("facts"), versions=FACTS)
    dealer = models.CharField(_("dealer"), max_length=1)
    round_wind = models.CharField(_("round"), max_length=1, default="E")
    counters = models.PositiveIntegerField(_("counters"), default=0)
    bets_left = models.PositiveIntegerField(_("bets on the table"), default=0)
    east = models.IntegerField(null=True)
    south = models.IntegerField(null=True)
    west = models.IntegerField(null=True)
    north = models.IntegerField(null=True)
    unpaid = models.IntegerField(default=0)
    status = models.CharField(_("status"), max_length=9, choices=InForce.choices, default=InForce.IN_FORCE)
    reason = models.CharField(_("reason"), max_length=5000, blank=True)
    replaces = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="replaced_by", null=True, blank=True
    )
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """A number once in force; what moves between seats and to nobody adds up to zero."""

        ordering = ["number", "id"]
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        constraints = [
            models.UniqueConstraint(
                fields=["protocol", "number"],
                condition=Q(status="in_force"),
                name="hand_number_once_in_force",
            ),
            models.CheckConstraint(
                condition=Q(
                    unpaid=0
                    - Coalesce(F("east"), 0)
                    - Coalesce(F("south"), 0)
                    - Coalesce(F("west"), 0)
                    - Coalesce(F("north"), 0)
                ),
                name="hand_payments_add_up",
            ),
            models.CheckConstraint(condition=Q(number__gte=1), name="hand_number_positive"),
        ]

    def __str__(self) -> str:
        """Return the number in words."""
        return str(_("Hand %(number)s") % {"number": self.number})

    @property
    def payments(self) -> dict[str, int]:
        """Return the signed number of every occupied seat."""
        columns = {"E": self.east, "S": self.south, "W": self.west, "N": self.north}
        return {wind: points for wind, points in columns.items() if points is not None}


class HandCheck(models.Model):
    """What a player says of a recorded hand, on the own phone: it is right, or it is not. It binds nobody. [RULES 9.24]"""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="checks")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    wind = models.CharField(_("seat"), max_length=1)
    is_right = models.BooleanField(_("right"))
    text = models.CharField(_("what is wrong"), max_length=300, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    said_at = models.DateTimeField(auto_now=True)

    class Meta:
        """A player's last word on a hand."""

        ordering = ["id"]
        verbose_name = _("word on a hand")
        verbose_name_plural = _("words on hands")
        constraints = [models.UniqueConstraint(fields=["hand", "wind"], name="one_word_on_a_hand")]

    def __str__(self) -> str:
        """Name the hand."""
        return str(self.hand)


class FinalResult(models.Model):
    """The points counted at the end of a session where sticks are used."""

    protocol = models.ForeignKey(Protocol, on_delete=models.PROTECT, related_name="final_results")
    points = models.JSONField(_("points"))
    left_on_table = models.PositiveIntegerField(_("left on the table"), default=0)
    status = models.CharField(_("status"), max_length=9, choices=InForce.choices, default=InForce.IN_FORCE)
    reason = models.CharField(_("reason"), max_length=5000, blank=True)
    recorded_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """One in force a protocol."""

        ordering = ["id"]
        verbose_name = _("final result")
        verbose_name_plural = _("final results")
        constraints = [
            models.UniqueConstraint(
                fields=["protocol"], condition=Q(status="in_force"), name="final_result_once_in_force"
            ),
        ]

    def __str__(self) -> str:
        """Name the protocol."""
        return str(self.protocol)
