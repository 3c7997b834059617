"""Faults in Python: one comparison, number, connective, filter, argument, decorator or statement is changed."""

import ast
import copy
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
NARROWING = {"filter", "exclude", "distinct"}
ORDERING = {"order_by", "reverse"}
# What is only said to people who run the site, or makes something faster and not different.
UNSEEN_CALLS = {
    "debug",
    "info",
    "warning",
    "exception",
    "select_related",
    "prefetch_related",
    "close",
    "cache_clear",
}
LEFT_OUT = {"clauses.py", "__init__.py", "words.py", "apps.py"}
Changed = Iterator[tuple[ast.AST, str]]


@dataclass(frozen=True)
class Mutant:
    """Where a fault is planted and what it is; `line` is that of the faultless file."""

    path: str
    node: int
    variant: int
    line: int
    where: str
    kind: str
    text: str

    @property
    def name(self) -> str:
        """The fault's name, which outlives changes elsewhere in the file."""
        return f"{self.path} · {self.where} · {self.kind} · {self.text}"


def faults_of(node: ast.AST) -> Changed:
    """Yield what may be put in the place of a node."""
    yield from _in_expression(node)
    yield from _in_statement(node)
    if isinstance(node, ast.Call):
        yield from _in_call(node)


def _in_expression(node: ast.AST) -> Changed:
    fresh = copy.deepcopy(node)
    if isinstance(fresh, ast.Compare) and type(fresh.ops[0]) in SWAPS:
        fresh.ops[0] = SWAPS[type(fresh.ops[0])]()  # type: ignore[call-overload]
        yield fresh, "comparison"
    elif isinstance(fresh, ast.BinOp) and type(fresh.op) in SWAPS and not _is_text(fresh):
        fresh.op = SWAPS[type(fresh.op)]()  # type: ignore[assignment]
        yield fresh, "arithmetic"
    elif isinstance(fresh, ast.BoolOp):
        fresh.op = SWAPS[type(fresh.op)]()  # type: ignore[assignment]
        yield fresh, "connective"
    elif isinstance(fresh, ast.Constant) and isinstance(fresh.value, bool):
        fresh.value = not fresh.value
        yield fresh, "truth value"
    elif isinstance(fresh, ast.Constant) and isinstance(fresh.value, int):
        fresh.value += 1
        yield fresh, "number"
    elif isinstance(fresh, ast.UnaryOp) and isinstance(fresh.op, ast.Not):
        yield fresh.operand, "not"
    elif isinstance(fresh, ast.IfExp | ast.If):
        fresh.test = ast.UnaryOp(ast.Not(), fresh.test)
        yield fresh, "condition"
    elif isinstance(fresh, ast.comprehension) and fresh.ifs:
        fresh.ifs = fresh.ifs[1:]
        yield fresh, "condition of a comprehension"


def _in_statement(node: ast.AST) -> Changed:
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and _called(node.value) not in UNSEEN_CALLS
    ):
        yield ast.copy_location(ast.Pass(), node), "statement left out"
    if isinstance(node, ast.FunctionDef):
        for number in range(len(node.decorator_list)):
            fresh = copy.deepcopy(node)
            del fresh.decorator_list[number]
            yield fresh, "decorator left out"


def _in_call(node: ast.Call) -> Changed:
    called = _called(node)
    if (
        isinstance(node.func, ast.Attribute)
        and called in NARROWING | ORDERING
        and (node.args or node.keywords)
    ):
        yield copy.deepcopy(node.func.value), f"{called} left out"
    if called in {"filter", "exclude", "get", "get_object_or_404"} and len(node.keywords) > 1:
        for number in range(len(node.keywords)):
            fresh = copy.deepcopy(node)
            del fresh.keywords[number]
            yield fresh, f"argument of {called} left out"
    if called == "order_by":
        for number, name in enumerate(node.args):
            if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value != "?":
                fresh = copy.deepcopy(node)
                fresh.args[number] = ast.Constant(
                    name.value[1:] if name.value[0] == "-" else f"-{name.value}"
                )
                yield fresh, "order turned round"


def _called(node: ast.Call) -> str:
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _is_text(node: ast.BinOp) -> bool:
    """A % or + on a text is wording, not arithmetic."""
    return any(
        isinstance(part, ast.Constant | ast.JoinedStr) and not isinstance(getattr(part, "value", 0), int)
        for part in (node.left, node.right)
    )


def mutants(path: Path, home: Path) -> Iterator[Mutant]:
    """List every fault of a file; types, docstrings and what only a type checker reads are left alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unread = {id(part) for hint in _unread(tree) for part in ast.walk(hint)}
    places = _places(tree)
    for number, node in enumerate(ast.walk(tree)):
        if id(node) in unread:
            continue
        for variant, (_, kind) in enumerate(faults_of(node)):
            line = getattr(node, "lineno", 0)
            if not line and isinstance(node, ast.comprehension):
                line = node.target.lineno
            text = " ".join(ast.unparse(node).split())[:100]
            yield Mutant(str(path.relative_to(home)), number, variant, line, places[id(node)], kind, text)


def _unread(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            hint = getattr(node, name, None)
            if isinstance(hint, ast.AST):
                yield hint
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield node
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            yield node


def _places(tree: ast.AST) -> dict[int, str]:
    """Name for each node the function or class that it stands in."""
    found: dict[int, str] = {}

    def visit(node: ast.AST, place: str) -> None:
        found[id(node)] = place
        for child in ast.iter_child_nodes(node):
            named = isinstance(child, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
            visit(child, f"{place}.{child.name}".lstrip(".") if named else place)  # type: ignore[attr-defined]

    visit(tree, "")
    return found


def planted(mutant: Mutant, home: Path) -> ast.Module:
    """Return the tree of the file with its fault; lines keep their numbers."""
    tree = ast.parse((home / mutant.path).read_text(encoding="utf-8"))
    target = list(ast.walk(tree))[mutant.node]
    fresh = list(faults_of(target))[mutant.variant][0]

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.copy_location(fresh, node) if node is target else self.generic_visit(node)

    faulty = Exchange().visit(tree)
    assert isinstance(faulty, ast.Module)
    return ast.fix_missing_locations(faulty)


Codes = list[tuple[types.CodeType, types.CodeType]]


def changed_codes(before: types.CodeType, after: types.CodeType) -> Codes | None:
    """Pair the functions that differ; None where the difference is seen when the file is imported."""
    pairs: Codes = []
    if _own(before) != _own(after):
        return None
    for old, new in zip(_inner(before), _inner(after), strict=True):
        if old == new:
            continue
        is_class = not old.co_flags & 2  # the body of a class has no fast locals
        inner = changed_codes(old, new) if is_class else [(old, new)]
        if inner is None:
            return None
        pairs += inner
    return pairs


def _inner(code: types.CodeType) -> list[types.CodeType]:
    return [const for const in code.co_consts if isinstance(const, types.CodeType)]


def _own(code: types.CodeType) -> object:
    plain = tuple(const for const in code.co_consts if not isinstance(const, types.CodeType))
    return code.co_code, repr(plain), code.co_names, len(_inner(code))
