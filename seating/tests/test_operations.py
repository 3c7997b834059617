"""Draws in the application: kept with all they were made from, published whole, repeated by anybody. [RULES 1.3]"""

from dataclasses import replace
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from seating.desk.foresight import foresee
from seating.drafts import operations as draws
from seating.drafts import queries, reports, working
from seating.drafts.plans import Options
from seating.drafts.working import drawn, is_repeated
from seating.models import Draw
from seating.rules import random_draw
from tournaments.models import HistoryEntry, Player, Protocol, Seat
from tournaments.people.operations import registration
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import substitutes
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def sessions_of(of, *numbers):
    rows = list(of.sessions.filter(number__in=numbers).order_by("number"))
    for row in rows:
        row.tournament = of
    return rows


def begun(of, mode, *numbers, seed="s", options=None):
    return draws.propose(
        of, sessions_of(of, *numbers), mode=mode, seed=seed, options=options, by=make.organizer_of(of)
    )


def seated(draw, session):
    tables = draw.plan[str(session)]["tables"]
    return sorted(seat for table in tables for seat in table if seat is not None)


def test_a_fixed_draw_seats_all_sessions_and_nobody_meets_anybody_twice():
    of = make.tournament(sessions=4)
    make.players(of, 16)
    draw = draws.run_draw(begun(of, Draw.Mode.FIXED, 1, 2, 3, 4).pk)
    assert draw.state == Draw.State.DRAFT
    assert [seated(draw, number) for number in range(1, 5)] == [list(range(1, 17))] * 4
    figures = {figure["code"]: figure["value"] for figure in draw.quality}
    assert figures["repeats"] == 0
    draws.publish(draw, by=make.organizer_of(of))
    assert of.sessions.filter(published_at__isnull=False).count() == 4
    assert Protocol.objects.filter(table__session__tournament=of).count() == 16


def test_a_swiss_draw_follows_the_standings():
    of = make.tournament(sessions=2)
    make.players(of, 8)
    session = make.in_play(of)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, make.east_from_south(protocol.table.number))
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    draw = begun(of, Draw.Mode.SWISS, 2, options=Options(swiss_mode="strict"))
    place = dict(of.standings.values_list("player__registration__number", "place"))
    top, bottom = draw.plan["2"]["tables"]
    assert max(place[number] for number in top) <= min(place[number] for number in bottom)


def test_a_swiss_draw_reads_standings_that_follow_from_the_last_hand():
    """Nobody has recomputed since the session was played: the draw does so first. [INTEGRITY 62]"""
    of = make.tournament(sessions=2)
    make.players(of, 8)
    session = make.in_play(of)
    recompute.recompute(of.pk)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, make.east_from_south(protocol.table.number))
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    assert of.pk in recompute.behind()
    draw = begun(of, Draw.Mode.SWISS, 2, options=Options(swiss_mode="strict"))
    recompute.recompute(of.pk)
    places = dict(of.standings.values_list("player__registration__number", "place"))
    assert len(set(places.values())) > 1
    assert dict(draw.inputs["standings"]) == places


@pytest.mark.parametrize("mode", [Draw.Mode.FIXED, Draw.Mode.SWISS])
def test_a_long_draw_begins_once_its_row_is_committed(mode, monkeypatch, django_capture_on_commit_callbacks):
    """A worker that is faster than the commit finds no draw, and nobody draws it ever."""
    of = make.tournament()
    make.players(of, 40)
    begun_with = []
    monkeypatch.setattr(draws, "start_drawing", begun_with.append)
    with django_capture_on_commit_callbacks(execute=True):
        draw = begun(of, mode, 1)
        assert (draw.state, begun_with) == (Draw.State.RUNNING, [])
    assert begun_with == [draw.pk]


@pytest.mark.parametrize("mode", [Draw.Mode.FIXED, Draw.Mode.SWISS])
def test_a_long_draw_is_repeated_once_its_publication_is_committed(
    mode, monkeypatch, django_capture_on_commit_callbacks
):
    of = make.tournament()
    make.players(of, 40)
    repeated = []
    monkeypatch.setattr(draws, "start_repeating", repeated.append)
    draw = draws.run_draw(begun(of, mode, 1).pk)
    with django_capture_on_commit_callbacks(execute=True):
        draws.publish(draw, by=make.organizer_of(of))
        assert repeated == []
    assert repeated == [draw.pk]


def test_the_same_seed_gives_the_same_plan_and_another_seed_another():
    of = make.tournament()
    make.players(of, 16)
    one, again, other = (begun(of, Draw.Mode.RANDOM, 1, seed=seed).plan for seed in ("a", "a", "b"))
    assert one == again
    assert one != other


