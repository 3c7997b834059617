"""Samples for the style page: every component filled, without a database."""

import re
from fractions import Fraction
from typing import Any

import django_tables2 as tables
from django import forms
from django.conf import settings
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django_tables2 import RequestConfig

from scoring.systems import SYSTEMS
from tournaments.templatetags.looks import points, signed
from tournaments.web.qr import qr_svg

NAMES = ("Жан-Поль д’Артаньян", "Nguyễn Thị Ánh", "О’Коннор", "李小龍", "Ólafur", "Мария-Луиза де ла Крус")
COUNTRIES = ("FR", "VN", "IE", "CN", "IS", "ES")
WINDS = ("E", "S", "W", "N")
STATES = (
    ("idle", _("Announced")),
    ("wait", _("On the waiting list")),
    ("live", _("In play")),
    ("done", _("Confirmed by all four")),
    ("stop", _("Withdrawn")),
    ("alert", _("Referee called")),
)
SPRITE = settings.BASE_DIR / "static" / "img" / "icons.svg"
TILES = {
    _("Characters"): [f"m{rank}" for rank in range(1, 10)],
    _("Dots"): [f"p{rank}" for rank in range(1, 10)],
    _("Bamboos"): [f"s{rank}" for rank in range(1, 10)],
    _("Winds and dragons"): ["E", "S", "W", "N", "R", "G", "Wh", "J", "back"],
    _("Flowers and seasons"): [f"f{rank}" for rank in range(1, 9)],
}


HANDS = (
    {
        "number": 1,
        "round": "E",
        "what": _("From the wall, 4 fans"),
        "lines": ((-4, -4), (12, 12), (-4, -4), (-4, -4)),
    },
    {
        "number": 2,
        "round": "E",
        "what": _("From a discard, 16 fans"),
        "lines": ((16, 12), (0, 12), (0, -4), (-16, -20)),
    },
    {
        "number": 3,
        "round": "E",
        "what": _("Voided: the wall was short"),
        "lines": ((0, 12), (0, 12), (0, -4), (0, -20)),
        "look": "is-void",
    },
    {
        "number": 4,
        "round": "S",
        "what": _("Late claim"),
        "lines": ((0, 12), (-2, 10), (0, -4), (0, -20)),
        "look": "is-penalty",
    },
)


class StandingsTable(tables.Table):
    """Standings with a movement, a pinned row and signed numbers."""

    place = tables.Column(verbose_name=_("Place"), attrs={"th": {"class": "place"}, "td": {"class": "place"}})
    move = tables.Column(
        verbose_name=_("Change"), orderable=False, attrs={"th": {"class": "move"}, "td": {"class": "move"}}
    )
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"class": "name"}})
    played = tables.Column(
        verbose_name=_("Sessions"),
        attrs={"th": {"class": "num optional-column"}, "td": {"class": "num optional-column"}},
    )
    game_points = tables.Column(verbose_name=_("GP"), attrs={"th": {"class": "num"}, "td": {"class": "num"}})
    tournament_points = tables.Column(
        verbose_name=_("TP"), attrs={"th": {"class": "num"}, "td": {"class": "num total"}}
    )

    class Meta:
        attrs = {"class": "table standings"}
        row_attrs = {"class": lambda record: record["look"]}

    def render_move(self, value: int) -> str:
        """Show how many places were won or lost since the session before."""
        if not value:
            return format_html('<span class="move-none">{}</span>', "–")
        return format_html('<span class="move-{}">{}</span>', "up" if value > 0 else "down", abs(value))

    def render_game_points(self, value: int) -> str:
        """Show game points with their sign."""
        return signed(value)

    def render_tournament_points(self, value: Any) -> str:
        """Show tournament points with at most two decimals."""
        return points(value)


