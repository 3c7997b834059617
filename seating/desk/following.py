"""The next draw in the way of the last one: what the page of the draw would do if somebody opened it and changed nothing."""

from django.utils.translation import gettext as _

from seating.desk.forms import APART, DrawForm, remembered_wishes
from seating.drafts import operations
from seating.drafts.plans import Options, inputs_of, problems_of
from seating.drafts.queries import open_sessions
from seating.models import Draw
from tournaments.models import Session, Tournament
from tournaments.record.actors import Actor
from tournaments.record.draws import NextDraw


def next_draw(tournament: Tournament) -> NextDraw | None:
    """Return what one press would draw; none where a choice or the public chance of a promised draw is wanted. [RULES 9.17]

    That nobody meets anybody twice may have been possible for the last session and be impossible now: then somebody has to choose, too.
    """
    sessions = open_sessions(tournament)
    wishes = remembered_wishes(tournament)
    modes = {mode: str(label) for mode, label in Draw.Mode.choices if mode != Draw.Mode.MANUAL}
    if not sessions or wishes["mode"] not in modes or tournament.commitments.filter(draw=None).exists():
        return None
    mode, options, drawn = _as_opened(tournament)
    if options.no_repeats and _is_impossible(tournament, mode, options, drawn):
        return None
    apart = [str(name) for kind, name in APART if kind in wishes["keep_apart"]]
    kept = _("kept apart: %(groups)s") % {"groups": ", ".join(apart).lower()} if apart else ""
    how = ", ".join(filter(None, [modes[wishes["mode"]].lower(), kept]))
    return NextDraw([one.number for one in drawn], how)


def _is_impossible(tournament: Tournament, mode: str, options: Options, sessions: list[Session]) -> bool:
    inputs = inputs_of(tournament, sessions, mode=mode, options=options)
    return any(one.code == "seating_impossible" for one in problems_of(inputs.to_json(), mode, options))


def _as_opened(tournament: Tournament) -> tuple[str, Options, list[Session]]:
    """Return what the page of the draw asks for as it opens: the mode, the wishes and the sessions."""
    form = DrawForm(
        None,
        tournament=tournament,
        sessions=open_sessions(tournament),
        is_redraw=False,
        initial=remembered_wishes(tournament),
    )
    mode = str(form["mode"].value())
    form.sessions = _drawn(form.sessions, mode)
    return mode, form.options(), form.sessions


def draw_next(tournament: Tournament, *, by: Actor) -> Draw | None:
    """Draw what the page of the draw would draw as it opens; a draft of this that is still good stays. [RULES 9.17]"""
    ahead = next_draw(tournament)
    if ahead is None:
        return None
    waiting = tournament.draws.filter(state__in=operations.ALIVE, sessions=list(ahead.sessions)).first()
    if waiting is not None and (waiting.state == Draw.State.RUNNING or not operations.is_stale(waiting)):
        return waiting
    mode, options, sessions = _as_opened(tournament)
    return operations.propose(tournament, sessions, mode=mode, by=by, options=options)


def _drawn(sessions: list[Session], mode: str) -> list[Session]:
    """Return the sessions that a mode draws at once: all that are left when fixed, else the next one."""
    return sessions if mode == Draw.Mode.FIXED else sessions[:1]
