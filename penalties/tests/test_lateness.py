"""The lateness clock in the record: marked, arrived, forgiven, replaced; whatever happens to the server meanwhile."""

from datetime import UTC, datetime, timedelta
from unittest import mock

import pytest
from django.test import Client
from django.urls import reverse

from penalties.lateness import operations as lateness_operations
from penalties.lateness.forms import LateForm, _named
from penalties.lateness.queries import late_players
from penalties.models import Lateness
from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from scoring.standings.sessions import session_ledger
from tournaments.models import Protocol, Seat, Session
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.tables.queries.events import event_of
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db

FIXED = "fixed"
TIMES = {
    "0:00": (0, -8, 0),
    "0:01": (1, -8, -1000),
    "9:59": (599, -8, -10000),
    "10:00": (600, -16, -10000),
    "15:00": (900, -16, FIXED),
    "15:01": (901, FIXED, FIXED),
}
STARTS = {
    "plain": datetime(2026, 5, 9, 9, tzinfo=UTC),
    "clocks-forward": datetime(2026, 3, 29, 0, 55, tzinfo=UTC),
    "clocks-back": datetime(2026, 10, 25, 0, 55, tzinfo=UTC),
}


def scene(preset: str = "sbr", start: datetime = STARTS["plain"]) -> Session:
    """A session in play in Berlin, begun at the instant."""
    of = make.tournament(preset)
    type(of).objects.filter(pk=of.pk).update(time_zone="Europe/Berlin")
    make.players(of, 8)
    session = make.in_play(of)
    Session.objects.filter(pk=session.pk).update(started_at=start)
    return Session.objects.select_related("tournament").get(pk=session.pk)


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def arrive(session: Session, seconds: int) -> Lateness:
    """East of table 1 is marked, and comes so many seconds after the start."""
    player = judge.seat(session, "E")
    (row,) = lateness_operations.mark_late(session, [player], by=make.referee_of(session.tournament))
    row = Lateness.objects.get(pk=row.pk)
    return lateness_operations.note_arrival(
        row, by=make.referee_of(session.tournament), at=session.started_at + timedelta(seconds=seconds)
    )


def result(session: Session, row: Lateness) -> object:
    """What the session brings the late player: points of the account, or that the result is fixed."""
    event = event_of(session.tournament)
    for fact in event.sessions:
        results = session_ledger(event, fact).results
        if row.player_id in results and str(results[row.player_id].kind) == "fixed":
            return FIXED
    return sum(line.game_points or 0 for line in session.tournament.adjustments.filter(reversed_at=None))


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
@pytest.mark.parametrize(("seconds", "sbr", "riichi"), TIMES.values(), ids=TIMES)
def test_an_arrival_posts_what_the_clauses_say(start, seconds, sbr, riichi):
    """[SBR 2.8.4.5] [RIICHI 5.7] [RULES 8.2] [RULES 8.5]"""
    for preset, expected in (("sbr", sbr), ("riichi_ema", riichi)):
        session = scene(preset, start)
        row = arrive(session, seconds)
        Session.objects.filter(pk=session.pk).update(state="closed")
        assert result(session, row) == expected


def test_minutes_run_on_through_a_restart():
    """Only the start of the session and the mark are kept: nothing that a process holds. [INTEGRITY 5]"""
    session = scene()
    lateness_operations.mark_late(session, [judge.seat(session, "E")], by=make.referee_of(session.tournament))
    later = session.started_at + timedelta(minutes=10)
    (late,) = late_players(Session.objects.get(pk=session.pk), now=later)
    assert (late.seconds, late.now.points, late.now.is_replaced) == (600, 16, False)


