"""How the rules say no is said whole in the reader's language."""

import pytest
from django.utils.translation import gettext_lazy, override

from scoring.problems import Problem
from tournaments.record.refusal import Refused, say


@pytest.mark.parametrize(
    ("sentence", "details", "english", "russian"),
    [
        (
            "The hand of %(seat)s is dead already.",
            {"seat": "E"},
            "The hand of East is dead already.",
            "Восток: рука уже мёртвая.",
        ),
        (
            "The fan “%(fan)s” and how the tile came contradict each other.",
            {"fan": "All pungs"},
            "The fan “All pungs” and how the tile came contradict each other.",
            "Фан «Все панги» противоречит тому, как пришла кость.",
        ),
        (
            "“%(name)s” is not among the players.",
            {"name": "Kong"},
            "“Kong” is not among the players.",
            "«Kong» нет среди игроков.",
        ),
        ("There is no session %(number)s.", {"number": 7}, "There is no session 7.", "Сессии 7 нет."),
    ],
    ids=["seat", "term", "person", "number"],
)
def test_refusal_is_said_with_its_details_in_both_languages(sentence, details, english, russian):
    for language, text in (("en", english), ("ru", russian)):
        with override(language):
            assert say(Problem("x", sentence, details=details)) == text


def test_lazy_details_are_said_when_they_are_read():
    problem = Problem(
        "x",
        "This cannot be done now: the event is in the state “%(state)s”.",
        details={"state": gettext_lazy("Finished")},
    )
    with override("ru"):
        assert Refused(problem).as_json()["title"] == "Сейчас это невозможно: состояние турнира — «Завершён»."