def test_clubs_are_kept_apart():
    of = make.tournament(sessions=2)
    by = make.organizer_of(of)
    for index, bird in enumerate(make.BIRDS):
        registration.register_player(of, registration.Details(name=bird, club=f"Club {index % 4}"), by=by)
    draw = draws.run_draw(begun(of, Draw.Mode.FIXED, 1, 2, options=Options(keep_apart=("club",))).pk)
    figures = {figure["code"]: figure["value"] for figure in draw.quality}
    assert figures["same_club"] == 0


def test_an_impossible_wish_is_refused_with_the_reason():
    """[INTEGRITY 57]"""
    of = make.tournament(sessions=6)
    make.players(of, 16)
    wish = Options(no_repeats=True)
    with pytest.raises(Refused) as refused:
        begun(of, Draw.Mode.FIXED, 1, 2, 3, 4, 5, 6, options=wish)
    problem = refused.value.problems[0]
    assert (refused.value.status, problem.code, problem.details["m"]) == (422, "seating_impossible", 5)
    assert not Draw.objects.exists()


def test_a_promise_that_the_search_cannot_keep_is_told_at_the_desk():
    """Two who must meet are given to the plan by the session before; the draw ends as impossible and seats nobody."""
    of = make.tournament(sessions=2)
    make.players(of, 16)
    draw = begun(of, Draw.Mode.FIXED, 1, 2, options=Options(no_repeats=True, keep_apart=()))
    Draw.objects.filter(pk=draw.pk).update(
        sessions=[1, 2],
        settings={**draw.settings, "locks": [[number, who, 1, None] for number in (1, 2) for who in (1, 2)]},
    )
    draw = draws.run_draw(draw.pk)
    assert (draw.state, draw.problems[0]["code"]) == (Draw.State.FAILED, "seating_impossible")
    assert not of.sessions.filter(published_at__isnull=False).exists()


def test_a_draw_given_up_leaves_nothing_behind():
    of = make.tournament(sessions=4)
    make.players(of, 16)
    draw = begun(of, Draw.Mode.FIXED, 1, 2, 3, 4)
    draws.cancel(draw, by=make.organizer_of(of))
    assert draws.run_draw(draw.pk).state == Draw.State.CANCELLED
    assert Draw.objects.get(pk=draw.pk).plan == {}
    assert not of.sessions.filter(published_at__isnull=False).exists()


def test_a_lost_worker_is_found_and_its_draw_begun_again():
    of = make.tournament(sessions=4)
    make.players(of, 16)
    draw = begun(of, Draw.Mode.FIXED, 1, 2, 3, 4)
    assert draws.left_behind() == []
    Draw.objects.filter(pk=draw.pk).update(moved_at="2020-01-01T00:00:00Z")
    assert draws.left_behind() == [draw.pk]
    assert draws.run_draw(draw.pk).state == Draw.State.DRAFT


def test_an_earlier_proposal_can_be_taken_up_again():
    of = make.tournament()
    make.players(of, 8)
    first = begun(of, Draw.Mode.RANDOM, 1, seed="a")
    second = begun(of, Draw.Mode.RANDOM, 1, seed="b")
    first.refresh_from_db()
    draws.take_up(first, by=make.organizer_of(of))
    assert {d.seed: d.state for d in of.draws.all()} == {"a": "draft", "b": "discarded"}
    with pytest.raises(Refused):
        draws.publish(second, by=make.organizer_of(of))


def test_a_redraw_keeps_the_sessions_that_stand():
    of = make.tournament(sessions=4)
    rows = make.players(of, 16)
    by = make.organizer_of(of)
    draws.publish(draws.run_draw(begun(of, Draw.Mode.FIXED, 1, 2).pk), by=by)
    for row in rows[:4]:
        registration.withdraw(row, by=by)
    draw = draws.run_draw(begun(of, Draw.Mode.FIXED, 3, 4).pk)
    assert seated(draw, 3) == list(range(5, 17))
    assert len(draw.inputs["existing"]) == 2


