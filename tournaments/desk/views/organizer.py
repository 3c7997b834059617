"""The organizer's desk: the event itself, who works at it, its tablets, its history, its end."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from scoring.description import describe_differences
from scoring.presets import PRESETS
from tournaments.desk.forms.event import (
    CloneForm,
    GrantForm,
    InviteForm,
    InviteStaffForm,
    MoveForm,
    NewTournamentForm,
    StaffNameForm,
    TournamentForm,
)
from tournaments.desk.forms.regulation import RegulationForm
from tournaments.desk.needs import needs_of
from tournaments.desk.rules import Progress, Step, next_step
from tournaments.models import Device, Protocol, Registration, Role, Session, Table, Tournament, User
from tournaments.operator.operations import clone_event, create_event
from tournaments.operator.queries import creation_outlook
from tournaments.people.operations import passwords
from tournaments.people.queries.events import events_run_by, headcount_of
from tournaments.people.queries.shared import in_the_same_hall, next_free
from tournaments.record import draws, judges
from tournaments.record.draws import OpenDraw
from tournaments.record.needs import Need
from tournaments.sessions.operations import invitations
from tournaments.sessions.operations import tournaments as operations
from tournaments.sessions.queries import counted_tables, current_session
from tournaments.standings.queries.table import newest_revision
from tournaments.tables.operations import devices
from tournaments.tables.operations import moves as moves_operations
from tournaments.tables.queries import moves
from tournaments.tables.queries.moves import destinations
from tournaments.web import rates
from tournaments.web.access import CAPABILITIES, page
from tournaments.web.addresses import opens_only_here, shared
from tournaments.web.callers import spend
from tournaments.web.frame import (
    do,
    done,
    followed,
    form_key,
    live_addresses,
    may,
    show,
    status_of,
    tried,
    tried_as_seen,
)
from tournaments.web.history_entries import described
from tournaments.web.labels import KINDS, regulation_in_words
from tournaments.web.qr import qr_svg
from tournaments.web.requests import AccountRequest, Request

BOTH = ("GET", "POST")
POST = ("POST",)
MOST_EARLIER = 6


@page("create_tournament", methods=BOTH)
def new(request: AccountRequest) -> HttpResponse:
    """Create an event from a preset; everything else has a default."""
    last = Tournament.objects.filter(created_by=request.user).order_by("pk").last()
    form = NewTournamentForm(request.POST or None, time_zone=last.time_zone if last else "")
    made = tried(form, lambda: _create(request, form))
    if made:
        return done(
            request,
            _("The event is created. Look through it and announce it."),
            "tournaments:desk",
            made.slug,
        )
    earlier = events_run_by(request.actor.id or 0)[:MOST_EARLIER] if not form.is_bound else []
    context = {"form": form, "outlook": creation_outlook(request.user), "earlier": earlier}
    context["event_templates"] = [] if form.is_bound else request.user.event_templates.all()
    return render(request, "tournaments/organizer/new.html", context, status=_status_of_new(form))


def _status_of_new(form: NewTournamentForm) -> int:
    """Answer 429 or 409 where the account's limits refuse the event, 422 where the form has mistakes."""
    return form.refusal_status or status_of(form)


def _create(request: Request, form: NewTournamentForm) -> Tournament:
    spend(request, rates.NEW_EVENT)
    preset = form.cleaned_data["preset"]
    key = form_key(request)
    return create_event(form.announcement(), preset=preset, by=request.actor, key=key)


PERMISSIONS = {
    "may_run": "run_sessions",
    "may_draw": "draw",
    "may_change": "change_tournament",
    "may_close": "close_tournament",
    "may_people": "manage_people",
    "may_see_judging": "see_judging",
    "may_check_in": "check_in",
}
"""What the page of the desk asks of the reader, and the capability that answers it."""


