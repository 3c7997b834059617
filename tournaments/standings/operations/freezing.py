"""Freezing the standings for strangers before the last session, and revealing the places one by one. [RULES 9.15]"""

from django.db import transaction

from scoring.problems import gettext_noop
from tournaments.models import FrozenStandings, Session, Tournament
from tournaments.record import history, receipts
from tournaments.record.actors import Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import refuse
from tournaments.standings.queries.frozen import last_closed, without_faces
from tournaments.standings.queries.table import standings_after

FIELDS = ["frozen_after", "places_hidden"]


@transaction.atomic
def freeze(tournament: Tournament, *, by: Actor) -> Tournament:
    """Show strangers the standings after the last closed session until they are revealed; results of later ones are withheld."""
    tournament = lock_tournament(tournament)
    if tournament.frozen_after is not None:
        return tournament
    session = last_closed(tournament)
    if session is None:
        refuse("wrong_state", gettext_noop("There is nothing to freeze before the first session is closed."))
    if not tournament.sessions.filter(number__gt=session.number).exists():
        refuse("wrong_state", gettext_noop("All sessions are closed: no result is left to hide."))
    said = without_faces(standings_after(tournament, session.number))
    FrozenStandings.objects.create(tournament=tournament, said=said)
    tournament.frozen_after, tournament.places_hidden = session.number, None
    tournament.save(update_fields=FIELDS)
    history.record(Kind.STANDINGS_FROZEN, tournament=tournament, by=by, data={"after": session.number})
    return tournament


@transaction.atomic
def show_again(tournament: Tournament, *, by: Actor) -> Tournament:
    """Take the freeze back, or end the reveal: strangers see everything at once, and the screens their usual pages."""
    tournament = lock_tournament(tournament)
    if tournament.frozen_after is None:
        return tournament
    kind = Kind.STANDINGS_SHOWN if tournament.is_frozen else Kind.REVEAL_ENDED
    FrozenStandings.objects.filter(tournament=tournament).delete()
    tournament.frozen_after = tournament.places_hidden = None
    tournament.save(update_fields=FIELDS)
    history.record(kind, tournament=tournament, by=by)
    return tournament


@transaction.atomic
def reveal(tournament: Tournament, *, hidden: int, by: Actor, key: str = "") -> Tournament:
    """Leave so many places hidden, counted from the first: one less reveals the next, one more takes a step back.

    It comes with a key: sent again under it, no place is skipped.
    """
    tournament = lock_tournament(tournament)
    body = {"operation": "reveal", "hidden": hidden}
    if key and receipts.answered(tournament, key, by=by, body=body) is not None:
        return tournament
    _check(tournament, hidden)
    if tournament.places_hidden != hidden:
        tournament.places_hidden = hidden
        tournament.save(update_fields=FIELDS)
        history.record(Kind.PLACES_REVEALED, tournament=tournament, by=by, data={"hidden": hidden})
    if key:
        receipts.store(tournament, key, by=by, body=body, answer={"hidden": hidden})
    return tournament


def _check(tournament: Tournament, hidden: int) -> None:
    if tournament.frozen_after is None:
        refuse("wrong_state", gettext_noop("The standings are not frozen."))
    playing = tournament.sessions.filter(state=Session.State.OPEN).order_by("number").first()
    if playing is not None:
        refuse(
            "still_playing",
            gettext_noop("Session %(n)s is still in play; its results are revealed once it is closed."),
            n=playing.number,
        )
    later = tournament.sessions.filter(number__gt=tournament.frozen_after, state=Session.State.CLOSED)
    if not later.exists():
        refuse(
            "wrong_state",
            gettext_noop("Nothing has been played since the freeze; there is nothing to reveal."),
        )
    most = placed(tournament)
    if not 0 <= hidden <= most:
        refuse("out_of_range", gettext_noop("There are %(most)s places."), field="hidden", most=most)


def placed(tournament: Tournament) -> int:
    """Count the players who have a place: whoever has none is shown with the first place revealed."""
    return tournament.standings.exclude(place=None).count()
