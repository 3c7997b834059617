"""Hands as JSON: read strictly into facts, and written back value for value, as docs/RECORD.md says."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring import parsers
from scoring.hands import (
    Abort,
    AsPlayed,
    Check,
    Chombo,
    DeadHand,
    Event,
    Exposure,
    FalseWin,
    Hand,
    Kong,
    KongKind,
    Meld,
    Tiles,
    Win,
    Winner,
)
from scoring.parsers import (
    Parser,
    built,
    by_key,
    checked,
    choice,
    chosen,
    fields,
    mark,
    natural,
    positive,
    several,
    text,
    whole,
)
from scoring.problems import Problem, gettext_noop
from scoring.regulation import code
from scoring.seats import SEATS, Seat
from scoring.systems import SYSTEMS
from scoring.systems.system import RecordedHand

LIMITS = ("mangan", "haneman", "baiman", "sanbaiman", "counted_yakuman", "yakuman")
STATES = ("waiting", "no_wait", "pig_active", "pig_passive", "pig")
FALSE_WINS = ("waiting", "no_wait", "below_minimum", "wrong_claim")

seat = choice(SEATS)
tile = text(1, 2, r"[mps][1-9]|E|S|W|N|R|G|Wh|J")


def read_hand(data: object, at: str = "") -> Hand:
    """Read one hand in force, or refuse it with all problems of its shape. [RECORD 3]"""
    hand: Hand = parsers.read(hand_in_force, data, at)
    return hand


def write_hand(hand: Hand) -> dict[str, Any]:
    """Write a hand as it was read. [RECORD 3]"""
    written: dict[str, Any] = {"number": hand.number, "events": [_event(event) for event in hand.events]}
    if hand.end:
        written["end"] = {
            str(place): {"state": check.state} | _said(max_base=check.max_base)
            for place, check in hand.end.items()
        }
    if hand.riichi:
        written["riichi"] = [str(place) for place in hand.riichi]
    if hand.abort:
        written["abort"] = str(hand.abort)
    if hand.first_reading:
        written["first_reading"] = True
    if hand.as_played:
        written["as_played"] = _as_played(hand.as_played)
    return written


# Reading


def _renamed(parser: Parser, build: Any, **names: str) -> Parser:
    """Build a value whose JSON names differ from its own."""

    def make(**parts: Any) -> Any:
        return build(**{names.get(name, name): part for name, part in parts.items()})

    return built(parser, make)


def _meld() -> Parser:
    parts: dict[str, Parser] = {
        "type": choice(("chow", "pung", "kong")),
        "tiles": several(tile, least=3, most=4),
        "open": parsers.truth,
    }
    return built(fields(parts), Meld)


def _tiles() -> Parser:
    parts = {"concealed": several(tile, most=27), "melds": several(_meld(), most=4), "winning_tile": tile}
    return built(fields(parts), Tiles)


def _winner() -> Parser:
    optional: dict[str, Parser] = {
        "fans": natural,
        "flowers": whole(1, 8),
        "han": whole(1, 13),
        "fu": positive,
        "limit": choice(LIMITS),
        "yakuman": whole(2, 6),
        "liable": seat,
        "nagashi": mark,
        "without_drawn_tile": mark,
        "fan_list": by_key(text(1, 64), positive),
        "yaku": by_key(code, positive),
        "tiles": _tiles(),
    }
    return checked(built(fields({"seat": seat}, optional), Winner), _has_value)


def _has_value(winner: Winner, path: str) -> list[Problem]:
    """A winner has a value: fans, han or a limit."""
    if winner.fans is not None or winner.han is not None or winner.limit:
        return []
    return [Problem("value_needed", NO_VALUE, field=parsers.join(path, "fans"), clause="RECORD 3")]


def _win() -> Parser:
    optional: dict[str, Parser] = {
        "from": seat,
        "replacement_win": mark,
        "discard_after_kong": mark,
        "robbing_kong": mark,
        "last_tile": mark,
        "same_turn": mark,
    }
    winners = {"winners": several(_winner(), least=1, most=3)}
    return _renamed(fields(winners, optional), Win, **{"from": "discarder"})


def _kong() -> Parser:
    parts = fields({"seat": seat, "kind": choice(KongKind)}, {"from": seat, "robbed": mark})
    return checked(_renamed(parts, Kong, **{"from": "discarder"}), _kong_fits)


def _kong_fits(kong: Kong, path: str) -> list[Problem]:
    """Check that an open kong has a discarder and is never robbed; the others have none."""
    problems = []
    if kong.kind is KongKind.OPEN and kong.discarder is None:
        problems.append(Problem("discarder_needed", OPEN_KONG, parsers.join(path, "from"), "RECORD 3"))
    if kong.kind is not KongKind.OPEN and kong.discarder is not None:
        problems.append(Problem("discarder_unexpected", OWN_KONG, parsers.join(path, "from"), "RECORD 3"))
    if kong.kind is KongKind.OPEN and kong.robbed:
        problems.append(Problem("outcome_conflict", OPEN_ROBBED, parsers.join(path, "robbed"), "RECORD 3"))
    return problems


def _false_win() -> Parser:
    optional: dict[str, Parser] = {
        "kind": choice(FALSE_WINS),
        "from": seat,
        "discard_after_kong": mark,
        "robbing_kong": mark,
    }
    return _renamed(fields({"seat": seat}, optional), FalseWin, **{"from": "discarder"})


def _check() -> Parser:
    return built(fields({"state": choice(STATES)}, {"max_base": choice_of_base}), Check)


def choice_of_base(value: object, path: str, problems: list[Problem]) -> int | None:
    """Read base points: 1, 2, 4, 8 or 16."""
    base: int | None = whole(1, 16)(value, path, problems)
    if base is not None and 1 <= base <= 16 and base & (base - 1):
        problems.append(Problem("out_of_range", BASE_POINTS, field=path, clause="SBR 2.7.3"))
    return base


def _abort(value: object, path: str, problems: list[Problem]) -> None:
    """Refuse a hand called off: none of the rulebooks knows one. [RULES 7] [INTEGRITY 91]"""
    problems.append(Problem("abort_unknown", ABORT_UNKNOWN, field=path, clause="RULES 7"))


_event_parser = chosen(
    "type",
    {
        "abort": _abort,
        "win": _win(),
        "kong": _kong(),
        "false_win": _false_win(),
        "exposure": built(fields({"seat": seat}), Exposure),
        "dead_hand": built(fields({"seat": seat}, {"offence": code}), DeadHand),
        "chombo": built(fields({"seat": seat}), Chombo),
    },
)

_hand_parts: Mapping[str, Parser] = {"number": positive, "events": several(_event_parser)}
_hand_options: Mapping[str, Parser] = {
    "end": by_key(seat, _check(), least=1),
    "riichi": several(seat, least=1, most=4, unique=True),
    "abort": choice(Abort),
    "first_reading": mark,
    "as_played": _renamed(
        fields({"dealer": seat, "round": seat}, {"counters": natural}), AsPlayed, round="round_wind"
    ),
}

hand_in_force = built(fields(_hand_parts, _hand_options), Hand)
"""Read a hand that stands."""


def hand_parts() -> tuple[Mapping[str, Parser], Mapping[str, Parser]]:
    """Return how the fields of a hand are read, those it must have and those it may have."""
    return _hand_parts, _hand_options


# What each system records


def foreign_parts(hand: Mapping[str, Any], system: str) -> Iterator[Problem]:
    """List what a hand that could be read says and its system does not record. [RECORD 3]

    A hand no longer in force may have been impossible, which is why it was corrected; it is held to its form alone.
    """
    recorded = SYSTEMS[system].recorded
    for name, is_known in (
        ("end", recorded.end_states is not None),
        ("riichi", recorded.has_bets),
        ("abort", bool(recorded.aborts)),
    ):
        if name in hand and not is_known:
            yield _foreign(name)
    for place, check in hand.get("end", {}).items():
        is_foreign = check["state"] not in (recorded.end_states or ())
        if recorded.end_states is not None and (
            is_foreign or ("max_base" in check and not recorded.end_has_base)
        ):
            yield _foreign(f"end.{place}")
    for index, event in enumerate(hand["events"]):
        yield from _foreign_event(event, recorded, f"events.{index}")


def _foreign_event(event: Mapping[str, Any], recorded: RecordedHand, path: str) -> Iterator[Problem]:
    known = recorded.events.get(event["type"])
    if known is None:
        yield Problem("event_unknown", FOREIGN_EVENT, field=path, clause="RECORD 3")
        return
    yield from (_foreign(f"{path}.{name}") for name in event if name not in {"type", *known})
    kinds = recorded.false_wins
    if event["type"] == "false_win" and kinds and event.get("kind") not in kinds:
        details = {"names": ", ".join(kinds)}
        yield Problem("choice", parsers.NOT_A_CHOICE, f"{path}.kind", "RECORD 3", details)
    needed, optional = recorded.winner_needs, recorded.winner_may
    for index, winner in enumerate(event.get("winners", ())):
        where = f"{path}.winners.{index}"
        yield from (_foreign(f"{where}.{name}") for name in winner if name not in needed | optional)
        for name in sorted(needed - set(winner)):
            yield Problem("required", parsers.MISSING, f"{where}.{name}", "RECORD 3", {"name": name})


def _foreign(path: str) -> Problem:
    details = {"name": path.rpartition(".")[2]}
    return Problem("unknown_field", parsers.UNKNOWN_FIELD, field=path, clause="RECORD 3", details=details)


FOREIGN_EVENT = gettext_noop("This system has no event of this kind.")


# Writing


def _said(**parts: Any) -> dict[str, Any]:
    """Keep the parts that say something; `discarder` is written as `from`. [RECORD 1]"""
    return {
        "from" if name == "discarder" else name: part
        for name, part in parts.items()
        if part is not None and part is not False and part != ""
    }


def _as_played(dealt: AsPlayed) -> dict[str, Any]:
    written: dict[str, Any] = {"dealer": str(dealt.dealer), "round": str(dealt.round_wind)}
    return written | _said(counters=dealt.counters or None)


def _place(place: Seat | None) -> str | None:
    return None if place is None else str(place)


def _event(event: Event) -> dict[str, Any]:
    """Write one event under its type."""
    match event:
        case Win():
            return _written_win(event)
        case Kong():
            circumstances = _said(discarder=_place(event.discarder), robbed=event.robbed)
            return {"type": "kong", "seat": str(event.seat), "kind": str(event.kind)} | circumstances
        case FalseWin():
            return _written_false_win(event)
        case Exposure():
            return {"type": "exposure", "seat": str(event.seat)}
        case DeadHand():
            return {"type": "dead_hand", "seat": str(event.seat)} | _said(offence=event.offence)
        case _:
            return {"type": "chombo", "seat": str(event.seat)}


def _written_win(win: Win) -> dict[str, Any]:
    return {"type": "win", "winners": [_written_winner(winner) for winner in win.winners]} | _said(
        discarder=_place(win.discarder),
        replacement_win=win.replacement_win,
        discard_after_kong=win.discard_after_kong,
        robbing_kong=win.robbing_kong,
        last_tile=win.last_tile,
        same_turn=win.same_turn,
    )


def _written_false_win(event: FalseWin) -> dict[str, Any]:
    return {"type": "false_win", "seat": str(event.seat)} | _said(
        kind=event.kind,
        discarder=_place(event.discarder),
        discard_after_kong=event.discard_after_kong,
        robbing_kong=event.robbing_kong,
    )


def _written_winner(winner: Winner) -> dict[str, Any]:
    return {"seat": str(winner.seat)} | _said(
        fans=winner.fans,
        flowers=winner.flowers or None,
        han=winner.han,
        fu=winner.fu,
        limit=winner.limit,
        yakuman=winner.yakuman,
        liable=_place(winner.liable),
        nagashi=winner.nagashi,
        without_drawn_tile=winner.without_drawn_tile,
        fan_list=_counts(winner.fan_list),
        yaku=_counts(winner.yaku),
        tiles=_written_tiles(winner.tiles),
    )


def _counts(counts: Mapping[str, int] | None) -> dict[str, int] | None:
    return None if counts is None else dict(counts)


def _written_tiles(tiles: Tiles | None) -> dict[str, Any] | None:
    if tiles is None:
        return None
    return {
        "concealed": list(tiles.concealed),
        "melds": [{"type": meld.type, "tiles": list(meld.tiles), "open": meld.open} for meld in tiles.melds],
        "winning_tile": tiles.winning_tile,
    }


NO_VALUE = gettext_noop("Give the value of the winning hand.")
OPEN_KONG = gettext_noop("Say who discarded the tile of the open kong.")
OWN_KONG = gettext_noop("Only an open kong takes another player's discard.")
OPEN_ROBBED = gettext_noop("An open kong cannot be robbed.")
ABORT_UNKNOWN = gettext_noop("These rules do not have this kind of draw.")
BASE_POINTS = gettext_noop("Base points are 1, 2, 4, 8 or 16.")
