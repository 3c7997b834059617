"""Pages read without the white space that only lays out their source."""

import re
from typing import Any


def tight(page: Any) -> str:
    """Return a page's markup in one line, with nothing between a tag and what stands beside it."""
    text = page if isinstance(page, str) else page.content.decode()
    return re.sub(r"(?<=>) | (?=[<>])", "", " ".join(text.split()))