def test_published_draws_are_repeated_by_the_command_also_when_changed_by_hand():
    of = make.tournament()
    make.players(of, 8)
    draw = begun(of, Draw.Mode.RANDOM, 1)
    first, second = draw.plan["1"]["tables"][0][0], draw.plan["1"]["tables"][1][0]
    draws.swap_in_draft(draw, first, second, session=1, by=make.organizer_of(of), key=uuid4().hex)
    draws.publish(Draw.objects.get(pk=draw.pk), by=make.organizer_of(of))
    said = StringIO()
    call_command("verify_draw", of.slug, stdout=said)
    assert said.getvalue() == f"{of.slug}, session 1: the same tables (four-winds/1, 1 changes by hand).\n"
    Draw.objects.filter(pk=draw.pk).update(seed="another")
    with pytest.raises(SystemExit) as ended:
        call_command("verify_draw", of.slug, stdout=StringIO())
    assert ended.value.code == 1


def test_everybody_is_seated_at_the_wind_that_the_draw_gave():
    """East first, in every mode; whoever looks at the plan finds the seats. [RULES 1.3] [SBR 2.4.6]"""
    of = make.tournament(sessions=3)
    make.players(of, 8)
    for number, mode in ((1, Draw.Mode.RANDOM), (2, Draw.Mode.FIXED), (3, Draw.Mode.PROGRAMMED)):
        draw = draws.run_draw(begun(of, mode, number).pk)
        draws.publish(draw, by=make.organizer_of(of))
        rows = of.sessions.get(number=number).seats.order_by("table__number")
        sits = {
            (table, wind): who
            for table, wind, who in rows.values_list("table__number", "wind", "player__registration__number")
        }
        assert sits == {
            (table, wind): who
            for table, seats in enumerate(draw.plan[str(number)]["tables"], start=1)
            for wind, who in zip("ESWN", seats, strict=True)
        }


def verified(of):
    """What verify_draw says, and whether it ends with success."""
    said = StringIO()
    try:
        call_command("verify_draw", of.slug, stdout=said)
    except SystemExit as ended:
        return said.getvalue(), ended.code == 0
    return said.getvalue(), True


def test_seats_published_at_other_winds_than_drawn_are_found(monkeypatch):
    """The plan repeats, the tables are the same; East and North have changed places on the way to the hall."""
    of = make.tournament()
    make.players(of, 8)
    seating_of = draws.seating_of

    def reversed_winds(draw, session):
        seating = seating_of(draw, session)
        tables = {number: list(reversed(seats)) for number, seats in seating.tables.items()}
        return replace(seating, tables=tables)

    draw = begun(of, Draw.Mode.RANDOM, 1)
    with monkeypatch.context() as patched:
        patched.setattr(draws, "seating_of", reversed_winds)
        draws.publish(draw, by=make.organizer_of(of))
    said, is_good = verified(of)
    assert (said, is_good) == (
        f"{of.slug}, session 1: the same tables, OTHER SEATS PUBLISHED in session 1 (four-winds/1).\n",
        False,
    )
    draws.repeat(draw.pk)
    draw.refresh_from_db()
    assert draw.is_repeatable is False


def test_seats_moved_without_a_word_in_the_history_are_found():
    of = make.tournament()
    make.players(of, 8)
    session = make.seated(of)
    assert verified(of)[1]
    east, north = (session.seats.get(table__number=1, wind=wind) for wind in "EN")
    Seat.objects.filter(pk__in=[east.pk, north.pk]).delete()
    east.wind, north.wind = north.wind, east.wind
    Seat.objects.bulk_create([east, north])
    said, is_good = verified(of)
    assert said.endswith(f"{of.slug}, session:1: the seats are not those in the history.\n")
    assert not is_good


def test_seats_moved_with_a_reason_or_by_cards_are_verified():
    """What the history tells is not a fault: a change after publication, winds drawn with cards, a seat kept empty."""
    of = make.tournament()
    make.players(of, 8)
    by, session = make.organizer_of(of), make.seated(of)
    session.tournament = of
    one, other = (row.number for row in of.registrations.filter(number__in=(1, 8)))
    draws.change_published(session, one, other, by=by, reason="Brothers asked for it")
    gone = session.seats.get(table__number=2, wind="W").player
    gone.tournament = of
    substitutes.leave_empty(gone, session, by=by, reason="Fell ill at breakfast")
    for table in session.tables.all():
        table.session = session
        whose = {seat.wind: seat.kept_for_id or seat.player_id for seat in table.seats.all()}
        play.write_winds(table, {whose["E"]: "S", whose["S"]: "W", whose["W"]: "N", whose["N"]: "E"}, by=by)
    assert verified(of) == (f"{of.slug}, session 1: the same tables (four-winds/1).\n", True)
    assert verify(of) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["nowhere"], "There is no tournament “nowhere”."), (["", "9"], "No published draw seats session 9.")],
)
def test_nothing_to_verify_is_no_proof(arguments, sentence):
    """A mistyped address or session is not answered by silence and a status of success."""
    with pytest.raises(CommandError) as refused:
        call_command("verify_draw", *arguments, stdout=StringIO())
    assert str(refused.value) == sentence


