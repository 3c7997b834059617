"""docker-compose.yml, read as Docker Compose reads it: the one place where the parts of the site are listed."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from config.tools.smoke.dockerfile import Health, Image

OURS = "four-winds:latest"
INTERPOLATED = re.compile(r"\$(?:\$|\{([A-Z_]+)(?:(:?[-?+])((?:[^{}]|\{[^{}]*\})*))?\}|([A-Z_]+))")


class Unanswered(Exception):
    """The compose file asks for a value that .env does not give; the sentence is the file's own."""


@dataclass(frozen=True)
class Service:
    """One service, with what its image says where the file says nothing."""

    name: str
    image: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    user: str
    is_read_only: bool
    tmpfs: Mapping[str, str]
    volumes: Mapping[str, str]
    secrets: tuple[str, ...]
    health: Health | None
    waits_for: Mapping[str, str]
    capabilities: tuple[str, ...]
    has_all_capabilities: bool
    ends_by_itself: bool
    is_on_demand: bool
    memory: int

    @property
    def is_ours(self) -> bool:
        """Whether it runs the image that is built here."""
        return self.image == OURS


def read(folder: Path, image: Image) -> dict[str, Service]:
    """Read the services of the project in a folder, with the answers of its .env."""
    told = answers((folder / ".env").read_text())
    file = interpolated(yaml.safe_load((folder / "docker-compose.yml").read_text()), told)
    return {name: _service(name, facts, image) for name, facts in file["services"].items()}


def answers(text: str) -> dict[str, str]:
    """Read an .env file."""
    pairs = [line.partition("=") for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return {name.strip(): value.strip() for name, _, value in pairs}


def interpolated(value: Any, told: Mapping[str, str]) -> Any:
    """Put the answers wherever the file asks for them."""
    if isinstance(value, dict):
        return {key: interpolated(each, told) for key, each in value.items()}
    if isinstance(value, list):
        return [interpolated(each, told) for each in value]
    return INTERPOLATED.sub(lambda match: _answer(match, told), value) if isinstance(value, str) else value


def _answer(match: re.Match[str], told: Mapping[str, str]) -> str:
    name, how, word = match[1] or match[4], match[2] or "", match[3] or ""
    if name is None:
        return "$"
    there = name in told and bool(told[name] or ":" not in how)
    if how.endswith("+"):
        return str(interpolated(word, told)) if there else ""
    if there:
        return told[name]
    if how.endswith("?"):
        raise Unanswered(word)
    return str(interpolated(word, told))


def _service(name: str, facts: dict[str, Any], image: Image) -> Service:
    is_ours = facts["image"] == OURS
    own = {key: str(value) for key, value in facts.get("environment", {}).items()}
    command = (*facts.get("entrypoint", ()), *facts.get("command", image.command if is_ours else ()))
    return Service(
        name=name,
        image=facts["image"],
        command=tuple(map(str, command)),
        environment={**(image.environment if is_ours else {}), **own},
        user=facts.get("user", image.user if is_ours else ""),
        is_read_only=facts.get("read_only", False),
        tmpfs=dict(_parted(each) for each in facts.get("tmpfs", ())),
        volumes=dict(reversed(each.split(":")[:2]) for each in facts.get("volumes", ())),
        secrets=tuple(facts.get("secrets", ())),
        health=_health(facts.get("healthcheck", {}), image.health if is_ours else None),
        waits_for={other: each["condition"] for other, each in facts.get("depends_on", {}).items()},
        capabilities=tuple(facts.get("cap_add", ())),
        has_all_capabilities=facts.get("cap_drop") != ["ALL"],
        ends_by_itself=facts.get("restart") == "no",
        is_on_demand="profiles" in facts,
        memory=_bytes(facts.get("mem_limit", "0")),
    )


def _parted(mount: str) -> tuple[str, str]:
    path, _, options = mount.partition(":")
    return path, options


def _health(facts: dict[str, Any], of_image: Health | None) -> Health | None:
    if facts.get("disable"):
        return None
    if "test" not in facts:
        return of_image
    kind, *words = facts["test"]
    return Health(("sh", "-c", *words) if kind == "CMD-SHELL" else tuple(words))


def _bytes(size: str) -> int:
    """Read a size such as 512m."""
    found = re.fullmatch(r"([0-9]+)([kmg]?)", str(size))
    if found is None:
        raise ValueError(f"{size} is no size")
    number, unit = found.groups()
    return int(int(number) * 1024 ** " kmg".index(unit or " "))


def in_order(services: Mapping[str, Service]) -> Iterator[Service]:
    """Go through the services in the order in which they may start; those on demand are left out."""
    waiting = {name: each for name, each in services.items() if not each.is_on_demand}
    started: set[str] = set()
    while waiting:
        ready = [each for each in waiting.values() if set(each.waits_for) <= started]
        if not ready:
            raise ValueError(f"These services wait for each other: {', '.join(waiting)}.")
        yield from ready
        started |= {each.name for each in ready}
        for each in ready:
            del waiting[each.name]
