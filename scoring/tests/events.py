"""Random whole tournaments for the tests of results and standings, and their results worked out naively."""

from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from scoring import criteria
from scoring.criteria import Criterion
from scoring.presets import PRESETS
from scoring.regulation import GivenResult, PlaceRule, Regulation, TieRule, Timing
from scoring.seats import SEATS
from scoring.standings.book import Entrant
from scoring.standings.sessions import Charge, Event, Origin, SeatFact, SessionFact, TableFact

fractions = st.builds(Fraction, st.integers(-6, 9), st.integers(1, 5))
given_results = st.builds(
    GivenResult, st.none() | fractions, st.integers(-9, 9), st.none() | st.integers(1, 4)
)


@st.composite
def regulations(draw: st.DrawFn) -> Regulation:
    """Draw a regulation of any preset with everything changed that results depend on."""
    preset = draw(st.sampled_from([PRESETS["sbr"], PRESETS["riichi_ema"], PRESETS["riichi_festival"]]))
    row = st.lists(fractions, min_size=4, max_size=4).map(lambda values: sorted(values, reverse=True))
    fours = draw(row)
    table = draw(st.sampled_from([None, {4: tuple(fours), 3: tuple(fours[:3])}]))
    uma = draw(st.none() | row.map(tuple))
    return preset.regulation.but(
        tournament_points=table,
        uma=uma,
        return_points=None if uma is None else draw(st.sampled_from([None, 30000, 32500])),
        tie_rule=draw(st.sampled_from(TieRule)),
        place_rule=draw(st.sampled_from(PlaceRule)),
        start_points=draw(st.sampled_from([0, 30000])),
        fixed_result=draw(given_results),
        awarded_result=draw(given_results),
        ranking=tuple(
            draw(st.lists(st.sampled_from(list(criteria.CRITERIA.values())), min_size=1, unique=True))
        ),
    )


@st.composite
def events(draw: st.DrawFn, *, is_plain: bool = False) -> Event:
    """Draw a tournament of four to nine entrants with substitutes, gaps, penalties and given results."""
    rules = draw(regulations())
    count = draw(st.integers(4, 9))
    players = [f"p{number}" for number in range(count)]
    entrants = [
        Entrant(player, is_plain or draw(st.integers(0, 7)) > 0, draw(st.none() | st.integers(1, 9)))
        for player in players
    ]
    sessions = [
        SessionFact(
            number + 1, draw(st.sampled_from([rules, draw(regulations())])), draw(_tables(players, is_plain))
        )
        for number in range(draw(st.integers(0, 3)))
    ]
    numbers = [session.number for session in sessions]
    return Event(
        rules,
        entrants,
        sessions,
        [] if is_plain else draw(st.lists(_charges(players, numbers), max_size=5)),
        {}
        if is_plain or not numbers
        else draw(
            st.dictionaries(
                st.tuples(st.sampled_from(numbers), st.sampled_from(players)), given_results, max_size=2
            )
        ),
    )


@st.composite
def _tables(draw: st.DrawFn, players: list[str], is_plain: bool) -> list[TableFact]:
    order = draw(st.permutations(players))
    tables = []
    for number, start in enumerate(range(0, len(order), 4), start=1):
        here = order[start : start + 4]
        seats = tuple(
            _seat(draw, wind, player, number, is_plain) for wind, player in zip(SEATS, here, strict=False)
        )
        occupied = sum(seat.player is not None for seat in seats)
        tables.append(TableFact(number, seats, occupied >= 3))
    return tables


def _seat(draw: st.DrawFn, wind: Any, player: str, table: int, is_plain: bool) -> SeatFact:
    points = draw(st.integers(-5, 5))
    who = 5 if is_plain else draw(st.integers(0, 9))
    if who == 0:
        return SeatFact(wind, None, player, 0)
    if who == 1:
        return SeatFact(wind, f"s{table}{wind}", player, points)
    if who == 2:
        return SeatFact(wind, f"s{table}{wind}", None, points)
    return SeatFact(wind, player, None, points)


@st.composite
def _charges(draw: st.DrawFn, players: list[str], sessions: list[int]) -> Charge:
    return Charge(
        draw(st.sampled_from([*players, "s1E"])),
        draw(st.sampled_from([None, *sessions])),
        draw(st.integers(-9, 9)),
        draw(st.just(Fraction(0)) | fractions),
        draw(st.sampled_from(Timing)),
        draw(st.sampled_from(Origin)),
    )


# The same worked out naively: fractions throughout, one question at a time, nothing remembered.


