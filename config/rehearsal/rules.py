"""How far a rehearsal has come, and what the next moment of it brings."""

SPEEDS = (1, 5, 20, 60)
MOST_PLAYERS, FEWEST_PLAYERS, USUAL_PLAYERS = 120, 4, 16
PLAYED_UP = 0.92
"""The share of a session by which every table has played and confirmed all its hands."""
SEATS_AFTER, START_AFTER = 5 * 60, 10 * 60
"""So many seconds after a session the next one is drawn, and so many after the draw it starts, where it goes on by itself."""
LONGEST_GAP = 10.0
"""A page that was closed for longer goes on from where it was: the event stood still meanwhile."""


def gone_by(before: float, now: float) -> float:
    """Return how many seconds of the hall have passed since the last turn."""
    return min(max(0.0, now - before), LONGEST_GAP)


def minutes_to_take(owed: float) -> tuple[int, float]:
    """Part the seconds by which the clock is behind into whole minutes and the rest."""
    return int(owed // 60), owed % 60


def steps_due(share: float, *, all_steps: int, done: int) -> int:
    """Return how many steps of the tables are due: each hand is one, and the end of each table."""
    return max(0, int(all_steps * min(1.0, share / PLAYED_UP)) - done)


def players_for(registered: int, most: int | None) -> int:
    """Return how many invented players to begin with: as many as are registered, or a usual number."""
    wanted = registered if registered >= FEWEST_PLAYERS else USUAL_PLAYERS
    return min(wanted, most or MOST_PLAYERS, MOST_PLAYERS)