def test_a_draw_of_the_first_method_is_worked_out_by_it_again():
    """What was published keeps its plan, though the later method has a better one. [SEATING 9]"""
    of = make.tournament(sessions=7)
    make.players(of, 29)
    draw = draws.run_draw(begun(of, Draw.Mode.FIXED, *range(1, 8)).pk)
    plan, quality = drawn(draw)
    assert (draw.method, plan) == ("four-winds-fixed/2", draw.plan)
    draw.method = "four-winds-fixed/1"
    old_plan, old_quality = drawn(draw)
    returns = [
        next(line["value"] for line in lines if line["code"] == "table_repeats")
        for lines in (quality, old_quality)
    ]
    assert (old_plan != plan, returns) == (True, [18, 26])


def test_clubs_apart_make_a_random_draw_a_planned_one_that_knows_no_earlier_session():
    of = make.tournament()
    by = make.organizer_of(of)
    for index, bird in enumerate(make.BIRDS[:8]):
        registration.register_player(of, registration.Details(name=bird, club=f"Club {index % 2}"), by=by)
    draw = begun(of, Draw.Mode.RANDOM, 1, options=Options(keep_apart=("club",)))
    assert (draw.method, draw.state) == ("four-winds-fixed/2", Draw.State.RUNNING)
    done = draws.run_draw(draw.pk)
    assert [figure["value"] for figure in done.quality if figure["code"] == "same_club"] == [4]


def test_a_substitute_fills_the_last_table_first():
    """[SBR 3.1.3]"""
    of = make.tournament()
    make.players(of, 7)
    by = make.organizer_of(of)
    substitute = registration.name_substitute(of, registration.Details(name="Ruff"), by=by)
    draw = begun(of, Draw.Mode.RANDOM, 1, options=Options(substitutes=(substitute.player_id,)))
    assert draw.plan["1"]["tables"][1][3] == f"s{substitute.player_id}"
    draws.publish(draw, by=by)
    assert of.sessions.get(number=1).seats.filter(player=substitute.player, kept_for=None).exists()
    assert Draw.objects.get(pk=draw.pk).is_repeatable


@pytest.mark.parametrize(("players", "tables"), [(3, [3]), (5, [3, 2]), (6, [3, 3])])
def test_three_at_a_table_are_drawn_at_random_like_four(players, tables):
    """Tables of three; the two who are left play one of two. [SIAM]"""
    of = make.tournament("siamese")
    make.players(of, players)
    draw = draws.propose_random(of, sessions_of(of, 1)[0], by=make.organizer_of(of), seed="x")
    assert (draw.state, draw.method) == (Draw.State.DRAFT, "four-winds/1")
    draws.publish(draw, by=make.organizer_of(of))
    session = of.sessions.get(number=1)
    assert [table.seats.count() for table in session.tables.order_by("number")] == tables
    assert Protocol.objects.filter(table__session=session).count() == len(tables)
    assert Draw.objects.get(pk=draw.pk).is_repeatable


def test_substitutes_and_those_left_over_make_one_more_table():
    of = make.tournament()
    make.players(of, 6)
    by = make.organizer_of(of)
    pool = [
        registration.name_substitute(of, registration.Details(name=name), by=by).player_id
        for name in ("Ruff", "Snipe")
    ]
    draw = begun(of, Draw.Mode.RANDOM, 1, options=Options(substitutes=tuple(pool)))
    assert draw.plan["1"]["off"] == []
    assert {f"s{number}" for number in pool} < set(draw.plan["1"]["tables"][1])


def test_players_who_fill_no_table_wait_for_a_rule():
    """[INTEGRITY 55]"""
    of = make.tournament("mcr")
    make.players(of, 15)
    with pytest.raises(Refused) as refused:
        begun(of, Draw.Mode.RANDOM, 1)
    assert (refused.value.status, refused.value.problems[0].code) == (422, "not_divisible")
    assert begun(of, Draw.Mode.RANDOM, 1, options=Options(leftover="regulation")).state == Draw.State.DRAFT


