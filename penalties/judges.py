"""What the record asks of its judges and tells them."""

from penalties.operations import dead_hands, penalties
from penalties.queries import dead_hands_at
from tournaments.actors import Actor
from tournaments.judges import DeadHand
from tournaments.models import Table, Tournament


class Bench:
    """Penalties, as the record beneath them knows them."""

    def dead_hands(self, table: Table) -> list[DeadHand]:
        """List the dead hands in force at a table."""
        return dead_hands_at(table)

    def hand_was_struck(self, table: Table, number: int, *, by: Actor, reason: str) -> None:
        """Let penalties on later hands move with them."""
        dead_hands.follow_struck_hand(table, number, by=by, reason=reason)

    def regulation_was_changed(self, tournament: Tournament, *, by: Actor, reason: str) -> None:
        """Work out anew what the event's regulation prices."""
        penalties.follow_regulation(tournament, by=by, reason=reason)
