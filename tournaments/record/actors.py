"""Whoever does something to the record: a person with an account, an admitted tablet, a player by private link."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum


class ActorKind(StrEnum):
    """The kinds of actors; nobody acts without being one of them."""

    ANYONE = "anyone"
    USER = "user"
    DEVICE = "device"
    PLAYER = "player"
    SYSTEM = "system"


@dataclass(frozen=True)
class Actor:
    """Who acts: ids only, so that a person can be erased and the history still holds.

    `tables` are those that a tablet was admitted for.
    """

    kind: ActorKind
    id: int = 0
    roles: frozenset[str] = frozenset()
    device_id: int | None = None
    player_ids: frozenset[int] = field(default=frozenset())
    tables: tuple[int, ...] = ()

    def __str__(self) -> str:
        """Return kind and id, as the history and receipts keep it."""
        return f"{self.kind}:{self.id}" if self.id else str(self.kind)

    def may_enter(self, table_number: int) -> bool:
        """Return whether a tablet was admitted for this table; who names no tables may go to all."""
        return not self.tables or table_number in self.tables

    def has_role(self, *roles: str) -> bool:
        """Return whether the actor has one of the roles in the tournament."""
        return not self.roles.isdisjoint(roles)


def device_actor(pk: int, tables: Iterable[int]) -> Actor:
    """Return the actor for a tablet that is admitted for some tables."""
    roles = frozenset({ActorKind.DEVICE.value})
    return Actor(ActorKind.DEVICE, pk, roles, device_id=pk, tables=tuple(tables))


def digest_of(secret: str) -> str:
    """Return the digest to store of a secret that this software made and that has more than 128 bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


SYSTEM = Actor(ActorKind.SYSTEM)
ANYONE = Actor(ActorKind.ANYONE)
