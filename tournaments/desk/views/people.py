"""The people of an event: the list, adding, pasting, changing, and the door."""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_tables2 import RequestConfig

from scoring.problems import Problem
from tournaments.desk.tables import PeopleTable
from tournaments.models import Registration, Tournament
from tournaments.people.forms import PasteForm, PlayerForm
from tournaments.people.operations import registration as operations
from tournaments.people.operations.importing import DETAILS, country_codes
from tournaments.people.queries.barred import barred_here
from tournaments.people.queries.directory import Known, remembered
from tournaments.people.queries.places import quota_sentence, why_waiting, will_wait
from tournaments.people.rules.checkin import headcount
from tournaments.people.rules.names import search_key
from tournaments.people.rules.pasted import PastedRow, are_swapped, read_pasted
from tournaments.people.rules.questions import FIELD
from tournaments.person_fields import federation_ids
from tournaments.privacy.queries import open_requests
from tournaments.record.receipts import check_key, known
from tournaments.record.refusal import Refused, say, sentences
from tournaments.web.access import link_of, page
from tournaments.web.addresses import shared
from tournaments.web.forms import countries
from tournaments.web.frame import do, done, followed, form_key, may, show, status_of, tried, tried_as_seen
from tournaments.web.qr import qr_svg
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

BOTH = ("GET", "POST")
MOST_AT_ONCE, LONGEST_NUMBER = 2000, 8
POST = ("POST",)
STATUS = Registration.Status
MISSING, UNPAID = "missing", "unpaid"
ON_A_PAGE = 100
MOST_KNOWN = 10
JUST_LEFT, MOST_JUST_LEFT = timedelta(minutes=15), 5


@page("manage_people")
def people(request: Request, tournament: Tournament) -> HttpResponse:
    """List everybody on the list and off it, to be searched and sorted."""
    query = request.GET.get("q", "")[:100]
    rows = tournament.registrations.select_related("player__team")
    if query:
        rows = rows.filter(player__search_key__contains=search_key(query))
    status = request.GET.get("status", "")
    if status in STATUS.values:
        rows = rows.filter(status=status)
    if status == MISSING:
        rows = rows.filter(status=STATUS.ACTIVE, checked_in_at=None)
    if status == UNPAID:
        rows = rows.filter(status__in=operations.IN_TOURNAMENT, paid_at=None)
    table = PeopleTable(list(rows), tournament=tournament)
    RequestConfig(request, paginate=False).configure(table)
    table.paginate(per_page=ON_A_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))
    return show(
        request,
        "organizer/people",
        tournament,
        table=table,
        barred=barred_here(tournament),
        may_answer_bars=may(request, "manage_people"),
        erasures=open_requests(tournament).count(),
        query=query,
        chosen=status,
        statuses=[
            *STATUS.choices,
            (MISSING, _("Not checked in")),
            *([(UNPAID, _("Fee not paid"))] if tournament.has_fee else []),
        ],
        shown=len(table.rows),
        total=tournament.registrations.count(),
        left=_just_left(tournament),
    )


def _just_left(tournament: Tournament) -> list[Registration]:
    """List who was taken off the list within the last minutes and can be given the place back. [RULES 9.11]"""
    if tournament.is_finished:
        return []
    rows = tournament.registrations.filter(withdrawn_at__gte=timezone.now() - JUST_LEFT).select_related(
        "player"
    )
    return [row for row in rows.order_by("-withdrawn_at")[:MOST_JUST_LEFT] if operations.place_before(row)]


