"""What the API answers: read in a few queries, from the snapshot where there is one, public and published things only."""

from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from django.db.models import F, Q
from django.http import Http404, QueryDict
from django.urls import reverse

from scoring.systems import SYSTEMS
from tournaments.api.shapes import (
    AccountLine,
    ChainHead,
    Checkpoint,
    FinalFact,
    GroupRow,
    GroupTable,
    HandFact,
    History,
    Index,
    PageFacts,
    PlayerFace,
    PlayerList,
    PlayerResult,
    PlayerSeat,
    PlayerWhole,
    SeatFact,
    SessionFace,
    SessionList,
    SessionWhole,
    StandingRow,
    Standings,
    TableFace,
    TableWhole,
    TournamentFace,
    TournamentList,
    TournamentWhole,
)
from tournaments.models import (
    HistoryEntry,
    Player,
    Protocol,
    Registration,
    Seat,
    Session,
    Table,
    Tournament,
)
from tournaments.models.protocol import InForce
from tournaments.models.tournament import IN_LISTS
from tournaments.people.queries.events import taking_part
from tournaments.people.rules.names import search_key
from tournaments.record import history as chain
from tournaments.sessions.queries import seated_tables
from tournaments.standings.queries.frozen import frozen_at, shown_standing
from tournaments.standings.queries.table import newest_snapshot
from tournaments.table_numbers import shown_number
from tournaments.web.paging import Page, choice_of, order_of, page_of, words_of

VERSION = 1
STATUS = Registration.Status
SHOWN = (STATUS.ACTIVE, STATUS.WAITING, STATUS.WITHDRAWN, STATUS.REMOVED, STATUS.DISQUALIFIED)
STATES = ("announced", "running", "closed")
TOURNAMENT_ORDERS = {"-first_day": "-first_day", "first_day": "first_day", "name": "name"}
PLAYER_ORDERS = {"number": "number", "name": "player__search_key", "country": "player__country"}
STANDING_ORDERS = {"place": None, "name": None, "number": None}
MOST_NUMBER = 10**6
WINDS = "ESWN"


def index(query: QueryDict) -> Index:
    """Return where to begin."""
    return Index(
        name="Four Winds",
        version=VERSION,
        tournaments=reverse("tournaments:public_api_tournaments"),
        openapi=reverse("tournaments:public_api_openapi"),
        documentation=reverse("tournaments:public_api_docs"),
    )


# Events


def tournaments(query: QueryDict) -> TournamentList:
    """List the public events."""
    rows = Tournament.objects.filter(IN_LISTS)
    if state := choice_of(query, "state", STATES):
        rows = rows.filter(state=state)
    if system := choice_of(query, "system", tuple(SYSTEMS)):
        rows = rows.filter(system=system)
    if words := search_key(words_of(query)):
        texts = rows.values_list("pk", "name", "city")
        rows = rows.filter(pk__in=[pk for pk, *said in texts if words in search_key(" ".join(said))])
    page = page_of(query, rows.count(), may_choose=True)
    order = TOURNAMENT_ORDERS[order_of(query, TOURNAMENT_ORDERS, name="order_by")]
    found = rows.annotate(player_count=taking_part()).order_by(order, "-pk")[page.of]
    return TournamentList(_page(page), [_tournament(row, row.player_count) for row in found])


def tournament(query: QueryDict, tournament: Tournament) -> TournamentWhole:
    """Return an event whole."""
    active = tournament.registrations.filter(status=STATUS.ACTIVE).count()
    return TournamentWhole(
        tournament=_tournament(tournament, active),
        description=tournament.description,
        currency=tournament.currency,
        preset=tournament.preset,
        registration_opens_at=_instant(tournament.registration_opens_at),
        registration_closes_at=_instant(tournament.registration_closes_at),
        regulation=tournament.regulation,
        sessions=_sessions(tournament),
        revision=newest_snapshot(tournament)["revision"],
    )


def _tournament(row: Tournament, players: int) -> TournamentFace:
    return TournamentFace(
        slug=row.slug,
        name=row.name,
        system=row.system,
        state=row.state,
        first_day=row.first_day.isoformat(),
        last_day=row.last_day.isoformat(),
        city=row.city,
        venue=row.venue,
        time_zone=row.time_zone,
        cancel_reason=row.cancel_reason,
        players=players,
        url=reverse("tournaments:public_api_tournament", args=[row.slug]),
        page=row.get_absolute_url(),
    )


# Players


