"""The look keeps its promises: numbers, tiles, colours, forms, tables, and pages that stand on their own."""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import django_tables2 as tables
import pytest
from django import forms
from django.conf import settings
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import override

from tournaments.templatetags import looks

BASE = Path(settings.BASE_DIR)
CSS = BASE / "static" / "css"
TILES = (BASE / "static" / "img" / "tiles.svg").read_text()
ICONS = (BASE / "static" / "img" / "icons.svg").read_text()
TEMPLATES = sorted((BASE / "templates").rglob("*.html"))
CODES = [f"{suit}{rank}" for suit in "mps" for rank in range(1, 10)]
CODES += ["E", "S", "W", "N", "R", "G", "Wh", "J", *(f"f{rank}" for rank in range(1, 9)), "back"]

urlpatterns: list[object] = []


def rendered(source: str, **context: object) -> str:
    return Template("{% load looks %}" + source).render(Context(context))


# Time


@pytest.mark.parametrize(
    ("passed", "english", "russian"),
    [
        (timedelta(seconds=-3), "just now", "только что"),
        (timedelta(seconds=59), "just now", "только что"),
        (timedelta(seconds=61), "1 minute ago", "1 минуту назад"),
        (timedelta(minutes=22), "22 minutes ago", "22 минуты назад"),
        (timedelta(minutes=59, seconds=59), "59 minutes ago", "59 минут назад"),
        (timedelta(hours=21, minutes=5), "21 hours ago", "21 час назад"),
        (timedelta(days=2, hours=1), "2 days ago", "2 дня назад"),
    ],
    ids=["ahead", "seconds", "one", "few", "many", "hours", "days"],
)
def test_ago_is_declined_in_both_languages(monkeypatch, passed, english, russian):
    now = datetime(2026, 5, 8, 16, 5, tzinfo=UTC)
    monkeypatch.setattr(timezone, "now", lambda: now)
    for language, text in (("en", english), ("ru", russian)):
        with override(language):
            assert looks.ago(now - passed) == text


def test_dates_have_the_day_first_in_both_languages():
    moment = datetime(2026, 5, 8, 16, 5, tzinfo=UTC)
    with override("en"):
        assert date_format(moment, "DATETIME_FORMAT") == "8 May 2026, 16:05"
    with override("ru"):
        assert date_format(moment, "DATETIME_FORMAT") == "8 мая 2026 г. 16:05"


# Numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(0, "0", id="nought"),
        pytest.param(-7, "\u22127", id="a loss has a true minus"),
        pytest.param(9999, "9999", id="four digits stay together"),
        pytest.param(25000, "25\u202f000", id="thousands are parted"),
        pytest.param(-1234567, "\u22121\u202f234\u202f567", id="a great loss"),
        pytest.param(None, "–", id="nothing yet"),
    ],
)
def test_number_writes_whole_numbers(value, text):
    assert looks.number(value) == text


@pytest.mark.parametrize(
    ("value", "html"),
    [
        pytest.param(16, '<span class="signed is-positive">+16</span>', id="gain"),
        pytest.param(-16, '<span class="signed is-negative">\u221216</span>', id="loss"),
        pytest.param(0, '<span class="signed is-zero">0</span>', id="neither"),
        pytest.param(None, '<span class="signed is-zero">–</span>', id="nothing yet"),
    ],
)
def test_signed_shows_the_sign_and_marks_it(value, html):
    assert looks.signed(value) == html


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(Fraction(7, 3), "2.33", id="a third"),
        pytest.param(Fraction(7, 2), "3.5", id="a half"),
        pytest.param(Fraction(12), "12", id="whole"),
        pytest.param(Fraction(100), "100", id="noughts of a whole number stay"),
        pytest.param(Fraction(-1, 8), "\u22120.13", id="half a hundredth goes away from nought"),
        pytest.param(Fraction(1, 1000), "0", id="too little to see"),
        pytest.param(Decimal("4.25"), "4.25", id="decimal"),
        pytest.param(None, "–", id="nothing yet"),
    ],
)
def test_points_have_at_most_two_decimals(value, text):
    """[RULES 1.6]"""
    with override("en"):
        assert looks.points(value) == text


def test_points_have_a_comma_in_russian():
    with override("ru"):
        assert looks.points(Fraction(7, 2)) == "3,5"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(Fraction(7, 3), "2⅓", id="a glyph of its own"),
        pytest.param(Fraction(5, 12), "5⁄12", id="less than one"),
        pytest.param(Fraction(-17, 12), "\u22121\u202f5⁄12", id="below nought"),
        pytest.param(Fraction(4), "4", id="whole"),
        pytest.param(Fraction(0), "0", id="nought"),
    ],
)
def test_exact_points_are_fractions(value, text):
    """[RULES 1.6]"""
    assert looks.exact(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(142, 5), "28,4"), (Fraction(-94, 5), "−18,8"), (Fraction(7, 3), "2⅓"), (3, "3"), (None, "–")],
)
def test_final_protocol_writes_decimals_where_they_are_exact(value, text):
    """[RULES 1.6]"""
    with override("ru"):
        assert looks.exact_as_shown(value) == text


