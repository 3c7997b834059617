"""What a tablet must know to refuse an impossible hand by itself: the sentences of a system's refusals, and their tables.

A tablet without a connection says what the server would say. The rules stay where they are, in the system's `checks.py`; a test
holds the tablet's answers against them, hand by hand.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Legality:
    """Sentences by the names that the rules give them, names of codes by the kind of code, and everything else that is looked up.

    `tables` are plain values of JSON; what is to be read by people stands in `sentences` and `names` only, in English.
    """

    sentences: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tables: Mapping[str, Any] = field(default_factory=dict)


def sentences_of(module: ModuleType, names: str) -> dict[str, str]:
    """Return the sentences that a module of rules keeps under these names."""
    return {name: getattr(module, name) for name in names.split()}


def in_hex(numbers: Iterable[int]) -> list[str]:
    """Write numbers that are too large for JSON as a script reads them."""
    return [f"{number:#x}" for number in numbers]