def players(query: QueryDict, tournament: Tournament) -> PlayerList:
    """List who takes part, waits, or has left."""
    rows = tournament.registrations.filter(status__in=SHOWN)
    if status := choice_of(query, "status", SHOWN):
        rows = rows.filter(status=status)
    if words := search_key(words_of(query)):
        rows = rows.filter(player__search_key__contains=words)
    order = PLAYER_ORDERS[order_of(query, PLAYER_ORDERS, name="order_by")]
    page = page_of(query, rows.count(), may_choose=True)
    found = rows.select_related("player__team").order_by(order, "number")[page.of]
    return PlayerList(_page(page), [_player(row) for row in found])


def player(query: QueryDict, tournament: Tournament, number: int) -> PlayerWhole:
    """Return a player with seats, results and place."""
    rows = tournament.registrations.filter(status__in=SHOWN).select_related("player__team")
    row = rows.filter(number=number).first() if number < MOST_NUMBER else None
    if row is None:
        raise Http404
    standing = shown_standing(tournament, row.number)
    seats = (
        Seat.objects.filter(
            Q(player=row.player) | Q(kept_for=row.player),
            session__tournament=tournament,
            session__published_at__isnull=False,
        )
        .select_related("session", "table")
        .order_by("session__number")
    )
    lines = tournament.adjustments.filter(player=row.player, reversed_at=None).select_related("session")
    if tournament.is_frozen:
        lines = lines.filter(posted_at__lte=frozen_at(tournament))
    return PlayerWhole(
        player=_player(row),
        seats=[_player_seat(seat, of=row.player) for seat in seats],
        results=[_result(one) for one in standing.results] if standing else [],
        account=[
            AccountLine(
                session=line.session.number if line.session else None,
                origin=line.origin,
                game_points=line.game_points,
                tournament_points=line.tournament_points or None,
                reason=line.reason,
            )
            for line in lines.order_by("pk")
        ],
        place=standing.place if standing else None,
        values=_values(standing.values) if standing else {},
    )


def _player(row: Registration) -> PlayerFace:
    player = row.player
    return PlayerFace(
        number=row.number,
        name=player.name or None,
        country=player.country,
        region=player.region,
        city=player.city,
        club=player.club,
        team=player.team.name if player.team else "",
        group=player.group,
        ema_number=player.federation_ids.get("EMA", ""),
        status=row.status,
        first_session=row.first_session,
        last_session=row.last_session,
    )


def _result(said: Mapping[str, Any]) -> PlayerResult:
    return PlayerResult(
        session=said["session"],
        table=said["table"],
        game_points=_exact(said["game_points"]),
        tournament_points=_exact(said["tournament_points"]),
        place=_exact(said["place"]),
        kind=said["kind"],
    )


# Standings


def standings(query: QueryDict, tournament: Tournament) -> Standings:
    """Return the standings of the newest snapshot, narrowed and sorted."""
    said = newest_snapshot(tournament)
    rows = list(said["rows"])
    for name in ("country", "club", "team"):
        if wanted := choice_of(query, name, {row[name] for row in rows}):
            rows = [row for row in rows if row[name] == wanted]
    if words := search_key(words_of(query)):
        rows = [row for row in rows if words in search_key(row["name"])]
    order = order_of(query, STANDING_ORDERS, name="order_by")
    if order != "place":
        rows.sort(key=lambda row: search_key(row["name"]) if order == "name" else row["number"])
    page = page_of(query, len(rows), may_choose=True)
    return Standings(
        page=_page(page),
        revision=said["revision"],
        provisional=bool(said.get("provisional")),
        frozen_after=said["frozen"]["after"] if "frozen" in said else None,
        ranking=list(tournament.regulation["ranking"]),
        rows=[_row(row) for row in rows[page.of]],
        groups=[
            GroupTable(table["by"], [_group(row) for row in table["rows"]])
            for table in said.get("groups", ())
        ],
    )


def _row(row: Mapping[str, Any]) -> StandingRow:
    return StandingRow(
        place=row["place"],
        shared=row["shared"],
        number=row["number"],
        name=row["name"],
        country=row["country"],
        club=row["club"],
        team=row["team"],
        decided_by=row.get("decided_by") or "",
        values=_values(row["values"]),
    )


def _group(row: Mapping[str, Any]) -> GroupRow:
    return GroupRow(row["place"], row["shared"], row["name"], list(row["members"]), _values(row["values"]))


# Sessions and tables


def sessions(query: QueryDict, tournament: Tournament) -> SessionList:
    """List the sessions."""
    return SessionList(_sessions(tournament))


def session(query: QueryDict, tournament: Tournament, session: Session) -> SessionWhole:
    """Return a session with its seating."""
    _check_published(session)
    return SessionWhole(
        session=_session(session),
        seating_mode=session.seating_mode,
        seed=session.seed,
        method=session.method,
        tables=[
            _table(table, is_hidden=tournament.hides_session(session.number))
            for table in seated_tables(session)
        ],
    )