def naive_place(points: list[int], own: int, rule: PlaceRule, sooner: int = 0) -> Fraction:
    """Count who had more; those equal share their places, or go by how many of them sit sooner. [RULES 8.4] [RULES 9.30]"""
    above, equal = sum(one > own for one in points), points.count(own)
    taken = [Fraction(place) for place in range(above + 1, above + equal + 1)]
    if rule is PlaceRule.SEAT_ORDER:
        return taken[sooner]
    return taken[0] if rule is PlaceRule.BEST else sum(taken) / len(taken)


def naive_share(points: list[int], own: int, row: Any, rule: TieRule, sooner: int = 0) -> Fraction | None:
    """Split what the places of those equal bring. [SBR 2.7.5]"""
    if row is None:
        return None
    above, equal = sum(one > own for one in points), points.count(own)
    brought = row[above : above + equal]
    if rule is TieRule.SEAT_ORDER:
        return Fraction(brought[sooner])
    return max(brought) if rule is TieRule.BEST else sum(brought, Fraction(0)) / equal


def naive_results(event: Event) -> dict[tuple[int, str], dict[str, Any]]:
    """Work out every player's session result from the words of docs/RECORD.md alone."""
    entrants = {entrant.player for entrant in event.entrants}
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for session in event.sessions:
        for table in session.tables:
            points = naive_table(event, session, table)
            for seat in table.seats:
                who = seat.kept_for if seat.kept_for is not None else seat.player
                if who in entrants:
                    found[session.number, who] = _naive_result(event, session, table, seat, points)
    return found


def naive_table(event: Event, session: SessionFact, table: TableFact) -> dict[Any, int]:
    """Add to each occupied seat what counts before the places."""
    return {
        seat.seat: seat.points
        + sum(
            charge.game_points
            for charge in event.charges
            if charge.session == session.number
            and charge.timing is Timing.BEFORE
            and (
                charge.player == seat.player
                or (charge.player == seat.kept_for and charge.origin is not Origin.ADJUSTMENT)
            )
        )
        for seat in table.seats
        if seat.player is not None
    }


def _naive_result(
    event: Event, session: SessionFact, table: TableFact, seat: SeatFact, points: dict[Any, int]
) -> dict[str, Any]:
    rules, who = session.regulation, seat.kept_for if seat.kept_for is not None else seat.player
    mine = [one for one in event.charges if one.session == session.number and one.player == who]
    if (session.number, who) in event.given:
        taken = [one for one in mine if one.origin is not Origin.ADJUSTMENT]
        return _naive_given("adjusted", event.given[session.number, who], [], taken, rules)
    if seat.kept_for is not None:
        adjustments = [one for one in mine if one.origin is Origin.ADJUSTMENT]
        return _naive_given("fixed", rules.fixed_result, adjustments, mine, rules)
    if not table.is_played:
        return _naive_given("awarded", rules.awarded_result, mine, mine, rules)
    everybody, own = list(points.values()), points[seat.seat]
    row = None if rules.tournament_points is None else rules.tournament_points[len(everybody)]
    sooner = naive_sooner(points, seat.seat)
    ahead = sum(one > own for one in everybody)
    return {
        "kind": "played",
        "game_points": own + sum(one.game_points for one in mine if one.timing is Timing.AFTER),
        "tournament_points": _naive_sum(naive_share(everybody, own, row, rules.tie_rule, sooner), mine),
        "place": naive_place(everybody, own, rules.place_rule, sooner),
        "uma": naive_share(everybody, own, naive_uma(rules, len(everybody)), rules.tie_rule, sooner),
        "rank": 1 + ahead + (sooner if rules.place_rule is PlaceRule.SEAT_ORDER else 0),
    }


def naive_sooner(points: dict[Any, int], seat: Any) -> int:
    """Count those equal who sit sooner from the first dealer on. [RULES 9.30]"""
    return sum("ESWN".index(one) < "ESWN".index(seat) and points[one] == points[seat] for one in points)


def naive_uma(rules: Regulation, players: int) -> list[Fraction] | None:
    """Take from everybody what is returned beyond the start, and give it all to the first. [RULES 9.31]"""
    if rules.uma is None or rules.return_points is None:
        return rules.uma  # type: ignore[return-value]
    owed = Fraction(rules.return_points - rules.start_points, 1000)
    return [points - owed + (players * owed if place == 0 else 0) for place, points in enumerate(rules.uma)]


def _naive_sum(brought: Fraction | None, charges: list[Charge]) -> Fraction | None:
    taken = sum((one.tournament_points for one in charges), Fraction(0))
    return taken or None if brought is None else brought + taken


