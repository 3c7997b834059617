"""What everybody may see, on a phone, without an account."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from tournaments.models import (
    Adjustment,
    Protocol,
    Registration,
    Role,
    Seat,
    Session,
    Standing,
    Table,
    Tournament,
)
from tournaments.people.forms import RegisterForm
from tournaments.people.operations import registration as operations
from tournaments.people.queries.events import finished_tournaments, visible_tournaments
from tournaments.people.queries.persons import SEEN, keys_of
from tournaments.people.queries.places import quotas_of, why_waiting
from tournaments.people.rules.names import search_key
from tournaments.people.rules.spelling import answers
from tournaments.record import draws
from tournaments.record.receipts import key_of_words
from tournaments.record.refusal import say
from tournaments.sessions.queries import current_session, seated_tables
from tournaments.standings.queries.chances import needs_of
from tournaments.standings.queries.figures import player_figures
from tournaments.standings.queries.frozen import frozen_at, shown_standing, shown_standings
from tournaments.standings.queries.gaps import ahead_of
from tournaments.standings.queries.table import newest_revision, newest_snapshot, true_snapshot, value_text
from tournaments.tables.queries.protocol_rows import account_of, protocol_rows
from tournaments.web import rates
from tournaments.web.access import link_of, page, sees_frozen
from tournaments.web.addresses import shared
from tournaments.web.callers import spend
from tournaments.web.frame import done, form_key, live_addresses, may, show, status_of, tried
from tournaments.web.labels import heading_of, regulation_in_words
from tournaments.web.paging import order_of, words_of
from tournaments.web.requests import Request
from tournaments.web.sharing import event_data

BOTH = ("GET", "POST")
MOST_FINISHED = 6
MOST_FOUND = 50
STATUS = Registration.Status
Listing = Tournament.Listing
SORTS = {
    "number": "number",
    "name": "player__search_key",
    "country": "player__country",
    "city": "player__city",
}
SHOWN = (STATUS.ACTIVE, STATUS.WAITING, STATUS.WITHDRAWN, STATUS.REMOVED, STATUS.DISQUALIFIED)


@page("look")
def home(request: Request) -> HttpResponse:
    """List the events: those in play, those to come from the next one on, the latest of the archive."""
    user_id = request.user.pk if request.user.is_authenticated else None
    states = Tournament.State
    visible = visible_tournaments(user_id).exclude(listing__in=(Listing.ARCHIVED, Listing.DELETED))
    tournaments = list(visible.exclude(state=states.CLOSED))
    finished = list(finished_tournaments().exclude(listing=Listing.ARCHIVED)[: MOST_FINISHED + 1])
    now = timezone.now()
    to_come = [t for t in reversed(tournaments) if t.state == states.ANNOUNCED]
    groups = [
        (pgettext("events", "In play"), [t for t in tournaments if t.state == states.RUNNING]),
        (_("Registration is open"), [t for t in to_come if _is_open(t, now)]),
        (pgettext("events", "Coming up"), [t for t in to_come if not _is_open(t, now)]),
        (
            pgettext("events", "Cancelled"),
            [t for t in reversed(tournaments) if t.is_cancelled and not _is_past(t, now)],
        ),
        (_("Drafts"), [t for t in tournaments if t.state == states.DRAFT]),
        (pgettext("events", "Finished"), finished[:MOST_FINISHED]),
    ]
    return render(
        request,
        "tournaments/public/home.html",
        {
            "groups": [group for group in groups if group[1]],
            "is_archive_longer": len(finished) > MOST_FINISHED,
        },
    )


@page("look", is_shared=True, keeps_freeze=True)
def event(request: Request, tournament: Tournament) -> HttpResponse:
    """Show what the event is, when, where, by which regulation, and what happens now."""
    registrations = tournament.registrations
    now = timezone.now()
    return show(
        request,
        "public/event",
        tournament,
        session=current_session(tournament),
        sessions=_timetable(tournament),
        active=tournament.standings.filter(place__isnull=False).count()
        if tournament.state == Tournament.State.CLOSED
        else registrations.filter(status=STATUS.ACTIVE).count(),
        waiting=registrations.filter(status=STATUS.WAITING).count(),
        sentences=regulation_in_words(tournament),
        is_registration_open=_is_open(tournament, now),
        opens_later=_opens_later(tournament, now),
        leaders=_leaders(tournament, sees_all=sees_frozen(request.actor)),
        chief_referees=_chief_referees(tournament),
        public_url=shared(request, tournament.get_absolute_url()),
        revision=newest_revision(tournament),
        event_data=event_data(
            tournament,
            url=request.build_absolute_uri(tournament.get_absolute_url()),
            site=request.build_absolute_uri("/"),
            picture=request.build_absolute_uri(reverse("tournaments:event_picture", args=[tournament.slug])),
        ),
        **live_addresses(tournament),
    )


def _is_past(tournament: Tournament, now: datetime) -> bool:
    """Return whether the days of an event are over where it takes place."""
    return tournament.last_day < now.astimezone(tournament.zone).date()


def _chief_referees(tournament: Tournament) -> list[str]:
    """Name the chief referee, as the regulation of an event does. [RIICHI reg. 5.1]"""
    language = get_language() or "en"
    rows = tournament.roles.filter(kind=Role.Kind.CHIEF_REFEREE).select_related("user", "player")
    names = (row.printed(language) for row in rows.order_by("pk"))
    return list(dict.fromkeys(filter(None, names)))


def _timetable(tournament: Tournament) -> list[Session]:
    """List the sessions; once the event is over, those that were never seated are no plan any more."""
    sessions = tournament.sessions.order_by("number")
    return [row for row in sessions if row.is_published or tournament.state != Tournament.State.CLOSED]


def _leaders(tournament: Tournament, *, sees_all: bool) -> list[dict[str, Any]]:
    """Return the first three with what puts them there, as far as strangers may know."""
    criterion = tournament.regulation["ranking"][0]
    if sees_all or not tournament.is_frozen:
        rows = list(tournament.standings.filter(place__lte=3).select_related("player__registration")[:3])
    else:
        rows = [row for row in shown_standings(tournament) if row.place and row.place <= 3][:3]
    return [
        {"standing": row, "value": row.values.get(criterion), "criterion": heading_of(criterion)}
        for row in rows
    ]


@page("look", is_shared=True, keeps_freeze=True)
def regulation(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the whole regulation in plain words."""
    return show(
        request,
        "public/regulation",
        tournament,
        sentences=regulation_in_words(tournament),
    )