@page("see_desk")
def desk(request: Request, tournament: Tournament) -> HttpResponse:
    """Show where the event stands and what to do next."""
    session = current_session(tournament)
    tables = [table for table in counted_tables(session) if hasattr(table, "protocol")] if session else []
    sessions = list(tournament.sessions.order_by("number"))
    following = next((row for row in sessions if not row.is_published), None)
    appeals = judges.open_appeals(tournament)
    drawn = draws.open_draw(tournament)
    progress = _progress(tournament, session, tables, sessions, drawn)
    step = next_step(progress)
    return show(
        request,
        "organizer/desk",
        tournament,
        step=step,
        count=headcount_of(tournament) if step == Step.DRAW else None,
        progress=progress,
        session=session,
        following=following,
        ahead=draws.next_draw(tournament) if session and step in (Step.DRAW, Step.CLOSE_SESSION) else None,
        beside=drawn if step in (Step.START, Step.PLAY, Step.CLOSE_SESSION) else None,
        planned=len(sessions),
        tables=tables,
        awaiting=sum(1 for table in tables if table.protocol.state == Protocol.State.ENDED),
        needs=_with_doors(request, needs_of(tournament, session, tables)),
        appeals=appeals,
        here=[one for one in appeals if session and one.session == session.number],
        appeals_until=_appeals_until(session),
        waiting=tournament.registrations.filter(status=Registration.Status.WAITING).count(),
        public_url=shared(request, tournament.get_absolute_url()),
        may_end_early=may(request, "close_tournament")
        and session
        and step in (Step.DRAW, Step.PUBLISH_DRAW)
        and not tournament.is_frozen,
        revision=newest_revision(tournament),
        **{name: may(request, capability) for name, capability in PERMISSIONS.items()},
        **live_addresses(tournament),
    )


PRIVATE = frozenset({"erasure", "mails", "offered", "free_place", "elsewhere"})
"""Needs that only those are told who manage the people."""


def _with_doors(request: Request, needs: list[Need]) -> list[dict[str, Any]]:
    """Put each need into words, with the address of its remedy for those who may press it."""
    is_for_all = may(request, "manage_people")
    return [
        {
            "need": need,
            "sentence": _(need.sentence) % need.details,
            "text": _(need.remedy.text),
            "url": _door(need) if may(request, need.remedy.capability) else "",
        }
        for need in needs
        if is_for_all or need.code not in PRIVATE
    ]


def _door(need: Need) -> str:
    address = reverse(need.remedy.view, args=need.remedy.args)
    return f"{address}?{need.remedy.query}" if need.remedy.query else address


def _progress(
    tournament: Tournament,
    session: Session | None,
    tables: list[Table],
    sessions: list[Session],
    drawn: OpenDraw | None,
) -> Progress:
    """Count what the next step depends on."""
    active = tournament.registrations.filter(status=Registration.Status.ACTIVE)
    return Progress(
        state=tournament.state,
        players=active.count(),
        checked_in=active.filter(checked_in_at__isnull=False).count(),
        session=session.state if session else None,
        tables=len(tables),
        settled=sum(1 for table in tables if table.protocol.is_settled),
        unseated=sum(1 for row in sessions if not row.is_published),
        drawn=("running" if drawn.is_running else "draft") if drawn and not drawn.is_redraw else "",
        is_frozen=tournament.is_frozen,
    )


def _appeals_until(session: Session | None) -> datetime | None:
    """Return until when somebody may still appeal about a session that is over; none once that is past."""
    until = judges.appeals_until(session) if session else None
    return until if until and until > timezone.now() else None


@page("change_tournament", methods=BOTH)
def settings(request: Request, tournament: Tournament) -> HttpResponse:
    """Change what is said about the event."""
    form = TournamentForm(request.POST or None, initial=TournamentForm.of(tournament))
    beside = in_the_same_hall(tournament)
    changed = tried_as_seen(
        request,
        form,
        tournament,
        TournamentForm.of,
        lambda: operations.change_tournament(tournament, form.announcement(), by=request.actor),
    )
    if changed:
        return done(request, _("Saved."), "tournaments:settings", changed.slug)
    return show(
        request,
        "organizer/settings",
        tournament,
        form=form,
        beside=beside,
        free=next_free(beside),
        status=status_of(form),
        **followed(tournament),
    )


@page("change_tournament", methods=BOTH)
def regulation(request: Request, tournament: Tournament) -> HttpResponse:
    """Change values of the regulation, with what they mean in plain words beside them."""
    form = RegulationForm(request.POST or None, tournament=tournament)
    changed = tried_as_seen(
        request,
        form,
        tournament,
        lambda now: RegulationForm(tournament=now).initial,
        lambda: operations.change_regulation(
            tournament,
            form.changes(),
            by=request.actor,
            reason=form.cleaned_data.get("reason", ""),
            is_sure=form.cleaned_data.get("is_sure", False),
        ),
    )
    if changed:
        return done(request, _("The regulation is saved."), "tournaments:edit_regulation", changed.slug)
    for field in form.fields.values():
        field.disabled = tournament.is_finished
    return show(
        request,
        "organizer/regulation",
        tournament,
        form=form,
        sentences=sentences_of(tournament),
        differences=differences_of(tournament),
        status=status_of(form),
        **followed(tournament),
    )


