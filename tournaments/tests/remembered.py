"""Scenes made once and written again: what a factory did in an empty database is remembered as rows, for two minutes.

Most tests begin alike: an event, eight players, a session in play. The first of them makes it through operations, as the
site does; for the others the rows that came of it are written as they are, and what the factory returned is what it
returned then. A third of the time of the tests went into making the same rows again.

Nothing is remembered where it would not be the same: with a commit or another thread, after a write that no remembered
function made, with settings or functions that a test has replaced, under another clock, beside rows of a module's scene.
There everything is made anew.
"""

import io
import pickle
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, wraps
from hashlib import blake2b
from typing import Any, ParamSpec, TypeVar

import pytest
from django.apps import apps
from django.conf import Settings, settings
from django.core.cache import cache as shared_cache
from django.db import connection, models
from django.utils import timezone, translation

from tournaments.standings.queries import revision_cache

P = ParamSpec("P")
R = TypeVar("R")
Row = tuple[Any, ...]
Rows = dict[str, dict[Any, Row]]

SECONDS = 120.0
"""How long a scene is remembered: its moments are no older than they would be on a slow machine."""
READS = re.compile(r"\s*(?:BEGIN|SELECT|EXPLAIN|PRAGMA|SAVEPOINT|RELEASE)\b", re.IGNORECASE)
WRITES = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?(\w+)')
SIGNS_IN = re.compile(
    r'\w+ \w+ "django_session"|UPDATE "(?:django_session"|tournaments_user" SET "last_login" = \S+ WHERE)'
)
"""To be signed in changes nothing of a scene."""
ADDED_BY_DJANGO = {"django_content_type", "auth_permission", "django_migrations", "django_site"}


@dataclass(eq=False)
class Node:
    """A moment of a scene: all rows of the tables that were written, and what came of every function called at it."""

    rows: Rows = field(default_factory=dict)
    made_at: float = 0.0
    inserted: list[tuple[str, list[Row]]] = field(default_factory=list)
    changed: list[tuple[str, Any, dict[str, Any]]] = field(default_factory=list)
    deleted: list[tuple[str, Any]] = field(default_factory=list)
    outcome: bytes = b""
    following: dict[Any, "Node"] = field(default_factory=dict)


