"""Forms: they know types and nothing else; rules speak through refusals put beside their fields."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, cast

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.description import Difference, describe_change
from scoring.presets import PRESETS
from tournaments.models import Player, Registration, Role, Tournament, User
from tournaments.people.rules.names import tidy_slug
from tournaments.record.actors import Actor
from tournaments.sessions.operations.tournaments import Announcement, staff_to_take
from tournaments.sessions.rules.series import regulation_again
from tournaments.standings.rules.prizes import MOST_PLACES
from tournaments.table_numbers import MOST_FIRST, number_within, shown_number
from tournaments.web.forms import (
    DateField,
    GroupedForm,
    LocalDateTimeField,
    RefusableForm,
    SeenForm,
    in_zone,
    offer,
    zones,
)


def presets() -> list[tuple[str, str | Promise]]:
    """List the presets by name in the reader's language."""
    return [(code, _(preset.name)) for code, preset in PRESETS.items()]


HOURS_TO_ACCEPT = 48
USUAL_PRIZES = 3


class TournamentForm(GroupedForm, SeenForm):
    """What an organizer says about a tournament; the preset fills everything else."""

    GROUPS: ClassVar[tuple[tuple[Any, str], ...]] = (
        (_("The event"), "name preset slug language description"),
        (_("When and where"), "first_day last_day city venue time_zone"),
        (
            _("Registration"),
            "registration_opens_at registration_closes_at offer_hours currency mails_players",
        ),
        (_("At the table"), "first_table asks_pin"),
        (_("At the end"), "prize_places"),
    )
    wide_fields = frozenset({"name", "preset", "slug", "description", "time_zone", "mails_players"})

    name = forms.CharField(label=_("Name of the event"), max_length=100)
    slug = forms.SlugField(
        label=_("Address"),
        max_length=60,
        required=False,
        help_text=_("Letters, digits and hyphens. Left empty, it is made from the name."),
    )
    language = forms.ChoiceField(
        label=_("Language of the event"),
        choices=[("", _("As the site")), *settings.LANGUAGES],
        required=False,
        help_text=_(
            "For links in messages and for search engines. Readers see the pages in their own language."
        ),
    )
    first_day = DateField(label=_("First day"))
    last_day = DateField(label=_("Last day"), required=False, help_text=_("Left empty, it lasts one day."))
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=zones)
    city = forms.CharField(label=_("City"), max_length=100, required=False)
    venue = forms.CharField(label=_("Venue"), max_length=100, required=False)
    description = forms.CharField(
        label=_("Description"),
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("For players: how to get there, food, prizes. Plain text."),
    )
    currency = forms.CharField(
        label=_("Currency of the fee"), max_length=10, required=False, help_text=_("For example € or ₽.")
    )
    first_table = forms.IntegerField(
        label=_("Number of the first table"),
        initial=1,
        required=False,
        min_value=1,
        max_value=MOST_FIRST,
        help_text=_("Two events in one hall: the second begins with a number that is free there."),
    )
    prize_places = forms.IntegerField(
        label=_("Places with a prize"),
        initial=USUAL_PRIZES,
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=_("The prize list and the diplomas begin with so many; players see their chances of one."),
    )
    registration_opens_at = LocalDateTimeField(label=_("Registration opens"), required=False)
    registration_closes_at = LocalDateTimeField(label=_("Registration closes"), required=False)
    offer_hours = forms.IntegerField(
        label=_("Hours to accept a place from the waiting list"),
        required=False,
        min_value=1,
        max_value=720,
        help_text=_(
            "The next gets the offer when they have passed. Left empty, whoever waits moves up at once."
        ),
    )
    mails_players = forms.BooleanField(
        label=_("Send mails to players"),
        required=False,
        help_text=_(
            "To those who gave an address: their private link, a place from the waiting list, a cancelled event, their"
            " next seat. Drafts send nothing."
        ),
    )
    asks_pin = forms.BooleanField(
        label=_("Players confirm results with a PIN"),
        required=False,
        help_text=_(
            "Four digits, on each player's own page and card. Without it a tap on the name is enough. "
            "A referee can confirm in a player's stead, with a reason."
        ),
    )

    def clean(self) -> dict[str, Any]:
        """Check days and window against each other, and read times in the tournament's zone."""
        data = super().clean() or self.cleaned_data
        first, last = data.get("first_day"), data.get("last_day")
        if first and not last:
            data["last_day"] = first
        elif first and last and last < first:
            self.add_error("last_day", _("The last day is before the first."))
        for field in ("registration_opens_at", "registration_closes_at"):
            if data.get(field) and data.get("time_zone"):
                data[field] = self._in_zone(field, data[field], data["time_zone"])
        opens, closes = data.get("registration_opens_at"), data.get("registration_closes_at")
        if opens and closes and closes <= opens:
            self.add_error("registration_closes_at", _("Registration would close before it opens."))
        data["slug"] = self._slug(data.get("slug") or "", data.get("name", ""))
        return data

    def clean_prize_places(self) -> int:
        """Leave the number as it is where the form does not send it; a line that was emptied is no number."""
        places = self.cleaned_data["prize_places"]
        if places is None and "prize_places" in self.data:
            raise forms.ValidationError(_("Write how many places win a prize: at least 1."))
        return int(places or self.initial.get("prize_places") or USUAL_PRIZES)

    def _slug(self, typed: str, name: str) -> str:
        """Leave the address as it is, tidy a new one, or make one from the name."""
        return typed if typed and typed == self.initial.get("slug") else tidy_slug(typed) or make_slug(name)

    def _in_zone(self, field: str, value: datetime, zone_name: str) -> datetime | None:
        """Read a local time in the event's zone, or say why it cannot be read."""
        try:
            return in_zone(value, zone_name)
        except forms.ValidationError as wrong:
            self.add_error(field, wrong)
            return None

    def announcement(self) -> Announcement:
        """Return what was said."""
        fields = (
            "name slug first_day last_day time_zone city venue description currency prize_places first_table language "
            "registration_opens_at registration_closes_at offer_hours mails_players asks_pin"
        )
        said = {field: self.cleaned_data.get(field) for field in fields.split()}
        said["first_table"] = self.cleaned_data.get("first_table") or 1
        return Announcement(**said)  # type: ignore[arg-type]

    @staticmethod
    def of(tournament: Tournament) -> dict[str, Any]:
        """Return the values of an existing tournament, times in its own zone."""
        values = {field: getattr(tournament, field) for field in TournamentForm.base_fields}
        for field in ("registration_opens_at", "registration_closes_at"):
            if values[field]:
                values[field] = timezone.localtime(values[field], tournament.zone).replace(tzinfo=None)
        return values