# Tiles, winds, flags, icons, states


@pytest.mark.parametrize("code", CODES)
def test_tile_is_drawn_and_named(code):
    assert f'id="tile-{code}"' in TILES
    assert looks.tile_name(code)


def test_tiles_differ_from_each_other():
    drawings = re.findall(r'<symbol id="tile-[^"]+"[^>]*>(.*?)</symbol>', TILES)
    assert len(set(drawings)) == len(CODES) == len(drawings)


def test_tile_names_a_suit_with_its_rank():
    with override("en"):
        assert looks.tile_name("p5") == "5 of dots"


def test_unknown_tile_is_our_bug():
    with pytest.raises(KeyError):
        looks.tile_name("x1")


def test_concealed_kong_shows_two_backs():
    meld = {"type": "kong", "tiles": ["m1"] * 4, "open": False}
    html = rendered('{% tiles "p1" melds=melds winning="p2" %}', melds=[meld])
    assert re.findall(r"#tile-(\w+)", html) == ["p1", "back", "m1", "m1", "back", "p2"]


def test_open_kong_shows_its_four_tiles():
    meld = {"type": "kong", "tiles": ["m1"] * 4, "open": True}
    html = rendered("{% tiles codes melds=melds %}", codes=[], melds=[meld])
    assert re.findall(r"#tile-(\w+)", html) == ["m1"] * 4


def test_dealer_is_told_in_words():
    with override("en"):
        assert '<span class="visually-hidden">East, dealer</span>' in rendered('{% wind "E" dealer=True %}')


@pytest.mark.parametrize(("language", "name"), [("en", "Austria"), ("ru", "Австрия")])
def test_flag_names_its_country(language, name):
    with override(language):
        html = rendered('{% flag "at" %}')
    assert f'alt="{name}"' in html
    assert "/AT.svg" in html


@pytest.mark.parametrize("code", ["ZZ", "x", "../../etc", ""])
def test_flag_of_no_country_is_its_code(code):
    assert rendered("{% flag code %}", code=code).strip() == f'<span class="country-code">{code}</span>'


def test_state_outside_the_list_is_our_bug():
    with pytest.raises(ValueError, match="one of idle"):
        looks.state("sleeping", "Asleep")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(BASE / "templates")))
def test_template_asks_for_icons_that_exist(path):
    asked = set(re.findall(r'{% icon "([^"]+)"', path.read_text()))
    assert asked <= set(re.findall(r'id="icon-([\w-]+)"', ICONS))


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (
            "Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604",
            "Safari, iPad",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140 Safari/537 Edg/140", "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537 Chrome/140 Mobile Safari/537", "Chrome, Android"),
        ("curl/8.1", "curl/8.1"),
    ],
)
def test_device_is_named_in_short(agent, name):
    assert looks.device_name(agent) == name


# The content policy: nothing inline


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(BASE / "templates")))
def test_template_holds_nothing_inline(path):
    """[INTEGRITY 4]"""
    text = path.read_text()
    assert not re.search(r"<style|\sstyle\s*=|\son[a-z]+\s*=\s*[\"']|javascript:", text)
    assert not [tag for tag in re.findall(r"<script[^>]*>", text) if "src=" not in tag and "json" not in tag]


@pytest.mark.parametrize("drawing", ["tiles.svg", "icons.svg", "favicon.svg"])
def test_drawing_holds_no_style_and_no_script(drawing):
    assert not re.search(r"<style|\sstyle=|<script|href=", (BASE / "static" / "img" / drawing).read_text())


# Colours


def tokens(selector: str) -> dict[str, str]:
    block = re.search(re.escape(selector) + r"\s*{(.*?)}", (CSS / "tokens.css").read_text(), re.DOTALL)
    assert block is not None
    return dict(re.findall(r"(--[\w-]+|color-scheme):\s*([^;]+);", block[1]))


LIGHT = tokens(":root")
DARK = tokens(':root[data-theme="dark"]')


def luminance(colour: str) -> float:
    parts = (int(colour[at:end], 16) / 255 for at, end in pairwise((1, 3, 5, 7)))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


GROUNDS = ("--paper", "--sheet", "--sunk")
TEXTS = [(ink, ground) for ink in ("--ink", "--ink-soft", "--accent", "--danger") for ground in GROUNDS]
TEXTS += [("--warn", "--warn-wash"), ("--danger", "--danger-wash"), ("--accent", "--accent-wash")]
TEXTS += [("--accent-deep", "--accent-wash"), ("--on-accent", "--accent"), ("--on-danger", "--danger")]
TEXTS += [("--ink", "--mark"), ("--danger", "--mark"), ("--warn", "--paper"), ("--warn", "--sheet")]