@page("manage_people", methods=BOTH)
def add(request: Request, tournament: Tournament) -> HttpResponse:
    """Put one player on the list, and stay for the next."""
    who = request.GET.get("who", "")[:100].strip()
    known = remembered(request.user, who)[:MOST_KNOWN] if who and request.user.is_authenticated else []
    wanted = request.GET.get("from", "")
    chosen = next((one for one in known if wanted in {str(entry.pk) for entry in one.entries}), None)
    form = PlayerForm(request.POST or None, tournament=tournament, initial=_filled_in(chosen))
    added = tried(
        form,
        lambda: operations.register_player(
            tournament,
            _still_remembered(form.details(), chosen),
            by=request.actor,
            is_another=form.cleaned_data.get("is_another", False),
            override=form.cleaned_data.get("override", ""),
            key=form_key(request),
        ),
    )
    if added:
        return done(request, _added(added), "tournaments:add_player", tournament.slug)
    context = {"form": form, "who": who, "known": known, "chosen": chosen}
    return show(request, "organizer/add_player", tournament, status=status_of(form), **context)


def _still_remembered(details: operations.Details, chosen: Known | None) -> operations.Details:
    """Keep the consent of whoever was filled in: it holds for the next event as well, under the same name. [RULES 9.38]"""
    if chosen is None or details.name not in chosen.names:
        return details
    return replace(details, may_be_remembered=True)


def _filled_in(chosen: Known | None) -> dict[str, Any]:
    """Return what a form is filled in with: what a person was at an earlier event, without what was said to its organizer."""
    if chosen is None:
        return {}
    known = PlayerForm.of(chosen.newest.registration)
    return {name: value for name, value in known.items() if name != "comment" and not name.startswith(FIELD)}


def _added(row: Registration) -> str:
    """Say where a new player stands, and why on the waiting list."""
    told = {"name": row.player.name, "number": row.number}
    if row.status == STATUS.ACTIVE:
        return _("%(name)s is on the list as number %(number)s.") % told
    why = why_waiting(row)
    told["why"] = say(why) if why else _("Others have waited longer.")
    return _("%(name)s, number %(number)s, is on the waiting list. %(why)s") % told


@page("manage_people", methods=BOTH)
def paste(request: Request, tournament: Tournament) -> HttpResponse:
    """Read a pasted list, show what was understood, and put all on the list or none."""
    form = PasteForm(request.POST or None)
    if not form.is_valid():
        return show(request, "organizer/paste", tournament, form=form, status=status_of(form))
    offered = {code for code, _name in countries() if code}
    codes = {called: code for called, code in country_codes().items() if code in offered}
    rows = read_pasted(
        form.cleaned_data["text"],
        countries=codes,
        listed=operations.listed(tournament),
        teams=operations.teams(tournament),
    )
    wrong = [row for row in rows if row.problems]
    left_out = set(request.POST.getlist("leave_out"))
    key = request.POST.get("key", "")
    if "confirm" in request.POST and rows and (not wrong or known(tournament, [key])):
        kept = [_details(row) for row in rows if str(row.line) not in left_out]
        waiting = 0 if known(tournament, [key]) else len(will_wait(tournament, kept))
        try:
            added = operations.import_players(tournament, kept, by=request.actor, key=check_key(key))
        except Refused as refused:
            form.add_refusal(refused)
        else:
            return done(request, _put_on_list(added, waiting), "tournaments:people", tournament.slug)
    return show(
        request,
        "organizer/paste",
        tournament,
        form=form,
        rows=[_shown(row) for row in rows],
        with_team=any(row.values.get("team") for row in rows),
        with_ema=any(row.values.get("ema_number") for row in rows),
        wrong=len(wrong),
        are_swapped=are_swapped(rows, codes),
        waiting=[] if wrong else in_waiting(tournament, [_details(row) for row in rows]),
        status=422 if wrong or form.errors else 200,
    )


