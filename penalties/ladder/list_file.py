"""The list of penalties as a file, for the chief referee and for the report to the federation."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from penalties.ladder.queries.penalties import PenaltyRow, penalty_rows
from penalties.models import Penalty
from tournaments.exchange.tables import Table, exactly, local
from tournaments.models import Tournament
from tournaments.table_numbers import shown_number
from tournaments.templatetags.looks import reason_words
from tournaments.web.files import Cell, FileTable, Row


def penalties(tournament: Tournament) -> FileTable:
    """Return every penalty with its clause and step, what it took, who decided it, and how it was undone. [RULES 1.8]"""
    return FileTable(_columns(), [_row(row, tournament) for row in penalty_rows(tournament)])


def _columns() -> Sequence[str]:
    return [
        _("No."), _("Session"), _("Table"), _("Hand"), _("Player"), _("Offence"), _("Clause"), _("Step"),
        _("Game points"), _("Tournament points"), _("Received by"), _("What follows"), _("Until"), _("State"),
        _("Decided by"), _("Referee"), _("Time"), _("What happened"), _("Why revoked"),
    ]  # fmt: skip


def _row(row: PenaltyRow, tournament: Tournament) -> Row:
    one = row.penalty
    return (
        one.number,
        one.session.number if one.session else None,
        shown_number(one.table.number) if one.table else None,
        one.hand,
        str(one.player),
        _(row.name),
        one.clause,
        row.step,
        row.game_points,
        exactly(row.tournament_points),
        _received_by(one),
        one.get_effect_display(),
        one.until.isoformat() if one.until else None,
        one.get_state_display(),
        one.get_decided_by_display(),
        one.given_by.title,
        local(one.given_at, tournament),
        reason_words(one.reason),
        reason_words(one.revoke_reason),
    )


def _received_by(one: Penalty) -> Cell:
    return str(one.to_player) if one.to_player else str(one.get_to_display()) if one.to else None


LIST = Table(
    "penalty-list",
    gettext_lazy("List of penalties"),
    gettext_lazy("With steps, clauses and who gave them; only for the judges"),
    penalties,
)
