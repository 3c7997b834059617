"""What judgements bring reaches the standings exactly as the rulebook's own count has it, in whatever order they come."""

from contextlib import suppress
from datetime import timedelta
from fractions import Fraction
from uuid import uuid4

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from penalties.appeals import operations as appeals_operations
from penalties.ladder.operations import penalties
from penalties.ladder.operations.lines import settle
from penalties.lateness import operations as lateness_operations
from penalties.models import Appeal, Penalty
from penalties.substitutes import operations as substitutes_operations
from penalties.tests import factories as judge
from scoring.record.computed import compute
from scoring.standings.ranking import rank
from scoring.standings.sessions import session_ledger, tally
from tournaments.exchange.record import declared_of
from tournaments.models import Protocol, Session, Tournament
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.adjustments import Entry
from tournaments.standings.operations.verification import verify
from tournaments.tables.queries.events import event_of
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db

FACTS = {
    "sbr": make.east_from_south(2),
    "mcr": {"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": 9}]}]},
    "riichi_ema": {"events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "han": 2, "fu": 30}]}]},
}
DECISIONS = {"sbr": ("beyond_ladder", 7), "mcr": ("violation", 20), "riichi_ema": ("disturbance", 8000)}
LADDERED = {
    "sbr": ["touching", "late_claim", "untidy_tiles"],
    "mcr": ["touching", "late_claim", "empty_claim"],
    "riichi_ema": [],
}

seat = st.sampled_from([(table, wind) for table in (1, 2) for wind in "ESWN"])
penalty = st.one_of(
    st.tuples(st.just("offence"), seat, st.integers(0, 2), st.integers(1, 6)),
    st.tuples(st.just("decision"), seat, st.sampled_from(["", "table", "player"]), st.just(0)),
    st.tuples(st.just("tp"), seat, st.sampled_from(["1/2", "1"]), st.just(0)),
)
line = st.tuples(st.just("adjust"), seat, st.sampled_from([5, -5]), st.just(0))
step = st.one_of(
    penalty,
    st.tuples(st.just("late"), seat, st.integers(0, 600), st.booleans()),
    st.tuples(st.just("revoke"), seat, st.integers(0, 9), st.just(0)),
    st.tuples(st.just("appeal"), seat, st.integers(0, 9), st.sampled_from(["upheld", "dismissed"])),
    st.tuples(st.just("replace"), seat, st.integers(1, 2), st.just(0)),
    st.tuples(st.just("adjust"), seat, st.sampled_from([5, -5, "result"]), st.just(0)),
)


def scene(preset: str) -> Session:
    """Two tables, one hand each, three substitutes in the pool."""
    of = make.tournament(preset)
    make.players(of, 8)
    for name in ("Mira", "Lada", "Zoya"):
        judge.substitute(of, name)
    session = make.in_play(of)
    session.tournament = of
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, FACTS[preset])
    return session


def act(session: Session, preset: str, what: str, where: tuple, one: object, other: object) -> None:
    """Do one step of a random event; a step that the rules refuse is none."""
    of, by = session.tournament, make.organizer_of(session.tournament)
    player = judge.seat(session, where[1], where[0])
    if what == "offence" and LADDERED[preset]:
        judge.give(player, LADDERED[preset][one], session, hand=other)
    elif what == "decision":
        code, points = DECISIONS[preset]
        neighbour = judge.seat(session, "S" if where[1] == "E" else "E", where[0])
        judge.give(
            player, code, session, points=points, to=one, to_player=neighbour if one == "player" else None
        )
    elif what == "tp" and of.regulation["tournament_points"]:
        code = DECISIONS[preset][0]
        judge.give(player, code, session, effect="tournament_points", points=Fraction(one))
    elif what == "late":
        (row,) = lateness_operations.mark_late(session, [player], by=make.referee_of(session.tournament))
        lateness_operations.note_arrival(
            row, by=make.referee_of(session.tournament), at=session.started_at + timedelta(seconds=one)
        )
        if other:
            lateness_operations.waive(
                row, by=make.referee_of(session.tournament), reason="The bus broke down."
            )
    elif what == "revoke" and of.penalties.exists():
        rows = list(of.penalties.all())
        penalties.revoke(
            rows[one % len(rows)],
            by=make.chief_referee_of(session.tournament),
            reason="A slip of the finger.",
        )
    elif what == "appeal" and of.regulation["appeals"]:
        rows = list(of.penalties.filter(state="in_force", player__registration__isnull=False))
        if rows:
            filed = judge.appeal(rows[one % len(rows)])
            appeals_operations.decide(
                filed, other, judge.LONG, body="chief_referee", by=make.chief_referee_of(session.tournament)
            )
    elif what == "replace":
        pool = [row for row in of.substitutes.all() if not row.player.seats.filter(session=session).exists()]
        if pool:
            substitutes_operations.seat_substitute(
                player, pool[0], [session], by=by, reason="Fell ill in the second hand.", from_hand=one
            )
    elif what == "adjust":
        rules = of.regulation_value
        change = {"result": rules.awarded_result} if one == "result" else {"game_points": one}
        adjustments.post(
            of,
            Entry(player=player, session=session, reason="By decision of the chief referee.", **change),
            by=make.chief_referee_of(session.tournament),
        )


