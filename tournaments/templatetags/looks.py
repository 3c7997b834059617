"""How values look on a page: tiles, winds, signed numbers, points, flags, icons, states."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from typing import Any

from babel import Locale
from django import template
from django.conf import settings
from django.forms import BoundField
from django.template.context import Context
from django.utils import timezone, translation
from django.utils.formats import get_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from scoring import codes, systems
from tournaments.models import Tournament
from tournaments.table_numbers import shown_number

register = template.Library()

MINUS = "\u2212"
NOTHING = "–"
THIN_SPACE = "\u202f"
FRACTION_SLASH = "\u2044"
VULGAR = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/6": "⅙", "5/6": "⅚"}
THEMES = ("light", "dark", "sun")
FLAGS = "vendor/country-flag-icons-1.6.20"
DRAWN = frozenset(path.stem for path in (settings.BASE_DIR / "static" / FLAGS).glob("*.svg"))

WIND_NAMES = {"E": _("East"), "S": _("South"), "W": _("West"), "N": _("North")}
STATES = ("idle", "wait", "live", "done", "stop", "alert")

BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "YaBrowser": "Yandex", "Firefox": "Firefox", "FxiOS": "Firefox"}
BROWSERS |= {"Chrome": "Chrome", "CriOS": "Chrome", "Safari": "Safari"}
SYSTEMS = {"iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "Windows": "Windows", "Mac OS": "macOS"}
SYSTEMS |= {"Linux": "Linux"}

Number = int | Fraction | Decimal


@register.simple_tag(takes_context=True)
def theme(context: Context) -> str:
    """Return the theme this visitor chose, or nothing when the system's choice holds."""
    request = context.get("request")
    chosen = request.COOKIES.get("theme", "") if request else ""
    return chosen if chosen in THEMES else ""


# Numbers


@register.filter
def number(value: int | None) -> str:
    """Write a whole number with a true minus and parted thousands from ten thousand on."""
    if value is None:
        return NOTHING
    digits = f"{abs(value):,}" if abs(value) >= 10_000 else str(abs(value))
    return (MINUS if value < 0 else "") + digits.replace(",", THIN_SPACE)


@register.filter
def table_no(value: int | None, tournament: Tournament | None = None) -> int | str:
    """Write the number that a table bears in the hall; of another event than the page's, that event is named. [RULES 9.41]"""
    return shown_number(value, tournament) if value else ""


@register.filter
def table_nos(values: Iterable[int]) -> str:
    """List the numbers that tables bear in the hall. [RULES 9.41]"""
    return ", ".join(str(shown_number(value)) for value in values)


@register.filter
def without_placeholder(field: BoundField) -> SafeString:
    """Draw a field whose label says it all."""
    return field.as_widget(attrs={"placeholder": False})


@register.filter
def plus(value: int | None) -> str:
    """Write a whole number with its sign, as plain text."""
    return ("+" if value and value > 0 else "") + number(value)


@register.filter
def signed(value: int | None) -> SafeString:
    """Write a whole number with its sign; the sign tells a loss, the class only underlines it."""
    return format_html('<span class="{}">{}</span>', _sign_class(value), plus(value))


@register.filter
def points(value: Number | None) -> str:
    """Write exact points with at most two decimals. [RULES 1.6]"""
    if value is None:
        return NOTHING
    exactly = Fraction(value)
    hundredths = Decimal(exactly.numerator * 100) / Decimal(exactly.denominator)
    rounded = hundredths.quantize(Decimal(1), ROUND_HALF_UP) / 100
    text = f"{abs(rounded):f}".rstrip("0").rstrip(".") if rounded % 1 else f"{abs(rounded):.0f}"
    return (MINUS if rounded < 0 else "") + text.replace(".", get_format("DECIMAL_SEPARATOR"))


