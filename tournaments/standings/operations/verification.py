"""Holding the record against its history: every chain, every seal, and every fact that the history tells of."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from scoring.problems import Refusal
from scoring.seats import Seat as SeatWind
from scoring.upgrades import NewerVersion
from tournaments.models import HistoryEntry, Protocol, Seat, Session, Tournament
from tournaments.models.protocol import InForce
from tournaments.record import triggers
from tournaments.record.history import GENESIS, Kind, canonical, digest
from tournaments.record.moment import one_moment
from tournaments.record.upgrades import HISTORY
from tournaments.standings.operations import team_lines
from tournaments.standings.operations.adjustments import facts_of
from tournaments.tables.operations.dealers import FIELD
from tournaments.tables.operations.dealers import told as as_dealt
from tournaments.tables.operations.protocols import counted_totals
from tournaments.tables.queries.sheets import COLUMNS, sheet_of

SEAT_KINDS = (Kind.SEAT_LEFT_EMPTY, Kind.SUBSTITUTE_SEATED, Kind.PLAYER_RETURNED)


@dataclass(frozen=True)
class Fault:
    """The first thing in a chain that is not as it was written."""

    chain: str
    number: int
    what: str

    def __str__(self) -> str:
        """Return chain, entry and fault."""
        where = f"{self.chain}, entry {self.number}" if self.number else self.chain
        return f"{where}: {self.what}"


def verify(tournament: Tournament) -> list[Fault]:
    """Check a tournament's history and what follows from it; empty when all is as it was written.

    All of it is read at one moment: an event in play is written while it is verified.
    """
    with one_moment():
        return _faults(Tournament.objects.get(pk=tournament.pk))


def _faults(tournament: Tournament) -> list[Fault]:
    faults = (
        []
        if triggers.is_in_place(connection)
        else [Fault("database", 0, "the guarding triggers are missing")]
    )
    own = _entries(tournament.history.filter(protocol=None))
    heads: dict[int, dict[int, str]] = {}
    faults += _first(_chain(own, f"tournament:{tournament.pk}", tournament.entries))
    protocols = Protocol.objects.filter(table__session__tournament=tournament).order_by("pk")
    for protocol in protocols.select_related("table__session"):
        entries = _entries(protocol.history.all())
        heads[protocol.pk] = {entry.number: entry.digest for entry in entries}
        name = f"protocol:{protocol.pk}"
        faults += _first(_chain(entries, name, protocol.version))
        faults += _first(_final(protocol, entries, name))
        faults += _first(_hands(protocol, entries, name))
    faults += _first(_strays(tournament, heads))
    faults += _first(_seals(tournament, own, heads))
    faults += _first(_regulation(tournament, own))
    faults += _first(_seating(tournament, own))
    faults += _first(_registrations(tournament, own))
    faults += _first(_adjustments(tournament, own))
    faults += _first(_team_lines(tournament, own))
    return faults


def seating_faults(tournament: Tournament) -> list[Fault]:
    """List the faults of sessions in which somebody sits where the history did not seat them."""
    return list(_seating(tournament, _entries(tournament.history.filter(protocol=None))))


def knows_digest(tournament: Tournament, beginning: str) -> bool:
    """Return whether a digest printed on a sheet or shown on a page, whole or its beginning, belongs to the record."""
    is_entry = tournament.history.filter(digest__startswith=beginning).exists()
    return is_entry or tournament.sessions.filter(checkpoint__startswith=beginning).exists()


def _entries(rows: Any) -> list[HistoryEntry]:
    return list(rows.order_by("number", "id"))


def _first(faults: Iterator[Fault]) -> list[Fault]:
    """Return the first fault of a check alone: those after it follow from it."""
    return [fault for fault in [next(faults, None)] if fault]


def _content(entry: HistoryEntry) -> Mapping[str, Any]:
    """Return what an entry says, in the newest version of history entries."""
    try:
        return HISTORY.read(_stored(entry))
    except NewerVersion:
        return {}


def _stored(entry: HistoryEntry) -> Mapping[str, Any]:
    """Return what an entry says in the words in which it was stored, over which its digest is taken."""
    try:
        content = json.loads(entry.content)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _chain(entries: Sequence[HistoryEntry], chain: str, counted: int) -> Iterator[Fault]:
    """Check a chain: no gap in the numbers, each digest over its content, each content as its columns, each linked to the last."""
    previous = GENESIS
    for expected, entry in enumerate(entries, start=1):
        if entry.number != expected:
            yield Fault(chain, expected, f"the entry is missing; number {entry.number} follows")
        yield from (Fault(chain, entry.number, what) for what in _entry_faults(entry, chain, previous))
        previous = entry.digest
    if counted != len(entries):
        number = min(counted, len(entries)) + 1
        yield Fault(chain, number, f"the record counts {counted} entries, the chain has {len(entries)}")


def _entry_faults(entry: HistoryEntry, chain: str, previous: str) -> Iterator[str]:
    if digest(entry.content) != entry.digest:
        yield "the content does not have the digest"
    content = _stored(entry)
    if entry.previous != previous or content.get("previous") != previous:
        yield "it does not follow the entry before it"
    told = {"number": entry.number, "kind": entry.kind, "chain": chain, "at": entry.at.isoformat()}
    for name, value in told.items():
        if content.get(name) != value:
            yield f"“{name}” is not as the content has it"


def _strays(tournament: Tournament, heads: Mapping[int, Any]) -> Iterator[Fault]:
    """Find entries that claim a protocol of another tournament: they belong to no chain here."""
    strays = tournament.history.filter(protocol__isnull=False).exclude(protocol__in=list(heads))
    for entry in strays.order_by("id"):
        yield Fault(f"protocol:{entry.protocol_id}", entry.number, "the protocol is not of this tournament")


def _seals(
    tournament: Tournament, entries: Sequence[HistoryEntry], heads: Mapping[int, Mapping[int, str]]
) -> Iterator[Fault]:
    """Check that every checkpoint covers what it covered when it was made."""
    latest: dict[str, str] = {}
    chain = f"tournament:{tournament.pk}"
    for entry in entries:
        content = _content(entry)
        if entry.kind == Kind.SESSION_REOPENED:
            latest.pop(content["subject"], None)
        if entry.kind != Kind.SESSION_CLOSED:
            continue
        data = content.get("data", {})
        sealed = data.get("sealed", {})
        latest[content["subject"]] = data.get("checkpoint", "")
        if digest(canonical(sealed)) != data.get("checkpoint"):
            yield Fault(chain, entry.number, "the checkpoint does not cover what it names")
        if sealed.get("tournament") != entry.previous:
            yield Fault(chain, entry.number, "the checkpoint was made over another history of the tournament")
        for protocol, number, head in sealed.get("protocols", []):
            if number and heads.get(protocol, {}).get(number) != head:
                yield Fault(
                    f"protocol:{protocol}",
                    number,
                    f"it is not the entry sealed by entry {entry.number} of the tournament",
                )
    for session in tournament.sessions.filter(state=Session.State.CLOSED):
        if latest.get(f"session:{session.number}") != session.checkpoint:
            yield Fault(f"session:{session.number}", 0, "its checkpoint is not the one in the history")


def _hands(protocol: Protocol, entries: Sequence[HistoryEntry], chain: str) -> Iterator[Fault]:
    """Check that the hands in force are those that the history tells of, and the totals follow from them."""
    told: dict[int, tuple[int, Any]] = {}
    for entry in entries:
        _retell(entry, told)
    in_force = {hand.number: hand for hand in protocol.hands.filter(status=InForce.IN_FORCE)}
    for number in sorted(set(told) | set(in_force)):
        entry_number, facts = told.get(number, (0, None))
        hand = in_force.get(number)
        if hand is None:
            yield Fault(chain, entry_number, f"hand {number} is missing from the record")
        elif facts is None:
            yield Fault(chain, 0, f"hand {number} stands in the record without an entry")
        elif hand.facts != facts:
            yield Fault(chain, entry_number, f"hand {number} is not as it was recorded")
    yield from _vacancies(protocol, entries, chain)
    yield from _totals(protocol, chain)


def _retell(entry: HistoryEntry, told: dict[int, tuple[int, Any]]) -> None:
    """Follow one entry: which hands are in force after it."""
    data = _content(entry).get("data", {})
    number = data.get("number")
    if entry.kind in {Kind.HAND_RECORDED, Kind.HAND_CORRECTED}:
        told[number] = (entry.number, data["facts"])
    elif entry.kind == Kind.HAND_UNDONE:
        told.pop(number, None)
    elif entry.kind == Kind.HAND_VOIDED:
        told.pop(number, None)
        for later in sorted(place for place in told if place > number):
            place, facts = told.pop(later)
            told[later - 1] = (place, {**facts, "number": later - 1})
    elif entry.kind == Kind.HAND_RESTORED:
        for later in sorted((place for place in told if place >= number), reverse=True):
            place, facts = told.pop(later)
            told[later + 1] = (place, {**facts, "number": later + 1})
        told[number] = (entry.number, data["facts"])
    for place, dealt in data.get(FIELD, {}).items():
        told[int(place)] = (entry.number, as_dealt(told[int(place)][1], dealt))


def _vacancies(protocol: Protocol, entries: Sequence[HistoryEntry], chain: str) -> Iterator[Fault]:
    """Seats are empty from the hand on that the history last named; a record that was read in may know of others. [RULES 8.55]"""
    told: dict[str, tuple[int, int | None]] = {}
    for entry in entries:
        content = _content(entry)
        data = content.get("data", {})
        if entry.kind in SEAT_KINDS:
            told[content["subject"].rpartition("/")[2]] = (entry.number, data.get("left_after"))
        elif entry.kind in {Kind.HAND_VOIDED, Kind.HAND_RESTORED}:
            told |= {wind: (entry.number, left) for wind, left in data.get("left_after", {}).items()}
    for seat in protocol.table.seats.filter(wind__in=told):
        number, left = told[seat.wind]
        if seat.left_after != left:
            yield Fault(chain, number, f"{seat.wind} is not empty from the hand on that the history tells")


def _totals(protocol: Protocol, chain: str) -> Iterator[Fault]:
    """Payments are what the rules make of the facts; totals those of the final result, else those of the hands."""
    sheet = sheet_of(Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk))
    try:
        game = sheet.play()
        totals = counted_totals(sheet, game)
    except Refusal as refusal:
        yield Fault(chain, 0, f"what was recorded cannot be played: {refusal}")
        return
    for row, played in zip(sheet.rows, game.hands, strict=True):
        expected = {str(seat): points for seat, points in played.payments.by_seat.items()}
        if {wind: getattr(row, COLUMNS[wind]) for wind in expected} != expected:
            yield Fault(chain, 0, f"the payments of hand {row.number} do not follow from its facts")
    for seat in sheet.seats:
        if seat.hand_points != totals.get(SeatWind(seat.wind), 0):
            yield Fault(chain, 0, f"the total of {seat.wind} does not follow from what was recorded")


def _final(protocol: Protocol, entries: Sequence[HistoryEntry], chain: str) -> Iterator[Fault]:
    """The final result in force is the one that the history last told of; a hand played after it takes it away."""
    told: tuple[int, Any] = (0, None)
    for entry in entries:
        if entry.kind == Kind.FINAL_RESULT_RECORDED:
            told = (entry.number, _content(entry).get("data", {}))
        elif entry.kind in {Kind.HAND_RECORDED, Kind.HAND_UNDONE}:
            told = (0, None)
    row = protocol.final_results.filter(status=InForce.IN_FORCE).first()
    stands = {"points": row.points, "left_on_table": row.left_on_table} if row else None
    if stands != told[1]:
        yield Fault(chain, told[0], "the final result is not the one in the history")


def _regulation(tournament: Tournament, entries: Sequence[HistoryEntry]) -> Iterator[Fault]:
    """The regulation is the one created, with the changes that the history tells of; sessions keep their copies."""
    told: dict[str, Any] = {}
    started: dict[int, Any] = {}
    for entry in entries:
        data = _content(entry).get("data", {})
        if entry.kind == Kind.TOURNAMENT_CREATED:
            told = dict(data["regulation"])
        elif entry.kind == Kind.REGULATION_CHANGED:
            told |= {name: change[1] for name, change in data["changes"].items()}
        elif entry.kind == Kind.SESSION_STARTED:
            started[int(_content(entry)["subject"].partition(":")[2])] = data["regulation"]
        elif entry.kind == Kind.SESSION_START_TAKEN_BACK:
            started.pop(int(_content(entry)["subject"].partition(":")[2]), None)
    for number, regulation in started.items():
        session = tournament.sessions.filter(number=number).first()
        if session is None or session.regulation != regulation:
            yield Fault(f"session:{number}", 0, "its copy of the regulation is not the one it started with")
    if told and told != tournament.regulation:
        yield Fault(f"tournament:{tournament.pk}", 0, "the regulation is not the one in the history")


def _seating(tournament: Tournament, entries: Sequence[HistoryEntry]) -> Iterator[Fault]:
    """Check that everybody sits where the history seated them."""
    told: dict[int, dict[tuple[int, str], int | None]] = {}
    for entry in entries:
        content = _content(entry)
        if entry.kind in {Kind.SEATING_PUBLISHED, Kind.SEATING_WITHDRAWN, Kind.SEATING_CHANGED}:
            session = int(content["subject"].partition(":")[2])
            _reseat(told, session, entry.kind, content["data"])
    seats = Seat.objects.filter(session__tournament=tournament).select_related("table", "session")
    moved = {Kind.SEATS_REPAIRED, Kind.SUBSTITUTE_SEATED}
    repaired = set(
        tournament.history.filter(kind__in=moved, protocol__isnull=False).values_list(
            "protocol__table_id", flat=True
        )
    )
    by_record: dict[int, dict[tuple[int, str], int | None]] = {}
    for seat in seats:
        place = (seat.table.number, seat.wind)
        expected = told.get(seat.session.number, {}).get(place)
        sits = seat.kept_for_id or seat.player_id
        by_record.setdefault(seat.session.number, {})[place] = expected if seat.table_id in repaired else sits
    for session in sorted(set(told) | set(by_record)):
        if told.get(session, {}) != by_record.get(session, {}):
            yield Fault(f"session:{session}", 0, "the seats are not those in the history")


def _reseat(
    told: dict[int, dict[tuple[int, str], int | None]], session: int, kind: str, data: Mapping[str, Any]
) -> None:
    if kind == Kind.SEATING_WITHDRAWN:
        told.pop(session, None)
    elif kind == Kind.SEATING_PUBLISHED:
        told[session] = {
            (int(number), wind): player
            for number, players in data["tables"].items()
            for wind, player in zip("ESWN", players, strict=False)
            if player is not None
        }
    else:
        for table, wind, player, kept_for in _seats_in(data):
            told[session][table, wind] = kept_for or player


def _seats_in(data: Mapping[str, Any]) -> list[Any]:
    """List the seats that an entry changed; one about winds drawn with cards tells a whole table, wind by wind."""
    if "winds" in data:
        return [[data["table"], wind, player, None] for wind, player in data["winds"].items()]
    seats: list[Any] = data["seats"]
    return seats


def _registrations(tournament: Tournament, entries: Iterable[HistoryEntry]) -> Iterator[Fault]:
    """Check that everybody has the status that the history last gave."""
    told: dict[int, tuple[int, str]] = {}
    for entry in entries:
        content = _content(entry)
        if entry.kind in {Kind.PLAYER_REGISTERED, Kind.REGISTRATION_CHANGED} and "status" in content["data"]:
            told[int(content["subject"].partition(":")[2])] = (entry.number, content["data"]["status"])
    rows = dict(tournament.registrations.values_list("pk", "status"))
    for registration in sorted(set(told) | set(rows)):
        number, status = told.get(registration, (0, ""))
        if rows.get(registration) != status:
            yield Fault(
                f"tournament:{tournament.pk}",
                number,
                f"registration {registration} is not as the history has it",
            )


def _team_lines(tournament: Tournament, entries: Iterable[HistoryEntry]) -> Iterator[Fault]:
    """Every line of a team that counts was posted as it stands and not reversed; every other was reversed."""
    told: dict[str, tuple[int, Any]] = {}
    for entry in entries:
        if entry.kind == Kind.TEAM_LINE_POSTED:
            data = _content(entry)["data"]
            told[data["code"]] = (entry.number, data)
        elif entry.kind == Kind.TEAM_LINE_REVERSED:
            told.pop(_content(entry)["data"]["code"], None)
    rows = tournament.team_lines.filter(reversed_at=None).select_related("session")
    stands = {row.code: team_lines.facts_of(row) for row in rows}
    for code in sorted(set(told) | set(stands)):
        number, data = told.get(code, (0, None))
        if stands.get(code) != data:
            yield Fault(
                f"tournament:{tournament.pk}", number, f"the line {code} of a team is not as it was posted"
            )


def _adjustments(tournament: Tournament, entries: Iterable[HistoryEntry]) -> Iterator[Fault]:
    """Check that every line that counts was posted as it stands and not reversed; every other was reversed."""
    told: dict[str, tuple[int, Any]] = {}
    for entry in entries:
        data = _content(entry).get("data", {})
        if entry.kind == Kind.ADJUSTMENT_POSTED:
            told[data["code"]] = (entry.number, data)
        elif entry.kind == Kind.ADJUSTMENT_REVERSED:
            told.pop(data["code"], None)
    rows = tournament.adjustments.filter(reversed_at=None).select_related("session")
    stands = {row.code: facts_of(row) for row in rows}
    for code in sorted(set(told) | set(stands)):
        number, data = told.get(code, (0, None))
        if stands.get(code) != data:
            chain = f"tournament:{tournament.pk}"
            yield Fault(chain, number, f"the line {code} is not as it was posted")