def run(session: Session, preset: str, steps: list) -> None:
    for what, where, one, other in steps:
        with suppress(Refused), transaction.atomic():
            act(session, preset, what, where, one, other)


def close(session: Session) -> None:
    session.refresh_from_db()
    make.settle(session)
    play.close_session(session, by=make.organizer_of(session.tournament))


def of_the_site(of: Tournament) -> tuple[list, list]:
    """Results of the session and standings, as the site has them."""
    event = event_of(of)
    ledger = session_ledger(event, event.sessions[0])
    codes = dict(of.players.values_list("pk", "code"))
    found = {
        codes[player]: (str(row.kind), row.game_points, text(row.tournament_points), text(row.place))
        for player, row in ledger.results.items()
    }
    table = [
        (codes[row.player], row.place, row.shared) for row in rank(tally(event), event.regulation.ranking)
    ]
    return sorted(found.items()), table


def of_the_rulebook(of: Tournament) -> tuple[list, list]:
    """The same worked out by the rulebook's own count from what was declared."""
    counted = compute(declared_of(of))
    found = {
        player: (row["kind"], row["game_points"], row["tournament_points"], row["place"])
        for player, row in counted["sessions"][0]["results"].items()
    }
    return sorted(found.items()), [
        (row["player"], row["place"], row["shared"]) for row in counted["standings"]
    ]


def text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


FEW = settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.parametrize("preset", FACTS)
@given(steps=st.lists(step, max_size=10))
@FEW
def test_the_site_counts_as_the_rulebook_does(preset, steps):
    """[RECORD 2] [RECORD 4] [RULES 8.32] [RULES 8.35] [RULES 8.36] [RULES 8.38] [RULES 8.39]"""
    with transaction.atomic():
        session = scene(preset)
        run(session, preset, steps)
        close(session)
        of = session.tournament
        assert of_the_site(of) == of_the_rulebook(of)
        assert settle(of, by=make.organizer_of(of)) == 0
        assert verify(of) == []
        transaction.set_rollback(True)


@given(steps=st.lists(penalty, max_size=8))
@FEW
def test_what_is_given_and_revoked_leaves_the_standings_as_they_were(steps):
    """[RULES 1.8] Nothing is deleted: the history and the accounts only grow."""
    with transaction.atomic():
        session = scene("sbr")
        of = session.tournament
        before, lines, entries = of_the_site(of), of.adjustments.count(), of.history.count()
        run(session, "sbr", steps)
        for turn, row in enumerate(of.penalties.all()):
            if turn % 2:
                penalties.revoke(
                    row, by=make.chief_referee_of(session.tournament), reason="A slip of the finger."
                )
            else:
                appeals_operations.decide(
                    judge.appeal(row),
                    "upheld",
                    judge.LONG,
                    body="chief_referee",
                    by=make.chief_referee_of(session.tournament),
                )
            assert of.adjustments.count() >= lines
            assert of.history.count() > entries
            lines, entries = of.adjustments.count(), of.history.count()
        assert of_the_site(of) == before
        assert not of.adjustments.filter(reversed_at=None).exists()
        assert verify(of) == []
        transaction.set_rollback(True)


@given(
    steps=st.lists(st.one_of(penalty, line), max_size=6),
    seed=st.randoms(use_true_random=False),
)
@FEW
def test_the_order_of_arrival_does_not_matter(steps, seed):
    """The steps of one ladder cost together what they cost, whichever offence came first. [SBR 2.8.2]"""
    results = []
    for shuffled in (False, True):
        with transaction.atomic():
            session = scene("sbr")
            ordered = list(steps)
            if shuffled:
                seed.shuffle(ordered)
            run(session, "sbr", ordered)
            found, table = of_the_site(session.tournament)
            results.append((found, table))
            transaction.set_rollback(True)
    assert results[0] == results[1]


