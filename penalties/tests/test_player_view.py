"""What players see of the judges' decisions about them, and what each did to the result."""

from datetime import timedelta
from fractions import Fraction
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from penalties.ladder.operations import penalties
from penalties.ladder.queries.penalties import consequences
from penalties.lateness import operations as lateness_operations
from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from penalties.tests.test_lateness import arrive
from penalties.tests.test_sequences import scene
from tournaments.models import Player, Session, Team
from tournaments.standings.operations.recompute import recompute
from tournaments.tests import factories as make
from tournaments.tests.markup import tight
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


def own_page(session, wind: str = "E") -> str:
    of = session.tournament
    link = link_of(judge.seat(session, wind).registration)
    return unescape(Client().get(reverse("penalties:own", args=[of.slug, link])).content.decode())


def did(session, row) -> list[tuple]:
    """Every seat's place and TP without the penalty and with it."""
    told = consequences(session.tournament, [row])[row.pk]
    return [
        (one.before.place, one.after.place, one.before.tournament_points, one.after.tournament_points)
        for one in told
    ]


def test_a_step_that_costs_the_place_is_told_with_both():
    """Without any one of the five, four cost 8 together and East stays first. [SBR 2.8.2]"""
    session = scene("sbr")
    given = [judge.give(judge.seat(session, "E"), "touching", session) for _ in range(5)]
    for row in given:
        assert did(session, row) == [(1, 2, 4, 3), (2, 1, 3, 4), (3, 3, 2, 2), (4, 4, 1, 1)]
    page = own_page(session)
    assert page.count("At the table place 2 instead of 1") == 5
    assert page.count("3 TP instead of 4") == 5
    assert "step 5 of 7" in page
    assert "SBR 2.8.2 (4)" in page
    assert "instead of" not in own_page(session, "S")


def test_a_penalty_in_tournament_points_is_told_without_another_place():
    """[RULES 8.39]"""
    session = scene("sbr")
    row = judge.give(
        judge.seat(session, "E"), "phone", session, effect="tournament_points", points=Fraction(1, 2)
    )
    assert did(session, row)[0][:2] == (1, 1)


def test_what_was_revoked_or_costs_nothing_did_nothing():
    session = scene("sbr")
    of = session.tournament
    warning, second = (judge.give(judge.seat(session, "E"), "touching", session) for _ in range(2))
    penalties.revoke(second, by=make.chief_referee_of(session.tournament), reason="A slip of the finger.")
    assert consequences(of, list(of.penalties.select_related("table", "session"))) == {}
    assert "· Warning · In force" in " ".join(own_page(session).split())
    assert warning.clause in own_page(session)


def test_the_page_of_a_penalty_shows_the_table_without_it():
    session = scene("sbr")
    row = [judge.give(judge.seat(session, "E"), "touching", session) for _ in range(5)][-1]
    client = Client()
    client.force_login(make.staff(session.tournament, "referee"))
    page = client.get(reverse("penalties:penalty", args=[session.tournament.slug, row.number]))
    assert [one.seat.wind for one in page.context["effects"] if one.is_changed] == ["E", "S"]
    assert "What it did at the table" in page.content.decode()


def test_a_player_sees_nothing_of_others():
    session = scene("sbr")
    judge.give(judge.seat(session, "S"), "untidy_tiles", session, reason="Crooked for an hour.")
    assert "Crooked" in own_page(session, "S")
    assert "Crooked" not in own_page(session, "E")


