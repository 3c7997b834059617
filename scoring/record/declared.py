"""What people declared about a tournament, as docs/RECORD.md writes it: read strictly, and held against itself."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeVar

from scoring import parsers
from scoring.parsers import Parser, choice, fields
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.protocol import Game, Vacancy, check_final, final_totals, play
from scoring.record import form
from scoring.record.form import SESSION_NEEDED
from scoring.record.hands import foreign_parts, read_hand
from scoring.record.readings import MARK, with_final_marks, with_marks, with_needed_readings
from scoring.record.upgrades import RECORD, version_of
from scoring.regulation import NO_POINTS_ROW, LadderScope, ProtocolMode, Regulation
from scoring.seats import SEATS, Seat
from scoring.standings.groups import MOVES_NO_TEAM, moves_teams
from scoring.systems import SYSTEMS, ruleset
from scoring.systems.base import Ruleset
from scoring.upgrades import FIRST

FORMAT = "four-winds-record"

Read = TypeVar("Read")

NEVER_TOOK_PART = ("waiting", "cancelled")
UNRANKED = ("removed", "disqualified")


Key = tuple[int, int]
"""A table, by the numbers of its session and its own."""


@dataclass(frozen=True)
class Played:
    """A table that played: its hands, where it has any, and what they bring each seat."""

    game: Game | None
    totals: Mapping[Seat, int]


@dataclass(frozen=True)
class Declared:
    """A tournament as declared: its JSON, which could be read, the regulations of it and of each session, its games.

    The JSON is of the newest version, whatever `version` the file was of.
    """

    data: Mapping[str, Any]
    regulation: Regulation
    session_regulations: Mapping[int, Regulation]
    games: Mapping[Key, Played]
    version: int = form.VERSION

    @property
    def system(self) -> str:
        """Name the system that is played."""
        return str(self.data["tournament"]["system"])

    @cached_property
    def seats_of(self) -> Mapping[tuple[int, str], Sequence[Mapping[str, Any]]]:
        """Find the seats of the table where somebody, or a substitute for somebody, sat in a session."""
        return {
            (session["number"], who): table["seats"]
            for session in self.data["sessions"]
            for table in session["tables"]
            for sitting in table["seats"]
            for who in (sitting["player"], sitting.get("for"))
            if who is not None
        }


def read_record(data: object) -> Declared:
    """Read a whole record: what it declares counts, what it computed and its history are the writer's.

    Whoever drops `computed` loses nothing, so both may be missing. A record of another kind is not looked at. [RECORD]
    """
    kind: dict[str, Parser] = {"format": choice((FORMAT,)), "version": form.version}
    others: dict[str, Parser] = {"computed": form.anything, "history": form.anything}
    problems: list[Problem] = []
    own = {name: data[name] for name in kind if name in data} if isinstance(data, Mapping) else data
    fields(kind)(own, "", problems)
    if problems or not isinstance(data, Mapping):
        raise Refusal(*(_cited(problem, "RECORD") for problem in problems))
    fields({**kind, "declared": form.anything}, others)(data, "", problems)
    declared = None
    if "declared" in data:
        declared = _tried(problems, lambda: read_declared(data["declared"], "declared", data["version"]))
    if declared is None or problems:
        raise Refusal(*(_cited(problem, "RECORD") for problem in problems))
    return declared


def read_declared(data: object, at: str = "", version: int | None = None) -> Declared:
    """Read `declared` of any version, or refuse it with all its problems.

    What contradicts itself is asked once it can be read. [RECORD 2]
    """
    version = version_of(data) if version is None else version
    problems = _of_a_later_version(data, at, version)
    if isinstance(data, Mapping):
        data = RECORD.upgraded(data, version)
    system = _system_of(data)
    form.declared()(data, at, problems)
    rules = _tried(problems, lambda: _regulations(data, system, at))
    if problems or rules is None:
        raise Refusal(*(_cited(problem, "RECORD 2") for problem in problems))
    assert isinstance(data, Mapping)
    declared = Declared(data, *rules, {}, version)
    found = [problem for ask in _QUESTIONS for problem in ask(declared)]
    games, impossible = _games(declared)
    if found or impossible:
        raise Refusal(*(_cited(_moved(problem, at), "RECORD 2") for problem in [*found, *impossible]))
    told = {key: played.game for key, played in games.items() if played.game}
    has_bets = SYSTEMS[declared.system].recorded.has_bets
    marked = with_final_marks(with_marks(data, told), has_bets=has_bets)
    return replace(declared, data=marked, games=games)


def _cited(problem: Problem, page: str) -> Problem:
    """Let what breaks the form of a record cite the page that gives it, where no rulebook says more. [RECORD]"""
    if problem.clause:
        return problem
    is_of_hand = ".hands." in problem.field or ".superseded." in problem.field
    return replace(problem, clause="RECORD 3" if is_of_hand else page)


def _tried(problems: list[Problem], read: Callable[[], Read]) -> Read | None:
    """Return what is read, or note all that is wrong with it."""
    try:
        return read()
    except Refusal as refusal:
        problems += refusal.problems
        return None


def _regulations(data: object, system: str, at: str) -> tuple[Regulation, Mapping[int, Regulation]]:
    """Read the tournament's regulation and each session's own copy, with all problems of all of them. [RULES 8.30]"""
    if not isinstance(data, Mapping) or "regulation" not in data:
        raise Refusal
    where = parsers.join(at, "regulation")
    problems: list[Problem] = []
    regulation = _tried(problems, lambda: Regulation.from_json(data["regulation"], system=system, at=where))
    if regulation is None:
        raise Refusal(*problems)
    own: dict[int, Regulation] = {}
    sessions = data.get("sessions")
    for place, session in enumerate(sessions if isinstance(sessions, list | tuple) else ()):
        where = parsers.join(at, f"sessions.{place}.regulation")
        read = _tried(problems, partial(_own, regulation, session, system, where))
        if read is not None and isinstance(session, Mapping) and isinstance(session.get("number"), int):
            own[session["number"]] = read
    if problems:
        raise Refusal(*problems)
    return regulation, own


def _own(regulation: Regulation, session: object, system: str, at: str) -> Regulation:
    """Read the copy of one session; most have no value of their own."""
    if not isinstance(session, Mapping) or "regulation" not in session:
        return regulation
    return regulation.but_json(session["regulation"], system=system, at=at)


def _of_a_later_version(data: object, at: str, version: int) -> list[Problem]:
    """Refuse fields that the version of the file does not have. [RECORD 1]"""
    if version > 1 or not isinstance(data, Mapping):
        return []
    sessions = data.get("sessions")
    places = [("regulation", data)]
    for place, session in enumerate(sessions if isinstance(sessions, list | tuple) else ()):
        places.append((f"sessions.{place}.regulation", session))
    return [
        parsers.unknown("stages", parsers.join(at, where))
        for where, owner in places
        if isinstance(owner, Mapping)
        and isinstance(owner.get("regulation"), Mapping)
        and "stages" in owner["regulation"]
    ]


def _moved(problem: Problem, at: str) -> Problem:
    return Problem(
        problem.code, problem.sentence, parsers.join(at, problem.field), problem.clause, problem.details
    )


def _system_of(data: object) -> str:
    """Find the system, without which the rest cannot be read."""
    tournament = data.get("tournament") if isinstance(data, Mapping) else None
    system = tournament.get("system") if isinstance(tournament, Mapping) else None
    return system if isinstance(system, str) and system in SYSTEMS else ""


# What must be true of the whole

Question = Callable[[Declared], Iterator[Problem]]


def _twice(declared: Declared) -> Iterator[Problem]:
    """Check that ids and numbers are given once. [RECORD 1]"""
    data = declared.data
    for part, key in (
        ("players", "id"),
        ("registrations", "player"),
        ("registrations", "number"),
        ("substitutes", "player"),
        ("penalties", "id"),
        ("adjustments", "id"),
        ("appeals", "id"),
    ):
        seen: Counter[Any] = Counter()
        for place, entry in enumerate(data[part]):
            seen[entry[key]] += 1
            if seen[entry[key]] == 2:
                yield _problem("repeated", TWICE, f"{part}.{place}.{key}", "RECORD 1", name=entry[key])


def _known_people(declared: Declared) -> Iterator[Problem]:
    """Check that everybody who is named is among the players. [RECORD 2]"""
    data = declared.data
    known = {player["id"] for player in data["players"]}
    for part in (
        "registrations",
        "substitutes",
        "officials",
        "lateness",
        "penalties",
        "adjustments",
        "appeals",
    ):
        for place, entry in enumerate(data[part]):
            if "player" in entry and entry["player"] not in known:
                yield _problem(
                    "player_not_found", NO_PLAYER, f"{part}.{place}.player", "RECORD 2", name=entry["player"]
                )
    for place, penalty in enumerate(data["penalties"]):
        to = penalty.get("to", "table")
        if to != "table" and to not in known:
            yield _problem("player_not_found", NO_PLAYER, f"penalties.{place}.to", "RECORD 2", name=to)


def _roles(declared: Declared) -> Iterator[Problem]:
    """Check that a substitute is no entrant; the chief referee takes no seat. [RIICHI reg. 5.5] [RULES 8.6]

    Who waited in vain or cancelled never took part, and may be called in as a substitute. [RECORD 2]
    """
    data = declared.data
    entrants = {entry["player"] for entry in data["registrations"] if entry["status"] not in NEVER_TOOK_PART}
    for place, substitute in enumerate(data["substitutes"]):
        if substitute["player"] in entrants:
            yield _problem(
                "substitute_registered",
                SUBSTITUTE_REGISTERED,
                f"substitutes.{place}.player",
                "RULES 8.6",
                name=substitute["player"],
            )
    chiefs = {entry["player"] for entry in data["officials"] if entry["role"] == "chief_referee"}
    for path, _, _, sitting in _seats(data):
        if sitting["player"] in chiefs:
            yield _problem("conflict_of_interest", CHIEF_PLAYS, f"{path}.player", "RIICHI reg. 5.5")


def _seats(data: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, Any], Mapping[str, Any]]]:
    """List every seat with its path, its session's place in the list, and its table."""
    for at, session in enumerate(data["sessions"]):
        for place, table in enumerate(session["tables"]):
            for index, sitting in enumerate(table["seats"]):
                yield f"sessions.{at}.tables.{place}.seats.{index}", at, table, sitting