@page("register", methods=BOTH)
def register(request: Request, tournament: Tournament) -> HttpResponse:
    """Let a player register without an account; the answer is a private page to keep."""
    form = RegisterForm(request.POST or None, tournament=tournament)
    added = tried(form, lambda: _register(request, tournament, form))
    if added:
        return done(request, _registered(added), "tournaments:own_page", tournament.slug, link_of(added))
    active = tournament.registrations.filter(status=STATUS.ACTIVE).count()
    limit = tournament.regulation["max_players"]
    return show(
        request,
        "public/register",
        tournament,
        form=form,
        is_open=_is_open(tournament, timezone.now()),
        opens_later=_opens_later(tournament, timezone.now()),
        is_full=limit is not None and active >= limit,
        limit=limit,
        quotas=quotas_of(tournament),
        status=status_of(form),
    )


def _registered(added: Registration) -> str:
    """Say whether a player has a place, and why not."""
    if added.status == STATUS.ACTIVE:
        return _("You are registered. Keep the address of this page: it is yours alone.")
    if added.status != STATUS.WAITING:
        return _("You were registered and are off the list now.")
    why = why_waiting(added)
    if why is not None and why.code == "quota_full":
        return _("%(why)s You are on the waiting list. Keep the address of this page.") % {"why": say(why)}
    return _("All places are taken; you are on the waiting list. Keep the address of this page.")


def _register(request: Request, tournament: Tournament, form: RegisterForm) -> Registration:
    """Register once, however often the same words of a form are sent; other words are another person. [INTEGRITY 2]"""
    spend(request, rates.REGISTER)
    details, is_another = form.details(), form.cleaned_data.get("is_another", False)
    said = operations.said_of(details, is_another=is_another)
    key = key_of_words(form_key(request), said)
    return operations.register_player(tournament, details, by=request.actor, is_another=is_another, key=key)


@page("look", is_shared=True, keeps_freeze=True)
def players(request: Request, tournament: Tournament) -> HttpResponse:
    """List who takes part."""
    sort = order_of(request.GET, SORTS)
    rows = list(
        tournament.registrations.filter(status__in=SHOWN)
        .select_related("player__team")
        .order_by(SORTS[sort], "player__search_key", "number")
    )
    return show(
        request,
        "public/players",
        tournament,
        rows=rows,
        sort=sort,
        active=sum(1 for row in rows if row.status == STATUS.ACTIVE),
        with_country=any(row.player.country for row in rows),
        with_city=any(row.player.city for row in rows),
        with_club=any(row.player.club for row in rows),
        with_team=any(row.player.team_id for row in rows),
        with_status=any(row.status != STATUS.ACTIVE for row in rows),
        is_registration_open=_is_open(tournament, timezone.now()),
    )