@dataclass
class Scene:
    """What a test has in its database: a remembered moment, or something of its own."""

    patches: pytest.MonkeyPatch
    at: Node | None = None
    is_own: bool = False
    depth: int = 0
    tables: set[str] = field(default_factory=set)
    is_odd: bool = False

    def note(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        """Notice every statement that writes: within a remembered function its table, else that the test goes its own way."""
        if not READS.match(str(sql)):
            if not self.depth:
                self.is_own = self.is_own or not SIGNS_IN.match(str(sql))
            elif found := WRITES.match(str(sql)):
                self.tables.add(found[1])
            else:
                self.is_odd = True
        return execute(sql, params, many, context)


_scene: list[Scene] = []
_counters: dict[str, int] = {}
_root = Node()
_drift = time.time() - time.monotonic()
_now = timezone.now


@contextmanager
def scenes(patches: pytest.MonkeyPatch) -> Iterator[None]:
    """Let factories remember within a test that is undone as a whole."""
    scene = Scene(patches)
    _scene.append(scene)
    connection.execute_wrappers.append(scene.note)
    try:
        yield
    finally:
        connection.execute_wrappers.remove(scene.note)
        _scene.pop()


def remembered(function: Callable[P, R]) -> Callable[P, R]:
    """Remember what a function that makes rows has written and returned; arguments are compared by their values."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        scene = _scene[-1] if _scene else None
        if scene is None or scene.is_own or not _is_usual(scene):
            return function(*args, **kwargs)
        try:
            key = name, translation.get_language(), blake2b(_dumped((args, kwargs), [])).digest()
        except (TypeError, AttributeError, pickle.PicklingError):
            return function(*args, **kwargs)
        assert scene.at is not None
        known = instances_in((args, kwargs))
        node = scene.at.following.get(key)
        if node is None or time.monotonic() - node.made_at > SECONDS:
            made_now, node = _make(scene, lambda: function(*args, **kwargs), known)
            if node is None:
                return made_now
            scene.at.following[key] = node
        else:
            _write(scene, node)
        scene.at = node
        return _restored(node, known)  # type: ignore[no-any-return]

    return made


def _is_usual(scene: Scene) -> bool:
    """Whether nothing is otherwise than in every other test; the database is looked at when the first scene is begun."""
    if scene.depth or not connection.in_atomic_block or scene.patches._setattr or scene.patches._setitem:
        return False
    if timezone.now is not _now or abs(time.time() - time.monotonic() - _drift) > 2:
        return False
    if not isinstance(settings._wrapped, Settings):  # type: ignore[misc]
        return False
    if scene.at is None:
        with connection.cursor() as cursor:
            cursor.execute(_is_empty())
            scene.is_own = not cursor.fetchone()[0]
            _forget_if_counted_anew(cursor)
        scene.at = _root
        shared_cache.clear()
        revision_cache._near.clear()
    return not scene.is_own


def _forget_if_counted_anew(cursor: Any) -> None:
    """Forget all scenes once keys are counted from the beginning again: new rows would get those of remembered ones.

    On PostgreSQL a test that is undone leaves the counters where they are; one that empties or remakes tables turns them back.
    """
    if connection.vendor != "postgresql":
        return
    cursor.execute("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = current_schema()")
    now = {name: value or 0 for name, value in cursor.fetchall()}
    if any(now.get(name, 0) < value for name, value in _counters.items()):
        _root.following.clear()
    _counters.clear()
    _counters.update(now)


@cache
def _is_empty() -> str:
    """Ask all tables at once whether anything is in them."""
    quote = connection.ops.quote_name
    asked = " OR ".join(
        f"EXISTS (SELECT 1 FROM {quote(table)})" for table in sorted(_keys()) if table not in ADDED_BY_DJANGO
    )
    return f"SELECT NOT ({asked})"


@cache
def _keys() -> dict[str, str]:
    """Return the column of the primary key of every table."""
    found = apps.get_models(include_auto_created=True)
    return {
        one._meta.db_table: str(one._meta.pk.column)
        for one in found
        if one._meta.managed and not one._meta.proxy
    }


# Remembering


def _make(scene: Scene, work: Callable[[], R], known: list[models.Model]) -> tuple[R, Node | None]:
    """Do the work and remember what came of it; None if that cannot be said in rows."""
    assert scene.at is not None
    scene.depth, scene.tables, scene.is_odd = 1, set(), False
    try:
        result = work()
        is_plain = not scene.is_odd and scene.tables <= _keys().keys()
        try:
            outcome = _dumped(([one.__dict__ for one in known], result), known) if is_plain else b""
        except (TypeError, AttributeError, pickle.PicklingError):
            outcome = b""
        if not outcome:
            scene.is_own = True
            return result, None
        node = Node({**scene.at.rows}, time.monotonic(), outcome=outcome)
        for table in sorted(scene.tables):
            _compare(node, table, scene.at.rows.get(table, {}))
        return result, node
    except BaseException:
        scene.is_own = True
        raise
    finally:
        scene.depth = 0


def _compare(node: Node, table: str, before: dict[Any, Row]) -> None:
    """Find out what became of a table."""
    columns, key = _columns(table), _columns(table).index(_keys()[table])
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(map(quote, columns))} FROM {quote(table)}")
        rows = [tuple(map(_plain, row)) for row in cursor.fetchall()]
    after = {row[key]: row for row in rows}
    node.rows[table] = after
    if new := [row for pk, row in sorted(after.items()) if pk not in before]:
        node.inserted.append((table, new))
    for pk, row in before.items():
        if pk not in after:
            node.deleted.append((table, pk))
        elif row != after[pk]:
            pairs = zip(columns, row, after[pk], strict=True)
            node.changed.append((table, pk, {column: new for column, old, new in pairs if old != new}))


def _plain(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


@cache
def _columns(table: str) -> list[str]:
    model = next(one for one in apps.get_models(include_auto_created=True) if one._meta.db_table == table)
    return [str(one.column) for one in model._meta.concrete_fields]


# Writing again


def _write(scene: Scene, node: Node) -> None:
    """Write what a function has written before, with the same keys."""
    quote = connection.ops.quote_name
    scene.depth = 1
    try:
        with connection.cursor() as cursor:
            for table, rows in node.inserted:
                columns = ", ".join(map(quote, _columns(table)))
                one = "(" + ", ".join(["%s"] * len(rows[0])) + ")"
                for some in _portions(rows, 900 // len(rows[0])):
                    values = [value for row in some for value in row]
                    said = f"INSERT INTO {quote(table)} ({columns}) VALUES {', '.join([one] * len(some))}"
                    cursor.execute(said, values)
            for table, pk, new in node.changed:
                said = ", ".join(f"{quote(column)} = %s" for column in new)
                said = f"UPDATE {quote(table)} SET {said} WHERE {quote(_keys()[table])} = %s"
                cursor.execute(said, [*new.values(), pk])
            for table, pk in node.deleted:
                cursor.execute(f"DELETE FROM {quote(table)} WHERE {quote(_keys()[table])} = %s", [pk])
    finally:
        scene.depth = 0


def _portions(rows: list[Row], size: int) -> Iterator[list[Row]]:
    for start in range(0, len(rows), max(size, 1)):
        yield rows[start : start + max(size, 1)]


# What a function was given and what it returned


def instances_in(values: Any) -> list[models.Model]:
    """Return all rows that are reached from the values: a function may change each of them in place."""
    found: dict[int, models.Model] = {}

    def look(value: Any) -> None:
        if isinstance(value, models.Model):
            if id(value) not in found:
                found[id(value)] = value
                for other in value._state.fields_cache.values():
                    look(other)
        elif isinstance(value, dict):
            for other in value.values():
                look(other)
        elif isinstance(value, list | tuple | set | frozenset):
            for other in value:
                look(other)

    look(values)
    return list(found.values())


_given: list[list[models.Model]] = []


def _given_one(number: int) -> models.Model:
    return _given[-1][number]


class _Pickler(pickle.Pickler):
    """Write the rows that a function was given by their number, so that reading gives back the caller's own."""

    def __init__(self, file: io.BytesIO, known: list[models.Model]) -> None:
        super().__init__(file, protocol=5)
        self.known = {id(one): number for number, one in enumerate(known)}

    def reducer_override(self, value: Any) -> Any:
        """Say how one is written."""
        number = self.known.get(id(value))
        return NotImplemented if number is None else (_given_one, (number,))


def _dumped(value: Any, known: list[models.Model]) -> bytes:
    file = io.BytesIO()
    _Pickler(file, known).dump(value)
    return file.getvalue()


def _restored(node: Node, known: list[models.Model]) -> Any:
    """Give the rows of the caller the state that they had afterwards, and return what was returned."""
    _given.append(known)
    try:
        states, result = pickle.loads(node.outcome)
    finally:
        _given.pop()
    for one, state in zip(known, states, strict=True):
        one.__dict__.clear()
        one.__dict__.update(state)
    return result