def _numbered(declared: Declared) -> Iterator[Problem]:
    """Check that sessions and tables are numbered from 1 without a gap. [RECORD 1]"""
    for at, session in enumerate(declared.data["sessions"]):
        if session["number"] != at + 1:
            yield _problem("numbering", NUMBERING, f"sessions.{at}.number", "RECORD 1", expected=at + 1)
        for place, table in enumerate(session["tables"]):
            if table["number"] != place + 1:
                path = f"sessions.{at}.tables.{place}.number"
                yield _problem("numbering", NUMBERING, path, "RECORD 1", expected=place + 1)


def _seated_once(declared: Declared) -> Iterator[Problem]:
    """Check that winds stand once and in order; nobody has two seats in a session. [RECORD 1] [RECORD 2]"""
    seen: set[tuple[int, str]] = set()
    for path, at, table, sitting in _seats(declared.data):
        winds = [one["wind"] for one in table["seats"]]
        if winds != sorted(set(winds), key="ESWN".index) and sitting is table["seats"][0]:
            yield _problem("wind_order", WIND_ORDER, path.rsplit(".", 1)[0], "RECORD 1")
        for part in ("player", "for"):
            who = sitting.get(part)
            if who is None:
                continue
            if (at, who) in seen:
                yield _problem("player_twice", PLAYER_TWICE, f"{path}.{part}", "RECORD 2", name=who)
            seen.add((at, who))


