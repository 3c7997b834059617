"""What the record asks about draws."""

from seating.drafts.operations import take_back_problems
from seating.drafts.queries import published_draw
from seating.models import Draw
from tournaments.models import Session, Tournament
from tournaments.record.draws import OpenDraw


class Urn:
    """The answers to what the record asks about draws."""

    def open_draw(self, tournament: Tournament) -> OpenDraw | None:
        """Return the draw that is being made, else the draft; their page shows them in the same order."""
        rows = list(tournament.draws.filter(state__in=(Draw.State.RUNNING, Draw.State.DRAFT)))
        rows.sort(key=lambda row: row.state != Draw.State.RUNNING)
        if not rows:
            return None
        return OpenDraw(
            sessions=sorted(rows[0].sessions),
            is_running=rows[0].state == Draw.State.RUNNING,
            is_redraw=bool(rows[0].inputs.get("replaces")),
        )

    def has_proof(self, session: Session) -> bool:
        """Return whether the session was seated by a draw of this site."""
        return published_draw(session) is not None

    def may_take_back(self, session: Session) -> bool:
        """Return whether the publication of a session's seating can still be taken back."""
        row = published_draw(session)
        if row is None or not session.is_published:
            return False
        row.tournament = session.tournament
        return not take_back_problems(row)
