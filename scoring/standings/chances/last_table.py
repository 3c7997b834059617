"""What a player needs where points are ranked: no place at a table has a bound then, unless one table alone is left. [RULES 9.22]"""

from collections.abc import Mapping
from typing import NamedTuple

from scoring.standings.book import Player
from scoring.standings.chances.finishes import cast_of
from scoring.standings.chances.left import Outlook
from scoring.standings.chances.needs import Lead, Need
from scoring.standings.chances.reach import alone_by, is_last_session, is_plain
from scoring.standings.sessions import SessionFact, TableFact, TableReader


class LastTable(NamedTuple):
    """The only table that is not over, where points are ranked: who sits there, everybody's total before it, and what its points are worth.

    `first` is what the first place brings besides, `behind` the most that another place brings.
    """

    totals: Mapping[Player, int]
    players: tuple[Player, ...]
    by_point: int
    unit: int
    first: int
    behind: int


def last_table(outlook: Outlook) -> LastTable | None:
    """Return it where everybody else is done and points are all there is to the table."""
    if not is_last_session(outlook) or not is_plain(outlook) or len(outlook.left[0].tables) != 1:
        return None
    event, session = outlook.event, outlook.left[0]
    table = session.tables[0]
    first = event.regulation.ranking[0]
    cast = cast_of(outlook)
    keys = alone_by(event.regulation.ranking[:1], outlook, cast.book)
    totals = {cast.book.entrants[at].player: keys.totals[0][at] for at in cast.inside}
    reader = TableReader(event, SessionFact(session.number, session.regulation, ()), keys.scale)
    players = tuple(seat.player for seat in table.seats)
    moved = {player for number, player in event.given if number == session.number}
    moved |= {charge.player for charge in event.charges if charge.session == session.number}
    if keys.by_point <= 0 or first.is_mean or not session.may_play(len(players)):
        return None
    if not reader.is_plain(TableFact(table.number, table.seats)) or moved & set(players):
        return None
    if not totals.keys() >= set(players):
        return None
    worth = [keys.of_share(0, share) for share in reader.shares([-rank for rank in range(len(players))])]
    return LastTable(totals, players, keys.by_point, session.regulation.points_unit, worth[0], max(worth[1:]))


def need_at(last: LastTable, who: Player, place: int) -> Need | None:
    """Return with how many points the first at the table is within a place, and how far ahead of whom; nothing for those who are done.

    Equals count against the player. What a first place has in any case is not said: more than nothing, and than everybody there.
    """
    if who not in last.players:
        return None
    has = last.totals[who] + last.first
    step = last.by_point * last.unit
    done = sorted(
        (total for player, total in last.totals.items() if player not in last.players), reverse=True
    )
    points = last.unit * ((done[place - 1] - has) // step + 1) if len(done) >= place else 0
    leads = []
    for other in last.players:
        if other != who:
            ahead = last.unit * ((last.totals[other] + last.behind - has) // step + 1)
            if ahead > last.unit:
                leads.append(Lead(other, ahead))
    return Need(points=points if points > last.unit else None, leads=tuple(leads), is_alone=True)
