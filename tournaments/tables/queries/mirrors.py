"""A table's last hand as its players see it on their phones, and what they said of their hands. [RULES 9.24]"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tournaments.models import Hand, HandCheck, Protocol, Seat, Session
from tournaments.models.protocol import InForce
from tournaments.tables.queries.hand_words import what_happened


@dataclass(frozen=True)
class Mirror:
    """The last hand of a table for one of its players: what happened, what it moved, and the player's own word."""

    hand: Hand
    seat: Seat
    what: str
    moves: list[tuple[Seat, int]]
    word: HandCheck | None
    earlier: list[HandCheck]

    @property
    def is_agreed(self) -> bool:
        """Return whether the player has said that the hand is right."""
        return self.word is not None and self.word.is_right


def mirror_of(protocol: Protocol, seat: Seat, seats: Sequence[Seat]) -> Mirror | None:
    """Return the last hand for whoever sits at a seat; None before the first, and outside of a session in play."""
    session = protocol.table.session
    hand = protocol.hands.filter(status=InForce.IN_FORCE).order_by("-number").first()
    if hand is None or seat.wind not in hand.payments or session.state != Session.State.OPEN:
        return None
    words = list(
        HandCheck.objects.filter(hand__protocol=protocol, wind=seat.wind, hand__status=InForce.IN_FORCE)
    )
    return Mirror(
        hand,
        seat,
        what_happened(hand, seats, system=session.tournament.system),
        [(one, hand.payments[one.wind]) for one in seats if one.wind in hand.payments],
        next((word for word in words if word.hand_id == hand.pk), None),
        [word for word in words if word.hand_id != hand.pk and not word.is_right and not word.settled_at],
    )


def checks_of(protocol: Protocol) -> dict[str, Any]:
    """Return what a tablet shows: each seat's word on the last hand, and the disputes that are open."""
    rows = HandCheck.objects.filter(hand__protocol=protocol, hand__status=InForce.IN_FORCE)
    found = [(row.hand, row) for row in rows.select_related("hand").order_by("hand__number", "wind")]
    if not found:
        return {}
    last = protocol.hands.filter(status=InForce.IN_FORCE).order_by("-number").first()
    return {
        "hand": last.number if last else 0,
        "recorded_at": last.recorded_at.isoformat() if last else "",
        "said": {row.wind: row.is_right or row.settled_at is not None for hand, row in found if hand == last},
        "disputes": [
            {"hand": hand.number, "wind": row.wind, "text": row.text}
            for hand, row in found
            if not row.is_right and row.settled_at is None
        ],
    }


def disputes_in(session: Session) -> dict[int, list[HandCheck]]:
    """Return the open disputes of a session by the numbers of its tables."""
    rows = HandCheck.objects.filter(
        hand__protocol__table__session=session, hand__status=InForce.IN_FORCE, is_right=False, settled_at=None
    )
    found: dict[int, list[HandCheck]] = defaultdict(list)
    for row in rows.select_related("hand__protocol__table", "player"):
        found[row.hand.protocol.table.number].append(row)
    return found
