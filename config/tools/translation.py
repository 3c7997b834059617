"""The catalogues of translations: what the code says, what a catalogue has, and how the two are brought together.

English is the master text and stands in the code; a catalogue of it could only grow stale. Nothing is guessed: a
sentence is translated by a person or it is missing. The package `scoring` keeps its own catalogue beside it, because it
reads it without a framework, and in several files, one for each system; for Django all are compiled into one.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

from scoring import words
from scoring.systems import SYSTEMS

LANGUAGES = tuple(language for language in words.LANGUAGES if language != "en")
"""What English is translated into."""
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_noop": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
CONTEXTS = frozenset(context for system in SYSTEMS.values() for context in system.terms.contexts)
"""The systems under whose names a catalogue may hold wordings of their own."""
LEFT_OUT = {"tests", "migrations", "vendor", "smoke", "__pycache__"}
FLEETING = re.compile(r'^"(POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Generated-By|'
                      r'Report-Msgid-Bugs-To|Project-Id-Version): .*\n', re.MULTILINE)  # fmt: skip
PLACEHOLDER = re.compile(r"%(?:\((\w+)\))?[#0\- +]*\d*(?:\.\d+)?[a-zA-Z]|\{\w*\}")
TAG = re.compile(r"</?[a-z][^>]*>")
Key = tuple[str, str]


@dataclass(frozen=True)
class Domain:
    """A catalogue: its name, where it lies, and the files whose sentences it holds."""

    name: str
    home: Path
    sources: tuple[tuple[str, str], ...]
    is_split: bool = False

    def po(self, language: str) -> Path:
        """Return the path of a language's catalogue; of a split one, the file that takes new sentences."""
        return self.home / language / "LC_MESSAGES" / f"{self.name}.po"

    def parts(self, language: str) -> list[Path]:
        """List the files of a language's catalogue that are there."""
        own = self.po(language)
        return sorted(own.parent.glob("*.po")) if self.is_split else [own] if own.exists() else []

    def files(self) -> Iterator[Path]:
        """Go through the source files in a lasting order."""
        for folder, ending in self.sources:
            for path in sorted((settings.BASE_DIR / folder).rglob(f"*{ending}")):
                if not LEFT_OUT & set(path.relative_to(settings.BASE_DIR).parts):
                    yield path


def domains() -> dict[str, Domain]:
    """List the three catalogues."""
    base: Path = settings.BASE_DIR
    apps = tuple((name, ".py") for name in ("config", "tournaments", "seating", "penalties"))
    templates = (("templates", ".html"), ("templates", ".txt"))
    return {
        "pages": Domain("django", base / "locale", (*apps, *templates)),
        "scripts": Domain("djangojs", base / "locale", (("static/js", ".js"),)),
        "scoring": Domain("scoring", base / "scoring" / "locale", (("scoring", ".py"),), is_split=True),
    }


# What the code says


def extracted(domain: Domain) -> Catalog:
    """Collect every marked sentence of a domain."""
    catalog = Catalog(charset="utf-8")
    for path in domain.files():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        for line, sentence, comments, context in sentences(path):
            catalog.add(sentence, locations=[(name, line)], auto_comments=comments, context=context)
    return catalog


def sentences(path: Path) -> Iterator[tuple[int, str | tuple[str, ...], list[str], str | None]]:
    """Find the marked sentences of a file."""
    text = path.read_text(encoding="utf-8")
    method = "javascript" if path.suffix == ".js" else "python"
    if path.suffix in {".html", ".txt"}:
        # What is not a sentence becomes a word of X; without indentation it reads as Python.
        text = "\n".join(line.lstrip() for line in templatize(text, origin=str(path)).split("\n"))
    parts = [(0, text), *substitutions(text)] if method == "javascript" else [(0, text)]
    for before, part in parts:
        found = extract(method, BytesIO(part.encode()), KEYWORDS, ["Translators:"], {"encoding": "utf-8"})
        for line, sentence, comments, context in found:
            yield line + before, sentence, comments, context


