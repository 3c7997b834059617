"""The people of a tournament: players, their registrations and teams, substitutes."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament, User


class Team(models.Model):
    """A team of players in one tournament."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="teams")
    name = models.CharField(_("name"), max_length=100)
    captain = models.ForeignKey(
        "tournaments.Player", on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )

    class Meta:
        """By name."""

        ordering = ["name"]
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        constraints = [models.UniqueConstraint(fields=["tournament", "name"], name="team_name_once")]

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class Player(models.Model):
    """A person named in one tournament, as they were at the time; the archive does not change with their club."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="players")
    code = models.CharField(max_length=64)
    name = models.CharField(_("name"), max_length=100, blank=True)
    search_key = models.CharField(max_length=200, blank=True, db_index=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    region = models.CharField(_("region"), max_length=100, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    club = models.CharField(_("club"), max_length=100, blank=True)
    team = models.ForeignKey(
        Team, on_delete=models.PROTECT, related_name="players", null=True, blank=True, verbose_name=_("team")
    )
    group = models.CharField(_("group"), max_length=100, blank=True)
    federation_ids = models.JSONField(_("federation numbers"), default=dict, blank=True)
    email = models.EmailField(_("e-mail"), blank=True)
    phone = models.CharField(_("phone"), max_length=40, blank=True)
    erased_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        """In the order in which they were entered."""

        ordering = ["id"]
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [models.UniqueConstraint(fields=["tournament", "code"], name="player_code_once")]

    def __str__(self) -> str:
        """Return the name, or a sign that it was erased."""
        return self.name or str(_("(erased)"))


class Registration(models.Model):
    """A player's place in the tournament."""

    class Status(models.TextChoices):
        """Whether the player takes part."""

        ACTIVE = "active", _("Registered")
        WAITING = "waiting", _("Waiting list")
        CANCELLED = "cancelled", _("Cancelled")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        REMOVED = "removed", _("Removed")
        DISQUALIFIED = "disqualified", _("Disqualified")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="registrations")
    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="registration")
    number = models.PositiveIntegerField(_("number"))
    status = models.CharField(_("status"), max_length=12, choices=Status.choices, default=Status.ACTIVE)
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    paid_at = models.DateTimeField(_("fee paid"), null=True, blank=True)
    offered_until = models.DateTimeField(_("place offered until"), null=True, blank=True)
    passed_over_at = models.DateTimeField(_("offer lapsed"), null=True, blank=True)
    first_session = models.PositiveIntegerField(_("first session"), default=1)
    last_session = models.PositiveIntegerField(_("last session"), null=True, blank=True)
    lot = models.PositiveIntegerField(_("lot"), null=True, blank=True)
    link_version = models.PositiveIntegerField(default=1)
    language = models.CharField(_("language of mails"), max_length=10, blank=True)
    comment = models.CharField(_("note to the organizer"), max_length=500, blank=True)
    answers = models.JSONField(_("answers to the organizer's questions"), default=dict, blank=True)
    may_be_remembered = models.BooleanField(
        _("may be filled in at the organizer's next event"), default=False
    )
    created_at = models.DateTimeField(auto_now_add=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    disqualified_until = models.DateField(null=True, blank=True)
    cleared = models.JSONField(default=list, blank=True)

    class Meta:
        """By number, each once."""

        ordering = ["number"]
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "number"], name="registration_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="registration_number_positive"),
        ]

    def __str__(self) -> str:
        """Return number and name."""
        return f"{self.number}. {self.player}"

    @property
    def is_checked_in(self) -> bool:
        """Return whether the player came to the check-in."""
        return self.checked_in_at is not None

    @property
    def has_paid(self) -> bool:
        """Return whether the fee is noted as paid."""
        return self.paid_at is not None


class Substitute(models.Model):
    """A replacement player: sits for somebody, has no standing."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="substitutes")
    player = models.OneToOneField(Player, on_delete=models.PROTECT, related_name="substitute")
    is_assistant = models.BooleanField(_("assistant of the chief referee"), default=False)

    class Meta:
        """In the order in which they were entered."""

        ordering = ["id"]
        verbose_name = _("substitute")
        verbose_name_plural = _("substitutes")

    def __str__(self) -> str:
        """Return the name."""
        return str(self.player)


class SamePerson(models.Model):
    """Two entries of people that an organizer says are one person, or two namesakes; the events keep both as they were."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="same_persons")
    first = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    second = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    are_two = models.BooleanField(_("are two people"), default=False)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """In the order made, each pair once."""

        ordering = ["id"]
        verbose_name = _("merge of two entries")
        verbose_name_plural = _("merges of entries")
        constraints = [
            models.UniqueConstraint(fields=["owner", "first", "second"], name="same_person_once"),
            models.CheckConstraint(condition=~models.Q(first=models.F("second")), name="same_person_of_two"),
        ]

    def __str__(self) -> str:
        """Return who are one."""
        return f"{self.first} {'≠' if self.are_two else '='} {self.second}"
