"""The standings as a table: sorted, filtered, every number a link to where it came from."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.utils.html import format_html, strip_tags
from django.utils.safestring import mark_safe
from django.utils.translation import get_language, gettext, gettext_lazy
from django.utils.translation import gettext as _
from django_tables2 import RequestConfig

from scoring.criteria import CRITERIA, Look
from scoring.standings.stages import account
from tournaments.models import Protocol, Registration, Session, Snapshot, StandingsRevision, Tournament
from tournaments.models.standing import lines_until, results_of
from tournaments.people.queries.events import GONE
from tournaments.people.rules.names import search_key
from tournaments.people.rules.spelling import answers
from tournaments.person_fields import GROUPINGS, IN_STANDINGS, NAME
from tournaments.standings.queries import snapshot
from tournaments.standings.queries.as_of import as_of, courses_of
from tournaments.standings.queries.revision_cache import kept, revision_key
from tournaments.standings.rules.gaps import behind
from tournaments.tables.queries.events import event_of, sessions_that_count
from tournaments.templatetags.looks import country_name, exact, flag, number, plus, points, signed
from tournaments.web.labels import heading_of

FILTERS = {one.name: gettext_lazy(one.label) for one in IN_STANDINGS if one is not NAME}
LONGEST = 100
ALWAYS_THERE = 2
MOST_SESSION_COLUMNS = 8

Row = dict[str, Any]
Said = Mapping[str, Any]


def value_text(name: str, value: Any) -> str:
    """Write a criterion's value with a sign, as a whole number or as a fraction."""
    if value is None:
        return "–"
    look = CRITERIA[name].look
    if isinstance(value, int):
        if look is Look.SIGNED:
            return signed(value)
        return number(value) if look is Look.WHOLE else points(value)
    exactly = Fraction(value)
    sign = "+" if look is Look.SIGNED and exactly > 0 else ""
    return format_html('<span title="{0}{1}">{0}{2}</span>', sign, exact(exactly), points(exactly))


def value_plain(name: str, value: Any) -> str:
    """Write a criterion's value without markup."""
    return strip_tags(value_text(name, value))


class CriterionColumn(tables.Column):
    """One criterion of the ranking, sorted as the exact number it is."""

    def __init__(self, name: str, *, rank: int) -> None:
        """Read the value from the row's values; what only parts ties is left out where there is no room."""
        self.looks = "number" + (" total" if rank == 0 else "")
        self.looks += " optional-column" if rank else ""
        super().__init__(
            accessor=f"values__{name}",
            verbose_name=heading_of(name),
            attrs={"td": {"class": self.looks}, "th": {"class": self.looks}},
            initial_sort_descending=not CRITERIA[name].less_is_better,
        )
        self.name = name

    def order(self, data: Any, is_descending: bool) -> Any:
        """Sort exactly; those without a value come last either way."""

        def key(row: Row) -> tuple[bool, Fraction]:
            value = row["values"].get(self.name)
            exactly = Fraction(value or 0)
            return value is None, -exactly if is_descending else exactly

        return sorted(data, key=key), True


class SessionColumn(tables.Column):
    """What one session brought; on a phone only the newest has a column, on a wide screen the last eight."""

    def __init__(self, session: int, *, is_old: bool, is_newest: bool) -> None:
        """Take the session."""
        self.session = session
        self.looks = "number session" + (" is-old" if is_old else "") + (" is-newest" if is_newest else "")
        title = _("Session %(number)s") % {"number": session}
        super().__init__(
            verbose_name=session_mark(session),
            accessor="number",
            orderable=False,
            attrs={"td": {"class": self.looks}, "th": {"class": self.looks, "title": title}},
        )


class MoveColumn(tables.Column):
    """How many places somebody went up or down since the last closed session before."""

    def __init__(self) -> None:
        """Make a column by which nothing is sorted."""
        title = _("Places gained or lost since the session before")
        super().__init__(
            verbose_name="±",
            accessor="number",
            orderable=False,
            attrs={"td": {"class": "move"}, "th": {"class": "move", "title": title, "aria-label": title}},
        )


