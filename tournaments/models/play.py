"""Sessions, their tables and the seats at them."""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.regulation import LastHand
from scoring.upgrades import REGULATION
from tournaments.calendar import moved
from tournaments.models.people import Player
from tournaments.models.tournament import Tournament
from tournaments.models.versioned import VersionedField
from tournaments.table_numbers import shown_number


class Session(models.Model):
    """One sitting of all tables.

    `stated` names the fields of its regulation that an imported record wrote down for it, whether they differ or not.
    """

    class State(models.TextChoices):
        """Whether it is still to come, being played or over."""

        PLANNED = "planned", _("Planned")
        OPEN = "open", _("In play")
        CLOSED = "closed", _("Closed")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField(_("number"))
    state = models.CharField(_("state"), max_length=7, choices=State.choices, default=State.PLANNED)
    planned_at = models.DateTimeField(_("planned start"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    extra_seconds = models.IntegerField(_("added time"), default=0)
    paused_at = models.DateTimeField(_("clock stopped"), null=True, blank=True)
    published_at = models.DateTimeField(_("seating published"), null=True, blank=True)
    seating_mode = models.CharField(_("seating"), max_length=12, blank=True)
    seed = models.CharField(_("seed"), max_length=200, blank=True)
    method = models.CharField(_("method"), max_length=100, blank=True)
    regulation = VersionedField(_("regulation"), versions=REGULATION, null=True, blank=True)
    stated = models.JSONField(null=True, blank=True)
    checkpoint = models.CharField(max_length=64, blank=True)

    class Meta:
        """By number, each once."""

        ordering = ["number"]
        verbose_name = _("session")
        verbose_name_plural = _("sessions")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="session_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="session_number_positive"),
            models.CheckConstraint(
                condition=~models.Q(state="closed") | models.Q(started_at__isnull=False),
                name="session_played_has_started",
            ),
        ]

    def __str__(self) -> str:
        """Return the number in words."""
        return str(_("Session %(number)s") % {"number": self.number})

    @property
    def is_published(self) -> bool:
        """Return whether its seating is public."""
        return self.published_at is not None

    @property
    def minutes(self) -> int:
        """Return its length by the regulation in force for it."""
        regulation = self.regulation or self.tournament.regulation
        return int(regulation["session_minutes"])

    @property
    def ends_at(self) -> datetime | None:
        """Return the instant of the end signal, while it is known."""
        if self.started_at is None:
            return None
        return moved(self.started_at, minutes=self.minutes, seconds=self.extra_seconds)

    @property
    def signal_at(self) -> datetime | None:
        """Return the instant from which no hand may begin but the last, while it is known. [RULES 1.4] [RIICHI 5.9]

        The end itself, or the warning where only begun hands are finished after it.
        """
        ends_at, regulation = self.ends_at, self.regulation or self.tournament.regulation
        if ends_at is None or regulation["last_hand"] == LastHand.FINISH_BEGUN:
            return ends_at
        return moved(ends_at, minutes=-regulation["warning_minutes"])


class Table(models.Model):
    """One table of one session."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveIntegerField(_("number"))
    called_at = models.DateTimeField(_("referee called"), null=True, blank=True)
    answered_at = models.DateTimeField(_("call answered"), null=True, blank=True)

    class Meta:
        """By number, each once a session."""

        ordering = ["session", "number"]
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="table_number_once"),
            models.CheckConstraint(
                condition=models.Q(number__gte=1, number__lte=9999), name="table_number_range"
            ),
            models.CheckConstraint(
                condition=models.Q(answered_at=None) | models.Q(called_at__isnull=False),
                name="table_answers_a_call",
            ),
        ]

    def __str__(self) -> str:
        """Return the number in words."""
        return str(_("Table %(number)s") % {"number": shown_number(self.number)})

    @property
    def waits_for_referee(self) -> bool:
        """Return whether it calls and nobody is on the way yet."""
        return self.called_at is not None and self.answered_at is None


class RefereeCall(models.Model):
    """A table's call for a referee, from the tap until somebody came or the session was over; for statistics, no part of the record."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="calls")
    called_at = models.DateTimeField(_("referee called"))
    answered_at = models.DateTimeField(_("call answered"), null=True, blank=True)
    ended_at = models.DateTimeField(_("call over"), null=True, blank=True)

    class Meta:
        """In the order called, one at a time."""

        ordering = ["id"]
        verbose_name = _("call for a referee")
        verbose_name_plural = _("calls for a referee")
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=models.Q(ended_at=None), name="referee_call_one_at_a_time"
            )
        ]

    def __str__(self) -> str:
        """Name the table."""
        return str(self.table)


