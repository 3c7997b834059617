"""Where two JSON values differ, by their paths."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

NOTHING = object()
"""What a side says that does not speak of a value at all, which is not the same as null."""


def differences(file: Any, here: Any, path: str = "computed") -> Iterator[str]:
    """List every place where the file differs from what this installation computes."""
    if isinstance(file, Mapping) and isinstance(here, Mapping):
        for name in sorted({*file, *here}):
            yield from differences(file.get(name, NOTHING), here.get(name, NOTHING), f"{path}.{name}")
    elif isinstance(file, list) and isinstance(here, list) and len(file) == len(here):
        for place, (one, other) in enumerate(zip(file, here, strict=True)):
            yield from differences(one, other, f"{path}.{place}")
    elif file != here or type(file) is not type(here):
        yield f"{path}: {_shown(file)} in the file, {_shown(here)} here"


def _shown(value: Any) -> str:
    return "nothing" if value is NOTHING else json.dumps(value, ensure_ascii=False)