class GapColumn(tables.Column):
    """How far somebody is behind the first in the first criterion."""

    def __init__(self) -> None:
        """Make a column by which nothing is sorted: its order is that of the first criterion."""
        super().__init__(
            verbose_name=_("Gap"),
            accessor="number",
            orderable=False,
            attrs={
                "td": {"class": "number gap"},
                "th": {"class": "number gap", "title": _("Behind the first place")},
            },
        )


class StandingsTable(tables.Table):
    """Place, player, criteria, sessions; a row is drawn whole by the template, not cell by cell."""

    place = tables.Column(
        verbose_name=gettext_lazy("Place"),
        attrs={"td": {"class": "place"}, "th": {"class": "place"}},
        empty_values=(),
    )
    name = tables.Column(
        verbose_name=gettext_lazy("Player"), attrs={"td": {"class": "name"}, "th": {"class": "name"}}
    )

    class Meta:
        """In the order of the ranking unless asked otherwise."""

        template_name = "tournaments/public/_standings_table.html"
        attrs = {"class": "table standings"}
        empty_text = gettext_lazy("No matches. Clear the filter to see everybody.")
        sequence = ("place", "name", "...")

    def __init__(self, data: list[Row], *, drawn: "Drawn", **kwargs: Any) -> None:
        """Take what else a row shows."""
        super().__init__(data, **kwargs)
        self.drawn = drawn

    def order_place(self, data: Any, is_descending: bool) -> Any:
        """Sort by place; those without one come last either way."""

        def key(row: Row) -> tuple[bool, int]:
            place = row["place"] or 0
            return row["place"] is None, -place if is_descending else place

        return sorted(data, key=key), True

    def order_name(self, data: Any, is_descending: bool) -> Any:
        """Sort by name as people look names up."""
        return sorted(data, key=lambda row: search_key(row["name"]), reverse=is_descending), True

    def drawn_rows(self) -> Iterator[Row]:
        """Yield each row with all that its cells show."""
        criteria = [column.column for column in self.columns if isinstance(column.column, CriterionColumn)]
        sessions = [column.column for column in self.columns if isinstance(column.column, SessionColumn)]
        in_order = not self.order_by
        before = None
        for row in self.data:
            yield self.drawn.row(row, criteria, sessions, is_below_cut=in_order and _is_cut(before, row))
            before = row


def _is_cut(before: Row | None, row: Row) -> bool:
    """Return whether those above went on to another stage than this row."""
    return before is not None and row["place"] is not None and before["stage"] > row["stage"]


# What is shown


def newest_revision(tournament: Tournament) -> int:
    """Return the revision that spectators see; 0 before the first."""
    found = Snapshot.objects.filter(tournament=tournament).values_list("revision", flat=True).first()
    return found or 0


def state_tag(tournament: Tournament, *said: object) -> str:
    """Name an answer by the state of the event: every entry of its history raises a number that is read in one query."""
    numbers = StandingsRevision.objects.filter(pk=tournament.pk).values_list("wanted", "done").first()
    named = [tournament.pk, tournament.created_at.timestamp(), numbers, *said]
    return f'"{hashlib.sha256(repr(named).encode()).hexdigest()[:32]}"'


def newest_snapshot(tournament: Tournament) -> dict[str, Any]:
    """Read what spectators see; nothing yet has no rows."""
    row = Snapshot.objects.filter(tournament=tournament).values_list("revision", "made_at").first()
    if row is None:
        return {"rows": [], "groups": [], "revision": 0, "made_at": ""}
    revision, made_at = row
    return _read(tournament.pk, revision, made_at.isoformat())


@lru_cache(maxsize=16)
def _read(tournament: int, revision: int, made_at: str) -> dict[str, Any]:
    """Unpack a snapshot once; one that was replaced meanwhile is shown as what it is."""
    row = Snapshot.objects.get(tournament=tournament)
    said = unpacked(json.loads(gzip.decompress(bytes(row.body))))
    return {**said, "made_at": row.made_at.isoformat()}


