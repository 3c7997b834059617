"""Who dealt the hands after one that is corrected or voided: as the rules go on, or as they were really played. [RULES 9.23]"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.hands import AsPlayed
from scoring.hands import Hand as Deal
from scoring.problems import Refusal
from scoring.protocol import Game
from scoring.record.hands import write_hand
from scoring.systems.base import Situation
from tournaments.models import Hand
from tournaments.record.refusal import Refused
from tournaments.tables.queries.sheets import Sheet

FIELD = "as_played"

Dealt = Mapping[int, Situation]
"""What stood on the table before hands, by the numbers that they have after the change."""


def dealt_after(game: Game, number: int, *, moved: int = 0) -> Dealt:
    """Return how the hands after a number were played; `moved` says by how much their numbers change."""
    return {one.hand.number + moved: one.before for one in game.hands if one.hand.number > number}


def with_dealers(sheet: Sheet, deals: Sequence[Deal], dealt: Dealt, *, keep: bool | None) -> list[Deal]:
    """Return the hands with later ones dealt as they were played, or by the rules; None leaves them as they say themselves.

    A hand says how it was dealt only where that does not follow from the hand before it.
    """
    if keep is None:
        return list(deals)
    free = [replace(deal, as_played=None) if deal.number in dealt else deal for deal in deals]
    if not keep:
        return free
    kept = [
        replace(deal, as_played=_as_played(dealt[deal.number])) if deal.number in dealt else deal
        for deal in free
    ]
    try:
        game = sheet.play(kept)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    follows = [sheet.rules.start(sheet.places), *(played.after for played in game.hands)]
    return [
        plain if is_so and _as_played(is_so) == _as_played(before) and not before.is_over else deal
        for deal, plain, before, is_so in zip(
            kept, free, follows, map(dealt.get, (d.number for d in kept)), strict=False
        )
    ]


def _as_played(at: Situation) -> AsPlayed:
    return AsPlayed(at.dealer, at.round_wind, at.counters)


def write_dealers(rows: Sequence[Hand], deals: Sequence[Deal]) -> dict[str, Any]:
    """Store how hands are dealt in the rows of their numbers; return what the history says of it."""
    by_number = {deal.number: write_hand(deal).get(FIELD) for deal in deals}
    changed = [
        row for row in rows if row.number in by_number and row.facts.get(FIELD) != by_number[row.number]
    ]
    for row in changed:
        row.facts = told(row.facts, by_number[row.number])
        row.save(update_fields=["facts"])
    return {FIELD: {str(row.number): by_number[row.number] for row in changed}} if changed else {}


def told(facts: Mapping[str, Any], dealt: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return facts that say how the hand was dealt, or leave it to the hands before it."""
    rest = {name: value for name, value in facts.items() if name != FIELD}
    return rest | ({FIELD: dict(dealt)} if dealt else {})
