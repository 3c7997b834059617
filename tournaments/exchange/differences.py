"""Where two JSON values differ, by their paths."""

from collections.abc import Iterator, Mapping
from typing import Any


def differences(file: Any, here: Any, path: str = "computed") -> Iterator[str]:
    """Name every place where the file says something else than this installation works out."""
    if isinstance(file, Mapping) and isinstance(here, Mapping):
        for name in sorted({*file, *here}):
            yield from differences(file.get(name), here.get(name), f"{path}.{name}")
    elif isinstance(file, list) and isinstance(here, list) and len(file) == len(here):
        for place, (one, other) in enumerate(zip(file, here, strict=True)):
            yield from differences(one, other, f"{path}.{place}")
    elif file != here:
        yield f"{path}: {file!r} in the file, {here!r} here"