def unpacked(said: Said) -> dict[str, Any]:
    """Return the rows of a snapshot by the names of their columns, values of criteria apart.

    A snapshot that was stored before a field of people was known says nothing of that field.
    """
    unknown = dict.fromkeys(snapshot.FACE, "")
    columns = list(said["columns"])
    split = len(columns) - len(said["ranking"])
    return {
        **said,
        "rows": [
            {
                **unknown,
                **dict(zip(columns[:split], row[:split], strict=True)),
                "values": dict(zip(columns[split:], row[split:], strict=True)),
            }
            for row in said["rows"]
        ],
    }


def true_snapshot(tournament: Tournament) -> dict[str, Any]:
    """Return the standings as the desk sees them, whatever is frozen for strangers; kept for a revision. [RULES 9.15]"""
    newest = newest_snapshot(tournament)
    if "frozen" not in newest:
        return newest
    return kept(f"true-{revision_key(tournament)}", lambda: _true(tournament, newest))


def _true(tournament: Tournament, newest: Said) -> dict[str, Any]:
    sessions = sessions_that_count(tournament)
    event = event_of(tournament, sessions)
    ranked = account(event).standings
    said = snapshot.said_of(tournament, newest["revision"], ranked, event.regulation, sessions)
    return {**unpacked(said), "made_at": f"{newest['made_at']}-true"}


def standings_after(tournament: Tournament, session: int) -> dict[str, Any]:
    """Return the standings as they were after a closed session, with the lines of everybody; kept for a revision."""
    return kept(f"standings-{revision_key(tournament)}-{session}", lambda: _worked_out(tournament, session))


def _worked_out(tournament: Tournament, session: int) -> dict[str, Any]:
    closed = list(tournament.sessions.filter(state=Session.State.CLOSED).order_by("number"))
    event = as_of(event_of(tournament, closed), session, is_last=session == closed[-1].number)
    worked_out = account(event)
    said = snapshot.said_of(tournament, 0, worked_out.standings, event.regulation, closed)
    said["sessions"] = [face for face in said["sessions"] if face["number"] <= session]
    lines = snapshot.lines_of(worked_out, with_uma=event.regulation.uma is not None)
    made_at = f"{revision_key(tournament)}-{session}"
    return {**unpacked(said), "made_at": made_at, "lines": lines}


