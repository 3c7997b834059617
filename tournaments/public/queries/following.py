"""People whom somebody follows: where they sit now, their places and their best hands, event by event. [RULES 9.36]"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Q

from tournaments.models import Registration, Seat, Session, Standing, Tournament
from tournaments.models.tournament import OPEN_TO_STRANGERS
from tournaments.people.queries.persons import SEEN, also_now
from tournaments.sessions.queries import current_session
from tournaments.standings.queries.figures import HandCard, hand_cards
from tournaments.standings.queries.frozen import shown_standings
from tournaments.standings.queries.statistics import event_figures
from tournaments.standings.queries.table import newest_revision, value_text
from tournaments.web.labels import heading_of

MOST = 60
STATES = (Tournament.State.RUNNING, Tournament.State.ANNOUNCED, Tournament.State.CLOSED)

Key = tuple[str, int]


@dataclass(frozen=True)
class Followed:
    """A followed person in one event."""

    row: Registration
    is_chosen: bool
    seat: Seat | None
    points: int | None
    standing: Standing | None
    value: str
    hand: HandCard | None

    @property
    def key(self) -> str:
        """Return what names the person's entry in addresses."""
        return f"{self.row.tournament.slug}.{self.row.number}"


@dataclass(frozen=True)
class FollowedEvent:
    """An event with those in it who are followed, the best placed first."""

    tournament: Tournament
    session: Session | None
    people: Sequence[Followed]
    taking_part: int
    criterion: str
    revision: int


def parse_keys(text: str) -> list[Key]:
    """Read whom an address names, `event.number` with commas between; what is none is left out."""
    found: dict[Key, None] = {}
    for part in text.split(",")[: 2 * MOST]:
        slug, _dot, number = part.strip().rpartition(".")
        if slug and number.isascii() and number.isdigit() and len(number) <= 6:
            found[slug, int(number)] = None
    return list(found)[:MOST]


def followed_events(keys: Sequence[Key]) -> list[FollowedEvent]:
    """Gather the events of those who are named: events in play first, then those to come, then the latest ones."""
    chosen = _chosen(keys)
    rows = {row.pk: row for row in [*chosen, *also_now(chosen)]}
    picked = {row.pk for row in chosen}
    by_event: dict[int, list[Registration]] = {}
    events: dict[int, Tournament] = {}
    for row in rows.values():
        row.tournament = events.setdefault(row.tournament_id, row.tournament)
        by_event.setdefault(row.tournament_id, []).append(row)
    found = [_event(events[pk], people, picked) for pk, people in by_event.items()]
    return sorted(found, key=_order)


def _order(event: FollowedEvent) -> tuple[int, int, int]:
    of = event.tournament
    rank = STATES.index(of.state) if of.state in STATES else len(STATES)
    return rank, -of.first_day.toordinal(), -of.pk


def _chosen(keys: Iterable[Key]) -> list[Registration]:
    """Find whom strangers may see; erased persons are found no more."""
    named = Q(pk=None)
    for slug, number in keys:
        named |= Q(tournament__slug=slug, number=number)
    rows = Registration.objects.filter(
        named,
        player__erased_at=None,
        status__in=(*SEEN, Registration.Status.WAITING),
        tournament__in=Tournament.objects.filter(OPEN_TO_STRANGERS),
    )
    return list(rows.select_related("player", "tournament"))


def _event(of: Tournament, rows: list[Registration], picked: set[int]) -> FollowedEvent:
    players = {row.player_id for row in rows}
    session = current_session(of)
    standings = {one.player_id: one for one in _standings(of, players)}
    seats = _seats(session, players)
    hands = _hands(of, players)
    first = of.regulation["ranking"][0]
    people = [
        Followed(
            row=row,
            is_chosen=row.pk in picked,
            seat=seats.get(row.player_id),
            points=_points(seats.get(row.player_id), row, session),
            standing=standings.get(row.player_id),
            value=value_text(first, one.values.get(first))
            if (one := standings.get(row.player_id)) and one.place
            else "",
            hand=hands.get(row.player_id),
        )
        for row in rows
    ]
    people.sort(key=lambda one: ((one.standing and one.standing.place) or 10**9, one.row.number))
    return FollowedEvent(
        tournament=of,
        session=session,
        people=people,
        taking_part=of.standings.exclude(place=None).count(),
        criterion=heading_of(first),
        revision=newest_revision(of),
    )


def _standings(of: Tournament, players: Iterable[int]) -> list[Standing]:
    if of.is_frozen:
        return shown_standings(of)
    return list(of.standings.filter(player__in=players))


def _seats(session: Session | None, players: Iterable[int]) -> dict[int, Seat]:
    """Find where people sit in the session of now, or where somebody sits for them."""
    if session is None or session.state == Session.State.CLOSED:
        return {}
    rows = session.seats.filter(
        Q(player__in=players) | Q(kept_for__in=players), table__protocol__isnull=False
    ).select_related("table", "player")
    found: dict[int, Seat] = {}
    for seat in rows:
        for player in (seat.player_id, seat.kept_for_id):
            if player is not None:
                found.setdefault(player, seat)
    return found


def _points(seat: Seat | None, row: Registration, session: Session | None) -> int | None:
    """Return what somebody has at the table now; nothing where a freeze hides it or somebody else plays. [RULES 9.15]"""
    if seat is None or session is None or session.state != Session.State.OPEN:
        return None
    if seat.player_id != row.player_id or row.tournament.hides_session(session.number):
        return None
    return seat.hand_points


def _hands(of: Tournament, players: Iterable[int]) -> dict[int, HandCard]:
    """Return everybody's best hand of the event, described by one query; none while standings are frozen. [RULES 9.15]"""
    if of.is_frozen or of.state not in (Tournament.State.RUNNING, Tournament.State.CLOSED):
        return {}
    tallies = event_figures(of).whole.players
    best = [tallies[player].best for player in players if player in tallies]
    return {card.won.player or 0: card for card in hand_cards(of, [won for won in best if won])}
