"""The operator's pages: what waits, accounts, events, reports, persons and the log; and the report of a visitor."""

import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import AbuseReport, ErasureRequest, OperatorEntry, Player, Role, Tournament, User
from tournaments.operator import operations, queries
from tournaments.operator.forms import (
    BlockForm,
    ErasePersonForm,
    HandOverForm,
    ReportForm,
    ResetForm,
    TypedForm,
    WhyForm,
)
from tournaments.operator.labels import ACTS, LISTING_LOOKS
from tournaments.operator.rules import MOVES
from tournaments.privacy.queries import (
    account_data,
    namesakes,
    overdue_requests,
    player_data,
    sealed_mentions,
    today,
)
from tournaments.privacy.rules import ABOUT_PLAYERS
from tournaments.record.refusal import Refused
from tournaments.record.rules import Act
from tournaments.web import rates
from tournaments.web.access import page
from tournaments.web.callers import spend
from tournaments.web.frame import Context, do, done, show, status_of, tried
from tournaments.web.paging import Page, choice_of, page_of, words_of
from tournaments.web.requests import Request

BOTH = ("GET", "POST")
POST = ("POST",)
ON_A_PAGE = 50
LISTING = Tournament.Listing


def _show(request: Request, template: str, *, status: int = 200, **context: Any) -> HttpResponse:
    """Show one of the operator's pages, with the ways to the others."""
    context = {"operator_tabs": _tabs(), "health_url": _health(), **context}
    return render(request, f"tournaments/operator/{template}.html", context, status=status)


def _tabs() -> list[Context]:
    waits = queries.waiting()
    pages = (
        ("overview", _("Overview"), 0),
        ("accounts", _("Accounts"), waits.accounts),
        ("events", _("Events"), waits.events),
        ("reports", _("Reports"), waits.reports),
        ("persons", _("Persons"), waits.requests),
        ("log", _("Log"), 0),
    )
    return [
        {"url": reverse(f"tournaments:operator_{name}"), "text": text, "count": count}
        for name, text, count in pages
    ]


def _health() -> str:
    """Return the address of the page about machines and backups, where there is one."""
    try:
        return reverse("operator-health")
    except NoReverseMatch:
        return ""


def _part(request: Request, rows: "QuerySet[Any]") -> tuple[list[Any], Page]:
    """Return the rows of the page that is asked for."""
    part = page_of(request.GET, rows.count(), size=ON_A_PAGE)
    return list(rows[part.of]), part


def _kept(request: Request) -> str:
    kept = request.GET.copy()
    kept.pop("page", None)
    return kept.urlencode()


