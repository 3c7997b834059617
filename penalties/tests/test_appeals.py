"""The way of an appeal: filed, paid for, heard, ruled on by whom it lies before, put into effect."""

import re
from dataclasses import replace
from datetime import timedelta
from unittest import mock
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from penalties.appeals import operations as appeals_operations
from penalties.appeals.forms import RulingForm
from penalties.appeals.operations import Grounds, Order
from penalties.appeals.queries import appeal_rules, appealable_sessions
from penalties.ladder.operations import penalties
from penalties.models import Appeal, Vote
from penalties.tests import factories as judge
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Protocol, Role, Seat, Team
from tournaments.models.protocol import InForce
from tournaments.record import history
from tournaments.record.refusal import Refused, say
from tournaments.sessions.operations import play
from tournaments.sessions.operations.tournaments import change_regulation
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db


def scene(**changes: object):
    """Two penalties of East, the second costing 2; the session is closed."""
    of = make.tournament("sbr", **changes)
    make.players(of, 8)
    session = make.in_play(of)
    session.tournament = of
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol)
    for _ in range(2):
        judge.give(judge.seat(session, "E"), "touching", session)
    make.settle(session)
    closed = play.close_session(session, by=make.organizer_of(of))
    closed.tournament = of
    return closed


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def rule(appeal: Appeal, verdict: str, *, by, body: str = "chief_referee", **said: object):
    return appeals_operations.decide(appeal, verdict, judge.LONG, body=body, by=by, **said)


def struck(appeal: Appeal, number: int) -> Order:
    """Order a hand struck by somebody who was shown what that moves."""
    return Order(void_hand=number, void_seen=Protocol.objects.get(table=appeal.table).version)


def amounts(of) -> list[int]:
    return [row.game_points for row in of.adjustments.filter(reversed_at=None)]


def test_upheld_the_penalty_is_revoked_and_the_accounts_follow():
    """[SBR 2.9.2] [RULES 8.38]"""
    session = scene()
    of = session.tournament
    assert amounts(of) == [-2]
    appeal = judge.appeal(of.penalties.get(number=1))
    rule(appeal, "upheld", by=judge.judge(of, "chief_referee"))
    first, second = of.penalties.all()
    assert (first.state, first.appeal, second.state) == ("revoked", appeal, "in_force")
    assert amounts(of) == []


def test_dismissed_nothing_changes():
    session = scene()
    of = session.tournament
    rule(judge.appeal(of.penalties.get(number=2)), "dismissed", by=judge.judge(of))
    assert amounts(of) == [-2]


def test_on_the_rules_the_committee_may_only_recommend():
    """[SBR 2.9.3] [SBR 2.9.5]"""
    session = scene()
    of = session.tournament
    chief, members = judge.judge(of), [judge.judge(of, "committee") for _ in range(3)]
    appeal = judge.appeal(of.penalties.get(number=2))
    rule(appeal, "dismissed", by=chief)
    appeals_operations.take_further(appeal, by=judge.link_actor(appeal.player.registration))
    assert refused(lambda: appeals_operations.vote(appeal, "upheld", by=members[0])) == ["only_recommend"]
    for member in members[:2]:
        appeals_operations.vote(appeal, "recommended", by=member)
    rule(appeal, "recommended", body="committee", by=members[0])
    appeal.refresh_from_db()
    assert (appeal.state, amounts(of)) == ("recommended", [-2])
    rule(appeal, "upheld", by=chief)
    assert [(one.by, one.verdict) for one in appeal.rulings.all()] == [
        ("chief_referee", "dismissed"),
        ("committee", "recommended"),
        ("chief_referee", "upheld"),
    ]
    assert amounts(of) == []


