"""The form of what a record declares, part by part, as docs/RECORD.md gives it; what holds between the parts is not asked here."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from scoring import parsers
from scoring.parsers import (
    Parser,
    by_key,
    checked,
    choice,
    fields,
    fraction,
    mark,
    maybe,
    natural,
    positive,
    several,
    text,
    truth,
    whole,
)
from scoring.presets import PRESETS
from scoring.problems import Problem, gettext_noop
from scoring.record.hands import hand_parts, seat
from scoring.record.upgrades import RECORD
from scoring.regulation import SeatingMode, Timing, code, given_result
from scoring.systems import SYSTEMS

VERSION = RECORD.newest
INSTANT = "%Y-%m-%dT%H:%M:%SZ"


def anything(value: object, path: str, problems: list[Problem]) -> object:
    """Read what somebody else reads."""
    return value


def version(value: object, path: str, problems: list[Problem]) -> object:
    """Read the version of the record, this one or an earlier one. [RECORD]"""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= VERSION:
        details = {"version": VERSION}
        problems.append(Problem("version", UNKNOWN_VERSION, field=path, clause="RECORD", details=details))
    return value


def _calendar(form: str, pattern: str, sentence: str) -> Parser:
    """Read a day or an instant that exists."""
    shape = text(1, 30, pattern)

    def parse(value: object, path: str, problems: list[Problem]) -> object:
        before = len(problems)
        read = shape(value, path, problems)
        if len(problems) == before:
            try:
                datetime.strptime(str(value), form).replace(tzinfo=UTC)
            except ValueError:
                problems.append(Problem("no_such_time", sentence, field=path, clause="RECORD 1"))
        return read

    return parse


identity = text(1, 64, r"[A-Za-z0-9][A-Za-z0-9_-]*")
name = text(1, 100)
reason = text(10, 5000)
amount = text(1, 20, r"(0|[1-9][0-9]{0,11})(\.(0[1-9]|[1-9][0-9]))?")


def _times() -> tuple[Parser, Parser]:
    day = _calendar("%Y-%m-%d", r"[0-9]{4}-[0-9]{2}-[0-9]{2}", NO_DAY)
    instant = _calendar(INSTANT, r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z", NO_INSTANT)
    return day, instant


NO_DAY = gettext_noop("There is no such day.")
NO_INSTANT = gettext_noop("There is no such moment.")
UNKNOWN_VERSION = gettext_noop("Versions 1 to %(version)s of the record are known here.")

day, instant = _times()


def declared() -> Parser:
    """Read all that a record declares but its regulation. [RECORD 2]"""
    return fields(
        {
            "tournament": checked(_tournament(), _preset_fits),
            "regulation": anything,
            "players": several(_player()),
            "registrations": several(_registration()),
            "substitutes": several(fields({"player": identity, "assistant": truth})),
            "officials": several(fields({"player": identity, "role": choice(ROLES)})),
            "sessions": several(_session()),
            "lateness": several(_lateness()),
            "penalties": several(_penalty()),
            "adjustments": several(_adjustment()),
            "appeals": several(_appeal()),
        }
    )


ROLES = ("organizer", "chief_referee", "referee", "scorer", "committee")


address = text(1, 100, r"[a-z0-9]+(-[a-z0-9]+)*")


def _tournament() -> Parser:
    required = {
        "slug": address,
        "name": name,
        "system": choice(SYSTEMS),
        "preset": choice(tuple(PRESETS)),
        "time_zone": name,
        "first_day": day,
        "last_day": day,
        "state": choice(("announced", "running", "closed")),
    }
    return fields(required, {"city": name, "venue": name})


def _preset_fits(tournament: Mapping[str, Any], path: str) -> list[Problem]:
    problems = []
    if not _is_zone(tournament["time_zone"]):
        where, details = parsers.join(path, "time_zone"), {"name": tournament["time_zone"]}
        problems.append(Problem("time_zone", NO_ZONE, field=where, clause="RECORD 2", details=details))
    if PRESETS[tournament["preset"]].system != tournament["system"]:
        where = parsers.join(path, "preset")
        problems.append(Problem("preset", PRESET, field=where, clause="RULES 1.1"))
    if date.fromisoformat(tournament["last_day"]) < date.fromisoformat(tournament["first_day"]):
        where = parsers.join(path, "last_day")
        problems.append(Problem("time_order", DAY_ORDER, field=where, clause="RECORD 2"))
    return problems


def _is_zone(zone: str) -> bool:
    """Return whether there is a time zone of this name."""
    try:
        return bool(ZoneInfo(zone).key)
    except (ValueError, OSError, KeyError):
        return False


def _player() -> Parser:
    optional = {
        "country": text(2, 2, "[A-Z]{2}"),
        **dict.fromkeys(("region", "city", "club", "team", "group"), name),
        "federation_ids": by_key(text(2, 8, "[A-Z]+"), name),
    }
    return fields({"id": identity, "name": maybe(name)}, optional)


STATUSES = ("active", "waiting", "cancelled", "withdrawn", "removed", "disqualified")


def _registration() -> Parser:
    required = {"player": identity, "number": positive, "status": choice(STATUSES), "checked_in": truth}
    return fields(required, {"first_session": whole(2), "last_session": positive, "lot": positive})


def _session() -> Parser:
    seating = fields({"mode": choice(SeatingMode), "seed": text(1, 200)}, {"method": name})
    required = {
        "number": positive,
        "state": choice(("planned", "open", "closed")),
        "seating": seating,
        "tables": several(_table()),
    }
    return fields(required, {"started_at": instant, "ended_at": instant, "regulation": anything})


def _table() -> Parser:
    seats = several(fields({"wind": seat, "player": maybe(identity)}, _SEAT_OPTIONS), least=1, most=4)
    return fields({"number": positive, "seats": seats, "protocol": maybe(_protocol)})


_SEAT_OPTIONS: Mapping[str, Parser] = {"for": identity, "from_hand": whole(2), "left_after": whole(0)}
_HOW = {"how": choice(("corrected", "undone", "voided")), "reason": reason}


def _protocol(value: object, path: str, problems: list[Problem]) -> Any:
    """Read a protocol of either mode."""
    modes: dict[str, Parser] = {"hands": _hands_protocol(), "final_result": _final_protocol()}
    return parsers.chosen("mode", modes)(value, path, problems)


_ENDING: Mapping[str, Parser] = {"confirmed": several(seat, unique=True)}


def _hands_protocol() -> Parser:
    required, optional = hand_parts()
    standing, replaced = fields(required, optional), fields({**required, **_HOW}, optional)
    parts = {"hands": several(standing), "superseded": several(replaced), **_ENDING}
    return fields(parts, {"signed_off": mark})


def _final_protocol() -> Parser:
    points: dict[str, Parser] = {"final": by_key(seat, whole(), least=1), "left_on_table": natural}
    parts = {**points, "superseded": several(fields({**points, **_HOW})), **_ENDING}
    return fields(parts, {"signed_off": mark, "first_reading": mark})


def _lateness() -> Parser:
    required = {"session": positive, "player": identity, "seconds": natural}
    return fields(required, {"waived": mark, "reason": reason})


EFFECTS = ("game_points", "tournament_points", "warning", "removal", "disqualification")
DECIDERS = ("referee", "chief_referee", "committee")


def _penalty() -> Parser:
    required = {
        "id": identity,
        "session": maybe(positive),
        "offence": code,
        "clause": text(1),
        "kind": choice(("ladder", "fixed", "decision")),
        "effect": choice(EFFECTS),
        "decided_by": choice(DECIDERS),
    }
    optional = {
        "player": identity,
        "team": name,
        "hand": positive,
        "points": _points,
        "to": identity,
        "timing": choice(Timing),
        "until": day,
        "revoked_by": identity,
    }
    return checked(fields(required, optional), _one_owner)


def _one_owner(entry: Mapping[str, Any], path: str) -> list[Problem]:
    """Whatever is taken or given is a player's or a team's. [RECORD 2]"""
    if ("player" in entry) != ("team" in entry):
        return []
    return [Problem("one_owner", ONE_OWNER, field=parsers.join(path, "player"), clause="RECORD 2")]


def _points(value: object, path: str, problems: list[Problem]) -> object:
    """Read a number of GP, or a fraction of TP."""
    return (fraction if isinstance(value, str) else positive)(value, path, problems)


def _adjustment() -> Parser:
    required = {"id": identity, "session": maybe(positive), "reason": reason}
    optional = {
        "player": identity,
        "team": name,
        "game_points": whole(),
        "tournament_points": fraction,
        "result": given_result,
        "timing": choice(Timing),
        "appeal": identity,
    }
    return checked(fields(required, optional), _one_change)


def _one_change(adjustment: Mapping[str, Any], path: str) -> list[Problem]:
    given = [part for part in ("game_points", "tournament_points", "result") if part in adjustment]
    problems = _one_owner(adjustment, path)
    if len(given) != 1:
        problems.append(Problem("one_change", ONE_CHANGE, field=path, clause="RECORD 2"))
    if "timing" in adjustment and "game_points" not in adjustment:
        where = parsers.join(path, "timing")
        problems.append(Problem("timing_unexpected", TIMING_UNEXPECTED, field=where, clause="RECORD 2"))
    if "result" in adjustment and adjustment["session"] is None:
        where = parsers.join(path, "session")
        problems.append(Problem("session_needed", SESSION_NEEDED, field=where, clause="RECORD 2"))
    return problems


def _appeal() -> Parser:
    ruling = {
        "by": choice(("chief_referee", "committee")),
        "at": instant,
        "verdict": choice(("upheld", "dismissed", "recommended")),
    }
    against = fields({}, {"penalty": identity, "table": positive, "hand": positive})
    return fields(
        {
            "id": identity,
            "session": positive,
            "player": identity,
            "by": choice(("player", "team_leader")),
            "matter": choice(("rules", "other")),
            "against": checked(against, _names_something),
            "filed_at": instant,
            "deposit": amount,
            "deposit_returned": truth,
            "rulings": several(fields(ruling)),
        }
    )


def _names_something(against: Mapping[str, Any], path: str) -> list[Problem]:
    if not against:
        return [Problem("against_needed", AGAINST, field=path, clause="SBR 2.9.2")]
    if "hand" in against and "table" not in against:
        where = parsers.join(path, "table")
        return [Problem("against_needed", AGAINST_TABLE, field=where, clause="RECORD 2")]
    return []


PRESET = gettext_noop("This preset belongs to another system.")
DAY_ORDER = gettext_noop("The last day is before the first one.")
ONE_OWNER = gettext_noop("Name a player or a team: exactly one of them.")
ONE_CHANGE = gettext_noop("Give exactly one of game points, tournament points and a result.")
TIMING_UNEXPECTED = gettext_noop("Only game points count before or after the places.")
AGAINST = gettext_noop("Say what the appeal is against.")
AGAINST_TABLE = gettext_noop("Say at which table the hand was played.")
NO_ZONE = gettext_noop("There is no time zone “%(name)s”.")
SESSION_NEEDED = gettext_noop("Say which session this is about.")
