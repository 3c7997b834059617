"""What cannot be seated, said before anything is drawn, with all reasons at once and what would be possible."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from scoring.problems import Problem, gettext_noop
from seating.rules.plan import FixedRequest, Hall, Id, Lock, Round, hall
from seating.rules.skeleton import clean_rounds

MOST_PLAYERS = 2000
MOST_ROUNDS = 100
SEED_LENGTH = 200
TABLE_SIZES = (4, 3, 2)


def check_request(request: FixedRequest) -> tuple[Problem, ...]:
    """Return everything that is wrong with a request for a fixed plan."""
    problems = [*_size(request), *_people(request)]
    if problems:
        return tuple(problems)
    problems += [*_existing(request), *_presence(request), *_pairs(request)]
    if not problems:
        problems += [*_enough(request), *_promises(request), *_locks(request)]
    if not problems:
        problems += _partings(request)
    return tuple(problems)


def _size(request: FixedRequest) -> Iterator[Problem]:
    if request.table_size not in TABLE_SIZES:
        yield Problem(
            "table_size",
            gettext_noop("Tables seat 2, 3 or 4 players, not %(size)s."),
            field="table_size",
            details={"size": request.table_size},
        )
    if not 1 <= request.rounds_wanted <= MOST_ROUNDS:
        yield Problem(
            "rounds_wanted",
            gettext_noop("The number of sessions runs from 1 to %(most)s."),
            field="rounds_wanted",
            details={"most": MOST_ROUNDS},
        )
    if request.tables is not None and request.tables < 1:
        yield Problem("tables", gettext_noop("At least 1 table is needed."), field="tables")
    if not 0 < len(request.seed) <= SEED_LENGTH:
        yield seed_problem()


def seed_problem() -> Problem:
    """Return what a seed must look like."""
    return Problem(
        "seed_invalid",
        gettext_noop("The seed is a text of 1 to %(most)s characters or a whole number from 0."),
        field="seed",
        details={"most": SEED_LENGTH},
    )


def _people(request: FixedRequest) -> Iterator[Problem]:
    players = len(request.players)
    if request.table_size in TABLE_SIZES and players < request.table_size:
        yield too_few(request.table_size)
    yield from too_many(players)
    yield from twice([player.id for player in request.players])
    if not request.incomplete_tables and request.table_size in TABLE_SIZES:
        yield from not_divisible(players, request.table_size)


def too_many(players: int, field: str = "players") -> Iterator[Problem]:
    """Say how many can be seated at most."""
    if players > MOST_PLAYERS:
        yield Problem(
            "too_many_players",
            gettext_noop("At most %(most)s players can be seated; there are %(n)s."),
            field=field,
            details={"most": MOST_PLAYERS, "n": players},
        )


def too_few(table_size: int) -> Problem:
    """Return how many are needed at least."""
    return Problem("too_few_players", _AT_LEAST[table_size], field="players", details={"least": table_size})


_AT_LEAST = {
    4: gettext_noop("At least 4 players are needed."),
    3: gettext_noop("At least 3 players are needed."),
    2: gettext_noop("At least 2 players are needed."),
}


def twice(ids: Sequence[Id]) -> Iterator[Problem]:
    """Name everybody who stands in a list of players more than once."""
    for player, times in Counter(ids).items():
        if times > 1:
            yield Problem(
                "player_twice",
                gettext_noop("%(name)s stands in the list of players more than once."),
                field="players",
                details={"name": player},
            )


def not_divisible(players: int, table_size: int) -> Iterator[Problem]:
    """Say what to do when all tables must be full and are not. [SBR 3.1.3]"""
    if players >= table_size and players % table_size:
        yield Problem(
            "not_divisible",
            gettext_noop(
                "%(n)s players do not fill tables of %(size)s; add substitutes (%(missing)s), remove players "
                "(%(surplus)s), or choose a rule for incomplete tables."
            ),
            field="players",
            clause="SBR 3.1.3",
            details={
                "n": players,
                "size": table_size,
                "missing": table_size - players % table_size,
                "surplus": players % table_size,
            },
        )


def _existing(request: FixedRequest) -> Iterator[Problem]:
    if len(request.existing) > request.rounds_wanted:
        yield Problem(
            "existing",
            gettext_noop("%(given)s sessions stand already, but only %(wanted)s are wanted."),
            field="existing",
            details={"given": len(request.existing), "wanted": request.rounds_wanted},
        )
    for number, a_round in enumerate(request.existing, start=1):
        yield from check_round(a_round, number, request.table_size, smallest=0)


def check_round(
    a_round: Round,
    number: int,
    table_size: int = 4,
    *,
    smallest: int = 3,
    name: Callable[[Id], object] = str,
    players: Sequence[Id] | None = None,
    withdrawn: Mapping[Id, object] | None = None,
) -> Iterator[Problem]:
    """Name every fault of a round that a person made: somebody twice, missing, unknown or gone; a wrong table."""
    where: dict[Id, int] = {}
    yield from _check_tables(a_round, number, table_size, smallest, name, where)
    for player in a_round.off:
        if player in where:
            yield Problem(
                "player_twice",
                gettext_noop("Session %(round)s: %(name)s has no game but is at table %(table)s."),
                field="rounds",
                details={"round": number, "name": name(player), "table": where[player]},
            )
    everybody = dict.fromkeys([*where, *a_round.off])
    if players is not None:
        yield from _belong(everybody, number, players, name)
    for player in everybody:
        if withdrawn and player in withdrawn:
            yield Problem(
                "player_withdrawn",
                gettext_noop("%(name)s withdrew on %(date)s."),
                field="rounds",
                details={"round": number, "name": name(player), "date": withdrawn[player]},
            )


def _check_tables(
    a_round: Round,
    number: int,
    table_size: int,
    smallest: int,
    name: Callable[[Id], object],
    where: dict[Id, int],
) -> Iterator[Problem]:
    """Name tables of a wrong size and people who sit twice; note in `where` at which table each sits first."""
    for table_number, table in enumerate(a_round.tables, start=1):
        sitting = [player for player in table if player is not None]
        if len(table) > table_size or not smallest <= len(sitting) <= table_size:
            yield Problem(
                "table_size",
                gettext_noop("Session %(round)s: table %(table)s has %(n)s players, needs %(size)s."),
                field="rounds",
                details={"round": number, "table": table_number, "n": len(sitting), "size": table_size},
            )
        for player in sitting:
            if player in where:
                yield Problem(
                    "player_twice",
                    gettext_noop("Session %(round)s: %(name)s is already at table %(table)s."),
                    field="rounds",
                    details={"round": number, "name": name(player), "table": where[player]},
                )
            where.setdefault(player, table_number)


def _belong(
    everybody: Mapping[Id, None], number: int, players: Sequence[Id], name: Callable[[Id], object]
) -> Iterator[Problem]:
    known = set(players)
    for player in everybody:
        if player not in known:
            yield unknown(player, "rounds", name(player))
    for player in players:
        if player not in everybody:
            yield Problem(
                "player_missing",
                gettext_noop("Session %(round)s: %(name)s has no seat."),
                field="rounds",
                details={"round": number, "name": name(player)},
            )


def unknown(player: Id, field: str, name: object = None) -> Problem:
    """Say that somebody named is not among the players."""
    return Problem(
        "unknown_player",
        gettext_noop("%(name)s is not among the players."),
        field=field,
        details={"name": player if name is None else name},
    )


def _presence(request: FixedRequest) -> Iterator[Problem]:
    known = {player.id for player in request.players}
    named = [("joined", player, number) for player, number in request.joined.items()]
    named += [("absent", player, r) for r, ids in request.absent.items() for player in sorted(ids, key=str)]
    for field, player, number in named:
        if player not in known:
            yield unknown(player, field)
        if not 1 <= number <= request.rounds_wanted:
            yield _round_number(number, request, field)


def _round_number(number: int, request: FixedRequest, field: str) -> Problem:
    return Problem(
        "round_number",
        gettext_noop("Session %(round)s does not exist; sessions run from 1 to %(n)s."),
        field=field,
        details={"round": number, "n": request.rounds_wanted},
    )


def _pairs(request: FixedRequest) -> Iterator[Problem]:
    known = {player.id for player in request.players}
    for pair in request.apart:
        for player in pair:
            if player not in known:
                yield unknown(player, "apart")
    yield from with_themselves(request.apart)


def with_themselves(pairs: Sequence[tuple[Id, Id]]) -> Iterator[Problem]:
    """Name those who should be kept apart from themselves."""
    for one, other in pairs:
        if one == other:
            yield Problem(
                "same_player",
                gettext_noop("%(name)s cannot be kept apart from themselves."),
                field="apart",
                details={"name": one},
            )


def _partings(request: FixedRequest) -> list[Problem]:
    """Find the first session in which no seating keeps apart all who must not meet."""
    for number in new_rounds(request) if request.apart else ():
        found = unpartable(request.apart, request.present(number), hall_of(request, number), number)
        if problems := list(found):
            return problems
    return []


def unpartable(
    pairs: Sequence[tuple[Id, Id]], present: Sequence[Id], room: Hall, number: int
) -> Iterator[Problem]:
    """Say which of those who must not meet no seating of a session can part: too many, or one from nearly all."""
    foes = _foes(pairs, present)
    mates = len(present) // room.tables - 1 if room.tables and not room.off else 0
    for player, others in foes.items():
        possible = len(present) - 1 - len(others)
        if possible < mates:
            yield Problem(
                "seating_impossible",
                gettext_noop(
                    "Session %(round)s: %(name)s may meet only %(n)s of those present, and a table needs %(least)s."
                ),
                field="apart",
                details={"round": number, "name": player, "n": possible, "least": mates},
            )
    most = room.tables + room.off
    together = _all_apart(foes, most)
    if len(together) > most:
        yield Problem(
            "seating_impossible",
            gettext_noop(
                "Session %(round)s: at least %(n)s players must not meet one another, but at %(tables)s tables "
                "only %(most)s can be kept apart."
            ),
            field="apart",
            details={"round": number, "n": len(together), "tables": room.tables, "most": most},
        )


def _foes(pairs: Sequence[tuple[Id, Id]], present: Sequence[Id]) -> dict[Id, set[Id]]:
    """Return for each of those present whom they must not meet."""
    here = set(present)
    foes: dict[Id, set[Id]] = {}
    for one, other in pairs:
        if {one, other} <= here:
            foes.setdefault(one, set()).add(other)
            foes.setdefault(other, set()).add(one)
    return foes


def _all_apart(foes: Mapping[Id, set[Id]], most: int) -> list[Id]:
    """Look for more people than said none of whom may meet another; the closest company comes first."""
    rank = {player: place for place, player in enumerate(foes)}
    for player, others in foes.items():
        company, rest = [player], set(others)
        while rest and len(company) + len(rest) > most:
            closest = max(rest, key=lambda one: (len(foes[one] & rest), -rank[one]))
            company.append(closest)
            rest &= foes[closest]
        if len(company) > most:
            return company
    return []


def new_rounds(request: FixedRequest) -> range:
    """List the numbers of the rounds still to be planned."""
    return range(len(request.existing) + 1, request.rounds_wanted + 1)


def hall_of(request: FixedRequest, number: int) -> Hall:
    """Return how many tables a round needs for those present."""
    return hall(len(request.present(number)), request.table_size, request.tables)


def _enough(request: FixedRequest) -> Iterator[Problem]:
    for number in new_rounds(request):
        present = len(request.present(number))
        if present < min(request.table_size, 3):
            yield Problem(
                "too_few_players",
                gettext_noop(
                    "In session %(round)s only %(n)s players are there; at least %(least)s are needed."
                ),
                field="absent",
                details={"round": number, "n": present, "least": min(request.table_size, 3)},
            )


def _promises(request: FixedRequest) -> Iterator[Problem]:
    most = clean_rounds(len(request.players), request.table_size)
    if request.no_repeats and request.rounds_wanted > most:
        yield impossible(len(request.players), most)


def impossible(players: int, most: int) -> Problem:
    """Return how many sessions are possible when nobody may meet anybody twice."""
    return Problem(
        "seating_impossible",
        gettext_noop("Sessions in which nobody meets anybody twice, with %(n)s players: at most %(m)s."),
        field="rounds_wanted",
        details={"n": players, "m": most},
    )


def _locks(request: FixedRequest) -> Iterator[Problem]:
    for lock in request.locks:
        yield from _one_lock(request, lock)
    valid = [lock for lock in request.locks if not any(True for _ in _one_lock(request, lock))]
    for number in sorted({lock.round for lock in valid}):
        yield from _locks_together(request, number, [lock for lock in valid if lock.round == number])


def _one_lock(request: FixedRequest, lock: Lock) -> Iterator[Problem]:
    if lock.id not in {player.id for player in request.players}:
        yield unknown(lock.id, "locks")
        return
    if not 1 <= lock.round <= request.rounds_wanted:
        yield _round_number(lock.round, request, "locks")
        return
    if lock.round <= len(request.existing):
        if not _stands(request.existing[lock.round - 1], lock):
            yield _lock_problem(
                gettext_noop("Session %(round)s stands; %(name)s cannot be moved in it."), lock
            )
        return
    if lock.id not in request.present(lock.round):
        yield _lock_problem(gettext_noop("%(name)s is not there in session %(round)s."), lock)
    tables = hall_of(request, lock.round).tables
    if lock.table is not None and not 1 <= lock.table <= tables:
        yield Problem(
            "table_number",
            gettext_noop("Table numbers run from 1 to %(n)s."),
            field="locks",
            details={"n": tables, "round": lock.round, "name": lock.id},
        )
    if lock.seat is not None and not 0 <= lock.seat < request.table_size:
        yield Problem(
            "lock_seat",
            gettext_noop("Seats run from 0 (East) to %(last)s."),
            field="locks",
            details={"last": request.table_size - 1, "round": lock.round, "name": lock.id},
        )


def _stands(a_round: Round, lock: Lock) -> bool:
    for number, table in enumerate(a_round.tables, start=1):
        if lock.id in table:
            return lock.table in (None, number) and lock.seat in (None, table.index(lock.id))
    return False


def _lock_problem(sentence: str, lock: Lock, **details: object) -> Problem:
    return Problem(
        "lock_conflict", sentence, field="locks", details={"round": lock.round, "name": lock.id, **details}
    )


def _locks_together(request: FixedRequest, number: int, locks: Sequence[Lock]) -> Iterator[Problem]:
    """Find locks of one round that cannot hold together."""
    places: dict[Id, tuple[int | None, int | None]] = {}
    for lock in locks:
        table, seat = places.get(lock.id, (None, None))
        if (table not in (None, lock.table) and lock.table is not None) or (
            seat not in (None, lock.seat) and lock.seat is not None
        ):
            yield _lock_problem(gettext_noop("%(name)s is locked to two places in session %(round)s."), lock)
        places[lock.id] = (
            lock.table if lock.table is not None else table,
            lock.seat if lock.seat is not None else seat,
        )
    yield from _crowded(request, number, list(places.values()))
    yield from _locked_together(request, number, {player: table for player, (table, _) in places.items()})
    yield from _too_many_on_a_wind(request, number, [seat for _, seat in places.values() if seat is not None])
    room = hall_of(request, number)
    if len(places) > room.tables * request.table_size - room.is_short:
        yield Problem(
            "lock_conflict",
            gettext_noop("Session %(round)s has fewer seats than locked players."),
            field="locks",
            details={"round": number},
        )


def _crowded(
    request: FixedRequest, number: int, places: Sequence[tuple[int | None, int | None]]
) -> Iterator[Problem]:
    """Find tables and seats to which more people are locked than they hold."""
    at_table = Counter(table for table, _ in places if table is not None)
    for table, people in sorted(at_table.items()):
        if people > request.table_size:
            yield Problem(
                "lock_conflict",
                gettext_noop("Session %(round)s: %(n)s players are locked to table %(table)s."),
                field="locks",
                details={"round": number, "table": table, "n": people},
            )
    on_seat = Counter((table, seat) for table, seat in places if table is not None and seat is not None)
    for (table, seat), people in on_seat.items():
        if people > 1:
            yield Problem(
                "lock_conflict",
                gettext_noop("Session %(round)s: %(n)s players are locked to one seat of table %(table)s."),
                field="locks",
                details={"round": number, "table": table, "seat": seat, "n": people},
            )


def _locked_together(
    request: FixedRequest, number: int, tables: Mapping[Id, int | None]
) -> Iterator[Problem]:
    """Find those who must not meet and are locked to one table."""
    for one, other in request.apart:
        table = tables.get(one)
        if table is not None and table == tables.get(other):
            yield Problem(
                "lock_conflict",
                gettext_noop(
                    "Session %(round)s: %(name)s and %(other)s must not meet, but both are locked to table %(table)s."
                ),
                field="locks",
                details={"round": number, "name": one, "other": other, "table": table},
            )


def _too_many_on_a_wind(request: FixedRequest, number: int, seats: Sequence[int]) -> Iterator[Problem]:
    tables = hall_of(request, number).tables
    for seat, people in sorted(Counter(seats).items()):
        if people > tables:
            yield Problem(
                "lock_conflict",
                gettext_noop(
                    "Session %(round)s: %(n)s players are locked to one wind, but there are %(tables)s tables."
                ),
                field="locks",
                details={"round": number, "seat": seat, "n": people, "tables": tables},
            )


def feasible_shortness(players: int, rounds: int, table_size: int = 4) -> tuple[int, int]:
    """Return how many are left over or short of a fourth each session, and for how many sessions nobody is twice.

    [SBR 3.1.4]
    """
    remainder = players % table_size
    if remainder == 0:
        return 0, rounds
    return remainder, min(rounds, players // remainder)
