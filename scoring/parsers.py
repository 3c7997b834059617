"""Strict reading of JSON values: every field by its name and kind, and all that is wrong told at once."""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any

from scoring.problems import Problem, Refusal, gettext_noop

# Reads one value that stands at a path; whatever is wrong with it is appended to the list of problems.
Parser = Callable[[object, str, list[Problem]], Any]

LARGEST = 10**9
FRACTION = re.compile(r"(0|-?[1-9][0-9]*(/([2-9]|[1-9][0-9]+))?)")
# No number of a tournament needs more digits, and none may be so long that working with it stops the program.
LONGEST_FRACTION = 40


def read(parser: Parser, value: object, at: str = "") -> Any:
    """Return what the parser reads, or refuse the value with all its problems."""
    problems: list[Problem] = []
    parsed = parser(value, at, problems)
    if problems:
        raise Refusal(*problems)
    return parsed


def join(path: str, name: object) -> str:
    """Name what lies one step deeper, for example `penalties.ladders.0`."""
    return f"{path}.{name}" if path else str(name)


def anything(value: object, path: str, problems: list[Problem]) -> Any:
    """Accept any value; somebody else reads it."""
    return value


def an_object(value: object, path: str, problems: list[Problem]) -> Any:
    """Read an object and leave its fields to somebody else."""
    return by_key(text(1, 64), anything)(value, path, problems)


def fields(required: Mapping[str, Parser], optional: Mapping[str, Parser] | None = None) -> Parser:
    """Read an object with exactly these fields; those left out of the optional ones stay out."""
    known = {**required, **(optional or {})}

    def parse(value: object, path: str, problems: list[Problem]) -> dict[str, Any] | None:
        if not isinstance(value, Mapping):
            problems.append(_wrong("object_type", NOT_AN_OBJECT, path))
            return None
        problems += [unknown(name, path) for name in value if name not in known]
        problems += [_missing(name, path) for name in required if name not in value]
        return {
            name: parser(value[name], join(path, name), problems)
            for name, parser in known.items()
            if name in value
        }

    return parse


def built(parser: Parser, build: Callable[..., Any]) -> Parser:
    """Build a value from what an object's fields hold, once all of them could be read."""

    def parse(value: object, path: str, problems: list[Problem]) -> Any:
        before = len(problems)
        parsed = parser(value, path, problems)
        return build(**parsed) if len(problems) == before else None

    return parse


def checked(parser: Parser, check: Callable[[Any, str], Collection[Problem]]) -> Parser:
    """Ask one more question about a value that could be read."""

    def parse(value: object, path: str, problems: list[Problem]) -> Any:
        before = len(problems)
        parsed = parser(value, path, problems)
        if len(problems) == before:
            problems += check(parsed, path)
        return parsed

    return parse


def chosen(tag: str, cases: Mapping[str, Parser]) -> Parser:
    """Read an object by the case that one of its fields names."""

    def parse(value: object, path: str, problems: list[Problem]) -> Any:
        if not isinstance(value, Mapping):
            problems.append(_wrong("object_type", NOT_AN_OBJECT, path))
            return None
        name = choice(cases)(value.get(tag), join(path, tag), problems)
        if name is None:
            return None
        return cases[name]({key: part for key, part in value.items() if key != tag}, path, problems)

    return parse


def maybe(parser: Parser) -> Parser:
    """Read a value that may be null."""

    def parse(value: object, path: str, problems: list[Problem]) -> Any:
        return None if value is None else parser(value, path, problems)

    return parse


def several(parser: Parser, least: int = 0, most: int | None = None, unique: bool = False) -> Parser:
    """Read a list into a tuple."""

    def parse(value: object, path: str, problems: list[Problem]) -> tuple[Any, ...] | None:
        if not isinstance(value, list | tuple):
            problems.append(_wrong("list_type", NOT_A_LIST, path))
            return None
        if len(value) < least or (most is not None and len(value) > most):
            problems.append(_length(len(value), least, most, path))
        before = len(problems)
        parsed = tuple(parser(part, join(path, place), problems) for place, part in enumerate(value))
        if unique and len(problems) == before and len(set(parsed)) < len(parsed):
            problems.append(_wrong("repeated", REPEATED, path))
        return parsed

    return parse


def by_key(key: Parser, parser: Parser, least: int = 0) -> Parser:
    """Read an object whose names are values themselves."""

    def parse(value: object, path: str, problems: list[Problem]) -> dict[Any, Any] | None:
        if not isinstance(value, Mapping):
            problems.append(_wrong("object_type", NOT_AN_OBJECT, path))
            return None
        if len(value) < least:
            problems.append(_length(len(value), least, None, path))
        return {
            key(name, join(path, name), problems): parser(part, join(path, name), problems)
            for name, part in value.items()
        }

    return parse


