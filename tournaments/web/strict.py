"""Reading what strangers send: a JSON loader, the fields of a body, and a number parser, stricter than the language's own."""

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any, NoReturn

from scoring import parsers
from scoring.nesting import depth_of
from scoring.parsers import Parser
from scoring.problems import Refusal, gettext_noop
from tournaments.record.refusal import Refused, refuse

MAX_BYTES = 64 * 1024
MAX_DEPTH = 10
MAX_ITEMS = 10_000
MAX_DIGITS = 18
WHOLE = re.compile(r"-?(0|[1-9][0-9]*)", re.ASCII)
UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def load_json(
    body: bytes, *, limit: int = MAX_BYTES, most_items: int = MAX_ITEMS, depth: int = MAX_DEPTH
) -> Any:
    """Read standard JSON: UTF-8, no key twice, no NaN, nothing infinite, bounded size and depth."""
    if len(body) > limit:
        refuse(
            "too_large", gettext_noop("The request is too large; at most %(size)s kB."), size=limit // 1024
        )
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        refuse("bad_text", gettext_noop("The request is not valid UTF-8."))
    if depth_of(text) > depth:
        refuse(
            "too_deep",
            gettext_noop("The request is nested too deeply; at most %(depth)s levels."),
            depth=depth,
        )
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_no_constant,
            parse_int=_whole,
            parse_float=_finite,
        )
    except json.JSONDecodeError as error:
        refuse(
            "bad_json",
            gettext_noop("The request body is not valid JSON (position %(position)s)."),
            position=error.pos,
        )
    _check_values(value, most_items)
    return value


def fields_of(
    body: object, required: Mapping[str, Parser], optional: Mapping[str, Parser] | None = None, at: str = ""
) -> dict[str, Any]:
    """Read an object with exactly these fields, or refuse it with all its problems."""
    try:
        read: dict[str, Any] = parsers.read(parsers.fields(required, optional), body, at)
    except Refusal as refusal:
        raise Refused(*refusal.problems) from refusal
    return read


def parse_whole(text: str, *, field: str = "", least: int | None = None, most: int | None = None) -> int:
    """Read a whole number written with digits 0–9 and an optional hyphen-minus, nothing else."""
    text = text.strip()
    if not WHOLE.fullmatch(text) or len(text.lstrip("-")) > MAX_DIGITS:
        refuse(
            "number_format",
            gettext_noop("Write a whole number with digits 0–9 and an optional hyphen-minus."),
            field=field,
        )
    value = int(text)
    if (least is not None and value < least) or (most is not None and value > most):
        refuse(
            "out_of_range",
            gettext_noop("Write a number from %(least)s to %(most)s."),
            field=field,
            least=least if least is not None else "−∞",
            most=most if most is not None else "∞",
        )
    return value


def is_unstorable(text: str) -> bool:
    """Return whether a text holds a NUL or half a character."""
    return UNSTORABLE.search(text) is not None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            refuse("duplicate_key", gettext_noop("“%(key)s” occurs twice."), key=key[:60])
        result[key] = value
    return result


def _no_constant(name: str) -> NoReturn:
    refuse("number_not_json", gettext_noop("“%(name)s” is not a number that can be sent."), name=name)


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MAX_DIGITS:
        refuse("number_not_json", gettext_noop("A number has too many digits."))
    return int(text)


def _finite(text: str) -> float:
    value = float(text)
    return value if isfinite(value) else _no_constant(text[:60])


def _check_values(value: Any, most_items: int) -> None:
    """Refuse texts that cannot be stored and collections beyond measure."""
    pending, seen = [value], 0
    while pending:
        item = pending.pop()
        seen += 1
        if seen > most_items:
            refuse("too_large", gettext_noop("The request holds too many values."))
        if isinstance(item, Mapping):
            pending.extend(item.keys())
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, str) and is_unstorable(item):
            refuse("bad_text", gettext_noop("The text contains characters that cannot be stored."))