def _seat_holders(declared: Declared) -> Iterator[Problem]:
    """Entrants sit for themselves, substitutes for an entrant or in nobody's seat. [RECORD 2] [RULES 8.34]"""
    data = declared.data
    entrants = {entry["player"]: entry["status"] for entry in data["registrations"]}
    substitutes = {entry["player"]: entry["assistant"] for entry in data["substitutes"]}
    for path, at, table, sitting in _seats(data):
        who, kept_for = sitting["player"], sitting.get("for")
        rules = declared.session_regulations[data["sessions"][at]["number"]]
        if who is None and kept_for is None:
            yield _problem("seat_for", SEAT_FOR, f"{path}.for", "RECORD 2")
        if kept_for is not None and entrants.get(kept_for, "waiting") in NEVER_TOOK_PART:
            yield _problem("not_registered", NOT_REGISTERED, f"{path}.for", "RECORD 2", name=kept_for)
        yield from _holder(path, table, sitting, entrants, substitutes, rules)


def _holder(
    path: str,
    table: Mapping[str, Any],
    sitting: Mapping[str, Any],
    entrants: Mapping[str, str],
    substitutes: Mapping[str, bool],
    rules: Regulation,
) -> Iterator[Problem]:
    """Ask who sits in one seat."""
    who = sitting["player"]
    if "from_hand" in sitting and who not in substitutes:
        yield _problem("from_hand", FROM_HAND, f"{path}.from_hand", "RECORD 2")
    if "left_after" in sitting and (who is None or table["protocol"] is None):
        yield _problem("left_after", LEFT_AFTER, f"{path}.left_after", "RULES 8.55")
    if who is None:
        return
    if who in substitutes:
        if substitutes[who] and not rules.assistants_substitute:
            yield _problem("assistant_plays", ASSISTANT_PLAYS, f"{path}.player", "RIICHI reg. 5.6", name=who)
    elif "for" in sitting:
        yield _problem("not_substitute", NOT_SUBSTITUTE, f"{path}.player", "RECORD 2", name=who)
    elif entrants.get(who, "waiting") in NEVER_TOOK_PART:
        yield _problem("not_registered", NOT_REGISTERED, f"{path}.player", "RECORD 2", name=who)


