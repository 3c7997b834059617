"""From the classes of `shapes` to JSON Schema, and from values of these classes to plain JSON."""

import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from tournaments.api.shapes import MEANINGS, OneOf

REFERENCE = "#/components/schemas/"
NAMES = {int: "integer", str: "string", bool: "boolean"}
EXACT = r"^-?[0-9]+(/[1-9][0-9]*)?$"

Schema = dict[str, Any]


def schema_of(kind: Any) -> Schema:
    """Describe a type; classes are named and described apart."""
    origin = get_origin(kind)
    if origin is Annotated:
        base, *said = get_args(kind)
        return schema_of(base) | _more(said)
    if origin in (Union, types.UnionType):
        return _either(get_args(kind))
    if origin is list:
        return {"type": "array", "items": schema_of(get_args(kind)[0])}
    if origin is dict:
        values = get_args(kind)[1]
        return {"type": "object", "additionalProperties": True if values is Any else schema_of(values)}
    if isinstance(kind, type) and is_dataclass(kind):
        return {"$ref": REFERENCE + kind.__name__}
    return {"type": NAMES[kind]}


def _more(said: list[Any]) -> Schema:
    """Describe what is said of a type besides: the values it may have, its meaning, its form."""
    more: Schema = {}
    if values := next((one for one in said if isinstance(one, OneOf)), None):
        more["enum"] = list(values)
    if description := next((one for one in reversed(said) if isinstance(one, str)), ""):
        more["description"] = description
    if description.startswith("An exact number"):
        more["pattern"] = EXACT
    return more


def _either(kinds: tuple[Any, ...]) -> Schema:
    """Describe what may be null: a plain type takes it in, a class stands beside it."""
    (kind,) = (one for one in kinds if one is not type(None))
    inner = schema_of(kind)
    if "$ref" in inner:
        return {"anyOf": [inner, {"type": "null"}]}
    nullable = {**inner, "type": [inner["type"], "null"]}
    if "enum" in inner:
        nullable["enum"] = [*inner["enum"], None]
    return nullable


def object_schema(kind: Any) -> Schema:
    """Describe a class: every field is always there, and there is no other."""
    hints = hints_of(kind)
    return {
        "type": "object",
        "description": MEANINGS[kind],
        "properties": {name: schema_of(hint) for name, hint in hints.items()},
        "required": list(hints),
        "additionalProperties": False,
    }


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """Return the fields of a class with their types and meanings."""
    return get_type_hints(kind, include_extras=True)


def components(*kinds: Any) -> dict[str, Schema]:
    """Describe classes and every class they lead to, in the order of first mention."""
    found: dict[str, Schema] = {}
    pending = list(kinds)
    while pending:
        kind = pending.pop(0)
        if kind.__name__ not in found:
            found[kind.__name__] = object_schema(kind)
            pending += [inner for hint in hints_of(kind).values() for inner in _classes(hint)]
    return found


def _classes(hint: Any) -> Iterator[Any]:
    if is_dataclass(hint):
        yield hint
    for inner in get_args(hint):
        if not isinstance(inner, str | OneOf):
            yield from _classes(inner)


def plain(value: Any) -> Any:
    """Return a value of the classes as plain JSON."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one: plain(getattr(value, one)) for one in _names(type(value))}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))
