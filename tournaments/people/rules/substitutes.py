"""Who may sit in a player's seat, from when on, and when the player may come back."""

from dataclasses import dataclass

from scoring.problems import Problem, gettext_noop


@dataclass(frozen=True)
class Candidate:
    """Somebody of the pool as far as a seat is concerned; `table` is where the person sits in this session."""

    name: str
    is_assistant: bool = False
    is_chief_referee: bool = False
    table: int | None = None


@dataclass(frozen=True)
class SeatState:
    """A seat with what has been played at its table."""

    player: str
    table: int
    session: int
    hands: int = 0
    from_hand: int = 1
    is_session_over: bool = False
    is_settled: bool = False
    is_replaced: bool = False
    left_after: int | None = None
    has_left: bool = False

    @property
    def has_substitute_played(self) -> bool:
        """Return whether whoever replaces the player has played a hand."""
        return self.is_replaced and self.hands >= self.from_hand


def substitution_problems(
    candidate: Candidate, seat: SeatState, from_hand: int, *, assistants_substitute: bool
) -> list[Problem]:
    """Return why somebody may not take a seat: the chief referee never may, and nobody sits twice in a session. [RIICHI reg. 5.5]"""
    problems = [*_closed(seat), *candidate_problems(candidate, assistants_substitute=assistants_substitute)]
    if candidate.table is not None:
        details = {"name": candidate.name, "t": candidate.table}
        problems.append(Problem("player_twice", ALREADY_SEATED, field="substitute", details=details))
    least = 1 if seat.left_after is None else seat.left_after + 1
    most = max(least, seat.hands + 1)
    if not least <= from_hand <= most:
        details = {"least": least, "most": most}
        problems.append(Problem("out_of_range", FROM_HAND, "from_hand", "RECORD 2", details))
    return problems


def candidate_problems(candidate: Candidate, *, assistants_substitute: bool) -> list[Problem]:
    """Return why somebody may not play: the chief referee never may, assistants by the regulation. [RIICHI reg. 5.6]"""
    if candidate.is_chief_referee:
        return [Problem("conflict_of_interest", CHIEF_REFEREE, "substitute", "RIICHI reg. 5.5")]
    if candidate.is_assistant and not assistants_substitute:
        return [Problem("assistant_plays", ASSISTANT, "substitute", "RIICHI reg. 5.6")]
    return []


def empty_problems(seat: SeatState) -> list[Problem]:
    """Return why a seat cannot be left empty: after the first hand its hands must stay somebody's. [RULES 8.34]"""
    if not seat.hands:
        return _closed(seat)
    return [Problem("table_started", HAS_BEGUN, clause="RULES 8.35", details={"t": seat.table})]


def leave_problems(seat: SeatState, last_hand: int) -> list[Problem]:
    """Return why a player cannot have left after a hand: the session is over, or nobody plays there any more. [SBR 3.1.2] [RULES 8.55]"""
    if seat.has_left:
        return [Problem("wrong_state", HAS_LEFT, details={"name": seat.player})]
    if seat.is_replaced and not seat.has_substitute_played:
        return [Problem("wrong_state", NOBODY_PLAYED, clause="RULES 8.55", details={"name": seat.player})]
    least = seat.from_hand if seat.is_replaced else 0
    if not least <= last_hand <= seat.hands + 1:
        details = {"least": least, "most": seat.hands + 1}
        return [Problem("out_of_range", LAST_HAND, "last_hand", "RULES 8.55", details)]
    return _closed(seat)


def return_problems(seat: SeatState) -> list[Problem]:
    """Return why a player cannot come back now: a hand was played in the seat, or without the player. [RULES 8.35] [RULES 8.55]"""
    if seat.left_after is not None and seat.hands > seat.left_after:
        details = {"name": seat.player, "n": seat.session}
        return [Problem("table_started", PLAYED_WITHOUT, clause="RULES 8.55", details=details)]
    if not seat.is_replaced and not seat.has_left:
        return [Problem("wrong_state", NOT_REPLACED, details={"name": seat.player})]
    if seat.has_substitute_played:
        details = {"name": seat.player, "n": seat.session}
        return [Problem("table_started", SEAT_IS_TAKEN, clause="RULES 8.35", details=details)]
    return _closed(seat)


def _closed(seat: SeatState) -> list[Problem]:
    if seat.is_session_over:
        return [Problem("round_closed", SESSION_CLOSED, details={"n": seat.session})]
    if seat.is_settled:
        return [Problem("game_signed", SETTLED, details={"t": seat.table})]
    return []


CHIEF_REFEREE = gettext_noop("The chief referee may not play.")
ASSISTANT = gettext_noop("By this regulation assistants of the chief referee may not substitute.")
ALREADY_SEATED = gettext_noop("%(name)s is already at table %(t)s.")
FROM_HAND = gettext_noop("Name a hand from %(least)s to %(most)s: the one from which the substitute plays.")
LAST_HAND = gettext_noop("Name a hand from %(least)s to %(most)s: the last one that was played in the seat.")
HAS_LEFT = gettext_noop("%(name)s has left the table already.")
NOBODY_PLAYED = gettext_noop(
    "Whoever replaces %(name)s has not played a hand yet; seat another substitute, or give the seat back first."
)
PLAYED_WITHOUT = gettext_noop(
    "Hands were played without %(name)s in session %(n)s; the player comes back with the next session."
)
HAS_BEGUN = gettext_noop("Table %(t)s has played hands; seat a substitute instead of leaving the seat empty.")
NOT_REPLACED = gettext_noop("%(name)s sits there already.")
SEAT_IS_TAKEN = gettext_noop(
    "A substitute has played for %(name)s in session %(n)s, so its result is fixed; "
    "the player comes back with the next session."
)
SESSION_CLOSED = gettext_noop("Session %(n)s is closed.")
SETTLED = gettext_noop("The protocol of table %(t)s is confirmed; nobody can change seats there any more.")
