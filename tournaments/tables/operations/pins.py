"""PINs at the confirmation: checked, and limited against guessing."""

from collections.abc import Iterator
from contextlib import contextmanager

from scoring.problems import Problem, gettext_noop
from tournaments.models import Player
from tournaments.record import limits
from tournaments.record.actors import Actor
from tournaments.record.limits import Limit, Rate
from tournaments.record.refusal import Refused, refuse
from tournaments.web.access import is_pin_of

FROM_ONE = Rate("pin-from-one", burst=5, every=60)
FROM_ALL = Rate("pin-from-all", burst=15, every=30)
"""Limits per tablet and per player: guessing on one tablet does not block the player on another, and several tablets gain little."""


class WrongPin(Refused):
    """Not the player's PIN: the only refusal of a confirmation that counts as a try."""


def check_pin(player: Player, pin: str) -> None:
    """Refuse a PIN that is missing or not this player's."""
    name = str(player)
    if not pin:
        refuse("pin_required", gettext_noop("Enter the PIN of %(name)s."), field="pin", name=name)
    if not is_pin_of(player, pin):
        sentence = gettext_noop("This is not the PIN of %(name)s.")
        raise WrongPin(Problem("pin_wrong", sentence, field="pin", details={"name": name}))


@contextmanager
def counted(player: Player, *, by: Actor) -> Iterator[None]:
    """Count a try before it is made and take it back unless the PIN was wrong, so that parallel tries are all counted."""
    used = (Limit(FROM_ONE, f"{player.pk}:{by}"), Limit(FROM_ALL, str(player.pk)))
    if limits.use(*used):
        refuse(
            "too_many_tries",
            gettext_noop("Too many wrong PINs. Wait a minute, or ask a referee to confirm for %(name)s."),
            name=str(player),
        )
    try:
        yield
    except WrongPin:
        raise
    except BaseException:
        limits.give_back(*used)
        raise
    else:
        limits.give_back(*used)