late = st.tuples(st.just("late"), seat, st.integers(0, 900), st.booleans())


@given(
    steps=st.lists(penalty, max_size=4),
    arrivals=st.lists(late, max_size=4, unique_by=lambda one: one[1]),
    seed=st.randoms(use_true_random=False),
)
@FEW
def test_late_players_may_come_in_any_order_and_between_any_penalties(steps, arrivals, seed):
    """[SBR 2.8.4.5]"""
    results = []
    for shuffled in (False, True):
        with transaction.atomic():
            session = scene("sbr")
            ordered = [*steps, *arrivals]
            if shuffled:
                seed.shuffle(ordered)
            run(session, "sbr", ordered)
            results.append(of_the_site(session.tournament))
            transaction.set_rollback(True)
    assert results[0] == results[1]


# The accounts themselves


@pytest.fixture
def session():
    return scene("sbr")


def test_a_revoked_step_posts_opposites_and_new_lines(session):
    """[RULES 8.38]"""
    of = session.tournament
    offender = judge.seat(session, "E")
    given_ = [judge.give(offender, "touching", session) for _ in range(4)]
    assert amounts(of) == [-2, -2, -4]
    penalties.revoke(
        given_[1], by=make.chief_referee_of(session.tournament), reason="Given to the wrong player."
    )
    assert amounts(of) == [-2, -2]
    assert [row.code for row in of.adjustments.filter(code__endswith="-reversed")] != []
    assert sum(row.game_points for row in of.adjustments.exclude(reversed_at=None)) == 0


def amounts(of: Tournament) -> list[int]:
    """The lines in force, in the order of their penalties."""
    rows = of.adjustments.filter(reversed_at=None).order_by("judged_by__penalty__number")
    return [row.game_points for row in rows]


def test_a_line_by_decision_is_reversed_once(session):
    of = session.tournament
    entry = Entry(
        player=judge.seat(session, "E"), session=session, game_points=5, reason="The hand was miscounted."
    )
    row = adjustments.post(of, entry, by=make.chief_referee_of(session.tournament))
    opposite = adjustments.reverse(row, by=make.chief_referee_of(session.tournament), reason="Counted again.")
    assert (row.game_points, opposite.game_points) == (5, -5)
    with pytest.raises(Refused) as refused:
        adjustments.reverse(row, by=make.chief_referee_of(session.tournament), reason="Counted again.")
    assert [problem.code for problem in refused.value.problems] == ["already_cancelled"]


BAD_LINES = {
    "nothing": {},
    "two": {"game_points": 5, "tournament_points": Fraction(1)},
    "zero": {"game_points": 0},
    "zero-tp": {"tournament_points": Fraction(0)},
    "no-reason": {"game_points": 5, "reason": " "},
}


@pytest.mark.parametrize("said", BAD_LINES.values(), ids=BAD_LINES)
def test_a_bad_line_is_not_posted(session, said):
    of = session.tournament
    entry = Entry(
        **{"player": judge.seat(session, "E"), "session": session, "reason": "Because of a mistake.", **said}
    )
    with pytest.raises(Refused):
        adjustments.post(of, entry, by=make.chief_referee_of(of))
    assert not of.adjustments.exists()


def test_a_whole_result_replaces_the_sessions_and_can_be_taken_back(session):
    """[RECORD 2]"""
    of = session.tournament
    before = of_the_site(of)
    fixed = of.regulation_value.fixed_result
    row = adjustments.post(
        of,
        Entry(player=judge.seat(session, "E"), session=session, result=fixed, reason="Left the hall."),
        by=make.chief_referee_of(session.tournament),
    )
    found = dict(of_the_site(of)[0])
    assert found[row.player.code][:3] == ("adjusted", 0, "0")
    adjustments.reverse(
        row, by=make.chief_referee_of(session.tournament), reason="It was a misunderstanding."
    )
    assert of_the_site(of) == before


def test_a_key_gives_a_penalty_once(session):
    """[INTEGRITY 116]"""
    of, key = session.tournament, uuid4().hex
    case = penalties.Case(player=judge.seat(session, "E"), offence="touching", session=session)
    first = penalties.give(of, case, by=make.chief_referee_of(session.tournament), key=key)
    assert penalties.give(of, case, by=make.chief_referee_of(session.tournament), key=key) == first
    assert Penalty.objects.filter(tournament=of).count() == 1


def test_states_of_appeals_that_are_open_are_three():
    assert {str(state) for state in Appeal.OPEN} == {"chief_referee", "committee", "recommended"}