def test_the_way_to_the_committee_ends_with_the_minutes_of_the_regulation():
    """Thirty minutes from the ruling and not a second more; the refusal says until when. [SBR 2.9.2] [SBR 2.9.3]"""
    session = scene()
    of = session.tournament
    judge.judge(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2))
    ruling = rule(appeal, "dismissed", by=judge.judge(of))
    minutes = appeal_rules(session).minutes
    by = judge.link_actor(appeal.player.registration)
    with mock.patch(
        "django.utils.timezone.now", return_value=ruling.at + timedelta(minutes=minutes, seconds=1)
    ):
        assert refused(lambda: appeals_operations.take_further(appeal, by=by)) == ["appeal_late"]
    appeal.refresh_from_db()
    assert appeal.state == "dismissed"
    with mock.patch("django.utils.timezone.now", return_value=ruling.at + timedelta(minutes=minutes)):
        assert appeals_operations.take_further(appeal, by=by).state == "committee"


def test_votes_of_an_earlier_turn_do_not_carry_a_later_ruling():
    """What members held before the chief referee had ruled is not what they hold now. [SBR 2.9.5]"""
    session = scene()
    of = session.tournament
    members = [judge.judge(of, "committee") for _ in range(3)]
    appeal = judge.appeal(of.penalties.get(number=2))
    for member in members:
        Vote.objects.create(
            appeal=appeal, turn=1, member_id=member.id, verdict="recommended", at=timezone.now()
        )
    rule(appeal, "dismissed", by=judge.judge(of))
    appeals_operations.take_further(appeal, by=judge.link_actor(appeal.player.registration))

    def recommend():
        return rule(appeal, "recommended", body="committee", by=members[0])

    assert refused(recommend) == ["no_quorum"]
    appeals_operations.vote(appeal, "recommended", by=members[0])
    assert refused(recommend) == ["no_quorum"]
    appeals_operations.vote(appeal, "recommended", by=members[1])
    assert recommend().verdict == "recommended"


def test_a_vote_sent_again_is_one_vote_in_the_history():
    """An answer that was lost on the way is asked for again; only another verdict is another entry."""
    session = scene()
    of = session.tournament
    member = judge.judge(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2))
    rule(appeal, "dismissed", by=judge.judge(of))
    appeals_operations.take_further(appeal, by=judge.link_actor(appeal.player.registration))
    for verdict in ("dismissed", "dismissed", "recommended", "recommended"):
        appeals_operations.vote(appeal, verdict, by=member)
    told = of.history.filter(kind="appeal_voted").order_by("pk")
    assert [history.read(entry.content)["data"]["verdict"] for entry in told] == ["dismissed", "recommended"]


def test_a_member_whose_seat_was_kept_at_the_table_does_not_vote():
    """A substitute played in the member's place: the game is the substitute's, the case is still the member's own."""
    session = scene()
    of = session.tournament
    member, other = judge.judge(of, "committee"), judge.judge(of, "committee")
    appeal = judge.appeal(of.penalties.get(number=2), matter="other")
    seat = appeal.penalty.table.seats.get(wind="N")
    Seat.objects.filter(pk=seat.pk).update(player=judge.substitute(of).player, kept_for=seat.player)
    own = replace(member, player_ids=frozenset({seat.player_id}))
    Role.objects.filter(user_id=member.id).update(player=seat.player_id)
    assert refused(lambda: appeals_operations.vote(appeal, "dismissed", by=own)) == ["conflict_of_interest"]
    assert (appeal.votes.count(), appeals_operations.members(appeal)) == (0, [other.id])


def test_an_appeal_lies_before_one_body_at_a_time():
    """[SBR 2.9.3] [SBR 2.9.4]"""
    session = scene()
    of = session.tournament
    chief, member = judge.judge(of), judge.judge(of, "committee")
    on_rules = judge.appeal(of.penalties.get(number=1))
    other = judge.appeal(of.penalties.get(number=2), matter="other")
    assert refused(lambda: appeals_operations.vote(on_rules, "dismissed", by=member)) == ["wrong_state"]
    assert refused(lambda: rule(other, "upheld", by=chief)) == ["wrong_state"]
    assert refused(lambda: rule(on_rules, "upheld", by=member)) == ["forbidden"]