def test_three_penalties_ask_no_more_than_one():
    counts = []
    for number in (2, 4):
        session = scene("sbr")
        for _ in range(number):
            judge.give(judge.seat(session, "E"), "touching", session)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            own_page(session)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_who_chooses_a_team_mate_appeals_as_the_team_leader():
    """[SBR 2.9.2]"""
    session = scene("sbr")
    leader, mate = judge.seat(session, "E"), judge.seat(session, "S")
    team = Team.objects.create(tournament=session.tournament, name="Birds")
    Player.objects.filter(pk__in=[leader.pk, mate.pk]).update(team=team)
    args = [session.tournament.slug, link_of(leader.registration)]
    page = reverse("penalties:file_own", args=args)
    form = unescape(Client().get(page).content.decode())
    assert f">{leader}</option>" in form
    assert f">{mate}, and I am the team leader</option>" in form
    assert 'name="by"' not in form
    said = {"player": mate.pk, "against": "table-1-1", "text": judge.LONG, "key": "a" * 32}
    answer = Client().post(page, said, follow=True)
    assert answer.status_code == 200
    filed = session.tournament.appeals.get()
    assert (filed.player, filed.by) == (mate, "team_leader")
    words = unescape(tight(answer))
    assert f"<dt>Player</dt><dd>{mate}</dd><dt>Filed by</dt><dd>{leader}, team leader</dd>" in words


def test_two_penalties_for_the_same_offence_are_told_apart_in_an_appeal():
    session = scene("sbr")
    player = judge.seat(session, "E")
    rows = [judge.give(player, "touching", session) for _ in range(2)]
    address = reverse("penalties:file_own", args=[session.tournament.slug, link_of(player.registration)])
    page = Client().get(address).content.decode()
    assert all(f"Penalty {row.number}: Session 1 ·" in page for row in rows)


def test_the_warning_of_a_seat_whose_player_has_left_leads_to_a_substitute():
    """[RULES 8.7]"""
    session = scene("sbr")
    of, gone = session.tournament, judge.seat(session, "E")
    of.registrations.filter(player=gone).update(status="disqualified")
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    page = reverse("penalties:substitutes_session", args=[of.slug, session.number])
    link = f'<a href="?player={gone.pk}">Seat a substitute</a>'
    assert link not in client.get(page).content.decode()
    judge.substitute(of)
    assert link in client.get(page).content.decode()


# What everybody sees of it


def public(session, name: str, *args: object, query: dict | None = None, language: str = "en") -> str:
    recompute(session.tournament_id)
    address = reverse(f"tournaments:{name}", args=[session.tournament.slug, *args])
    page = Client().get(address, query, headers={"Accept-Language": language})
    return unescape(" ".join(strip_tags(page.content.decode().replace("<", " <")).split()))


def test_protocol_leads_from_its_total_to_the_result_in_the_standings():
    """The total of the hands, what a referee took, what stands in the standings: each number explains the next."""
    protocol = make.protocol()
    make.record(protocol, make.east_from_south(3))
    session = protocol.table.session
    at_table = public(session, "protocol", 1, 1).partition("Total")[2]
    assert at_table.startswith(" +8 −8 0 0 Place 1 4 2.5 2.5 So far: the session is in play. TP 4 1 2.5 2.5 ")
    player = judge.seat(session, "E")
    for _ in range(5):
        judge.give(player, "touching", session)
    at_table = public(session, "protocol", 1, 1).partition("Total")[2]
    assert f"{player}: Tile of the wall touched before the discard [SBR 2.8.2 (4)]" in at_table
    assert "GP −8 −8 0 0 Game points in the standings. Place 3.5 3.5 1.5 1.5 " in at_table
    assert "TP 1.5 1.5 3.5 3.5 " in at_table
    on_paper = public(session, "print_protocol", 1, 1).partition("Result")[2]
    assert on_paper.startswith(
        f" +8 −8 0 0 {player}: Tile of the wall touched before the discard [SBR 2.8.2 (4)]"
    )
    assert (
        "Game points in the standings. −8 −8 0 0 Place 3.5 3.5 1.5 1.5 TP 1.5 1.5 3.5 3.5 Confirmed"
        in on_paper
    )


def test_protocol_shows_what_was_taken_before_the_first_hand():
    session = scene("sbr")
    judge.give(judge.seat(session, "E"), "touching", session)
    judge.give(judge.seat(session, "E"), "touching", session)
    page = public(session, "protocol", 1, 1)
    assert "No hands yet" not in page
    assert "Tile of the wall touched before the discard" in page


