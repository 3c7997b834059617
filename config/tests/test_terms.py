"""A system speaks its rulebook's own words: no sentence that can be shown for it holds another's, in either language."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.utils import translation
from django.utils.translation import gettext, ngettext, pgettext

from config.messages import script
from config.tools import translation as catalogues
from scoring.codes import named
from scoring.problems import Problem
from scoring.systems import SYSTEMS
from scoring.terms import CONTEXT, Terms, speaking
from scoring.words import fill, translate
from tournaments.record.refusal import say

OWN_FILE = re.compile(r"scoring/systems/(\w+)/|static/js/tablet/systems/(\w+)\.js")
FOLDERS = {
    "SBR": "sichuan",
    "WMSG": "sichuan",
    "MCR": "mcr",
    "SIAM": "siamese mcr",
    "RED": "red",
    "RIICHI": "riichi",
}
OF_NO_SYSTEM = (
    "config/",
    "templates/operator",
    "templates/styleguide",
    "tournaments/api/",
    "tournaments/operator/",
    "scoring/presets.py",
    "scoring/clauses.py",
)
"""What belongs to the site, to samples, or to all systems together."""


def is_shown_for(system: str, places: list[str]) -> bool:
    """Return whether a sentence found at these places can stand on a page of the system."""
    for place in places:
        owner = OWN_FILE.match(place)
        folder = (owner[1] or owner[2]) if owner else ""
        if folder in " ".join(FOLDERS.values()).split() and folder not in FOLDERS[system].split():
            continue
        if not place.startswith(OF_NO_SYSTEM):
            return True
    return False


def forms(text: object) -> list[str]:
    return [text] if isinstance(text, str) else [str(form) for form in text]  # type: ignore[attr-defined]


@cache
def known() -> list[tuple[dict, dict]]:
    """Return the sentences of each catalogue, as the code has them and as they are in Russian."""
    return [
        (catalogues.by_key(catalogues.extracted(domain)), catalogues.by_key(catalogues.stored(domain, "ru")))
        for domain in catalogues.domains().values()
    ]


def shown_for(system: str, language: str) -> Iterator[str]:
    """Yield every sentence of every catalogue as pages and tablets of the system say it."""
    terms = SYSTEMS[system].terms
    for english, russian in known():
        for (context, sentence), message in english.items():
            if not is_shown_for(system, [path for path, _ in message.locations]):
                continue
            if language == "en":
                yield from (terms.worded(form, language) for form in forms(message.id))
                continue
            own = next(
                (russian[key] for key in ((one, sentence) for one in terms.contexts) if key in russian), None
            )
            said = own or russian[context, sentence]
            yield from (form if own else terms.worded(form, language) for form in forms(said.string))


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("system", FOLDERS)
def test_no_word_of_another_rulebook_is_shown(system, language):
    """[RULES 1.1]"""
    patterns = [re.compile(one, re.IGNORECASE) for one in SYSTEMS[system].terms.forbidden[language]]
    found = [each for each in shown_for(system, language) if any(one.search(each) for one in patterns)]
    assert found == [], (
        f"{system} says this otherwise: write what all systems share, exchange the word in its terms.py,"
        f" or give the sentence its own wording in its catalogue under msgctxt"
    )


def test_every_shipped_system_has_its_folder_here():
    assert FOLDERS.keys() == SYSTEMS.keys()


def test_a_page_is_said_in_the_words_of_its_system():
    """Stems are exchanged in every sentence, plural forms and capitals included; a wording of its own comes first."""
    with translation.override("ru"):
        assert gettext("Hand") == "Сдача"
        with speaking(SYSTEMS["RIICHI"].terms):
            assert gettext("Hand") == "Раздача"
            assert ngettext("%(n)s hand", "%(n)s hands", 5) % {"n": 5} == "5 раздач"
            assert gettext("From hand") == "С раздачи"
            assert gettext("Winning tile:") == "Выигрышный тайл:"
            assert ngettext("%(n)s fan", "%(n)s fans", 2) % {"n": 2} == "2 хана"
            assert pgettext("appeal", "Withdrawn") == "Отозвана"
        with speaking(SYSTEMS["SIAM"].terms):
            assert gettext("Winning tile:") == "Выигрышная плитка:"
        assert gettext("Winning tile:") == "Выигрышная кость:"


def test_scoring_alone_says_the_same():
    with speaking(SYSTEMS["MCR"].terms):
        assert (
            translate("Tile of the wall touched before the discard", "ru")
            == "Касание плитки в стене до сноса"
        )
        assert translate("False win", "ru") == "Ложное «Ху»"
    assert translate("False win", "ru") == "Ложный маджонг"


def test_wmsg_fans_bear_their_own_names():
    """[WMSG 10.4] [WMSG 10.6]"""
    with speaking(SYSTEMS["WMSG"].terms):
        assert translate("Full flush", "ru") == "Полное изобилие"
        assert translate("Win on a replacement tile", "ru") == "Выигрыш после конга"
    with speaking(SYSTEMS["SBR"].terms):
        assert translate("Full flush", "ru") == "Чистая масть"


def test_the_tablet_gets_the_words_of_each_system():
    told = script("ru").decode()
    for words in ("RIICHI\\u0004Tiles of the hand", "SIAM\\u0004Tiles of the hand", "SBR\\u0004No win"):
        assert words in told
    assert CONTEXT not in script("en").decode()


@pytest.mark.parametrize(
    ("detail", "code", "english", "russian"),
    [
        ("tile", "m2", "2 of characters", "2 символа"),
        ("tile", "p1", "1 of dots", "1 точка"),
        ("tile", "s9", "9 of bamboos", "9 бамбуков"),
        ("tiles", "s5 G", "5 of bamboos, Green dragon", "5 бамбуков, Зелёный дракон"),
        ("seats", "E, N", "East, North", "Восток, Север"),
        ("states", "waiting, no_wait", "waiting, not waiting", "ожидание, нет ожидания"),
        (
            "kinds",
            "below_minimum, wrong_claim",
            "Below the minimum, Wrong claim",
            "Недобор очков, Ошибочное требование «Ху»",
        ),
        ("flag", "haitei", "Under the sea, from the wall (haitei)", "На дне моря, со стены (хайтей)"),
        ("yaku", "pinfu 1, tanyao 1", "Pinfu 1, All simples (tanyao) 1", "Пинфу 1, Все простые (танъяо) 1"),
        ("limit", "haneman", "haneman", "ханеман"),
        ("a", "7", "Special pair", "Особая пара"),
    ],
)
def test_no_message_shows_a_raw_code(detail, code, english, russian):
    assert named(detail, code, lambda sentence, context: translate(sentence, "en", context)) == english
    assert fill(f"%({detail})s", {detail: code}, "ru") == russian
    with translation.override("ru"):
        assert say(Problem("x", f"%({detail})s", details={detail: code})) == russian


def test_a_system_without_terms_speaks_generally():
    assert Terms().worded("Сдача", "ru") == "Сдача"


def test_the_committee_is_called_one_thing_in_russian():
    """[SBR 2.9.5] calls it an arbitration committee, and commissions something else (2.9.4)."""
    said = [
        form
        for _english, russian in known()
        for (_context, sentence), message in russian.items()
        if "committee" in str(sentence).lower()
        for form in forms(message.string)
    ]
    assert said
    assert [form for form in said if "комисси" in form.lower()] == []
