"""A hand of tiles explained, whatever the system: its reading, every fan with its sets and clause, what was left out."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.fields import Fields
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.systems import SYSTEMS
from scoring.systems.explained import Explanation, Omission, Term, Total
from scoring.tiles.tile import JOKER, NUMBERS, parse_compact, write, write_compact
from scoring.words import fill, say, translate


def explain(
    system: str, hand: object, how: Mapping[str, object], rules: Mapping[str, object] | None = None
) -> Explanation:
    """Explain a hand as docs/HANDS.md writes it, won as `how` says; refuse what is no win with every reason.

    `how` knows `self_draw`, `seat_wind`, `round_wind`, `flowers`, `forbidden_suit`, `dora_indicators`,
    `ura_indicators`, for Siamese `players` (3 unless told), and the marks that the system lists. [RULES 1.1]
    """
    fields = Fields({**how, "hand": hand})
    return SYSTEMS[system].tiles.explain(fields, rules or {})


GROUP = re.compile(r"\(([^()\[\]]*?)(?:\s+(added|delayed))?\s*\)|\[([^()\[\]]*)\]")


LATER = ("added", "delayed")
"""How an open kong may have come, besides by a discard."""


def read_text(text: str, *, kong_kinds: bool = False) -> dict[str, Any]:
    """Read a hand as people type it: `(111z) [5555p] 123m 99s 9s`.

    Sets in round brackets are open, a kong in square ones is concealed; the last tile is the winning one. Where kongs
    say how they came, an open one may be `(5555p added)` or `(5555p delayed)`.
    """
    melds = [
        _meld(parse_compact(is_open or closed, "melds"), bool(is_open), kong if kong_kinds else None)
        for is_open, kong, closed in GROUP.findall(text)
    ]
    tiles = [write(tile) for tile in parse_compact(GROUP.sub(" ", text), "hand")]
    if not tiles:
        raise Refusal(Problem("field_needed", NO_TILES, field="hand.winning_tile"))
    return {"concealed": tiles[:-1], "melds": melds, "winning_tile": tiles[-1]}


def write_text(hand: Mapping[str, Any]) -> str:
    """Write a hand as people type it, the winning tile last."""
    melds = [_bracketed(meld) for meld in hand["melds"]]
    concealed = write_compact(NUMBERS[tile] for tile in hand["concealed"])
    winning = [write_compact([NUMBERS[hand["winning_tile"]]])] if hand["winning_tile"] else []
    return " ".join(filter(None, [*melds, concealed, *winning]))


def _bracketed(meld: Mapping[str, Any]) -> str:
    tiles = write_compact(NUMBERS[tile] for tile in meld["tiles"])
    kong = meld.get("kong", "")
    return f"({tiles}{f' {kong}' if kong in LATER else ''})" if meld["open"] else f"[{tiles}]"


def _meld(tiles: Sequence[int], is_open: bool, kong: str | None) -> dict[str, object]:
    kind = "kong" if len(tiles) == 4 else "chow" if len(set(tiles) - {JOKER}) > 1 else "pung"
    meld: dict[str, object] = {"type": kind, "tiles": [write(tile) for tile in tiles], "open": is_open}
    if kong is not None and kind == "kong":
        meld["kong"] = kong or ("open" if is_open else "concealed")
    return meld


def tell(explanation: Explanation, language: str = "en") -> list[str]:
    """Tell an explanation line by line in the language."""
    lines = [" · ".join(explanation.reading)] if explanation.reading else []
    lines += [_term(term, language) for term in explanation.terms]
    lines += [_omission(one, language) for one in explanation.omissions]
    lines += [_total(total, language) for total in explanation.totals]
    if explanation.payment:
        lines.append(fill(explanation.payment, explanation.details, language))
    return lines + [f"{say(problem, language)} [{problem.clause}]" for problem in explanation.reasons]


def _term(term: Term, language: str) -> str:
    name = translate(term.name, language)
    times = f" ×{term.times}" if term.times > 1 else ""
    made_of = "; ".join(filter(None, term.made_of))
    return f"{term.points:>4}  {name}{times}" + (f": {made_of}" if made_of else "") + f"  [{term.clause}]"


def _total(total: Total, language: str) -> str:
    clause = f"  [{total.clause}]" if total.clause else ""
    return f"{translate(total.label, language)}: {translate(str(total.value), language)}{clause}"


def _omission(one: Omission, language: str) -> str:
    reason = fill(one.reason, one.details, language)
    return f"   –  {translate(one.name, language)}: {reason}  [{one.clause}]"


NO_TILES = gettext_noop("Give the tiles of the hand, the winning tile last.")