def _table_sizes(declared: Declared) -> Iterator[Problem]:
    """Check that a table is played when enough sit at it, and not otherwise. [RULES 8.33] [RULES 8.34]"""
    for at, session in enumerate(declared.data["sessions"]):
        rules = declared.session_regulations[session["number"]]
        for place, table in enumerate(session["tables"]):
            path, count = f"sessions.{at}.tables.{place}", _occupied(table)
            if len(table["seats"]) > rules.table_size:
                yield _problem(
                    "table_size", TOO_MANY, f"{path}.seats", "RULES 8.33", count=count, size=rules.table_size
                )
            if table["protocol"] is not None and count < rules.smallest_table:
                least = rules.smallest_table
                yield _problem(
                    "table_size", TOO_FEW_SIT, f"{path}.protocol", "RULES 8.33", count=count, least=least
                )
            if table["protocol"] is None and count >= rules.smallest_table and session["state"] == "closed":
                yield _problem("protocol_needed", NO_PROTOCOL, f"{path}.protocol", "RULES 1.5")


def _occupied(table: Mapping[str, Any]) -> int:
    return sum(sitting["player"] is not None for sitting in table["seats"])


def _closed_sessions(declared: Declared) -> Iterator[Problem]:
    """Check that a closed session says when it began and ended, and has been confirmed. [RECORD 2] [SBR 2.5.8.4]"""
    for at, session in enumerate(declared.data["sessions"]):
        if session["state"] != "closed":
            continue
        for moment in ("started_at", "ended_at"):
            if moment not in session:
                yield _problem("time_needed", TIME_NEEDED, f"sessions.{at}.{moment}", "RECORD 2")
        for place, table in enumerate(session["tables"]):
            if not _is_confirmed(table):
                path = f"sessions.{at}.tables.{place}.protocol.confirmed"
                yield _problem("not_confirmed", NOT_CONFIRMED, path, "SBR 2.5.8.4")


def _times_fit(declared: Declared) -> Iterator[Problem]:
    """Check that what has ended had begun before. [RECORD 2]

    More is not asked: a session that was reopened ends after the next one has begun, the second may be played before the
    first, and one that was taken back keeps the times it had.
    """
    for at, session in enumerate(declared.data["sessions"]):
        path, started, ended = f"sessions.{at}", session.get("started_at"), session.get("ended_at")
        if ended is not None and started is None and session["state"] == "open":
            yield _problem("time_needed", START_NEEDED, f"{path}.started_at", "RECORD 2")
        elif ended is not None and started is not None and ended < started:
            yield _problem("time_order", TIME_ORDER, f"{path}.ended_at", "RECORD 2")


def _is_confirmed(table: Mapping[str, Any]) -> bool:
    protocol = table["protocol"]
    if protocol is None or "signed_off" in protocol:
        return True
    staying = {one["wind"] for one in table["seats"] if one["player"] is not None and not _has_left(one)}
    return staying <= set(protocol["confirmed"])


def _confirming_seats(declared: Declared) -> Iterator[Problem]:
    """Check that only seats at the table confirm. [RULES 1.5]"""
    for at, session in enumerate(declared.data["sessions"]):
        for place, table in enumerate(session["tables"]):
            taken = {one["wind"] for one in table["seats"] if one["player"] is not None}
            protocol = table["protocol"] or {"confirmed": []}
            if not set(protocol["confirmed"]) <= taken:
                path = f"sessions.{at}.tables.{place}.protocol.confirmed"
                yield _problem("not_seated", NOT_SEATED, path, "RULES 1.5")


def _sessions_named(declared: Declared) -> Iterator[Problem]:
    """Check that whatever names a session names one that there is. [RECORD 2]"""
    known = {session["number"] for session in declared.data["sessions"]}
    for part in ("lateness", "penalties", "adjustments", "appeals"):
        for place, entry in enumerate(declared.data[part]):
            if entry["session"] is not None and entry["session"] not in known:
                path = f"{part}.{place}.session"
                yield _problem("no_session", NO_SESSION, path, "RECORD 2", number=entry["session"])


def _adjustments_fit(declared: Declared) -> Iterator[Problem]:
    """An adjustment of a closed session is of somebody who had a seat in it: another one would move nothing. [RULES 8.50]

    Files of version 1 were taken in without the question.
    """
    if declared.version == FIRST:
        return
    closed = {one["number"] for one in declared.data["sessions"] if one["state"] == "closed"}
    for place, one in enumerate(declared.data["adjustments"]):
        if "team" in one:
            continue
        if one["session"] in closed and (one["session"], one["player"]) not in declared.seats_of:
            yield _problem(
                "not_seated", NO_SEAT, f"adjustments.{place}.session", "RULES 8.50", name=one["player"]
            )


