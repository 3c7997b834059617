"""What was decided is what was shown; ladders count what is decided harsher; lists offer what the sources name. [RULES 8.57]"""

from fractions import Fraction
from html import unescape
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from penalties.ladder.operations import penalties
from penalties.ladder.operations.penalties import Case
from penalties.ladder.queries.penalties import penalty_rows
from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from scoring import criteria
from scoring.standings.stages import account
from scoring.systems import SYSTEMS
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Player, Protocol, Session, Team
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.tables.queries.events import event_of
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


def scene(preset: str = "sbr", **changes: object) -> Session:
    of = make.tournament(preset, **changes)
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    return session


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def referee(session, role="chief_referee") -> Client:
    client = Client()
    client.force_login(make.staff(session.tournament, role))
    return client


def amounts(of):
    return [row.game_points for row in of.adjustments.filter(reversed_at=None)]


def read(answer) -> str:
    return unescape(" ".join(strip_tags(answer.content.decode().replace("<", " <")).split()))


def own_page(session, wind="E") -> str:
    player = judge.seat(session, wind)
    page = reverse("penalties:own", args=[session.tournament.slug, link_of(player.registration)])
    return read(Client().get(page))


# The confirmation carries what was shown


def test_a_step_that_has_moved_meanwhile_is_asked_again():
    """Another referee gave a penalty after the page was shown: the price is another, and so it is asked. [SBR 2.8.2] [RULES 1.8]"""
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    client = referee(session)
    url = reverse("penalties:give", args=[of.slug, 1, 1])
    assert 'name="shown_step" value="1"' in client.get(f"{url}?seat=E").content.decode()
    judge.give(player, "empty_claim", session, by=make.referee_of(of))
    tap = {"seat": "E", "hand": "1", "offence": "touching", "shown_step": "1", "key": "k" * 20}
    answer = client.post(url, tap)
    assert (answer.status_code, of.penalties.count()) == (409, 1)
    page = answer.content.decode()
    assert "this is step 2 now, which costs 2." in page
    assert 'name="shown_step" value="2"' in page
    assert client.post(url, {**tap, "shown_step": "2"}).status_code == 302
    assert amounts(of) == [-2]


def test_a_step_that_is_as_shown_is_given_at_once():
    session = scene()
    case = Case(player=judge.seat(session, "E"), offence="touching", session=session)
    by = make.referee_of(session.tournament)
    given = penalties.give(session.tournament, case, by=by, key=uuid4().hex, shown_step=1)
    assert given.state == "in_force"


# Ladders and prices


def test_telephones_stand_on_the_ladder_of_sichuan():
    """[SBR 2.8.4] [RULES 8.57]"""
    session = scene()
    player = judge.seat(session, "E")
    for offence in ("touching", "phone"):
        judge.give(player, offence, session)
    first, second = penalty_rows(session.tournament)
    assert (first.step, second.step, second.game_points) == (1, 2, -2)


def test_an_offence_with_a_harsher_price_keeps_its_place_on_the_ladder():
    """The third offence stands on the third step, though the second was decided. [SBR 2.8.2] [RULES 8.57]"""
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    judge.give(player, "touching", session)
    judge.give(player, "phone", session, points=8)
    judge.give(player, "touching", session)
    assert [(row.step, row.game_points) for row in penalty_rows(of)] == [(1, 0), (2, -8), (3, -2)]


def test_a_price_by_decision_is_no_lower_than_the_step():
    """[RULES 8.57]"""
    session = scene()
    player = judge.seat(session, "E")
    for _ in range(4):
        judge.give(player, "touching", session)
    assert refused(lambda: judge.give(player, "phone", session, points=2)) == ["penalty_amount"]


def test_harsher_prices_leave_in_a_record_and_count_the_same_there():
    """[RECORD 2] [RULES 8.57]"""
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    judge.give(player, "touching", session)
    judge.give(player, "phone", session, points=8)
    judge.give(player, "touching", session, effect="tournament_points", points=Fraction(1))
    judge.give(player, "touching", session)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    record = export_record(of)
    record["declared"]["tournament"]["slug"] = "the-same-again"
    taken = import_record(record, by=make.actor(make.user(), "organizer"))
    assert taken.differences == ()


