"""No impossible Sichuan hand is accepted, no legal one refused: a small search; `search_sichuan` goes on as long as is asked for."""

import pytest

from scoring.systems.sichuan import checks
from scoring.tests.search_sichuan import search

HANDS = 1500


@pytest.mark.parametrize("seed", [1, 2])
def test_random_hands_and_changes_of_them_are_judged_as_the_second_opinion_judges_them(seed):
    """[SBR 2.5] [SBR 2.6] [WMSG 10] [RULES 8.44] [RULES 8.45] [RULES 8.46] [RULES 8.47]"""
    counted, wrong = search(HANDS, seed)
    assert wrong == []
    assert counted["legal, accepted"] == HANDS
    assert min(counted["changed, accepted"], counted["changed, refused"]) > HANDS // 5


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("_check_possible", lambda *_: None),
        ("_check_listed_together", lambda *_: None),
        ("_is_after_last_tile", lambda *_: False),
        ("_is_second_on_tile", lambda *_: False),
    ],
)
def test_the_search_finds_a_rule_that_is_left_out(name, instead, monkeypatch):
    """The test above can fail."""
    monkeypatch.setattr(checks, name, instead)
    assert search(HANDS, 1)[1] != []