class Drawn:
    """The standings of a tournament while a page is drawn of them, equal to others of the same making."""

    def __init__(self, tournament: Tournament, said: Said) -> None:
        """Take the tournament and its snapshot."""
        self.tournament, self.said = tournament, said
        self.key = (tournament.pk, tournament.slug, said["revision"], said["made_at"])
        self.base = tournament.get_absolute_url()
        self.results: dict[int, list[Row]] = {}
        self.reasons: dict[int, Row] = {}
        self.gone: dict[int, str] = {}
        self.before: dict[int, int] = {}
        self.best: Any = None
        self.language = "en"

    def __eq__(self, other: object) -> bool:
        """Compare what they were made of."""
        return isinstance(other, Drawn) and self.key == other.key

    def __hash__(self) -> int:
        """Hash what they were made of."""
        return hash(self.key)

    def read(self, *, with_reasons: bool) -> None:
        """Read what each session brought everybody, who is not in play any more, and why equals stand apart."""
        self.language = get_language() or "en"
        self.results = results_by_number(self.tournament, self.said)
        mark_opened(self.tournament, [line for lines in self.results.values() for line in lines])
        self.gone = gone_by_number(self.tournament)
        self.reasons = broken_ties(self.said) if with_reasons else {}
        self.before = places_before(self.tournament, self.said)
        is_mixed = self.said.get("frozen", {}).get("hidden") is not None
        self.best = None if is_mixed else self.said["rows"][0]["values"].get(self.said["ranking"][0])

    @property
    def newest_session(self) -> int | None:
        """Return the last session that brought anybody a result."""
        return max((line["session"] for lines in self.results.values() for line in lines), default=None)

    def row(
        self,
        row: Row,
        criteria: Sequence[CriterionColumn],
        sessions: Sequence[SessionColumn],
        *,
        is_below_cut: bool,
    ) -> Row:
        """Gather all that a row shows."""
        written = {result["session"]: self.result(result) for result in self.results.get(row["number"], [])}
        first = self.said["ranking"][0]
        return {
            **row,
            "place": "—" if row["place"] is None else f"{row['place']}{'=' if row['shared'] else ''}",
            "is_podium": row["place"] in (1, 2, 3),
            "is_below_cut": is_below_cut,
            "flag": _flag(row["country"], self.language) if row["country"] else "",
            "club": row["team"] or row["club"],
            "gone": self.gone.get(row["number"]),
            "move": _move(self.before.get(row["number"]), row["place"], self.language)
            if self.before
            else None,
            "gap": gap_text(first, row["values"].get(first), self.best),
            "cells": [
                (column.looks, value_text(column.name, row["values"].get(column.name))) for column in criteria
            ],
            "sessions": [(column.looks, written.get(column.session, "")) for column in sessions],
            "reason": self.reasons.get(row["number"]),
        }

    def result(self, result: Row) -> str:
        """Write the points for the place, leading to the protocol, and the game points: twice a row, hence not by template."""
        points_for_place = (
            result["tournament_points"] if self.tournament.regulation["tournament_points"] else None
        )
        brought = points_for_place if points_for_place is not None else result["place"]
        text, small = _result(brought, result["game_points"], self.language)
        if result["kind"] == "played" or result.get("opens"):
            url = f"{self.base}session-{result['session']}/table-{result['table']}/"
            text = f'<a href="{url}" tabindex="-1">{text}</a>'
        return mark_safe(f"{text} {small}")  # noqa: S308 -- a slug and numbers


def session_mark(session: int) -> str:
    """Return a name of a session that is short enough for a phone."""
    # Translators: a session, as short as can be: S1, S2
    return _("S%(n)s") % {"n": session}


@lru_cache(maxsize=4096)
def _result(brought: Any, game_points: int, language: str) -> tuple[str, str]:
    text = "–" if brought is None else points(Fraction(brought))
    look = "session-points signed is-negative" if game_points < 0 else "session-points"
    return text, format_html('<small class="{}">{}</small>', look, plus(game_points))


def gap_text(name: str, own: Any, best: Any) -> str:
    """Write how far a value is behind the best one; the best itself has no gap."""
    gap = behind(own, best, less_is_better=CRITERIA[name].less_is_better)
    return f"{'−' if gap > 0 else '+'}{distance_text(gap)}" if gap else ""


def distance_text(gap: Fraction) -> str:
    """Write how far two values are apart."""
    return number(abs(int(gap))) if gap.denominator == 1 else points(abs(gap))


def places_before(tournament: Tournament, said: Said) -> dict[int, int]:
    """Return everybody's place after the last closed session before the one that these standings tell of."""
    sessions = [face for face in said.get("sessions", []) if face["state"] != Session.State.PLANNED]
    closed = [face["number"] for face in sessions if face["state"] == Session.State.CLOSED]
    freeze = said.get("frozen")
    if freeze and freeze["hidden"] is None:
        closed = [number for number in closed if number <= freeze["after"]]
    at = len(closed) - (1 if said.get("provisional") else 2)
    if at < 0:
        return {}
    courses = courses_of(tournament)
    if closed[at] not in courses.sessions:
        return {}
    column = courses.sessions.index(closed[at])
    return {number: row[column] or 0 for number, row in courses.places.items() if column < len(row)}


