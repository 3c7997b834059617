"""Faults in templates: a condition turned round, a filter left out, a part that is not shown."""

import re
from collections.abc import Iterator
from pathlib import Path

from bench.mutants.python import Mutant

TAG = re.compile(r"{%\s*(\w+)(.*?)%}|{{(.*?)}}", re.DOTALL)
# Filters that write the same in another way are tested by their own tests.
WORDS = {"translate", "trans"}


def mutants(path: Path, home: Path) -> Iterator[Mutant]:
    """List every fault of a template."""
    text = path.read_text(encoding="utf-8")
    for number, match in enumerate(TAG.finditer(text)):
        for variant, (_, kind) in enumerate(faults_of(match)):
            line = text.count("\n", 0, match.start()) + 1
            yield Mutant(
                str(path.relative_to(home)), number, variant, line, "", kind, " ".join(match[0].split())[:100]
            )


def faults_of(match: re.Match[str]) -> Iterator[tuple[str, str]]:
    """Yield what may be put in the place of a tag."""
    tag, rest, value = match[1], match[2], match[3]
    if tag in {"if", "elif"}:
        yield (
            f"{{% {tag} not {rest.strip()} %}}" if " " not in rest.strip() else turned(tag, rest),
            "condition",
        )
        for old, new in ((" and ", " or "), (" or ", " and ")):
            if old in rest:
                yield match[0].replace(old, new, 1), "connective"
    if tag in {"include", "csrf_token", "url", "component"} and "as " not in rest:
        yield "", f"{tag} left out"
    if tag == "for" and "reversed" not in rest:
        yield f"{{% for {rest.strip()} reversed %}}", "order turned round"
    if value is not None:
        yield from _in_value(match[0], value)


def turned(tag: str, rest: str) -> str:
    """Turn a longer condition round: templates know no brackets, so that its first comparison is turned."""
    for old, new in (
        ("==", "!="),
        ("!=", "=="),
        (" not in ", " in "),
        (" in ", " not in "),
        (">=", "<"),
        ("<=", ">"),
    ):
        if old in rest:
            return f"{{% {tag} {rest.replace(old, new, 1).strip()} %}}"
    words = rest.split()
    return f"{{% {tag} {' '.join(words[1:] if words[0] == 'not' else ['not', *words])} %}}"


def _in_value(whole: str, value: str) -> Iterator[tuple[str, str]]:
    yield "", "value left out"
    parts = re.split(r"\|(?=\w)", value.strip())
    for number in range(1, len(parts)):
        yield (
            "{{ " + "|".join(parts[:number] + parts[number + 1 :]) + " }}",
            f"filter {parts[number].partition(':')[0]} left out",
        )


def planted(mutant: Mutant, home: Path) -> str:
    """Return the template with its fault."""
    text = (home / mutant.path).read_text(encoding="utf-8")
    match = list(TAG.finditer(text))[mutant.node]
    fresh = list(faults_of(match))[mutant.variant][0]
    return text[: match.start()] + fresh + text[match.end() :]