def test_without_a_committee_the_chief_referee_hears_all():
    """[SBR 2.9.5]"""
    session = scene(appeals={"minutes": 30, "deposit_fees": 2, "committee": False})
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2), matter="other")
    assert appeal.state == "chief_referee"
    rule(appeal, "dismissed", by=judge.judge(of))
    assert refused(lambda: appeals_operations.take_further(appeal, by=make.organizer_of(of))) == [
        "wrong_state"
    ]


def test_who_gave_a_penalty_does_not_vote_on_it():
    """[SBR 2.9.5]"""
    session = scene()
    of = session.tournament
    member = judge.judge(of, "referee", "committee", "chief_referee")
    judge.judge(of, "committee")
    given = judge.give(judge.seat(session, "W"), "touching", session, by=member)
    appeal = judge.appeal(given, matter="other")
    only_member = make.actor(member_user(member), "committee")
    assert refused(lambda: appeals_operations.vote(appeal, "upheld", by=only_member)) == [
        "conflict_of_interest"
    ]


def member_user(actor):
    from tournaments.models import User

    return User.objects.get(pk=actor.id)


def test_the_deposit_is_paid_before_the_ruling_and_returned_if_upheld():
    """[SBR 2.9.2]"""
    session = scene(entry_fee="12.50")
    of, chief = session.tournament, judge.judge(session.tournament)
    appeal = judge.appeal(of.penalties.get(number=2))
    assert str(appeal.deposit) == "25.00"
    assert refused(lambda: rule(appeal, "upheld", by=chief)) == ["deposit_unpaid"]
    type(of).objects.filter(pk=of.pk).update(currency="€")
    with pytest.raises(Refused) as told:
        rule(of.appeals.get(pk=appeal.pk), "upheld", by=chief)
    assert say(told.value.problems[0]) == "Note the deposit of 25 € before the appeal is decided."
    appeals_operations.take_deposit(appeal, by=chief)
    assert refused(lambda: appeals_operations.return_deposit(appeal, by=chief)) == ["wrong_state"]
    rule(appeal, "upheld", by=chief)
    returned = appeals_operations.return_deposit(appeal, by=chief)
    assert returned.deposit_returned_at is not None
    client = Client()
    client.force_login(make.staff(of, "organizer"))
    page = client.get(reverse("penalties:receipt", args=[of.slug, 1])).content.decode()
    assert "25" in page


def test_the_deposit_is_held_against_the_fee_of_the_event_as_it_is_now():
    """F is the fee of this event: what the player is shown is what the desk takes. [SBR 2.9.2]"""
    session = scene(entry_fee="10")
    of = session.tournament
    change_regulation(of, {"entry_fee": "15"}, by=make.organizer_of(of))
    of.refresh_from_db()
    penalty = of.penalties.get(number=2)
    link = link_of(penalty.player.registration)
    page = Client().get(reverse("penalties:file_own", args=[of.slug, link])).content.decode()
    assert "The deposit of 30 " in page
    assert judge.appeal(penalty).deposit == 30


def test_a_dismissed_appeals_deposit_is_kept():
    """[SBR 2.9.2]"""
    session = scene(entry_fee="10")
    of, chief = session.tournament, judge.judge(session.tournament)
    appeal = judge.appeal(of.penalties.get(number=2))
    appeals_operations.take_deposit(appeal, by=chief)
    rule(appeal, "dismissed", by=chief)
    assert refused(lambda: appeals_operations.return_deposit(appeal, by=chief)) == ["wrong_state"]


