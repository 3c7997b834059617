"""Working a draw out from what it was made from: the same bytes each time, for its makers and for strangers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from seating.drafts.plans import GAP_LAST, Options, entrant, fixed_request, rounds_of, swiss_request
from seating.models import Draw
from seating.rules import fixed, random_draw, swiss
from seating.rules.plan import Entrant, Id, Round
from seating.rules.progress import Report
from seating.rules.quality import Measure, Quality, quality
from seating.rules.stream import Stream
from seating.rules.swiss import swiss_reasons, swiss_span

BY_HAND = "by hand"
MOST_AFFECTED = 200
Plan = dict[str, Any]
Asks = Callable[[], bool]


def method_of(mode: str, options: Options, short: Sequence[Id] = ()) -> str:
    """Name the method by which a draw of a mode is worked out; wishes make a random draw a planned one.

    Once somebody was short, the random draw is the one that knows it. [RULES 8.33]
    """
    if mode == Draw.Mode.MANUAL:
        return BY_HAND
    if mode == Draw.Mode.SWISS:
        return swiss.METHOD
    is_plain = not options.keep_apart and not options.must_not_meet
    if mode != Draw.Mode.RANDOM or not is_plain:
        return fixed.METHOD
    return random_draw.METHOD_WITH_PAST if short else random_draw.METHOD


def drawn(
    draw: Draw, *, progress: Report | None = None, is_cancelled: Asks | None = None
) -> tuple[Plan, list[dict[str, Any]]]:
    """Work out plan and quality from what the draw was made from. [RULES 1.3]"""
    options = Options.from_json(draw.settings)
    rounds = _worked_out(draw, options, progress, is_cancelled)
    plan = {}
    for number, a_round in zip(draw.sessions, rounds, strict=True):
        locks = [] if draw.method in fixed.METHODS else [lock for lock in options.locks if lock[0] == number]
        done = locked_in(filled(a_round, draw.inputs), locks)
        if draw.inputs.get("gap") == GAP_LAST:
            done = with_gap_last(done, [lock for lock in options.locks if lock[0] == number])
        if options.winds == "seed" and draw.method not in random_draw.METHODS:
            done = shuffled_winds(done, f"{draw.seed}/winds/{number}", locks)
        plan[str(number)] = {"tables": [list(seats) for seats in done.tables], "off": list(done.off)}
    return plan, measured_plan(draw, plan)


def _worked_out(
    draw: Draw, options: Options, progress: Report | None, is_cancelled: Asks | None
) -> Sequence[Round]:
    if draw.mode == Draw.Mode.MANUAL:
        return given_rounds(options, draw.inputs["numbers"], draw.seed)
    if draw.method in random_draw.METHODS:
        short = draw.inputs["short"] if draw.method == random_draw.METHOD_WITH_PAST else ()
        numbers, size = draw.inputs["numbers"], draw.inputs["table_size"]
        result = random_draw.random_draw(draw.seed, numbers, size, short)
        return [Round(result.tables, result.off)]
    if draw.mode == Draw.Mode.SWISS:
        asked = swiss_request(draw.inputs, options, draw.seed)
        by_standing = swiss.swiss_round(asked, progress=progress, is_cancelled=is_cancelled)
        return [Round(by_standing.tables, by_standing.off)]
    forgets_past = draw.mode == Draw.Mode.RANDOM and "short" not in draw.inputs  # drawn by an earlier release
    inputs = {**draw.inputs, "existing": []} if forgets_past else draw.inputs
    request = fixed_request(inputs, options, draw.seed)
    method = draw.method if draw.method in fixed.METHODS else fixed.FIRST_METHOD
    whole = fixed.fixed_plan(request, method=method, progress=progress, is_cancelled=is_cancelled)
    return whole.rounds[len(request.existing) :]


def given_rounds(options: Options, numbers: Sequence[int], seed: str) -> list[Round]:
    """Take the rounds of a pasted plan; dealt, its numbers 1, 2, 3 … fall to the players by lot from the seed."""
    if not options.is_dealt:
        return rounds_of(options.given)
    order = Stream(seed).shuffled(sorted(numbers))

    def dealt(who: Id | None) -> Id | None:
        return None if who is None else order[int(who) - 1]

    return [
        Round(
            tuple(tuple(map(dealt, seats)) for seats in a_round.tables),
            tuple(order[int(who) - 1] for who in a_round.off),
        )
        for a_round in rounds_of(options.given)
    ]


def filled(a_round: Round, inputs: Mapping[str, Any]) -> Round:
    """Let substitutes who are not seated yet fill the last table, or make one with those left over. [SBR 3.1.3]"""
    seated = set(a_round.seated()) | set(a_round.off)
    waiting: list[Id] = [who for who in inputs.get("substitutes", ()) if who not in seated]
    size = inputs["table_size"]
    tables = [[*seats, *[None] * (size - len(seats))] for seats in a_round.tables]
    for seats in tables:
        for place, who in enumerate(seats):
            if who is None and waiting:
                seats[place] = waiting.pop(0)
    if a_round.off and len(a_round.off) + len(waiting) >= size:
        more = waiting[: size - len(a_round.off)]
        return Round((*map(tuple, tables), (*a_round.off, *more)), ())
    return Round(tuple(map(tuple, tables)), a_round.off)


def locked_in(a_round: Round, locks: Sequence[Sequence[Any]]) -> Round:
    """Bring everybody locked to their place; whoever sat there takes theirs."""
    tables = [list(seats) for seats in a_round.tables]
    off: list[Id | None] = list(a_round.off)
    held: set[tuple[int, int]] = set()
    for _, who, table, seat in locks:
        rows = [*tables, off]
        home = next((place for place, row in enumerate(rows) if who in row), None)
        if home is None or (table is not None and table > len(tables)):
            continue
        there = table - 1 if table is not None else home
        here = rows[home].index(who)
        wanted = [seat] if seat is not None else [here] if there == home else range(len(rows[there]))
        free = next((place for place in wanted if (there, place) not in held), None)
        if free is not None and there < len(tables):
            rows[home][here], tables[there][free] = tables[there][free], who
            held.add((there, free))
    return Round(tuple(map(tuple, tables)), tuple(who for who in off if who is not None))


def with_gap_last(a_round: Round, locks: Sequence[Sequence[Any]] = ()) -> Round:
    """Let the empty seat of a table be North, the last; whoever is locked to a wind keeps it. [SBR 3.1.3]"""
    held = {lock[1] for lock in locks if lock[3] is not None}
    tables = []
    for seats in a_round.tables:
        free = [place for place, who in enumerate(seats) if who not in held]
        row = list(seats)
        for place, who in zip(
            free, sorted((seats[place] for place in free), key=lambda who: who is None), strict=True
        ):
            row[place] = who
        tables.append(tuple(row))
    return Round(tuple(tables), a_round.off)


def shuffled_winds(a_round: Round, seed: str, locks: Sequence[Sequence[Any]] = ()) -> Round:
    """Draw the winds of each table from the seed; an empty seat stays North and a locked seat stays. [SBR 2.4.6]"""
    stream = Stream(seed)
    held = {lock[1] for lock in locks if lock[3] is not None}
    tables = []
    for seats in a_round.tables:
        free = [place for place, who in enumerate(seats) if who is not None and who not in held]
        row = list(seats)
        for place, who in zip(free, stream.shuffled([seats[place] for place in free]), strict=True):
            row[place] = who
        tables.append(tuple(row))
    return Round(tuple(tables), a_round.off)


def all_rounds(draw: Draw, plan: Mapping[str, Any]) -> tuple[list[Round], list[Round]]:
    """Return the rounds that stand before a plan, and those of the plan."""
    return rounds_of(draw.inputs["existing"]), rounds_of([plan[str(number)] for number in draw.sessions])


def figures_of(draw: Draw, plan: Mapping[str, Any]) -> Quality:
    """Measure a plan together with the sessions that stand before it, each figure beside its bound."""
    options = Options.from_json(draw.settings)
    before, new = all_rounds(draw, plan)
    people = [entrant(said, set(options.keep_apart)) for said in draw.inputs["players"]]
    known = {person.id for person in people}
    others = {who for a_round in [*before, *new] for who in (*a_round.seated(), *a_round.off)} - known
    measured = quality(
        [*before, *new],
        [*people, *(Entrant(id=who) for who in sorted(others, key=str))],
        table_size=draw.inputs["table_size"],
        standing=len(before),
        apart=options.must_not_meet,
    )
    if draw.mode != Draw.Mode.SWISS:
        return measured
    span = swiss_span(swiss_request(draw.inputs, options, draw.seed), new[0].tables)
    return Quality((*measured.measures, *span))


def measured_plan(draw: Draw, plan: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Write the figures of a plan as plain values, with the people each concerns."""
    return [_written(measure) for measure in figures_of(draw, plan).measures]


