"""A tournament, and who may do what in it."""

from decimal import Decimal

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.regulation import Regulation
from scoring.systems import SYSTEMS
from scoring.upgrades import REGULATION
from tournaments.calendar import Zone
from tournaments.models.versioned import VersionedField


class User(AbstractUser):
    """Somebody with a password: an organizer or a referee. Players need none.

    The operator approves organizers. An account is never removed, since the record names it by its number: a deleted one
    keeps that and nothing else.
    """

    approved_at = models.DateTimeField(_("approved"), null=True, blank=True)
    erased_at = models.DateTimeField(_("deleted"), null=True, blank=True)

    @property
    def title(self) -> str:
        """Return the name by which others know this user."""
        if self.erased_at:
            return str(_("(deleted account)"))
        return self.get_full_name() or self.get_username()


class Tournament(models.Model):
    """One event from its announcement to the archive, with the regulation it is played by.

    A rehearsal is an event of its own that names the one it rehearses; `pace` says how it is played, and only it has one.
    """

    class State(models.TextChoices):
        """Where in its life the tournament is."""

        DRAFT = "draft", _("Draft")
        ANNOUNCED = "announced", _("Registration")
        RUNNING = "running", _("In play")
        CLOSED = "closed", _("Finished")
        CANCELLED = "cancelled", pgettext_lazy("event", "Cancelled")

    class Listing(models.TextChoices):
        """Where strangers meet it, once it is announced; decided by the site's operator."""

        LISTED = "listed", _("On the home page")
        AWAITING = "awaiting", _("Waits for the operator")
        HIDDEN = "hidden", _("Off the lists")
        WITHHELD = "withheld", _("Closed to strangers")
        ARCHIVED = "archived", _("Archived")
        DELETED = "deleted", _("Deleted")

    slug = models.SlugField(_("address"), max_length=100, unique=True)
    name = models.CharField(_("name"), max_length=120)
    system = models.CharField(_("system"), max_length=6)
    preset = models.CharField(_("preset"), max_length=20)
    regulation = VersionedField(_("regulation"), versions=REGULATION)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    cancelled_at = models.DateTimeField(_("cancelled"), null=True, blank=True)
    cancel_reason = models.CharField(_("why it is cancelled"), max_length=1000, blank=True)
    listing = models.CharField(_("listing"), max_length=8, choices=Listing.choices, default=Listing.LISTED)
    time_zone = models.CharField(_("time zone"), max_length=100, default="UTC")
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    city = models.CharField(_("city"), max_length=100, blank=True)
    venue = models.CharField(_("venue"), max_length=200, blank=True)
    description = models.TextField(_("description"), max_length=5000, blank=True)
    currency = models.CharField(_("currency"), max_length=10, blank=True)
    prize_places = models.PositiveSmallIntegerField(_("places with a prize"), default=3)
    first_table = models.PositiveSmallIntegerField(_("number of the first table"), default=1)
    language = models.CharField(_("language"), max_length=10, blank=True)
    registration_opens_at = models.DateTimeField(_("registration opens"), null=True, blank=True)
    registration_closes_at = models.DateTimeField(_("registration closes"), null=True, blank=True)
    offer_hours = models.PositiveSmallIntegerField(_("hours to accept a place"), null=True, blank=True)
    mails_players = models.BooleanField(_("mails to players"), default=False)
    asks_pin = models.BooleanField(_("players confirm with a PIN"), default=False)
    frozen_after = models.PositiveSmallIntegerField(
        _("standings frozen after session"), null=True, blank=True
    )
    places_hidden = models.PositiveIntegerField(_("places not revealed yet"), null=True, blank=True)
    quotas = models.JSONField(_("quotas"), default=dict, blank=True)
    questions = models.JSONField(_("questions of the organizer"), default=list, blank=True)
    frame_sites = models.JSONField(_("sites that may show the standings"), default=list, blank=True)
    is_demo = models.BooleanField(default=False)
    rehearsal_of = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="rehearsals", null=True, blank=True
    )
    pace = models.JSONField(null=True, blank=True)
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="created_tournaments")
    created_at = models.DateTimeField(auto_now_add=True)
    entries = models.PositiveIntegerField(default=0)

    class Meta:
        """Newest first; days in order."""

        ordering = ["-first_day", "-id"]
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(last_day__gte=models.F("first_day")), name="tournament_days_in_order"
            ),
            models.CheckConstraint(
                condition=models.Q(places_hidden=None) | models.Q(frozen_after__isnull=False),
                name="tournament_reveals_what_is_frozen",
            ),
        ]

    def __str__(self) -> str:
        """Return the title."""
        return self.name or str(_("(deleted)"))

    def get_absolute_url(self) -> str:
        """Return the address of the public page."""
        return reverse("tournaments:event", args=[self.slug])

    def get_system_display(self) -> str:
        """Return the name of the system in the reader's language."""
        return gettext(SYSTEMS[self.system].name)

    @property
    def zone(self) -> Zone:
        """Return the time zone in which its times are shown."""
        return Zone(self.time_zone)

    @property
    def own_language(self) -> str:
        """Return the language for whoever says of none what they read: pictures, links in messages, search engines."""
        return self.language or str(settings.LANGUAGE_CODE)

    @property
    def regulation_value(self) -> Regulation:
        """Return the regulation as the rules read it."""
        return Regulation.from_json(self.regulation, system=self.system)

    @property
    def has_fee(self) -> bool:
        """Return whether players pay a fee, so that lists ask who has."""
        return Decimal(self.regulation["entry_fee"]) > 0

    @property
    def is_finished(self) -> bool:
        """Return whether it was closed or cancelled: what is still entered then, the operations say."""
        return self.state in {self.State.CLOSED, self.State.CANCELLED}

    @property
    def is_cancelled(self) -> bool:
        """Return whether it does not take place; that can be taken back, and nothing of it is deleted."""
        return self.state == self.State.CANCELLED

    @property
    def is_public(self) -> bool:
        """Return whether strangers may see it at its address."""
        return self.state != self.State.DRAFT and self.listing not in CLOSED_LISTINGS

    @property
    def is_frozen(self) -> bool:
        """Return whether strangers see the standings as they were after `frozen_after`: until every place is revealed. [RULES 9.15]"""
        return self.frozen_after is not None and self.places_hidden != 0

    @property
    def is_revealing(self) -> bool:
        """Return whether the places are being revealed, or all are and the screens still show it. [RULES 9.15]"""
        return self.frozen_after is not None and self.places_hidden is not None

    def hides_session(self, number: int) -> bool:
        """Return whether a freeze keeps the results of a session from strangers. [RULES 9.15]"""
        return self.is_frozen and number > (self.frozen_after or 0)

    @property
    def is_deleted(self) -> bool:
        """Return whether it was a draft that was deleted: only its history is left."""
        return self.listing == self.Listing.DELETED


