# ruff: noqa: S608 – the only text put into the statements are the constants below
"""Database triggers that refuse to change or delete the history and the operator's log, also to a bug or a console."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db.backends.base.base import BaseDatabaseWrapper


@dataclass(frozen=True)
class Guarded:
    """An append-only table: how its triggers are called, what they say, and what makes a row a replacement."""

    table: str
    name: str
    says: str
    is_replaced: str

    @property
    def sqlite(self) -> Mapping[str, str]:
        """Return the triggers of SQLite by name."""
        abort = f"BEGIN SELECT RAISE(ABORT, '{self.says}'); END"
        there = f"EXISTS (SELECT 1 FROM {self.table} AS old WHERE {self.is_replaced})"
        return {
            f"{self.name}_refuses_update": f"BEFORE UPDATE ON {self.table} {abort}",
            f"{self.name}_refuses_delete": f"BEFORE DELETE ON {self.table} {abort}",
            f"{self.name}_refuses_replace": f"BEFORE INSERT ON {self.table} WHEN {there} {abort}",
        }

    @property
    def postgresql(self) -> Mapping[str, str]:
        """Return the triggers of PostgreSQL by name."""
        return {
            f"{self.name}_refuses_change": f"BEFORE UPDATE OR DELETE ON {self.table} FOR EACH ROW",
            f"{self.name}_refuses_truncate": f"BEFORE TRUNCATE ON {self.table} FOR EACH STATEMENT",
        }

    @property
    def function(self) -> str:
        """Return the function that the triggers of PostgreSQL call."""
        return f"""
CREATE OR REPLACE FUNCTION {self.name}_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{self.says}' USING ERRCODE = 'restrict_violation';
END $$
"""


HISTORY = Guarded(
    table="tournaments_historyentry",
    name="history",
    says="the history is append-only",
    is_replaced="old.id = NEW.id OR old.digest = NEW.digest"
    " OR (old.tournament_id = NEW.tournament_id AND old.number = NEW.number"
    " AND old.protocol_id IS NEW.protocol_id)",
)
OPERATORS_LOG = Guarded(
    table="tournaments_operatorentry",
    name="operators_log",
    says="the log of operators is append-only",
    is_replaced="old.id = NEW.id",
)
GUARDED = (HISTORY, OPERATORS_LOG)


def install(connection: BaseDatabaseWrapper, guarded_tables: Sequence[Guarded] = GUARDED) -> None:
    """Put the triggers in place; those already there stay."""
    with connection.cursor() as cursor:
        for guarded in _present(connection, guarded_tables):
            if connection.vendor == "sqlite":
                for name, body in guarded.sqlite.items():
                    cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {body}")
                continue
            cursor.execute(guarded.function)
            for name, timing in guarded.postgresql.items():
                cursor.execute(
                    f"CREATE OR REPLACE TRIGGER {name} {timing}"
                    f" EXECUTE FUNCTION {guarded.name}_is_append_only()"
                )


def remove(connection: BaseDatabaseWrapper, guarded_tables: Sequence[Guarded] = GUARDED) -> None:
    """Take the triggers away: for tests that empty the database, and for a migration backwards."""
    with connection.cursor() as cursor:
        for guarded in _present(connection, guarded_tables):
            if connection.vendor == "sqlite":
                for name in guarded.sqlite:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                continue
            for name in guarded.postgresql:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {guarded.table}")


@contextmanager
def open_for_removal(connection: BaseDatabaseWrapper, tournament_id: int) -> Iterator[None]:
    """Let the entries of one tournament be deleted within a transaction; those of every other stay refused.

    Whoever reads or writes in other transactions meets the triggers as they are: the change is undone before the commit,
    and by any failure. Who asks must have seen to it that the tournament is one of the demo.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("The history is opened within a transaction only.")
    number = int(tournament_id)
    with connection.cursor() as cursor:
        cursor.execute(_replaced(connection.vendor, number)[0])
        cursor.execute(_replaced(connection.vendor, number)[1])
    yield
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table with constraints still to be checked lets nobody replace its triggers.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        cursor.execute(_replaced(connection.vendor, number)[0])
    install(connection)


def _replaced(vendor: str, number: int) -> tuple[str, str]:
    """Return the statements that drop the trigger against deletion, and put one in its place that spares a tournament."""
    if vendor == "sqlite":
        refuses = f"BEGIN SELECT RAISE(ABORT, '{HISTORY.says}'); END"
        return "DROP TRIGGER history_refuses_delete", (
            f"CREATE TRIGGER history_refuses_delete BEFORE DELETE ON {HISTORY.table}"
            f" WHEN OLD.tournament_id <> {number} {refuses}"
        )
    return f"DROP TRIGGER history_refuses_change ON {HISTORY.table}", (
        f"CREATE TRIGGER history_refuses_change BEFORE UPDATE OR DELETE ON {HISTORY.table} FOR EACH ROW"
        f" WHEN (OLD.tournament_id <> {number}) EXECUTE FUNCTION history_is_append_only()"
    )


def is_in_place(connection: BaseDatabaseWrapper) -> bool:
    """Return whether every trigger is there and enabled."""
    return all(_is_guarded(connection, guarded) for guarded in _present(connection, GUARDED))


def _is_guarded(connection: BaseDatabaseWrapper, guarded: Guarded) -> bool:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [guarded.table]
            )
            return set(guarded.sqlite) <= {name for (name,) in cursor.fetchall()}
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled <> 'D'", [guarded.table]
        )
        return set(guarded.postgresql) <= {name for (name,) in cursor.fetchall()}


def _present(connection: BaseDatabaseWrapper, guarded_tables: Sequence[Guarded]) -> Iterator[Guarded]:
    """Go through the tables that there are: an early migration installs what later ones add to."""
    tables = set(connection.introspection.table_names())
    return (guarded for guarded in guarded_tables if guarded.table in tables)