class SampleForm(forms.Form):
    """A form with one field of each look."""

    name = forms.CharField(label=_("Name"), help_text=_("As it shall stand in the results."), max_length=100)
    email = forms.EmailField(label=_("E-mail"), required=False)
    city = forms.ChoiceField(label=_("City"), choices=[("", "—"), ("a", "Казань"), ("b", "Wien")])
    system = forms.ChoiceField(
        label=_("System"),
        choices=[(one.code, one.short_name) for one in SYSTEMS.values()],
        widget=forms.RadioSelect(attrs={"class": "chips"}),
        initial=next(iter(SYSTEMS)),
    )
    avoid = forms.MultipleChoiceField(
        label=_("Keep apart at the tables"),
        choices=[("country", _("Country")), ("club", _("Club")), ("team", _("Team"))],
        widget=forms.CheckboxSelectMultiple(attrs={"class": "chips"}),
        required=False,
    )
    sessions = forms.IntegerField(
        label=_("Sessions"),
        min_value=1,
        max_value=20,
        widget=forms.NumberInput(attrs={"class": "stepper"}),
    )
    start = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}))
    regulation = forms.CharField(
        label=_("Regulation in your words"), widget=forms.Textarea(attrs={"rows": 4}), required=False
    )
    players = forms.FileField(
        label=_("List of players"), help_text=_("CSV or XLSX, at most 1 MB."), required=False
    )
    draw = forms.ChoiceField(
        label=_("Draw"),
        choices=[("fixed", _("Fixed for all sessions")), ("swiss", _("Swiss, before each session"))],
        widget=forms.RadioSelect,
    )
    consent = forms.BooleanField(label=_("I agree that my name and results are published."))


def standings() -> list[dict[str, Any]]:
    """Return rows that show every state of a standing."""
    looks = ("is-podium", "is-podium", "is-podium", "is-mine", "is-cut", "")
    moves = (0, 2, -1, 1, 0, -2)
    game_points = (1234, 312, 48, 0, -96, -1498)
    tournament_points = ("16", "12.5", "9.33", "7", "4.25", "-1")
    return [
        {
            "place": number + 1,
            "move": moves[number],
            "name": name,
            "played": 4,
            "game_points": game_points[number],
            "tournament_points": Fraction(tournament_points[number]),
            "look": looks[number],
        }
        for number, name in enumerate(NAMES)
    ]


def table(request: HttpRequest) -> StandingsTable:
    """Return the sample standings, sortable and paged."""
    sample = StandingsTable(standings())
    sample.caption = _("After session 4 of 6, provisional")
    RequestConfig(request, paginate={"per_page": 6}).configure(sample)
    return sample


def context(request: HttpRequest) -> dict[str, Any]:
    """Return everything the style page shows."""
    return {
        "states": STATES,
        "icons": re.findall(r'id="icon-([\w-]+)"', SPRITE.read_text()),
        "qr": qr_svg("https://example.org/sample"),
        "hands": HANDS,
        "tiles": TILES,
        "fans": (_("All pungs"), _("Pure suit"), _("Seven pairs"), _("Golden wait")),
        "winds": WINDS,
        "names": NAMES,
        "seats": seats(),
        "table": table(request),
        "form": SampleForm(),
        "wrong_form": SampleForm(
            {"name": "", "email": "someone@", "sessions": "0", "system": "go", "draw": ""}
        ),
        "crumbs": [
            {"text": _("Events"), "url": "#"},
            {"text": _("Spring Cup"), "url": "#"},
            {"text": _("Standings")},
        ],
        "tabs": [
            {"text": _("Event"), "url": "#event"},
            {"text": _("Players"), "url": "#players", "count": 40},
            {"text": _("Seating"), "url": "#seating"},
            {"text": _("Standings"), "url": "#standings", "current": True},
            {"text": _("Statistics"), "url": "#statistics"},
        ],
    }


def seats() -> list[dict[str, Any]]:
    """Return the four seats of a table in the middle of a hand."""
    roles = ((_("Wins"), "is-winner", 32), ("", "", -8), (_("Discards"), "is-payer", -16), ("", "", -8))
    return [
        {
            "wind": wind,
            "name": name,
            "total": total,
            "change": change,
            "role": role,
            "look": look,
            "country": country,
        }
        for wind, name, total, country, (role, look, change) in zip(
            WINDS, NAMES, (12, 10, -4, -20), COUNTRIES, roles, strict=False
        )
    ]