def test_a_team_leader_speaks_for_the_team_and_for_nobody_else():
    """[SBR 2.9.2]"""
    session = scene()
    of = session.tournament
    penalty = of.penalties.get(number=2)
    leader = next(
        row for row in of.registrations.select_related("player") if row.player_id != penalty.player_id
    )
    by = judge.link_actor(leader)
    assert refused(lambda: judge.appeal(penalty, by=by)) == ["not_party"]
    team = Team.objects.create(tournament=of, name="Birds")
    for player in (penalty.player, leader.player):
        type(player).objects.filter(pk=player.pk).update(team=team)
    penalty = of.penalties.get(number=2)
    grounds = Grounds(
        session=penalty.session, player=penalty.player, text=judge.LONG, penalty=penalty, by="team_leader"
    )
    filed = appeals_operations.file_appeal(of, grounds, by=by, key=uuid4().hex)
    assert (filed.by, filed.player) == ("team_leader", penalty.player)


def test_an_upheld_appeal_voids_a_hand_through_the_ordinary_operation():
    """[RULES 1.5] [INTEGRITY 1]"""
    session = scene()
    of, by = session.tournament, judge.judge(session.tournament)
    protocol = Protocol.objects.get(table__session=session, table__number=1)
    grounds = Grounds(
        session=session,
        player=judge.seat(session, "S"),
        text=judge.LONG,
        table=protocol.table,
        hand=1,
    )
    appeal = appeals_operations.file_appeal(of, grounds, by=by, key=uuid4().hex)
    rule(appeal, "upheld", by=by, order=struck(appeal, 1))
    assert [hand.status for hand in protocol.hands.all()] == [InForce.VOIDED]
    assert {seat.hand_points for seat in protocol.table.seats.all()} == {0}


def test_only_an_upheld_appeal_orders_anything():
    session = scene()
    of, by = session.tournament, judge.judge(session.tournament)
    table = session.tables.get(number=1)
    grounds = Grounds(session=session, player=judge.seat(session, "S"), text=judge.LONG, table=table)
    appeal = appeals_operations.file_appeal(of, grounds, by=by, key=uuid4().hex)
    found = refused(lambda: rule(appeal, "dismissed", by=by, order=struck(appeal, 1)))
    assert found == ["order_unexpected"]


def test_words_are_added_to_an_open_appeal_and_kept_out_of_the_history():
    """[INTEGRITY 124] [INTEGRITY 1]"""
    session = scene()
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    appeals_operations.add_statement(
        appeal, "The other three saw it as well.", by=make.organizer_of(of), key=uuid4().hex
    )
    told = "".join(of.history.values_list("content", flat=True))
    assert "counted the third claim" not in told
    assert "other three saw" not in told
    rule(appeal, "dismissed", by=judge.judge(of))
    found = refused(
        lambda: appeals_operations.add_statement(
            appeal, judge.LONG, by=make.organizer_of(of), key=uuid4().hex
        )
    )
    assert found == ["already_decided"]


def test_words_added_by_a_double_press_are_added_once():
    session = scene()
    of = session.tournament
    player = judge.seat(session, "E")
    link = link_of(player.registration)
    appeal = judge.appeal(of.penalties.get(number=2))
    client = Client()
    own = reverse("penalties:own_appeal", args=[of.slug, link, appeal.number])
    (key,) = re.findall(r'name="key" value="(\w+)"', client.get(own).content.decode())
    for _ in range(2):
        answer = client.post(own, {"text": "The other three saw it as well.", "key": key})
        assert (answer.status_code, answer["Location"]) == (302, own)
    assert appeal.statements.count() == 1
    assert client.post(own, {"text": "The other three saw it as well."}).status_code == 400
    client.force_login(of.created_by)
    desk = reverse("penalties:appeal", args=[of.slug, appeal.number])
    keys = re.findall(r'name="key" value="(\w+)"', client.get(desk).content.decode())
    add = reverse("penalties:add_statement", args=[of.slug, appeal.number])
    for _ in range(2):
        assert (
            client.post(add, {"text": "The referee was asked as well.", "key": keys[-1]}).status_code == 302
        )
    assert appeal.statements.count() == 2


