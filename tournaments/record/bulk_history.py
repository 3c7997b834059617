"""The history of a tournament that is imported: chained in memory, in order, and stored in one go."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone

from tournaments.models import HistoryEntry, Protocol, Tournament
from tournaments.record import history
from tournaments.record.actors import Actor

BATCH = 500


class BulkHistory:
    """Entries of new chains, each following the one before it as `history.record` would have written it.

    Only for a tournament whose chains are empty, in the transaction that makes it: nobody else can write there yet.
    """

    def __init__(self, tournament: Tournament, by: Actor) -> None:
        """Begin with empty chains."""
        self.tournament, self.by = tournament, by
        self.entries: list[HistoryEntry] = []
        self.numbers: Counter[int | None] = Counter()
        self.heads: dict[int | None, str] = {}

    def append(
        self,
        kind: str,
        *,
        protocol: Protocol | None = None,
        subject: str = "",
        data: Mapping[str, Any] | None = None,
        reason: str = "",
    ) -> None:
        """Append one entry to the chain of the protocol, else of the tournament."""
        chain = protocol.pk if protocol else None
        self.numbers[chain] += 1
        entry = history.entry(
            history.NewEntry(kind, subject, data or {}, reason),
            tournament=self.tournament,
            protocol=protocol,
            by=self.by,
            number=self.numbers[chain],
            previous=self.head(protocol),
        )
        self.heads[chain] = entry.digest
        self.entries.append(entry)

    def head(self, protocol: Protocol | None = None) -> str:
        """Return the digest of the newest entry of a chain."""
        return self.heads.get(protocol.pk if protocol else None, history.GENESIS)

    def number(self, protocol: Protocol) -> int:
        """Return how many entries a protocol has."""
        return self.numbers[protocol.pk]

    def store(self, protocols: Iterable[Protocol]) -> None:
        """Write everything, and the number of entries beside each chain; ask for fresh standings."""
        HistoryEntry.objects.bulk_create(self.entries, batch_size=BATCH)
        now, changed = timezone.now(), []
        for protocol in protocols:
            if self.number(protocol):
                protocol.version, protocol.changed_at = self.number(protocol), now
                changed.append(protocol)
        Protocol.objects.bulk_update(changed, ["version", "changed_at"], batch_size=BATCH)
        self.tournament.entries = self.numbers[None]
        self.tournament.save(update_fields=["entries"])
        history.ask_for_standings(self.tournament.pk)