def substitutions(text: str) -> Iterator[tuple[int, str]]:
    """Find the code within the template literals of a script, with the number of lines before it."""
    for found in re.finditer(r"\$\{", text):
        depth, end = 1, found.end()
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
        yield text.count("\n", 0, found.end()), text[found.end() : end - 1]


# What a catalogue has


def read(path: Path, language: str) -> Catalog:
    """Read one file of a catalogue; an empty one if there is none."""
    if not path.exists():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language, charset="utf-8")


def stored(domain: Domain, language: str) -> Catalog:
    """Read a language's catalogue; of several files, a sentence counts where it is translated."""
    known: dict[Key, Message] = {}
    for path in domain.parts(language):
        for name, message in by_key(read(path, language)).items():
            if not is_translated(known.get(name)):
                known[name] = message
    whole = Catalog(locale=language, charset="utf-8")
    for message in known.values():
        whole[message.id] = message
    return whole


def key(message: Message) -> Key:
    """Name a message: its context and its (singular) sentence."""
    single = message.id if isinstance(message.id, str) else message.id[0]
    return (message.context or "", single)


def by_key(catalog: Catalog) -> dict[Key, Message]:
    """Return the messages of a catalogue, its header apart."""
    return {key(message): message for message in catalog if message.id}


def is_translated(message: Message | None) -> bool:
    """Whether there is a text in each of its forms."""
    if message is None:
        return False
    return all(message.string) if isinstance(message.string, (tuple, list)) else bool(message.string)


# Bringing them together


def update(domain: Domain, language: str) -> tuple[int, int]:
    """Rewrite a catalogue to hold exactly the code's sentences; return how many are missing and how many went."""
    wanted, own = by_key(extracted(domain)), domain.po(language)
    parts = {own: dict[Key, Message]()} | {
        path: by_key(read(path, language)) for path in domain.parts(language)
    }
    known = {name for part in parts.values() for name in part}
    for path, there in parts.items():
        fresh = Catalog(locale=language, charset="utf-8")
        for name, message in wanted.items():
            if name in there or (path == own and name not in known):
                take_over(fresh, message, there.get(name))
        for name, message in there.items():
            if is_own_wording(name, wanted):
                take_over(fresh, own_wording(message, wanted), message)
        save(fresh, path)
    now = by_key(stored(domain, language))
    return sum(not is_translated(each) for each in now.values()), len(known - now.keys())


def is_own_wording(name: Key, wanted: Mapping[Key, Message]) -> bool:
    """Whether a message is what a system says instead of a sentence of the code. [DESIGN 9]"""
    context, sentence = name
    return context in CONTEXTS and name not in wanted and ("", sentence) in wanted


def own_wording(message: Message, wanted: Mapping[Key, Message]) -> Message:
    """Return the sentence of the code under the system's context."""
    general = wanted["", key(message)[1]]
    return Message(
        general.id,
        locations=general.locations,
        flags=general.flags,
        auto_comments=general.auto_comments,
        context=message.context,
    )


def take_over(fresh: Catalog, message: Message, kept: Message | None) -> None:
    """Add a sentence of the code with the translation that is kept for it."""
    is_same = kept is not None and kept.pluralizable == message.pluralizable
    fresh.add(
        message.id,
        kept.string if kept is not None and is_same else None,
        locations=sorted({(path, 0) for path, _ in message.locations}),
        flags=message.flags,
        auto_comments=message.auto_comments,
        user_comments=kept.user_comments if kept else (),
        context=message.context,
    )