@page("look", reading=rates.SEARCH, keeps_freeze=True)
def find(request: Request, tournament: Tournament) -> HttpResponse:
    """Find a player by a part of the name or by the number."""
    query = words_of(request.GET)
    rows: list[Registration] = []
    if search_key(query):
        number = int(query) if query.isascii() and query.isdigit() and len(query) <= 6 else None
        known = tournament.registrations.filter(status__in=SHOWN).select_related("player")
        rows = [
            row
            for row in known.order_by("player__search_key")
            if row.number == number or answers(query, row.player.name)
        ][:MOST_FOUND]
    return show(request, "public/find", tournament, query=query, rows=rows)


@page("look", is_shared=True, keeps_freeze=True)
def player(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Show a player: where now, session by session, the place."""
    row = get_object_or_404(
        Registration.objects.select_related("player__team"),
        tournament=tournament,
        number=number,
        status__in=SHOWN,
    )
    return show(
        request,
        "public/player",
        tournament,
        **player_context(tournament, row, sees_all=sees_frozen(request.actor)),
        share_url=request.build_absolute_uri(),
    )


def player_context(
    tournament: Tournament, registration: Registration, *, sees_all: bool = False
) -> dict[str, Any]:
    """Gather what is public about a player; those who work at the event see the true place while it is frozen."""
    session = current_session(tournament)
    said = true_snapshot(tournament) if sees_all else newest_snapshot(tournament)
    seats = list(
        Seat.objects.filter(
            Q(player=registration.player) | Q(kept_for=registration.player),
            session__tournament=tournament,
            session__published_at__isnull=False,
        )
        .select_related("session", "table__protocol", "player")
        .order_by("session__number")
    )
    for seat in seats:
        seat.session.tournament = tournament
    standing = shown_standing(tournament, registration.number, sees_all=sees_all)
    results = {result["session"]: result for result in standing.results} if standing else {}
    now_at = next((seat for seat in seats if session and seat.session_id == session.pk), None)
    return {
        "registration": registration,
        "has_career": bool(keys_of(registration.player.federation_ids)) and registration.status in SEEN,
        "session": session,
        "seat": None if session and session.state == Session.State.CLOSED else now_at,
        "seats": list(now_at.table.seats.select_related("player", "kept_for").in_order()) if now_at else [],
        "lines": [{"seat": seat, "result": results.get(seat.session.number)} for seat in seats],
        "standing": standing,
        "taking_part": tournament.standings.exclude(place=None).count() if standing else 0,
        "criteria": _criteria(tournament, standing) if standing else [],
        "adjustments": _adjustments(tournament, registration, sees_all=sees_all),
        "ahead": ahead_of(tournament, said, registration.number),
        **_to_come(tournament, session, registration, said, is_open=sees_all or not tournament.is_frozen),
        **player_figures(tournament, registration, standing, said, sees_all=sees_all),
        "is_session_hidden": bool(session and tournament.hides_session(session.number)) and not sees_all,
        "revision": said["revision"],
        **live_addresses(tournament),
    }


def _to_come(
    tournament: Tournament,
    session: Session | None,
    registration: Registration,
    said: Mapping[str, Any],
    *,
    is_open: bool,
) -> dict[str, Any]:
    """Tell whether games can still move places, and what a player needs in the last session where nothing hides it."""
    return {
        "has_games_left": _has_games_left(tournament, session),
        "needs": _needs(tournament, session, registration, said) if is_open else [],
    }


def _has_games_left(tournament: Tournament, session: Session | None) -> bool:
    """Return whether games can still move places: until the last session is closed."""
    if tournament.state != Tournament.State.RUNNING:
        return False
    is_over = session is not None and session.state == Session.State.CLOSED
    return session is None or not is_over or session.number < tournament.regulation["sessions"]


def _needs(
    tournament: Tournament, session: Session | None, registration: Registration, said: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """List what a player needs, once the last session is seated and until it is over."""
    is_last = session is not None and session.number >= tournament.regulation["sessions"]
    if not is_last or tournament.state != Tournament.State.RUNNING:
        return []
    return needs_of(tournament, registration.number, said["rows"])


def _criteria(tournament: Tournament, standing: Standing) -> list[tuple[Any, Any]]:
    """List the criteria of the ranking in which the player has a value, each written as in the standings."""
    values = ((name, standing.values.get(name)) for name in tournament.regulation["ranking"])
    return [(heading_of(name), value_text(name, value)) for name, value in values if value is not None]


def _adjustments(tournament: Tournament, registration: Registration, *, sees_all: bool) -> list[Adjustment]:
    """List the lines on the player's account that no hand produced and that still count, but for those hidden by a freeze."""
    rows = tournament.adjustments.filter(player=registration.player, reversed_at=None)
    if tournament.is_frozen and not sees_all:
        rows = rows.filter(posted_at__lte=frozen_at(tournament))
    return list(rows.select_related("session"))


@page("look", is_shared=True, keeps_freeze=True)
def seating(request: Request, tournament: Tournament) -> HttpResponse:
    """Show the seating of the session that matters now."""
    session = current_session(tournament)
    if session is None:
        revision = newest_revision(tournament)
        return show(request, "public/no_seating", tournament, revision=revision, **live_addresses(tournament))
    return _session(request, tournament, session)


@page("look", is_shared=True, keeps_freeze=True)
def session(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Show the seating of one session."""
    if not session.is_published:
        raise Http404
    return _session(request, tournament, session)


def _session(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    by_name = request.GET.get("by") == "name"
    return show(
        request,
        "public/session",
        tournament,
        session=session,
        sessions=tournament.sessions.filter(published_at__isnull=False),
        by_name=by_name,
        tables=[] if by_name else seated_tables(session).exclude(protocol=None),
        people=_seats_by_name(session) if by_name else [],
        off=_without_a_game(tournament, session),
        has_proof=draws.has_proof(session),
        is_hidden=tournament.hides_session(session.number) and not sees_frozen(request.actor),
        revision=newest_revision(tournament),
        **live_addresses(tournament),
    )


def _seats_by_name(session: Session) -> list[Seat]:
    """List everybody seated, in the order of the alphabet."""
    seats = session.seats.filter(table__protocol__isnull=False).select_related(
        "table", "player__registration", "kept_for__registration"
    )
    return sorted(seats, key=lambda seat: seat.occupant.search_key)


def _without_a_game(tournament: Tournament, session: Session) -> list[Registration]:
    """List who takes part and has no game in a session that is not over."""
    stages = tournament.regulation["stages"]
    is_after_a_cut = any(stage["cut"] and stage["from_session"] <= session.number for stage in stages)
    if session.state == Session.State.CLOSED or is_after_a_cut:
        return []
    seated = session.seats.filter(table__protocol__isnull=False).values_list("player_id", "kept_for_id")
    placed = {person for pair in seated for person in pair}
    rows = tournament.registrations.filter(status=STATUS.ACTIVE, first_session__lte=session.number)
    return [row for row in rows.select_related("player") if row.player_id not in placed]


@page("look", keeps_freeze=True)
def table_now(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Lead from the card that stands on a table to its protocol in the session of now; the staff to the desk's page of it.

    Between sessions, and where the table is not played at, it leads to the seating.
    """
    session = current_session(tournament)
    if session is None or not session.tables.filter(number=number, protocol__isnull=False).exists():
        return redirect("tournaments:seating", tournament.slug)
    page_of_it = "tournaments:table_desk" if may(request, "see_desk") else "tournaments:protocol"
    return redirect(page_of_it, tournament.slug, session.number, number)


@page("look", is_shared=True)
def protocol(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Show the protocol of a table, hand by hand."""
    row = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    if not session.is_published:
        raise Http404
    numbers = list(session.tables.order_by("number").values_list("number", flat=True))
    at = numbers.index(table.number)
    sheet = protocol_rows(row)
    return show(
        request,
        "public/protocol",
        tournament,
        session=session,
        table=table,
        protocol=row,
        sheet=sheet,
        account=account_of(row, sheet.seats),
        before=numbers[at - 1] if at else None,
        after=numbers[at + 1] if at + 1 < len(numbers) else None,
        corrected=row.hands.exclude(status="in_force").exclude(status="undone").exists(),
        head=row.history.order_by("-number").values_list("digest", flat=True).first() or "",
        revision=newest_revision(tournament),
        **live_addresses(tournament),
    )


def _is_open(tournament: Tournament, now: Any) -> bool:
    opens, closes = tournament.registration_opens_at, tournament.registration_closes_at
    return (
        tournament.state == Tournament.State.ANNOUNCED
        and (opens is None or opens <= now)
        and (closes is None or now < closes)
    )


def _opens_later(tournament: Tournament, now: Any) -> bool:
    return bool(tournament.registration_opens_at and now < tournament.registration_opens_at)