def _download(name: str, data: Any) -> HttpResponse:
    """Send data as a JSON file that people can read."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@page("operate_site")
def overview(request: Request) -> HttpResponse:
    """Show what waits for the operator, and what was done last."""
    return _show(
        request,
        "overview",
        waits=queries.waiting(),
        needs_approval=queries.needs_approval(),
        overdue=overdue_requests(today()),
        entries=queries.described(OperatorEntry.objects.all()[:10]),
        has_notice=bool(settings.OPERATOR_NAME and settings.OPERATOR_CONTACT),
    )


# Accounts


@page("operate_site")
def accounts(request: Request) -> HttpResponse:
    """List the accounts, to be searched and filtered."""
    kind, words = choice_of(request.GET, "kind", queries.ACCOUNT_KINDS), words_of(request.GET)
    rows, part = _part(request, queries.accounts(kind, words))
    kinds = {
        "waiting": _("Not approved"),
        "approved": _("Approved"),
        "blocked": _("Blocked"),
        "operators": _("Operators"),
        "deleted": _("Deleted"),
    }
    return _show(
        request,
        "accounts",
        rows=rows,
        part=part,
        kinds=kinds.items(),
        chosen=kind,
        query=words,
        kept=_kept(request),
        needs_approval=queries.needs_approval(),
    )


@page("operate_site")
def account(request: Request, account: int) -> HttpResponse:
    """Show an account: when it signed in last, its events, and what can be done."""
    return _account(request, _user(account))


def _account(
    request: Request, user: User, form: WhyForm | None = None, *, status: int = 200, **more: Any
) -> HttpResponse:
    forms = {
        "block": BlockForm(prefix="block"),
        "reset": ResetForm(prefix="reset"),
        "delete": _delete_form(user),
        "unblock": WhyForm(prefix="unblock"),
        "disapprove": WhyForm(prefix="disapprove"),
    }
    if form is not None:
        forms[form.prefix or ""] = form
    subject = f"user:{user.pk}"
    return _show(
        request,
        "account",
        account=user,
        organizer=queries.organizer(user),
        events=queries.events_of(user),
        forms=forms,
        entries=queries.described(OperatorEntry.objects.filter(subject=subject)),
        looks=LISTING_LOOKS,
        status=status,
        **more,
    )


def _delete_form(user: User, data: Any = None) -> TypedForm:
    return TypedForm(data, prefix="delete", wanted=user.username, label=_("Type the user name"))


def _user(pk: int) -> User:
    return get_object_or_404(User, pk=pk)


def _on_account(
    request: Request, user: User, form: WhyForm, work: Callable[[], Any], sentence: str
) -> HttpResponse:
    """Do what a form about an account asks, and come back to the account; with mistakes the form is shown again."""
    if tried(form, work) is None:
        return _account(request, user, form, status=status_of(form))
    return done(request, sentence, "tournaments:operator_account", user.pk)


@page("operate_site", methods=POST)
def approve(request: Request, account: int) -> HttpResponse:
    """Approve an organizer."""
    user = _user(account)
    return do(
        request,
        lambda: operations.approve_account(user, by=request.actor),
        _("%(name)s is approved: announced events of this account stand on the home page.")
        % {"name": user.title},
        "tournaments:operator_account",
        user.pk,
    )


@page("operate_site", methods=POST)
def disapprove(request: Request, account: int) -> HttpResponse:
    """Take an approval back."""
    user, form = _user(account), WhyForm(request.POST, prefix="disapprove")

    def work() -> User:
        return operations.take_approval(user, by=request.actor, reason=form.cleaned_data["reason"])

    return _on_account(request, user, form, work, _("The approval is taken back."))


@page("operate_site", methods=POST)
def block(request: Request, account: int) -> HttpResponse:
    """Block an account, and take its events off the lists if so chosen."""
    user, form = _user(account), BlockForm(request.POST, prefix="block")

    def work() -> User:
        said = form.cleaned_data
        return operations.block_account(
            user, by=request.actor, reason=said["reason"], listing=said["listing"]
        )

    return _on_account(request, user, form, work, _("The account is blocked and signed out everywhere."))


@page("operate_site", methods=POST)
def unblock(request: Request, account: int) -> HttpResponse:
    """Let a blocked account in again."""
    user, form = _user(account), WhyForm(request.POST, prefix="unblock")

    def work() -> User:
        return operations.unblock_account(user, by=request.actor, reason=form.cleaned_data["reason"])

    return _on_account(request, user, form, work, _("The account may sign in again."))


@page("operate_site", methods=POST)
def reset(request: Request, account: int) -> HttpResponse:
    """Make a link for a new password; it is shown once, here."""
    user, form = _user(account), ResetForm(request.POST, prefix="reset")

    def work() -> operations.ResetLink:
        said = form.cleaned_data
        return operations.reset_access(
            user,
            by=request.actor,
            reason=said["reason"],
            ends_second_factor=said["ends_second_factor"],
        )

    link = tried(form, work)
    if link is None:
        return _account(request, user, form, status=status_of(form))
    way = reverse("account_reset_password_from_key", kwargs={"uidb36": link.uid, "key": link.key})
    return _account(request, user, reset_url=request.build_absolute_uri(way))


@page("operate_site", methods=POST)
def delete_account(request: Request, account: int) -> HttpResponse:
    """Delete an account for its owner."""
    user = _user(account)
    form = _delete_form(user, request.POST)

    def work() -> User:
        return operations.delete_account(user, by=request.actor, reason=form.cleaned_data["reason"])

    return _on_account(
        request, user, form, work, _("The account is deleted; its events are without an organizer.")
    )


@page("operate_site", methods=POST)
def export_account(request: Request, account: int) -> HttpResponse:
    """Return everything that is stored about an account, for its owner."""
    user = _user(account)
    operations.note_export(Act.ACCOUNT_EXPORTED, f"user:{user.pk}", by=request.actor)
    return _download(f"account-{user.pk}", account_data(user))


# Events


@page("operate_site")
def events(request: Request) -> HttpResponse:
    """List the events, to be searched and filtered: drafts, empty ones, those of nobody, those reported."""
    kind, words = choice_of(request.GET, "kind", queries.EVENT_KINDS), words_of(request.GET)
    rows, part = _part(request, queries.events(kind, words))
    kinds = {
        "awaiting": _("Wait for the home page"),
        "reported": _("Reported"),
        "orphans": _("Without an organizer"),
        "drafts": _("Drafts"),
        "empty": _("Nobody on the list"),
        "hidden": _("Off the lists"),
        "withheld": _("Closed to strangers"),
        "archived": _("Archived"),
        "deleted": _("Deleted"),
    }
    return _show(
        request,
        "events",
        rows=rows,
        part=part,
        kinds=kinds.items(),
        chosen=kind,
        query=words,
        kept=_kept(request),
        looks=LISTING_LOOKS,
    )


@page("operate_site")
def event(request: Request, event: int) -> HttpResponse:
    """Show an event: whose it is, what it says, what was reported, and what can be done."""
    return _event(request, _tournament(event))


def _tournament(pk: int) -> Tournament:
    return get_object_or_404(Tournament.objects.select_related("created_by"), pk=pk)


def _event(
    request: Request, tournament: Tournament, form: WhyForm | None = None, *, status: int = 200
) -> HttpResponse:
    forms = {
        "hide": WhyForm(prefix="hide"),
        "withhold": WhyForm(prefix="withhold"),
        "archive": WhyForm(prefix="archive"),
        "hand_over": HandOverForm(prefix="hand_over"),
        "delete": WhyForm(prefix="delete"),
    }
    if form is not None:
        forms[form.prefix or ""] = form
    organizers = tournament.roles.filter(kind=Role.Kind.ORGANIZER, user__isnull=False).select_related("user")
    return _show(
        request,
        "event",
        tournament=tournament,
        organizers=organizers,
        is_owned=any(role.user.is_active for role in organizers if role.user),
        players=tournament.registrations.count(),
        may_delete=tournament.state == Tournament.State.DRAFT and not tournament.players.exists(),
        reports=tournament.reports.filter(resolved_at=None),
        moves=MOVES[tournament.listing],
        look=LISTING_LOOKS[tournament.listing],
        forms=forms,
        entries=queries.described(OperatorEntry.objects.filter(subject=f"tournament:{tournament.pk}")),
        status=status,
    )


def _on_event(
    request: Request, tournament: Tournament, form: WhyForm, work: Callable[[], Any], sentence: str
) -> HttpResponse:
    """Do what a form about an event asks, and come back to the event; with mistakes the form is shown again."""
    if tried(form, work) is None:
        return _event(request, tournament, form, status=status_of(form))
    return done(request, sentence, "tournaments:operator_event", tournament.pk)


@page("operate_site", methods=POST)
def list_event(request: Request, event: int) -> HttpResponse:
    """Put an event on the home page."""
    tournament = _tournament(event)
    return do(
        request,
        lambda: operations.set_listing(tournament, LISTING.LISTED, by=request.actor),
        _("The event is on the home page and in the lists."),
        "tournaments:operator_event",
        tournament.pk,
    )


def _take_off(request: Request, event: int, prefix: str, listing: str, sentence: str) -> HttpResponse:
    tournament, form = _tournament(event), WhyForm(request.POST, prefix=prefix)

    def work() -> Tournament:
        reason = form.cleaned_data["reason"]
        return operations.set_listing(tournament, listing, by=request.actor, reason=reason)

    return _on_event(request, tournament, form, work, sentence)


@page("operate_site", methods=POST)
def hide(request: Request, event: int) -> HttpResponse:
    """Take an event off the lists."""
    sentence = _("The event is off the home page and the lists; its address still works.")
    return _take_off(request, event, "hide", LISTING.HIDDEN, sentence)


@page("operate_site", methods=POST)
def withhold(request: Request, event: int) -> HttpResponse:
    """Close the pages of an event to strangers."""
    sentence = _("The event's pages are closed to strangers.")
    return _take_off(request, event, "withhold", LISTING.WITHHELD, sentence)


@page("operate_site", methods=POST)
def archive(request: Request, event: int) -> HttpResponse:
    """Archive an event."""
    sentence = _("The event is archived.")
    return _take_off(request, event, "archive", LISTING.ARCHIVED, sentence)


@page("operate_site", methods=POST)
def hand_over(request: Request, event: int) -> HttpResponse:
    """Give an event to another account."""
    tournament, form = _tournament(event), HandOverForm(request.POST, prefix="hand_over")

    def work() -> Tournament:
        said = form.cleaned_data
        return operations.hand_over(
            tournament,
            form.user(),
            by=request.actor,
            reason=said["reason"],
            ends_others=said["ends_others"],
        )

    return _on_event(request, tournament, form, work, _("The event has a new organizer."))


@page("operate_site", methods=POST)
def delete_draft(request: Request, event: int) -> HttpResponse:
    """Delete a draft in which nobody plays."""
    tournament, form = _tournament(event), WhyForm(request.POST, prefix="delete")

    def work() -> Tournament:
        return operations.delete_draft(tournament, by=request.actor, reason=form.cleaned_data["reason"])

    return _on_event(request, tournament, form, work, _("The draft is deleted."))


# Reports of abuse


@page("operate_site")
def reports(request: Request) -> HttpResponse:
    """List the reports that nobody has looked at yet, then those that were resolved."""
    return _reports(request)


def _reports(request: Request, form: WhyForm | None = None, *, status: int = 200) -> HttpResponse:
    is_resolved = choice_of(request.GET, "kind", ("resolved",)) == "resolved"
    found = AbuseReport.objects.filter(resolved_at__isnull=not is_resolved).select_related("tournament")
    rows, part = _part(request, found)
    shown = [
        (row, form if form and form.prefix == f"report-{row.pk}" else WhyForm(prefix=f"report-{row.pk}"))
        for row in rows
    ]
    return _show(
        request,
        "reports",
        rows=shown,
        part=part,
        is_resolved=is_resolved,
        looks=LISTING_LOOKS,
        kept=_kept(request),
        status=status,
    )


@page("operate_site", methods=POST)
def resolve(request: Request, report: int) -> HttpResponse:
    """Close a report with what was done about it."""
    row = get_object_or_404(AbuseReport, pk=report)
    form = WhyForm(request.POST, prefix=f"report-{row.pk}")

    def work() -> AbuseReport:
        return operations.resolve_report(row, by=request.actor, reason=form.cleaned_data["reason"])

    if tried(form, work) is None:
        return _reports(request, form, status=status_of(form))
    return done(request, _("The report is closed."), "tournaments:operator_reports")


@page("look", methods=BOTH, keeps_freeze=True)
def report(request: Request, tournament: Tournament) -> HttpResponse:
    """Let a visitor say what is wrong with an event's page."""
    form = ReportForm(request.POST or None)
    if form.is_valid():
        try:
            spend(request, rates.REPORT)
            operations.report_abuse(tournament, **form.cleaned_data)
        except Refused as refused:
            form.add_refusal(refused)
            return show(request, "operator/report", tournament, form=form, status=refused.status)
        sentence = _("Thank you. The site's operator will look at it.")
        return done(request, sentence, "tournaments:event", tournament.slug)
    return show(request, "operator/report", tournament, form=form, status=status_of(form))