def test_while_the_session_is_played_it_can_be_appealed_and_afterwards_for_half_an_hour():
    """[SBR 2.9.2]"""
    session = scene()
    player = judge.seat(session, "E")
    for minutes, may in ((0, True), (30, True), (31, False)):
        now = session.ended_at + timedelta(minutes=minutes)
        assert bool(appealable_sessions(session.tournament, player, now=now)) is may


def test_sessions_to_appeal_about_are_found_by_two_questions_however_many_there_are():
    session = scene(sessions=3)
    of, player = session.tournament, judge.seat(session, "E")
    counts = []
    for number in (2, 3):
        now = timezone.now()
        with CaptureQueriesContext(connection) as asked:
            found = appealable_sessions(of, player, now=now)
        counts.append((len(found), len(asked)))
        make.in_play(of, number)
        make.settle(of.sessions.get(number=number))
        play.close_session(of.sessions.get(number=number), by=make.organizer_of(of))
    assert counts == [(1, 2), (2, 2)]


def test_a_player_files_reads_and_withdraws_by_private_link():
    session = scene()
    of, player = session.tournament, judge.seat(session, "E")
    link, client = link_of(player.registration), Client()
    sent = {
        "player": player.pk,
        "against": "penalty-2",
        "text": judge.LONG,
        "key": uuid4().hex,
    }
    page = reverse("penalties:file_own", args=[of.slug, link])
    assert "until" in client.get(page).content.decode()
    assert client.post(page, sent).status_code == 302
    assert client.post(page, sent).status_code == 302
    own = reverse("penalties:own_appeal", args=[of.slug, link, 1])
    shown = client.get(own).content.decode()
    assert judge.LONG in shown
    assert "The appeal ends without a ruling and is not taken up again." in shown
    other = link_of(judge.seat(session, "W").registration)
    assert client.get(reverse("penalties:own_appeal", args=[of.slug, other, 1])).status_code == 404
    client.post(reverse("penalties:withdraw_own_appeal", args=[of.slug, link, 1]))
    assert Appeal.objects.get().state == "withdrawn"


@pytest.mark.parametrize(("verdicts", "are_asked"), [(["dismissed"], False), (["upheld", "dismissed"], True)])
def test_orders_are_asked_for_only_where_an_appeal_can_be_upheld(verdicts, are_asked):
    seats = list(judge.seat(scene(), "E").seats.select_related("player", "kept_for"))
    form = RulingForm(seats=seats, is_about_penalty=True, verdicts=verdicts)
    orders = {"instead", "instead_points", "void_hand", "names_penalty", "points_E"}
    assert orders & set(form.fields) == (orders if are_asked else set())


def test_a_players_page_shows_penalties_with_clause_and_step():
    session = scene()
    player = judge.seat(session, "E")
    page = reverse("tournaments:own_page", args=[session.tournament.slug, link_of(player.registration)])
    shown = Client().get(page).content.decode()
    assert "SBR 2.8.2 (4)" in shown
    assert "step 2 of 7" in shown


def test_a_file_is_sent_to_be_saved():
    """[INTEGRITY 4]"""
    session = scene()
    of = session.tournament
    judge.appeal(of.penalties.get(number=2), files=[("../../photo.png", judge.png())])
    client = Client()
    client.force_login(make.staff(of, "committee"))
    answer = client.get(reverse("penalties:appeal_file", args=[of.slug, 1, 1]))
    assert answer.content == judge.png()
    assert answer["Content-Disposition"] == 'attachment; filename="appeal-1-1.png"'
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert of.appeals.get().files.get().name == "photo.png"