def _latecomers(declared: Declared) -> Iterator[Problem]:
    """Check that lateness is noted once, and beyond the last band the player is replaced. [SBR 2.8.4.5] [RIICHI 5.7]"""
    seen: set[tuple[int, str]] = set()
    sat = {(at + 1, sitting["player"]) for _, at, _, sitting in _seats(declared.data)}
    for place, late in enumerate(declared.data["lateness"]):
        key = (late["session"], late["player"])
        if key in seen:
            yield _problem("repeated", TWICE, f"lateness.{place}.player", "RECORD 2", name=late["player"])
        seen.add(key)
        rules = declared.session_regulations.get(late["session"], declared.regulation).lateness
        is_beyond = rules is not None and rules.band(late["seconds"]) is None and "waived" not in late
        if is_beyond and key in sat:
            yield _problem(
                "late_beyond_limit", TOO_LATE, f"lateness.{place}.seconds", "SBR 2.8.4.5", name=late["player"]
            )


def _penalties_fit(declared: Declared) -> Iterator[Problem]:
    """Check that each penalty costs what the regulation lets it cost. [RULES 1.8]"""
    for place, penalty in enumerate(declared.data["penalties"]):
        rules = declared.session_regulations.get(penalty["session"], declared.regulation)
        for ask in (_kind_fits, _points_fit, _receiver_fits, _until_fits):
            yield from ask(f"penalties.{place}", penalty, rules)


def _kind_fits(path: str, penalty: Mapping[str, Any], rules: Regulation) -> Iterator[Problem]:
    kind, offence, policy = penalty["kind"], penalty["offence"], rules.penalties
    ladder = policy.ladder_of(offence)
    if (kind == "ladder" and ladder is None) or (kind == "fixed" and offence not in policy.fixed):
        yield _problem("penalty_type", PENALTY_TYPE, f"{path}.offence", "RULES 1.8", offence=offence)
    if kind != "decision" and penalty["effect"] != "game_points":
        yield _problem("penalty_effect", PENALTY_EFFECT, f"{path}.effect", "RECORD 2")
    is_by_round = kind == "ladder" and ladder is not None and ladder.scope is LadderScope.ROUND
    if is_by_round and ("hand" not in penalty or penalty["session"] is None):
        yield _problem("hand_needed", HAND_NEEDED, f"{path}.hand", "RECORD 2")


def _points_fit(path: str, penalty: Mapping[str, Any], rules: Regulation) -> Iterator[Problem]:
    effect, points = penalty["effect"], penalty.get("points")
    costs = penalty["kind"] == "decision" and effect in ("game_points", "tournament_points")
    if not costs:
        if points is not None:
            yield _problem("penalty_amount", POINTS_UNEXPECTED, f"{path}.points", "RECORD 2")
        return
    if points is None:
        yield _problem("penalty_amount", POINTS_NEEDED, f"{path}.points", "RECORD 2")
    elif effect == "tournament_points":
        if not isinstance(points, str) or Fraction(points) <= 0:
            yield _problem("penalty_amount", TP_POSITIVE, f"{path}.points", "RECORD 2")
    elif isinstance(points, str):
        yield _problem("number_type", parsers.NOT_WHOLE, f"{path}.points", "RECORD 2")
    else:
        bounds = rules.penalties.bounds_of(penalty["offence"])
        if bounds is not None and not bounds.allow(points):
            yield _problem("penalty_amount", OUT_OF_BOUNDS, f"{path}.points", "RULES 1.8", points=points)


def _receiver_fits(path: str, penalty: Mapping[str, Any], rules: Regulation) -> Iterator[Problem]:
    to = penalty.get("to")
    if to is not None and (penalty["effect"] != "game_points" or to == penalty.get("player")):
        yield _problem("receiver", RECEIVER, f"{path}.to", "RULES 8.39")
    if to == "table" and penalty["session"] is None:
        yield _problem("session_needed", SESSION_NEEDED, f"{path}.session", "RULES 8.39")


def _teams_fit(declared: Declared) -> Iterator[Problem]:
    """What is taken from a team or given to it is by decision, and moves its table. [SBR 2.4.3] [RULES 9.13] [RULES 8.51]"""
    known = {player["team"] for player in declared.data["players"] if "team" in player}
    for part in ("penalties", "adjustments"):
        for place, entry in enumerate(declared.data[part]):
            if "team" in entry:
                yield from _team_fits(f"{part}.{place}", entry, known, declared.regulation)