@page("change_tournament", methods=POST)
def announce(request: Request, tournament: Tournament) -> HttpResponse:
    """Make the event public."""
    return do(
        request,
        lambda: operations.announce_tournament(tournament, by=request.actor),
        _("The event is public, and registration is open."),
        "tournaments:desk",
        tournament.slug,
    )


@page("close_tournament", methods=POST)
def close(request: Request, tournament: Tournament) -> HttpResponse:
    """Close the event; its archive stays."""
    return do(
        request,
        lambda: operations.close_tournament(
            tournament, by=request.actor, reason=request.POST.get("reason", "")
        ),
        _("The event is closed. Its final table is public and stays."),
        "tournaments:desk",
        tournament.slug,
    )


@page("close_tournament", methods=POST)
def reopen(request: Request, tournament: Tournament) -> HttpResponse:
    """Open a closed event again, with a reason."""
    return do(
        request,
        lambda: operations.reopen_tournament(
            tournament, by=request.actor, reason=request.POST.get("reason", "")
        ),
        _("The event is open again."),
        "tournaments:desk",
        tournament.slug,
    )


@page("close_tournament", methods=POST)
def cancel(request: Request, tournament: Tournament) -> HttpResponse:
    """Cancel the event, with a reason that everybody reads."""
    reason = request.POST.get("reason", "")
    return do(
        request,
        lambda: operations.cancel_tournament(tournament, by=request.actor, reason=reason),
        _("The event is cancelled; every page says so."),
        "tournaments:desk",
        tournament.slug,
    )


@page("close_tournament", methods=POST)
def take_back_cancellation(request: Request, tournament: Tournament) -> HttpResponse:
    """Take the cancellation back."""
    return do(
        request,
        lambda: operations.take_back_cancellation(tournament, by=request.actor),
        _("The event takes place; its pages are as before."),
        "tournaments:desk",
        tournament.slug,
    )


@page("change_tournament", methods=BOTH)
def clone(request: Request, tournament: Tournament) -> HttpResponse:
    """Begin another event with this one's regulation."""
    initial = TournamentForm.of(tournament) | {
        "name": "",
        "preset": tournament.preset,
        "slug": "",
        "first_day": None,
        "last_day": None,
        "registration_opens_at": None,
        "registration_closes_at": None,
    }
    form = CloneForm(request.POST or None, initial=initial, source=tournament, by=request.actor)
    made = tried(form, lambda: _clone(request, tournament, form))
    if made:
        return done(
            request,
            _("The event is created. Look through it and announce it."),
            "tournaments:desk",
            made.slug,
        )
    return show(
        request, "organizer/clone", tournament, form=form, status=form.refusal_status or status_of(form)
    )


def _clone(request: Request, tournament: Tournament, form: CloneForm) -> Tournament:
    spend(request, rates.NEW_EVENT)
    said = form.cleaned_data
    staff = [int(role) for role in said.get("staff", ())]
    return clone_event(
        tournament,
        form.announcement(),
        by=request.actor,
        staff=staff,
        preset=said["preset"],
        key=form_key(request),
    )


@page("grant_roles", methods=BOTH)
def staff(request: Request, tournament: Tournament) -> HttpResponse:
    """Show who works at the event, and let others in."""
    form = GrantForm(request.POST or None, tournament=tournament)
    granted = tried(
        form,
        lambda: operations.let_in(
            tournament,
            form.user(),
            form.cleaned_data["kind"],
            by=request.actor,
            player=form.plays_as(),
            **form.names,
        ),
    )
    if granted:
        return done(request, _("The role is given."), "tournaments:staff", tournament.slug)
    return _staff(request, tournament, form)


def _staff_with_link(request: Request, tournament: Tournament, address: str, **whose: object) -> HttpResponse:
    """Show who works here with a secret link, to be read and scanned this once."""
    link = shared(request, address)
    context = {**whose, "address": link, "qr": qr_svg(link), "opens_only_here": opens_only_here(link)}
    response = _staff(request, tournament, GrantForm(tournament=tournament), **context)
    add_never_cache_headers(response)
    return response


