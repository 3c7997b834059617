"""The connections of this process: how long a head may take, how slowly an answer may be read, and who makes room.

uvicorn waits for a head or a slow reader without a limit. Here both have one, and some descriptors are kept free for
tablets and the desk.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from config.server import limits
from config.server.callers import Callers, Rank
from config.server.descriptors import PLENTY, Budget
from config.server.limits import MOST_HEAD, MOST_HEADERS, MOST_PIPELINED

logger = logging.getLogger(__name__)

LOOK = 1.0
SLICE = 500
EVICTED = 50


class HeadTooLarge(Exception):
    """The head of a request has more lines or bytes than any browser sends."""


class TooManyAtOnce(Exception):
    """More requests came behind one another than anybody sends without waiting for an answer."""


class Nowhere(list[tuple[bytes, bytes]]):
    """A list that stays empty, for lines that a sender adds behind a body: they are no headers."""

    def append(self, line: tuple[bytes, bytes]) -> None:
        """Forget the line."""


NOWHERE = Nowhere()
read_on = HttpToolsProtocol.data_received
begin_request = HttpToolsProtocol.on_headers_complete
take_part = HttpToolsProtocol.on_body


class Connection(HttpToolsProtocol):
    """One connection, which measures heads, and knows how long it has waited for one and for its reader."""

    watch: "Connections"
    came = 0
    is_refused = False
    last_cycle: Any = None
    waited = 0.0
    unread = 0
    unread_for = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place among the connections."""
        super().connection_made(transport)
        self.unanswered: list[Any] = []
        self.watch = self.app_state.get("connections") or Connections(Callers(), PLENTY)
        self.watch.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place in the count; requests that wait behind another one are told too that the sender has left."""
        super().connection_lost(exc)
        for cycle in self.unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        self.watch.forget(self)

    def data_received(self, data: bytes) -> None:
        """Read what came; refuse what goes on and on without becoming a head or a part of a body."""
        self.came += len(data)
        read_on(self, data)
        if self.came > MOST_HEAD and not self.is_refused:
            self.is_refused = True
            self.send_400_response("")

    def on_headers_complete(self) -> None:
        """Begin the request, unless its head is too large or too many wait before it."""
        if self.came > MOST_HEAD or len(self.headers) > MOST_HEADERS:
            self._measure_head()
        if len(self.pipeline) >= MOST_PIPELINED:
            self.transport.close()
            raise TooManyAtOnce
        self.came = 0
        before = self.cycle
        begin_request(self)
        self.headers = NOWHERE
        if self.pipeline and before is not None:
            self.unanswered.append(before)
        if self.watch.is_tight:
            self.watch.leave_after(self)

    def on_body(self, body: bytes) -> None:
        """Take a part of a body; lines behind it, and what stands beside the lengths of its chunks, are measured as a head is."""
        self.came = 0
        take_part(self, body)

    def _measure_head(self) -> None:
        """Refuse the head if it is too large itself, without the body that came with it."""
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > MOST_HEAD or len(self.headers) > MOST_HEADERS:
            self.is_refused = True
            raise HeadTooLarge

    def send_400_response(self, msg: str) -> None:
        """Answer a request that cannot be read or is too large, and end the connection."""
        if not self.transport.is_closing():
            status = 431 if self.is_refused else 400
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
            self.transport.close()

    def resume_writing(self) -> None:
        """Note that the reader reads."""
        super().resume_writing()
        self.unread_for = 0.0

    @property
    def is_waiting(self) -> bool:
        """Whether no request is being answered: a head has yet to come."""
        return self.cycle is None or self.cycle.response_complete

    def look(self, seconds: float) -> None:
        """End the connection if no head comes, or if its answers are not read."""
        self.waited = self.waited + seconds if self.is_waiting and self.cycle is self.last_cycle else 0.0
        self.last_cycle = self.cycle
        if self.waited > limits.HEAD_SECONDS:
            self.transport.close()
        before, self.unread = self.unread, self.transport.get_write_buffer_size()
        is_stuck = self.unread and before and self.unread > before - limits.LEAST_READ * seconds
        self.unread_for = self.unread_for + seconds if is_stuck else 0.0
        if self.unread_for > limits.UNREAD_SECONDS:
            self.transport.abort()


class Connections:
    """All connections of this process."""

    def __init__(self, callers: Callers, budget: Budget) -> None:
        self.callers, self.budget = callers, budget
        self.open: dict[Connection, None] = {}
        self.is_tight = False
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look after the connections."""
        self.task = asyncio.create_task(self._look_on())

    async def stop(self) -> None:
        """End it."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    def admit(self, connection: Connection) -> None:
        """Admit a connection; if that takes one kept for tablets and the desk, end one of a stranger that is idle."""
        self.open[connection] = None
        self._count()
        if self.is_tight:
            self._evict(connection)
            if len(self.open) > self.budget.connections:
                connection.transport.abort()

    def forget(self, connection: Connection) -> None:
        """Count a connection no longer."""
        self.open.pop(connection, None)
        self._count()

    def _count(self) -> None:
        """Note whether only what is kept for tablets and the desk is left."""
        self.is_tight = len(self.open) > self.budget.connections - self.budget.reserve

    def leave_after(self, connection: Connection) -> None:
        """End a stranger's connection after its answer."""
        if self._rank_of(connection) > Rank.DESK:
            connection.cycle.keep_alive = False

    def _evict(self, newcomer: Connection) -> None:
        """End connections of strangers that carry no request, those that have waited longest first."""
        idle = [one for one in self.open if one.is_waiting and one is not newcomer]
        strangers = [one for one in idle if self._rank_of(one) > Rank.DESK]
        strangers.sort(key=lambda one: one.waited, reverse=True)
        for one in strangers[: max(1, len(self.open) // EVICTED)]:
            self.forget(one)
            one.transport.abort()

    def _rank_of(self, connection: Connection) -> Rank:
        """Return the rank of whoever sent the last request."""
        scope: Any = connection.scope
        return Rank.STRANGER if scope is None else self.callers.rank_of(scope)

    async def _look_on(self) -> None:
        """Look at every connection each second, in slices between which requests are served."""
        loop = asyncio.get_running_loop()
        before = loop.time()
        while True:
            await asyncio.sleep(LOOK)
            before, seconds = loop.time(), loop.time() - before
            for number, connection in enumerate(tuple(self.open), start=1):
                with contextlib.suppress(Exception):
                    connection.look(seconds)
                if number % SLICE == 0:
                    await asyncio.sleep(0)
            drop_largest(self.open)


def drop_largest(connections: Iterable[Any]) -> None:
    """End connections until what is unread of all of them is within its bound, the largest first."""
    unread = {one: one.unread for one in connections if one.unread}
    total = sum(unread.values())
    for one in sorted(unread, key=unread.__getitem__, reverse=True):
        if total <= limits.MOST_UNREAD:
            return
        one.transport.abort()
        total -= unread[one]
