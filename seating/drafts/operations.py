"""Draws: promised, proposed, changed by hand, published in one transaction that checks that nothing changed since."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.problems import Problem, Refusal, gettext_noop
from seating.drafts.background import start_drawing, start_repeating
from seating.drafts.pasted import faults_of
from seating.drafts.plans import Options, basis, inputs_of, problems_of, rounds_seated
from seating.drafts.queries import people_of
from seating.drafts.working import Plan, drawn, is_repeated, measured_plan, method_of, with_edits
from seating.models import Commitment, Draw
from seating.rules import random_draw
from seating.rules.plan import Id
from seating.rules.progress import Cancelled
from tournaments.models import HistoryEntry, Protocol, Seat, Session, Tournament, User
from tournaments.people.operations.registration import let_in_from
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_seating, lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse, refuse_finished
from tournaments.sessions.operations.play import (
    Seating,
    is_as_published,
    seat_players,
    swap_seats,
    take_back_seating,
    told_tables,
    withdraw_seating,
)
from tournaments.standings.operations import recompute

LONGEST_SEED = 100
LONGEST_REASON = 500
STALE = timedelta(seconds=60)
ALIVE = {Draw.State.DRAFT, Draw.State.RUNNING}
SETTLED = (Protocol.State.CONFIRMED, Protocol.State.SIGNED_OFF)
SMALL = 32


@transaction.atomic
def commit(tournament: Tournament, *, by: Actor) -> Commitment:
    """Promise a secret by its SHA-256 before public chance is taken; it serves one draw. [RULES 1.3]"""
    lock_tournament(tournament)
    waiting = tournament.commitments.filter(draw=None).first()
    if waiting is not None:
        return waiting
    secret = secrets.token_hex(16)
    promise = Commitment.objects.create(
        tournament=tournament, secret=secret, digest=random_draw.commitment(secret), made_by_id=by.id
    )
    history.record(Kind.DRAW_PROMISED, tournament=tournament, by=by, data={"commitment": promise.digest})
    return promise


def propose_random(tournament: Tournament, session: Session, *, by: Actor, seed: str = "") -> Draw:
    """Draw one session at random from a seed, chosen or made here. [SBR 2.4.1]"""
    return propose(tournament, [session], mode=Draw.Mode.RANDOM, seed=seed, by=by)


@transaction.atomic
def propose(
    tournament: Tournament,
    sessions: Sequence[Session],
    *,
    mode: str,
    by: Actor,
    seed: str = "",
    options: Options | None = None,
    reason: str = "",
    commitment: Commitment | None = None,
) -> Draw:
    """Begin a draw of these sessions; a short one is done at once, a long one goes on behind the page. [RULES 1.3]

    Sessions that are seated already are drawn anew only with a reason; with a commitment the seed given is the
    public chance, and the secret goes before it.
    """
    options = options or Options(keep_apart=tuple(tournament.regulation["keep_apart"]))
    _check_sessions(tournament, sessions, mode, reason)
    seed = _seed(seed, commitment)
    inputs = inputs_of(tournament, sessions, mode=mode, options=options).to_json()
    _check_drawable(tournament, inputs, mode, options)
    method = method_of(mode, options, inputs["short"])
    tournament.draws.filter(state__in=ALIVE).update(state=Draw.State.DISCARDED)
    return _begun(
        Draw(
            tournament=tournament,
            commitment=commitment,
            sessions=inputs["sessions"],
            mode=mode,
            method=method,
            seed=seed,
            settings=options.to_json(),
            inputs=inputs,
            inputs_digest=digest_of(basis(inputs, method)),
            reason=reason.strip(),
            made_by_id=by.id,
        )
    )


def _check_drawable(tournament: Tournament, inputs: Mapping[str, Any], mode: str, options: Options) -> None:
    """Refuse what cannot be drawn at all; the faults of a plan from elsewhere were named before."""
    _check_leftover(inputs, mode, options)
    if mode != Draw.Mode.MANUAL and (problems := problems_of(inputs, mode, options)):
        raise Refused(*named(problems, tournament))


def _begun(draw: Draw) -> Draw:
    """Store a draw as running, then finish it at once, or after the commit if that takes long."""
    draw.state, draw.moved_at = Draw.State.RUNNING, timezone.now()
    draw.save()
    if _is_long(draw):
        transaction.on_commit(lambda: start_drawing(draw.pk), robust=True)
        return draw
    try:
        plan, measured = drawn(draw)
    except Refusal as refusal:
        raise Refused(*named(refusal.problems, draw.tournament)) from refusal
    _finish(draw, state=Draw.State.DRAFT, plan=plan, quality=measured, progress=100)
    draw.refresh_from_db()
    return draw


def propose_plan(
    tournament: Tournament,
    sessions: Sequence[Session],
    rounds: Sequence[Mapping[str, Any]],
    *,
    by: Actor,
    reason: str = "",
    seed: str = "",
    options: Options | None = None,
) -> Draw:
    """Take a plan that was made elsewhere as the draft, after naming every fault of it. [INTEGRITY 7.3]"""
    options = (options or Options(with_absent=True)).but(given=tuple(dict(one) for one in rounds))
    if problems := faults_of(tournament, sessions, rounds, options):
        raise Refused(*problems)
    return propose(
        tournament, sessions, mode=Draw.Mode.MANUAL, seed=seed, options=options, reason=reason, by=by
    )


def propose_repair(tournament: Tournament, *, by: Actor, reason: str) -> Draw:
    """Keep the published tables: who has gone leaves a gap, who has come takes one. [SBR 3.1.3] [SBR 3.1.4]"""
    sessions = replaceable(tournament)
    if not sessions:
        refuse("wrong_state", gettext_noop("No seated session is left that has not begun."))
    seated = rounds_seated(tournament, last=sessions[-1].number)
    inputs = inputs_of(tournament, sessions, mode=Draw.Mode.MANUAL)
    rounds = [_repaired(seated[s.number], inputs.numbers, inputs.table_size) for s in sessions]
    options = Options(given=tuple(rounds), with_absent=True, leftover="regulation")
    return propose(tournament, sessions, mode=Draw.Mode.MANUAL, options=options, reason=reason, by=by)


def _repaired(said: Mapping[str, Any], numbers: Sequence[int], size: int) -> Plan:
    """Take out of a round who is gone and put in who is new, at the table with a gap, else with those left over."""
    here = set(numbers)
    tables = [[who if who in here else None for who in seats] for seats in said["tables"]]
    off = [who for who in said["off"] if who in here]
    known = {who for seats in tables for who in seats} | set(off)
    for who in [number for number in numbers if number not in known]:
        gap = next((seats for seats in tables if None in seats), None)
        if gap is None:
            off.append(who)
        else:
            gap[gap.index(None)] = who
    while len(off) >= size:
        tables.append([*off[:size]])
        off = off[size:]
    return {"tables": [seats for seats in tables if any(who is not None for who in seats)], "off": off}


def run_draw(draw_id: int) -> Draw:
    """Compute a draw that was begun. Done twice it has the same result; cancelled it has none."""
    draw = Draw.objects.select_related("tournament").get(pk=draw_id)
    if draw.state != Draw.State.RUNNING:
        return draw
    try:
        plan, measured = drawn(draw, progress=_report(draw), is_cancelled=_asks(draw))
    except Refusal as refusal:
        problems = named(refusal.problems, draw.tournament)
        _finish(draw, state=Draw.State.FAILED, problems=[_written(problem) for problem in problems])
    except Cancelled:
        pass
    except Exception:
        _finish(draw, state=Draw.State.FAILED, problems=[_written(BROKEN)])
        raise
    else:
        _finish(draw, state=Draw.State.DRAFT, plan=plan, quality=measured, progress=100)
    draw.refresh_from_db()
    return draw


BROKEN = Problem(
    "draw_broken", gettext_noop("The draw broke off by a fault of this software; draw with another seed.")
)


@transaction.atomic
def cancel(draw: Draw, *, by: Actor) -> None:
    """Abandon a running draw; the history keeps only that it was tried."""
    Draw.objects.filter(pk=draw.pk, state=Draw.State.RUNNING).update(state=Draw.State.CANCELLED)


@transaction.atomic
def swap_in_draft(draw: Draw, first: Id, second: Id, *, session: int, by: Actor, key: str) -> Draw:
    """Let two players of a draft change places; the change is kept beside the draw. [RULES 1.3]

    Sent again under the same key, it changes nothing: the two do not change back.
    """
    body = {"draw": draw.pk, "session": session, "swap": [first, second]}
    draw, is_done = _draft(draw, key, by=by, body=body)
    if is_done:
        return draw
    plan = draw.plan.get(str(session), {"tables": [], "off": []})
    present = {seat for table in plan["tables"] for seat in table} | set(plan["off"])
    if first == second or not {first, second} <= present:
        refuse("player_not_found", gettext_noop("Choose two players of this session."))
    if any(pin[0] == session and pin[1] in (first, second) for pin in draw.pins):
        refuse("seat_locked", gettext_noop("This seat is locked; unlock it first."))
    edit = {"session": session, "swap": [first, second], "by": str(by)}
    draw = _edited(draw, with_edits(draw.plan, [edit]), [*draw.edits, edit])
    return _kept(draw, key, by=by, body=body)


@transaction.atomic
def undo_edit(draw: Draw, *, by: Actor, key: str) -> Draw:
    """Take back the last change made by hand. Sent again under the same key, it takes back no other."""
    body = {"draw": draw.pk, "undo": True}
    draw, is_done = _draft(draw, key, by=by, body=body)
    if is_done:
        return draw
    if not draw.edits:
        refuse("wrong_state", gettext_noop("Nothing was changed by hand."))
    draw = _edited(draw, with_edits(draw.plan, draw.edits[-1:]), draw.edits[:-1])
    return _kept(draw, key, by=by, body=body)


@transaction.atomic
def pin(draw: Draw, who: Id, *, session: int, by: Actor, key: str) -> Draw:
    """Lock somebody to their seat, or unlock them: drawn anew, the seat stays.

    Sent again under the same key, it changes nothing.
    """
    body = {"draw": draw.pk, "session": session, "pin": who}
    draw, is_done = _draft(draw, key, by=by, body=body)
    if is_done:
        return draw
    kept = [one for one in draw.pins if (one[0], one[1]) != (session, who)]
    if len(kept) == len(draw.pins):
        kept.append([session, who, *_seat_in(draw, who, session)])
    draw.pins = kept
    draw.save(update_fields=["pins"])
    return _kept(draw, key, by=by, body=body)


def _seat_in(draw: Draw, who: Id, session: int) -> tuple[int, int]:
    tables = draw.plan.get(str(session), {"tables": []})["tables"]
    found = [(number, seats.index(who)) for number, seats in enumerate(tables, start=1) if who in seats]
    if not found:
        refuse("player_not_found", gettext_noop("Only somebody who has a seat can be locked to it."))
    return found[0]


def _edited(draw: Draw, plan: Plan, edits: Sequence[Mapping[str, Any]]) -> Draw:
    draw.plan, draw.edits = plan, list(edits)
    draw.quality = measured_plan(draw, draw.plan)
    draw.save(update_fields=["plan", "edits", "quality"])
    return draw


def _draft(draw: Draw, key: str, *, by: Actor, body: dict[str, Any]) -> tuple[Draw, bool]:
    """Lock the draft to change it, and say whether this very change is made already."""
    draw = Draw.objects.select_for_update(no_key=True).get(pk=draw.pk)
    if receipts.answered(draw.tournament, key, by=by, body=body) is not None:
        return draw, True
    if draw.state != Draw.State.DRAFT:
        refuse("wrong_state", gettext_noop("This draw is no draft any more."))
    return draw, False


def _kept(draw: Draw, key: str, *, by: Actor, body: dict[str, Any]) -> Draw:
    """Store the key of a change in the transaction that makes it."""
    receipts.store(draw.tournament, key, by=by, body=body, answer={"draw": draw.pk})
    return draw


@transaction.atomic
def discard(draw: Draw, *, by: Actor) -> None:
    """Set a draft aside; it stays on record. What is no draft any more is refused, but for one that is set aside already."""
    draw = Draw.objects.select_for_update(no_key=True).get(pk=draw.pk)
    if draw.state == Draw.State.PUBLISHED:
        refuse(
            "wrong_state", gettext_noop("This draw is published; withdraw the seating if it shall not stand.")
        )
    if draw.state not in (Draw.State.DRAFT, Draw.State.DISCARDED):
        refuse("wrong_state", gettext_noop("This draw is no draft any more."))
    Draw.objects.filter(pk=draw.pk).update(state=Draw.State.DISCARDED)


@transaction.atomic
def take_up(draw: Draw, *, by: Actor) -> Draw:
    """Make an earlier proposal the draft again; the present one is set aside."""
    draw = Draw.objects.select_for_update(no_key=True).get(pk=draw.pk)
    if draw.state != Draw.State.DISCARDED or not draw.plan:
        refuse("wrong_state", gettext_noop("Only a proposal that was set aside can be taken up again."))
    Draw.objects.filter(tournament=draw.tournament_id, state__in=ALIVE).update(state=Draw.State.DISCARDED)
    Draw.objects.filter(pk=draw.pk).update(state=Draw.State.DRAFT)
    draw.refresh_from_db()
    return draw


@transaction.atomic
def publish(draw: Draw, *, by: Actor) -> Draw:
    """Publish a draft as the seating if everything it was drawn from is unchanged. [RULES 1.3]"""
    tournament = lock_tournament(draw.tournament)
    draw = Draw.objects.select_for_update(no_key=True).get(pk=draw.pk)
    draw.tournament = tournament
    _check_publishable(draw)
    sessions = sessions_of(draw)
    for session in sessions:
        lock_seating(session)
    for session in sessions:
        if session.is_published:
            withdraw_seating(session, by=by, reason=draw.reason)
            session.published_at = None
        _let_in(draw, session.number, by=by)
        seat_players(session, seating_of(draw, session), by=by)
    draw.state, draw.published_at = Draw.State.PUBLISHED, timezone.now()
    draw.save(update_fields=["state", "published_at"])
    if _is_long(draw):
        transaction.on_commit(lambda: start_repeating(draw.pk), robust=True)
    else:
        repeat(draw.pk)
    return draw


@transaction.atomic
def take_back(draw: Draw, *, by: Actor) -> Draw:
    """Make a draw that was published by mistake the draft again, while nothing depends on it. [RULES 9.11]"""
    tournament = lock_tournament(draw.tournament)
    draw = Draw.objects.select_for_update(no_key=True).get(pk=draw.pk)
    draw.tournament = tournament
    refuse_finished(tournament)
    for session in (sessions := sessions_of(draw)):
        lock_seating(session)
    if problems := take_back_problems(draw):
        raise Refused(*problems)
    for session in sessions:
        take_back_seating(session, seating_of(draw, session), by=by)
    Draw.objects.filter(tournament=tournament, state__in=ALIVE).update(state=Draw.State.DISCARDED)
    draw.state, draw.published_at = Draw.State.DRAFT, None
    draw.save(update_fields=["state", "published_at"])
    return draw


def take_back_problems(draw: Draw) -> list[Problem]:
    """Return why the publication of a draw stands. [RULES 9.11]"""
    if draw.state != Draw.State.PUBLISHED:
        return [Problem("wrong_state", gettext_noop("This draw is not published."))]
    if draw.inputs.get("replaces"):
        return [Problem("round_exists", REPLACED)]
    for session in sessions_of(draw):
        begun = Protocol.objects.filter(table__session=session, version__gt=0).exists()
        if session.state != Session.State.PLANNED or begun:
            return [Problem("has_hands", BEGUN_SINCE, details={"n": session.number})]
        if not session.is_published or not is_as_published(session, seating_of(draw, session)):
            return [Problem("has_hands", CHANGED_SINCE, details={"n": session.number})]
    return []


REPLACED = gettext_noop("This draw replaced an earlier seating; draw the sessions anew with a reason.")
BEGUN_SINCE = gettext_noop("Session %(n)s has begun since, so its seating stands.")
CHANGED_SINCE = gettext_noop("Seats of session %(n)s were changed since; withdraw its seating with a reason.")


def _check_publishable(draw: Draw) -> None:
    """Refuse what was published, set aside, or drawn from a list that is no more."""
    if draw.state == Draw.State.PUBLISHED:
        refuse(
            "round_exists",
            gettext_noop("This draw was published at %(time)s."),
            time=_clock(draw.published_at, draw.tournament),
        )
    if draw.state != Draw.State.DRAFT:
        refuse("stale_draw", gettext_noop("This draw was set aside; draw again."))
    for session in sessions_of(draw):
        if session.is_published and str(session.number) not in draw.inputs.get("replaces", {}):
            _refuse_seated(session)
    if is_stale(draw):
        refuse(
            "stale_draw",
            gettext_noop("The list of players has changed since this draw was made; draw again."),
        )


def is_stale(draw: Draw) -> bool:
    """Return whether anything that a draw was made from has changed since."""
    sessions = sessions_of(draw)
    if [session.number for session in sessions] != draw.sessions:
        return True
    now = inputs_of(draw.tournament, sessions, mode=draw.mode, options=Options.from_json(draw.settings))
    return digest_of(basis(json.loads(json.dumps(now.to_json())), draw.method)) != draw.inputs_digest


def sessions_of(draw: Draw) -> list[Session]:
    """List the sessions of a draw."""
    sessions = list(draw.tournament.sessions.filter(number__in=draw.sessions).order_by("number"))
    for session in sessions:
        session.tournament = draw.tournament
    return sessions


def replaceable(tournament: Tournament) -> list[Session]:
    """List the last sessions that are seated and in which nothing has begun: they can be drawn anew."""
    if tournament.is_finished:
        return []
    rows = tournament.sessions.filter(published_at__isnull=False).order_by("-number")
    found: list[Session] = []
    for session in rows:
        begun = Protocol.objects.filter(table__session=session, version__gt=0).exists()
        if session.state != Session.State.PLANNED or begun:
            break
        session.tournament = tournament
        found.insert(0, session)
    return found


def _let_in(draw: Draw, session: int, *, by: Actor) -> None:
    """Let those who came after the sessions were seated play from the session they are seated in now."""
    seated = draw.plan[str(session)]
    numbers = {who for seats in seated["tables"] for who in seats} | set(seated["off"])
    late = draw.tournament.registrations.filter(
        number__in=[who for who in numbers if isinstance(who, int)], first_session__gt=session
    )
    for registration in late:
        let_in_from(registration, session, by=by)


@transaction.atomic
def change_published(
    session: Session, first: int, second: int, *, by: Actor, reason: str, key: str = ""
) -> None:
    """Let two players change places in a published session, with a reason that everybody can read. [RULES 1.3]

    Sent again under the same key it changes nothing; without one it would change them back.
    """
    tournament = lock_tournament(session.tournament)
    body = {"session": session.number, "change": [first, second]}
    if key and receipts.answered(tournament, key, by=by, body=body) is not None:
        return
    rows = {
        number: Seat.objects.filter(session=session, player__registration__number=number)
        .select_related("session__tournament", "table")
        .first()
        for number in (first, second)
    }
    one, other = rows[first], rows[second]
    if one is None or other is None or first == second:
        refuse("player_not_found", gettext_noop("Choose two players of this session."))
    swap_seats(one, other, by=by, reason=reason)
    if key:
        receipts.store(tournament, key, by=by, body=body, answer={})


def repeat(draw_id: int) -> None:
    """Work a published draw out once more and keep whether the same tables came out and were published."""
    draw = Draw.objects.select_related("tournament").get(pk=draw_id)
    is_same = is_repeated(draw) and not published_otherwise(draw)
    Draw.objects.filter(pk=draw_id).update(is_repeatable=is_same, repeated_at=timezone.now())


def published_otherwise(draw: Draw) -> list[int]:
    """List the sessions whose publication, as the history tells it, has other seats or winds than the draw."""
    return [
        session.number
        for session in sessions_of(draw)
        if told_tables(seating_of(draw, session)) not in _publications(session)
    ]


def _publications(session: Session) -> list[dict[str, Any]]:
    """List the tables of a session as the history published them, each time."""
    rows = HistoryEntry.objects.filter(tournament=session.tournament_id, kind=Kind.SEATING_PUBLISHED)
    contents = [history.read(content) for content in rows.values_list("content", flat=True)]
    return [
        content["data"]["tables"] for content in contents if content["subject"] == f"session:{session.number}"
    ]


def left_behind(*, at_all: bool = False) -> list[int]:
    """List the draws whose worker was lost, or at a start all that were running; they are begun again."""
    rows = Draw.objects.filter(state=Draw.State.RUNNING)
    if not at_all:
        rows = rows.filter(moved_at__lt=timezone.now() - STALE)
    return list(rows.values_list("pk", flat=True))


def digest_of(inputs: Mapping[str, Any]) -> str:
    """Return a digest that tells one set of inputs from another."""
    return history.digest(history.canonical(inputs))


def seating_of(draw: Draw, session: Session) -> Seating:
    """Turn a draw into seats; those for whom there is no game sit at a last table that does not play. [SBR 3.1.4]"""
    people = people_of(draw.tournament)
    plan = draw.plan[str(session.number)]
    tables: list[list[Id | None]] = [*plan["tables"], *([plan["off"]] if plan["off"] else [])]
    return Seating(
        tables={
            number: [people[seat].player if seat is not None else None for seat in seats]
            for number, seats in enumerate(tables, start=1)
        },
        mode=draw.mode,
        seed=draw.seed,
        method=draw.method if not draw.edits else f"{draw.method}, changed by hand",
    )


def named(problems: Sequence[Problem], tournament: Tournament) -> list[Problem]:
    """Put names in place of the numbers by which the algorithms know people."""
    people = people_of(tournament)

    def said(problem: Problem) -> Problem:
        details = dict(problem.details)
        for word in {"name", "other"} & details.keys():
            number = details[word]
            if isinstance(number, int | str) and number in people:
                details[word] = str(people[number].player)
        return Problem(problem.code, problem.sentence, problem.field, problem.clause, details)

    return [said(problem) for problem in problems]


def _seed(seed: str, commitment: Commitment | None) -> str:
    """Take the seed that was given, or throw one; behind a commitment it must be public chance."""
    seed = seed.strip()
    if len(seed) > LONGEST_SEED or not seed.isprintable():
        refuse("seed_invalid", gettext_noop("The seed is a text of at most 100 characters."), field="seed")
    if commitment is None:
        return seed or secrets.token_hex(8)
    if Draw.objects.filter(commitment=commitment).exists():
        refuse("wrong_state", gettext_noop("This commitment was used already; make another."))
    if not seed:
        refuse(
            "seed_missing",
            gettext_noop("A secret is promised: type the digits that the players called."),
            field="seed",
        )
    return random_draw.committed_seed(commitment.secret, seed)


def _check_sessions(tournament: Tournament, sessions: Sequence[Session], mode: str, reason: str) -> None:
    """Refuse sessions that are seated, unless a reason is given, and a draw by standings that are still moving."""
    if not sessions:
        refuse("wrong_state", gettext_noop("No session is left to be seated."))
    seated = [session for session in sessions if session.is_published]
    if seated and not reason.strip():
        _refuse_seated(seated[0])
    if seated:
        need_reason(reason)
        if len(reason) > LONGEST_REASON:
            refuse("too_long", gettext_noop("A reason has at most 500 characters."), field="reason")
    allowed = {session.pk for session in replaceable(tournament)}
    for session in seated:
        if session.pk not in allowed:
            refuse(
                "has_hands",
                gettext_noop("Session %(n)s has been started; its seating cannot be withdrawn."),
                n=session.number,
            )
    if mode == Draw.Mode.SWISS:
        _check_settled(tournament, sessions[0].number)


def _check_settled(tournament: Tournament, session: int) -> None:
    """Refuse a draw by standings before the games that make them are confirmed. [INTEGRITY 62]"""
    tables = open_tables(tournament, session)
    if tables:
        refuse(
            "games_open",
            gettext_noop("Not confirmed yet: tables %(tables)s."),
            tables=", ".join(map(str, tables)),
        )
    if tournament.pk in recompute.behind():
        recompute.recompute(tournament.pk, waits=True)


def open_tables(tournament: Tournament, session: int) -> list[int]:
    """List the tables of earlier sessions whose games are not confirmed."""
    rows = Protocol.objects.filter(
        table__session__tournament=tournament, table__session__number__lt=session
    ).exclude(state__in=SETTLED)
    return sorted(rows.values_list("table__number", flat=True))


def _check_leftover(inputs: Mapping[str, Any], mode: str, options: Options) -> None:
    """Refuse players who do not fill the tables while nobody has said what becomes of them. [INTEGRITY 55]"""
    people, size = len(inputs["players"]), inputs["table_size"]
    if mode != Draw.Mode.RANDOM or inputs["incomplete"] or options.leftover or people % size == 0:
        return
    if people > size:
        refuse(
            "not_divisible",
            gettext_noop(
                "%(n)s players do not fill tables of %(size)s; add substitutes (%(missing)s), remove players "
                "(%(surplus)s), or choose a rule for incomplete tables."
            ),
            field="leftover",
            n=people,
            size=size,
            missing=size - people % size,
            surplus=people % size,
        )


def _is_long(draw: Draw) -> bool:
    """Return whether a draw may take longer than somebody should wait for a page."""
    from seating.rules import fixed

    if draw.mode == Draw.Mode.SWISS:
        return len(draw.inputs["players"]) > SMALL
    return draw.method in fixed.METHODS


def _finish(draw: Draw, **values: Any) -> None:
    """Store the result of a draw, unless it was cancelled meanwhile."""
    Draw.objects.filter(pk=draw.pk, state=Draw.State.RUNNING).update(moved_at=timezone.now(), **values)


def _report(draw: Draw) -> Callable[[int, int], None]:
    """Note the progress, a whole percent at a time."""
    shown = [-1]

    def report(done: int, total: int) -> None:
        percent = done * 100 // total
        if percent > shown[0]:
            shown[0] = percent
            Draw.objects.filter(pk=draw.pk).update(progress=percent, moved_at=timezone.now())

    return report


def _asks(draw: Draw) -> Callable[[], bool]:
    """Return a function that asks the database now and then whether the draw was cancelled."""
    turn = [0]

    def is_cancelled() -> bool:
        turn[0] += 1
        if turn[0] % 20:
            return False
        return not Draw.objects.filter(pk=draw.pk, state=Draw.State.RUNNING).exists()

    return is_cancelled


def _written(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "sentence": problem.sentence, "details": dict(problem.details)}


def _refuse_seated(session: Session) -> None:
    """Say who seated a session, and when. [INTEGRITY 63]"""
    if not session.is_published:
        return
    refuse(
        "round_exists",
        gettext_noop(
            "Session %(n)s was seated at %(time)s by %(user)s; to draw it anew, choose the sessions that are "
            "seated and give a reason."
        ),
        n=session.number,
        user=_who_seated(session),
        time=_clock(session.published_at, session.tournament),
    )


def _who_seated(session: Session) -> str:
    """Name who published the seating of a session."""
    entry = (
        HistoryEntry.objects.filter(
            tournament=session.tournament_id,
            kind=Kind.SEATING_PUBLISHED,
            content__contains=f'"session:{session.number}"',
        )
        .order_by("-id")
        .first()
    )
    kind, _, number = history.read(entry.content)["by"].partition(":") if entry else ("", "", "")
    user = User.objects.filter(pk=number).first() if kind == "user" and number.isdigit() else None
    return user.title if user else "—"


def _clock(at: Any, tournament: Tournament) -> str:
    return timezone.localtime(at, tournament.zone).strftime("%H:%M")
