"""Whoever has nothing to take from: refused in words, unless the decision needs no account. [RULES 8.6] [RULES 8.32]"""

from fractions import Fraction

import pytest
from django.urls import reverse
from django.utils import translation

from penalties.ladder.operations import penalties
from penalties.models import Penalty
from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from penalties.tests.test_bad_input import LANGUAGES, client_of, refused, told
from tournaments.models import Registration
from tournaments.people.operations.registration import Details, register_player
from tournaments.record.refusal import say
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def session():
    """Eight play the first session; a ninth is registered and sits nowhere."""
    of = make.tournament("sbr")
    make.players(of, 8)
    row = make.in_play(of)
    register_player(of, Details(name="Ninth"), by=make.organizer_of(of))
    row.tournament = of
    return row


def outsider(session):
    player = Registration.objects.filter(tournament=session.tournament).latest("number").player
    player.tournament = session.tournament
    return player


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("offence", "said"),
    [
        pytest.param("touching", {}, id="a ladder"),
        pytest.param("phone", {"points": 8}, id="points by decision"),
        pytest.param("phone", {"effect": "tournament_points", "points": Fraction(1)}, id="tournament points"),
        pytest.param("wrong_count", {"effect": "dead_hand", "hand": 1}, id="a dead hand"),
    ],
)
def test_nothing_is_taken_where_there_is_no_seat(session, language, offence, said):
    player = outsider(session)
    found = refused(lambda: judge.give(player, offence, session, **said))
    with translation.override(language):
        sentence = say(found.problems[0])
    words = {"en": "has no seat in session 1", "ru": "не сидит в сессии 1"}
    assert found.problems[0].code == "player_not_found"
    assert words[language] in sentence
    assert not Penalty.objects.exists()


@pytest.mark.parametrize("effect", ["warning", "removal", "disqualification"])
def test_what_needs_no_account_is_given_without_a_seat(session, effect):
    """[SBR 2.8.5]"""
    row = judge.give(outsider(session), "unsporting", session, effect=effect)
    assert (row.session, row.table) == (session, None)


def test_tournament_points_of_the_whole_event_need_no_seat(session):
    """[SBR 2.8.2]"""
    player = outsider(session)
    judge.give(player, "phone", effect="tournament_points", points=Fraction(1, 2))
    assert [row.tournament_points for row in player.adjustments.all()] == ["-1/2"]


def test_nothing_of_the_event_is_taken_from_a_substitute(session):
    """[RULES 8.6]"""
    player = judge.substitute(session.tournament).player
    found = refused(lambda: judge.give(player, "phone", points=8))
    assert [problem.code for problem in found.problems] == ["no_standing"]
    assert judge.give(player, "phone", effect="warning").state == "in_force"


@pytest.fixture
@remembered
def replaced(session):
    """East of the first table is replaced from the first hand on; gives both."""
    of, player = session.tournament, judge.seat(session, "E")
    plays = judge.substitute(of)
    substitutes_operations.seat_substitute(
        player, plays, [session], by=make.organizer_of(of), reason="Fell ill at night."
    )
    player.tournament = plays.player.tournament = of
    return player, plays.player


def test_tournament_points_are_taken_from_the_person_and_not_from_a_substitute(session, replaced):
    """Who is replaced has a fixed result and loses TP all the same; a substitute has none. [RULES 8.6] [RULES 8.51]"""
    said = {"effect": "tournament_points", "points": Fraction(1)}
    row = judge.give(replaced[0], "phone", session, **said)
    assert [line.adjustment.tournament_points for line in row.lines.all()] == ["-1"]
    found = refused(lambda: judge.give(replaced[1], "phone", session, **said))
    assert [problem.code for problem in found.problems] == ["no_standing"]


def test_tournament_points_are_not_taken_where_they_decide_nothing(session):
    """The refusal says what would move something. [RULES 8.51]"""
    of, player = session.tournament, judge.seat(session, "E")
    of.regulation["ranking"] = ["game_points"]
    of.save(update_fields=["regulation"])
    said = {"effect": "tournament_points", "points": Fraction(1)}
    found = refused(lambda: judge.give(player, "phone", session, **said))
    assert [(problem.code, problem.field, problem.clause) for problem in found.problems] == [
        ("no_tournament_points", "effect", "RULES 8.51")
    ]


def test_game_points_of_a_substitute_count_for_the_places_at_the_table(session, replaced):
    """[RULES 8.35]"""
    row = judge.give(replaced[1], "phone", session, points=8)
    assert [line.adjustment.game_points for line in row.lines.all()] == [-8]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_so_and_keeps_what_was_typed(session, language):
    of = session.tournament
    player = judge.substitute(of).player
    page = reverse("penalties:give_any", args=[of.slug])
    sent = {"seat": player.pk, "offence": "phone", "effect": "game_points", "points": "8", "key": "k" * 20}
    answer = client_of(of, "chief_referee", language).post(page, {**sent, "reason": "It rang."})
    assert told(answer, penalties.NO_STANDING, language, name=player.name, n="")
    assert "It rang." in answer.content.decode()


def test_outside_a_table_no_dead_hand_is_offered(session):
    page = reverse("penalties:give_any", args=[session.tournament.slug])
    form = client_of(session.tournament, "referee", "en").get(page).context["form"]
    offered = [value for value, _label in form.fields["effect"].choices]
    assert offered == ["game_points", "tournament_points", "warning", "removal", "disqualification"]