def test_the_last_change_by_hand_is_taken_back():
    of = make.tournament()
    make.players(of, 8)
    by = make.organizer_of(of)
    draw = begun(of, Draw.Mode.RANDOM, 1)
    first, second = draw.plan["1"]["tables"][0][0], draw.plan["1"]["tables"][1][0]
    changed = draws.swap_in_draft(draw, first, second, session=1, by=by, key=uuid4().hex)
    assert changed.plan != draw.plan
    undone = draws.undo_edit(changed, by=by, key=uuid4().hex)
    assert (undone.plan, undone.edits, undone.quality) == (draw.plan, [], draw.quality)
    with pytest.raises(Refused):
        draws.undo_edit(undone, by=by, key=uuid4().hex)


@pytest.mark.parametrize("mode", [Draw.Mode.RANDOM, Draw.Mode.SWISS, Draw.Mode.PROGRAMMED])
def test_a_locked_seat_stays_when_the_draw_is_made_anew(mode):
    of = make.tournament()
    make.players(of, 16)
    by = make.organizer_of(of)
    draw = draws.run_draw(begun(of, mode, 1).pk)
    who = draw.plan["1"]["tables"][2][1]
    draw = draws.pin(draw, who, session=1, by=by, key=uuid4().hex)
    with pytest.raises(Refused) as refused:
        draws.swap_in_draft(draw, who, draw.plan["1"]["tables"][0][0], session=1, by=by, key=uuid4().hex)
    assert refused.value.problems[0].code == "seat_locked"
    again = begun(of, mode, 1, seed="another", options=Options(locks=tuple(map(tuple, draw.pins))))
    again = draws.run_draw(again.pk)
    assert again.plan["1"]["tables"][2][1] == who
    assert seated(again, 1) == list(range(1, 17))


def test_winds_drawn_from_the_seed_leave_everybody_at_their_table():
    of = make.tournament()
    make.players(of, 16)
    plain = draws.run_draw(begun(of, Draw.Mode.SWISS, 1).pk)
    drawn = draws.run_draw(begun(of, Draw.Mode.SWISS, 1, options=Options(winds="seed")).pk)
    tables = [[sorted(table) for table in draw.plan["1"]["tables"]] for draw in (plain, drawn)]
    assert tables[0] == tables[1]
    assert plain.plan != drawn.plan


def test_a_promised_secret_goes_before_public_chance_and_serves_one_draw():
    """[RULES 1.3]"""
    of = make.tournament()
    make.players(of, 8)
    by = make.organizer_of(of)
    promise = draws.commit(of, by=by)
    assert draws.commit(of, by=by) == promise
    [entry] = HistoryEntry.objects.filter(tournament=of, kind="draw_promised")
    assert promise.digest in entry.content
    assert promise.secret not in entry.content
    session = sessions_of(of, 1)

    def propose(seed):
        return draws.propose(of, session, mode=Draw.Mode.RANDOM, by=by, seed=seed, commitment=promise)

    with pytest.raises(Refused) as refused:
        propose("")
    assert refused.value.problems[0].code == "seed_missing"
    draw = propose("314159")
    assert draw.seed == f"{promise.secret}:314159"
    assert promise.digest == random_draw.commitment(promise.secret)
    with pytest.raises(Refused):
        propose("271828")


def test_a_swiss_draw_waits_for_the_games_before_it():
    """[INTEGRITY 62]"""
    of = make.tournament()
    make.players(of, 8)
    make.in_play(of)
    with pytest.raises(Refused) as refused:
        begun(of, Draw.Mode.SWISS, 2)
    problem = refused.value.problems[0]
    assert (problem.code, problem.details["tables"]) == ("games_open", "1, 2")


def test_a_session_seated_already_says_by_whom_and_when():
    """[INTEGRITY 63]"""
    of = make.tournament()
    make.players(of, 8)
    make.seated(of)
    with pytest.raises(Refused) as refused:
        begun(of, Draw.Mode.RANDOM, 1)
    problem = refused.value.problems[0]
    assert (problem.code, problem.details["user"]) == ("round_exists", of.created_by.title)


def redrawn(of, *numbers, reason="Two have gone", options=None, mode=Draw.Mode.RANDOM):
    sessions = sessions_of(of, *numbers)
    return draws.propose(
        of, sessions, mode=mode, seed="again", reason=reason, options=options, by=make.organizer_of(of)
    )


def test_published_sessions_are_drawn_anew_with_a_reason_and_in_one_step():
    of = make.tournament()
    rows = make.players(of, 9)
    by = make.organizer_of(of)
    make.seated(of)
    registration.withdraw(rows[8], by=by)
    draw = redrawn(of, 1)
    assert of.sessions.get(number=1).is_published
    draws.publish(draw, by=by)
    session = of.sessions.get(number=1)
    assert sorted(session.seats.values_list("player__registration__number", flat=True)) == list(range(1, 9))
    kinds = list(
        HistoryEntry.objects.filter(tournament=of, kind__startswith="seating").values_list("kind", flat=True)
    )
    assert kinds == ["seating_published", "seating_withdrawn", "seating_published"]
    assert queries.published_draw(session) == draw
    assert queries.news_of(session)["changes"][0]["reason"] == "Two have gone"