def test_protocol_names_whose_fixed_result_stands_for_a_seat():
    protocol = make.protocol()
    make.record(protocol)
    session = protocol.table.session
    gone = judge.seat(session, "W")
    stand_in = judge.substitute(session.tournament)
    by = judge.judge(session.tournament)
    substitutes_operations.seat_substitute(
        gone, stand_in, [session], by=by, reason="Ill since the first hand."
    )
    assert f"{gone}: fixed result." in public(session, "protocol", 1, protocol.table.number)


def test_penalty_is_named_in_the_readers_language_for_everybody():
    session = scene("sbr")
    player = judge.seat(session, "E")
    for _ in range(2):
        judge.give(player, "touching", session)
    number = player.registration.number
    said = "Tile of the wall touched before the discard Penalty · Session 1 · [SBR 2.8.2 (4)] −2 GP"
    assert said in public(session, "player", number)
    assert said in public(session, "explain", query={"a": number})
    russian = public(session, "player", number, language="ru")
    assert "Касание кости в стене до сноса Штраф · Сессия 1 · [SBR 2.8.2 (4)] −2 ИО" in russian


def test_lateness_of_a_player_is_one_lateness_in_russian():
    session = scene("sbr")
    Session.objects.filter(pk=session.pk).update(started_at=session.started_at - timedelta(minutes=5))
    session.refresh_from_db()
    row = arrive(session, 61)
    page = public(session, "player", row.player.registration.number, language="ru")
    assert "Опоздание Сессия 1 · [SBR 2.8.4.5] 1:01 −8 ИО" in page


def test_page_of_a_replaced_player_says_who_plays_and_sends_nobody_to_the_table():
    protocol = make.protocol()
    make.record(protocol)
    session = protocol.table.session
    of, gone = session.tournament, judge.seat(session, "W")
    substitutes_operations.seat_substitute(
        gone, judge.substitute(of), [session], by=judge.judge(of), reason="Ill since the first hand."
    )
    page = public(session, "player", gone.registration.number)
    assert f"Session 1, table 1: Mira plays for {gone}. The protocol of the table" in page
    assert "Now: Session 1" not in page


def test_fixed_result_leads_to_the_protocol_as_well():
    protocol = make.protocol()
    make.record(protocol)
    session = protocol.table.session
    of, gone = session.tournament, judge.seat(session, "W")
    substitutes_operations.seat_substitute(
        gone, judge.substitute(of), [session], by=judge.judge(of), reason="Ill since the first hand."
    )
    recompute(of.pk)
    address = f'href="/{of.slug}/session-1/table-1/"'
    asked = (("standings", {"q": str(gone)}, 1), ("explain", {"a": gone.registration.number}, 2))
    for name, query, ways in asked:
        page = Client().get(reverse(f"tournaments:{name}", args=[of.slug]), query).content.decode()
        row = page.partition(f">{gone}<" if name == "standings" else 'id="sessions"')[2]
        assert row.count(address) == ways


def test_the_ladder_says_where_one_stands_and_what_the_next_costs():
    """[SBR 2.8.2] [RULES 8.1]"""
    session = scene("sbr")
    text = lambda: " ".join(strip_tags(own_page(session)).split())  # noqa: E731
    assert "you are on step" not in text()
    for _ in range(2):
        judge.give(judge.seat(session, "E"), "touching", session)
    assert "you are on step 2 of 7. The next one costs 2 more, 4 in all." in text()
    assert "you are on step" not in " ".join(strip_tags(own_page(session, "S")).split())
    for _ in range(5):
        judge.give(judge.seat(session, "E"), "touching", session)
    assert "you are on step 7 of 7. The next offence is for the chief referee to decide." in text()


def test_ones_own_minutes_are_seen_running():
    """[SBR 2.8.4.5] [RULES 8.54]"""
    session = scene("sbr")
    began = timezone.now() - timedelta(minutes=12)
    Session.objects.filter(pk=session.pk).update(started_at=began)
    session.refresh_from_db()
    lateness_operations.mark_late(session, [judge.seat(session, "E")], by=make.referee_of(session.tournament))
    page = own_page(session)
    assert "your seat is noted as empty" in page
    assert "Here now, it costs 16." in page
    assert "data-since" in page
    assert "nothing taken" not in page
    assert "your seat is noted" not in own_page(session, "S")
