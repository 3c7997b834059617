"""From what was declared to what follows: the `computed` part of docs/RECORD.md, worked out anew by anybody."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoring.criteria import Criterion
from scoring.protocol import Game
from scoring.record.declared import NEVER_TOOK_PART, UNRANKED, Declared, Played, read_declared
from scoring.regulation import GivenResult, Regulation, Timing
from scoring.seats import Seat
from scoring.standings.book import Entrant, Value
from scoring.standings.groups import TEAM, GroupStanding, TeamPoints, rank_groups
from scoring.standings.ranking import Standing
from scoring.standings.sessions import (
    Charge,
    Event,
    Origin,
    Result,
    SeatFact,
    SeatLedger,
    SessionFact,
    Step,
    TableFact,
    climb,
    ladder_key,
    session_ledger,
)
from scoring.standings.stages import standings
from scoring.systems import SYSTEMS


def compute(declared: object) -> dict[str, Any]:
    """Work out everything that follows from what was declared. [RECORD 4]"""
    return computed(read_declared(declared))


def computed_by_its_writer(declared: Declared) -> dict[str, Any]:
    """Work out a tournament as the version of its file does: version 1 ranks all sessions together. [RECORD 4]"""
    if declared.version > 1 or not declared.regulation.stages:
        return computed(declared)
    return computed(replace(declared, regulation=declared.regulation.but(stages=())))


@dataclass(frozen=True)
class Penalised:
    """A penalty with what it costs: its step where it stands on a ladder, none when it was revoked."""

    declared: Mapping[str, Any]
    cost: int
    step: Step | None


def computed(declared: Declared) -> dict[str, Any]:
    """Work out a tournament that was read. [RECORD 4]"""
    penalties = _penalties(declared)
    event = _event(declared, penalties)
    table = standings(event)
    return {
        "sessions": [_session(declared, event, session) for session in event.sessions],
        "penalties": {one.declared["id"]: _penalty(declared, one) for one in penalties},
        "lateness": [_late(declared, late) for late in declared.data["lateness"]],
        "standings": [_standing(row) for row in table],
        "group_tables": _group_tables(declared, table),
    }


# The event


def _event(declared: Declared, penalties: Sequence[Penalised]) -> Event:
    """Put together what the results are worked out from; only closed sessions are. [RECORD 2]"""
    return Event(
        regulation=declared.regulation,
        entrants=_entrants(declared),
        sessions=[
            _session_fact(declared, session)
            for session in declared.data["sessions"]
            if session["state"] == "closed"
        ],
        charges=[
            *(charge for one in penalties for charge in _penalty_charges(declared, one)),
            *_lateness_charges(declared),
            *_adjustment_charges(declared),
        ],
        given=_given(declared),
    )


def _entrants(declared: Declared) -> list[Entrant]:
    """List who took part, in the order in which they were entered, whatever their numbers; who never came is unranked.

    [RECORD 1] [RULES 8.7] [RULES 8.59]
    """
    took_part = [one for one in declared.data["registrations"] if one["status"] not in NEVER_TOOK_PART]
    sessions = [one for one in declared.data["sessions"] if one["state"] != "planned"]
    seats = [seat for one in declared.data["sessions"] for table in one["tables"] for seat in table["seats"]]
    here = {seat.get(name) for seat in seats for name in ("player", "for")}
    return [
        Entrant(
            one["player"],
            one["status"] not in UNRANKED and (not sessions or one["checked_in"] or one["player"] in here),
            one.get("lot"),
        )
        for one in took_part
    ]


def _session_fact(declared: Declared, session: Mapping[str, Any]) -> SessionFact:
    number = session["number"]
    tables = [
        _table_fact(table, declared.games.get((number, table["number"]))) for table in session["tables"]
    ]
    return SessionFact(number, declared.session_regulations[number], tables)


def _table_fact(table: Mapping[str, Any], played: Played | None) -> TableFact:
    totals = played.totals if played else {}
    seats = tuple(
        SeatFact(Seat(one["wind"]), one["player"], one.get("for"), totals.get(Seat(one["wind"]), 0))
        for one in table["seats"]
    )
    return TableFact(table["number"], seats, played is not None)


def _given(declared: Declared) -> dict[tuple[int, Any], GivenResult]:
    """Find the results that adjustments put in a session's place; the last one stands."""
    return {
        (one["session"], one["player"]): _given_result(one["result"])
        for one in declared.data["adjustments"]
        if "result" in one
    }


def _teams(declared: Declared) -> dict[str, TeamPoints]:
    """Add up what every team was given or lost itself; none of its members has it. [RULES 9.13]"""
    found: dict[str, TeamPoints] = {}
    taken = [_taken(one) for one in declared.data["penalties"] if "team" in one]
    given = [
        (one["team"], one.get("game_points", 0), Fraction(one.get("tournament_points", "0")))
        for one in declared.data["adjustments"]
        if "team" in one
    ]
    for team, game_points, tournament_points in (*taken, *given):
        before = found.get(team, TeamPoints())
        found[team] = TeamPoints(
            before.game_points + game_points, before.tournament_points + tournament_points
        )
    return found


