"""A protocol as people read it: hand by hand, who paid whom, and what no longer counts."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.systems import SYSTEMS
from tournaments.models import Adjustment, Hand, HistoryEntry, Player, Protocol, Seat, Standing
from tournaments.models.protocol import InForce
from tournaments.record import history
from tournaments.record.history import Kind
from tournaments.web.history_entries import described
from tournaments.web.labels import worth_in_words


@dataclass(frozen=True)
class HandRow:
    """One line of the protocol."""

    hand: Hand
    what: str
    changes: list[tuple[str, int | None, int]]

    @property
    def is_in_force(self) -> bool:
        """Return whether it counts."""
        return bool(self.hand.status == InForce.IN_FORCE)


@dataclass(frozen=True)
class ProtocolSheet:
    """The whole protocol: seats, lines and totals, or the final result."""

    seats: list[Seat]
    rows: list[HandRow]
    final: Any

    @property
    def is_empty(self) -> bool:
        """Return whether nothing has been recorded."""
        return not self.rows and self.final is None


def protocol_rows(protocol: Protocol, *, with_retired: bool = False) -> ProtocolSheet:
    """Return the lines of a protocol; hands out of force are for the staff and the history only."""
    seats = list(
        protocol.table.seats.select_related("player__registration", "kept_for__registration").in_order()
    )
    system = protocol.table.session.tournament.system
    hands = protocol.hands.order_by("number", "id")
    if not with_retired:
        hands = hands.filter(status=InForce.IN_FORCE)
    running = {seat.wind: 0 for seat in seats}
    rows = []
    for hand in hands:
        payments = hand.payments
        if hand.status == InForce.IN_FORCE:
            running = {wind: total + payments.get(wind, 0) for wind, total in running.items()}
        changes = [(wind, payments.get(wind), running[wind]) for wind in running]
        rows.append(HandRow(hand, what_happened(hand, seats, system=system), changes))
    final = protocol.final_results.filter(status=InForce.IN_FORCE).first()
    return ProtocolSheet(seats, rows, final)


@dataclass(frozen=True)
class Account:
    """How the points of a table's hands become results: what no hand brought, then what each seat has in the standings.

    Each adjustment has a row of cells, one for every seat; a result is nothing where a seat has no standing.
    """

    adjustments: list[Adjustment]
    cells: list[list[int | None]]
    results: list[dict[str, Any] | None]
    is_moved: bool

    @property
    def is_ranked(self) -> bool:
        """Return whether anybody here has a result yet."""
        return any(self.results)

    @property
    def has_uma(self) -> bool:
        """Return whether places bring uma besides."""
        return any(result and result["uma"] is not None for result in self.results)


def account_of(protocol: Protocol, seats: list[Seat]) -> Account:
    """Return how the totals of a table become its players' results in the standings."""
    session = protocol.table.session
    people = [(seat.player_id, seat.kept_for_id) for seat in seats]
    posted = session.adjustments.filter(reversed_at=None, player__in={one for pair in people for one in pair})
    adjustments = list(posted.select_related("tournament", "player"))
    owners = [kept or own for own, kept in people]
    standings = Standing.objects.filter(tournament=session.tournament, player__in=owners)
    brought = {
        row.player_id: next((one for one in row.results if one["session"] == session.number), None)
        for row in standings
    }
    results = [brought.get(owner) if owner else None for owner in owners]
    pairs = zip(seats, results, strict=True)
    return Account(
        adjustments,
        [[row.game_points if row.player_id in pair else None for pair in people] for row in adjustments],
        results,
        is_moved=any(result and result["game_points"] != seat.hand_points for seat, result in pairs),
    )


def what_happened(hand: Hand, seats: list[Seat], *, system: str) -> str:
    """Describe a hand in a sentence or two, with the names of those who sat there when it was played."""
    names = {seat.wind: str(seat.sat_at(hand.number)) for seat in seats}
    events = hand.facts["events"]
    said = [sentence for event in events if (sentence := _event(event, names, system))]
    if not any(event["type"] == "win" for event in events):
        said.append(_("Nobody won."))
    return " ".join(said)


def _event(event: dict[str, Any], names: dict[str, str], system: str) -> str:
    kind = event["type"]
    if kind == "win":
        return " ".join(_win(event, winner, names, system) for winner in event["winners"])
    seat = names.get(event["seat"], "")
    if kind == "kong":
        kongs = {
            "concealed": _("%(name)s: concealed kong."),
            "open": _("%(name)s: open kong."),
            "added": _("%(name)s: added kong."),
            "delayed": _("%(name)s: delayed kong."),
        }
        return kongs[event["kind"]] % {"name": seat}
    others = {
        "false_win": _("%(name)s: false win."),
        "exposure": _("%(name)s showed the tiles."),
        "dead_hand": _("%(name)s: dead hand."),
        "chombo": _("%(name)s: chombo."),
    }
    return others[kind] % {"name": seat}


def _win(event: dict[str, Any], winner: dict[str, Any], names: dict[str, str], system: str) -> str:
    details = {"name": names.get(winner["seat"], ""), "value": _value(winner, system)}
    if "from" not in event:
        return _("%(name)s from the wall, %(value)s.") % details
    details["from"] = names.get(event["from"], "")
    return _("%(name)s off %(from)s, %(value)s.") % details


def _value(winner: dict[str, Any], system: str) -> str:
    if limit := winner.get("limit"):
        return _(SYSTEMS[system].limits[limit]).lower()
    if "han" in winner:
        return _("%(han)s han %(fu)s fu") % {"han": winner["han"], "fu": winner.get("fu", "")}
    worth = worth_in_words(system, winner.get("fans", 0))
    if winner.get("flowers"):
        return worth + ", " + _("flowers: %(n)s") % {"n": winner["flowers"]}
    return worth


def objections_to(protocol: Protocol) -> list[dict[str, Any]]:
    """List what players objected to, newest first, each with who said it."""
    rows = protocol.history.filter(kind=Kind.OBJECTION_NOTED).order_by("-number")
    told = [(row.at, history.read(row.content)) for row in rows]
    names = Player.objects.in_bulk([one["data"]["player"] for _at, one in told])
    return [{"at": at, "player": names.get(one["data"]["player"]), "text": one["reason"]} for at, one in told]


def recent_entries(protocol: Protocol) -> list[dict[str, Any]]:
    """List the history of a protocol, newest first."""
    rows = HistoryEntry.objects.filter(protocol=protocol).select_related("protocol__table__session")
    return described(protocol.table.session.tournament, rows.order_by("-number")[:100])