# Persons


@page("operate_site")
def persons(request: Request) -> HttpResponse:
    """Find a person in all events, by name, e-mail or federation number; nobody is listed unasked."""
    words = words_of(request.GET)
    rows, part = _part(request, queries.persons(words))
    overdue: QuerySet[ErasureRequest] = overdue_requests(today())
    return _show(request, "persons", rows=rows, part=part, query=words, kept=_kept(request), overdue=overdue)


@page("operate_site", methods=BOTH)
def person(request: Request, person: int) -> HttpResponse:
    """Show a person wherever they played, and erase them there."""
    row = get_object_or_404(Player.objects.select_related("tournament", "registration", "team"), pk=person)
    if row.erased_at is not None:
        raise Http404
    people = [row, *namesakes(row)]
    form = ErasePersonForm(
        request.POST or None, people=people, wanted=row.name, label=_("Type the person's name")
    )
    erased = tried(
        form,
        lambda: operations.erase_persons(form.chosen(), by=request.actor, reason=form.cleaned_data["reason"]),
    )
    if erased:
        sentence = ngettext(
            "The person is erased in %(n)s event.", "The person is erased in %(n)s events.", len(erased)
        ) % {"n": len(erased)}
        return done(request, sentence, "tournaments:operator_persons")
    return _show(
        request,
        "person",
        person=row,
        people=people,
        form=form,
        mentions=sum(map(sealed_mentions, people)),
        reasons=[_(why.value) for why in ABOUT_PLAYERS],
        status=status_of(form),
    )


@page("operate_site", methods=POST)
def export_person(request: Request, person: int) -> HttpResponse:
    """Return everything that is stored about a person in one event, for that person."""
    row = get_object_or_404(Player.objects.select_related("tournament"), pk=person)
    operations.note_export(Act.PERSON_EXPORTED, f"player:{row.pk}", by=request.actor)
    return _download(f"person-{row.pk}", player_data(row))


# The log


@page("operate_site")
def log(request: Request) -> HttpResponse:
    """Show what operators did, newest first."""
    kind = choice_of(request.GET, "kind", ACTS)
    found = OperatorEntry.objects.filter(kind=kind) if kind else OperatorEntry.objects.all()
    rows, part = _part(request, found)
    return _show(
        request,
        "log",
        entries=queries.described(rows),
        part=part,
        kinds=ACTS.items(),
        chosen=kind,
        kept=_kept(request),
    )