def _team_fits(
    path: str, entry: Mapping[str, Any], known: Collection[str], rules: Regulation
) -> Iterator[Problem]:
    if entry["team"] not in known:
        yield _problem("no_team", NO_TEAM, f"{path}.team", "RECORD 2", name=entry["team"])
    for name in OF_PLAYERS:
        if name in entry:
            yield _problem("unknown_field", ONLY_PLAYERS, f"{path}.{name}", "RECORD 2", name=name)
    if entry.get("kind", "decision") != "decision":
        yield _problem("penalty_type", TEAM_BY_DECISION, f"{path}.kind", "RECORD 2")
    effect = entry.get("effect", "game_points" if "game_points" in entry else "tournament_points")
    if effect not in ("game_points", "tournament_points"):
        yield _problem("penalty_effect", TEAM_POINTS, f"{path}.effect", "RECORD 2")
    elif not moves_teams(rules, in_game_points=effect == "game_points"):
        yield _problem("moves_nothing", MOVES_NO_TEAM, f"{path}.team", "RULES 8.51")


OF_PLAYERS = ("hand", "to", "timing", "until", "result", "revoked_by")
"""What is said of a player's penalty or adjustment alone."""


def _until_fits(path: str, penalty: Mapping[str, Any], rules: Regulation) -> Iterator[Problem]:
    if "until" in penalty and penalty["effect"] != "disqualification":
        yield _problem("until_unexpected", UNTIL, f"{path}.until", "RECORD 2")


def _appeals_fit(declared: Declared) -> Iterator[Problem]:
    """An appeal is filed after its session began, under a policy that knows appeals. [SBR 2.9.2] [RULES 8.37]

    Whether it was in time a record does not tell: the time runs from when the decision was made known. [RULES 8.53]
    """
    sessions = {session["number"]: session for session in declared.data["sessions"]}
    for place, appeal in enumerate(declared.data["appeals"]):
        policy = declared.session_regulations.get(appeal["session"], declared.regulation).appeals
        if policy is None:
            yield _problem("no_appeals", NO_APPEALS, f"appeals.{place}.session", "RIICHI reg. 5.4")
            continue
        about = sessions.get(appeal["session"], {})
        if appeal["filed_at"] < about.get("started_at", ""):
            yield _problem(
                "time_order", APPEAL_EARLY, f"appeals.{place}.filed_at", "RECORD 2", number=appeal["session"]
            )


def _references(declared: Declared) -> Iterator[Problem]:
    """Check that what an appeal is against and what undid a penalty are there. [RECORD 2]"""
    data = declared.data
    penalties = {penalty["id"] for penalty in data["penalties"] if "player" in penalty}
    appeals = {appeal["id"]: appeal for appeal in data["appeals"]}
    for place, appeal in enumerate(data["appeals"]):
        if appeal["against"].get("penalty", None) not in {None, *penalties}:
            yield _problem("no_penalty", NO_PENALTY, f"appeals.{place}.against.penalty", "RECORD 2")
    tables = {
        (session["number"], table["number"]) for session in data["sessions"] for table in session["tables"]
    }
    sessions = {session["number"] for session in data["sessions"]}
    for place, appeal in enumerate(data["appeals"]):
        number = appeal["against"].get("table")
        if number is not None and appeal["session"] in sessions and (appeal["session"], number) not in tables:
            path = f"appeals.{place}.against.table"
            yield _problem("no_table", NO_TABLE, path, "RECORD 2", number=number)
    for part, key in (("penalties", "revoked_by"), ("adjustments", "appeal")):
        for place, entry in enumerate(data[part]):
            if key in entry and entry[key] not in appeals:
                yield _problem("no_appeal", NO_APPEAL, f"{part}.{place}.{key}", "RECORD 2")
    for place, penalty in enumerate(data["penalties"]):
        appeal = appeals.get(penalty.get("revoked_by"))
        if appeal is not None and not any(one["verdict"] == "upheld" for one in appeal["rulings"]):
            yield _problem("not_upheld", NOT_UPHELD, f"penalties.{place}.revoked_by", "RECORD 2")


def _protocol_modes(declared: Declared) -> Iterator[Problem]:
    """Check that only hands have hands; what is final names the seats that are taken. [RECORD 2]"""
    for at, session in enumerate(declared.data["sessions"]):
        for place, table in enumerate(session["tables"]):
            protocol = table["protocol"]
            if protocol is None or protocol["mode"] != ProtocolMode.HANDS:
                continue
            for index, hand in enumerate(protocol["hands"]):
                if hand["number"] != index + 1:
                    path = f"sessions.{at}.tables.{place}.protocol.hands.{index}.number"
                    yield _problem("numbering", NUMBERING, path, "RECORD 1", expected=index + 1)
            for index, hand in enumerate(protocol["superseded"]):
                path = f"sessions.{at}.tables.{place}.protocol.superseded.{index}"
                yield from (_moved(problem, path) for problem in foreign_parts(hand, declared.system))