@register.filter
def exact(value: Number | str | None) -> str:
    """Write exact points as a whole and a fraction: 2⅓, −1 5⁄12; also those that are kept as text. [RULES 1.6]"""
    if value is None:
        return NOTHING
    exactly = Fraction(value)
    whole, part = divmod(abs(exactly), 1)
    sign = MINUS if exactly < 0 else ""
    if not part:
        return f"{sign}{whole}"
    glyph = VULGAR.get(str(part))
    written = glyph or f"{part.numerator}{FRACTION_SLASH}{part.denominator}"
    between = "" if glyph or not whole else THIN_SPACE
    return f"{sign}{whole or ''}{between}{written}"


@register.filter
def exact_as_shown(value: Number | None) -> str:
    """Write exact points as the standings show them where two decimals say all, else as a fraction. [RULES 1.6]"""
    return points(value) if value is None or (Fraction(value) * 100).denominator == 1 else exact(value)


def _sign_class(value: int | None) -> str:
    if not value:
        return "signed is-zero"
    return "signed is-negative" if value < 0 else "signed is-positive"


# Time


@register.filter
def ago(moment: datetime) -> str:
    """Return how long ago something was, in the largest whole unit, as a phrase that every language can decline."""
    minutes = int((timezone.now() - moment).total_seconds() // 60)
    if minutes < 1:
        return gettext("just now")
    if minutes < 60:
        return ngettext("%(n)s minute ago", "%(n)s minutes ago", minutes) % {"n": minutes}
    hours = minutes // 60
    if hours < 24:
        return ngettext("%(n)s hour ago", "%(n)s hours ago", hours) % {"n": hours}
    return ngettext("%(n)s day ago", "%(n)s days ago", hours // 24) % {"n": hours // 24}


# Winds and tiles


@register.filter
def wind_letter(seat: str) -> str:
    """Return the letter of a wind: E S W N, or В Ю З С."""
    letters = {
        "E": pgettext("wind letter", "E"),
        "S": pgettext("wind letter", "S"),
        "W": pgettext("wind letter", "W"),
        "N": pgettext("wind letter", "N"),
    }
    return letters[str(seat)]


@register.filter
def wind_name(seat: str) -> str:
    """Return the name of a wind."""
    return str(WIND_NAMES[str(seat)])


@register.inclusion_tag("components/wind.html")
def wind(seat: str, *, dealer: bool = False) -> dict[str, Any]:
    """Show a wind as its letter in a disc; the dealer's disc is filled."""
    return {"letter": wind_letter(seat), "name": wind_name(seat), "dealer": dealer}


@register.filter
def reason_words(reason: str) -> str:
    """Say a reason that a ruling or a penalty wrote in the reader's language; words of people stay as they are.

    Rulings of earlier versions wrote it in the language of whoever ruled.
    """
    if with_penalty := WITH_PENALTY.fullmatch(reason or ""):
        said = {"number": with_penalty[1], "reason": reason_words(with_penalty[2])}
        return gettext("Penalty no. %(number)s: %(reason)s") % said
    if marked := MARKED.fullmatch(reason or ""):
        said = {"number": marked[2], "reason": f"{_offence_name(marked[1], marked[3])} [{marked[3]}]"}
        return gettext("Penalty no. %(number)s: %(reason)s") % said
    found = next((match for one in _ruled() if (match := one.fullmatch(reason or ""))), None)
    return gettext("Appeal no. %(number)s") % {"number": found[1]} if found else reason


WITH_PENALTY = re.compile(r"Penalty no\. (\d+): (.*)", re.DOTALL)
"""What `clear_seats` is told when a penalty takes somebody from the table."""
MARKED = re.compile(r"(\w+), № (\d+) \[(.*)\]")
"""What a penalty writes as the reason for marking a dead hand, or for taking the mark out: code, number and clause."""


def _offence_name(code: str, clause: str) -> str:
    """Return the name of an offence in the reader's language, or its code where no rulebook has it."""
    every = [one for system in systems.SYSTEMS.values() for one in system.offences if one.code == code]
    named = next((one for one in every if one.clause == clause), next(iter(every), None))
    return gettext(named.name) if named else code


@cache
def _ruled() -> tuple[re.Pattern[str], ...]:
    """Return how a ruling names its appeal, in every language of the site."""
    patterns = []
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            said = gettext("Appeal no. %(number)s") % {"number": "0"}
        patterns.append(re.compile(re.escape(said).replace("0", r"(\d+)")))
    return tuple(patterns)


@register.filter
def tile_name(code: str) -> str:
    """Name a tile in words."""
    if code == "back":
        return gettext("Face-down tile")
    return codes.tile_name(code.capitalize() if code[0] == "f" else code, _said)


def _said(sentence: str, context: str) -> str:
    return pgettext(context, sentence) if context else gettext(sentence)


@register.inclusion_tag("components/tile.html")
def tile(code: str, *, size: str = "", turned: bool = False) -> dict[str, Any]:
    """Draw a tile by its code: m1…m9, p1…p9, s1…s9, E S W N, R G Wh, J, f1…f8, back."""
    return {"code": code, "name": tile_name(code), "size": size, "turned": turned}


@register.inclusion_tag("components/tiles.html")
def tiles(
    concealed: str | Iterable[str],
    *,
    melds: Iterable[Mapping[str, Any] | Sequence[str]] = (),
    winning: str = "",
    size: str = "",
) -> dict[str, Any]:
    """Draw a hand: concealed tiles, declared sets, and the winning tile set apart."""
    codes = concealed.split() if isinstance(concealed, str) else list(concealed)
    return {"concealed": codes, "melds": [_laid(meld) for meld in melds], "winning": winning, "size": size}


def _laid(meld: Mapping[str, Any] | Sequence[str]) -> list[str]:
    """List the tiles of a declared set as they lie: a concealed kong shows two backs."""
    if not isinstance(meld, Mapping):
        return list(meld)
    codes = list(meld["tiles"])
    hidden = meld.get("type") == "kong" and not meld.get("open", True)
    return ["back", *codes[1:3], "back"] if hidden else codes


# Signs


@register.inclusion_tag("components/icon.html")
def icon(name: str, label: str = "") -> dict[str, str]:
    """Draw an icon; without a label it is an ornament that readers of the screen skip."""
    return {"name": name, "label": label}


@register.filter
def place(text: str, tournament: Tournament) -> str:
    """Name a place of a demo event in the reader's language; what real people typed is shown as they typed it."""
    return gettext(text) if text and tournament.is_demo else text


@register.filter
def country_name(code: str) -> str:
    """Name a country by its ISO code in the reader's language; an unknown code names itself."""
    territories = Locale.parse(get_language() or "en", sep="-").territories
    return str(territories.get(code.upper(), code.upper()))


@register.inclusion_tag("components/flag.html")
def flag(code: str, *, silent: bool = False) -> dict[str, Any]:
    """Show the flag of a country by its two-letter ISO code; where none is drawn, the code itself.

    A silent one is an ornament: the name of the country stands beside it.
    """
    known = code.upper()
    drawing = f"{FLAGS}/{known}.svg" if known in DRAWN else ""
    name = country_name(known) if drawing else ""
    return {"drawing": drawing, "code": code, "name": name, "silent": silent}


@register.filter
def device_name(user_agent: str) -> str:
    """Name a browser and its system by what it says of itself; an unknown one by its own first words."""
    browser = next((name for sign, name in BROWSERS.items() if sign in user_agent), "")
    system = next((name for sign, name in SYSTEMS.items() if sign in user_agent), "")
    return ", ".join(filter(None, (browser, system))) or user_agent[:40]


@register.inclusion_tag("components/state.html")
def state(look: str, text: str) -> dict[str, str]:
    """Show a state in words, with a shape of its own: idle, wait, live, done, stop or alert."""
    if look not in STATES:
        raise ValueError(f"A state looks like one of {', '.join(STATES)}, not like {look!r}.")
    return {"look": look, "text": text}
