"""What holds at the warning and at the end is said in words: in the hall, at the tables, on phones. [RULES 1.4] [RIICHI 5.9]"""

import pytest
from django.test import Client

from tournaments.models import Session
from tournaments.sessions.operations.tournaments import change_regulation
from tournaments.tables.queries.state import clock_state
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db

WORDS = {
    "finish_begun": (
        "The session ends soon.",
        "Time is over. The hand in play is finished, no new hand begins.",
    ),
    "one_more": (
        "The hand in play is the last one. If its dice had only just been thrown, one more is played.",
        "Time is over. The last hand is finished, no new hand begins.",
    ),
    "red_zone": (
        "Red zone: hands that have begun are finished, no new hand begins.",
        "Time is over. A hand still in play is finished in the break.",
    ),
}


@pytest.mark.parametrize("last_hand", WORDS)
def test_hall_phones_and_tablets_say_what_holds_at_the_warning_and_at_the_end(last_hand):
    """[RIICHI reg. 6.1.2]"""
    of = make.tournament("riichi_ema")
    make.players(of, 4)
    change_regulation(of, {"last_hand": last_hand}, by=make.organizer_of(of))
    of = type(of).objects.get(pk=of.pk)
    make.in_play(of)
    session = Session.objects.select_related("tournament").get(tournament=of, number=1)
    warning, over = WORDS[last_hand]
    assert clock_state(session)["said"] == {"warning": warning, "over": over}
    hall = Client().get(f"/{of.slug}/hall/?show=clock").content.decode()
    assert f'<p data-stage="warning" hidden>{warning}</p>' in hall
    assert f'<p data-stage="over" hidden>{over}</p>' in hall
    phone = Client().get(f"/{of.slug}/player-1/").content.decode()
    assert f'data-clock-said data-warning="{warning}" data-over="{over}"' in phone


def test_the_words_are_those_of_the_regulation_the_session_began_with():
    """[RULES 8.30]"""
    of = make.tournament("riichi_festival")
    make.players(of, 4)
    session = make.in_play(of)
    type(of).objects.filter(pk=of.pk).update(regulation=of.regulation | {"last_hand": "one_more"})
    hall = Client().get(f"/{of.slug}/hall/?show=clock").content.decode()
    assert session.regulation["last_hand"] == "red_zone"
    assert WORDS["red_zone"][0] in hall
