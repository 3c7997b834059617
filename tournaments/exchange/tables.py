"""Every table that leaves the site as a file: what it is called, its columns and its rows, defined once for all formats."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from babel.core import get_global
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from scoring.systems import SYSTEMS
from tournaments import person_fields
from tournaments.models import Adjustment, Hand, Registration, Seat, Session, Standing, Tournament
from tournaments.models.play import WIND_ORDER, Wind
from tournaments.models.protocol import InForce
from tournaments.people.queries.answers import in_words, questions_with_answers
from tournaments.record import judges
from tournaments.standings.queries.prizes import prize_tables
from tournaments.standings.queries.table import GROUP_TABLES, newest_snapshot
from tournaments.table_numbers import shown_number
from tournaments.templatetags.looks import reason_words
from tournaments.web.files import Cell, FileTable, Row
from tournaments.web.labels import heading_of

BESIDE_A_NAME = (person_fields.COUNTRY, person_fields.CITY, person_fields.CLUB, person_fields.TEAM)
"""What tables of points tell of a person."""
PUBLIC_FIELDS = tuple(one for one in person_fields.PUBLIC if one is not person_fields.NAME)

TAKING_PART = (
    Registration.Status.ACTIVE,
    Registration.Status.WITHDRAWN,
    Registration.Status.REMOVED,
    Registration.Status.DISQUALIFIED,
)
LISTED = (*TAKING_PART, Registration.Status.WAITING)


@dataclass(frozen=True)
class Table:
    """A kind of table: its name in addresses, its title and hint for people, and how it is gathered."""

    name: str
    title: str | Promise
    hint: str | Promise
    gather: Callable[[Tournament], FileTable]
    in_workbook: bool = True
    may_be_too_long: bool = False
    """Whether a large event has more rows than a page of a workbook holds."""


def standings(tournament: Tournament) -> FileTable:
    """Return places with all criteria and every session's result."""
    ranking: list[str] = tournament.regulation["ranking"]
    sessions = _begun(tournament)
    columns = [
        *_person_columns(with_place=True),
        *(heading_of(name) for name in ranking),
        *(text for number in sessions for text in _session_columns(number)),
    ]
    has_points = _gives_points(tournament)
    rows = (
        (
            row.place,
            *_person(row.player),
            *(exactly(row.values.get(name)) for name in ranking),
            *_session_cells(row, sessions, has_points=has_points),
        )
        for row in _standings(tournament)
    )
    return FileTable(columns, rows)


def _begun(tournament: Tournament) -> list[int]:
    rows = tournament.sessions.exclude(state=Session.State.PLANNED).order_by("number")
    return list(rows.values_list("number", flat=True))


def _session_columns(number: int) -> tuple[str, str, str]:
    session = _("Session %(number)s") % {"number": number}
    game_points, tournament_points, place = _("GP"), _("TP"), _("Place")
    return f"{session}: {game_points}", f"{session}: {tournament_points}", f"{session}: {place}"


def _session_cells(row: Standing, sessions: Sequence[int], *, has_points: bool) -> Iterator[Cell]:
    by_session = {result["session"]: result for result in row.results}
    for number in sessions:
        result = by_session.get(number, {})
        yield exactly(result.get("game_points"))
        yield _brought(result, has_points=has_points) if result else None
        yield exactly(result.get("place"))


def _gives_points(tournament: Tournament) -> bool:
    """Return whether TP mean anything: they are given for places, or places are decided by them. [RULES 9.3]"""
    rules = tournament.regulation
    return bool(rules["tournament_points"]) or "tournament_points" in rules["ranking"]


def _brought(result: Mapping[str, Any], *, has_points: bool) -> Cell:
    """Return the TP of a result; where none are given, nobody has any for not having played. [RULES 8.32]"""
    if not has_points and result["kind"] in ("fixed", "awarded"):
        return None
    return exactly(result["tournament_points"])


def _standings(tournament: Tournament) -> Iterable[Standing]:
    return tournament.standings.select_related("player__team", "player__registration").order_by("position")