@pytest.mark.parametrize(("points", "codes"), [(30, None), (31, ["penalty_amount"])])
def test_a_referee_of_red_takes_up_to_thirty_points(points, codes):
    """[RED draws 6] [RULES 8.58]"""
    session = scene("red")
    player, by = judge.seat(session, "E"), make.referee_of(session.tournament)

    def give():
        return judge.give(player, "hasty_draw", session, points=points, by=by)

    if codes:
        assert refused(give) == codes
    else:
        give()
        assert amounts(session.tournament) == [-30]


NAMED = {
    "SBR": {"forbidden_suit_set", "unauthorised_stop", "phone"},
    "WMSG": {"forbidden_suit_set", "unauthorised_stop", "phone"},
    "MCR": {"shown_after_win"},
    "RIICHI": {"deal_interrupted", "absence", "discussion", "intoxication"},
}


@pytest.mark.parametrize(("system", "codes"), NAMED.items(), ids=NAMED)
def test_offences_that_the_sources_name_are_offered_by_name(system, codes):
    """[SBR 2.4.10] [SBR 2.9.1] [MCR offences 7] [RIICHI reg. 5.2] [RULES 8.57]"""
    assert codes <= {one.code for one in SYSTEMS[system].offences}


# Outside a table, and where no hands are recorded


def test_outside_a_table_an_offence_of_a_ladder_asks_for_its_session():
    """[SBR 2.8.2]"""
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    client, url = referee(session), reverse("penalties:give_any", args=[of.slug])
    said = {"seat": player.pk, "offence": "touching", "key": "k" * 20}
    answer = client.post(url, said)
    assert (answer.status_code, 'name="session"' in answer.content.decode()) == (422, True)
    assert client.post(url, {**said, "session": "1"}).status_code == 302
    assert of.penalties.get().session == session


def test_before_the_first_session_only_what_needs_none_is_offered():
    of = make.tournament("sbr")
    make.players(of, 4)
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    page = client.get(reverse("penalties:give_any", args=[of.slug])).content.decode()
    assert ('value="touching"' in page, 'value="cheating"' in page) == (False, True)


def test_where_final_points_are_recorded_a_chombo_is_noted_and_no_mark_is_promised():
    """[RIICHI reg. 6.2]"""
    session = scene("riichi_festival")
    client, url = referee(session), reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    page = read(client.get(f"{url}?seat=E"))
    assert "It is marked in the protocol" not in page
    assert "Recorded with the hand in the protocol" not in page
    tap = {"seat": "E", "hand": "1", "offence": "chombo", "effect": "warning", "key": "k" * 20}
    assert client.post(url, tap).status_code == 302
    assert (session.tournament.penalties.get().effect, amounts(session.tournament)) == ("warning", [])


def test_where_hands_are_recorded_a_chombo_belongs_to_its_hand():
    session = scene("riichi_ema")
    player = judge.seat(session, "E")
    assert refused(lambda: judge.give(player, "chombo", session, effect="warning")) == ["penalty_type"]
    assert Protocol.objects.get(table__session=session).mode == "hands"


# What people read


def test_on_the_own_page_a_warning_is_a_warning_and_a_dead_hand_takes_no_points():
    """[SBR 2.8.2] [SBR 2.8.3]"""
    session = scene()
    player = judge.seat(session, "E")
    judge.give(player, "touching", session)
    judge.give(player, "wrong_count", session, effect="dead_hand", hand=1)
    page = own_page(session)
    assert "step 1 of 7 · Warning · In force" in page
    assert "Dead hand · In force" in page
    assert "nothing taken" not in page


