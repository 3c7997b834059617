"""The triggers of migrations 0002 and 0013 as they were installed: written out, so that later code may change."""

SQLITE = {
    "tournaments_historyentry": {
        "history_refuses_update": "BEFORE UPDATE ON tournaments_historyentry"
        " BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END",
        "history_refuses_delete": "BEFORE DELETE ON tournaments_historyentry"
        " BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END",
        "history_refuses_replace": "BEFORE INSERT ON tournaments_historyentry"
        " WHEN EXISTS (SELECT 1 FROM tournaments_historyentry AS old WHERE old.id = NEW.id OR old.digest = NEW.digest"
        " OR (old.tournament_id = NEW.tournament_id AND old.number = NEW.number AND old.protocol_id IS NEW.protocol_id))"
        " BEGIN SELECT RAISE(ABORT, 'the history is append-only'); END",
    },
    "tournaments_operatorentry": {
        "operators_log_refuses_update": "BEFORE UPDATE ON tournaments_operatorentry"
        " BEGIN SELECT RAISE(ABORT, 'the log of operators is append-only'); END",
        "operators_log_refuses_delete": "BEFORE DELETE ON tournaments_operatorentry"
        " BEGIN SELECT RAISE(ABORT, 'the log of operators is append-only'); END",
        "operators_log_refuses_replace": "BEFORE INSERT ON tournaments_operatorentry"
        " WHEN EXISTS (SELECT 1 FROM tournaments_operatorentry AS old WHERE old.id = NEW.id)"
        " BEGIN SELECT RAISE(ABORT, 'the log of operators is append-only'); END",
    },
}
FUNCTIONS = {
    "tournaments_historyentry": """
CREATE OR REPLACE FUNCTION history_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the history is append-only' USING ERRCODE = 'restrict_violation';
END $$
""",
    "tournaments_operatorentry": """
CREATE OR REPLACE FUNCTION operators_log_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of operators is append-only' USING ERRCODE = 'restrict_violation';
END $$
""",
}
POSTGRESQL = {
    "tournaments_historyentry": {
        "history_refuses_change": "BEFORE UPDATE OR DELETE ON tournaments_historyentry FOR EACH ROW"
        " EXECUTE FUNCTION history_is_append_only()",
        "history_refuses_truncate": "BEFORE TRUNCATE ON tournaments_historyentry FOR EACH STATEMENT"
        " EXECUTE FUNCTION history_is_append_only()",
    },
    "tournaments_operatorentry": {
        "operators_log_refuses_change": "BEFORE UPDATE OR DELETE ON tournaments_operatorentry FOR EACH ROW"
        " EXECUTE FUNCTION operators_log_is_append_only()",
        "operators_log_refuses_truncate": "BEFORE TRUNCATE ON tournaments_operatorentry FOR EACH STATEMENT"
        " EXECUTE FUNCTION operators_log_is_append_only()",
    },
}


def install(table):
    """Return the operation that guards a table."""

    def run(apps, schema_editor):
        connection = schema_editor.connection
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                for name, body in SQLITE[table].items():
                    cursor.execute(f"CREATE TRIGGER IF NOT EXISTS {name} {body}")
                return
            cursor.execute(FUNCTIONS[table])
            for name, body in POSTGRESQL[table].items():
                cursor.execute(f"CREATE OR REPLACE TRIGGER {name} {body}")

    return run


def remove(table):
    """Return the operation that takes the guard away again."""

    def run(apps, schema_editor):
        connection = schema_editor.connection
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                for name in SQLITE[table]:
                    cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
                return
            for name in POSTGRESQL[table]:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name} ON {table}")

    return run
