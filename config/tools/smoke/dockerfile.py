"""The Dockerfile, read as an engine reads it: its instructions, its stages, and what the finished image is told."""

import json
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

VARIABLE = re.compile(r"\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?")


@dataclass(frozen=True)
class Instruction:
    """One instruction, such as RUN, with what follows it as one line."""

    word: str
    text: str


@dataclass
class Stage:
    """What stands between one FROM and the next."""

    base: str
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def texts(self, word: str) -> list[str]:
        """Return what follows each instruction of a kind."""
        return [each.text for each in self.instructions if each.word == word]


@dataclass(frozen=True)
class Health:
    """How a container is asked whether it is well."""

    test: tuple[str, ...]


@dataclass(frozen=True)
class Image:
    """What a container of the image starts with, unless the compose file says otherwise."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    user: str
    folder: str
    health: Health


def stages(text: str) -> list[Stage]:
    """Read the stages; comments are left out and continued lines are joined."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    found: list[Stage] = []
    for line in joined.splitlines():
        word, _, rest = line.strip().partition(" ")
        if word.upper() == "FROM":
            parts = rest.split()
            found.append(Stage(base=parts[0], name=parts[2] if len(parts) > 2 else ""))
        else:
            found[-1].instructions.append(Instruction(word.upper(), rest.strip()))
    return found


def environment_of(stage: Stage, before: Mapping[str, str]) -> dict[str, str]:
    """Return what the ENV instructions of a stage come to, on top of what its base says."""
    known = dict(before)
    for text in stage.texts("ENV"):
        known |= _assigned(text, dict(known))  # the names of one instruction do not see each other
    return known


def _assigned(text: str, told: Mapping[str, str]) -> dict[str, str]:
    pairs = [word.partition("=") for word in shlex.split(text)]
    return {name: VARIABLE.sub(lambda match: told.get(match[1], ""), value) for name, _, value in pairs}


def image(text: str, path: str) -> Image:
    """Read what the last stage makes; `path` is the PATH of its base."""
    last = stages(text)[-1]
    return Image(
        command=tuple(json.loads(last.texts("CMD")[-1])),
        environment=environment_of(last, {"PATH": path}),
        user=last.texts("USER")[-1],
        folder=last.texts("WORKDIR")[-1],
        health=Health(tuple(json.loads(last.texts("HEALTHCHECK")[-1].partition("CMD")[2]))),
    )


def context(base: Path) -> list[PurePosixPath]:
    """List the files that an engine would be handed: all that .dockerignore does not leave out."""
    patterns = [line.strip() for line in (base / ".dockerignore").read_text().splitlines()]
    patterns = [line for line in patterns if line and not line.startswith("#")]
    return sorted(_files(base, PurePosixPath(), patterns))


def _files(base: Path, folder: PurePosixPath, patterns: list[str]) -> list[PurePosixPath]:
    found: list[PurePosixPath] = []
    for path in (base / folder).iterdir():
        here = folder / path.name
        if any(_is_matched(here, pattern) for pattern in patterns):
            continue
        found += _files(base, here, patterns) if path.is_dir() and not path.is_symlink() else [here]
    return found


def _is_matched(path: PurePosixPath, pattern: str) -> bool:
    """Whether a pattern names this very path; what lies below a folder is left out with the folder."""
    if pattern.startswith("**/"):
        return fnmatch(path.name, pattern.removeprefix("**/"))
    return len(path.parts) == len(PurePosixPath(pattern).parts) and fnmatch(str(path), pattern)
