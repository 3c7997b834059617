"""A table of players put on the list: looked through as often as wanted, stored whole, once, or not at all."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from babel import Locale
from babel.core import get_global
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext

from scoring.problems import Problem, gettext_noop
from scoring.words import LANGUAGES
from tournaments.models import Registration, Tournament
from tournaments.people.operations import registration as people
from tournaments.people.operations.registration import Details
from tournaments.people.rules.imported import (
    LABELS,
    MOST_PROBLEMS,
    Choice,
    Incoming,
    Surroundings,
    Understood,
    understand,
)
from tournaments.person_fields import federation_ids
from tournaments.record.actors import Actor
from tournaments.record.locks import lock_tournament
from tournaments.record.receipts import answered, store
from tournaments.record.refusal import CANCELLED, Refused
from tournaments.web.rules import Grid

NOT_IN_TABLES = frozenset({"federation_ids", "answers", "may_be_remembered"})
DETAILS = tuple(one.name for one in fields(Details) if one.name not in NOT_IN_TABLES)
"""What a column of the table can say of a person."""
Report = Callable[[int], None]
LOOKED_THROUGH, ALL_ON_THE_LIST = 20, 95
"""The per cents that are done once the table is understood, and once everybody is on the list; the rest is the commit."""


@dataclass(frozen=True)
class Wish:
    """What is to be put on the list: the table, what its columns are, and what to do with rows already known."""

    grid: Grid
    columns: Sequence[str] | None = None
    choices: Mapping[int, str] | None = None


def look_through(tournament: Tournament, wish: Wish, *, by: Actor) -> Understood:
    """Return what an import would do, and store nothing; barred players are listed like any other fault. [SBR 2.8.5]"""
    understood = understand(wish.grid, _around(tournament), columns=wish.columns, choices=wish.choices)
    new = {row.row: _details(row) for row in understood.rows if not row.problems and _verb(row) == Choice.ADD}
    bars = people.bars_on_rows(tournament, new, by=by)
    return replace(understood, problems=(*understood.problems, *bars))


def new_people(understood: Understood) -> list[Details]:
    """List who of a table would be put on the list, in its order."""
    return [_details(row) for row in understood.rows if not row.problems and _verb(row) == Choice.ADD]


def seating_problems(tournament: Tournament) -> list[Problem]:
    """Once people sit somewhere, a whole table of others comes too late. [INTEGRITY 52]"""
    if tournament.is_cancelled:
        return [Problem("event_cancelled", CANCELLED)]
    if tournament.state == Tournament.State.CLOSED:
        return [Problem("event_finished", gettext_noop("The event is finished."))]
    if not tournament.sessions.filter(published_at__isnull=False).exists():
        return []
    sentence = gettext_noop("Seating is published; add players one by one with the chief referee.")
    return [Problem("event_started", sentence)]


def good_rows(tournament: Tournament, wish: Wish, *, by: Actor) -> tuple[Wish, list[int]]:
    """Return the wish without the rows in which something is wrong, and their numbers; a fault of the whole table stays."""
    left: set[int] = set()
    while faulty := _faulty_rows(look_through(tournament, wish, by=by)):
        left |= faulty
        rows = tuple(row for row in wish.grid.rows if row.number not in left)
        problems = tuple(problem for problem in wish.grid.problems if _row_of(problem) not in left)
        wish = replace(wish, grid=replace(wish.grid, rows=rows, problems=problems))
    return wish, sorted(left)


def _faulty_rows(understood: Understood) -> set[int]:
    return {number for problem in understood.problems if (number := _row_of(problem))}


def _row_of(problem: Problem) -> int:
    """Return the row that a fault names; 0 for a fault of the whole table."""
    name, _, rest = problem.field.partition(".")
    row = rest.partition(".")[0]
    return int(row) if name == "rows" and row.isdecimal() else 0


@transaction.atomic
def import_table(
    tournament: Tournament,
    wish: Wish,
    *,
    key: str,
    by: Actor,
    takes_good: bool = False,
    report: Report = lambda percent: None,
) -> dict[str, Any]:
    """Put every row on the list or none; sent again under the same key it answers as before. [INTEGRITY 53]

    Asked for the good rows alone, it leaves out those in which something is wrong, and says which. Each whole per cent that
    is done is reported once.
    """
    tournament = lock_tournament(tournament)
    body = _body(wish)
    if known := answered(tournament, key, by=by, body=body):
        return known
    if problems := seating_problems(tournament):
        raise Refused(*problems)
    left: list[int] = []
    if takes_good:
        wish, left = good_rows(tournament, wish, by=by)
    understood = look_through(tournament, wish, by=by)
    if problems := [*understood.problems, *understood.unanswered]:
        raise Refused(*problems[:MOST_PROBLEMS])
    report(LOOKED_THROUGH)
    counts = Counter(_verb(row) for row in understood.rows)
    _update(tournament, understood, by=by)
    new = [(_details(row), row.number) for row in understood.rows if _verb(row) == Choice.ADD]
    made = people.add_all(tournament, new, by=by, report=_by_per_cent(report))
    answer: dict[str, Any] = {choice.value: counts[choice] for choice in Choice}
    if waiting := sum(one.status == Registration.Status.WAITING for one in made):
        answer["waiting"] = waiting
    if left:
        answer["left"] = left
    store(tournament, key, by=by, body=body, answer=answer)
    return answer


def _update(tournament: Tournament, understood: Understood, *, by: Actor) -> None:
    """Write what rows say of people who are on the list already, where that was chosen."""
    listed = {row.number: row for row in _registrations(tournament)}
    for row in understood.rows:
        if _verb(row) == Choice.UPDATE and row.twin is not None:
            found = listed[row.twin]
            found.tournament = found.player.tournament = tournament
            people.change_player(found, _merged(found, row), by=by, is_another=True)


def _by_per_cent(report: Report) -> Callable[[float], None]:
    """Turn the share of rows that are on the list into whole per cents, and report each of them once."""
    said = LOOKED_THROUGH

    def on_the_way(share: float) -> None:
        nonlocal said
        percent = LOOKED_THROUGH + int(share * (ALL_ON_THE_LIST - LOOKED_THROUGH))
        if percent > said:
            said = percent
            report(percent)

    return on_the_way


def _verb(row: Incoming) -> Choice:
    """Return what is done with a row."""
    return Choice(row.choice or Choice.SKIP) if row.question else Choice.ADD


def _details(row: Incoming) -> Details:
    said = {name: row.values[name] for name in DETAILS if row.values.get(name)}
    ids = federation_ids(row.values)
    return Details(**said, federation_ids=ids, answers=None, may_be_remembered=None)


def _merged(found: Registration, row: Incoming) -> Details:
    """Take what the row says and leave what it is silent about."""
    player = found.player
    known = Details(
        **{name: getattr(player, name) for name in DETAILS if name not in {"team", "comment"}},
        team=str(player.team or ""),
        comment=found.comment,
        federation_ids=dict(player.federation_ids),
    )
    new = _details(row)
    said = {name: getattr(new, name) for name in DETAILS if getattr(new, name)}
    return replace(known, **said, federation_ids={**known.federation_ids, **new.federation_ids})


def _around(tournament: Tournament) -> Surroundings:
    rows = list(_registrations(tournament))
    on_list = [row for row in rows if row.status in people.IN_TOURNAMENT]
    return Surroundings(
        countries=country_codes(),
        headers=headers(),
        listed=people.listed(tournament),
        numbers={row.number: str(row.player) for row in rows},
        team_size=tournament.regulation["team_size"],
        teams=Counter(str(row.player.team) for row in on_list if row.player.team),
    )


def _registrations(tournament: Tournament) -> Any:
    return tournament.registrations.select_related("player__team").order_by("number")


def headers() -> dict[str, str]:
    """Return the columns by what they are called in every language of the site, as our own files call them."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        with translation.override(language):
            found |= {gettext(label).casefold(): name for name, label in LABELS.items()}
    return found


def country_codes() -> dict[str, str]:
    """Return countries by everything they are called: two and three letters, names in both languages."""
    codes: dict[str, str] = {}
    for language in LANGUAGES:
        for code, name in Locale.parse(language).territories.items():
            if len(code) == 2 and code.isalpha():
                codes |= {name.casefold(): code, code.casefold(): code}
    for three, found in get_global("territory_aliases").items():
        if len(three) == 3 and three.isalpha() and len(found) == 1:
            codes.setdefault(three.casefold(), found[0])
    return codes


def _body(wish: Wish) -> dict[str, Any]:
    """Return what tells one import from another under the same key."""
    return {
        "header": list(wish.grid.header),
        "rows": [[row.number, *row.cells] for row in wish.grid.rows],
        "columns": list(wish.columns or ()),
        "choices": {str(row): choice for row, choice in sorted((wish.choices or {}).items())},
    }