def test_judgements_leave_in_a_record_and_come_back_the_same():
    """[RECORD 2]"""
    session = scene()
    of, chief = session.tournament, judge.judge(session.tournament)
    rule(judge.appeal(of.penalties.get(number=1)), "upheld", by=chief)
    judge.give(judge.seat(session, "W"), "phone", session, points=8, to="table")
    rule(judge.appeal(of.penalties.get(number=2)), "dismissed", by=chief)
    record = export_record(of)
    told = record["declared"]["penalties"]
    assert [(row["id"], row.get("to"), row.get("revoked_by")) for row in told] == [
        ("n1", None, "a1"),
        ("n2", None, None),
        ("n3", "table", None),
    ]
    record["declared"]["tournament"]["slug"] = "the-same-again"
    taken = import_record(record, by=make.actor(make.user(), "organizer"))
    again = export_record(taken.tournament)
    assert taken.differences == ()
    for part in ("penalties", "appeals", "lateness", "adjustments"):
        assert again["declared"][part] == record["declared"][part]
    assert again["computed"] == record["computed"]


def test_a_withdrawn_appeal_binds_nobody_and_does_not_come_back_open():
    """The referee may take the penalty back again, and a record says nothing of the appeal. [RECORD 2]"""
    session = scene()
    of = session.tournament
    appeal = judge.appeal(of.penalties.get(number=2))
    chief = judge.judge(of)
    assert refused(lambda: penalties.revoke(appeal.penalty, by=chief, reason="It was a slip.")) == [
        "wrong_state"
    ]
    appeals_operations.withdraw_appeal(appeal, by=judge.link_actor(appeal.player.registration))
    assert penalties.revoke(appeal.penalty, by=chief, reason="It was a slip.").state == "revoked"
    declared = export_record(of)["declared"]
    assert declared["appeals"] == []
    assert [row["id"] for row in declared["penalties"]] == ["n1"]


@pytest.mark.parametrize("name", ["appeal", "print_appeal", "decide"])
def test_everything_about_an_appeal_can_be_read_and_printed(name):
    session = scene()
    of = session.tournament
    judge.appeal(of.penalties.get(number=2))
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    with mock.patch("django.utils.timezone.now", return_value=timezone.now()):
        page = client.get(reverse(f"penalties:{name}", args=[of.slug, 1]))
    assert judge.LONG in page.content.decode()


def test_a_ruling_is_made_on_the_page():
    """[SBR 2.9.3]"""
    session = scene()
    of = session.tournament
    judge.appeal(of.penalties.get(number=2))
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    page = reverse("penalties:decide", args=[of.slug, 1])
    sent = {"body": "chief_referee", "verdict": "upheld", "reasons": judge.LONG}
    assert client.post(page, {**sent, "reasons": "No."}).status_code == 422
    assert client.post(page, sent).status_code == 302
    assert of.penalties.get(number=2).state == "revoked"


def test_lists_ask_the_same_number_of_questions_for_one_and_for_three():
    """[DESIGN 10]"""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    session = scene()
    of = session.tournament
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    page = reverse("penalties:penalties", args=[of.slug])
    client.get(page)
    with CaptureQueriesContext(connection) as few:
        client.get(page)
    for wind in "SWN":
        judge.give(judge.seat(session, wind), "touching", session)
    with CaptureQueriesContext(connection) as many:
        client.get(page)
    assert len(many) == len(few)


def test_each_body_is_offered_the_verdicts_that_are_open_to_it():
    """[SBR 2.9.5]"""
    session = scene()
    of = session.tournament
    client, member = Client(), Client()
    client.force_login(make.staff(of, "chief_referee"))
    member.force_login(make.staff(of, "committee"))
    on_rules = judge.appeal(of.penalties.get(number=1))
    judge.appeal(of.penalties.get(number=2), matter="other")

    def offered(who, number):
        page = who.get(reverse("penalties:decide", args=[of.slug, number]))
        return [value for value, _label in page.context["form"].fields["verdict"].widget.choices]

    assert offered(client, 1) == ["upheld", "dismissed"]
    assert offered(member, 2) == ["upheld", "dismissed", "recommended"]
    rule(on_rules, "dismissed", by=judge.judge(of))
    appeals_operations.take_further(on_rules, by=make.organizer_of(of))
    assert offered(member, 1) == ["dismissed", "recommended"]
