"""What is public: how it was drawn, what was promised; changes after publication, and paper for the wall."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _

from scoring.problems import gettext_noop
from seating.desk.forms import ChangeForm
from seating.drafts import operations
from seating.drafts.queries import (
    by_table,
    left_over,
    listed,
    people_of,
    planned_tables,
    published_draw,
    published_draws,
    seated_sessions,
    seats_by_player,
)
from seating.drafts.reports import figures
from seating.models import Draw
from seating.rules.random_draw import METHOD_WITH_PAST, METHODS
from tournaments.models import Protocol, Session, Tournament
from tournaments.models.play import Wind
from tournaments.record.receipts import check_key
from tournaments.record.refusal import refuse
from tournaments.sessions.operations import play
from tournaments.sessions.queries import seated_tables
from tournaments.web.access import page
from tournaments.web.frame import do, done, show, tried
from tournaments.web.paging import choice_of
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole

PRINTS = ("names", "tables", "sessions", "cards")
PAPERS = ("a4", "a5")


@page("look", keeps_freeze=True)
def draws(request: Request, tournament: Tournament) -> HttpResponse:
    """Show what is promised before the draw, the list it is made from, and the draws that were published."""
    people, digest = listed(tournament)
    return show(
        request,
        "seating/draws.html",
        tournament,
        commitment=tournament.commitments.filter(draw=None).first(),
        people=people,
        digest=digest,
        draws=published_draws(tournament),
    )


@page("look")
def proof(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Show how the session was drawn, and let anybody repeat it."""
    row = published_draw(session)
    if row is None or not session.is_published:
        raise Http404
    row.tournament = tournament
    people = people_of(tournament)
    same = [one for one in tournament.draws.order_by("pk") if session.number in one.sessions and one.plan]
    return show(
        request,
        "seating/proof.html",
        tournament,
        session=session,
        draw=row,
        face=_face(row, session.number),
        figures=[figure for figure in figures(row.quality, {}) if figure.code != "apart"],
        can_repeat=row.method in METHODS,
        chance=row.seed.partition(":")[2] if row.commitment_id else "",
        proposals=same,
        tables=planned_tables(row, session.number, people),
        off=left_over(row, session.number, people),
    )


def _face(row: Draw, session: int) -> dict[str, Any]:
    """Return what a stranger needs to repeat the draw and to measure it; wishes about people stay private."""
    return {
        "method": row.method,
        "seed": row.seed,
        "session": session,
        "sessions": row.sessions,
        "numbers": row.inputs["numbers"],
        "substitutes": row.inputs.get("substitutes", []),
        "short": row.inputs["short"] if row.method == METHOD_WITH_PAST else [],
        "table_size": row.inputs["table_size"],
        "locks": [list(lock) for lock in row.settings.get("locks", ())],
        "existing": row.inputs["existing"],
        "plan": row.plan,
        "edits": [{"session": edit["session"], "swap": edit["swap"]} for edit in row.edits],
        "figures": {figure["code"]: figure["value"] for figure in row.quality},
        "secret": row.commitment.secret if row.commitment else "",
        "commitment": row.commitment.digest if row.commitment else "",
    }


@page("draw", methods=("GET", "POST"))
def change(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Let two players change places after publication, with a reason that everybody can read."""
    if not session.is_published:
        raise Http404
    tables = list(seated_tables(session))
    people = sorted(
        (str(seat.player.registration.number), str(seat.player))
        for table in tables
        for seat in table.seats.all()
        if seat.player and hasattr(seat.player, "registration")
    )
    form = ChangeForm(request.POST or None, people=sorted(people, key=lambda pair: pair[1].casefold()))
    if form.is_valid():
        made = tried(form, lambda: _change(request, session, form))
        if made:
            return done(
                request,
                _("The two have changed places; everybody can read why."),
                "seating:change",
                tournament.slug,
                session.number,
            )
    begun = set(
        Protocol.objects.filter(table__session=session, version__gt=0).values_list("table_id", flat=True)
    )
    return show(
        request,
        "seating/change.html",
        tournament,
        session=session,
        sessions=seated_sessions(tournament),
        tables=tables,
        begun=begun,
        may_change=form.is_bound or not tournament.is_finished,
        form=form,
        status=form.answer,
    )


def _change(request: Request, session: Session, form: ChangeForm) -> bool:
    data = form.cleaned_data
    first = parse_whole(data["first"], field="first", least=1, most=999_999)
    second = parse_whole(data["second"], field="second", least=1, most=999_999)
    key = check_key(request.POST["key"]) if "key" in request.POST else ""
    operations.change_published(session, first, second, by=request.actor, reason=data["reason"], key=key)
    return True


@page("record_hands", methods=("GET", "POST"))
def winds(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    """Write down the winds that were drawn with cards, table by table, before its first hand. [SBR 2.4.6]"""
    if not session.is_published:
        raise Http404
    if request.method == "POST":
        return _write_winds(request, tournament, session)
    tables = [table for table in seated_tables(session) if hasattr(table, "protocol")]
    return show(
        request,
        "seating/winds.html",
        tournament,
        session=session,
        tables=[table for table in tables if not table.protocol.version],
        begun=[table for table in tables if table.protocol.version],
        winds=Wind.choices,
    )


def _write_winds(request: Request, tournament: Tournament, session: Session) -> HttpResponse:
    def work() -> None:
        number = parse_whole(request.POST.get("table", ""), field="table", least=1, most=9999)
        table = session.tables.filter(number=number).first()
        if table is None:
            refuse("not_found", gettext_noop("There is no such table in this session."))
        table.session = session
        drawn = {
            parse_whole(name.removeprefix("drawn_"), field=name, least=1, most=10**18): request.POST[name]
            for name in request.POST
            if name.startswith("drawn_")
        }
        play.write_winds(table, drawn, by=request.actor)

    return do(
        request, work, _("The winds are written down."), "seating:winds", tournament.slug, session.number
    )


@page("see_desk")
def prints(request: Request, tournament: Tournament) -> HttpResponse:
    """Lay the seating out for paper: by name, by table, by session, a card for each player."""
    what = request.GET.get("what", "names")
    sessions = seated_sessions(tournament)
    what = what if what in PRINTS else PRINTS[0]
    wanted = request.GET.get("session", "")
    chosen = [one for one in sessions if str(one.number) == wanted] or sessions
    paper = choice_of(request.GET, "paper", PAPERS) or PAPERS[0]
    one_session = chosen[0] if len(chosen) == 1 and len(sessions) > 1 else None
    halls = [(one, list(seated_tables(one))) for one in chosen] if what in ("tables", "sessions") else []
    return show(
        request,
        "seating/prints.html",
        tournament,
        what=what,
        paper=paper,
        on_paper="" if paper == PAPERS[0] else f"&paper={paper}",
        of_session=f"&session={one_session.number}" if one_session else "",
        sessions=sessions,
        chosen=chosen,
        one_session=one_session,
        rows=[] if halls else seats_by_player(tournament, chosen, only_active=what == "cards"),
        halls=halls,
        by_table=by_table(halls),
    )
