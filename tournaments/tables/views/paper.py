"""Protocols on paper: blanks with names and a code for a table or a whole session, and the filled one with its digest."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse

from scoring.systems import SYSTEMS
from tournaments.models import Protocol, Registration, Session, Table, Tournament
from tournaments.models.protocol import InForce
from tournaments.record import history
from tournaments.record.history import Kind
from tournaments.sessions.queries import seated_tables
from tournaments.tables.queries.protocol_rows import ProtocolSheet, account_of, protocol_rows
from tournaments.tables.views.blanks import closing_rows, in_words, lines_of
from tournaments.web.access import link_of, page, pin_of
from tournaments.web.addresses import shared
from tournaments.web.frame import show
from tournaments.web.qr import qr_svg
from tournaments.web.requests import Request


@page("see_desk")
def sheets(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Print a blank protocol for every table. [SBR Appendix 2]"""
    return _blanks(request, tournament, session, list(seated_tables(session)))


@page("see_desk")
def sheet(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Print a blank protocol for one table. [SBR Appendix 2]"""
    return _blanks(request, tournament, session, list(seated_tables(session).filter(pk=table.pk)))


def _blanks(request: Request, tournament: Tournament, session: Session, tables: list[Table]) -> HttpResponse:
    regulation = session.regulation or tournament.regulation
    playing = [table for table in tables if hasattr(table, "protocol")]
    return show(
        request,
        "paper/blanks",
        tournament,
        session=session,
        table=tables[0] if len(tables) == 1 else None,
        form=in_words(tournament.system, regulation["system_rules"]),
        blanks=[_blank(request, tournament, session, table, regulation) for table in playing],
        closing=closing_rows(regulation),
        start_points=regulation["start_points"],
        unit=regulation["points_unit"],
    )


def _blank(
    request: Request, tournament: Tournament, session: Session, table: Table, regulation: dict[str, Any]
) -> dict[str, Any]:
    seats = sorted(table.seats.all(), key=lambda seat: "ESWN".index(seat.wind))
    taken = [seat for seat in seats if seat.player_id and not seat.has_left]
    return {
        "table": table,
        "seats": taken,
        "is_final_only": table.protocol.mode == Protocol.Mode.FINAL_RESULT,
        "has_bets": SYSTEMS[tournament.system].recorded.has_bets,
        "lines": lines_of(tournament.system, regulation, [seat.wind for seat in taken]),
        "due": regulation["start_points"] * len(taken),
        **_code(request, tournament, session, table),
    }


def _code(request: Request, tournament: Tournament, session: Session, table: Table) -> dict[str, Any]:
    """Return the address of the table's public protocol, as text and as a code."""
    at = [tournament.slug, session.number, table.number]
    address = shared(request, reverse("tournaments:protocol", args=at))
    return {"address": address, "qr": qr_svg(address)}


@page("look")
def protocol(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Print the protocol of a table as it stands, with who confirmed it and its digest. [INTEGRITY 1]"""
    row = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    if not session.is_published:
        raise Http404
    rows = protocol_rows(row, with_retired=True)
    last = row.history.order_by("-number").first()
    return show(
        request,
        "paper/protocol",
        tournament,
        session=session,
        table=table,
        protocol=row,
        sheet=_without_undone(rows),
        account=account_of(row, rows.seats),
        entries=row.version,
        last=last,
        signed_off=_signed_off(row),
        **_code(request, tournament, session, table),
    )


@page("manage_people")
def cards(request: Request, tournament: Tournament) -> HttpResponse:
    """Print a card for every player: the code of the private page and, where one is asked, the PIN."""
    active = tournament.registrations.filter(status=Registration.Status.ACTIVE).select_related("player")
    registered = [_card(request, tournament, row) for row in active.order_by("number")]
    pool = (
        [row.player for row in tournament.substitutes.select_related("player")] if tournament.asks_pin else []
    )
    return show(
        request,
        "paper/cards",
        tournament,
        cards=[*registered, *({"player": player, "pin": pin_of(player)} for player in pool)],
    )


def _card(request: Request, tournament: Tournament, row: Registration) -> dict[str, Any]:
    row.tournament = tournament
    own = shared(request, reverse("tournaments:own_page", args=[tournament.slug, link_of(row)]))
    pin = pin_of(row.player) if tournament.asks_pin else ""
    return {"player": row.player, "number": row.number, "qr": qr_svg(own), "pin": pin}


def _without_undone(sheet: ProtocolSheet) -> ProtocolSheet:
    """Leave out hands that the table itself took back at once; hands corrected by a referee stay, struck through."""
    rows = [row for row in sheet.rows if row.hand.status != InForce.UNDONE]
    return ProtocolSheet(sheet.seats, rows, sheet.final)


def _signed_off(protocol: Protocol) -> dict[str, Any] | None:
    """Return when and why a referee signed the protocol off, if one did."""
    if protocol.state != Protocol.State.SIGNED_OFF:
        return None
    entry = protocol.history.filter(kind=Kind.PROTOCOL_SIGNED_OFF).order_by("-number").first()
    return {"at": entry.at, "reason": history.read(entry.content)["reason"]} if entry else None
