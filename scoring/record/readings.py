"""By which reading of the rulebooks a hand is judged, and where a record has to say so.

Hands that were recorded before the second reading [RULES 8.44] are judged as they were then. A record marks those of them
that the rules of today would refuse, pay otherwise or follow by another dealer; the others are the same by both readings.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.protocol import Game, PlayedHand, needs_first_reading
from scoring.systems.base import Ruleset

Json = Mapping[str, Any]
MARK = "first_reading"


def with_needed_readings(game: Game, ruleset: Ruleset) -> Game:
    """Return a game whose hands say that they are of the first reading only where that makes a difference. [RECORD 1]"""
    if not any(one.hand.first_reading for one in game.hands):
        return game
    return replace(game, hands=tuple(_with_needed_reading(one, ruleset) for one in game.hands))


def _with_needed_reading(played: PlayedHand, ruleset: Ruleset) -> PlayedHand:
    return replace(played, hand=replace(played.hand, first_reading=needs_first_reading(ruleset, played)))


def with_marks(declared: Json, games: Mapping[tuple[int, int], Game]) -> Json:
    """Return what was declared with a mark in every hand that only the first reading can judge. [RULES 8.44]"""
    marked = {key: game for key, game in games.items() if any(one.hand.first_reading for one in game.hands)}
    if not marked:
        return declared
    return {**declared, "sessions": [_session(one, marked) for one in declared["sessions"]]}


def with_final_marks(declared: Json, *, has_bets: bool) -> Json:
    """Return what was declared with a mark in every final result that leaves on a table what no system but riichi leaves. [RULES 8.42]"""
    sessions = [
        {**session, "tables": [_with_final_mark(table, has_bets) for table in session["tables"]]}
        for session in declared["sessions"]
    ]
    return declared if sessions == declared["sessions"] else {**declared, "sessions": sessions}


def _with_final_mark(table: Json, has_bets: bool) -> Json:
    protocol = table["protocol"]
    if protocol is None or "final" not in protocol:
        return table
    mark = {} if has_bets or not protocol["left_on_table"] else {MARK: True}
    return {**table, "protocol": without_mark(protocol) | mark}


def _session(session: Json, games: Mapping[tuple[int, int], Game]) -> Json:
    tables = [
        _table(table, games[session["number"], table["number"]])
        if (session["number"], table["number"]) in games
        else table
        for table in session["tables"]
    ]
    return {**session, "tables": tables}


def _table(table: Json, game: Game) -> Json:
    hands = marked_hands(table["protocol"]["hands"], game)
    return {**table, "protocol": {**table["protocol"], "hands": hands}}


def marked_hands(hands: Sequence[Json], game: Game) -> list[dict[str, Any]]:
    """Return hands as JSON, each with the mark of the first reading if its game says so, and without it if not."""
    return [
        without_mark(hand) | ({MARK: True} if played.hand.first_reading else {})
        for hand, played in zip(hands, game.hands, strict=True)
    ]


def without_mark(hand: Json) -> dict[str, Any]:
    """Return a hand as JSON that does not say by which reading it is judged."""
    return {name: value for name, value in hand.items() if name != MARK}
