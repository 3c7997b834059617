"""Sheets for the desk's printer: asked for, and ticked off once they are on paper."""

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from penalties.models import Lateness, PrintRequest
from scoring.problems import gettext_noop
from tournaments.models import Tournament
from tournaments.record import history
from tournaments.record.actors import Actor
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import refuse

KINDS = PrintRequest.Kind


def latenesses_of(tournament: Tournament) -> QuerySet[Lateness]:
    """List the latenesses that have a slip: not those noted by mistake."""
    return Lateness.objects.filter(session__tournament=tournament).exclude(state=Lateness.State.MISTAKE)


@transaction.atomic
def ask_for_print(tournament: Tournament, kind: str, number: int, *, by: Actor) -> PrintRequest:
    """Ask for a sheet; one that waits already is not asked for twice. The printer's page is told at once."""
    tournament = lock_tournament(tournament)
    if not _is_there(tournament, kind, number):
        refuse("not_found", gettext_noop("There is nothing of that number to print."))
    waiting = tournament.print_requests.filter(kind=kind, number=number, printed_at=None).first()
    if waiting is not None:
        return waiting
    asked = PrintRequest.objects.create(
        tournament=tournament, kind=kind, number=number, asked_by_id=by.id, asked_at=timezone.now()
    )
    history.ask_for_standings(tournament.pk)
    return asked


@transaction.atomic
def tick_off(tournament: Tournament, pks: Collection[int]) -> int:
    """Say that sheets are on paper: those that were shown, not those that were asked for meanwhile."""
    rows = tournament.print_requests.filter(pk__in=pks, printed_at=None)
    if not rows.exists():
        return 0
    count = rows.update(printed_at=timezone.now())
    history.ask_for_standings(tournament.pk)
    return count


def _is_there(tournament: Tournament, kind: str, number: int) -> bool:
    if kind == KINDS.LATE_SLIP:
        return latenesses_of(tournament).filter(pk=number).exists()
    rows: dict[str, QuerySet[Any]] = {
        KINDS.PENALTY.value: tournament.penalties.all(),
        KINDS.LATENESS.value: tournament.sessions.all(),
        KINDS.APPEAL.value: tournament.appeals.all(),
        KINDS.RECEIPT.value: tournament.appeals.all(),
    }
    return kind in rows and bool(rows[kind].filter(number=number).exists())
