"""Every sentence is there in Russian, and the check that says so notices each way in which one can be wrong."""

import json

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import override_settings

from config.messages import script
from config.tools import translation
from scoring import words


@pytest.mark.parametrize("name", ["pages", "scripts", "scoring"])
def test_every_sentence_is_translated(name):
    domain = translation.domains()[name]
    assert list(translation.problems(domain, "ru")) == []


def test_scoring_and_pages_agree():
    assert list(translation.disagreements("ru")) == []


@pytest.fixture
def tree(tmp_path, settings):
    """A small tree with one sentence of each kind and a complete catalogue."""
    settings.BASE_DIR = tmp_path
    files = {
        "tournaments/views.py": 'say(_("Seat %(name)s"))\nngettext("%(n)s hand", "%(n)s hands", n)\n',
        "templates/a.html": '{% load i18n %}<p>{% translate "Draw" context "seats" %}</p>'
        "{% blocktranslate trimmed with x=y %}\n  <b>{{ x }}</b>\n  wins\n{% endblocktranslate %}",
        "static/js/a.js": "export const text = gettext('Save {n}');\nconst place = `<p>${say(_(\"Seat {n}\", { n }))}</p>`;\n",
        "scoring/a.py": 'PAIR = gettext_noop("a pair")\n',
        "tournaments/tests/test_a.py": '_("never seen")\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for domain in translation.domains().values():
        translation.update(domain, "ru")
    return tmp_path


RUSSIAN = {
    "Seat %(name)s": "Место %(name)s",
    "%(n)s hand": ("%(n)s сдача", "%(n)s сдачи", "%(n)s сдач"),
    "Draw": "Жеребьёвка",
    "<b>%(x)s</b> wins": "Выигрывает <b>%(x)s</b>",
    "Save {n}": "Сохранить {n}",
    "Seat {n}": "Место {n}",
    "a pair": "пара",
}


def translate(**changes):
    """Write the Russian of the small tree, with changes."""
    for domain in translation.domains().values():
        catalog = translation.stored(domain, "ru")
        for message in translation.by_key(catalog).values():
            message.string = {**RUSSIAN, **changes}[translation.key(message)[1]]
        translation.save(catalog, domain.po("ru"))


def complaints():
    """Return everything the check has to say, without the paths."""
    return [
        problem.partition(": ")[2]
        for domain in translation.domains().values()
        for problem in translation.problems(domain, "ru")
    ]


def test_update_finds_each_kind_of_sentence(tree):
    found = {
        key
        for domain in translation.domains().values()
        for key in translation.by_key(translation.stored(domain, "ru"))
    }
    assert found == {("", each) for each in RUSSIAN if each != "Draw"} | {("seats", "Draw")}


def test_complete_catalogue_passes(tree):
    translate()
    assert complaints() == []


def test_update_of_a_complete_catalogue_changes_nothing(tree):
    translate()
    before = {path: path.read_text() for path in tree.rglob("*.po")}
    for domain in translation.domains().values():
        assert translation.update(domain, "ru") == (0, 0)
    assert {path: path.read_text() for path in tree.rglob("*.po")} == before
    assert "Date" not in "".join(before.values())


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("Draw", "", "missing: 'Draw' (templates/a.html)"),
        ("%(n)s hand", ("%(n)s сдача", "", "%(n)s сдач"), "missing: '%(n)s hand' (tournaments/views.py)"),
        ("Seat %(name)s", "Место %(nmae)s", "placeholders differ in 'Место %(nmae)s': 'Seat %(name)s'"),
        ("Save {n}", "Сохранить", "placeholders differ in 'Сохранить': 'Save {n}'"),
        ("<b>%(x)s</b> wins", "Выиграл %(x)s", "tags differ in 'Выиграл %(x)s': '<b>%(x)s</b> wins'"),
        ("%(n)s hand", ("одна сдача", "%(n)s сдачи", "%(n)s сдач"), "placeholders differ in 'одна сдача': '%(n)s hand'"),
    ],
    ids=["missing", "missing-form", "wrong-name", "lost-brace", "lost-tag", "lost-number"],
)  # fmt: skip
def test_wrong_translation_is_found(tree, name, text, complaint):
    translate(**{name: text})
    assert complaints() == [complaint]


def test_fuzzy_translation_is_found(tree):
    translate()
    path = translation.domains()["scoring"].po("ru")
    path.write_text(path.read_text().replace('msgid "a pair"', '#, fuzzy\nmsgid "a pair"'))
    assert complaints() == ["fuzzy: 'a pair'"]