def _points_rows(declared: Declared) -> Iterator[Problem]:
    """Where TP are given, every table that played has a row for its number of players. [SBR 2.7.5] [RULES 8.33]"""
    for at, session in enumerate(declared.data["sessions"]):
        rules = declared.session_regulations[session["number"]]
        is_own = "tournament_points" in session.get("regulation", {})
        path = f"sessions.{at}.regulation.tournament_points" if is_own else "regulation.tournament_points"
        played = {
            _occupied(table)
            for table in session["tables"]
            if table["protocol"] is not None and session["state"] != "planned"
        }
        rows = rules.tournament_points
        for players in sorted(played) if rows is not None else ():
            if rules.smallest_table <= players <= 4 and rows is not None and players not in rows:
                yield _problem("points_table", NO_POINTS_ROW, path, "RULES 8.33", players=players)


_QUESTIONS: Sequence[Question] = (
    _twice,
    _known_people,
    _roles,
    _numbered,
    _seated_once,
    _seat_holders,
    _table_sizes,
    _closed_sessions,
    _times_fit,
    _confirming_seats,
    _sessions_named,
    _adjustments_fit,
    _latecomers,
    _penalties_fit,
    _teams_fit,
    _appeals_fit,
    _references,
    _protocol_modes,
    _points_rows,
)


# What was played


def _games(declared: Declared) -> tuple[dict[Key, Played], list[Problem]]:
    """Play every table that has a protocol, those of open sessions too, and list what is impossible. [RULES 1.5]

    At each table it is the first impossible hand: what follows cannot be judged before it is mended.
    """
    games: dict[Key, Played] = {}
    problems: list[Problem] = []
    has_bets = SYSTEMS[declared.system].recorded.has_bets
    known: dict[int, Ruleset | None] = {}
    for at, session in enumerate(declared.data["sessions"]):
        rules = declared.session_regulations[session["number"]]
        if id(rules) not in known:
            changes = session.get("regulation", {})
            path = f"sessions.{at}.regulation" if "system_rules" in changes else "regulation"
            known[id(rules)] = _ruleset(declared.system, rules, path, problems)
        system_rules = known[id(rules)]
        for place, table in enumerate(session["tables"]):
            if system_rules is None or not _is_playable(table, rules):
                continue
            try:
                of_first = declared.version == FIRST
                games[session["number"], table["number"]] = _play(
                    system_rules, rules, table, has_bets=has_bets, by_first_reading=of_first
                )
            except Refusal as refusal:
                path = f"sessions.{at}.tables.{place}.protocol"
                problems += [_moved(problem, path) for problem in refusal.problems]
    return games, problems


def _ruleset(system: str, rules: Regulation, path: str, problems: list[Problem]) -> Ruleset | None:
    """Build the rules of the hands; settings that the system cannot have are the regulation's fault."""
    try:
        return ruleset(system, rules.system_rules)
    except Refusal as refusal:
        for problem in refusal.problems:
            name = problem.field.removeprefix("system_rules").removeprefix(".")
            where = parsers.join(parsers.join(path, "system_rules"), name) if name else path
            problems.append(replace(problem, field=where))
        return None


def _is_playable(table: Mapping[str, Any], rules: Regulation) -> bool:
    """Return whether a table has a protocol and seats that can be played at all; others are refused elsewhere."""
    winds = [one["wind"] for one in table["seats"] if one["player"] is not None]
    has_players = len(set(winds)) == len(winds) >= rules.smallest_table
    return table["protocol"] is not None and has_players


def _play(
    system_rules: Ruleset,
    rules: Regulation,
    table: Mapping[str, Any],
    *,
    has_bets: bool,
    by_first_reading: bool,
) -> Played:
    """Play one table by its hands or its final points. [RULES 1.5]

    A file of version 1 is judged as it was when it was written. [RULES 8.44] [RULES 8.42]
    """
    seats = tuple(Seat(one["wind"]) for one in table["seats"] if one["player"] is not None)
    seats = tuple(seat for seat in SEATS if seat in seats)
    protocol = table["protocol"]
    if protocol["mode"] == "final_result":
        final = {Seat(wind): points for wind, points in protocol["final"].items()}
        left, start, unit = protocol["left_on_table"], rules.start_points, rules.points_unit
        may_leave = has_bets or by_first_reading or protocol.get(MARK, False)
        problems = check_final(
            final, left, seats=seats, start_points=start, points_unit=unit, has_bets=may_leave
        )
        if problems:
            raise Refusal(*problems)
        return Played(None, final_totals(final, left, seats=seats, start_points=start, points_unit=unit))
    hands = [read_hand(hand) for hand in protocol["hands"]]
    if by_first_reading:
        hands = [replace(hand, first_reading=True) for hand in hands]
    game = play(
        system_rules,
        seats,
        hands,
        hands_limit=rules.hands_limit,
        points_unit=rules.points_unit,
        vacancies=[_vacancy(one) for one in table["seats"] if "left_after" in one],
        smallest=rules.smallest_table,
    )
    return Played(with_needed_readings(game, system_rules), game.totals)


