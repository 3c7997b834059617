"""Every appeal comes to an end by the buttons offered to those who are entitled: a sample; `bench/appeals.py` walks them all. [RULES 8.53] [RULES 9.40]"""

import os

import pytest

from penalties.models import Appeal
from penalties.tests.random_appeals import EVENTS, Hearings, hear_all

pytestmark = pytest.mark.django_db
SAMPLE = [
    ("sbr", "two part", "none", "penalty", "paid"),
    ("wmsg", "none", "chief declares", "lateness", "late"),
    ("mcr", "three part", "chief declares", "hand", "none"),
    ("siamese", "all are parties", "all declare", "chombo", "unpaid"),
    ("red", "one", "member plays", "other", "paid"),
    ("riichi_festival", "none", "chief declares", "chombo", "none"),
]
SHARE = os.environ.get("APPEALS_SHARE", "")
"""Which part of all combinations to walk, as `0/1` for all of them; `bench/appeals.py` says it."""


@pytest.mark.parametrize(("preset", "committee", "conflict", "kind", "deposit"), SAMPLE)
def test_an_appeal_comes_to_an_end_by_what_is_offered(preset, committee, conflict, kind, deposit):
    """[SBR 2.9.2] [SBR 2.9.5] [RULES 9.40]"""
    end = Hearings(preset, committee, conflict).hear(kind, deposit)
    assert end in set(Appeal.State.values) - set(Appeal.OPEN)
    assert (end == "not_accepted") <= (deposit == "unpaid")


FATES = int(os.environ.get("APPEALS_FATES", "4"))
"""With how many fates of the deposit each kind of decision is appealed in an event; fewer take turns from event to event."""

if SHARE:
    part, parts = map(int, SHARE.split("/"))

    @pytest.mark.parametrize(("preset", "committee", "conflict"), EVENTS[part::parts])
    def test_all_appeals_come_to_an_end_by_what_is_offered(preset, committee, conflict):
        assert hear_all(preset, committee, conflict, fates=FATES)