@lru_cache(maxsize=1024)
def _move(before: int | None, place: int | None, language: str) -> str:
    """Write how many places somebody went up or down."""
    if not before or not place:
        return ""
    if before == place:
        return format_html('<span class="move-none" role="img" aria-label="{}">–</span>', _("same place"))
    way, said = ("up", _("up %(n)s")) if place < before else ("down", _("down %(n)s"))
    steps = abs(place - before)
    return format_html(
        '<span class="move-{}" role="img" aria-label="{}">{}</span>', way, said % {"n": steps}, steps
    )


@lru_cache(maxsize=512)
def _flag(country: str, language: str) -> str:
    return render_to_string("components/flag.html", flag(country))


def results_by_number(tournament: Tournament, said: Said) -> dict[int, list[Row]]:
    """Read what each session brought, by the numbers of the players."""
    if "lines" in said:
        numbers = dict(tournament.registrations.values_list("player_id", "number"))
        return {numbers[player]: results_of(lines) for player, lines in said["lines"].items()}
    rows = tournament.standings.values_list("player__registration__number", "lines")
    freeze = said.get("frozen")
    if not freeze:
        return {number: results_of(lines) for number, lines in rows}
    revealed = set(freeze["revealed"])
    return {
        number: results_of(lines if number in revealed else lines_until(lines, freeze["after"]))
        for number, lines in rows
    }


def mark_opened(tournament: Tournament, lines: Iterable[Row]) -> None:
    """Mark the results that no player's own hands brought, but of whose table there is a protocol to open."""
    others = [line for line in lines if line["kind"] != "played"]
    if not others:
        return
    tables = Protocol.objects.filter(table__session__tournament=tournament)
    known = set(tables.values_list("table__session__number", "table__number"))
    for line in others:
        line["opens"] = (line["session"], line["table"]) in known


def gone_by_number(tournament: Tournament) -> dict[int, str]:
    """Return who is in the standings but does not play: withdrawn, removed, disqualified, or never came. [RULES 8.59]"""
    gone = tournament.registrations.filter(status__in=GONE)
    rows = tournament.standings.filter(place=None, player__registration__status=Registration.Status.ACTIVE)
    said = gettext("Did not come") if tournament.is_finished else gettext("Has not come yet")
    absent = dict.fromkeys(rows.values_list("player__registration__number", flat=True), said)
    return absent | {row.number: row.get_status_display() for row in gone}


def broken_ties(said: Said) -> dict[int, Row]:
    """Return for each player ahead of an equal what decided it: the criterion, the values, the other's name."""
    ranking = list(said["ranking"])
    found = {}
    for above, row in zip(said["rows"], said["rows"][1:], strict=False):
        name = row["decided_by"]
        if name and ranking.index(name) > 0:
            found[above["number"]] = {
                "criterion": heading_of(name),
                "own": value_text(name, above["values"][name]),
                "other": value_text(name, row["values"][name]),
                "name": row["name"],
                "url": f"?a={above['number']}&b={row['number']}",
            }
    return found


def standings_html(request: HttpRequest, tournament: Tournament, said: Said) -> str:
    """Draw the table that the address asks for, once for all who ask for the same."""
    if not said["rows"]:
        return ""
    return _drawn(Drawn(tournament, said), get_language() or "en", request.GET.urlencode()[:500])


@lru_cache(maxsize=64)
def _drawn(drawn: Drawn, language: str, query: str) -> str:
    request = HttpRequest()
    request.GET = QueryDict(query)
    drawn.read(with_reasons=bool(request.GET.get("why")))
    table = standings_table(request, drawn)
    return str(table.as_html(request))


