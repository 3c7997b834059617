"""What every form of the site is made of: fields, refusals put beside them, reasons."""

import hashlib
import json
import re
import zoneinfo
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from http import HTTPStatus
from typing import Any, ClassVar

from babel import Locale
from django import forms
from django.utils import timezone
from django.utils.choices import flatten_choices
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from tournaments.record.refusal import Refused, say

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


LIMITS = frozenset({"approval_needed", "slow_down", "too_many_drafts"})
"""Refusals that no field of a form causes: the account may not do this now."""


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[object, object]]) -> None:
    """Let a field of choices offer these: they are known only when the form is made."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField), name
    field.choices = list(choices)


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


@dataclass(frozen=True)
class TwoVersions:
    """A field that is stored otherwise than it was typed."""

    label: str
    stored: str
    typed: str


class SeenForm(RefusableForm):
    """A form of what is stored: whoever sends it says what they saw, since somebody else may have changed it meanwhile."""

    two_versions: Sequence[TwoVersions] = ()

    @property
    def seen(self) -> str:
        """Return a digest of what is stored now, for the page to send back."""
        told = json.dumps(self.initial, default=str, sort_keys=True)
        return hashlib.sha256(told.encode()).hexdigest()[:16]

    def is_stale(self, seen: str, stored: Mapping[str, Any]) -> bool:
        """Return whether what is stored is neither what was seen nor what was typed, and show both versions then."""
        self.initial = dict(stored)
        if not seen or seen == self.seen:
            return False
        self.two_versions = [
            TwoVersions(
                str(bound.label), self._said(name, self.initial.get(name)), self._said(name, bound.data)
            )
            for name, bound in ((name, self[name]) for name in self.fields)
            if not bound.is_hidden and bound.field.has_changed(self.initial.get(name), bound.data)
        ]
        if self.two_versions:
            self.add_error(None, CHANGED_MEANWHILE)
            self.refusal_status = HTTPStatus.CONFLICT
        return bool(self.two_versions)

    def _said(self, name: str, value: Any) -> str:
        """Write a value as the form's reader knows it."""
        field = self.fields[name]
        if isinstance(field, forms.BooleanField):
            return str(YES if field.to_python(value) else NO)
        if isinstance(field, forms.ChoiceField):
            choices: Any = field.choices
            pairs: Any = flatten_choices(choices)
            known = {str(code): str(label) for code, label in pairs}
            values = value if isinstance(value, list | tuple) else [value]
            return ", ".join(known.get(str(one), str(one)) for one in values if one not in (None, ""))
        shown = field.prepare_value(value)
        return "" if shown is None else str(shown)


CHANGED_MEANWHILE = _(
    "Somebody else has changed this since you opened it. Look at both versions on this page; the same press again stores yours."
)
YES, NO = _("Yes"), _("No")


class GroupedForm(RefusableForm):
    """A long form in groups, each with a title; a field that the form leaves out is missing from its group too."""

    GROUPS: ClassVar[tuple[tuple[Any, str], ...]] = ()
    wide_fields: ClassVar[frozenset[str]] = frozenset()

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Return the groups that have fields, with the fields as they are shown."""
        shown = {field.name: field for field in self.visible_fields()}
        groups = [
            {"title": title, "fields": [shown[name] for name in names.split() if name in shown]}
            for title, names in self.GROUPS
        ]
        return [group for group in groups if group["fields"]]


FIRST_YEAR, LAST_YEAR = 1900, 2200
"""A year beyond these is a typing error; instants near the ends of the calendar cannot be converted to a zone."""


def check_year(day: date) -> None:
    """Refuse a year that can only be a typing error."""
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
    """Return the instant of a local time; one that does not exist or occurs twice on its day is refused. [INTEGRITY 69]"""
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


class ReasonField(forms.CharField):
    """Why something is done; the history shows it to whoever asks later."""

    def __init__(self, **options: Any) -> None:
        """Show a box of two lines."""
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
