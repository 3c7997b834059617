"""Games that were played elsewhere: a log is shown as it was understood, and only then becomes the protocol."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy, ngettext

from scoring.problems import Refusal
from scoring.systems import SYSTEMS
from tournaments.models import Protocol, Session, Table, Tournament
from tournaments.record.receipts import check_key
from tournaments.record.refusal import Refused
from tournaments.tables.operations import logs as operations
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.logs import MOST_BYTES, Game, read_game, unpacked
from tournaments.tables.queries.sheets import sheet_of
from tournaments.web.access import page
from tournaments.web.forms import RefusableForm
from tournaments.web.frame import done, show
from tournaments.web.requests import Request
from tournaments.web.strict import parse_whole


class LogForm(RefusableForm):
    """The log as a file or as text."""

    file = forms.FileField(label=gettext_lazy("File"), required=False, allow_empty_file=True)
    text = forms.CharField(
        label=gettext_lazy("Or the log as text"),
        required=False,
        max_length=MOST_BYTES,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def raw(self) -> bytes:
        """Return what was given, the file before the text."""
        given = self.cleaned_data["file"]
        if not given:
            return str(self.cleaned_data["text"]).strip().encode()
        given.seek(0)
        return unpacked(given.read(MOST_BYTES + 1))


@page("record_hands", methods=("GET", "POST"))
def import_game(request: Request, tournament: Tournament, session: Session, table: Table) -> HttpResponse:
    """Read a log and show it beside the seats; once confirmed, its hands are the protocol. [RULES 1.5]"""
    protocol = get_object_or_404(Protocol.objects.select_related("table__session__tournament"), table=table)
    form, game = LogForm(request.POST or None, request.FILES or None), None
    if form.is_valid():
        try:
            game = _read(protocol, form)
            if "sure" in request.POST and not game.against:
                return _entered(request, protocol, game)
        except (Refused, Refusal) as refused:
            form.add_refusal(refused if isinstance(refused, Refused) else Refused(*refused.problems))
            game = None
    return show(
        request,
        "organizer/import_game",
        tournament,
        session=session,
        table=table,
        protocol=protocol,
        form=form,
        game=game,
        text=form.raw().decode("utf-8", "replace") if game else "",
        seats=_seats(table, game),
        can_replay=SYSTEMS[tournament.system].replay is not None,
        status=422 if form.errors else 200,
    )


def _read(protocol: Protocol, form: LogForm) -> Game:
    rules = sheet_of(protocol).regulation["system_rules"]
    return read_game(protocol.table.session.tournament.system, rules, form.raw())


def _entered(request: Request, protocol: Protocol, game: Game) -> HttpResponse:
    intent = Intent(
        seen=parse_whole(request.POST.get("seen", ""), field="seen", least=0, most=10**6),
        key=check_key(request.POST.get("key", "")),
        body={"hands": len(game.hands)},
    )
    count = operations.enter_game(protocol, game, intent=intent, by=request.actor)
    table = protocol.table
    said = ngettext("%(n)s hand was imported.", "%(n)s hands were imported.", count) % {"n": count}
    return done(
        request,
        said,
        "tournaments:table_desk",
        table.session.tournament.slug,
        table.session.number,
        table.number,
    )


def _seats(table: Table, game: Game | None) -> list[tuple[Any, str]]:
    """Put the names of the log beside those who sit at the table, from the first dealer on."""
    seats = list(table.seats.select_related("player"))
    names = game.names if game else ()
    return [(seat, names[at] if at < len(names) else "") for at, seat in enumerate(seats)]