def _naive_given(
    kind: str, given: GivenResult, charges: list[Charge], taken: list[Charge], rules: Regulation
) -> dict[str, Any]:
    """Add the GP of some charges, and the TP of others. [RULES 8.32] [RULES 8.51]"""
    row = naive_uma(rules, rules.table_size)
    uma = None if row is None else row[given.place - 1] if given.place else Fraction(0)
    has_none = rules.tournament_points is None and kind != "adjusted"
    brought = None if has_none else given.tournament_points
    return {
        "kind": kind,
        "game_points": given.game_points + sum(one.game_points for one in charges),
        "tournament_points": _naive_sum(brought, taken),
        "place": None if given.place is None else Fraction(given.place),
        "uma": uma,
        "rank": 0,
    }


def naive_values(event: Event, player: str) -> dict[Criterion, Any]:
    """Work out every criterion of a player except head-to-head. [RULES 1.7]"""
    results = {key: one for key, one in naive_results(event).items() if key[1] == player}
    whole = [one for one in event.charges if one.session is None and one.player == player]
    start = {session.number: session.regulation.start_points for session in event.sessions}
    games = [one["game_points"] for one in results.values()]
    places = [one["place"] for one in results.values() if one["place"] is not None]
    mean = sum(places) / len(places) if places else None
    return {
        criteria.TOURNAMENT_POINTS: naive_total(event, player),
        criteria.GAME_POINTS: sum(games) + sum(one.game_points for one in whole),
        criteria.POINTS: sum(games)
        + sum(one.game_points for one in whole)
        + sum(start[session] for session, _ in results),
        criteria.AVERAGE_PLACE: mean,
        criteria.PLACE_VARIANCE: sum((place - mean) ** 2 for place in places) / len(places)
        if places
        else None,
        criteria.POINTS_SPREAD: max(games) - min(games) if games else None,
        criteria.BEST_GAME: max(games) if games else None,
        criteria.FIRST_PLACES: sum(one["rank"] == 1 for one in results.values()),
        criteria.SECOND_PLACES: sum(one["rank"] == 2 for one in results.values()),
        criteria.THIRD_PLACES: sum(one["rank"] == 3 for one in results.values()),
        criteria.STAGE_TOURNAMENT_POINTS: sum(
            (one["tournament_points"] or Fraction(0) for one in results.values()), Fraction(0)
        ),
        criteria.STAGE_GAME_POINTS: sum(games),
        criteria.STAGE_POINTS: sum(games) + sum(start[session] for session, _ in results),
        criteria.STAGE_UMA_SCORE: sum(
            (Fraction(one["game_points"], 1000) + (one["uma"] or 0) for one in results.values()), Fraction(0)
        ),
        criteria.OPPONENTS_POINTS: naive_opponents(event, player),
        criteria.UMA_SCORE: sum(
            (Fraction(one["game_points"], 1000) + (one["uma"] or 0) for one in results.values()), Fraction(0)
        )
        + Fraction(sum(one.game_points for one in whole), 1000),
        criteria.LOTS: next(one.lot for one in event.entrants if one.player == player),
    }


def naive_total(event: Event, player: str) -> Fraction:
    """Add up a player's TP."""
    return sum(
        (one["tournament_points"] or 0 for key, one in naive_results(event).items() if key[1] == player),
        Fraction(0),
    ) + sum(one.tournament_points for one in event.charges if one.session is None and one.player == player)


def naive_met(event: Event, player: str) -> list[tuple[SessionFact, TableFact, list[str]]]:
    """List the tables a player sat at, with the registered players met there."""
    entrants = {entrant.player for entrant in event.entrants}
    found = []
    for session in event.sessions:
        for table in session.tables:
            sat = [seat.player for seat in table.seats if seat.player in entrants and seat.kept_for is None]
            if table.is_played and player in sat:
                found.append((session, table, [one for one in sat if one != player]))
    return found


def naive_opponents(event: Event, player: str) -> Fraction:
    """Add up the totals of everybody met. [RULES 8.43]"""
    return sum((naive_total(event, one) for *_, met in naive_met(event, player) for one in met), Fraction(0))


def naive_head_to_head(event: Event, player: str, equals: set[str]) -> Fraction:
    """Add up the TP of a player's seats at tables where another of those equal sat. [RULES 8.43]"""
    total = Fraction(0)
    for session, table, met in naive_met(event, player):
        if equals & set(met):
            points = naive_table(event, session, table)
            seat = next(one for one in table.seats if one.player == player)
            rules = session.regulation
            row = None if rules.tournament_points is None else rules.tournament_points[len(points)]
            sooner = naive_sooner(points, seat.seat)
            total += naive_share(list(points.values()), points[seat.seat], row, rules.tie_rule, sooner) or 0
    return total