def test_a_redraw_is_refused_when_somebody_changed_the_seating_meanwhile():
    of = make.tournament()
    make.players(of, 8)
    make.seated(of)
    by = make.organizer_of(of)
    one = redrawn(of, 1)
    draws.publish(one, by=by)
    Draw.objects.filter(pk=one.pk).update(state=Draw.State.DRAFT)
    with pytest.raises(Refused) as refused:
        draws.publish(Draw.objects.get(pk=one.pk), by=by)
    assert refused.value.problems[0].code == "stale_draw"


def test_a_session_that_has_begun_stands():
    of = make.tournament()
    make.players(of, 8)
    make.in_play(of)
    assert draws.replaceable(of) == []
    with pytest.raises(Refused) as refused:
        redrawn(of, 1)
    assert refused.value.problems[0].code == "has_hands"


def test_who_comes_late_plays_from_the_session_that_is_drawn_anew():
    of = make.tournament()
    make.players(of, 8)
    by = make.organizer_of(of)
    make.seated(of)
    make.seated(of, 2)
    late = registration.register_player(of, registration.Details(name="Avocet"), by=by)
    assert late.first_session == 3
    draw = draws.run_draw(redrawn(of, 2, options=Options()).pk)
    draws.publish(draw, by=by)
    late.refresh_from_db()
    assert late.first_session == 2
    assert of.sessions.get(number=2).seats.filter(player=late.player).exists()


def test_tables_are_kept_where_one_leaves_a_gap_and_another_takes_it():
    of = make.tournament()
    rows = make.players(of, 8)
    by = make.organizer_of(of)
    make.seated(of)
    before = dict(of.sessions.get(number=1).seats.values_list("player_id", "table__number"))
    registration.withdraw(rows[2], by=by)
    draw = draws.propose_repair(of, by=by, reason="One is ill")
    assert [who for table in draw.plan["1"]["tables"] for who in table].count(None) == 1
    late = registration.register_player(of, registration.Details(name="Avocet"), by=by)
    draws.publish(draws.propose_repair(of, by=by, reason="One is ill, one came"), by=by)
    after = dict(of.sessions.get(number=1).seats.values_list("player_id", "table__number"))
    assert after.pop(late.player_id) == before.pop(rows[2].player_id)
    assert after == before


def test_a_change_of_a_public_seating_is_announced_with_its_reason():
    of = make.tournament()
    make.players(of, 8)
    session = make.seated(of)
    session.tournament = of
    one = session.seats.get(table__number=1, wind="E").player
    other = session.seats.get(table__number=2, wind="S").player
    draws.change_published(
        session,
        one.registration.number,
        other.registration.number,
        by=make.organizer_of(of),
        reason="Weak sight",
    )
    [news] = queries.news_of(session)["changes"]
    assert news["reason"] == "Weak sight"
    assert {(move["name"], move["table"], move["wind"]) for move in news["moves"]} == {
        (str(other), 1, "E"),
        (str(one), 2, "S"),
    }


def test_winds_drawn_with_cards_are_written_down_before_the_first_hand():
    """[SBR 2.4.6]"""
    of = make.tournament()
    make.players(of, 4)
    session = make.in_play(of)
    by = make.organizer_of(of)
    table = session.tables.get()
    table.session.tournament = of
    before = dict(table.seats.values_list("wind", "player_id"))
    winds = {"E": "S", "S": "W", "W": "N", "N": "E"}
    turned = {who: winds[wind] for wind, who in before.items()}
    for _ in range(2):  # sent again after an answer that never came
        play.write_winds(table, turned, by=by)
        assert dict(table.seats.values_list("player_id", "wind")) == turned
    assert of.history.filter(kind="seating_changed").count() == 1
    with pytest.raises(Refused):
        play.write_winds(table, dict.fromkeys(turned, "E"), by=by)
    protocol = Protocol.objects.select_related("table__session__tournament").get(table=table)
    make.record(protocol)
    with pytest.raises(Refused) as refused:
        play.write_winds(table, {who: wind for wind, who in before.items()}, by=by)
    assert refused.value.problems[0].code == "table_started"