def standings_table(request: HttpRequest, drawn: Drawn) -> StandingsTable:
    """Make the table of a snapshot, filtered as the address asks."""
    said = drawn.said
    ranking = [
        name
        for rank, name in enumerate(said["ranking"])
        if rank < ALWAYS_THERE or any(row["values"].get(name) is not None for row in said["rows"])
    ]
    criteria: list[tuple[str, tables.Column]] = [
        (name, CriterionColumn(name, rank=rank)) for rank, name in enumerate(ranking)
    ]
    criteria.insert(1, ("gap", GapColumn()))
    played = [face["number"] for face in said.get("sessions", []) if face["state"] != "planned"]
    newest = drawn.newest_session
    sessions = [
        (
            f"session_{session}",
            SessionColumn(
                session, is_old=session in played[:-MOST_SESSION_COLUMNS], is_newest=session == newest
            ),
        )
        for session in played
    ]
    table = StandingsTable(
        _filtered(request, said["rows"]),
        drawn=drawn,
        extra_columns=[*([("move", MoveColumn())] if drawn.before else []), *criteria, *sessions],
        sequence=("place", *(["move"] if drawn.before else []), "name", "..."),
    )
    RequestConfig(request, paginate=False).configure(table)
    return table


def filter_choices(request: HttpRequest, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """List what the standings can be narrowed to; a filter with one choice is none."""
    rows = list(rows)
    found = []
    for name, label in FILTERS.items():
        values = sorted({row[name] for row in rows if row[name]}, key=search_key)
        chosen = request.GET.get(name, "")
        if len(values) > 1 or chosen:
            texts = [(value, country_name(value) if name == "country" else value) for value in values]
            found.append({"name": name, "label": label, "values": texts, "chosen": chosen})
    return found


def is_filtered(request: HttpRequest) -> bool:
    """Return whether the address asks for less than everybody."""
    return any(request.GET.get(name) for name in ("q", *FILTERS))


def _filtered(request: HttpRequest, rows: list[Row]) -> list[Row]:
    """Keep the rows that answer the filter."""
    query = request.GET.get("q", "")[:LONGEST].strip()
    wanted = {name: value for name in FILTERS if (value := request.GET.get(name, "")[:LONGEST])}
    return [
        row
        for row in rows
        if (not query or answers(query, row["name"]))
        and all(row[name] == value for name, value in wanted.items())
    ]


# Teams and groups


def group_faces(said: Said) -> list[dict[str, Any]]:
    """Return the tables of teams and groups, each with its number and label."""
    return [
        {"at": at, "label": GROUP_TABLES[table["by"]], "by": table["by"]}
        for at, table in enumerate(said["groups"], start=1)
    ]


def group_rows(said: Said, at: int) -> dict[str, Any]:
    """Return a table of teams or groups with all that its rows show."""
    table = said["groups"][at - 1]
    people = {row["number"]: row for row in said["rows"]}
    ranking = list(table["rows"][0]["values"]) if table["rows"] else []
    counted = table["best"] if table["mode"] == "best" else None
    rows = [
        {
            **row,
            "label": group_label(table, row),
            "cells": [value_text(name, row["values"][name]) for name in ranking],
            "members": [
                {**people[number], "is_counted": counted is None or place < counted,
                 "cells": [value_text(name, people[number]["values"].get(name)) for name in ranking]}
                for place, number in enumerate(row["members"])
            ],
            "reason": group_reason(table, place, ranking),
        }
        for place, row in enumerate(table["rows"])
    ]  # fmt: skip
    return {
        **table,
        "label": GROUP_TABLES[table["by"]],
        "rows": rows,
        "criteria": [heading_of(name) for name in ranking],
    }


def group_label(table: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    """Return the name of a group for people: a country by its name."""
    return country_name(row["name"]) if table["by"] == "country" else str(row["name"])


def group_reason(table: Row, place: int, ranking: Sequence[str]) -> Row | None:
    """Return what put a group ahead of an equal one below it."""
    rows = table["rows"]
    if place + 1 >= len(rows):
        return None
    below, own = rows[place + 1], rows[place]
    name = below["decided_by"]
    if not name or ranking.index(name) == 0:
        return None
    return {
        "criterion": heading_of(name),
        "own": value_text(name, own["values"][name]),
        "other": value_text(name, below["values"][name]),
        "name": group_label(table, below),
    }


GROUP_TABLES = {name: gettext_lazy(one.plural) for name, one in GROUPINGS.items()}