def test_dark_is_the_same_by_choice_and_by_system():
    assert tokens(':root:not([data-theme="light"])') == DARK


def test_dark_and_light_name_the_same_colours():
    assert LIGHT.keys() == DARK.keys()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXTS)
def test_text_has_enough_contrast(theme, ink, ground):
    """[WCAG 1.4.3]"""
    assert contrast(theme[ink], theme[ground]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_edge_of_a_field_has_enough_contrast(theme, ground):
    """[WCAG 1.4.11]"""
    assert contrast(theme["--rule-firm"], theme[ground]) >= 3


# Forms


class SampleForm(forms.Form):
    name = forms.CharField(help_text="As it shall stand in the results.")
    sessions = forms.IntegerField(widget=forms.NumberInput(attrs={"class": "stepper"}), required=False)
    system = forms.ChoiceField(choices=[("sbr", "SBR")], widget=forms.RadioSelect(attrs={"class": "chips"}))


def test_error_stands_beside_its_field_and_is_tied_to_it():
    html = str(SampleForm({"name": ""})["name"].as_field_group())
    assert 'aria-describedby="id_name_helptext id_name_error"' in html
    assert 'aria-invalid="true"' in html
    assert re.search(r'<ul class="field-errors" id="id_name_error">', html)


def test_what_was_typed_stays_in_the_field():
    assert 'value="no number"' in str(SampleForm({"sessions": "no number"})["sessions"])


def test_optional_field_says_so_and_a_required_one_does_not():
    form = SampleForm()
    with override("en"):
        assert "optional" in str(form["sessions"].as_field_group())
        assert "optional" not in str(form["name"].as_field_group())


def test_chips_and_steppers_are_asked_for_by_class():
    form = SampleForm()
    assert 'class="chip"' in str(form["system"])
    assert "data-stepper" in str(form["sessions"])


def test_error_of_the_whole_form_is_announced():
    form = SampleForm({})
    form.add_error(None, "The form could not be accepted.")
    assert '<div class="form-errors" role="alert">' in str(form)


# Tables


class SampleTable(tables.Table):
    name = tables.Column()
    points = tables.Column(attrs={"td": {"class": "num"}})

    class Meta:
        attrs = {"class": "table standings"}


def table_html(rows: list[dict[str, object]], **options: object) -> str:
    request = RequestFactory().get("/", options.pop("query", {}))
    table = SampleTable(rows, empty_text="Nobody yet", **options)
    tables.RequestConfig(request, paginate={"per_page": 2}).configure(table)
    return table.as_html(request)


def test_table_tells_how_it_is_sorted():
    html = table_html([{"name": "a", "points": 1}], query={"sort": "-points"})
    assert html.count("aria-sort") == 1
    assert 'aria-sort="descending"' in html


def test_table_labels_each_cell_for_a_phone():
    assert '<td data-label="Points" class="num">1</td>' in table_html([{"name": "a", "points": 1}])


def test_table_escapes_what_people_wrote():
    assert "&lt;b&gt;" in table_html([{"name": "<b>", "points": 1}])


def test_empty_table_says_what_is_missing():
    assert "Nobody yet" in table_html([])


def test_table_has_pages_and_marks_the_present_one():
    html = table_html([{"name": str(number), "points": number} for number in range(5)], query={"page": 2})
    assert '<span aria-current="page">2</span>' in html
    assert 'rel="prev"' in html
    assert 'rel="next"' in html


# Pages


@pytest.mark.parametrize("code", [400, 500, 503])
def test_page_of_a_fault_needs_neither_database_nor_context(code):
    html = render_to_string(f"{code}.html")
    assert f'<p class="plain-code">{code}</p>' in html


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("code", [403, 404, 405, 409, 410, 413, 429])
def test_error_page_says_the_sentence_it_is_given(code):
    request = RequestFactory().get("/")
    html = render_to_string(f"{code}.html", {"sentence": "Ask <the> organizer."}, request)
    assert '<p class="lead">Ask &lt;the&gt; organizer.</p>' in html


@pytest.mark.urls(__name__)
@pytest.mark.parametrize(
    ("cookie", "attribute"),
    [("dark", ' data-theme="dark"'), ("light", ' data-theme="light"'), ("auto", ""), ('"><script>', "")],
)
def test_page_has_the_theme_of_the_cookie(cookie, attribute):
    request = RequestFactory().get("/")
    request.COOKIES["theme"] = cookie
    assert f'<html lang="en"{attribute}>' in render_to_string("404.html", {}, request)


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_page_names_its_language(language):
    with override(language):
        assert f'<html lang="{language}"' in render_to_string("404.html", {}, RequestFactory().get("/"))