def _taken(penalty: Mapping[str, Any]) -> tuple[str, int, Fraction]:
    is_gp = penalty["effect"] == "game_points"
    points = penalty["points"]
    return (penalty["team"], -points, Fraction(0)) if is_gp else (penalty["team"], 0, -Fraction(points))


def _given_result(written: Mapping[str, Any]) -> GivenResult:
    points = written["tournament_points"]
    return GivenResult(None if points is None else Fraction(points), written["game_points"], written["place"])


# Charges


def _rules_of(declared: Declared, session: int | None) -> Regulation:
    """Return the copy of the regulation that a session is judged by. [RULES 8.30]"""
    if session is None:
        return declared.regulation
    return declared.session_regulations.get(session, declared.regulation)


def _timing(declared: Declared, entry: Mapping[str, Any]) -> Timing:
    """Points count when the entry says, else when the regulation does. [RULES 8.36]"""
    if "timing" in entry:
        return Timing(entry["timing"])
    return _rules_of(declared, entry["session"]).penalties.timing


def _penalties(declared: Declared) -> list[Penalised]:
    """Return what every penalty costs, ladders climbed in the order given. [RULES 8.38]"""
    given = declared.data["penalties"]
    steps = climb(_on_ladder(declared, penalty) for penalty in given)
    return [
        Penalised(penalty, _price(declared, penalty, reached), reached)
        for penalty, reached in zip(given, steps, strict=True)
    ]