def _person_columns(*, with_place: bool = False) -> list[str]:
    place = [_("Place")] if with_place else []
    return [*place, _("No."), _("Name"), *(_(one.label) for one in BESIDE_A_NAME)]


def _person(player: Any) -> tuple[Cell, ...]:
    number = player.registration.number if hasattr(player, "registration") else None
    return number, str(player), *(one.text_of(player) for one in BESIDE_A_NAME)


def results(tournament: Tournament) -> FileTable:
    """Return a row for every player and session: table, points, place at the table."""
    columns = [
        _("Session"), _("Table"), _("No."), _("Name"), _("GP"), _("TP"), _("Place"), _("Kind"),
    ]  # fmt: skip
    lines = [
        (result["session"], result.get("table") or 0, row.player.registration.number, row, result)
        for row in _standings(tournament)
        for result in row.results
    ]
    kinds, has_points = _kinds(), _gives_points(tournament)
    rows = (
        (
            session,
            shown_number(table) if table else None,
            number,
            str(row.player),
            exactly(result["game_points"]),
            _brought(result, has_points=has_points),
            exactly(result["place"]),
            str(kinds.get(result["kind"], result["kind"])),
        )
        for session, table, number, row, result in sorted(lines, key=lambda line: line[:3])
    )
    return FileTable(columns, rows)


def _kinds() -> Mapping[str, str]:
    """Return the names of the ways in which a session's result came about."""
    return {
        "played": pgettext("kind of result", "Played"),
        "fixed": pgettext("kind of result", "Fixed by the regulation"),
        "awarded": pgettext("kind of result", "Awarded"),
        "adjusted": pgettext("kind of result", "By decision"),
    }


def players(tournament: Tournament) -> FileTable:
    """Return everybody on the list with what is public about them."""
    columns = [
        _("No."), _("Name"), *(_(one.label) for one in PUBLIC_FIELDS), _("Status"), _("First session"), _("Last session"),
    ]  # fmt: skip
    rows = (
        (
            row.number,
            str(row.player),
            *(one.text_of(row.player) for one in PUBLIC_FIELDS),
            row.get_status_display(),
            row.first_session,
            row.last_session,
        )
        for row in _registrations(tournament).filter(status__in=LISTED)
    )
    return FileTable(columns, rows)


def contacts(tournament: Tournament) -> FileTable:
    """Return how to reach everybody, for those who manage the people; it is on no public list."""
    columns = [
        _("No."), _("Name"), _("Status"), *(_(one.label) for one in person_fields.CONTACTS), _("Note to the organizer"),
        _("Registered"), _("Checked in"), _("Fee paid"),
    ]  # fmt: skip
    questions = questions_with_answers(tournament)
    columns += [one.label for one in questions]
    rows = (
        (
            row.number,
            str(row.player),
            row.get_status_display(),
            *(one.text_of(row.player) for one in person_fields.CONTACTS),
            row.comment,
            local(row.created_at, tournament),
            local(row.checked_in_at, tournament),
            local(row.paid_at, tournament),
            *(in_words(one, row.answers.get(one.code, "")) for one in questions),
        )
        for row in _registrations(tournament)
    )
    return FileTable(columns, rows)


def _registrations(tournament: Tournament) -> Any:
    return tournament.registrations.select_related("player__team").order_by("number")


def teams(tournament: Tournament) -> FileTable:
    """Return teams and groups as the regulation ranks them, with their members by number."""
    columns = [_("Table"), _("Place"), _("Name"), _("Criterion"), _("Value"), _("Members")]
    rows = [
        (
            str(GROUP_TABLES.get(table["by"], table["by"])),
            row["place"],
            row["name"],
            heading_of(criterion),
            exactly(value),
            ", ".join(str(number) for number in row["members"]),
        )
        for table in newest_snapshot(tournament).get("groups", ())
        for row in table["rows"]
        for criterion, value in row["values"].items()
    ]
    return FileTable(columns, rows)


