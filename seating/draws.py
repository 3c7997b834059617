"""What the record asks about draws."""

from seating.desk import following
from seating.drafts.operations import take_back_problems
from seating.drafts.queries import published_draw
from seating.models import Draw
from tournaments.models import Session, Tournament
from tournaments.record.actors import Actor
from tournaments.record.draws import NextDraw, OpenDraw


class Urn:
    """The answers to what the record asks about draws."""

    def open_draw(self, tournament: Tournament) -> OpenDraw | None:
        """Return the draw that is being made, else the draft; their page shows them in the same order."""
        rows = list(tournament.draws.filter(state__in=(Draw.State.RUNNING, Draw.State.DRAFT)))
        rows.sort(key=lambda row: row.state != Draw.State.RUNNING)
        return _open(rows[0]) if rows else None

    def next_draw(self, tournament: Tournament) -> NextDraw | None:
        """Return what one press would draw."""
        return following.next_draw(tournament)

    def draw_next(self, tournament: Tournament, *, by: Actor) -> OpenDraw | None:
        """Draw it."""
        made = following.draw_next(tournament, by=by)
        return _open(made) if made else None

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


def _open(draw: Draw) -> OpenDraw:
    """Tell the record of a draw that is not published."""
    return OpenDraw(
        sessions=sorted(draw.sessions),
        is_running=draw.state == Draw.State.RUNNING,
        is_redraw=bool(draw.inputs.get("replaces")),
    )
