"""Forms: they know types and nothing else; rules speak through refusals put beside their fields."""

import re
import unicodedata
import zoneinfo
from datetime import date, datetime
from typing import Any, ClassVar

from babel import Locale
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from scoring.presets import PRESETS
from tournaments.models import HallScreen, Player, Registration, Role, Tournament, User
from tournaments.operations.hall import Steering
from tournaments.operations.registration import Details
from tournaments.operations.tournaments import Announcement
from tournaments.refusal import Refused, say
from tournaments.rules.names import name_problems, tidy_name, tidy_slug

ZONES = (
    "Europe/Kaliningrad",
    "Europe/Moscow",
    "Europe/Samara",
    "Asia/Yekaterinburg",
    "Asia/Omsk",
    "Asia/Novosibirsk",
    "Asia/Krasnoyarsk",
    "Asia/Irkutsk",
    "Asia/Yakutsk",
    "Asia/Vladivostok",
    "Asia/Magadan",
    "Asia/Kamchatka",
    "Europe/London",
    "Europe/Paris",
    "Europe/Berlin",
    "Europe/Warsaw",
    "Europe/Helsinki",
    "Asia/Almaty",
    "Asia/Tbilisi",
    "Asia/Yerevan",
    "Asia/Shanghai",
    "Asia/Tokyo",
    "America/New_York",
    "America/Los_Angeles",
    "UTC",
)
CONTINENTS = [
    "Africa",
    "America",
    "Antarctica",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
]


def zones() -> list[tuple[Any, list[tuple[str, str]]]]:
    """List every zone that an event may keep its time by, those chosen often first."""
    others = sorted(
        zone for zone in zoneinfo.available_timezones() - set(ZONES) if zone.partition("/")[0] in CONTINENTS
    )
    return [
        (title, [(zone, zone) for zone in names])
        for title, names in ((_("Chosen often"), ZONES), (_("All others"), others))
    ]


def countries() -> list[tuple[str, str]]:
    """List the countries by name in the reader's language."""
    territories = Locale.parse(get_language() or "en", sep="-").territories
    known = [(code, name) for code, name in territories.items() if re.fullmatch("[A-Z]{2}", code)]
    left_out = {"EU", "EZ", "UN", "XA", "XB", "XK", "ZZ", "QO"}
    return [("", "—"), *sorted((pair for pair in known if pair[0] not in left_out), key=lambda p: p[1])]


def presets() -> list[tuple[str, str]]:
    """List the presets by name in the reader's language."""
    return [(code, _(preset.name)) for code, preset in PRESETS.items()]  # type: ignore[misc]


LIMITS = frozenset({"approval_needed", "slow_down", "too_many_drafts"})
"""Refusals for which no field of a form is to blame."""


class RefusableForm(forms.Form):
    """A form beside whose fields refusals are shown."""

    refusal_status = 0
    """The status of a refusal that is no mistake in the form, such as a limit that was reached."""

    def add_refusal(self, refused: Refused) -> None:
        """Put each sentence by its field; what belongs to no field goes to the top."""
        for problem in refused.problems:
            name = problem.field.partition(".")[0]
            self.add_error(name if name in self.fields else None, say(problem))
            if problem.code in LIMITS:
                self.refusal_status = refused.status