def _has_left(sitting: Mapping[str, Any]) -> bool:
    """Return whether nobody plays any more in a seat whose player left. [RULES 8.55]"""
    return "left_after" in sitting and not _is_taken_again(sitting)


def _is_taken_again(sitting: Mapping[str, Any]) -> bool:
    return "for" in sitting and sitting.get("from_hand", 1) > sitting["left_after"]


def _vacancy(sitting: Mapping[str, Any]) -> Vacancy:
    """Read from when to when a seat was empty in the middle of a game. [RULES 8.55]"""
    until = sitting["from_hand"] if _is_taken_again(sitting) else None
    return Vacancy(Seat(sitting["wind"]), sitting["left_after"], until)


def _problem(code: str, sentence: str, field: str, clause: str, **details: object) -> Problem:
    return Problem(code, sentence, field=field, clause=clause, details=details)


NO_SEAT = gettext_noop(
    "“%(name)s” has no seat in that session, so that nothing would change. Without a session it counts for the whole event."
)
TIME_ORDER = gettext_noop("The session ends before it starts.")
START_NEEDED = gettext_noop("The session has ended, but when it started is not said.")
APPEAL_EARLY = gettext_noop("The appeal was filed before session %(number)s started.")
NO_TABLE = gettext_noop("There is no table %(number)s in this session.")
TWICE = gettext_noop("“%(name)s” stands here twice.")
NO_TEAM = gettext_noop("No player is in a team “%(name)s”.")
ONLY_PLAYERS = gettext_noop("“%(name)s” is said of players alone, not of a team.")
TEAM_BY_DECISION = gettext_noop("What a team pays is decided; it climbs no ladder and has no fixed price.")
TEAM_POINTS = gettext_noop("A team can lose game points or tournament points.")
NO_PLAYER = gettext_noop("“%(name)s” is not among the players.")
SUBSTITUTE_REGISTERED = gettext_noop("“%(name)s” is registered and cannot be a substitute as well.")
CHIEF_PLAYS = gettext_noop("The chief referee may not play.")
NUMBERING = gettext_noop("Numbers run from 1 without a gap; %(expected)s is expected here.")
WIND_ORDER = gettext_noop("Seats are listed once each, in the order East, South, West, North.")
PLAYER_TWICE = gettext_noop("“%(name)s” already has a seat in this session.")
SEAT_FOR = gettext_noop("Say for whom the empty seat is kept.")
NOT_REGISTERED = gettext_noop("“%(name)s” does not take part in the tournament.")
FROM_HAND = gettext_noop("Only a substitute sits from a later hand.")
LEFT_AFTER = gettext_noop("Somebody can leave only a table that is played, and a seat in which somebody sat.")
ASSISTANT_PLAYS = gettext_noop("“%(name)s” assists the chief referee and may not sit by this regulation.")
NOT_SUBSTITUTE = gettext_noop("“%(name)s” is not among the substitutes and cannot sit for another.")
TOO_MANY = gettext_noop("The table has %(count)s players; it may have %(size)s.")
TOO_FEW_SIT = gettext_noop("With %(count)s at the table it is not played; at least %(least)s are needed.")
NO_PROTOCOL = gettext_noop("The session is closed, and this table has no protocol.")
TIME_NEEDED = gettext_noop("A closed session needs the times of its start and its end.")
NOT_CONFIRMED = gettext_noop("Not everybody has confirmed the protocol, and no referee has signed it off.")
NOT_SEATED = gettext_noop("A seat has confirmed at which nobody sits.")
NO_SESSION = gettext_noop("There is no session %(number)s.")
TOO_LATE = gettext_noop("“%(name)s” came later than the regulation allows and has to be replaced.")
PENALTY_TYPE = gettext_noop("The regulation has no such penalty for “%(offence)s”.")
PENALTY_EFFECT = gettext_noop("A penalty of a ladder or at a fixed price is taken in game points.")
HAND_NEEDED = gettext_noop("This ladder begins anew in every round: say in which hand the offence was.")
POINTS_UNEXPECTED = gettext_noop("Only a decision in points says how many.")
POINTS_NEEDED = gettext_noop("Say how many points are taken.")
TP_POSITIVE = gettext_noop("Tournament points taken are a positive fraction, as text.")
OUT_OF_BOUNDS = gettext_noop("The regulation does not allow %(points)s points for this offence.")
RECEIVER = gettext_noop("Only game points go to somebody, and never to who offended.")
UNTIL = gettext_noop("Only a disqualification has an end.")
NO_APPEALS = gettext_noop("This regulation knows no appeals.")
NO_PENALTY = gettext_noop("There is no such penalty.")
NO_APPEAL = gettext_noop("There is no such appeal.")
NOT_UPHELD = gettext_noop("Only an appeal that was upheld undoes a penalty.")
