"""A plan made elsewhere: read in a child process, then held against the people and sessions of the event."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils import timezone

from scoring.problems import Problem, Refusal, gettext_noop
from seating.drafts.plans import Options, inputs_of, rounds_of
from seating.drafts.queries import people_of
from seating.rules.checks import check_round
from seating.rules.pasted import MOST_TABLES, Rounds
from seating.rules.plan import Id
from tournaments.models import Registration, Session, Tournament
from tournaments.record.refusal import Refused
from tournaments.web import sandbox

FEW = 3
MOST_NAMED = 12


def read_sent_plan(text: str, names: Mapping[str, int]) -> tuple[Rounds, list[Problem]]:
    """Read a plan that somebody sent, under limits of time and memory. [INTEGRITY 5]"""
    details = {"names": dict(names)}
    try:
        found, _ = sandbox.run("seating.rules.pasted:job", [text.encode()], field="text", details=details)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    faults = [Problem(code, sentence, "text", details=told) for code, sentence, told in found["faults"]]
    return found["rounds"], faults


def names_of(tournament: Tournament) -> dict[str, int]:
    """Return the numbers of players by their names."""
    rows = tournament.registrations.select_related("player")
    return {row.player.name.casefold(): row.number for row in rows}


def faults_of(
    tournament: Tournament, sessions: Sequence[Session], rounds: Sequence[Mapping[str, Any]], options: Options
) -> list[Problem]:
    """Name every fault of a plan: how many sessions, who is twice, missing, unknown or gone, wrong tables."""
    inputs = inputs_of(tournament, sessions, mode="manual", options=options)
    problems = list(_lengths(rounds, sessions, inputs.table_size))
    numbers = inputs.numbers
    players = list(range(1, len(numbers) + 1)) if options.is_dealt else numbers
    people = {} if options.is_dealt else people_of(tournament)
    smallest = tournament.regulation["smallest_table"]
    for session, a_round in zip(sessions, rounds_of(rounds), strict=False):
        problems += check_round(
            a_round,
            session.number,
            inputs.table_size,
            smallest=smallest,
            name=lambda who: str(people[who].player) if who in people else str(who),
            players=players,
            withdrawn=None if options.is_dealt else _gone(tournament),
        )
    problems = _gathered(problems)
    gone = {problem.details["name"] for problem in problems if problem.code == "player_withdrawn"}
    return [
        Problem(problem.code, problem.sentence, "text", problem.clause, problem.details)
        for problem in problems
        if not (problem.code == "unknown_player" and problem.details.get("name") in gone)
    ]


def _gathered(problems: Sequence[Problem]) -> list[Problem]:
    """Name many who have no seat in one sentence for each session."""
    missing: dict[object, list[str]] = {}
    for problem in problems:
        if problem.code == "player_missing":
            missing.setdefault(problem.details["round"], []).append(str(problem.details["name"]))
    kept = [
        problem
        for problem in problems
        if problem.code != "player_missing" or len(missing[problem.details["round"]]) <= FEW
    ]
    sentence = gettext_noop("Session %(round)s: %(n)s players have no seat: %(names)s.")
    return kept + [
        Problem(
            "player_missing",
            sentence,
            field="text",
            details={"round": number, "n": len(names), "names": _some(names)},
        )
        for number, names in missing.items()
        if len(names) > FEW
    ]


def _some(names: Sequence[str]) -> str:
    """List names, the first of many only: who is missing altogether is seen by the number."""
    return ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")


def _lengths(
    rounds: Sequence[Mapping[str, Any]], sessions: Sequence[Session], table_size: int
) -> Iterator[Problem]:
    if len(rounds) != len(sessions):
        yield Problem(
            "round_number",
            gettext_noop("The plan has %(n)s sessions; %(wanted)s are to be seated."),
            field="text",
            details={"n": len(rounds), "wanted": len(sessions)},
        )
    for number, said in enumerate(rounds, start=1):
        if len(said["tables"]) > MOST_TABLES:
            yield Problem(
                "table_number",
                gettext_noop("Table numbers run from 1 to %(n)s."),
                field="text",
                details={"n": MOST_TABLES, "round": number},
            )


def _gone(tournament: Tournament) -> dict[Id, str]:
    """Return when those who left did so."""
    rows = tournament.registrations.exclude(status=Registration.Status.ACTIVE)
    return {
        row.number: timezone.localtime(row.withdrawn_at, tournament.zone).strftime("%d.%m.%Y")
        for row in rows
        if row.withdrawn_at is not None
    }