def table(query: QueryDict, tournament: Tournament, session: Session, table: Table) -> TableWhole:
    """Return the protocol of a table, hand by hand."""
    _check_published(session)
    row = seated_tables(session).get(pk=table.pk)
    protocol = getattr(row, "protocol", None)
    if protocol is None:
        raise Http404
    final = protocol.final_results.filter(status=InForce.IN_FORCE).first()
    hands = protocol.hands.filter(status=InForce.IN_FORCE).order_by("number")
    return TableWhole(
        session=session.number,
        table=_table(row),
        mode=protocol.mode,
        entries=protocol.version,
        head=_digest(protocol.history.order_by("-number").values_list("digest", flat=True).first()),
        hands=[
            HandFact(
                number=hand.number,
                round=hand.round_wind,
                dealer=hand.dealer,
                counters=hand.counters,
                facts=hand.facts,
                payments=hand.payments,
                unpaid=hand.unpaid,
                recorded_at=str(_instant(hand.recorded_at)),
            )
            for hand in hands
        ],
        final=FinalFact(final.points, final.left_on_table) if final else None,
    )


def _check_published(session: Session) -> None:
    """Answer 404 for what is not published."""
    if not session.is_published:
        raise Http404


def _sessions(tournament: Tournament) -> list[SessionFace]:
    rows = list(tournament.sessions.order_by("number"))
    for row in rows:
        row.tournament = tournament
    return [_session(row) for row in rows]


def _session(row: Session) -> SessionFace:
    return SessionFace(
        number=row.number,
        state=row.state,
        published=row.is_published,
        planned_at=_instant(row.planned_at),
        started_at=_instant(row.started_at),
        ended_at=_instant(row.ended_at),
        minutes=row.minutes,
        checkpoint=row.checkpoint,
    )


def _player_seat(seat: Seat, *, of: Player) -> PlayerSeat:
    return PlayerSeat(
        session=seat.session.number,
        table=seat.table.number,
        label=shown_number(seat.table.number),
        wind=seat.wind,
        replaced=seat.player_id != of.pk,
    )


def _table(table: Table, *, is_hidden: bool = False) -> TableFace:
    seats = sorted(table.seats.all(), key=lambda seat: WINDS.index(seat.wind))
    protocol: Protocol | None = getattr(table, "protocol", None)
    return TableFace(
        number=table.number,
        label=shown_number(table.number),
        state=protocol.state if protocol else None,
        seats=[_seat(seat, is_hidden=is_hidden) for seat in seats],
    )


def _seat(seat: Seat, *, is_hidden: bool) -> SeatFact:
    return SeatFact(
        wind=seat.wind,
        number=_number(seat.player),
        name=(seat.player.name or None) if seat.player else None,
        kept_for=_number(seat.kept_for),
        from_hand=seat.from_hand,
        left_after=seat.left_after,
        points=None if is_hidden else seat.hand_points,
        confirmed=seat.confirmed_at is not None,
    )


def _number(player: Any) -> int | None:
    registration = getattr(player, "registration", None)
    return registration.number if registration else None


# History


def history(query: QueryDict, tournament: Tournament) -> History:
    """Return the heads of all chains: one query for all protocols of a page."""
    heads = (
        HistoryEntry.objects.filter(
            tournament=tournament,
            protocol__table__session__published_at__isnull=False,
            number=F("protocol__version"),
        )
        .order_by("protocol__table__session__number", "protocol__table__number")
        .values_list("protocol__table__session__number", "protocol__table__number", "number", "digest")
    )
    page = page_of(query, heads.count(), size=100, may_choose=True)
    closed = tournament.sessions.exclude(checkpoint="").order_by("number")
    return History(
        page=_page(page),
        entries=tournament.entries,
        head=_digest(chain.head(tournament)),
        checkpoints=[Checkpoint(*row) for row in closed.values_list("number", "checkpoint")],
        protocols=[ChainHead(*row) for row in heads[page.of]],
    )


# Plain values


def _page(page: Page) -> PageFacts:
    return PageFacts(page.number, page.size, page.count, page.total)


def _values(said: Mapping[str, Any]) -> dict[str, str | None]:
    return {name: _exact(value) for name, value in said.items()}


def _exact(value: Any) -> str | None:
    """Write a number exactly, always as a text."""
    return None if value is None else str(Fraction(value))


def _instant(moment: datetime | None) -> str | None:
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='seconds')}Z" if moment else None


def _digest(digest: str | None) -> str:
    return "" if digest in (None, chain.GENESIS) else str(digest)