class Wind(models.TextChoices):
    """Seats are named by their starting wind for the whole session."""

    EAST = "E", _("East")
    SOUTH = "S", _("South")
    WEST = "W", _("West")
    NORTH = "N", _("North")


WIND_ORDER = models.Case(
    *[models.When(wind=wind, then=models.Value(place)) for place, wind in enumerate(Wind.values)],
    output_field=models.IntegerField(),
)


class SeatQuerySet(models.QuerySet["Seat"]):
    """Seats, in the order in which people name them."""

    def in_order(self) -> "SeatQuerySet":
        """Sort by table and wind, E S W N."""
        return self.order_by("table__number", WIND_ORDER)


class Seat(models.Model):
    """A place at a table and who sits there; `kept_for` is the registered player whose place it is.

    `left_after` is the last hand of a player who left in the middle of the session; whoever came after that plays from
    `from_hand` on, and in the hands between the seat is empty. [RULES 8.55]
    """

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="seats")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    wind = models.CharField(_("wind"), max_length=1, choices=Wind.choices)
    player = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="seats", null=True, verbose_name=_("player")
    )
    kept_for = models.ForeignKey(
        Player, on_delete=models.PROTECT, related_name="kept_seats", null=True, blank=True
    )
    from_hand = models.PositiveIntegerField(default=1)
    left_after = models.PositiveIntegerField(null=True, blank=True)
    hand_points = models.IntegerField(default=0)
    confirmed_at = models.DateTimeField(null=True, blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        """One player a seat, one seat a player in a session. [RULES 1.3]"""

        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["table", "wind"], name="seat_wind_once"),
            models.UniqueConstraint(fields=["session", "player"], name="seat_player_once_a_session"),
            models.UniqueConstraint(fields=["session", "kept_for"], name="seat_kept_once_a_session"),
            models.CheckConstraint(
                condition=models.Q(player__isnull=False) | models.Q(kept_for__isnull=False),
                name="seat_of_somebody",
            ),
            models.CheckConstraint(condition=models.Q(wind__in=Wind.values), name="seat_wind_known"),
        ]

    def __str__(self) -> str:
        """Return wind and name."""
        return f"{self.get_wind_display()}: {self.player or '—'}"

    @property
    def occupant(self) -> Player:
        """Return who sits here, or else for whom the seat is kept; the database holds no seat of nobody."""
        found = self.player or self.kept_for
        assert found is not None, "seat_of_somebody"
        return found

    @property
    def is_taken_again(self) -> bool:
        """Return whether a substitute plays where somebody had left."""
        is_later = self.left_after is not None and self.from_hand > self.left_after
        return is_later and self.kept_for_id is not None

    @property
    def has_left(self) -> bool:
        """Return whether nobody plays here any more, though hands were played. [RULES 8.55]"""
        return self.left_after is not None and not self.is_taken_again

    @property
    def sat_last(self) -> "Player | None":
        """Return who left the seat in the middle of the game."""
        return self.kept_for if self.is_taken_again else self.player

    def is_empty_in(self, hand: int) -> bool:
        """Return whether nobody sat here in a hand, because the player had left. [RULES 8.55]"""
        if self.left_after is None or hand <= self.left_after:
            return False
        return not self.is_taken_again or hand < self.from_hand

    def sat_at(self, hand: int) -> "Player | None":
        """Return who played the hand: a substitute who came later did not play those before, who has left not those after."""
        if self.is_empty_in(hand):
            return None
        came_later = self.kept_for is not None and hand < self.from_hand
        return self.kept_for if came_later else self.player or self.kept_for
