"""A game that was played elsewhere becomes the protocol of a table: all of its hands or none."""

from hashlib import sha256

from django.db import transaction

from scoring.problems import gettext_noop
from tournaments.models import Protocol
from tournaments.record.actors import Actor
from tournaments.record.refusal import refuse
from tournaments.tables.operations.entering import SentHand, enter_hands
from tournaments.tables.operations.recording import Intent
from tournaments.tables.queries.logs import Game


@transaction.atomic
def enter_game(protocol: Protocol, game: Game, *, intent: Intent, by: Actor) -> int:
    """Record the hands of a game, all of them or none; sent again under the same key, nothing changes. [RULES 1.5]

    A log tells a game from its first hand, so its table has none yet.
    """
    if game.names and intent.seen:
        refuse("game_begun", BEGUN)
    sent = [
        SentHand(facts, Intent(intent.seen + at, _key_of(intent.key, at), facts), is_sure=True)
        for at, facts in enumerate(game.hands)
    ]
    taken = len(enter_hands(protocol, sent, by=by).answers)
    if taken < len(sent):
        enter_hands(
            protocol, sent[taken:], by=by
        )  # the first of these is refused, and with it the whole game
    return len(sent)


def _key_of(key: str, at: int) -> str:
    """Return the key of one hand of a game, made from that of the whole."""
    return sha256(f"{key}/{at}".encode()).hexdigest()


BEGUN = gettext_noop("This table has entries already; a game is imported into an empty protocol.")