def _on_ladder(declared: Declared, penalty: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Find the ladder that counts a penalty and what it is counted with."""
    if penalty["kind"] != "ladder" or "revoked_by" in penalty:
        return None
    ladder = _rules_of(declared, penalty["session"]).penalties.ladder_of(penalty["offence"])
    assert ladder is not None
    players = len(_others(declared, penalty["session"], penalty["player"])) + 1
    key = ladder_key(ladder, penalty["player"], penalty["session"], penalty.get("hand"), players)
    return ladder, key


def _price(declared: Declared, penalty: Mapping[str, Any], reached: Step | None) -> int:
    """Return how many GP a penalty takes for each who receives them."""
    if "revoked_by" in penalty or penalty["effect"] != "game_points":
        return 0
    if penalty["kind"] == "fixed":
        rules = _rules_of(declared, penalty["session"])
        return rules.penalties.fixed[penalty["offence"]]
    return reached.cost if reached else int(penalty.get("points", 0))


def _is_of(seat: Mapping[str, Any], player: str) -> bool:
    return player in (seat["player"], seat.get("for"))


def _others(declared: Declared, session: int | None, player: str) -> list[str]:
    """List who else sat at the player's table in a session."""
    seats = declared.seats_of.get((session or 0, player), ())
    return [seat["player"] for seat in seats if seat["player"] is not None and not _is_of(seat, player)]


def _receivers(declared: Declared, penalty: Mapping[str, Any]) -> list[str]:
    """List who receives the points: everybody else at the table, one player, or nobody. [RULES 8.39]"""
    to = penalty.get("to")
    if to == "table":
        return _others(declared, penalty["session"], penalty["player"])
    return [to] if to is not None else []


def _offender_pays(declared: Declared, one: Penalised) -> int:
    """The offender pays the amount once to each who receives it, or once to nobody. [RULES 8.39]"""
    return one.cost * (1 if "to" not in one.declared else len(_receivers(declared, one.declared)))


def _penalty_charges(declared: Declared, one: Penalised) -> Iterator[Charge]:
    if "team" in one.declared:
        return
    penalty, timing = one.declared, _timing(declared, one.declared)
    session, player = penalty["session"], penalty["player"]
    if penalty["effect"] == "tournament_points" and "revoked_by" not in penalty:
        yield Charge(player, session, tournament_points=-Fraction(penalty["points"]), timing=timing)
    if one.cost:
        yield Charge(player, session, -_offender_pays(declared, one), timing=timing)
        for receiver in _receivers(declared, penalty):
            yield Charge(receiver, session, one.cost, timing=timing)


def _lateness_charges(declared: Declared) -> Iterator[Charge]:
    for late in declared.data["lateness"]:
        cost = _late(declared, late)["game_points"]
        if cost:
            timing = _rules_of(declared, late["session"]).penalties.timing
            yield Charge(late["player"], late["session"], cost, timing=timing, origin=Origin.LATENESS)


def _adjustment_charges(declared: Declared) -> Iterator[Charge]:
    for one in declared.data["adjustments"]:
        if "result" not in one and "team" not in one:
            yield Charge(
                one["player"],
                one["session"],
                one.get("game_points", 0),
                Fraction(one.get("tournament_points", "0")),
                _timing(declared, one),
                Origin.ADJUSTMENT,
            )


# Writing


def _session(declared: Declared, event: Event, session: SessionFact) -> dict[str, Any]:
    """Write one session; a table that did not play stands there without hands and seats. [RECORD 4]"""
    ledger = session_ledger(event, session)
    tables = []
    for table in session.tables:
        seats = ledger.tables.get(table.number, {})
        game = declared.games[session.number, table.number].game if seats else None
        written = {str(seat): _seat(one) for seat, one in seats.items()}
        tables.append({"number": table.number, "hands": _hands(declared, game), "seats": written})
    results = {player: _result(result) for player, result in ledger.results.items()}
    return {"number": session.number, "tables": tables, "results": results}


def _hands(declared: Declared, game: Game | None) -> list[dict[str, Any]]:
    """Write dealer and payments of each hand, in riichi also what stood on the table. [RECORD 4]"""
    written = []
    for one in game.hands if game else ():
        hand: dict[str, Any] = {"number": one.hand.number, "dealer": str(one.before.dealer)}
        hand["payments"] = {str(seat): points for seat, points in one.payments.by_seat.items()}
        if SYSTEMS[declared.system].recorded.tells_round:
            hand["round"] = str(one.before.round_wind)
            hand["counters"], hand["bets_left"] = one.before.counters, one.after.bets
        written.append(hand)
    return written


def _seat(ledger: SeatLedger) -> dict[str, Any]:
    return {
        "hands": ledger.hands,
        "table_points": ledger.table_points,
        "place": str(ledger.place),
        "tournament_points": _text(ledger.tournament_points),
    } | _uma(ledger.uma)


def _result(result: Result) -> dict[str, Any]:
    return {
        "kind": str(result.kind),
        "game_points": result.game_points,
        "tournament_points": _text(result.tournament_points),
        "place": _text(result.place),
    } | _uma(result.uma)


def _uma(uma: Fraction | None) -> dict[str, str]:
    return {} if uma is None else {"uma": str(uma)}


def _text(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _penalty(declared: Declared, one: Penalised) -> dict[str, Any]:
    """Write what a penalty changed on the offender's account. [RECORD 4]"""
    penalty = one.declared
    if penalty["effect"] == "tournament_points":
        taken = Fraction(0) if "revoked_by" in penalty else -Fraction(penalty["points"])
        return {"tournament_points": str(taken)}
    written: dict[str, Any] = {"game_points": -_offender_pays(declared, one)}
    if penalty["kind"] == "ladder":
        written["step"] = one.step.number if one.step else None
    return written


def _late(declared: Declared, late: Mapping[str, Any]) -> dict[str, Any]:
    """Write what a lateness cost; who did not sit, or not to the end, pays nothing. [RULES 8.2] [RULES 8.32]"""
    session, player = late["session"], late["player"]
    replaced = all(seat["player"] != player for seat in declared.seats_of.get((session, player), ()))
    rules = _rules_of(declared, session).lateness
    band = rules.band(late["seconds"]) if rules else None
    costs = band is not None and not replaced and "waived" not in late
    points = -band.cost(late["seconds"]) if band and costs else 0
    return {"session": session, "player": player, "game_points": points, "replaced": replaced}


def _standing(row: Standing) -> dict[str, Any]:
    """Write a row; which stage the player reached is told once a stage has begun. [RULES 9.7]"""
    return {
        "player": row.player,
        "place": row.place,
        "shared": row.shared,
        "decided_by": None if row.decided_by is None else str(row.decided_by),
        "values": {str(criterion): _value(criterion, value) for criterion, value in row.values.items()},
    } | ({"stage": row.stage} if row.stage else {})


def _value(criterion: Criterion, value: Value) -> str | int | None:
    if value is None or criterion.is_exact or value.denominator > 1:
        return None if value is None else str(value)
    return int(value)


def _group_tables(declared: Declared, table: Sequence[Standing]) -> list[dict[str, Any]]:
    """Rank the groups of every classification; who belongs to none stands in none. [SBR 2.4.3]"""
    written = []
    for one in declared.regulation.group_tables:
        group_of = {
            player["id"]: player[str(one.by)] for player in declared.data["players"] if str(one.by) in player
        }
        own = _teams(declared) if str(one.by) == TEAM else {}
        rows = [_group(row) for row in rank_groups(table, group_of, one, own)]
        written.append({"by": str(one.by), "rows": rows})
    return written


def _group(row: GroupStanding) -> dict[str, Any]:
    return {
        "name": row.name,
        "place": row.place,
        "shared": row.shared,
        "decided_by": None if row.decided_by is None else str(row.decided_by),
        "members": list(row.members),
        "values": {
            str(criterion): None if value is None else str(value) for criterion, value in row.values.items()
        },
    }
