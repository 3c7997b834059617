"""The audit of papers: the sample is drawn, and papers are typed. It changes no hand. [RULES 9.25]"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from scoring.problems import gettext_noop
from tournaments.models import PaperAudit, PaperSheet, Tournament
from tournaments.record import history
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import refuse
from tournaments.tables.queries.audits import recorded_tables
from tournaments.tables.rules.audit import METHOD, drawn


@transaction.atomic(durable=True)
def draw_sample(tournament: Tournament, *, seed: str, size: int, by: Actor) -> PaperAudit:
    """Draw tables with recorded hands from a seed; an earlier sample stays in the history."""
    tournament = lock_tournament(tournament)
    protocols = recorded_tables(tournament)
    if not protocols:
        refuse("nothing_to_do", gettext_noop("No table with recorded hands has ended yet."))
    last = tournament.paper_audits.last()
    if (
        last
        and (last.seed, last.tables) == (seed, len(protocols))
        and last.sheets.count() == min(size, len(protocols))
    ):
        return last
    chosen = drawn(seed, list(protocols), size)
    audit = PaperAudit.objects.create(tournament=tournament, seed=seed, tables=len(protocols))
    PaperSheet.objects.bulk_create(PaperSheet(audit=audit, protocol=protocols[place]) for place in chosen)
    data = {"method": METHOD, "seed": seed, "of": len(protocols), "tables": [list(place) for place in chosen]}
    history.record(Kind.AUDIT_DRAWN, tournament=tournament, by=by, data=data, moves_standings=False)
    return audit


@transaction.atomic(durable=True)
def type_paper(sheet: PaperSheet, hands: Sequence[Mapping[str, int]], *, by: Actor) -> None:
    """Keep what stands on a paper; typed again, the last one counts and the history has both."""
    tournament = lock_tournament(sheet.audit.tournament)
    sheet = PaperSheet.objects.select_related("protocol__table__session").get(pk=sheet.pk)
    typed = [dict(hand) for hand in hands]
    if sheet.hands == typed:
        return
    sheet.hands, sheet.typed_at = typed, timezone.now()
    sheet.save(update_fields=["hands", "typed_at"])
    table = sheet.protocol.table
    data = {"session": table.session.number, "table": table.number, "hands": typed}
    history.record(Kind.PAPER_TYPED, tournament=tournament, by=by, data=data, moves_standings=False)
