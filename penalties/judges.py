"""What the record asks of its judges and tells them."""

from penalties.appeals import operations as appeals_operations
from penalties.appeals.queries import all_appeals, appeal_deadline
from penalties.ladder.operations import dead_hands, penalties
from penalties.ladder.queries.dead_hand_marks import dead_hands_at
from penalties.ladder.queries.penalties import JudgedEvent, penalties_without_points
from penalties.lateness import rules as lateness_rules
from penalties.models import Lateness
from penalties.player.queries import judgements_about
from penalties.web.needs import needs_of
from scoring.problems import Problem, gettext_noop
from tournaments.models import Hand, Player, Registration, Session, Table, Tournament
from tournaments.record.actors import Actor
from tournaments.record.judges import OpenAppeal

IS_OUT = gettext_noop("%(name)s is out of the event. Revoke that decision first; the seat then goes back.")


class PenaltyJudges:
    """What the record asks of the judges, answered from penalties, lateness and appeals."""

    appeals_until = staticmethod(appeal_deadline)
    data_of = staticmethod(judgements_about)
    dead_hands = staticmethod(dead_hands_at)
    penalties_without_points = staticmethod(penalties_without_points)
    needs = staticmethod(needs_of)
    player_was_erased = staticmethod(appeals_operations.erase_words_of)
    regulation_was_changed = staticmethod(penalties.follow_regulation)

    def open_appeals(self, tournament: Tournament) -> list[OpenAppeal]:
        """List the appeals that nobody has decided yet. [SBR 2.9]"""
        return [
            OpenAppeal(row.number, row.session.number, str(row.player))
            for row in all_appeals(tournament)
            if row.is_open
        ]

    def return_problems(self, session: Session, player: Player) -> list[Problem]:
        """Return why a player may not take their own seat again: removed, or too late. [SBR 2.8.4.5] [RULES 8.55] [RULES 9.9]"""
        out = (Registration.Status.REMOVED, Registration.Status.DISQUALIFIED)
        if Registration.objects.filter(player=player, status__in=out).exists():
            return [Problem("is_out", IS_OUT, clause="RULES 8.55", details={"name": str(player)})]
        row = session.latenesses.filter(player=player, is_waived=False).first()
        if row is None or row.state == Lateness.State.MISTAKE:
            return []
        rules = JudgedEvent(session.tournament).rules_of(session.number).lateness
        return lateness_rules.return_problems(rules, row.seconds, name=str(player), session=session.number)

    def hand_was_struck(self, table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
        """Renumber the hands that penalties and appeals name."""
        appeals_operations.follow_struck_hand(table, number, hand)
        dead_hands.follow_struck_hand(table, number, hand, by=by, reason=reason)

    def hand_was_restored(self, table: Table, number: int, hand: Hand, *, by: Actor, reason: str) -> None:
        """Renumber the hands that penalties and appeals name; those about this hand name it again."""
        appeals_operations.follow_restored_hand(table, number, hand)
        dead_hands.follow_restored_hand(table, number, hand, by=by, reason=reason)

    def has_decided(self, session: Session) -> bool:
        """Return whether a penalty, lateness or appeal of a session is on record."""
        rows = (session.penalties, session.latenesses, session.appeals)
        return any(row.exists() for row in rows)

    def awaited(self, session: Session) -> list[Player]:
        """List the players whose minutes run in a session. [RULES 8.54]"""
        rows = session.latenesses.filter(state=Lateness.State.RUNNING).select_related("player")
        return [row.player for row in rows.order_by("id")]

    def open_appeals_of(self, player: Player) -> list[int]:
        """List the numbers of a player's appeals that are not decided yet."""
        return [row.number for row in player.appeals.all() if row.is_open]
