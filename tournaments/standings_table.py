"""The standings as a table: sorted, filtered, every number a link to where it came from."""

import gzip
import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

import django_tables2 as tables
from django.http import HttpRequest, QueryDict
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django_tables2 import RequestConfig

from tournaments.labels import CRITERIA
from tournaments.models import Snapshot, Tournament
from tournaments.rules.names import search_key
from tournaments.templatetags.looks import country_name, exact, number, points, signed

FILTERS = ("country", "club", "team")
LONGEST = 100
WITH_SIGN = {"game_points"}
WHOLE = {"points", "best_game", "points_spread"}
SMALL_IS_GOOD = {"average_place", "place_variance", "lots"}
ALWAYS_SHOWN = 2
MOST_SESSION_COLUMNS = 8

Row = dict[str, Any]


class CriterionColumn(tables.Column):
    """One criterion of the ranking, sorted as the exact number it is."""

    def __init__(self, name: str, *, rank: int) -> None:
        """Read the value from the row's values; what only parts ties is left out where there is no room."""
        looks = "number" + (" total" if rank == 0 else "")
        looks += " optional-column" if rank >= ALWAYS_SHOWN else ""
        super().__init__(
            accessor=f"values__{name}",
            verbose_name=CRITERIA[name],
            attrs={"td": {"class": looks}, "th": {"class": looks}},
            initial_sort_descending=name not in SMALL_IS_GOOD,
        )
        self.name = name

    def render(self, value: Any) -> str:
        """Write it with a sign, as a whole number or as a fraction."""
        exactly = Fraction(value)
        if self.name in WITH_SIGN and exactly.denominator == 1:
            return signed(int(exactly))
        if self.name in WHOLE and exactly.denominator == 1:
            return number(int(exactly))
        return format_html('<span title="{}">{}</span>', exact(exactly), points(exactly))

    def order(self, data: Any, is_descending: bool) -> Any:
        """Sort exactly; those without a value come last either way."""

        def key(row: Row) -> tuple[bool, Fraction]:
            value = row["values"].get(self.name)
            exactly = Fraction(value or 0)
            return value is None, -exactly if is_descending else exactly

        return sorted(data, key=key), True


class SessionColumn(tables.Column):
    """What one session brought, leading to its protocol."""

    def __init__(self, session: int, slug: str) -> None:
        """Know the session."""
        title = _("Session %(number)s") % {"number": session}
        super().__init__(
            verbose_name=str(session),
            accessor="results",
            orderable=False,
            attrs={"td": {"class": "number session"}, "th": {"class": "number session", "title": title}},
            empty_values=(),
        )
        self.session, self.slug = session, slug

    def render(self, record: Row) -> str:
        """Write the session's points for the place over its game points."""
        result = next((row for row in record["results"] if row["session"] == self.session), None)
        return render_to_string(
            "tournaments/public/_session_result.html", {"result": result, "slug": self.slug}
        )


class StandingsTable(tables.Table):
    """Place, player, criteria, sessions."""

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

        attrs = {"class": "table standings"}
        row_attrs = {
            "data-number": lambda record: record["number"],
            "id": lambda record: f"n{record['number']}",
            "class": lambda record: "is-podium" if record["place"] in (1, 2, 3) else None,
        }
        empty_text = gettext_lazy("Nobody answers this description. Clear the filter to see everybody.")
        sequence = ("place", "name", "...")

    def __init__(self, data: list[Row], *, slug: str, **kwargs: Any) -> None:
        """Know the tournament for links."""
        super().__init__(data, **kwargs)
        self.slug = slug
        self.label = _("Standings")

    def render_place(self, record: Row) -> str:
        """Write the place; a shared one says so."""
        if record["place"] is None:
            return "—"
        return f"{record['place']}{'=' if record['shared'] else ''}"

    def order_place(self, data: Any, is_descending: bool) -> Any:
        """Sort by place; those without one come last either way."""

        def key(row: Row) -> tuple[bool, int]:
            place = row["place"] or 0
            return row["place"] is None, -place if is_descending else place

        return sorted(data, key=key), True

    def order_name(self, data: Any, is_descending: bool) -> Any:
        """Sort by name as people look names up."""
        return sorted(data, key=lambda row: search_key(row["name"]), reverse=is_descending), True

    def render_name(self, record: Row) -> str:
        """Lead to the player's page, with flag, team and club, and the sessions where they have no columns."""
        return render_to_string("tournaments/public/_standing_name.html", {"row": record, "slug": self.slug})


