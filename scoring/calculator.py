"""A hand as anybody asks about it: what it is worth with every fan, and which tiles it waits for with what each would bring.

The page, the command and the copy that a browser keeps for use without a network all ask here, in the words of a link.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.codes import tile_name
from scoring.explanation import explain, read_text, write_text
from scoring.parsers import LARGEST
from scoring.presets import PRESETS, Preset
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.systems import SYSTEMS
from scoring.systems.explained import Explanation, Omission, Term
from scoring.systems.system import System
from scoring.terms import speaking
from scoring.tiles.tile import NUMBERS, parse_compact, write
from scoring.words import fill, say, translate

Answer = dict[str, Any]
Link = Mapping[str, Sequence[str]]
"""The parameters of a link, each with its values."""

SHAPELESS = frozenset({"no_win", "no_form", "three_suits", "forbidden_suit", "tile_copies", "tile_foreign"})
"""With these a tile does not complete the hand; everything else that is wrong concerns the way of winning."""

FULL, MELD = 14, 3
INDICATORS = ("dora_indicators", "ura_indicators")
LONGEST = 200
PLAIN = frozenset({"seat_wind", "round_wind", "forbidden_suit", "players"})
OF_TILES = frozenset({"tile_copies", "tile_foreign"})


@dataclass(frozen=True)
class Question:
    """A hand by the rules of a preset, and how it was won."""

    preset: Preset
    text: str
    how: Mapping[str, object] = field(default_factory=dict)

    @property
    def system(self) -> System:
        """Return the system of play."""
        return SYSTEMS[self.preset.system]

    @property
    def rules(self) -> Mapping[str, Any]:
        """Return the settings of the system."""
        return self.preset.regulation.system_rules

    def hand(self) -> tuple[dict[str, Any], int]:
        """Read the tiles, and how many of fourteen are lacking; where it is one, the hand waits for it."""
        hand = read_text(self.text, kong_kinds=self.system.tiles.says_kong_kinds)
        concealed, winning, melds = hand["concealed"], hand["winning_tile"], hand["melds"]
        lacking = FULL - MELD * len(melds) - len(concealed) - 1
        if lacking == 1:
            return {"concealed": [*concealed, winning], "melds": melds, "winning_tile": None}, lacking
        return hand, lacking

    def explained(self, hand: Mapping[str, object], **how: object) -> Explanation:
        """Explain a hand that was won in this way, or otherwise where something else is said."""
        return explain(self.system.code, hand, {**self.how, **how}, self.rules)


def question(link: Link) -> Question:
    """Read what a link asks; a word that nobody knows is refused."""
    code = _one(link, "rules") or next(iter(PRESETS))
    if code not in PRESETS:
        options = ", ".join(PRESETS)
        raise Refusal(
            Problem("value_unknown", NO_RULES, "rules", details={"value": code, "options": options})
        )
    preset = PRESETS[code]
    return Question(preset, _one(link, "hand")[:LONGEST].strip(), _how(link, SYSTEMS[preset.system]))


def _one(link: Link, name: str) -> str:
    values = link.get(name) or ("",)
    return values[-1]


def _how(link: Link, system: System) -> dict[str, object]:
    """Read how the hand was won, in the words of its system alone; what it does not ask is passed over."""
    tiles = system.tiles
    how: dict[str, object] = {"self_draw": bool(_one(link, "wall"))}
    how |= {mark: True for mark in link.get("how", ()) if mark in tiles.flags}
    if tiles.knows_winds:
        how |= {f"{name}_wind": _one(link, name) or "E" for name in ("seat", "round")}
    for name in {"flowers", "players"} & {*tiles.asks, *(["players"] if tiles.knows_players else [])}:
        if written := _one(link, name):
            how[name] = int(written) if written.isdecimal() and len(written) < 4 else LARGEST
    if "forbidden_suit" in tiles.asks and (suit := _one(link, "forbidden")):
        how["forbidden_suit"] = suit
    for name in INDICATORS:
        if name in tiles.asks and (written := _one(link, name.partition("_")[0])):
            how[name] = [write(tile) for tile in parse_compact(written[:LONGEST], name)]
    return how


def link_of(rules: str, tiles: str, how: Mapping[str, object]) -> dict[str, list[str]]:
    """Write a hand and how it was won as a link."""
    given = {"wall": "1"} if how.get("self_draw") else {}
    given |= {name: str(how[f"{name}_wind"]) for name in ("seat", "round") if f"{name}_wind" in how}
    marks = [name for name, value in how.items() if value is True and name != "self_draw"]
    link = {"rules": [rules], "hand": [tiles]} | {name: [value] for name, value in given.items()}
    return link | ({"how": marks} if marks else {})


# Answers


def answer(link: Link, language: str = "en") -> Answer:
    """Answer a link in a language: the hand, its value or why it has none, and its waits."""
    try:
        asked = question(link)
    except Refusal as refusal:
        return _nothing(_one(link, "rules")) | {"problems": _problems(refusal.problems, language)}
    with speaking(asked.system.terms):
        return answered(asked, language)


def _nothing(rules: str) -> Answer:
    """Return an answer that says nothing yet."""
    return {"rules": rules, "problems": [], "hint": "", "value": None, "waits": None}


def answered(asked: Question, language: str) -> Answer:
    """Answer a question: a hand of fourteen tiles is valued, one of thirteen waits; both tell their waits."""
    found = _nothing(asked.preset.code)
    if not asked.text:
        return found | {"hint": translate(EMPTY, language)}
    try:
        hand, lacking = asked.hand()
        if lacking > 1:
            return found | {"hint": fill(TOO_FEW, {"count": lacking - 1}, language)}
        if lacking < 1:
            found["value"] = valued(asked.explained(hand), language)
    except Refusal as refusal:
        found["problems"] = _problems(refusal.problems, language)
        if any(problem.code not in SHAPELESS for problem in refusal.problems):
            return found
    return found | _waits(asked, hand, language)


def _problems(problems: Sequence[Problem], language: str) -> list[Answer]:
    return [{"sentence": say(one, language), "clause": one.clause} for one in problems]


def valued(found: Explanation, language: str) -> Answer:
    """Write an explanation in a language."""
    return {
        "reading": [_codes(part) for part in found.reading],
        "fans": [_term(term, language) for term in found.terms],
        "dropped": [_omission(one, language) for one in found.omissions],
        "totals": [
            {
                "label": translate(one.label, language),
                "value": translate(str(one.value), language),
                "clause": one.clause,
            }
            for one in found.totals
        ],
        "payment": fill(found.payment, found.details, language) if found.payment else "",
        "reasons": _problems(found.reasons, language),
    }


def _codes(compact: str) -> list[str]:
    """Return the codes of tiles in compact notation."""
    return [write(tile) for tile in parse_compact(compact)]


def _term(term: Term, language: str) -> Answer:
    return {
        "name": translate(term.name, language),
        "points": term.points,
        "times": term.times,
        "made_of": [
            made for part in term.made_of if len(made := _codes(part.replace("+", " "))) < FULL and made
        ],
        "clause": term.clause,
    }


def _omission(one: Omission, language: str) -> Answer:
    return {
        "name": translate(one.name, language),
        "reason": fill(one.reason, one.details, language),
        "clause": one.clause,
    }


# Waits


def _waits(asked: Question, hand: Mapping[str, Any], language: str) -> Answer:
    """Tell the waits of a hand without its winning tile; a hand that cannot be has none to tell."""
    held = {**hand, "winning_tile": None}
    waiting = list(waits(asked, held))
    if not waiting and hand["winning_tile"] is None and (wrong := _unreal(asked, held)):
        return {"problems": _problems(wrong, language)}
    return {"waits": [_wait(asked, held, tile, language) for tile in waiting]}


def waits(asked: Question, held: Mapping[str, Any]) -> Iterator[str]:
    """List the tiles that complete a hand by its shape, whatever it would then be worth. [MCR winning 2a] [RULES 8.13]"""
    tiles = asked.system.tiles
    theoretical = _theoretical(asked, held) if tiles.waiting else ()
    for tile in sorted(tiles.kit(asked.rules).tiles):
        code = write(tile)
        if code in theoretical or not SHAPELESS & set(_against(asked, {**held, "winning_tile": code})):
            yield code


def _theoretical(asked: Question, held: Mapping[str, Any]) -> Sequence[str]:
    """List the waits that a system knows itself: a fifth tile of a kind may be one of them. [RULES 8.13]"""
    assert asked.system.tiles.waiting is not None
    try:
        found = asked.system.tiles.waiting(held, str(asked.how.get("forbidden_suit", "")))
    except Refusal:
        return ()
    return list(found["waits"])


def _against(asked: Question, hand: Mapping[str, object]) -> list[str]:
    """List the codes of what stands against a hand that was won in the plainest way."""
    return [problem.code for problem in _refused(asked, hand)]


def _refused(asked: Question, hand: Mapping[str, object]) -> Sequence[Problem]:
    plain = {name: value for name, value in asked.how.items() if name in PLAIN}
    try:
        explain(asked.system.code, hand, plain, asked.rules)
    except Refusal as refusal:
        return refusal.problems
    return ()


def _unreal(asked: Question, held: Mapping[str, Any]) -> list[Problem]:
    """List what is wrong with the tiles themselves, whichever tile would complete them."""
    absent = next(tile for tile in NUMBERS if tile not in held["concealed"])
    found = _refused(asked, {**held, "winning_tile": absent})
    return [
        problem
        for problem in found
        if problem.code not in SHAPELESS
        or (problem.code in OF_TILES and problem.details.get("tile") != absent)
    ]


def _wait(asked: Question, held: Mapping[str, Any], tile: str, language: str) -> Answer:
    """Tell of a waiting tile how many are left and what it would bring from a discard and from the wall."""
    everything = Counter([*held["concealed"], *(one for meld in held["melds"] for one in meld["tiles"])])
    copies = asked.system.tiles.kit(asked.rules).copies
    complete = {**held, "winning_tile": tile}
    return {
        "tile": tile,
        "name": tile_name(tile, lambda sentence, context: translate(sentence, language, context)),
        "left": max(0, copies - everything[tile]),
        "hand": write_text(complete),
        "ways": [_way(asked, complete, language, is_drawn) for is_drawn in (False, True)],
    }


def _way(asked: Question, hand: Mapping[str, object], language: str, is_drawn: bool) -> Answer:
    """Tell what a hand would bring, or why it could not be won in this way."""
    way: Answer = {"is_drawn": is_drawn, "worth": "", "payment": "", "problems": []}
    try:
        found = asked.explained(hand, self_draw=is_drawn)
    except Refusal as refusal:
        return way | {"problems": _problems(refusal.problems, language)}
    payment = fill(found.payment, found.details, language) if found.payment else ""
    reasons = _problems(found.reasons, language)
    return way | {"worth": worth(found, language), "payment": payment, "problems": reasons}


def worth(found: Explanation, language: str) -> str:
    """Write the figures of a hand in one line; one that the next repeats is left out."""
    after = [*(one.value for one in found.totals[1:]), None]
    told = [one for one, then in zip(found.totals, after, strict=True) if one.value != then]
    return ", ".join(
        f"{translate(one.label, language)}: {translate(str(one.value), language)}" for one in told
    )


def tell_waits(asked: Question, language: str) -> list[str]:
    """Tell the waits of a hand line by line, as `tell` does a value."""
    found = answered(asked, language)
    lines = [problem["sentence"] for problem in found["problems"]]
    if found["waits"] == []:
        lines.append(translate(NOTHING, language))
    for one in found["waits"] or ():
        lines.append(f"{one['name']} ({one['left']})")
        for way in one["ways"]:
            told = [way["worth"], way["payment"], *(problem["sentence"] for problem in way["problems"])]
            head = translate(WALL if way["is_drawn"] else DISCARD, language)
            lines.append(f"    {head}: {'. '.join(filter(None, told))}")
    return lines


DISCARD, WALL = gettext_noop("From a discard"), gettext_noop("From the wall")
NOTHING = gettext_noop("The hand waits for nothing.")
EMPTY = gettext_noop(
    "Choose the tiles of a hand: thirteen show what it waits for, fourteen what it is worth."
)
TOO_FEW = gettext_noop("Tiles still to choose before the waits are shown: %(count)s.")
NO_RULES = gettext_noop("There are no rules “%(value)s”; there are: %(options)s.")