class CloneForm(TournamentForm):
    """Another event like an earlier one: everything but its name and days, which are asked anew."""

    GROUPS = (*TournamentForm.GROUPS, (_("Staff"), "staff"))
    wide_fields = frozenset({*TournamentForm.wide_fields, "staff"})

    preset = forms.ChoiceField(
        label=_("System and regulation"),
        choices=presets,
        required=False,
        help_text=_(
            "Left as it is, the whole regulation is taken over. Another one says first what differs."
        ),
    )
    knows = forms.CharField(required=False, widget=forms.HiddenInput)

    staff = forms.MultipleChoiceField(
        label=_("Take along"),
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
        help_text=_("They have the same roles under the same names at once; you can change that later."),
    )

    def __init__(self, *args: Any, source: Tournament, by: Actor, **kwargs: Any) -> None:
        """Remember the earlier event; its name is shown where the new one is asked, and its staff is offered."""
        super().__init__(*args, **kwargs)
        self.source = source
        rows = [
            row for row in staff_to_take(source) if (row.user_id, row.kind) != (by.id, Role.Kind.ORGANIZER)
        ]
        offer(self, "staff", [(row.pk, f"{row.title}: {row.get_kind_display()}") for row in rows])
        self.fields["staff"].initial = [row.pk for row in rows]
        if not rows:
            del self.fields["staff"]
        self.fields["name"].widget.attrs["placeholder"] = source.name
        self.differences: list[Difference] = []

    def clean(self) -> dict[str, Any]:
        """Ask once where another preset is chosen: what differs stands beside the form, and the same press again goes on."""
        data = super().clean()
        preset = data.get("preset") or self.source.preset
        data["preset"] = preset
        if preset != self.source.preset and not self.errors and data.get("knows") != preset:
            made = regulation_again(self.source.regulation, was=self.source.preset, preset=preset)
            self.differences = describe_change(
                made,
                PRESETS[preset].system,
                self.source.regulation_value,
                self.source.system,
                get_language() or "en",
            )
            self.add_error("preset", _("Look at what differs, then press the button once more."))
            self.data = {**dict(self.data.items()), "knows": preset}
        return data


class NewTournamentForm(TournamentForm):
    """A new tournament: the same, and the preset it begins from."""

    preset = forms.ChoiceField(
        label=_("System and regulation"),
        choices=presets,
        widget=forms.RadioSelect,
        initial=next(iter(PRESETS)),
        help_text=_("The preset fills in everything the rulebook says; you can change any value later."),
    )
    field_order = ("name", "preset", "first_day", "last_day", "city", "venue", "time_zone")

    def __init__(self, *args: Any, time_zone: str = "", **kwargs: Any) -> None:
        """Offer the zone of the organizer's last event; who has none yet is offered the browser's own."""
        super().__init__(*args, **kwargs)
        self.fields["offer_hours"].initial = HOURS_TO_ACCEPT
        self.fields["mails_players"].initial = True
        field = self.fields["time_zone"]
        if time_zone:
            field.initial = time_zone
        elif not self.is_bound:
            field.widget.attrs["data-own-zone"] = ""


LETTERS = str.maketrans(
    {
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "yo", "ж": "zh", "з": "z", "и": "i",
        "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t",
        "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y",
        "ь": "", "э": "e", "ю": "yu", "я": "ya",
    }
)  # fmt: skip