def _written(measure: Measure) -> dict[str, Any]:
    return {
        "code": measure.code,
        "value": measure.value,
        "bound": measure.bound,
        "is_best": measure.is_best,
        "sentence": measure.remark.sentence,
        "details": dict(measure.remark.details),
        "affected": [list(people) for people in measure.affected[:MOST_AFFECTED]],
    }


def reasons_of(draw: Draw) -> list[list[dict[str, Any]]]:
    """Explain the tables of a draw by standing, as they are now: the places at each, and who met before."""
    request = swiss_request(draw.inputs, Options.from_json(draw.settings), draw.seed)
    tables = draw.plan[str(draw.sessions[0])]["tables"]
    return [
        [{"sentence": remark.sentence, "details": dict(remark.details)} for remark in remarks]
        for remarks in swiss_reasons(request, tables)
    ]


def with_edits(plan: Mapping[str, Any], edits: Sequence[Mapping[str, Any]]) -> Plan:
    """Return a plan with the changes made by hand, in their order."""
    changed = {number: {"tables": said["tables"], "off": said["off"]} for number, said in plan.items()}
    for edit in edits:
        first, second = edit["swap"]
        other = {first: second, second: first}
        said = changed[str(edit["session"])]
        said["tables"] = [[other.get(seat, seat) for seat in table] for table in said["tables"]]
        said["off"] = [other.get(seat, seat) for seat in said["off"]]
    return changed


def is_repeated(draw: Draw) -> bool:
    """Work a draw out again, and say whether the same tables come out."""
    return bool(with_edits(drawn(draw)[0], draw.edits) == draw.plan)