def test_a_late_player_who_is_replaced_pays_nothing_and_neither_does_the_seat():
    """[RULES 8.32] [RULES 8.35]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    arrive(session, 61)
    player = judge.seat(session, "E")
    substitutes_operations.seat_substitute(
        player, judge.substitute(of), [session], by=by, reason="Fell ill at the table."
    )
    assert [line.game_points for line in of.adjustments.all()] == [-8, 8]
    substitutes_operations.return_player(player, [session], by=by, reason="Well again at once.")
    assert [line.game_points for line in of.adjustments.filter(reversed_at=None)] == [-8]


def test_who_comes_too_late_finds_the_seat_kept_empty_and_three_play():
    """[SBR 2.8.4.5] [SBR 3.1.3]"""
    session = scene()
    row = arrive(session, 901)
    seat = Seat.objects.get(session=session, kept_for=row.player)
    assert seat.player is None
    assert Protocol.objects.filter(table=seat.table).exists()
    assert not session.tournament.adjustments.exists()


def test_who_came_too_late_has_the_seat_again_only_when_forgiven():
    """[SBR 2.8.4.5] [RULES 9.9]"""
    session = scene()
    by = make.organizer_of(session.tournament)
    row = arrive(session, 901)

    def back():
        return substitutes_operations.return_player(
            row.player, [session], by=by, reason="The bus broke down."
        )

    assert refused(back) == ["came_too_late"]
    assert Seat.objects.get(session=session, kept_for=row.player).player is None
    lateness_operations.waive(row, by=make.referee_of(session.tournament), reason="The bus broke down.")
    (seat,) = back()
    assert (seat.player, seat.kept_for) == (row.player, None)


def test_who_was_replaced_while_awaited_is_noted_as_arrived_before_the_seat_goes_back():
    """[SBR 2.8.4.5] [RULES 9.9]"""
    session = scene()
    of, by = session.tournament, make.organizer_of(session.tournament)
    player = judge.seat(session, "E")
    (row,) = lateness_operations.mark_late(session, [player], by=make.referee_of(session.tournament))
    substitutes_operations.seat_substitute(
        player, judge.substitute(of), [session], by=by, reason="Nobody knows where."
    )
    back = lambda: substitutes_operations.return_player(player, [session], by=by, reason="Here after all.")  # noqa: E731
    assert refused(back) == ["arrival_needed"]
    lateness_operations.note_arrival(
        row, by=make.referee_of(session.tournament), at=session.started_at + timedelta(minutes=8)
    )
    back()
    assert [line.game_points for line in of.adjustments.filter(reversed_at=None)] == [-8]


def test_the_page_says_why_a_seat_cannot_be_given_back_and_offers_it_only_when_it_can():
    """[SBR 2.8.4.5] [RULES 9.9]"""
    session = scene()
    of = session.tournament
    row = arrive(session, 901)
    desk = Client()
    desk.force_login(of.created_by)
    page = reverse("penalties:substitutes_session", args=[of.slug, session.number])
    back = reverse("penalties:return_player", args=[of.slug, session.number])
    shown = desk.get(page).content.decode()
    assert back not in shown
    assert f"{row.player} came too late for session 1" in shown
    lateness_operations.waive(row, by=make.referee_of(session.tournament), reason="The bus broke down.")
    assert back in desk.get(page).content.decode()


def test_a_table_that_cannot_play_without_the_player_has_no_protocol():
    """[RULES 8.33] [RULES 8.34]"""
    session = scene("riichi_ema")
    row = arrive(session, 601)
    seat = Seat.objects.get(session=session, kept_for=row.player)
    assert not Protocol.objects.filter(table=seat.table).exists()


def test_a_forgiven_lateness_costs_nothing_and_can_be_taken_back():
    """[RECORD 2]"""
    session = scene()
    row = arrive(session, 61)
    lateness_operations.waive(row, by=make.referee_of(session.tournament), reason="The metro stood still.")
    assert result(session, row) == 0
    lateness_operations.waive(
        row, by=make.referee_of(session.tournament), reason="It did not.", is_waived=False
    )
    assert result(session, row) == -8


def test_a_corrected_arrival_posts_the_difference():
    session = scene()
    row = arrive(session, 61)
    lateness_operations.change_lateness(
        row, seconds=600, by=make.referee_of(session.tournament), reason="Seen by the clock of the hall."
    )
    assert [line.game_points for line in session.tournament.adjustments.all()] == [-8, 8, -16]
    lateness_operations.strike(row, by=make.referee_of(session.tournament), reason="It was somebody else.")
    assert result(session, row) == 0


def test_minutes_beyond_the_limit_corrected_and_forgiven_at_once_leave_the_player_seated():
    """[SBR 2.8.4.5] [RECORD 2]"""
    session = scene()
    row = arrive(session, 61)
    client = Client()
    client.force_login(make.staff(session.tournament, "chief_referee"))
    number = row.player.registration.number
    page = reverse("penalties:change_lateness", args=[session.tournament.slug, 1, number])
    sent = {"minutes": "16:00", "is_waived": "on", "reason": "The lift was stuck."}
    assert client.post(page, sent).status_code == 302
    row.refresh_from_db()
    assert (row.seconds, row.is_waived) == (960, True)
    assert session.seats.filter(player=row.player, kept_for=None).exists()
    assert result(session, row) == 0


def test_the_minutes_of_who_is_not_here_yet_run_in_the_form():
    session = scene()
    player = judge.seat(session, "E")
    lateness_operations.mark_late(session, [player], by=make.referee_of(session.tournament))
    client = Client()
    client.force_login(make.staff(session.tournament, "referee"))
    page = reverse("penalties:change_lateness", args=[session.tournament.slug, 1, player.registration.number])
    with mock.patch("django.utils.timezone.now", return_value=session.started_at + timedelta(seconds=605)):
        assert client.get(page).context["form"].initial["minutes"] == "10:05"


@pytest.mark.parametrize("change", ["change_lateness", "waive", "strike"])
def test_every_change_needs_a_reason(change):
    """[RULES 1.8]"""
    session = scene()
    row = arrive(session, 61)
    said = {"seconds": 30} if change == "change_lateness" else {}
    with pytest.raises(Refused) as refused:
        getattr(lateness_operations, change)(
            row, by=make.organizer_of(session.tournament), reason=" ", **said
        )
    assert [problem.code for problem in refused.value.problems] == ["reason_required"]
    assert result(session, row) == -8


def test_an_arrival_is_noted_once():
    session = scene()
    row = arrive(session, 61)
    with pytest.raises(Refused) as refused:
        lateness_operations.note_arrival(row, by=make.referee_of(session.tournament))
    assert refused.value.status == 409


def test_a_referee_notes_nobody_of_their_own_table():
    """[INTEGRITY 118]"""
    session = scene()
    player = judge.seat(session, "S")
    by = judge.judge(session.tournament, "referee")
    by = type(by)(by.kind, by.id, by.roles, player_ids=frozenset({player.pk}))
    with pytest.raises(Refused) as refused:
        lateness_operations.mark_late(session, [judge.seat(session, "E")], by=by)
    assert [problem.code for problem in refused.value.problems] == ["conflict_of_interest"]


def test_the_page_marks_runs_and_stops():
    """[SBR 2.8.4.5]"""
    session = scene()
    client = Client()
    client.force_login(make.staff(session.tournament, "referee"))
    slug, player = session.tournament.slug, judge.seat(session, "E")
    page = reverse("penalties:lateness_clock", args=[slug, 1])
    assert client.post(page, {"players": [player.pk]}).status_code == 302
    now = session.started_at + timedelta(minutes=12, seconds=5)
    with mock.patch("django.utils.timezone.now", return_value=now):
        shown = client.get(page).content.decode()
        assert "12:05" in shown
        assert "−16 if here now" in shown
        client.post(reverse("penalties:arrived", args=[slug, 1, player.registration.number]))
    assert "−16 posted" in client.get(page).content.decode()
    assert client.post(page, {}).status_code == 422


def test_an_empty_seat_and_an_arrival_take_two_taps_from_the_round(client):
    """The round leads to the player, whose page starts the minutes; the round itself ends them."""
    of = make.tournament()
    make.players(of, 4)
    session = make.in_play(of)
    client.force_login(make.staff(of, "referee"))
    rounds = reverse("tournaments:tables", args=[of.slug])
    seat = session.seats.get(wind="S")
    clock = reverse("penalties:lateness_clock", args=[of.slug, 1])
    page = client.get(reverse("penalties:give", args=[of.slug, 1, 1]), {"seat": "S"}).content.decode()
    assert f'action="{clock}"' in page
    assert f'name="players" value="{seat.player_id}"' in page
    client.post(clock, {"players": [seat.player_id]})
    arrived = reverse("penalties:arrived", args=[of.slug, 1, seat.player.registration.number])
    assert client.get(rounds).content.decode().count(f'action="{arrived}"') == 1
    answer = client.post(arrived, {"back": "tables"})
    assert answer["Location"] == rounds
    assert Lateness.objects.get().state == Lateness.State.ARRIVED
    assert f'action="{arrived}"' not in client.get(rounds).content.decode()


def test_who_has_no_game_cannot_be_late_for_it():
    of = make.tournament(smallest_table=4)
    make.players(of, 5)
    session = play.start_session(make.seated_short(of), by=make.organizer_of(of))
    resting = session.seats.get(table__protocol=None).player
    client = Client()
    client.force_login(make.staff(of, "referee"))
    page = client.get(reverse("penalties:lateness_clock", args=[of.slug, 1])).content.decode()
    assert resting.name not in page


def test_who_is_not_checked_in_stands_first_among_the_empty_seats():
    """[SBR 2.4.5]"""
    session = scene()
    seats = list(session.seats.select_related("player__registration", "table").in_order())
    assert _named(seats[0], is_missing=False) == LateForm(seats=seats).fields["players"].choices[0][1]
    for seat in seats[:-1]:
        seat.player.registration.checked_in_at = datetime(2026, 5, 9, 8, tzinfo=UTC)
    first, second, *_rest = LateForm(seats=seats).fields["players"].choices
    assert first == (str(seats[-1].player_id), f"{_named(seats[-1], is_missing=False)} · not checked in")
    assert second[0] == str(seats[0].player_id)