@page("grant_roles", methods=POST)
def invite(request: Request, tournament: Tournament) -> HttpResponse:
    """Make a link for somebody who shall work here; it is shown this once."""
    form = InviteStaffForm(request.POST, prefix="invite")
    made = tried(form, lambda: invitations.invite(tournament, by=request.actor, **form.cleaned_data))
    if not made:
        return _staff(request, tournament, GrantForm(tournament=tournament), invite_form=form, status=422)
    invitation, secret = made
    address = reverse("tournaments:invitation", args=[secret])
    return _staff_with_link(request, tournament, address, invitation=invitation)


@page("grant_roles", methods=POST)
def hand_over(request: Request, tournament: Tournament) -> HttpResponse:
    """Make a link by which somebody else becomes the organizer in the reader's place; it is shown this once. [RULES 9.29]"""
    invitation, secret = invitations.offer_event(tournament, by=request.actor)
    address = reverse("tournaments:invitation", args=[secret])
    return _staff_with_link(request, tournament, address, invitation=invitation)


@page("grant_roles", methods=POST)
def withdraw_invitation(request: Request, tournament: Tournament, invitation: int) -> HttpResponse:
    """End a link that nobody has taken yet."""
    row = get_object_or_404(tournament.invitations, pk=invitation)
    return do(
        request,
        lambda: invitations.withdraw_invitation(row, by=request.actor),
        _("The invitation is withdrawn; its link opens nothing."),
        "tournaments:staff",
        tournament.slug,
    )


def _staff(request: Request, tournament: Tournament, form: GrantForm, **context: Any) -> HttpResponse:
    """Show who works at the event, the form that lets others in, and a link for a new password if one was made."""
    roles = (
        tournament.roles.filter(user__isnull=False)
        .select_related("user", "player")
        .order_by("user__username", "id")
    )
    waiting = tournament.invitations.filter(used_at=None, withdrawn_at=None, expires_at__gt=timezone.now())
    shown: dict[str, Any] = {"invite_form": InviteStaffForm(prefix="invite"), "status": status_of(form)}
    return show(
        request,
        "organizer/staff",
        tournament,
        **{"form": form, "roles": roles, "waiting": waiting, **shown, **context},
    )


@page("grant_roles", methods=POST)
def name_member(request: Request, tournament: Tournament, role: int) -> HttpResponse:
    """Say how papers name somebody who works here."""
    member = get_object_or_404(User, roles__tournament=tournament, roles__pk=role)
    form = StaffNameForm(request.POST, auto_id="of-member-%s")

    def work() -> bool:
        operations.name_member(tournament, member, by=request.actor, **form.cleaned_data)
        return True

    if tried(form, work):
        return done(request, _("The name is saved; papers have it."), "tournaments:staff", tournament.slug)
    grant = GrantForm(tournament=tournament)
    return _staff(request, tournament, grant, name_form=form, named=role, status=status_of(form))


@page("grant_roles", methods=POST)
def end_role(request: Request, tournament: Tournament, role: int) -> HttpResponse:
    """End somebody's work at the event."""
    row = get_object_or_404(Role, tournament=tournament, pk=role, user__isnull=False)
    return do(
        request,
        lambda: operations.take_role(row, by=request.actor),
        _("The role is ended."),
        "tournaments:staff",
        tournament.slug,
    )


@page("grant_roles", methods=POST)
def allow_new_password(request: Request, tournament: Tournament, role: int) -> HttpResponse:
    """Show a link by which somebody who works here sets a new password; it is shown this once."""
    member = get_object_or_404(User, roles__tournament=tournament, roles__pk=role)
    secret = passwords.allow_new_password(tournament, member, by=request.actor)
    address = reverse("tournaments:new_password", args=[secret])
    return _staff_with_link(request, tournament, address, member=member)


@dataclass(frozen=True)
class TabletRow:
    """A tablet of the list: the event to which it is to go, or the form by which it can be sent to one."""

    device: Device
    leaves_for: Tournament | None
    form: MoveForm | None


@page("admit_devices", methods=BOTH)
def tablets(request: Request, tournament: Tournament) -> HttpResponse:
    """List the tablets, and invite another: its code is shown once."""
    form = InviteForm(request.POST or None)
    invitation = tried(
        form,
        lambda: devices.invite_device(
            tournament,
            name=form.cleaned_data["name"],
            tables=form.cleaned_data["tables"],
            by=request.actor,
        ),
    )
    shell = shared(request, reverse("tournaments:tablet", args=[tournament.slug]))
    context: dict[str, Any] = {
        "form": form,
        "shell": shell,
        "opens_only_here": opens_only_here(shell),
    }
    if invitation:
        address = f"{shell}#{invitation.secret}"
        context |= {
            "invitation": invitation,
            "code": f"{invitation.code[:4]} {invitation.code[4:]}",
            "address": address,
            "qr": qr_svg(address),
        }
    if invitation or not form.is_bound:
        context["form"] = InviteForm(initial={"name": _next_name(tournament)})
    return _tablets(request, tournament, status=status_of(form), **context)


