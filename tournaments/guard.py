# ruff: noqa: S608 – the only text put into the statements is the constant below
"""Database triggers that refuse to change or delete the history, also to a bug, a console or an administrator."""

from django.db.backends.base.base import BaseDatabaseWrapper

TABLE = "tournaments_historyentry"
SAYS = "the history is append-only"

SQLITE = {
    "history_refuses_update": f"BEFORE UPDATE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{SAYS}'); END",
    "history_refuses_delete": f"BEFORE DELETE ON {TABLE} BEGIN SELECT RAISE(ABORT, '{SAYS}'); END",
    "history_refuses_replace": (
        f"BEFORE INSERT ON {TABLE} WHEN EXISTS (SELECT 1 FROM {TABLE} AS old WHERE old.id = NEW.id"
        " OR old.digest = NEW.digest"
        " OR (old.tournament_id = NEW.tournament_id AND old.number = NEW.number"
        " AND old.protocol_id IS NEW.protocol_id))"
        f" BEGIN SELECT RAISE(ABORT, '{SAYS}'); END"
    ),
}

POSTGRESQL = {
    "history_refuses_change": f"BEFORE UPDATE OR DELETE ON {TABLE} FOR EACH ROW",
    "history_refuses_truncate": f"BEFORE TRUNCATE ON {TABLE} FOR EACH STATEMENT",
}

FUNCTION = f"""
CREATE OR REPLACE FUNCTION history_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{SAYS}' USING ERRCODE = 'restrict_violation';
END $$
"""


def install(connection: BaseDatabaseWrapper) -> None:
    """Put the triggers in place; those already there stay."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for name, body in SQLITE.items():
                cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {body}")
            return
        cursor.execute(FUNCTION)
        for name, timing in POSTGRESQL.items():
            cursor.execute(
                f"CREATE OR REPLACE TRIGGER {name} {timing} EXECUTE FUNCTION history_is_append_only()"
            )


def remove(connection: BaseDatabaseWrapper) -> None:
    """Take the triggers away: for tests that empty the database, and for a migration backwards."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for name in SQLITE:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            return
        for name in POSTGRESQL:
            cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {TABLE}")


def is_in_place(connection: BaseDatabaseWrapper) -> bool:
    """Say whether every trigger is there and enabled."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s", [TABLE])
            return set(SQLITE) <= {name for (name,) in cursor.fetchall()}
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = %s::regclass AND tgenabled <> 'D'", [TABLE]
        )
        return set(POSTGRESQL) <= {name for (name,) in cursor.fetchall()}