def test_obsolete_and_new_sentences_are_found_and_update_mends_the_first(tree):
    translate()
    (tree / "scoring/a.py").write_text('PAIR = gettext_noop("two pairs")\n')
    assert complaints() == ["obsolete: 'a pair'", "missing: 'two pairs' (scoring/a.py)"]
    assert translation.update(translation.domains()["scoring"], "ru") == (1, 1)
    assert complaints() == ["missing: 'two pairs' (scoring/a.py)"]


def test_two_translations_of_one_sentence_are_found(tree):
    (tree / "tournaments/views.py").write_text('_("a pair")\n')
    translation.update(translation.domains()["pages"], "ru")
    translate()
    path = translation.domains()["scoring"].po("ru")
    path.write_text(path.read_text().replace('"пара"', '"двойка"'))
    assert list(translation.disagreements("ru")) == [
        "'a pair' is translated differently in locale and scoring/locale"
    ]


SYSTEM = "scoring/locale/ru/LC_MESSAGES/riichi.po"
PAIR = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a pair"\nmsgstr "%s"\n'


def test_scoring_may_keep_its_sentences_in_several_files(tree):
    domain = translation.domains()["scoring"]
    domain.po("ru").unlink()
    (tree / SYSTEM).write_text(PAIR % "пара")
    (tree / "scoring/b.py").write_text('SET = gettext_noop("a set")\n')
    assert translation.update(domain, "ru") == (1, 0)
    assert [list(translation.by_key(translation.read(path, "ru"))) for path in domain.parts("ru")] == [
        [("", "a pair")],
        [("", "a set")],
    ]
    assert list(translation.problems(domain, "ru")) == [
        "scoring/locale/ru/LC_MESSAGES/scoring.po: missing: 'a set' (scoring/b.py)"
    ]


def test_sentence_translated_in_one_of_the_files_counts(tree):
    (tree / SYSTEM).write_text(PAIR % "пара")
    assert list(translation.problems(translation.domains()["scoring"], "ru")) == []


def test_files_of_one_catalogue_that_disagree_are_found(tree):
    translate()
    (tree / SYSTEM).write_text(PAIR % "двойка")
    assert complaints() == ["another file has another translation: 'a pair'"]


def test_check_fails_with_the_list(tree):
    translate(Draw="")
    with pytest.raises(CommandError, match=r"missing: 'Draw'.*\n1 to mend"):
        call_command("messages", "check")


def test_compiled_catalogue_joins_pages_and_scoring(tree):
    translate()
    assert {path.name for path in translation.compile_all()} == {"django.mo", "djangojs.mo"}
    assert translation.compile_all() == []
    from gettext import GNUTranslations

    with (tree / "locale/ru/LC_MESSAGES/django.mo").open("rb") as file:
        russian = GNUTranslations(file)
    assert russian.gettext("a pair") == "пара"
    assert russian.pgettext("seats", "Draw") == "Жеребьёвка"
    assert russian.ngettext("%(n)s hand", "%(n)s hands", 5) == "%(n)s сдач"


def test_catalogue_without_sentences_is_not_written(tree):
    path = tree / "none.po"
    translation.save(Catalog(locale="ru"), path)
    assert not path.exists()


# What scripts get


def test_scripts_get_their_catalogue_and_a_receipt_for_it(client):
    answer = client.get("/messages/ru.js")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/javascript; charset=utf-8")
    again = client.get("/messages/ru.js", headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_scripts_of_an_unknown_language_are_not_found(client):
    assert client.get("/messages/de.js").status_code == 404


def test_scripts_count_as_russian_does(tree, settings):
    (tree / "static/js/a.js").write_text("ngettext('{n} hand', '{n} hands', n);\n")
    domain = translation.domains()["scripts"]
    translation.update(domain, "ru")
    catalog = translation.stored(domain, "ru")
    next(iter(translation.by_key(catalog).values())).string = ("{n} сдача", "{n} сдачи", "{n} сдач")
    translation.save(catalog, domain.po("ru"))
    translation.compile_all()
    from django.utils.translation import trans_real

    script.cache_clear()
    with override_settings(LOCALE_PATHS=[tree / "locale"]):
        trans_real._translations.clear()
        text = script("ru").decode()
    script.cache_clear()
    trans_real._translations.clear()
    assert all(json.dumps(form) in text for form in ("{n} сдача", "{n} сдачи", "{n} сдач"))
    assert "n%10==1 && n%100!=11" in text


def test_pages_and_arithmetic_speak_the_same_languages():
    assert sorted(code for code, _ in settings.LANGUAGES) == sorted(words.LANGUAGES)
