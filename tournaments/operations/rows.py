"""New rows stored by one statement, where many come at once and often."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat

from django.db import connection
from django.db.models import Field, Model


def insert(rows: Sequence[Model]) -> None:
    """Store new rows of one model, and give them their keys.

    Django's own way packs long texts into arrays, which takes several times as long as everything else about them.
    """
    if not rows:
        return
    model = type(rows[0])
    if not connection.features.can_return_rows_from_bulk_insert:
        model._default_manager.bulk_create(rows)
        return
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for row in rows
        for field in _fields(model)
    ]
    with connection.cursor() as cursor:
        cursor.execute(_statement(model, len(rows)), values)
        keys = cursor.fetchall()
    for row, (key,) in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding, row._state.db = False, connection.alias


@lru_cache(maxsize=16)
def _fields(model: type[Model]) -> list["Field[object, object]"]:
    """List the columns that are given; the database makes the key."""
    return [field for field in model._meta.concrete_fields if not field.primary_key]


@lru_cache(maxsize=256)
def _statement(model: type[Model], count: int) -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in _fields(model))
    row = f"({', '.join(repeat('%s', len(_fields(model))))})"
    places = ", ".join(repeat(row, count))
    table, key = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    return f"INSERT INTO {table} ({columns}) VALUES {places} RETURNING {key}"  # noqa: S608 -- names of our own tables
