"""PINs at the confirmation: what a player types, checked, and slowed for whoever guesses."""

from datetime import timedelta
from hmac import compare_digest

from django.core.cache import cache

from scoring.problems import gettext_noop
from tournaments.access import pin_of
from tournaments.models import Player
from tournaments.strict import refuse

TRIES = 5
PAUSE = timedelta(minutes=5)


def check_pin(player: Player, pin: str) -> None:
    """Refuse a PIN that is missing or not this player's; after five wrong ones nothing is read for five minutes."""
    name = str(player)
    if not pin:
        refuse("pin_required", gettext_noop("Enter the PIN of %(name)s."), field="pin", name=name)
    if (cache.get(_tries(player)) or 0) >= TRIES:
        refuse(
            "too_many_tries",
            gettext_noop("Too many wrong PINs. Wait five minutes, or ask a referee to confirm for %(name)s."),
            name=name,
        )
    if not compare_digest(pin.encode(), pin_of(player).encode()):
        _count(player)
        refuse("pin_wrong", gettext_noop("This is not the PIN of %(name)s."), field="pin", name=name)
    cache.delete(_tries(player))


def _count(player: Player) -> None:
    key = _tries(player)
    cache.add(key, 0, timeout=int(PAUSE.total_seconds()))
    cache.incr(key)


def _tries(player: Player) -> str:
    return f"pin-tries:{player.pk}"