def whole(least: int = -LARGEST, most: int = LARGEST) -> Parser:
    """Read a whole number between two bounds; true is not one."""

    def parse(value: object, path: str, problems: list[Problem]) -> int | None:
        if isinstance(value, bool) or not isinstance(value, int):
            problems.append(_wrong("number_type", NOT_WHOLE, path))
            return None
        if not least <= value <= most:
            problems.append(_wrong("out_of_range", OUT_OF_RANGE, path, least=least, most=most))
        return value

    return parse


natural = whole(0)
positive = whole(1)


def truth(value: object, path: str, problems: list[Problem]) -> bool | None:
    """Read true or false."""
    if not isinstance(value, bool):
        problems.append(_wrong("truth_type", NOT_TRUTH, path))
        return None
    return value


def mark(value: object, path: str, problems: list[Problem]) -> bool | None:
    """Read a mark that is merely there: true, or left out. [RECORD 1]"""
    if value is not True:
        problems.append(_wrong("mark_type", NOT_A_MARK, path))
        return None
    return True


def text(least: int = 0, most: int = 5000, pattern: str = "") -> Parser:
    """Read a text in NFC of a length between bounds, and of a form where one is given."""
    form = re.compile(pattern) if pattern else None

    def parse(value: object, path: str, problems: list[Problem]) -> str | None:
        if not isinstance(value, str):
            problems.append(_wrong("text_type", NOT_TEXT, path))
            return None
        if not least <= len(value) <= most:
            problems.append(_wrong("text_length", TEXT_LENGTH, path, least=least, most=most))
        elif not _is_plain(value):
            problems.append(_wrong("text_characters", TEXT_CHARACTERS, path))
        elif form and not form.fullmatch(value):
            problems.append(_wrong("text_form", TEXT_FORM, path, text=value))
        return value

    return parse


def choice(names: Iterable[Any]) -> Parser:
    """Read one of the given names, and return the member of the collection that equals it."""
    members = {str(name): name for name in names}

    def parse(value: object, path: str, problems: list[Problem]) -> Any:
        if not isinstance(value, str) or value not in members:
            problems.append(_wrong("choice", NOT_A_CHOICE, path, names=", ".join(members)))
            return None
        return members[value]

    return parse


def fraction(value: object, path: str, problems: list[Problem]) -> Fraction | None:
    """Read a fraction written as text in lowest terms, such as `7/2`, `3` or `-1/3`. [RECORD 1]"""
    is_written_so = (
        isinstance(value, str) and len(value) <= LONGEST_FRACTION and FRACTION.fullmatch(value) is not None
    )
    if is_written_so and str(Fraction(str(value))) == value:
        return Fraction(value)
    problems.append(_wrong("fraction_form", NOT_A_FRACTION, path))
    return None


def _is_plain(value: str) -> bool:
    """Return whether a text is in NFC and holds nothing that cannot be stored: no surrogates, no NUL."""
    return (
        unicodedata.is_normalized("NFC", value)
        and "\x00" not in value
        and not any("\ud800" <= character <= "\udfff" for character in value)
    )


def _wrong(code: str, sentence: str, path: str, **details: object) -> Problem:
    return Problem(code, sentence, field=path, details=details)


def unknown(name: object, path: str) -> Problem:
    """Say that there is no such field."""
    return _wrong("unknown_field", UNKNOWN_FIELD, join(path, name), name=name)


def _missing(name: str, path: str) -> Problem:
    return _wrong("required", MISSING, join(path, name), name=name)


def _length(count: int, least: int, most: int | None, path: str) -> Problem:
    if most is None:
        return _wrong("list_length", TOO_FEW, path, count=count, least=least)
    return _wrong("list_length", LIST_LENGTH, path, count=count, least=least, most=most)


NOT_AN_OBJECT = gettext_noop("An object with named fields is expected here.")
NOT_A_LIST = gettext_noop("A list is expected here.")
NOT_WHOLE = gettext_noop("A whole number is expected here, without quotes, point or exponent.")
NOT_TRUTH = gettext_noop("True or false is expected here.")
NOT_A_MARK = gettext_noop("This mark is either true or left out.")
NOT_TEXT = gettext_noop("A text is expected here.")
NOT_A_CHOICE = gettext_noop("One of these is expected here: %(names)s.")
NOT_A_FRACTION = gettext_noop("A fraction in lowest terms is expected here, as text: 7/2, 3 or -1/3.")
OUT_OF_RANGE = gettext_noop("The number must be from %(least)s to %(most)s.")
TEXT_LENGTH = gettext_noop("The text must have from %(least)s to %(most)s characters.")
TEXT_CHARACTERS = gettext_noop(
    "The text holds characters that cannot be stored, or is not in normal form NFC."
)
TEXT_FORM = gettext_noop("The text “%(text)s” is not in the form that is expected here.")
TOO_FEW = gettext_noop("At least %(least)s entries are needed here; there are %(count)s.")
LIST_LENGTH = gettext_noop("From %(least)s to %(most)s entries are expected here; there are %(count)s.")
REPEATED = gettext_noop("An entry stands here twice.")
UNKNOWN_FIELD = gettext_noop("The field “%(name)s” is not known.")
MISSING = gettext_noop("The field “%(name)s” is missing.")
