"""A recorded hand in words: who won from whom, by which fans, what else happened, who waited, and why points moved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.codes import STATES
from scoring.problems import Problem
from scoring.record.hands import read_hand
from scoring.seats import SEATS
from scoring.seats import Seat as Wind
from scoring.systems import SYSTEMS
from scoring.systems.base import PaymentLine, Ruleset, Situation
from tournaments.models import Hand, Seat
from tournaments.record.refusal import say
from tournaments.templatetags.looks import wind_name
from tournaments.web.labels import fan_name, fans_in_words, value_in_words


@dataclass(frozen=True)
class MovedPoints:
    """One reason why points moved: its sentence, its clause, and who got or paid how much."""

    sentence: str
    clause: str
    moves: list[tuple[str, int]]


def what_happened(hand: Hand, seats: Sequence[Seat], *, system: str) -> str:
    """Describe a hand in sentences, with the names of those who sat there when it was played."""
    names = names_at(hand, seats)
    events = hand.facts["events"]
    said = [sentence for event in events if (sentence := _event(event, names, system))]
    if not any(event["type"] in {"win", "chombo"} for event in events):
        said.append(_("Nobody won."))
    if abort := hand.facts.get("abort"):
        reason = _(SYSTEMS[system].recorded.aborts[abort])
        said.append(_("Abortive draw: %(reason)s.") % {"reason": reason})
    return " ".join([*said, *_checked(hand.facts, names), *_bet(hand.facts, names)])


def names_at(hand: Hand, seats: Sequence[Seat]) -> dict[str, str]:
    """Return who sat where when the hand was played."""
    return {seat.wind: str(seat.sat_at(hand.number)) for seat in seats}


def stood_before(hand: Hand, bets: int, *, system: str) -> list[str]:
    """Tell what lay on the table before a hand, where the system counts it: round, counters, bets."""
    if not SYSTEMS[system].recorded.tells_round:
        return []
    told = [_("%(wind)s round") % {"wind": wind_name(hand.round_wind)}]
    if hand.counters:
        told.append(ngettext("%(n)s counter", "%(n)s counters", hand.counters) % {"n": hand.counters})
    if bets:
        told.append(ngettext("%(n)s bet on the table", "%(n)s bets on the table", bets) % {"n": bets})
    return told


def moved_points(hand: Hand, bets: int, rules: Ruleset, seats: Sequence[Seat]) -> list[MovedPoints]:
    """List line by line why points moved in a hand in force, as the rulebook works them out. [RULES 1.5]"""
    at = Situation(
        seats=tuple(Wind(wind) for wind in hand.payments),
        number=hand.number,
        dealer=Wind(hand.dealer),
        round_wind=Wind(hand.round_wind),
        counters=hand.counters,
        bets=bets,
    )
    names = names_at(hand, seats)
    return [_moved(line, names) for line in rules.payments(read_hand(hand.facts), at).lines]


def _moved(line: PaymentLine, names: Mapping[str, str]) -> MovedPoints:
    problem = Problem("line", line.sentence, clause=line.clause, details=line.details)
    moves = [(names[str(wind)], points) for wind, points in line.payments.items() if points]
    return MovedPoints(say(problem), line.clause, sorted(moves, key=lambda move: -move[1]))


# Events


def _event(event: Mapping[str, Any], names: Mapping[str, str], system: str) -> str:
    kind = event["type"]
    if kind == "win":
        return " ".join(_win(event, winner, names, system) for winner in event["winners"])
    if kind == "kong":
        return _kong(event, names)
    name = {"name": names.get(event["seat"], "")}
    others = {
        "false_win": _("%(name)s: false win."),
        "exposure": _("%(name)s showed the tiles."),
        "dead_hand": _("%(name)s: dead hand."),
        "chombo": _("%(name)s: chombo."),
    }
    return others[kind] % name


def _kong(event: Mapping[str, Any], names: Mapping[str, str]) -> str:
    details = {"name": names.get(event["seat"], ""), "from": names.get(event.get("from", ""), "")}
    if event.get("robbed"):
        return _("%(name)s: added kong, robbed.") % details
    kongs = {
        "concealed": _("%(name)s: concealed kong."),
        "open": _("%(name)s: open kong, the tile discarded by %(from)s."),
        "added": _("%(name)s: added kong."),
        "delayed": _("%(name)s: delayed kong."),
    }
    return kongs[event["kind"]] % details


def _win(event: Mapping[str, Any], winner: Mapping[str, Any], names: Mapping[str, str], system: str) -> str:
    details = {"name": names.get(winner["seat"], ""), "value": value_in_words(system, winner)}
    fans = [*fans_in_words(system, winner), *_circumstances(event, winner, system)]
    if fans:
        details["value"] += f" ({', '.join(fans)})"
    if "from" in event:
        told = _("%(name)s off %(from)s, %(value)s.") % {**details, "from": names.get(event["from"], "")}
    else:
        told = _("%(name)s from the wall, %(value)s.") % details
    if told.endswith(".."):  # an abbreviation at the end has its own full stop
        told = told[:-1]
    if liable := winner.get("liable"):
        told += " " + _("%(name)s is liable.") % {"name": names.get(liable, "")}
    return told


def _circumstances(event: Mapping[str, Any], winner: Mapping[str, Any], system: str) -> Iterator[str]:
    """Name how the tile came, where that was marked and is not among the fans already."""
    if winner.get("nagashi"):
        yield _("Nagashi mangan")
    if winner.get("without_drawn_tile"):
        yield _("without the drawn tile")
    listed = winner.get("fan_list") or {}
    for mark in SYSTEMS[system].tiles.flags:
        if event.get(mark) and mark not in listed:
            yield fan_name(system, mark)


# The end of a hand


def _checked(facts: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    """Tell what the check at the end of a hand showed, state by state, in the order of the seats: a database may keep another."""
    found = facts.get("end") or {}
    checks = {str(seat): found[seat] for seat in SEATS if seat in found}
    for state in dict.fromkeys(check["state"] for check in checks.values()):
        said = _(STATES[state])
        people = [
            _with_base(names.get(seat, ""), check)
            for seat, check in checks.items()
            if check["state"] == state
        ]
        yield f"{said[:1].upper()}{said[1:]}: {', '.join(people)}."


def _with_base(name: str, check: Mapping[str, Any]) -> str:
    """Return a name with the most that the waiting hand could have been worth, where that was recorded."""
    if base := check.get("max_base"):
        return _("%(name)s (up to %(points)s)") % {"name": name, "points": base}
    return name


def _bet(facts: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    """Tell who declared riichi."""
    if seats := facts.get("riichi"):
        yield _("Riichi: %(names)s.") % {"names": ", ".join(names.get(seat, "") for seat in seats)}
