"""What is answered in front of Django, as expressions made from the URL table: no address is written down twice."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
EVENT = "<slug:slug>/"
SLUG = r"(?P<slug>[-\w]{1,100})"
NUMBER = "[0-9]{1,6}"
"""Every argument but the event's own is a number here; where another text stands, Django answers."""


@dataclass(frozen=True)
class Address:
    """A line of the URL table: the whole route, its name with the namespaces, its view."""

    route: str
    name: str
    view: Callable[..., Any]

    @property
    def is_shared(self) -> bool:
        """Return whether the page is the same for every stranger, as its view says."""
        access = getattr(self.view, "access", None)
        return access is not None and access.is_shared


@cache
def shared_pages() -> re.Pattern[str]:
    """Match the pages that every stranger gets alike; the group `slug` is the event."""
    known = list(addresses())
    others = {address.route.partition("/")[0] for address in known if not address.route.startswith("<")}
    reserved = "|".join(sorted(map(re.escape, others)))
    within = "|".join(
        _expression(address.route.removeprefix(EVENT), lambda name: NUMBER)
        for address in known
        if address.is_shared
    )
    return re.compile(rf"/(?!(?:{reserved})/){SLUG}/(?:{within})\Z", re.ASCII)


@cache
def named(name: str) -> Address:
    """Find an address of an event by its name."""
    return next(address for address in addresses() if address.name == name)


@cache
def matching(name: str) -> re.Pattern[str]:
    """Match an address of an event; each of its arguments is a group of that name."""
    within = _expression(named(name).route.removeprefix(EVENT), lambda argument: f"(?P<{argument}>{NUMBER})")
    return re.compile(rf"/{SLUG}/{within}\Z", re.ASCII)


def addresses() -> Iterator[Address]:
    """Go through the URL table, in the order in which Django reads it."""
    yield from _walk(get_resolver().url_patterns, "", "")


def _walk(patterns: Iterable[URLPattern | URLResolver], route: str, namespace: str) -> Iterator[Address]:
    for pattern in patterns:
        whole = route + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern.url_patterns, whole, inner)
        else:
            yield Address(whole, namespace + (pattern.name or ""), pattern.callback)


def _expression(route: str, group: Callable[[str], str]) -> str:
    """Write a route as an expression: its words as they are, its arguments as the caller says."""
    parts = ARGUMENT.split(route)
    words, arguments = map(re.escape, parts[::2]), map(group, parts[1::2])
    return "".join(word + argument for word, argument in zip(words, [*arguments, ""], strict=True))