def make_slug(name: str) -> str:
    """Make an address from a name, Cyrillic letters written in Latin ones; one more number when it is taken."""
    stem = tidy_slug(slugify(name.casefold().translate(LETTERS))[:50]) or "event"
    slug, number = stem, 1
    while Tournament.objects.filter(slug=slug).exists():
        number += 1
        slug = f"{stem}-{number}"
    return slug


class TablesForm(RefusableForm):
    """Some of the event's tables."""

    tables = forms.CharField(
        label=_("Tables"),
        max_length=200,
        required=False,
        help_text=_("Numbers such as 1, 2, 5–8. Left empty: all tables."),
    )

    def event_of_tables(self) -> Tournament | None:
        """Return whose tables are meant; the event of the page unless a form says otherwise."""
        return None

    def clean_tables(self) -> list[int]:
        """Read numbers and ranges."""
        event = self.event_of_tables()
        text = unicodedata.normalize("NFKC", self.cleaned_data["tables"])
        numbers: list[int] = []
        for part in filter(None, re.split(r"[,;\s]+", re.sub(r"\s*[-–—]\s*", "-", text))):
            match = re.fullmatch(r"([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,3}))?", part, re.ASCII)
            if not match:
                raise forms.ValidationError(_("Write table numbers such as 1, 2, 5–8."))
            first, last = int(match[1]), int(match[2] or match[1])
            numbers.extend(range(number_within(first, event), number_within(last, event) + 1))
        if numbers and min(numbers) < 1:
            raise forms.ValidationError(
                _("The tables of this event begin with number %(n)s.") % {"n": shown_number(1, event)}
            )
        return sorted(set(numbers))


class InviteForm(TablesForm):
    """A tablet to be admitted."""

    name = forms.CharField(label=_("Name of the tablet"), max_length=60, help_text=_("For example: Tablet 7"))
    field_order = ("name", "tables")


class MoveForm(TablesForm):
    """Where a tablet is to go on: which event, and which of its tables."""

    to = forms.ChoiceField(label=_("Event"))
    field_order = ("to", "tables")

    def __init__(self, sent: Any = None, *, events: Sequence[Tournament], device: int) -> None:
        """Offer these events."""
        super().__init__(sent, auto_id=f"tablet-{device}-%s")
        self.device, self.events = device, {event.slug: event for event in events}
        choices = [(event.slug, event.name) for event in events]
        cast(forms.ChoiceField, self.fields["to"]).choices = choices

    def clean_to(self) -> Tournament:
        """Return the event itself."""
        return self.events[self.cleaned_data["to"]]

    def event_of_tables(self) -> Tournament | None:
        """Return the other event: its numbers stand on its tables."""
        to = self.cleaned_data.get("to")
        return to if isinstance(to, Tournament) else None


class StaffNameForm(RefusableForm):
    """How papers name somebody who works at the tournament."""

    name = forms.CharField(label=_("Name on papers"), max_length=200, required=False)
    name_latin = forms.CharField(label=_("Name in Latin letters"), max_length=200, required=False)


class InviteStaffForm(RefusableForm):
    """Somebody who shall work at the tournament and takes the role by a link."""

    kind = forms.ChoiceField(
        label=_("Role"),
        choices=[("", "—"), *Role.Kind.choices],
        error_messages={"required": _("Choose a role.")},
    )
    name = forms.CharField(label=_("Name on papers"), max_length=200, required=False)
    name_latin = forms.CharField(label=_("Name in Latin letters"), max_length=200, required=False)


class GrantForm(RefusableForm):
    """Somebody who shall work at the tournament."""

    username = forms.CharField(
        label=_("User name"), max_length=150, help_text=_("The person signs up first and tells you the name.")
    )
    kind = forms.ChoiceField(
        label=_("Role"),
        choices=[("", "—"), *Role.Kind.choices],
        error_messages={"required": _("Choose a role.")},
    )
    player = forms.ChoiceField(
        label=_("Player"),
        required=False,
        help_text=_("If this person also plays here: a referee never judges the own table."),
    )

    name = forms.CharField(label=_("Name on papers"), max_length=200, required=False)
    name_latin = forms.CharField(label=_("Name in Latin letters"), max_length=200, required=False)

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        """Offer everybody on the list."""
        super().__init__(*args, **kwargs)
        rows = tournament.registrations.filter(status=Registration.Status.ACTIVE).select_related("player")
        self.players = {str(row.number): row.player for row in rows}
        named = [(str(row.number), str(row)) for row in rows]
        offer(self, "player", [("", "—"), *named])

    def clean_username(self) -> str:
        """Find the account."""
        name: str = self.cleaned_data["username"].strip()
        if not User.objects.filter(username__iexact=name, is_active=True).exists():
            raise forms.ValidationError(_("There is no account of this name."))
        return name

    def user(self) -> User:
        """Return the account."""
        return User.objects.get(username__iexact=self.cleaned_data["username"], is_active=True)

    @property
    def names(self) -> dict[str, str]:
        """Return the names for papers."""
        return {name: self.cleaned_data[name] for name in ("name", "name_latin")}

    def plays_as(self) -> Player | None:
        """Return the player that the person is here, if any."""
        return self.players.get(self.cleaned_data["player"])
