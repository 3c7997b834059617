"""The audit of papers at the desk: draw a sample, type its papers, read what differs. [RULES 9.25]"""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from tournaments.desk.forms.audits import PaperForm, SampleForm
from tournaments.models import PaperSheet, Session, Table, Tournament
from tournaments.tables.operations import audits as operations
from tournaments.tables.queries.audits import recorded_tables, report_of
from tournaments.tables.rules.audit import METHOD
from tournaments.web.access import page
from tournaments.web.frame import done, show, status_of, tried
from tournaments.web.requests import Request

BOTH = ("GET", "POST")


@page("run_sessions", methods=BOTH)
def audit(request: Request, tournament: Tournament) -> HttpResponse:
    """Show what the sample says so far, and draw one."""
    last = tournament.paper_audits.last()
    form = SampleForm(request.POST or None)
    drawn = tried(
        form,
        lambda: operations.draw_sample(
            tournament, seed=form.cleaned_data["seed"], size=form.cleaned_data["size"], by=request.actor
        ),
    )
    if drawn:
        return done(request, _("The sample is drawn."), "tournaments:paper_audit", tournament.slug)
    return show(
        request,
        "organizer/audit",
        tournament,
        audit=last,
        report=report_of(last) if last else None,
        method=METHOD,
        tables=len(recorded_tables(tournament)),
        form=form,
        status=status_of(form),
    )


@page("run_sessions", methods=BOTH)
def paper(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Type the paper of a table in the sample; what was recorded is not shown here."""
    last = tournament.paper_audits.last()
    rows = PaperSheet.objects.select_related("audit__tournament", "protocol__table")
    sheet = get_object_or_404(rows, audit=last, protocol__table=table)
    seats = [seat for seat in table.seats.select_related("player").in_order() if seat.player_id]
    winds = [seat.wind for seat in seats]
    typed = "\n".join(" ".join(str(hand.get(wind, 0)) for wind in winds) for hand in sheet.hands or [])
    form = PaperForm(request.POST or None, winds=winds, initial={"paper": typed})
    kept = tried(
        form, lambda: operations.type_paper(sheet, form.cleaned_data["paper"], by=request.actor) or True
    )
    if kept:
        return done(request, _("The paper is compared."), "tournaments:paper_audit", tournament.slug)
    return show(
        request,
        "organizer/audit_paper",
        tournament,
        session=session,
        table=table,
        seats=seats,
        form=form,
        status=status_of(form),
    )