def save(catalog: Catalog, path: Path) -> None:
    """Write a catalogue without dates and line numbers, so that it changes only when a sentence does."""
    if not by_key(catalog) and not path.exists():
        return
    text = BytesIO()
    write_po(text, catalog, width=100, include_lineno=False, sort_by_file=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    body = FLEETING.sub("", text.getvalue().decode())
    path.write_text(body[body.index("msgid") :], encoding="utf-8")


def problems(domain: Domain, language: str) -> Iterator[str]:
    """Find what is missing, guessed, left over or broken in a catalogue."""
    wanted, there = by_key(extracted(domain)), by_key(stored(domain, language))
    where = domain.po(language).relative_to(settings.BASE_DIR)
    yield from conflicts(domain, language, there)
    for name in sorted(wanted.keys() | there.keys()):
        message = there.get(name)
        if message is not None and is_own_wording(name, wanted):
            yield from (f"{where}: {name[0]}: {reason}: {name[1]!r}" for reason in differences(message))
        elif name not in wanted:
            yield f"{where}: obsolete: {name[1]!r}"
        elif message is None or not is_translated(message):
            yield f"{where}: missing: {name[1]!r} ({wanted[name].locations[0][0]})"
        elif message.fuzzy:
            yield f"{where}: fuzzy: {name[1]!r}"
        elif wanted[name].pluralizable != message.pluralizable:
            yield f"{where}: plural forms differ from the code: {name[1]!r}"
        else:
            yield from (f"{where}: {reason}: {name[1]!r}" for reason in differences(message))


def conflicts(domain: Domain, language: str, there: dict[Key, Message]) -> Iterator[str]:
    """Find what two files of one catalogue translate differently."""
    for path in domain.parts(language):
        for name, message in by_key(read(path, language)).items():
            if is_translated(message) and message.string != there[name].string:
                yield f"{path.relative_to(settings.BASE_DIR)}: another file has another translation: {name[1]!r}"


def differences(message: Message) -> Iterator[str]:
    """Compare the placeholders and the tags of each translated form with the (plural) sentence."""
    master = message.id if isinstance(message.id, str) else message.id[-1]
    forms = [message.string] if isinstance(message.string, str) else list(message.string or ())
    for form in forms:
        if placeholders(form) != placeholders(master):
            yield f"placeholders differ in {form!r}"
        if sorted(TAG.findall(form)) != sorted(TAG.findall(master)):
            yield f"tags differ in {form!r}"


def placeholders(text: str) -> list[str]:
    """List the %(name)s, %s and {name} of a text."""
    return sorted(found.group() for found in PLACEHOLDER.finditer(text.replace("%%", "")))


def disagreements(language: str) -> Iterator[str]:
    """Find sentences that two catalogues translate differently although Django will know one of them only."""
    known = domains()
    pages, scoring = (by_key(stored(known[name], language)) for name in ("pages", "scoring"))
    for name in sorted(pages.keys() & scoring.keys()):
        if pages[name].string != scoring[name].string:
            yield f"{name[1]!r} is translated differently in locale and scoring/locale"


# For Django


def compile_all() -> list[Path]:
    """Compile what is newer than its compiled form; pages and scoring become one."""
    known = domains()
    recipes = {"django": ("scoring", "pages"), "djangojs": ("scripts",)}
    made = []
    for language in LANGUAGES:
        for name, parts in recipes.items():
            target = settings.BASE_DIR / "locale" / language / "LC_MESSAGES" / f"{name}.mo"
            sources = [path for part in parts for path in known[part].parts(language)]
            if is_stale(target, sources):
                merge([stored(known[part], language) for part in parts], language, target)
                made.append(target)
    return made


def is_stale(target: Path, sources: list[Path]) -> bool:
    """Whether a compiled catalogue is older than one of its sources."""
    times = [source.stat().st_mtime_ns for source in sources]
    return bool(times) and (not target.exists() or target.stat().st_mtime_ns < max(times))


def merge(catalogs: list[Catalog], language: str, target: Path) -> None:
    """Compile several catalogues into one file, the later before the earlier, at once or not at all."""
    whole = Catalog(locale=language, charset="utf-8")
    for catalog in catalogs:
        for message in by_key(catalog).values():
            whole.add(message.id, message.string, context=message.context)
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_suffix(f".mo.{os.getpid()}")  # two processes may compile at one moment
    with beside.open("wb") as file:
        write_mo(file, whole)
    beside.replace(target)
