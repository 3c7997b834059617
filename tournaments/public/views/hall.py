"""The screen of the hall: seating, the clock, the standings, in turn, as the desk steers it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tournaments.models import HallScreen, Seat, Session, Tournament
from tournaments.models.tournament import OPEN_TO_STRANGERS
from tournaments.people.queries.shared import MOST_EVENTS, of_the_same_organizers
from tournaments.public.forms import HallForm
from tournaments.public.operations import Steering, steer_hall
from tournaments.public.queries.watch import reveal_of
from tournaments.record.receipts import check_key
from tournaments.sessions.queries import current_session, seated_tables
from tournaments.standings.queries.figures import hand_cards
from tournaments.standings.queries.frozen import shown_standings
from tournaments.standings.queries.statistics import event_figures
from tournaments.standings.queries.table import newest_revision, value_text
from tournaments.web.access import page
from tournaments.web.frame import do, done, live_addresses, show, status_of, tried
from tournaments.web.labels import heading_of
from tournaments.web.requests import Request

BOTH = ("GET", "POST")
POST = ("POST",)
PARTS = tuple(HallScreen.Part.values)
MOST_HANDS = 6
TABLES_A_PAGE = 4
ROWS_A_PAGE = 8
"""The screen is read from fifteen metres on a picture two metres wide: a capital letter of a name is at least sixteen minutes of arc
high, so eight lines fill it, and there are more pages rather than smaller letters."""


@dataclass(frozen=True)
class Screenful:
    """What is shown at once, in so many columns, and the first letters of what a list goes from and to."""

    items: Sequence[Any]
    columns: int = 1
    letters: str = ""


@page("look", keeps_freeze=True)
def screen(request: Request, tournament: Tournament) -> HttpResponse:
    """Show what the desk chose, in turn; a second screen may be kept to one part by its address.

    An address that names another event shows both in turn, each as its own desk steers it. [RULES 9.41]
    """
    beside = _beside(tournament, request.GET.get("with", ""))
    session = current_session(tournament)
    steered = HallScreen.of(tournament)
    part = request.GET.get("show", "")
    parts = [part] if part in PARTS else list(steered.parts)
    return show(
        request,
        "hall/screen",
        tournament,
        session=session,
        is_open=bool(session and session.state == Session.State.OPEN),
        has_clock="clock" in parts,
        seating=_seating(session) if "seating" in parts else [],
        names=_names(session) if "seating" in parts else [],
        criteria=[heading_of(name) for name in tournament.regulation["ranking"][:2]],
        standings=_standings(tournament) if "standings" in parts else [],
        hands=_hands(tournament, session) if "hands" in parts and session else [],
        reveal=reveal_of(tournament) if tournament.is_revealing and not part else None,
        steered=steered,
        revision=newest_revision(tournament),
        beside=beside,
        beside_live=live_addresses(beside) if beside else {},
        **live_addresses(tournament),
    )


def _beside(tournament: Tournament, slug: str) -> Tournament | None:
    """Return the event whose hall takes turns with this one; 404 for one that strangers do not see."""
    if not slug:
        return None
    return get_object_or_404(
        Tournament.objects.filter(OPEN_TO_STRANGERS).exclude(pk=tournament.pk), slug=slug
    )


def _seating(session: Session | None) -> list[Screenful]:
    """Show who sits where until the session is closed."""
    if session is None or session.state == Session.State.CLOSED:
        return []
    return _of_tables(list(seated_tables(session).exclude(protocol=None)))


def _names(session: Session | None) -> list[Screenful]:
    """List who sits where by the alphabet, for whoever looks for a table and knows the own name."""
    if session is None or session.state == Session.State.CLOSED:
        return []
    seats = session.seats.filter(table__protocol__isnull=False).select_related("table", "player", "kept_for")
    rows = sorted(seats, key=lambda seat: seat.occupant.search_key)
    return [Screenful(items, 2, _letters(items)) for items in _parts(rows, 2 * ROWS_A_PAGE)]


def _letters(seats: Sequence[Seat]) -> str:
    """Return the first letters of the first and of the last name."""
    ends = [str(seat.occupant)[:1].upper() for seat in (seats[0], seats[-1])]
    return " – ".join(dict.fromkeys(ends))


def _standings(tournament: Tournament) -> list[Screenful]:
    """Show the standings once a session has begun; before that everybody would be first with nothing."""
    if not tournament.sessions.exclude(state=Session.State.PLANNED).exists():
        return []
    return _of_rows(_lines(tournament, tournament.regulation["ranking"][:2]))


def _hands(tournament: Tournament, session: Session) -> list[Any]:
    """Return the best hands of the session that matters now."""
    if tournament.hides_session(session.number):
        return []
    figures = event_figures(tournament).sessions.get(session.number)
    return hand_cards(tournament, figures.best[:MOST_HANDS]) if figures else []


@page("run_sessions", methods=BOTH)
def desk(request: Request, tournament: Tournament) -> HttpResponse:
    """Choose what the screens show and what the hall is told."""
    steered = HallScreen.of(tournament)
    form = HallForm(request.POST or None, initial=HallForm.of(steered))
    if tried(form, lambda: steer_hall(tournament, form.steering(), by=request.actor)):
        return done(
            request, _("The screens follow within two seconds."), "tournaments:hall_desk", tournament.slug
        )
    return show(
        request,
        "organizer/hall",
        tournament,
        form=form,
        steered=steered,
        ways=[(part.value, part.label) for part in HallScreen.Part],
        beside=of_the_same_organizers(tournament).filter(OPEN_TO_STRANGERS)[:MOST_EVENTS],
        status=status_of(form),
    )


STEPS = {"back": Steering(turn=-1), "next": Steering(turn=1)}
STEPS |= {"hold": Steering(is_held=True), "go_on": Steering(is_held=False), "quiet": Steering(message="")}


@page("run_sessions", methods=POST)
def steer(request: Request, tournament: Tournament) -> HttpResponse:
    """Turn a page, hold or go on, take the message down: one tap each."""
    steering = STEPS.get(request.POST.get("step", ""))
    if steering is None:
        return redirect("tournaments:hall_desk", tournament.slug)

    def work() -> HallScreen:
        key = check_key(request.POST.get("key", ""))
        return steer_hall(tournament, steering, by=request.actor, key=key)

    return do(
        request,
        work,
        _("The screens follow within two seconds."),
        "tournaments:hall_desk",
        tournament.slug,
    )


def _lines(tournament: Tournament, criteria: Sequence[str]) -> list[dict[str, Any]]:
    """List the standings with the values that decide first, written as everywhere else."""
    rows = shown_standings(tournament)
    return [
        {"row": row, "values": [value_text(name, row.values.get(name)) for name in criteria]} for row in rows
    ]


def _of_tables(tables: Sequence[Any]) -> list[Screenful]:
    """Share tables out over screens that can be read from the far end."""
    return [Screenful(items, min(2, len(items))) for items in _parts(tables, TABLES_A_PAGE)]


def _of_rows(rows: Sequence[Any]) -> list[Screenful]:
    """Share the standings out over screens of one column, whose names are whole."""
    return [Screenful(items) for items in _parts(rows, ROWS_A_PAGE)]


def _parts(items: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """Cut a list into parts of one length, the last one shorter: a line has one height on all pages."""
    return [items[start : start + most] for start in range(0, len(items), most)]