@page("manage_people", methods=BOTH)
def edit(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Change what is known of a player."""
    registration = _registration(tournament, number)
    form = PlayerForm(request.POST or None, tournament=tournament, initial=PlayerForm.of(registration))
    changed = tried_as_seen(
        request,
        form,
        tournament,
        lambda now: PlayerForm.of(_registration(now, number)),
        lambda: operations.change_player(
            registration,
            form.details(registration.player),
            by=request.actor,
            is_another=form.cleaned_data.get("is_another", False),
            is_beyond_quota=form.cleaned_data.get("is_beyond_quota", False),
            override=form.cleaned_data.get("override", ""),
        ),
    )
    if changed:
        return done(request, _("Saved."), "tournaments:people", tournament.slug)
    is_finished = tournament.is_finished
    for field in form.fields.values():
        field.disabled = is_finished
    own = shared(request, reverse("tournaments:own_page", args=[tournament.slug, link_of(registration)]))
    return show(
        request,
        "organizer/edit_player",
        tournament,
        form=form,
        registration=registration,
        own_page=own,
        qr=qr_svg(own),
        is_finished=is_finished,
        place=operations.waiting_place(registration),
        waits_for=quota_sentence(registration),
        may_be_admitted=registration.status not in (STATUS.ACTIVE, STATUS.REMOVED, STATUS.DISQUALIFIED),
        status=status_of(form),
        **followed(tournament),
    )


@page("manage_people", methods=POST)
def name_captain(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Name the captain of a player's team, or nobody. [SBR 2.9.2]"""
    registration = _registration(tournament, number)
    is_captain = request.POST.get("captain") == "1"
    said = _("The team has a captain.") if is_captain else _("The team has no captain.")
    return do(
        request,
        lambda: operations.name_captain(registration, by=request.actor, is_captain=is_captain),
        said,
        "tournaments:edit_player",
        tournament.slug,
        number,
    )


@page("manage_people", methods=POST)
def withdraw(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Take a player off the list."""
    registration = _registration(tournament, number)
    return do(
        request,
        lambda: operations.withdraw(registration, by=request.actor, reason=request.POST.get("reason", "")),
        _taken_off,
        "tournaments:people",
        tournament.slug,
    )


def _taken_off(registration: Registration) -> str:
    """Say who is off the list, what stays of a player who has played, and who has the place now."""
    said = [_("%(name)s was taken off the list.") % {"name": registration.player}]
    if registration.last_session is not None:
        said.append(_("What was played stays, and no more seats are drawn."))
    if (moved := operations.moved_into(registration)) is not None:
        sentence = (
            _("%(name)s moves up from the waiting list.")
            if moved.status == STATUS.ACTIVE
            else _("The place is offered to %(name)s.")
        )
        said.append(sentence % {"name": moved.player})
    return " ".join(said)


@page("manage_people", methods=POST)
def admit(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Put a player from the waiting list, or one who had left, on the list."""
    registration = _registration(tournament, number)
    is_sure = "is_sure" in request.POST
    questions = [] if is_sure else operations.admission_questions(registration)
    if questions and registration.status not in (STATUS.ACTIVE, STATUS.REMOVED, STATUS.DISQUALIFIED):
        return show(
            request,
            "organizer/admit",
            tournament,
            registration=registration,
            questions=sentences(questions),
            status=409,
        )
    return do(
        request,
        lambda: operations.admit(registration, by=request.actor, is_sure=is_sure),
        _("%(name)s is on the list.") % {"name": registration.player},
        "tournaments:people",
        tournament.slug,
    )


@page("manage_people", methods=POST)
def renew_link(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Give a player a new private link."""
    registration = _registration(tournament, number)

    def work() -> Registration:
        key = check_key(request.POST.get("key", ""))
        return operations.renew_link(registration, by=request.actor, key=key)

    return do(
        request,
        work,
        _("The old link has ended; give the player the new one."),
        "tournaments:edit_player",
        tournament.slug,
        number,
    )


@page("check_in")
def check_in(request: Request, tournament: Tournament) -> HttpResponse:
    """The list for the door: tap a name when its owner comes."""
    rows = list(
        tournament.registrations.filter(status=STATUS.ACTIVE)
        .select_related("player")
        .order_by("player__search_key")
    )
    query = request.GET.get("q", "")[:100]
    only = request.GET.get("show", "")
    key = search_key(query)
    shown = [
        row
        for row in rows
        if (key in row.player.search_key or str(row.number) == query.strip())
        and not (only == MISSING and row.is_checked_in)
        and not (only == UNPAID and row.has_paid)
    ]
    return show(
        request,
        "organizer/check_in",
        tournament,
        rows=shown,
        barred=barred_here(tournament),
        may_answer_bars=may(request, "manage_people"),
        query=query,
        only=only if only in (MISSING, UNPAID) else "",
        together=_together(tournament, "checked_in_at"),
        paid_together=_together(tournament, "paid_at"),
        may_people=may(request, "manage_people"),
        **_door_counts(tournament),
    )


@page("manage_people", methods=POST)
def answer_bar(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Say why somebody plays who is disqualified at another event, or may be. [RULES 8.56]"""
    registration = _registration(tournament, number)

    def work() -> Any:
        bar = parse_whole(request.POST.get("bar", ""), field="bar", least=0, most=10**15)
        reason = request.POST.get("reason", "")
        return operations.answer_bar(registration, bar, by=request.actor, reason=reason)

    return do(
        request, work, _("The desk is not asked about this again."), "tournaments:people", tournament.slug
    )


@page("check_in", methods=POST)
def check_in_one(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Note that a player came, or take it back; the script of the door asks for the counts alone."""
    registration = _registration(tournament, number)
    came = request.POST.get("came") == "1"
    is_part = request.headers.get("X-Part") == "door"
    try:
        (operations.check_in if came else operations.undo_check_in)(registration, by=request.actor)
    except Refused as refused:
        if is_part:
            return HttpResponse(" ".join(sentences(refused.problems)), "text/plain", status=refused.status)
        for said in sentences(refused.problems):
            messages.error(request, said)
    if is_part:
        may_people = may(request, "manage_people")
        return show(
            request, "organizer/_door_counts", tournament, may_people=may_people, **_door_counts(tournament)
        )
    shown = {name: request.POST[name] for name in ("q", "show") if request.POST.get(name)}
    address = reverse("tournaments:check_in", args=[tournament.slug])
    return redirect(f"{address}{'?' if shown else ''}{urlencode(shown)}#n{number}")


@page("check_in", methods=POST)
def check_in_all(request: Request, tournament: Tournament) -> HttpResponse:
    """Note that several came: those named, or everybody on the list who is missing."""
    named, numbers = request.POST.getlist("number"), _numbers(request)
    missing = tournament.registrations.filter(status=STATUS.ACTIVE, checked_in_at=None)
    rows = list((missing.filter(number__in=numbers) if named else missing).select_related("player"))
    count = {"n": len(rows)}
    said = ngettext("%(n)s player is checked in.", "%(n)s players are checked in.", len(rows)) % count
    if not rows:
        said = _("Everybody was checked in already; nothing has changed.")
    return do(
        request,
        lambda: operations.check_in_all(tournament, rows, by=request.actor),
        said,
        "tournaments:sessions" if named else "tournaments:check_in",
        tournament.slug,
    )


@page("check_in", methods=POST)
def note_payment(request: Request, tournament: Tournament, number: int) -> HttpResponse:
    """Note that a player has paid the fee, or take it back; back to the list it was pressed on."""
    registration = _registration(tournament, number)
    has_paid = request.POST.get("paid") == "1"
    work = operations.note_payment if has_paid else operations.undo_payment
    try:
        work(registration, by=request.actor)
    except Refused as refused:
        for said in sentences(refused.problems):
            messages.error(request, said)
    else:
        if registration.status != STATUS.ACTIVE:  # the list at the door does not show them
            said = _("%(name)s: the fee is paid.") if has_paid else _("%(name)s: the fee is not paid.")
            messages.success(request, said % {"name": registration.player})
    origin = request.POST.get("at", "")
    if origin == "card" and may(request, "manage_people"):
        return redirect("tournaments:edit_player", tournament.slug, number)
    to = "people" if origin == "people" and may(request, "manage_people") else "check_in"
    shown = {name: request.POST[name] for name in ("q", "show", "status", "page") if request.POST.get(name)}
    address = reverse(f"tournaments:{to}", args=[tournament.slug])
    return redirect(f"{address}{'?' if shown else ''}{urlencode(shown)}#n{number}")


@page("check_in", methods=POST)
def note_payments(request: Request, tournament: Tournament) -> HttpResponse:
    """Note that those named have paid the fee."""
    rows = list(tournament.registrations.filter(number__in=_numbers(request), paid_at=None))
    said = ngettext("%(n)s payment is noted.", "%(n)s payments are noted.", len(rows)) % {"n": len(rows)}
    return do(
        request,
        lambda: operations.note_payments(tournament, rows, by=request.actor),
        said,
        "tournaments:sessions",
        tournament.slug,
    )


def _numbers(request: Request) -> list[int]:
    """Return the numbers that a form names; what is none is left out."""
    named = request.POST.getlist("number")[:MOST_AT_ONCE]
    return [int(text) for text in named if text.isascii() and text.isdecimal() and len(text) < LONGEST_NUMBER]


def _together(tournament: Tournament, field: str) -> dict[str, Any] | None:
    """Return the moment at which several were marked by one press within the last minutes, and how many. [RULES 9.11]"""
    if tournament.is_finished:
        return None
    since = {f"{field}__gte": timezone.now() - JUST_LEFT}
    rows = tournament.registrations.filter(**since).values(field).annotate(n=Count("pk")).filter(n__gt=1)
    newest = rows.order_by(f"-{field}").first()
    return {"at": newest[field], "n": newest["n"]} if newest else None


def _door_counts(tournament: Tournament) -> dict[str, Any]:
    """Count who is here, who is missing, and the tables that makes."""
    active = tournament.registrations.filter(status=STATUS.ACTIVE)
    total, present = active.count(), active.filter(checked_in_at__isnull=False).count()
    regulation = tournament.regulation
    count = headcount(
        present,
        table_size=regulation["table_size"],
        smallest_table=regulation["smallest_table"],
        substitutes=tournament.substitutes.count(),
        points=regulation["tournament_points"],
    )
    unpaid = active.filter(paid_at=None).count() if tournament.has_fee else None
    return {
        "total": total,
        "present": present,
        "missing": total - present,
        "count": count,
        "unpaid": unpaid,
        "waiting": tournament.registrations.filter(status=STATUS.WAITING).count(),
    }


def _registration(tournament: Tournament, number: int) -> Registration:
    registration = get_object_or_404(
        Registration.objects.select_related("player__team"), tournament=tournament, number=number
    )
    registration.tournament = tournament
    registration.player.tournament = tournament
    return registration


def _put_on_list(number: int, waiting: int) -> str:
    said = ngettext(
        "%(n)s player has been put on the list.", "%(n)s players have been put on the list.", number
    )
    later = [_("Of them on the waiting list: %(n)s.") % {"n": waiting}] if waiting else []
    return " ".join([said % {"n": number}, *later])


def in_waiting(tournament: Tournament, people: list[operations.Details]) -> list[str]:
    """Say who of a list would be put on the waiting list, and why."""
    found = will_wait(tournament, people)
    return [f"{who.name}: {say(why) if why else _('Others have waited longer.')}" for who, why in found]


def _details(row: PastedRow) -> operations.Details:
    said = {name: value for name, value in row.values.items() if name in DETAILS}
    ids = federation_ids(row.values)
    return operations.Details(**said, federation_ids=ids, answers=None, may_be_remembered=None)


def _shown(row: PastedRow) -> dict[str, Any]:
    def said(problems: tuple[Problem, ...]) -> list[str]:
        return [say(problem) for problem in problems]

    return {
        "line": row.line,
        "values": row.values,
        "problems": said(row.problems),
        "questions": said(row.questions),
    }