CLOSED_LISTINGS = frozenset({Tournament.Listing.WITHHELD, Tournament.Listing.DELETED})
OPEN_TO_STRANGERS = ~models.Q(state=Tournament.State.DRAFT) & ~models.Q(listing__in=sorted(CLOSED_LISTINGS))
"""What `Tournament.is_public` says of one event, as a question to the database."""

IN_LISTS = ~models.Q(state=Tournament.State.DRAFT) & (
    models.Q(listing=Tournament.Listing.LISTED)
    | models.Q(listing=Tournament.Listing.ARCHIVED, state=Tournament.State.CLOSED)
)
"""The events that strangers find without an address: an archived one only when it was played to its end."""


CYRILLIC = frozenset({"ru"})
"""Languages whose papers are written in Cyrillic letters."""


class Role(models.Model):
    """What a user may do in one tournament."""

    class Kind(models.TextChoices):
        """The roles of [RULES 1.2]; players need none."""

        ORGANIZER = "organizer", _("Organizer")
        CHIEF_REFEREE = "chief_referee", _("Chief referee")
        REFEREE = "referee", _("Referee")
        SCORER = "scorer", _("Scorer")
        COMMITTEE = "committee", _("Arbitration committee")

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="roles")
    kind = models.CharField(_("role"), max_length=13, choices=Kind.choices)
    user = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="roles", null=True, blank=True, verbose_name=_("user")
    )
    player = models.ForeignKey(
        "tournaments.Player", on_delete=models.PROTECT, related_name="roles", null=True, blank=True
    )
    name = models.CharField(_("name"), max_length=200, blank=True)
    name_latin = models.CharField(_("name in Latin letters"), max_length=200, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """One row a role of a user."""

        ordering = ["id"]
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        constraints = [
            models.UniqueConstraint(fields=["tournament", "kind", "user"], name="role_once_a_user"),
            models.CheckConstraint(
                condition=models.Q(user__isnull=False) | models.Q(player__isnull=False),
                name="role_of_somebody",
            ),
        ]

    def __str__(self) -> str:
        """Return who is what."""
        return f"{self.user or self.player}: {self.get_kind_display()}"

    def printed(self, language: str) -> str:
        """Return the name for papers in a language, in its alphabet if both are known; never a name to sign in with."""
        if self.player:
            return str(self.player)
        full = self.user.get_full_name() if self.user else ""
        names = (self.name, self.name_latin) if language in CYRILLIC else (self.name_latin, self.name)
        return next(filter(None, names), full)

    @property
    def title(self) -> str:
        """Return the name by which the desk knows whoever works here."""
        return self.name or self.name_latin or (self.user.title if self.user else str(self.player))


class Invitation(models.Model):
    """A link by which whoever opens it takes a role under a name: good once, until a day. Only its digest is kept.

    One that hands the event over ends the role of the organizer who made it as soon as somebody takes it.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="invitations")
    kind = models.CharField(_("role"), max_length=13, choices=Role.Kind.choices)
    name = models.CharField(_("name"), max_length=200, blank=True)
    name_latin = models.CharField(_("name in Latin letters"), max_length=200, blank=True)
    secret_digest = models.CharField(max_length=64, unique=True)
    hands_over = models.BooleanField(_("hands the event over"), default=False)
    made_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True)
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    used_at = models.DateTimeField(null=True, blank=True)
    used_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True, blank=True)

    class Meta:
        """In the order made."""

        ordering = ["id"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        """Return for whom it was made, if that was written."""
        return self.name or self.name_latin or str(self.get_kind_display())


class EventTemplate(models.Model):
    """Settings and regulation under a name, from which their owner begins other events."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="event_templates")
    name = models.CharField(_("name"), max_length=100)
    system = models.CharField(_("system"), max_length=6)
    preset = models.CharField(_("preset"), max_length=20)
    regulation = VersionedField(_("regulation"), versions=REGULATION)
    settings = models.JSONField(_("settings"), default=dict)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        """By name, each once for an account."""

        ordering = ["name", "id"]
        verbose_name = _("template")
        verbose_name_plural = _("templates")
        constraints = [models.UniqueConstraint(fields=["owner", "name"], name="template_name_once")]

    def __str__(self) -> str:
        """Return the name."""
        return self.name

    @property
    def system_name(self) -> str:
        """Return the name of the system in the reader's language."""
        return gettext(SYSTEMS[self.system].name)