class GroupedForm(RefusableForm):
    """A long form in groups, each with a title; what a form leaves out of its fields is left out of its groups."""

    GROUPS: ClassVar[tuple[tuple[Any, str], ...]] = ()
    wide_fields: ClassVar[frozenset[str]] = frozenset()

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Give the groups that have fields, with the fields as they are shown."""
        shown = {field.name: field for field in self.visible_fields()}
        groups = [
            {"title": title, "fields": [shown[name] for name in names.split() if name in shown]}
            for title, names in self.GROUPS
        ]
        return [group for group in groups if group["fields"]]


FIRST_YEAR, LAST_YEAR = 1900, 2200
"""Beyond these years a typing error is certain, and instants near the ends of the calendar have no zone."""


def check_year(day: date) -> None:
    """Refuse a year that nobody means."""
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        sentence = _("Enter the year with four digits between %(min)s and %(max)s.")
        raise forms.ValidationError(sentence % {"min": FIRST_YEAR, "max": LAST_YEAR}, code="year_range")


class LocalDateTimeField(forms.DateTimeField):
    """A date and time as the browser's own control sends it."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def __init__(self, **kwargs: Any) -> None:
        """Read what the control sends."""
        super().__init__(input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"], **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Show instants in the current zone."""
        return (
            timezone.localtime(value) if isinstance(value, datetime) and timezone.is_aware(value) else value
        )

    def to_python(self, value: Any) -> datetime | None:
        """Read the digits; the tournament's own zone is applied when the form is cleaned."""
        if value in self.empty_values:
            return None
        for form in ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"):
            try:
                read = datetime.strptime(str(value), form)  # noqa: DTZ007 – the zone is another field
            except ValueError:
                continue
            check_year(read)
            return read
        raise forms.ValidationError(_("Enter date and time."), code="invalid")


def in_zone(value: datetime, zone_name: str) -> datetime:
    """Give the instant of a local time; one that does not exist or occurs twice on its day is refused. [INTEGRITY 69]"""
    zone = zoneinfo.ZoneInfo(zone_name)
    early, late = value.replace(tzinfo=zone, fold=0), value.replace(tzinfo=zone, fold=1)
    if early.utcoffset() == late.utcoffset():
        return early
    back = early.astimezone(zoneinfo.ZoneInfo("UTC")).astimezone(zone).replace(tzinfo=None)
    sentence = (
        _("At this date %(time)s occurs twice in %(zone)s; choose another time.")
        if back == value
        else _("At this date %(time)s does not exist in %(zone)s; choose another time.")
    )
    told = sentence % {"time": f"{value:%H:%M}", "zone": zone_name}
    raise forms.ValidationError(told, code="time_ambiguous")


class DateField(forms.DateField):
    """A day, chosen in the browser's own calendar."""

    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")

    def __init__(self, **kwargs: Any) -> None:
        """Read what the control sends."""
        super().__init__(input_formats=["%Y-%m-%d"], validators=[check_year], **kwargs)


class TournamentForm(GroupedForm):
    """What an organizer says about a tournament; the preset fills everything else."""

    GROUPS = (
        (_("The event"), "name preset slug description"),
        (_("When and where"), "first_day last_day city venue time_zone"),
        (_("Registration"), "registration_opens_at registration_closes_at currency"),
        (_("At the table"), "asks_pin"),
    )
    wide_fields = frozenset({"name", "preset", "slug", "description", "time_zone"})

    name = forms.CharField(label=_("Name of the event"), max_length=100)
    slug = forms.SlugField(
        label=_("Address"),
        max_length=60,
        required=False,
        help_text=_("Letters, digits and hyphens. Left empty, it is made from the name."),
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
    registration_opens_at = LocalDateTimeField(label=_("Registration opens"), required=False)
    registration_closes_at = LocalDateTimeField(label=_("Registration closes"), required=False)
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
        """Give what was said."""
        fields = (
            "name slug first_day last_day time_zone city venue description currency "
            "registration_opens_at registration_closes_at asks_pin"
        )
        return Announcement(**{field: self.cleaned_data.get(field) for field in fields.split()})  # type: ignore[arg-type]

    @staticmethod
    def of(tournament: Tournament) -> dict[str, Any]:
        """Give the values of an existing tournament, times in its own zone."""
        values = {field: getattr(tournament, field) for field in TournamentForm.base_fields}
        for field in ("registration_opens_at", "registration_closes_at"):
            if values[field]:
                values[field] = timezone.localtime(values[field], tournament.zone).replace(tzinfo=None)
        return values


class NewTournamentForm(TournamentForm):
    """A new tournament: the same, and the preset it begins from."""

    preset = forms.ChoiceField(
        label=_("System and regulation"),
        choices=presets,
        widget=forms.RadioSelect,
        initial="sbr",
        help_text=_("The preset fills in everything the rulebook says; you can change any value later."),
    )
    field_order = ("name", "preset", "first_day", "last_day", "city", "venue", "time_zone")

    def __init__(self, *args: Any, time_zone: str = "", **kwargs: Any) -> None:
        """Offer the zone of the organizer's last event; who has none yet is offered the browser's own."""
        super().__init__(*args, **kwargs)
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


class PlayerForm(RefusableForm):
    """What is known of a player."""

    name = forms.CharField(
        label=_("Name"),
        max_length=400,
        strip=False,
        error_messages={"required": _("Enter the player's name.")},
        help_text=_("As it shall stand in the standings."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    country = forms.ChoiceField(
        label=_("Country"),
        choices=lazy(countries, list),
        required=False,
        error_messages={"invalid_choice": _("Choose a country from the list.")},
    )
    city = forms.CharField(label=_("City"), max_length=100, required=False)
    region = forms.CharField(label=_("Region"), max_length=100, required=False)
    club = forms.CharField(label=_("Club"), max_length=100, required=False)
    team = forms.CharField(label=_("Team"), max_length=100, required=False)
    ema_number = forms.CharField(
        label=_("EMA number"),
        max_length=8,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
        help_text=_("Eight digits, if you have one."),
    )
    email = forms.EmailField(
        label=_("E-mail"),
        required=False,
        help_text=_("Only the organizer sees it."),
        error_messages={"invalid": _("Check the e-mail address; it should look like name@example.org.")},
    )
    comment = forms.CharField(label=_("Note to the organizer"), max_length=500, required=False)
    is_another = forms.BooleanField(label=_("Another person with this name"), required=False)
    override = forms.CharField(
        label=_("Why this player may take part"), max_length=5000, required=False, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, tournament: Tournament, asks_double: bool = False, **kwargs: Any) -> None:
        """Show teams only where the regulation has them, the double's tick only when it is asked for."""
        super().__init__(*args, **kwargs)
        if not tournament.regulation["team_size"]:
            del self.fields["team"]
        if not asks_double and (self.data or {}).get("is_another") not in {"on", "True"}:
            self.fields["is_another"].widget = forms.HiddenInput()
        if (self.data or {}).get("override") and "override" in self.fields:
            self._ask_why()

    def _ask_why(self) -> None:
        """Offer a line for the reason why a barred player may take part all the same."""
        self.fields["override"].widget = forms.TextInput()

    def clean_name(self) -> str:
        """A name that may stand; what is wrong with it is said together with all other mistakes."""
        name = tidy_name(self.cleaned_data["name"])
        if problems := name_problems(name):
            raise forms.ValidationError([say(problem) for problem in problems])
        return name

    def clean_ema_number(self) -> str:
        """Eight digits or nothing."""
        number: str = self.cleaned_data["ema_number"].strip()
        if number and not re.fullmatch("[0-9]{8}", number):
            raise forms.ValidationError(_("The federation number should have 8 digits; please check it."))
        return number

    def add_refusal(self, refused: Refused) -> None:
        """When the person seems to be on the list, offer the tick."""
        super().add_refusal(refused)
        if any(p.code in {"already_registered", "possible_duplicate"} for p in refused.problems):
            self.fields["is_another"].widget = forms.CheckboxInput()
        if any(p.code == "disqualified" for p in refused.problems) and "override" in self.fields:
            self._ask_why()

    def details(self, known: Player | None = None) -> Details:
        """Give what was said; what is known of the player and not asked here stays as it is."""
        data = self.cleaned_data
        names = ("name", "country", "region", "city", "club", "team", "email", "comment")
        said = {name: data.get(name) or "" for name in names}
        ids: dict[str, str] = {}
        if known is not None:
            said |= {"group": known.group, "phone": known.phone}
            ids = {name: value for name, value in known.federation_ids.items() if name != "EMA"}
            if "team" not in self.fields:
                said["team"] = str(known.team or "")
        ema = data.get("ema_number", "")
        return Details(**said, federation_ids=ids | ({"EMA": ema} if ema else {}))

    @staticmethod
    def of(registration: Registration) -> dict[str, Any]:
        """Give the values of a registered player."""
        player: Player = registration.player
        values = {
            name: getattr(player, name) for name in ("name", "country", "region", "city", "club", "email")
        }
        return values | {
            "team": str(player.team or ""),
            "ema_number": player.federation_ids.get("EMA", ""),
            "comment": registration.comment,
        }


class OwnForm(PlayerForm):
    """The same, changed by the player: who is barred is let in by the desk alone."""

    override = None


class RegisterForm(OwnForm):
    """The same, filled in by a player: consent is asked for, and nothing else is let through."""

    OTHER = frozenset({"csrfmiddlewaretoken", "website"})

    consent = forms.BooleanField(
        label=_("My name, country, city and club may be shown to everybody with my results"),
        error_messages={"required": _("Without consent to processing we cannot register you.")},
    )

    def clean(self) -> dict[str, Any]:
        """Refuse fields that nobody offered; nothing is silently dropped."""
        data = super().clean() or self.cleaned_data
        for name in set(self.data) - set(self.fields) - self.OTHER:
            self.add_error(None, _("The field “%(field)s” cannot be set here.") % {"field": name[:60]})
        if self.data.get("website"):
            sentence = _("The form could not be accepted; reload the page and try again.")
            self.add_error(None, sentence)
        return data


class PasteForm(RefusableForm):
    """A list of players, pasted: one a line, or columns as they come from a spreadsheet."""

    text = forms.CharField(
        label=_("Players"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_(
            "One player a line: name, city, country, club, EMA number, separated by tabs, semicolons or commas. "
            "Only the name is needed."
        ),
    )


class ReasonField(forms.CharField):
    """Why something is done; the history shows it to whoever asks later."""

    def __init__(self, **options: Any) -> None:
        """Be a box of two lines."""
        super().__init__(
            label=_("Reason"),
            max_length=5000,
            widget=forms.Textarea(attrs={"rows": 2}),
            help_text=_("At least 10 characters."),
            error_messages={"required": _("Give a reason.")},
            **options,
        )


class ReasonForm(RefusableForm):
    """Why something is done that others will want explained."""

    reason = ReasonField()


class InviteForm(RefusableForm):
    """A tablet to be admitted."""

    name = forms.CharField(label=_("Name of the tablet"), max_length=60, help_text=_("For example: Tablet 7"))
    tables = forms.CharField(
        label=_("Tables"),
        max_length=200,
        required=False,
        help_text=_("Numbers such as 1, 2, 5–8. Left empty: all tables."),
    )

    def clean_tables(self) -> list[int]:
        """Read numbers and ranges."""
        text = unicodedata.normalize("NFKC", self.cleaned_data["tables"])
        numbers: list[int] = []
        for part in filter(None, re.split(r"[,;\s]+", re.sub(r"\s*[-–—]\s*", "-", text))):
            match = re.fullmatch(r"([1-9][0-9]{0,3})(?:-([1-9][0-9]{0,3}))?", part, re.ASCII)
            if not match:
                raise forms.ValidationError(_("Write table numbers such as 1, 2, 5–8."))
            first, last = int(match[1]), int(match[2] or match[1])
            numbers.extend(range(first, last + 1))
        return sorted(set(numbers))


class HallForm(RefusableForm):
    """What the screens of the hall show."""

    parts = forms.MultipleChoiceField(
        label=_("What is shown, in turn"),
        choices=HallScreen.Part.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
        help_text=_("With nothing chosen the screens show the message alone."),
    )
    seconds = forms.IntegerField(
        label=_("Seconds a page"), widget=forms.NumberInput(attrs={"class": "stepper", "data-step": "5"})
    )
    message = forms.CharField(
        label=_("Message to the hall"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "maxlength": 200}),
        help_text=_("Everybody in the hall reads it, above whatever is shown."),
    )

    def steering(self) -> Steering:
        """Give what the operation needs."""
        data = self.cleaned_data
        return Steering(parts=data["parts"], seconds=data["seconds"], message=data["message"])

    @staticmethod
    def of(screen: HallScreen) -> dict[str, Any]:
        """Give what is shown now, for the form to begin with."""
        return {"parts": screen.parts, "seconds": screen.seconds, "message": screen.message}


class NewPasswordForm(RefusableForm):
    """A new password, typed twice."""

    password1 = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )
    password2 = forms.CharField(
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}), strip=False
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        """Know whose password it is to be."""
        super().__init__(*args, **kwargs)
        self.user = user

    def clean(self) -> dict[str, Any]:
        """Hold the password against the rules of the site, and the two against each other."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, second = cleaned.get("password1"), cleaned.get("password2")
        if first and second and first != second:
            self.add_error("password2", _("The two passwords differ."))
        elif first:
            try:
                validate_password(first, self.user)
            except forms.ValidationError as error:
                self.add_error("password1", error)
        return cleaned


class GrantForm(RefusableForm):
    """Somebody who shall work at the tournament."""

    username = forms.CharField(
        label=_("User name"), max_length=150, help_text=_("The person signs up first and tells you the name.")
    )
    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices)
    player = forms.ChoiceField(
        label=_("Player"),
        required=False,
        help_text=_("If this person also plays here: a referee never judges the own table."),
    )

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        """Offer everybody on the list."""
        super().__init__(*args, **kwargs)
        rows = tournament.registrations.filter(status=Registration.Status.ACTIVE).select_related("player")
        self.players = {str(row.number): row.player for row in rows}
        named = [(str(row.number), str(row)) for row in rows]
        self.fields["player"].choices = [("", "—"), *named]  # type: ignore[attr-defined]

    def clean_username(self) -> str:
        """Find the account."""
        name: str = self.cleaned_data["username"].strip()
        if not User.objects.filter(username__iexact=name, is_active=True).exists():
            raise forms.ValidationError(_("There is no account of this name."))
        return name

    def user(self) -> User:
        """Give the account."""
        return User.objects.get(username__iexact=self.cleaned_data["username"], is_active=True)

    def plays_as(self) -> Player | None:
        """Give the player that the person is here, if any."""
        return self.players.get(self.cleaned_data["player"])
