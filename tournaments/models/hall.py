"""What the screens of the hall show: chosen at the desk, part of no result."""

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


def usual_parts() -> list[str]:
    """Return the parts that take turns unless the desk chooses others."""
    return ["seating", "clock", "standings"]


class HallScreen(models.Model):
    """One row a tournament whose screens were steered; without one they show the usual parts in turn."""

    class Part(models.TextChoices):
        """What can be shown."""

        SEATING = "seating", _("Seating")
        CLOCK = "clock", _("Clock")
        STANDINGS = "standings", _("Standings")
        HANDS = "hands", _("Best hands")

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="hall_screen", primary_key=True
    )
    parts = models.JSONField(_("what is shown"), default=usual_parts, blank=True)
    seconds = models.PositiveSmallIntegerField(_("seconds a page"), default=15)
    is_held = models.BooleanField(_("held"), default=False)
    step = models.IntegerField(default=0)
    message = models.CharField(_("message to the hall"), max_length=200, blank=True)

    class Meta:
        """One a tournament, with a speed that people can read at."""

        verbose_name = _("screen of the hall")
        verbose_name_plural = _("screens of the hall")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(seconds__gte=5, seconds__lte=120), name="hall_screen_seconds_range"
            ),
        ]

    def __str__(self) -> str:
        """Name the tournament."""
        return str(self.tournament)

    @classmethod
    def of(cls, tournament: Tournament) -> Any:
        """Return what is shown at the tournament, the usual where nobody has steered yet."""
        return cls.objects.filter(tournament=tournament).first() or cls(tournament=tournament)