def newest_snapshot(tournament: Tournament) -> dict[str, Any]:
    """Read what spectators see; nothing yet has no rows."""
    snapshot = Snapshot.objects.filter(tournament=tournament).first()
    if snapshot is None:
        return {"rows": [], "revision": 0, "made_at": ""}
    said: dict[str, Any] = json.loads(gzip.decompress(bytes(snapshot.body)))
    return {**said, "made_at": snapshot.made_at.isoformat()}


class Drawn:
    """A snapshot with its tournament, equal to another of the same making."""

    def __init__(self, tournament: Tournament, said: Mapping[str, Any]) -> None:
        """Know both, and by what they are told apart."""
        self.tournament, self.said = tournament, said
        self.key = (tournament.pk, tournament.slug, said["revision"], said["made_at"])

    def __eq__(self, other: object) -> bool:
        """Compare what they were made of."""
        return isinstance(other, Drawn) and self.key == other.key

    def __hash__(self) -> int:
        """Hash what they were made of."""
        return hash(self.key)


def standings_html(request: HttpRequest, tournament: Tournament, said: Mapping[str, Any]) -> str:
    """Draw the table that the address asks for, once for all who ask for the same."""
    if not said["rows"]:
        return ""
    return _drawn(Drawn(tournament, said), get_language() or "en", request.GET.urlencode()[:500])


@lru_cache(maxsize=64)
def _drawn(drawn: Drawn, language: str, query: str) -> str:
    request = HttpRequest()
    request.GET = QueryDict(query)
    table = standings_table(request, drawn.tournament, drawn.said)
    return str(table.as_html(request))


def standings_table(request: HttpRequest, tournament: Tournament, said: Mapping[str, Any]) -> StandingsTable:
    """Make the table of a snapshot, filtered as the address asks."""
    ranking = [
        name
        for rank, name in enumerate(tournament.regulation["ranking"])
        if rank < ALWAYS_SHOWN or any(row["values"].get(name) is not None for row in said["rows"])
    ]
    columns: list[tuple[str, tables.Column]] = [
        (name, CriterionColumn(name, rank=rank)) for rank, name in enumerate(ranking)
    ]
    played = [face["number"] for face in said.get("sessions", []) if face["state"] != "planned"]
    if len(played) <= MOST_SESSION_COLUMNS:
        columns += [(f"session_{number}", SessionColumn(number, tournament.slug)) for number in played]
    look = "table standings" + (" with-lines" if len(played) > MOST_SESSION_COLUMNS else "")
    table = StandingsTable(
        _filtered(request, said["rows"]),
        slug=tournament.slug,
        extra_columns=columns,
        attrs={"class": look},
    )
    RequestConfig(request, paginate=False).configure(table)
    return table


def filter_choices(request: HttpRequest, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """List what the standings can be narrowed to; a filter with one choice is none."""
    rows = list(rows)
    labels = {"country": _("Country"), "club": _("Club"), "team": _("Team")}
    found = []
    for name in FILTERS:
        values = sorted({row[name] for row in rows if row[name]}, key=search_key)
        chosen = request.GET.get(name, "")
        if len(values) > 1 or chosen:
            texts = [(value, country_name(value) if name == "country" else value) for value in values]
            found.append({"name": name, "label": labels[name], "values": texts, "chosen": chosen})
    return found


def is_filtered(request: HttpRequest) -> bool:
    """Say whether the address asks for less than everybody."""
    return any(request.GET.get(name) for name in ("q", *FILTERS))


def _filtered(request: HttpRequest, rows: list[Row]) -> list[Row]:
    """Keep the rows that answer the filter."""
    query = search_key(request.GET.get("q", "")[:LONGEST])
    wanted = {name: value for name in FILTERS if (value := request.GET.get(name, "")[:LONGEST])}
    return [
        row
        for row in rows
        if query in search_key(row["name"]) and all(row[name] == value for name, value in wanted.items())
    ]
