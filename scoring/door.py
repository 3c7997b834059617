"""The door for programs: JSON Lines in and out, as docs/HANDS.md says, and whole tournaments at once."""

import json
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import isfinite
from typing import Any, BinaryIO

from scoring.nesting import depth_of
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.record.computed import computed, computed_by_its_writer
from scoring.record.declared import read_declared, read_record
from scoring.systems import SYSTEMS
from scoring.terms import GENERAL, Terms, speaking
from scoring.words import say

RULESETS: Mapping[str, Callable[[Mapping[str, object]], Mapping[str, object]]] = {
    name: answer for one in SYSTEMS.values() for name, answer in one.doors.items()
}
"""Who answers the cases of each ruleset of docs/HANDS.md."""

SPOKEN: Mapping[str, Terms] = {name: one.terms for one in SYSTEMS.values() for name in one.doors}
"""In whose words their problems are told."""

DEEPEST = 100
"""How deep a line may nest; a whole tournament takes about ten levels."""

LONGEST = 1000
"""How many digits a whole number may have, so that what grows out of it can still be written."""

Answer = Mapping[str, object]


# Strict JSON


def parse(raw: bytes) -> tuple[Any, list[Problem]]:
    """Read JSON in UTF-8, and say where it is not standard: a key twice, NaN, infinity. [RECORD 1]

    What can be read of it is given all the same, so that its id can be echoed.
    """
    flaws: list[Problem] = []

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        read = dict(found)
        if len(read) < len(found):
            flaws.extend(_twice(name for name, _ in found))
        return read

    def constant(name: str) -> None:
        flaws.append(Problem("bad_json", NO_CONSTANT, details={"name": name[:40]}))

    def whole(digits: str) -> int | None:
        if len(digits.lstrip("-")) <= LONGEST:
            return int(digits)
        flaws.append(Problem("number_type", TOO_LONG))
        return None

    def number(digits: str) -> float | None:
        read = float(digits)
        if isfinite(read):
            return read
        constant(digits)
        return None

    try:
        text = raw.decode("utf-8")
        if depth_of(text) > DEEPEST:
            return None, [Problem("too_deep", TOO_DEEP)]
        read = json.loads(
            text, object_pairs_hook=pairs, parse_constant=constant, parse_float=number, parse_int=whole
        )
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        return None, [_unreadable(error)]
    return read, flaws


def _twice(names: Iterable[str]) -> list[Problem]:
    """Name each key that an object has more than once."""
    return [
        Problem("duplicate_key", DUPLICATE_KEY, name, details={"name": name})
        for name, count in Counter(names).items()
        if count > 1
    ]


def _unreadable(error: UnicodeDecodeError | json.JSONDecodeError) -> Problem:
    """Return why a text could not be read as JSON at all."""
    if isinstance(error, UnicodeDecodeError):
        return Problem("bad_text", NOT_UTF8)
    return Problem("bad_json", BAD_JSON, details={"position": error.pos + 1})


def read_json(raw: bytes) -> Any:
    """Read standard JSON, or refuse it with all that is wrong with it."""
    read, flaws = parse(raw)
    if flaws:
        raise Refusal(*flaws)
    return read


# Cases


def answer(case: object) -> Answer:
    """Answer one case of docs/HANDS.md, or refuse it with all its problems."""
    if not isinstance(case, Mapping):
        raise Refusal(Problem("object_type", NO_CASE))
    name = case.get("ruleset")
    if not isinstance(name, str) or name not in RULESETS:
        raise Refusal(Problem("ruleset", NO_RULESET, field="ruleset", details={"names": ", ".join(RULESETS)}))
    return RULESETS[name](case)


def evaluate(lines: Iterable[bytes], language: str = "en") -> Iterator[bytes]:
    """Answer every line in order; a case that cannot be read is answered with its problems, and the next one comes."""
    for line in lines:
        yield written(_answered(line, language)) + b"\n"


def _answered(line: bytes, language: str) -> dict[str, object]:
    case, flaws = parse(line)
    identity = case.get("id") if isinstance(case, dict) else None
    try:
        if flaws:
            raise Refusal(*flaws)
        return {"id": identity, **answer(case)}
    except Refusal as refusal:
        name = case.get("ruleset") if isinstance(case, dict) else None
        with speaking(SPOKEN.get(str(name), GENERAL)):
            return {"id": identity, "problems": problems_as_json(refusal.problems, language)}
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return {
            "id": identity,
            "problems": problems_as_json([Problem("internal_error", OUR_FAULT)], language),
        }


def problems_as_json(problems: Iterable[Problem], language: str) -> list[dict[str, str]]:
    """Tell problems as JSON, their sentences in the language."""
    return [
        {
            "code": problem.code,
            "field": problem.field,
            "sentence": say(problem, language),
            "clause": problem.clause,
        }
        for problem in problems
    ]


def written(value: object) -> bytes:
    """Write JSON in UTF-8; text that UTF-8 cannot hold is written in escapes."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def serve(source: BinaryIO, sink: BinaryIO, language: str = "en") -> None:
    """Answer cases as they come, one line each, so that a program may ask and wait."""
    for line in evaluate(source, language):
        sink.write(line)
        sink.flush()


# Tournaments


def compute_record(record: object) -> tuple[dict[str, Any], list[str]]:
    """Work out a tournament from its record, or from what it declares alone; list where the record says otherwise.

    Whoever drops `computed` loses nothing. [RECORD]
    """
    if not isinstance(record, Mapping) or "declared" not in record:
        return computed(read_declared(record)), []
    declared = read_record({"computed": None, "history": None, **record})
    ours = computed(declared)
    if "computed" not in record:
        return ours, []
    return ours, list(differences(record["computed"], computed_by_its_writer(declared)))


def differences(theirs: object, ours: object, path: str = "computed") -> Iterator[str]:
    """List every value in which two computed parts differ, as `path: theirs, ours`."""
    if isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        for name in dict.fromkeys([*ours, *theirs]):
            yield from differences(theirs.get(name, MISSING), ours.get(name, MISSING), f"{path}.{name}")
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        for place, (one, other) in enumerate(zip(theirs, ours, strict=True)):
            yield from differences(one, other, f"{path}.{place}")
    elif theirs != ours or type(theirs) is not type(ours):
        yield f"{path}: {_shown(theirs)}, {_shown(ours)}"


class _Missing:
    """What stands in for a value that one side does not have."""


MISSING = _Missing()


def _shown(value: object) -> str:
    return "–" if value is MISSING else json.dumps(value, ensure_ascii=False, default=str)


NOT_UTF8 = gettext_noop("The text is not valid UTF-8.")
BAD_JSON = gettext_noop("This is not valid JSON (position %(position)s).")
TOO_DEEP = gettext_noop("The JSON is nested too deeply.")
TOO_LONG = gettext_noop("A number has too many digits.")
NO_CONSTANT = gettext_noop("Standard JSON has no number %(name)s.")
DUPLICATE_KEY = gettext_noop("“%(name)s” occurs twice.")
NO_CASE = gettext_noop("A case is an object with named fields.")
NO_RULESET = gettext_noop("“ruleset” must be one of: %(names)s.")
OUR_FAULT = gettext_noop("The case could not be worked out: a fault of this program, not of the case.")