def test_winds_of_a_page_that_is_older_than_a_change_of_seats_are_refused():
    of = make.tournament()
    make.players(of, 8)
    by, session = make.organizer_of(of), make.seated(of)
    session.tournament = of
    table = session.tables.get(number=1)
    table.session = session
    seen = dict(table.seats.values_list("player_id", "wind"))
    one = of.registrations.get(player=min(seen)).number
    other = of.registrations.exclude(player__in=seen).first().number
    draws.change_published(session, one, other, by=by, reason="Brothers asked for it")
    with pytest.raises(Refused) as refused:
        play.write_winds(table, seen, by=by)
    assert refused.value.problems[0].code == "version"


def test_a_draw_that_breaks_says_so_and_is_not_begun_for_ever(monkeypatch):
    of = make.tournament()
    make.players(of, 16)
    draw = begun(of, Draw.Mode.FIXED, 1, 2)
    monkeypatch.setattr(draws, "drawn", lambda *args, **kwargs: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        draws.run_draw(draw.pk)
    draw.refresh_from_db()
    assert (draw.state, draw.problems[0]["code"]) == (Draw.State.FAILED, "draw_broken")
    assert draws.left_behind(at_all=True) == []


def test_deputies_draw_for_those_who_have_not_come():
    """[SBR 2.4.1]"""
    of = make.tournament()
    rows = make.players(of, 8)
    by = make.organizer_of(of)
    for row in rows[:4]:
        registration.check_in(row, by=by)
    assert seated(begun(of, Draw.Mode.RANDOM, 1, options=Options()), 1) == [1, 2, 3, 4]
    assert seated(begun(of, Draw.Mode.RANDOM, 1, options=Options(with_absent=True)), 1) == list(range(1, 9))


def short_in(draw, session):
    """Who has no game in a session of a plan, or sits at an incomplete table."""
    plan = draw.plan[str(session)]
    gaps = [who for seats in plan["tables"] if None in seats for who in seats if who is not None]
    return sorted([*plan["off"], *gaps])


@pytest.mark.parametrize("keep_apart", [(), ("club",)], ids=["plain", "with a wish"])
def test_random_draws_of_session_after_session_remember_who_was_short(keep_apart):
    """Seven players, three at an incomplete table each time: of two sessions nobody is there twice. [RULES 8.33]"""
    of = make.tournament(sessions=2)
    make.players(of, 7)
    options = Options(keep_apart=keep_apart)
    for seed in ("a", "b"):
        first = draws.run_draw(begun(of, Draw.Mode.RANDOM, 1, seed=seed, options=options).pk)
        draws.publish(first, by=make.organizer_of(of))
        second = draws.run_draw(begun(of, Draw.Mode.RANDOM, 2, seed=f"{seed} again", options=options).pk)
        assert set(short_in(first, 1)) & set(short_in(second, 2)) == set()
        draws.publish(second, by=make.organizer_of(of))
        assert [is_repeated(first), is_repeated(second)] == [True, True]
        for session in reversed(sessions_of(of, 1, 2)):
            play.withdraw_seating(session, by=make.organizer_of(of), reason="Once more.")


def gaps_of(draw, number):
    """Which seats are empty in a session of a draw that is worked out anew: 0 East to 3 North."""
    return {seats.index(None) for seats in drawn(draw)[0][str(number)]["tables"] if None in seats}


@pytest.mark.parametrize("winds", ["seed", "cards", "plan"])
def test_where_lots_are_drawn_north_is_missing_with_a_wish_too(winds):
    """Whatever the wish, the seat that stays empty is North; what an earlier release drew is repeated as it was. [SBR 3.1.3]"""
    of = make.tournament(sessions=4)
    make.players(of, 15)
    of_earlier_release = set()
    for number in (1, 2, 3, 4):
        options = Options(keep_apart=("club",), winds=winds)
        draw = draws.run_draw(begun(of, Draw.Mode.RANDOM, number, seed=f"n{number}", options=options).pk)
        assert gaps_of(draw, number) == {3}
        draws.publish(draw, by=make.organizer_of(of))
        assert is_repeated(draw)
        del draw.inputs["gap"]
        of_earlier_release |= gaps_of(draw, number)
    assert of_earlier_release > {3}


@pytest.mark.parametrize(
    ("mode", "options", "warned"),
    [
        (Draw.Mode.RANDOM, Options(), False),
        (Draw.Mode.FIXED, Options(winds="cards"), False),
        (Draw.Mode.FIXED, Options(winds="plan"), True),
    ],
    ids=["lots", "cards", "plan"],
)
def test_uneven_winds_are_a_warning_only_where_somebody_could_better_them(mode, options, warned):
    of = make.tournament(sessions=2)
    make.players(of, 8)
    draw = draws.run_draw(begun(of, mode, 1, options=options).pk)
    uneven = {
        "code": "winds",
        "value": 3,
        "is_best": False,
        "sentence": "Players whose winds are uneven at the end: %(value)s.",
        "details": {"value": 3},
    }
    figures = reports.figures([uneven], {}, reports.left_to_lots(draw))
    assert [figure.is_flaw for figure in figures] == [warned]
    assert (figures[0].text in reports.flaws(draw, {}, figures)) == warned


def test_a_first_session_by_standing_keeps_clubs_apart_as_promised():
    """What is said before the draw holds, and is repeated; a draw of an earlier release is repeated as it was. [INTEGRITY 57]"""
    of = make.tournament(sessions=2, seating="swiss")
    rows = make.players(of, 24)
    for row in rows:
        Player.objects.filter(pk=row.player_id).update(club=f"Club {row.number % 4}")
    options = Options(keep_apart=("club",))
    said = [one.sentence for one in foresee(of, sessions_of(of, 1), Draw.Mode.SWISS, options)]
    assert "Players of one club never need to meet." in said
    draw = draws.run_draw(begun(of, Draw.Mode.SWISS, 1, options=options).pk)
    assert {one["code"]: one["value"] for one in draw.quality}["same_club"] == 0
    assert is_repeated(draw)
    del draw.inputs["unplaced"]
    assert working.swiss_request(draw.inputs, options, "s").has_standings


def test_once_there_are_standings_nobody_is_promised_never_to_meet():
    of = make.tournament(sessions=2, seating="swiss")
    for row in make.players(of, 8):
        Player.objects.filter(pk=row.player_id).update(club=f"Club {row.number % 4}")
    session = make.in_play(of)
    protocol = (
        Protocol.objects.filter(table__session=session).select_related("table__session__tournament").first()
    )
    make.record(protocol)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    for mode, told in (("balanced", "where the standings allow it"), ("strict", "nobody is kept apart")):
        options = Options(keep_apart=("club",), swiss_mode=mode)
        said = [one.sentence for one in foresee(of, sessions_of(of, 2), Draw.Mode.SWISS, options)]
        assert "Players of one club never need to meet." not in said
        assert [told in one for one in said].count(True) == 1
        assert "The first table is the table of the leaders; a gap moves to the last table." in said


@pytest.mark.parametrize(
    ("preset", "said"), [("mcr", "No game in session 1"), ("sbr", "Not full in session 1")]
)
def test_a_draft_says_whether_those_at_an_incomplete_table_play(preset, said):
    """Three of seven: where only full tables play they have no game. [SBR 3.1.3] [RULES 8.34]"""
    of = make.tournament(preset, smallest_table=4 if preset == "mcr" else 3)
    make.players(of, 7)
    draw = draws.run_draw(begun(of, Draw.Mode.SWISS, 1, options=Options(leftover="regulation")).pk)
    (first, *_rest) = reports.flaws(draw, queries.people_of(of), [])
    assert first.startswith(said)
    assert first.count(",") >= 2


def test_a_table_broken_by_absence_is_no_incomplete_table_of_the_draw():
    """Three play on because the fourth did not come: they may still be drawn to an incomplete table. [RULES 8.33]"""
    of = make.tournament(sessions=2)
    make.players(of, 8)
    session = make.in_play(of)
    missing = session.seats.select_related("player").first().player
    substitutes.leave_empty(missing, session, by=make.organizer_of(of), reason="Not in the hall.")
    assert begun(of, Draw.Mode.RANDOM, 2).inputs["short"] == []


def test_a_random_draw_of_an_earlier_release_is_repeated_as_it_was_made():
    """It knew nothing of earlier sessions: kept without who was short, it gives the same tables. [RULES 8.33]"""
    of = make.tournament(sessions=2)
    make.players(of, 7)
    draws.publish(begun(of, Draw.Mode.RANDOM, 1), by=make.organizer_of(of))
    draw = begun(of, Draw.Mode.RANDOM, 2, seed="old")
    assert draw.method == "four-winds/2"
    draw.method = "four-winds/1"
    del draw.inputs["short"]
    drawn = random_draw.random_draw("old", range(1, 8))
    draw.plan = {"2": {"tables": [[*seats, *[None] * (4 - len(seats))] for seats in drawn.tables], "off": []}}
    assert is_repeated(draw)
