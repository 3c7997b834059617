"""SQLite for many threads of one process: who would write waits for a turn, instead of trying again ever more seldom.

SQLite itself keeps no queue: whoever finds it taken sleeps up to a tenth of a second and tries again, so that of
twenty who write some are overtaken for seconds. A writer of another process is still met that way.
"""

import threading
from collections import defaultdict
from typing import Any

from django.db.backends.sqlite3 import base

from config.server.sqlite.private import make_database_private

_turns: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, whose transactions take turns."""

    turn: "threading.Lock | None" = None

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Connect to a file that its owner alone can read."""
        if not self.is_in_memory_db():
            make_database_private(conn_params["database"])
        return super().get_new_connection(conn_params)

    def _start_transaction_under_autocommit(self) -> None:
        """Begin when it is our turn; after waiting too long, let SQLite raise that it is locked."""
        turn = _turns[str(self.settings_dict["NAME"])]
        if turn.acquire(timeout=self.settings_dict["OPTIONS"].get("timeout", 5)):
            self.turn = turn
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._pass_on()
            raise

    def _commit(self) -> Any:
        try:
            return super()._commit()  # type: ignore[misc]
        finally:
            self._pass_on()

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]
        finally:
            self._pass_on()

    def _close(self) -> Any:
        try:
            return super()._close()  # type: ignore[misc]
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        turn, self.turn = self.turn, None
        if turn is not None:
            turn.release()
