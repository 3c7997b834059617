"""Reading at one moment: what is compared with each other was true at the same time, whoever writes meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction


@contextmanager
def one_moment() -> Iterator[None]:
    """Read everything inside as it was at one moment. Nobody waits for it, and nothing is written inside.

    A transaction of its own would take the lock of SQLite's one writer, so this one only reads; on PostgreSQL one that is read
    committed sees in each statement what was committed meanwhile.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        with _reading(connection), transaction.atomic():
            yield


@contextmanager
def _reading(sqlite: Any) -> Iterator[None]:
    """Let transactions of SQLite begin without the writer's lock."""
    mode, sqlite.transaction_mode = sqlite.transaction_mode, None
    try:
        yield
    finally:
        sqlite.transaction_mode = mode