def test_offences_of_earlier_sessions_are_shown_where_the_next_is_given():
    """[SBR 2.8.2]"""
    session = scene(sessions=2)
    of, player = session.tournament, judge.seat(session, "E")
    judge.give(player, "phone", session, points=8, reason="Rang three times.")
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    later = make.in_play(of, 2)
    later.tournament = of
    seat = later.seats.select_related("table").get(player=player)
    url = reverse("penalties:give", args=[of.slug, 2, seat.table.number])
    page = read(referee(session).get(f"{url}?seat={seat.wind}"))
    assert "1 penalty before this session" in page
    assert "Rang three times." in page


def test_the_events_page_names_the_chief_referee_by_the_name_of_the_account():
    """[RIICHI reg. 5.1]"""
    session = scene()
    of, who = session.tournament, make.user("xk17")
    judge.judge(of, "chief_referee", who=who)
    client = Client()
    client.force_login(who)
    name = reverse("tournaments:name_own_account")
    assert client.post(name, {"name": "Anna  Melnikova"}).status_code == 302
    assert client.post(name, {"name": "a\u202eb"}).status_code == 422
    page = read(Client().get(reverse("tournaments:event", args=[of.slug])))
    assert ("Chief referee: Anna Melnikova" in page, "xk17" in page) == (True, False)


# What it changes, before it is given


def test_a_decision_shows_what_it_changes_before_it_is_given():
    """[RULES 8.51]"""
    session = scene()
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    make.record(protocol, make.east_from_south(2))
    client, url = referee(session), reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    said = {"seat": "E", "offence": "other", "clause": "SBR 2.8.5", "reason": "Rude.", "points": "8"}
    answer = client.post(url, {**said, "effect": "game_points", "key": "k" * 20, "look": "1"})
    page = read(answer)
    assert (answer.status_code, session.tournament.penalties.count()) == (200, 0)
    assert "What it would change" in page
    assert "4 → −4" in page
    assert "It changes nothing" not in page
    assert client.post(url, {**said, "effect": "game_points", "key": "k" * 20}).status_code == 302


def test_a_step_that_costs_nothing_says_that_it_takes_none():
    """[RULES 8.51]"""
    session = scene()
    client, url = referee(session), reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    said = {"seat": "E", "offence": "touching", "effect": "", "key": "k" * 20, "look": "1"}
    page = read(client.post(url, said))
    assert "It takes no points." in page
    assert "It changes nothing" not in page


# Who speaks for a team


def test_where_a_captain_is_named_nobody_else_speaks_for_the_team():
    """[SBR 2.9.2]"""
    session = scene()
    of = session.tournament
    captain, mate, offender = (judge.seat(session, wind) for wind in "ESW")
    team = Team.objects.create(tournament=of, name="Birds")
    Player.objects.filter(pk__in=[captain.pk, mate.pk, offender.pk]).update(team=team)
    organizer = Client()
    organizer.force_login(of.created_by)
    url = reverse("tournaments:name_captain", args=[of.slug, captain.registration.number])
    edit = reverse("tournaments:edit_player", args=[of.slug, captain.registration.number])
    assert "No captain is named" in read(organizer.get(edit))
    organizer.post(url, {"captain": "1"})
    given = judge.give(offender, "touching", session, by=make.referee_of(of))
    for who, may in ((mate, False), (captain, True)):
        page = reverse("penalties:file_own", args=[of.slug, link_of(who.registration)])
        said = {
            "player": offender.pk,
            "against": f"penalty-{given.number}",
            "text": judge.LONG,
            "key": uuid4().hex,
        }
        assert (Client().post(page, said).status_code == 302) is may
    assert of.appeals.get().by == "team_leader"


def look(client, session, **said) -> str:
    url = reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    sent = {
        "seat": "E",
        "offence": "other",
        "clause": "SBR 2.8.5",
        "effect": "game_points",
        "look": "1",
        "key": "k" * 20,
    }
    return read(client.post(url, {**sent, **said}))


def test_what_a_penalty_changes_is_shown_at_the_table_and_in_the_standings():
    """[RULES 8.51]"""
    session = scene()
    protocol = Protocol.objects.select_related("table__session__tournament").get(table__session=session)
    make.record(protocol, make.east_from_south(2))
    page = look(referee(session), session, points="8", reason="Shouted at the table.")
    assert "At the table" in page
    assert "In the standings" in page
    east = judge.seat(session, "E")
    assert f"{east} 1 → 3 4 → 1.5 +4 → −4" in page
    assert session.tournament.penalties.count() == 0


