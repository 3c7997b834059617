"""The screens that a table's page is looked at on: size, language and theme; each test takes one, spread by its name."""

import os
from itertools import product
from typing import Any, NamedTuple
from zlib import crc32

SIZES = {"wide": (1180, 820), "tall": (820, 1180), "phone": (390, 844)}
LANGUAGES = ("en", "ru")
THEMES = ("light", "dark", "sun")
CHOSEN = "FOUR_WINDS_SCREEN"
"""Names the one screen that all tests shall take, such as `phone-ru-sun`, or several between commas, or `all`."""


class Screen(NamedTuple):
    """One of the eighteen."""

    size: str
    language: str
    theme: str

    @property
    def options(self) -> dict[str, Any]:
        """What a browser is opened with."""
        width, height = SIZES[self.size]
        return {"viewport": {"width": width, "height": height}, "has_touch": True, "locale": self.language}

    @property
    def look(self) -> dict[str, Any]:
        """What a browser is opened with by a test that goes by English words."""
        return {**self.options, "locale": "en"}

    @property
    def script(self) -> str:
        """What puts the theme on every page before it is drawn."""
        return f"document.addEventListener('DOMContentLoaded', () => document.documentElement.dataset.theme = '{self.theme}')"


SCREENS = tuple(Screen(*one) for one in product(SIZES, LANGUAGES, THEMES))


def screen_for(name: str) -> Screen:
    """Return the screen that was asked for, else one of the eighteen by the name of what is tested."""
    return screens_for(name)[0]


def screens_for(name: str) -> tuple[Screen, ...]:
    """Return the screens that were asked for, else one of the eighteen by the name of what is tested."""
    return asked() or (SCREENS[crc32(name.encode()) % len(SCREENS)],)


def looks_for(name: str) -> tuple[Screen, ...]:
    """Return a screen for each language and theme among those of a test that takes every size by itself."""
    return tuple({(one.language, one.theme): one for one in screens_for(name)}.values())


def chosen() -> Screen | None:
    """Return the first screen that was asked for, if any."""
    return next(iter(asked()), None)


def asked() -> tuple[Screen, ...]:
    """Return the screens that were asked for."""
    named = os.environ.get(CHOSEN, "")
    return SCREENS if named == "all" else tuple(Screen(*one.split("-")) for one in named.split(",") if one)
