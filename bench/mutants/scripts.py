"""Faults in scripts: a small reader of JavaScript finds what is neither text, comment nor regular expression, and changes a piece of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.mutants.python import Mutant

TOKENS = re.compile(
    r"""(?P<space>\s+)|(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|(?P<number>\b0x[\da-fA-F]+n?\b|\b\d[\d_]*(?:\.\d+)?n?\b)|(?P<name>(?:[^\W\d]|[$#])[\w$]*)"""
    r"""|(?P<sign>===|!==|\?\?=|\*\*|=>|\.\.\.|&&|\|\||\?\?|\?\.|<=|>=|\+=|-=|\+\+|--|[-+*/%<>!=?:;,.(){}\[\]&|^~])""",
    re.DOTALL,
)
REGULAR = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")
SWAPS = {
    "===": "!==",
    "!==": "===",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "&&": "||",
    "||": "&&",
    "??": "&&",
    "+": "-",
    "-": "+",
    "*": "+",
    "%": "*",
    "+=": "-=",
    "-=": "+=",
}
LEFT_OUT = {"some": "every", "every": "some", "min": "max", "max": "min", "floor": "ceil", "ceil": "floor"}
BEFORE_VALUE = {
    "(",
    ",",
    "=",
    ":",
    "[",
    "!",
    "&&",
    "||",
    "?",
    "{",
    "}",
    ";",
    "=>",
    "return",
    "??",
    "+",
    "",
    "===",
    "!==",
}


@dataclass(frozen=True)
class Token:
    """A piece of a script."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def tokens(script: str) -> Iterator[Token]:
    """Split a script; what stands in `${}` of a template text is split too."""
    depths: list[int] = []
    place, before = 0, ""
    while place < len(script):
        if script[place] == "`" or (script[place] == "}" and depths and depths[-1] == 0):
            if script[place] == "}":
                depths.pop()
            end = _end_of_text(script, place + 1)
            yield Token("text", script[place:end], place)
            if script[end - 1] == "{":
                depths.append(0)
            place, before = end, "`" if script[end - 1] == "`" else "("
            continue
        token = _next(script, place, before)
        if depths and token.text in "{}":
            depths[-1] += 1 if token.text == "{" else -1
        yield token
        place = token.end
        if token.kind not in {"space", "comment"}:
            before = token.text


def _end_of_text(script: str, place: int) -> int:
    while script[place] != "`" and script[place : place + 2] != "${":
        place += 2 if script[place] == "\\" else 1
    return place + (1 if script[place] == "`" else 2)


def _next(script: str, place: int, before: str) -> Token:
    if script[place] == "/" and script[place + 1] not in "/*" and before in BEFORE_VALUE:
        found = REGULAR.match(script, place)
        if found:
            return Token("regular", found[0], place)
    match = TOKENS.match(script, place)
    if match is None:
        raise ValueError(f"cannot be read: {script[place : place + 40]!r}")
    return Token(str(match.lastgroup), match[0], place)


def faults_of(script: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield every fault: from where to where, what stands there instead, and its kind."""
    found = [token for token in tokens(script) if token.kind not in {"space", "comment"}]
    for number, token in enumerate(found):
        before = found[number - 1] if number else Token("", "", 0)
        after = found[number + 1] if number + 1 < len(found) else Token("", "", 0)
        yield from _in_token(token, before, after)
        yield from _in_statement(script, found, number)


def _in_token(token: Token, before: Token, after: Token) -> Iterator[tuple[int, int, str, str]]:
    place = (token.start, token.end)
    is_value_before = before.kind in {"name", "number", "text"} or before.text in {")", "]"}
    joins_text = token.text in {"+", "-"} and "text" in {before.kind, after.kind}
    is_between = is_value_before and before.text not in {"return", "case"}
    if token.kind == "sign" and token.text in SWAPS and is_between and not joins_text:
        yield *place, SWAPS[token.text], f"{token.text} to {SWAPS[token.text]}"
    if token.text == "!" and after.text != "=":
        yield *place, "", "not"
    if token.kind == "number":
        yield *place, f"({token.text} + {'1n' if token.text.endswith('n') else '1'})", "number"
    if token.kind == "name" and token.text in {"true", "false"} and before.text != ".":
        yield *place, "false" if token.text == "true" else "true", "truth value"
    if token.kind == "name" and before.text == "." and token.text in LEFT_OUT and after.text == "(":
        yield *place, LEFT_OUT[token.text], f"{token.text} to {LEFT_OUT[token.text]}"


def _in_statement(script: str, found: list[Token], number: int) -> Iterator[tuple[int, int, str, str]]:
    """A condition is turned round, a call that stands for itself left out; a filter of a list lets everything through."""
    token = found[number]
    if token.text == "if" and token.kind == "name":
        end = _closing(found, number + 1)
        yield token.end, end, f" (!{script[token.end : end].strip()})", "condition"
    if (
        token.text == "."
        and number + 2 < len(found)
        and found[number + 1].text == "filter"
        and found[number + 2].text == "("
    ):
        end = _closing(found, number + 2)
        yield token.start, end, "", "filter left out"
    starts = number == 0 or found[number - 1].text in {";", "{", "}"}
    if (
        starts
        and token.kind == "name"
        and token.text in {"this", "store", "await", "next", "delete", "clearTimeout"}
    ):
        last = next((place for place in range(number, len(found)) if found[place].text == ";"), None)
        words = [one.text for one in found[number : last or number]]
        if last and "{" not in words and "=>" not in words:
            yield token.start, found[last].start, "", "statement left out"


def _closing(found: list[Token], number: int) -> int:
    depth = 0
    for token in found[number:]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 0:
            return token.end
    raise ValueError("a bracket is not closed")


def mutants(path: Path, home: Path) -> Iterator[Mutant]:
    """List every fault of a script."""
    script = path.read_text(encoding="utf-8")
    for number, (start, end, _, kind) in enumerate(faults_of(script)):
        line = script.count("\n", 0, start) + 1
        text = " ".join(script.splitlines()[line - 1].split())
        column = start - (script.rfind("\n", 0, start) + 1)
        yield Mutant(
            str(path.relative_to(home)),
            number,
            0,
            line,
            f"at {script[start:end][:20]!r} {column}",
            kind,
            text[:140],
        )


def planted(mutant: Mutant, home: Path) -> str:
    """Return the script with its fault."""
    script = (home / mutant.path).read_text(encoding="utf-8")
    start, end, fresh, _ = list(faults_of(script))[mutant.node]
    return script[:start] + fresh + script[end:]