def test_a_penalty_of_riichi_moves_the_standings_though_not_the_table():
    """Taken after the places, it lowers the player's points, and is no penalty that changes nothing. [RULES 8.36] [RULES 8.51]"""
    session = scene("riichi_ema")
    page = look(
        referee(session), session, offence="disturbance", points="8000", reason="Shouted at the table."
    )
    assert "It changes nothing" not in page
    assert judge.give(judge.seat(session, "E"), "disturbance", session, points=8000).state == "in_force"


def test_points_of_a_substitute_that_count_nowhere_are_refused():
    """In riichi what is taken after the places is the person's, and a substitute has no standing. [RULES 8.51] [RULES 8.6]"""
    session = scene("riichi_ema")
    of, by = session.tournament, make.organizer_of(session.tournament)
    mira = judge.substitute(of)
    substitutes_operations.seat_substitute(
        judge.seat(session, "E"), mira, [session], by=by, reason="More than ten minutes late."
    )
    given = {"session": session, "points": 8000, "reason": "Shouted at the table."}
    assert refused(lambda: judge.give(mira.player, "disturbance", **given)) == ["changes_nothing"]
    assert of.penalties.count() == 0
    assert "It changes nothing: no points, no places." in look(
        referee(session), session, offence="disturbance", points="8000", reason="Shouted at the table."
    )
    warned = judge.give(mira.player, "disturbance", session, effect="warning", reason="Shouted at the table.")
    assert warned.state == "in_force"


def test_game_points_of_the_whole_event_are_refused_where_the_ranking_counts_none():
    """[RULES 8.50] [RULES 8.51]"""
    of = make.tournament("sbr", ranking=["tournament_points", "first_places"])
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    make.record(Protocol.objects.select_related("table__session__tournament").get(table__session=session))
    player = judge.seat(session, "E")
    said = {"clause": "SBR 2.8.5", "reason": "Shouted in the hall."}
    assert refused(lambda: judge.give(player, "other", points=8, **said)) == ["changes_nothing"]
    assert judge.give(player, "other", session, points=8, **said).state == "in_force"
    client, url = referee(session), reverse("penalties:give_any", args=[of.slug])
    sent = {"seat": str(player.pk), "offence": "other", "look": "1", "key": "k" * 20, **said}
    page = read(client.post(url, {**sent, "effect": "game_points", "points": "8"}))
    assert "It changes nothing: no points, no places." in page
    page = read(client.post(url, {**sent, "effect": "tournament_points", "points": "1"}))
    assert f"{player} 4 1 → 0" in page
    assert of.penalties.count() == 1


def test_points_of_the_whole_event_of_riichi_move_what_was_shown():
    """They stand in the points of the standings and cost the place, and the player reads what was taken. [RULES 8.50]"""
    session = scene("riichi_ema")
    of, east = session.tournament, judge.seat(session, "E")
    client, url = referee(session), reverse("penalties:give_any", args=[of.slug])
    sent = {
        "seat": str(east.pk),
        "offence": "other",
        "clause": "RIICHI 5.5",
        "reason": "Shouted in the hall.",
    }
    sent |= {"effect": "game_points", "points": "12000", "key": "k" * 20}
    (before,) = [row for row in account(event_of(of)).standings if row.player == east.pk]
    assert "It changes nothing" not in read(client.post(url, {**sent, "look": "1"}))
    assert client.post(url, sent).status_code == 302
    (after,) = [row for row in account(event_of(of)).standings if row.player == east.pk]
    assert after.values[criteria.UMA_SCORE] - before.values[criteria.UMA_SCORE] == -12
    assert (before.place, after.place) == (1, 4)
    assert "Game points · In force · Shouted in the hall. −12 000" in own_page(session).replace(
        "\u2009", " "
    ).replace("\u202f", " ").replace("\xa0", " ")
