"""How deep a JSON text nests, before anything of it is read: the same answer on every Python."""

import re

MARKS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]')


def depth_of(text: str) -> int:
    """Count how deeply brackets nest, outside of quoted texts."""
    deepest = depth = 0
    for found in MARKS.finditer(text):
        if found[0] in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif found[0] in "]}":
            depth -= 1
    return deepest