def prizes(tournament: Tournament, places: int | None = None) -> FileTable:
    """Return the first places of every table, with the values that decided them and the members of teams."""
    found = prize_tables(tournament, places or tournament.prize_places)
    ranking = list(dict.fromkeys(name for table in found for name in table["ranking"]))
    columns = [
        _("Table"), _("Place"), _("Shared"), _("No."), _("Name"), *(_(one.label) for one in BESIDE_A_NAME),
        _("Members"), *(heading_of(name) for name in ranking),
    ]  # fmt: skip
    rows = [
        (
            table["label"],
            row["place"],
            _("yes") if row["shared"] else "",
            row.get("number"),
            row["label"],
            *(row.get(one.name, "") for one in BESIDE_A_NAME),
            ", ".join(row["members"]),
            *(exactly(row["values"].get(name)) for name in ranking),
        )
        for table in found
        for row in table["rows"]
    ]
    return FileTable(columns, rows)


def seating(tournament: Tournament) -> FileTable:
    """Return who sits where in every session whose seating is public."""
    columns = [
        _("Session"), _("Table"), _("Wind"), _("No."), _("Player"), _("In place of"), _("From hand"), _("Left after hand"),
    ]  # fmt: skip
    seats = (
        Seat.objects.filter(session__tournament=tournament, session__published_at__isnull=False)
        .select_related("session", "table__protocol", "player__registration", "kept_for__registration")
        .order_by("session__number", "table__number", WIND_ORDER)
    )
    rows = (
        (
            seat.session.number,
            *_table_and_wind(seat),
            _number_of(seat.player),
            str(seat.player or ""),
            str(seat.kept_for or ""),
            seat.from_hand if seat.from_hand > 1 else None,
            seat.left_after,
        )
        for seat in seats
    )
    return FileTable(columns, rows)


def _table_and_wind(seat: Seat) -> tuple[Cell, Cell]:
    """Return where a seat is; whoever has no game sits at no table, though the record keeps them together. [SBR 3.1.4]"""
    if not hasattr(seat.table, "protocol"):
        return None, _("No table (bye)")
    return shown_number(seat.table.number), seat.get_wind_display()


def _number_of(player: Any) -> int | None:
    registration = getattr(player, "registration", None)
    return registration.number if registration else None


HAND_FIELDS = (
    "protocol__table__session__number", "protocol__table__number", "number", "round_wind", "dealer", "counters",
    "facts", "east", "south", "west", "north", "unpaid", "recorded_at",
)  # fmt: skip


def hands(tournament: Tournament) -> FileTable:
    """Return every recorded hand in force: what stood on the table, who won from whom, and the payments."""
    columns = [
        _("Session"), _("Table"), _("Hand"), _("Round"), _("Dealer"), _("Counters"), _("What happened"),
        *(str(wind.label) for wind in Wind), _("To nobody"), _("Recorded"),
    ]  # fmt: skip
    rows = (
        Hand.objects.filter(
            protocol__table__session__tournament=tournament,
            protocol__table__session__published_at__isnull=False,
            status=InForce.IN_FORCE,
        )
        .order_by("protocol__table__session__number", "protocol__table__number", "number")
        .values_list(*HAND_FIELDS)
    )
    winds = {str(wind.value): str(wind.label) for wind in Wind}
    written = (
        (
            row[0],
            shown_number(row[1]),
            row[2],
            winds[row[3]],
            winds[row[4]],
            row[5],
            _winners_in_words(row[6], winds),
            *row[7:12],
            local(row[12], tournament),
        )
        for row in rows.iterator(chunk_size=2000)
    )
    return FileTable(columns, written)


def _winners_in_words(facts: Mapping[str, Any], winds: Mapping[str, str]) -> str:
    """Describe the winners and who paid, briefly."""
    said = []
    for event in facts.get("events", ()):
        if event["type"] != "win":
            continue
        for winner in event["winners"]:
            details = {"winner": winds.get(winner["seat"], ""), "payer": winds.get(event.get("from", ""), "")}
            sentence = _("%(winner)s off %(payer)s") if "from" in event else _("%(winner)s from the wall")
            said.append(sentence % details)
    return "; ".join(said) or _("Nobody won")


