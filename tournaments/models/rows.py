"""Many rows stored by one statement, for the writes that happen most often.

PostgreSQL gets the rows as one JSON text. Django's own `bulk_create` makes an array of every column or a placeholder for
every value each time; both take longer than everything else about a hand.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import Field, Model

from tournaments.models.versioned import VersionedField


def insert(rows: Sequence[Model]) -> None:
    """Store new rows of one model, and give them their keys."""
    if not rows:
        return
    model = type(rows[0])
    if connection.vendor != "postgresql":
        model._default_manager.bulk_create(rows)
        return
    data = [{str(field.column): _column_value(field, row) for field in _fields(model)} for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(_insertion(model), [_as_json(data)])
        keys = sorted(key for (key,) in cursor)
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, connection.alias


def write(field: "Field[Any, Any]", values: Mapping[int, int]) -> None:
    """Write a column of rows that are named by their keys."""
    if not values:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_change(field), [_as_json([{"key": key, "value": values[key]} for key in values])])
        else:
            cursor.executemany(_change(field), [(value, key) for key, value in values.items()])


def _column_value(field: "Field[Any, Any]", row: Model) -> object:
    value = field.pre_save(row, add=True)
    if isinstance(field, VersionedField):
        return field.stamped(value)
    return value.isoformat() if isinstance(value, datetime) else value


def _as_json(rows: list[dict[str, object]]) -> str:
    return json.dumps(rows, ensure_ascii=False)


@lru_cache(maxsize=16)
def _fields(model: type[Model]) -> list["Field[Any, Any]"]:
    """List the columns that are given; the database makes the key."""
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@lru_cache(maxsize=16)
def _insertion(model: type[Model]) -> str:
    """Put the statement together; keys are given in the order of the rows."""
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in _fields(model))
    types = ", ".join(_typed(str(field.column), field) for field in _fields(model))
    table, key = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    return (
        f"INSERT INTO {table} ({columns}) SELECT {columns} FROM json_to_recordset(%s) AS said ({types})"  # noqa: S608
        f" RETURNING {key}"
    )


@lru_cache(maxsize=16)
def _change(field: "Field[Any, Any]") -> str:
    """Put the statement together."""
    quote, meta = connection.ops.quote_name, field.model._meta
    table, column, key = quote(meta.db_table), quote(str(field.column)), quote(str(meta.pk.column))
    if connection.vendor != "postgresql":
        return f"UPDATE {table} SET {column} = %s WHERE {key} = %s"  # noqa: S608
    types = f"{_typed('key', meta.pk)}, {_typed('value', field)}"
    return (
        f"UPDATE {table} SET {column} = said.value FROM json_to_recordset(%s) AS said ({types})"  # noqa: S608
        f" WHERE {table}.{key} = said.key"
    )


def _typed(name: str, field: "Field[Any, Any]") -> str:
    return f"{connection.ops.quote_name(name)} {field.rel_db_type(connection) if field.primary_key else field.db_type(connection)}"