def _tablets(request: Request, tournament: Tournament, *, status: int, **context: Any) -> HttpResponse:
    """Show the tablets of the event, with where each may go and is to go."""
    listed = list(tournament.devices.order_by("revoked_at", "id"))
    leaving = {row.moved_from_id: row.tournament for row in moves.pending(tournament)}
    events = destinations(tournament, request.actor.id, CAPABILITIES["admit_devices"])
    moving = context.pop("moving", None)
    forms = {
        device.pk: moving
        if moving and moving.device == device.pk
        else MoveForm(events=events, device=device.pk)
        for device in listed
        if events and device.revoked_at is None and device.pk not in leaving
    }
    rows = [TabletRow(one, leaving.get(one.pk), forms.get(one.pk)) for one in listed]
    told = moving.non_field_errors() if moving and moving.device not in forms else []
    return show(request, "organizer/tablets", tournament, status=status, rows=rows, told=told, **context)


def _next_name(tournament: Tournament) -> str:
    """Offer the next name in a row, so that a hall of tablets is let in by one press each."""
    number = tournament.admissions.count() + 1
    return _("Tablet %(number)s") % {"number": number}


@page("admit_devices", methods=POST)
def sign_off_tablet(request: Request, tournament: Tournament, device: int) -> HttpResponse:
    """Sign a tablet off."""
    row = get_object_or_404(tournament.devices, pk=device)
    return do(
        request,
        lambda: devices.revoke_device(row, by=request.actor),
        _("The tablet is signed off."),
        "tournaments:tablets",
        tournament.slug,
    )


@page("admit_devices", methods=POST)
def send_tablet_over(request: Request, tournament: Tournament, device: int) -> HttpResponse:
    """Let a tablet go on to another event in the same hall. [RULES 9.42]"""
    row = get_object_or_404(tournament.devices, pk=device)
    events = destinations(tournament, request.actor.id, CAPABILITIES["admit_devices"])
    form = MoveForm(request.POST, events=events, device=row.pk)
    sent = tried(
        form,
        lambda: moves_operations.send_over(
            row, form.cleaned_data["to"], tables=form.cleaned_data["tables"], by=request.actor
        ),
    )
    if sent:
        said = _("“%(name)s” goes to “%(event)s” as soon as it has sent everything.")
        told = said % {"name": row.name, "event": sent.tournament.name}
        return done(request, told, "tournaments:tablets", tournament.slug)
    shell = shared(request, reverse("tournaments:tablet", args=[tournament.slug]))
    new = InviteForm(initial={"name": _next_name(tournament)})
    beside = {"shell": shell, "opens_only_here": opens_only_here(shell)}
    return _tablets(request, tournament, status=status_of(form), form=new, moving=form, **beside)


@page("admit_devices", methods=POST)
def keep_tablet(request: Request, tournament: Tournament, device: int) -> HttpResponse:
    """Let a tablet stay that was to go on to another event. [RULES 9.42]"""
    row = get_object_or_404(tournament.devices, pk=device)
    return do(
        request,
        lambda: moves_operations.keep_here(row, by=request.actor),
        _("The tablet stays at this event."),
        "tournaments:tablets",
        tournament.slug,
    )


@page("see_history")
def history(request: Request, tournament: Tournament) -> HttpResponse:
    """Show who did what, newest first."""
    entries = tournament.history.select_related("protocol__table__session").order_by("-id")
    kind = request.GET.get("kind", "")
    if kind in KINDS:
        entries = entries.filter(kind=kind)
    shown = Paginator(entries, 50).get_page(request.GET.get("page", 1))
    return show(
        request,
        "organizer/history",
        tournament,
        page_obj=shown,
        entries=described(tournament, shown),
        kinds=KINDS.items(),
        kind=kind if kind in KINDS else "",
    )


def sentences_of(tournament: Tournament) -> list[str]:
    """Describe the regulation in plain words."""
    return regulation_in_words(tournament)


def differences_of(tournament: Tournament) -> list[Any]:
    """List what differs from the preset."""
    preset = PRESETS[tournament.preset].regulation
    return list(
        describe_differences(tournament.regulation_value, preset, tournament.system, get_language() or "en")
    )