def accounts(tournament: Tournament) -> FileTable:
    """Return what no hand produced and what counts: penalties, warnings too, lateness and decisions."""
    columns = [
        _("Session"), _("No."), _("Name"), _("Origin"), _("GP"), _("TP"), _("Whole result"), _("Counts"), _("Reason"),
    ]  # fmt: skip
    lines = tournament.adjustments.filter(reversed_at=None).select_related("session", "player__registration")
    rows = [(line.posted_at, _account_row(line)) for line in lines.order_by("id")]
    rows += [(one.given_at, _pointless_row(one)) for one in judges.penalties_without_points(tournament)]
    return FileTable(columns, [row for _at, row in sorted(rows, key=lambda pair: pair[0])])


def _account_row(line: Adjustment) -> Row:
    return (
        line.session.number if line.session else None,
        _number_of(line.player),
        str(line.player),
        line.get_origin_display(),
        line.game_points,
        exactly(line.tournament_points or None),
        _("yes") if line.result else "",
        line.get_timing_display(),
        reason_words(line.reason),
    )


def _pointless_row(one: judges.PenaltyWithoutPoints) -> Row:
    return (one.session, _number_of(one.player), str(one.player), one.what, None, None, "", "", one.clause)


def sessions(tournament: Tournament) -> FileTable:
    """Return the sessions with their times and the digests that seal them."""
    columns = [
        _("Session"), _("State"), _("Planned start"), _("Started"), _("Ended"), _("Minutes"), _("Tables"), _("Checkpoint"),
    ]  # fmt: skip
    rows = []
    for session in tournament.sessions.order_by("number"):
        session.tournament = tournament
        rows.append(
            (
                session.number,
                session.get_state_display(),
                local(session.planned_at, tournament),
                local(session.started_at, tournament),
                local(session.ended_at, tournament),
                session.minutes,
                session.tables.count() if session.is_published else None,
                session.checkpoint,
            )
        )
    return FileTable(columns, rows)


def ema(tournament: Tournament) -> FileTable:
    """Return the result list as the workbook of the European Mahjong Association takes it, with its head above.

    Table points are the points for the places, score the game points, both over all sessions and with decimals. Who never
    came is in no federation's list. [RULES 8.59]
    """
    columns = [
        "Place", "First name", "Last name", "EMA number", "EMA member", "Country", "Table points", "Score",
    ]  # fmt: skip
    placed = [row for row in _standings(tournament) if row.place is not None]
    facts: list[tuple[str, Cell]] = [
        ("Tournament", tournament.name),
        ("Rules", SYSTEMS[tournament.system].short_name),
        ("Place", ", ".join(filter(None, (tournament.city, tournament.venue)))),
        ("First day", tournament.first_day.isoformat()),
        ("Last day", tournament.last_day.isoformat()),
        ("Days", (tournament.last_day - tournament.first_day).days + 1),
        ("Sessions", len(_begun(tournament))),
        ("Players", len(placed)),
        ("Countries", len({row.player.country for row in placed if row.player.country})),
        ("Weight (MERS)", None),
    ]
    has_points = _gives_points(tournament)
    return FileTable(columns, [_ema_row(row, has_points=has_points) for row in placed], facts)


def _ema_row(row: Standing, *, has_points: bool) -> Row:
    number = ema_number(row.player.federation_ids.get("EMA", ""))
    return (
        row.place,
        *first_and_last(str(row.player)),
        number,
        "yes" if number else "no",
        ema_country(row.player.country),
        with_decimals(_sum(row, "tournament_points")) if has_points else None,
        with_decimals(_sum(row, "game_points")),
    )


def first_and_last(name: str) -> tuple[str, str]:
    """Part a name as most are written: the last word is the family name, a single word too."""
    *first, last = name.split() or [""]
    return " ".join(first), last


def ema_number(written: str) -> str:
    """Return a number of the federation in its eight digits; anything else stays as it is."""
    digits = written.replace(" ", "")
    return digits.zfill(EMA_DIGITS) if digits.isascii() and digits.isdecimal() else written


