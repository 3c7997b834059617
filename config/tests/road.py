"""A road between browsers and the site that can be blocked in the ways in which networks and servers fail."""

import asyncio
import re
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import Enum

from conftest import wait_for

IS_STREAM = re.compile(rb"GET /live/[^ ]+/events ")


class State(Enum):
    """What becomes of what travels on the road."""

    OPEN = "open"
    FROZEN = "frozen"
    CUT = "cut"
    NO_STREAM = "no_stream"
    HELD_BACK = "held_back"


class Road:
    """Relays connections to a port of this machine, in a thread of its own."""

    def __init__(self, to: int) -> None:
        """Know where the road leads; nothing is relayed before `open`."""
        self.to = to
        self.port = 0
        self.state = State.OPEN
        self.loop = asyncio.new_event_loop()
        self.changed = asyncio.Event()
        self.writers: set[asyncio.StreamWriter] = set()
        self.thread = threading.Thread(target=self._run, name="road", daemon=True)

    @property
    def url(self) -> str:
        """Return where browsers find the site."""
        return f"http://localhost:{self.port}"

    def open(self) -> None:
        """Begin to relay."""
        self.thread.start()
        wait_for(lambda: self.port, "The road was not opened")

    def close(self) -> None:
        """Stop relaying, and break what is open."""
        asyncio.run_coroutine_threadsafe(self._end(), self.loop).result(5)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)
        self.loop.close()

    async def _end(self) -> None:
        """End what is under way."""
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def become(self, state: State) -> None:
        """Change the state; what was held goes on when the road is open again."""
        self.loop.call_soon_threadsafe(self._become, state)

    def _become(self, state: State) -> None:
        self.state = state
        if state in {State.CUT, State.NO_STREAM, State.HELD_BACK}:
            for writer in tuple(self.writers):
                writer.transport.abort()
        self.changed.set()
        self.changed = asyncio.Event()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._relay, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        self.loop.run_forever()

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.writers.add(writer)
        with suppress(OSError):
            if self.state is State.CUT:
                writer.transport.abort()
                return
            there, back = await asyncio.open_connection("127.0.0.1", self.to)
            self.writers.add(back)
            stream = asyncio.Event()
            await asyncio.gather(
                self._carry(reader, back, self._watching(stream, writer)),
                self._carry(there, writer, self._holding(stream)),
                return_exceptions=True,
            )
            for end in (writer, back):
                self.writers.discard(end)
                end.close()

    async def _carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        gate: Callable[[bytes], Awaitable[None]],
    ) -> None:
        while part := await reader.read(65536):
            while self.state is State.FROZEN:
                await self.changed.wait()
            await gate(part)
            writer.write(part)
            await writer.drain()
        writer.close()

    def _watching(
        self, stream: asyncio.Event, writer: asyncio.StreamWriter
    ) -> Callable[[bytes], Awaitable[None]]:
        """Notice whoever asks for a stream; where none get through, end that connection."""

        async def gate(part: bytes) -> None:
            if IS_STREAM.match(part):
                stream.set()
                if self.state is State.NO_STREAM:
                    writer.transport.abort()
                    raise ConnectionResetError

        return gate

    def _holding(self, stream: asyncio.Event) -> Callable[[bytes], Awaitable[None]]:
        """Keep what a stream says while it is held back, as a proxy does that waits for the end of an answer."""

        async def gate(part: bytes) -> None:
            while stream.is_set() and self.state is State.HELD_BACK:
                await self.changed.wait()

        return gate
