"""Lines on a player's account that no hand produced."""

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tournaments.models.people import Player, Team
from tournaments.models.play import Session
from tournaments.models.tournament import Tournament


class Adjustment(models.Model):
    """Points given or taken, or a session's whole result, with a reason; undone only by its opposite."""

    class Origin(models.TextChoices):
        """What posted it."""

        DESK = "desk", _("Decision")
        PENALTY = "penalty", _("Penalty")
        LATENESS = "lateness", pgettext_lazy("of one player", "Lateness")
        APPEAL = "appeal", _("Appeal")

    class Timing(models.TextChoices):
        """Whether it counts before the places at the table or after them. [RULES 8.36]"""

        BEFORE = "before", _("before the places")
        AFTER = "after", _("after the places")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="adjustments")
    code = models.CharField(max_length=80)
    session = models.ForeignKey(
        Session, on_delete=models.PROTECT, related_name="adjustments", null=True, blank=True
    )
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="adjustments")
    origin = models.CharField(max_length=8, choices=Origin.choices, default=Origin.DESK)
    game_points = models.BigIntegerField(_("game points"), null=True, blank=True)
    tournament_points = models.CharField(_("tournament points"), max_length=50, blank=True)
    result = models.JSONField(_("whole result"), null=True, blank=True)
    timing = models.CharField(max_length=6, choices=Timing.choices, blank=True)
    reason = models.CharField(_("reason"), max_length=5000)
    appeal = models.CharField(max_length=64, blank=True)
    reversed_at = models.DateTimeField(null=True, blank=True)
    posted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """In the order posted."""

        ordering = ["id"]
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        constraints = [models.UniqueConstraint(fields=["tournament", "code"], name="adjustment_code_once")]

    def __str__(self) -> str:
        """Name the player."""
        return f"{self.player}: {self.reason}"


class TeamLine(models.Model):
    """Points taken from a team or given to it, and to none of its members; with an offence it is a penalty. [RULES 9.13]"""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="team_lines")
    code = models.CharField(max_length=80)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="lines")
    session = models.ForeignKey(
        Session, on_delete=models.PROTECT, related_name="team_lines", null=True, blank=True
    )
    offence = models.CharField(_("offence"), max_length=64, blank=True)
    clause = models.CharField(_("clause"), max_length=5000, blank=True)
    decided_by = models.CharField(_("decided by"), max_length=13, default="chief_referee")
    game_points = models.BigIntegerField(_("game points"), null=True, blank=True)
    tournament_points = models.CharField(_("tournament points"), max_length=50, blank=True)
    reason = models.CharField(_("reason"), max_length=5000, blank=True)
    appeal = models.CharField(max_length=64, blank=True)
    reversed_at = models.DateTimeField(null=True, blank=True)
    reverse_reason = models.CharField(max_length=5000, blank=True)
    posted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """In the order posted."""

        ordering = ["id"]
        verbose_name = _("line of a team")
        verbose_name_plural = _("lines of teams")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "code"], name="team_line_code_once"),
            models.CheckConstraint(
                condition=models.Q(game_points__isnull=False, tournament_points="")
                | (models.Q(game_points__isnull=True) & ~models.Q(tournament_points="")),
                name="team_line_moves_one_kind_of_points",
            ),
        ]

    def __str__(self) -> str:
        """Name the team."""
        return f"{self.team}: {self.reason}"