def with_decimals(value: Cell) -> Cell:
    """Return a fraction as a number with at most two decimals, in a CSV file as well: 12.5 and not 12 1/2."""
    if not isinstance(value, Fraction):
        return value
    hundredths = round(value * 100)
    return Decimal(hundredths) / 100 if hundredths % 100 else hundredths // 100


def _sum(row: Standing, field: str) -> Cell:
    """Return the value by which places were decided, else what the sessions add up to."""
    said = row.values.get(field)
    if said is not None:
        return exactly(said)
    known = [Fraction(result[field]) for result in row.results if result.get(field) is not None]
    return exactly(sum(known)) if known else None


_GONE = {"BUR", "ZAR", "DDR", "FXX", "TMP", "YMD"}
_THREE = {
    two[0]: three
    for three, two in get_global("territory_aliases").items()
    if len(three) == 3 and three.isalpha() and len(two) == 1 and three not in _GONE
}


EMA_DIGITS = 8
EMA_COUNTRIES = {
    "AE": "UAE", "BG": "BUL", "CH": "SUI", "CL": "CHI", "DE": "GER", "DK": "DEN", "DZ": "ALG", "GR": "GRE", "HR": "CRO",
    "ID": "INA", "IR": "IRI", "KW": "KUW", "LV": "LAT", "MC": "MON", "MN": "MGL", "MY": "MAS", "NL": "NED", "PH": "PHI",
    "PT": "POR", "PY": "PAR", "SA": "KSA", "SI": "SLO", "TW": "TPE", "UY": "URU", "VN": "VIE", "ZA": "RSA",
}  # fmt: skip
"""Countries that the federation writes otherwise than ISO does, as sport does."""


def ema_country(country: str) -> str:
    """Return the three letters by which the federation knows a country; an unknown one stays as it is."""
    return EMA_COUNTRIES.get(country) or _THREE.get(country, country)


def exactly(value: Any) -> Cell:
    """Read a number as the record keeps it: whole as a whole number, else as an exact fraction."""
    if value is None or value == "":
        return None
    exactly = Fraction(value)
    return int(exactly) if exactly.denominator == 1 else exactly


def local(moment: datetime | None, tournament: Tournament) -> datetime | None:
    """Return an instant on the event's own clock."""
    return timezone.localtime(moment, tournament.zone).replace(tzinfo=None) if moment else None


PUBLIC: Mapping[str, Table] = {
    table.name: table
    for table in (
        Table(
            "standings",
            gettext_lazy("Standings"),
            gettext_lazy("Places, all criteria, every session"),
            standings,
        ),
        Table(
            "results",
            gettext_lazy("Results by session"),
            gettext_lazy("A row for every player and session"),
            results,
        ),
        Table("players", gettext_lazy("Players"), gettext_lazy("Everybody on the list"), players),
        Table(
            "teams",
            gettext_lazy("Teams and groups"),
            gettext_lazy("As the regulation ranks them"),
            teams,
        ),
        Table(
            "prizes",
            gettext_lazy("Prize list"),
            gettext_lazy("The first places of every table"),
            prizes,
        ),
        Table("seating", gettext_lazy("Seating"), gettext_lazy("Who sat where, session by session"), seating),
        Table(
            "hands",
            gettext_lazy("Hands"),
            gettext_lazy("Every recorded hand with its payments"),
            hands,
            may_be_too_long=True,
        ),
        Table(
            "penalties",
            gettext_lazy("Penalties and decisions"),
            gettext_lazy("What no hand brought: penalties and warnings, lateness, decisions"),
            accounts,
        ),
        Table(
            "sessions",
            gettext_lazy("Sessions"),
            gettext_lazy("Times, and the digests that seal them"),
            sessions,
        ),
        Table(
            "ema",
            gettext_lazy("EMA result list"),
            gettext_lazy(
                "Place, names, EMA number, country, table points and score, as the European federation asks; "
                "look through first and last names"
            ),
            ema,
            in_workbook=False,
        ),
    )
}
CONTACTS = Table(
    "contacts",
    gettext_lazy("Contacts"),
    gettext_lazy("E-mail, phone and notes; only for those who manage the people"),
    contacts,
)
