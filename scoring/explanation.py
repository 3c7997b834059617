"""A hand of tiles explained, whatever the system: its reading, every fan with its sets and clause, what was left out."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.fields import Fields
from scoring.problems import Problem, Refusal, gettext_noop
from scoring.readings import Reading, TileSet
from scoring.rulesets import of_hands
from scoring.rulesets.mcr import hand as mcr
from scoring.rulesets.mcr.payments import shares as mcr_shares
from scoring.rulesets.mcr.views import Circumstances as McrCircumstances
from scoring.rulesets.red import hand as red
from scoring.rulesets.red.law import Law as RedLaw
from scoring.rulesets.riichi import hand as riichi
from scoring.rulesets.riichi.fans import YAKU
from scoring.rulesets.riichi.limits import EMA_LIMITS, Limits
from scoring.rulesets.riichi.payments import price
from scoring.rulesets.riichi.view import FLAGS
from scoring.rulesets.riichi.view import Circumstances as RiichiCircumstances
from scoring.rulesets.siamese import hand as siamese
from scoring.rulesets.siamese.payments import shares as siamese_shares
from scoring.rulesets.sichuan import hand as sichuan
from scoring.rulesets.sichuan.fans import Circumstances as SichuanCircumstances
from scoring.rulesets.sichuan.law import LAWS
from scoring.seats import SEATS
from scoring.tile_hands import Kit, TileHand, read_tile_hand
from scoring.tiles import EAST, JOKER, NUMBERS, parse_compact, write, write_compact
from scoring.words import fill, say, translate


class Term(NamedTuple):
    """A fan that counts: its name, the tiles of each time it was found, what it adds in all, and its clause."""

    name: str
    made_of: tuple[str, ...]
    times: int
    points: int
    clause: str


class Omission(NamedTuple):
    """A fan that the tiles show and that does not count, with the reason and its clause."""

    name: str
    reason: str
    details: Mapping[str, object]
    clause: str


class Total(NamedTuple):
    """A figure of the hand: what it is, and how much."""

    label: str
    value: int | str


@dataclass(frozen=True)
class Explanation:
    """The value of a winning hand in its best reading.

    `payment` says who pays what; `reasons` say why the hand may not be declared although it is a win.
    """

    system: str
    reading: tuple[str, ...]
    terms: tuple[Term, ...]
    omissions: tuple[Omission, ...]
    totals: tuple[Total, ...]
    payment: str = ""
    details: Mapping[str, object] = field(default_factory=dict)
    reasons: tuple[Problem, ...] = ()


FLAGS_OF: Mapping[str, tuple[str, ...]] = {
    "SBR": ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile"),
    "WMSG": ("replacement_win", "discard_after_kong", "robbing_kong", "last_tile"),
    "MCR": ("last_of_kind", "replacement_after_kong", "robbing_kong", "last_wall_tile"),
    "SIAM": (
        "last_of_kind",
        "replacement_after_kong",
        "robbing_kong",
        "last_wall_tile",
        "first_win",
        "without_drawn_tile",
    ),
    "RED": (),
    "RIICHI": FLAGS,
}
"""The circumstances of a win that each system asks about, besides who discarded."""


def explain(
    system: str, hand: object, how: Mapping[str, object], rules: Mapping[str, object] | None = None
) -> Explanation:
    """Explain a hand as docs/HANDS.md writes it, won as `how` says; refuse what is no win with every reason.

    `how` knows `self_draw`, `seat_wind`, `round_wind`, `flowers`, `forbidden_suit`, `dora_indicators`,
    `ura_indicators`, for Siamese `players` (3 unless told), and the marks of `FLAGS_OF`. [RULES 1.1]
    """
    fields = Fields({**how, "hand": hand})
    return _EXPLAINERS[system](fields, system, of_hands(rules or {}))


# Systems


def _sichuan(fields: Fields, system: str, rules: Mapping[str, object]) -> Explanation:
    law = LAWS[system]
    hand = _read(fields, sichuan.KIT)
    suit = fields.choice("forbidden_suit", "mps", default="")
    forbidden = "mps".index(suit) if suit else None
    self_draw, flags = fields.flag("self_draw"), _flags(fields, system)
    came = SichuanCircumstances(**dict.fromkeys(flags, True))
    against = sichuan.contradicting_ways(came, law, self_drawn=self_draw)
    _refuse(fields, [*against, *(sichuan.contradictions(hand, came, law) if hand else [])])
    value = sichuan.value(hand, law, came=came, forbidden_suit=forbidden)
    if value is None:
        raise Refusal(*sichuan.why_no_win(hand, law, forbidden))
    return Explanation(
        system,
        _sets(value.reading, hand),
        tuple(
            Term(one.fan.title, tuple(map(_tiles, one.found)), one.count, one.fans, one.fan.clause(law))
            for one in value.fans
        ),
        (),
        (Total(FANS, value.fan_sum), Total(BASE_POINTS, value.base)),
        EACH_PAYS if self_draw else DISCARDER_PAYS,
        {"points": value.base + self_draw},
    )


def _mcr(fields: Fields, system: str, rules: Mapping[str, object]) -> Explanation:
    is_siamese = system == "SIAM"
    hand = _read(fields, mcr.KIT)
    flags = _flags(fields, system)
    win = McrCircumstances(
        self_drawn=fields.flag("self_draw"),
        seat_wind=_wind(fields, "seat_wind"),
        round_wind=_wind(fields, "round_wind"),
        flowers=fields.number("flowers", high=0 if is_siamese else 8, default=0),
        **dict.fromkeys(flags - {"first_win", "without_drawn_tile"}, True),
    )
    players = fields.number("players", low=2, high=3, default=3) if is_siamese else 4
    _refuse(fields, mcr.refusals(hand, win, kong_elsewhere=is_siamese) if hand else [])
    value = (
        siamese.evaluate(
            hand,
            win,
            first_win="first_win" in flags,
            drawn_tile_used="without_drawn_tile" not in flags,
        )
        if is_siamese
        else mcr.evaluate(hand, win)
    )
    minimum = int(str(rules.get("minimum", mcr.MINIMUM)))
    return _mcr_explained(value, hand, system, players, self_drawn=win.self_drawn, minimum=minimum)


def _mcr_explained(
    value: mcr.HandValue, hand: TileHand, system: str, players: int, *, self_drawn: bool, minimum: int
) -> Explanation:
    """Put the value of sport mahjong into words; below the minimum nothing is paid. [SIAM 23]"""
    is_short = value.points < minimum
    paid = (
        siamese_shares(value.total, self_drawn=self_drawn, players=players)
        if system == "SIAM"
        else mcr_shares(value.total, self_drawn=self_drawn)
    )
    sentence = EACH_PAYS if self_drawn or players == 2 else DISCARDER_AND_OTHERS
    short = Problem(
        "below_minimum", SHORT, "hand", "MCR scoring 1a", {"least": minimum, "points": value.points}
    )
    return Explanation(
        system,
        _sets(value.reading, hand),
        tuple(
            Term(one.fan.name, tuple(map(_set_names, one.sets)), one.count, one.points, one.fan.clause)
            for one in value.fans
        ),
        tuple(
            Omission(
                one.fan.name,
                DROPPED_BY if one.by else DROPPED,
                {"fan": one.by.name if one.by else ""},
                one.clause,
            )
            for one in value.dropped
        ),
        (Total(WITHOUT_FLOWERS, value.points), Total(IN_ALL, value.total)),
        "" if is_short else sentence,
        {"points": -paid[1], "other": -paid[2]},
        (short,) if is_short else (),
    )


def _red(fields: Fields, system: str, rules: Mapping[str, Any]) -> Explanation:
    law = RedLaw(**rules)
    hand = _read(fields, law.kit)
    flowers, self_draw = fields.number("flowers", high=8, default=0), fields.flag("self_draw")
    _refuse(fields, [])
    value = red.evaluate(hand, law, flowers, is_discard=not self_draw)
    if value is None:
        raise Refusal(red.why_no_win(hand, is_discard=not self_draw))
    is_short = value.without_flowers < law.minimum
    details = {"least": law.minimum, "points": value.without_flowers}
    short = Problem("below_minimum", SHORT, "hand", "RED scoring 4", details)
    return Explanation(
        system,
        (*map(_set_name, value.view.sets), *_pair(value.view.pair)) or (_tiles(hand.all_tiles),),
        tuple(
            Term(one.fan.title, tuple(map(_set_names, one.combinations)), one.count, one.points, one.clause)
            for one in value.fans
        ),
        (),
        (Total(IN_ALL, value.total), Total(COUNTED, value.points)),
        "" if is_short else EACH_PAYS if self_draw else DISCARDER_PAYS,
        {"points": value.points},
        (short,) if is_short else (),
    )


def _riichi(fields: Fields, system: str, rules: Mapping[str, object]) -> Explanation:
    written = rules.get("limits")
    limits = Limits.read(written) if isinstance(written, Mapping) else EMA_LIMITS
    hand = _read(fields, riichi.KIT)
    how = RiichiCircumstances(
        self_draw=fields.flag("self_draw"),
        seat_wind=_wind(fields, "seat_wind"),
        round_wind=_wind(fields, "round_wind"),
        flags=_flags(fields, system),
        indicators=_indicators(fields, "dora_indicators"),
        ura_indicators=_indicators(fields, "ura_indicators"),
    )
    _refuse(fields, [])
    return _riichi_explained(riichi.evaluate(hand, how, limits), hand, how)


def _riichi_explained(value: riichi.Value, hand: TileHand, how: RiichiCircumstances) -> Explanation:
    """Put a riichi value into words: its yaku, its minipoints, and what is paid without counters."""
    is_dealer = how.seat_wind == EAST
    cost = price(value.base, is_dealer=is_dealer)
    of_wall = EACH_PAYS if is_dealer else EAST_AND_OTHERS
    fu = () if value.fu is None else (Total(MINIPOINTS, value.fu),)
    limit = (Total(LIMIT, value.limit.replace("_", " ")),) if value.limit else ()
    return Explanation(
        "RIICHI",
        _sets(value.reading, hand),
        tuple(
            Term(TITLES[one.name], tuple(map(_set_name, one.sets)), 1, one.han, one.clause)
            for one in value.yaku
        ),
        tuple(Omission(TITLES[one.name], one.reason, {}, one.clause) for one in value.dropped),
        (Total(HAN, value.han), *fu, *limit),
        of_wall if how.self_draw else DISCARDER_PAYS,
        {
            "points": cost.other if how.self_draw else cost.discarder,
            "dealer": cost.dealer,
            "other": cost.other,
        },
    )


_EXPLAINERS: Mapping[str, Callable[[Fields, str, Mapping[str, object]], Explanation]] = {
    "SBR": _sichuan,
    "WMSG": _sichuan,
    "MCR": _mcr,
    "SIAM": _mcr,
    "RED": _red,
    "RIICHI": _riichi,
}

DORA = gettext_noop("Dora")
URA_DORA = gettext_noop("Ura dora")
TITLES: Mapping[str, str] = {yaku.name: yaku.title for yaku in YAKU} | {"dora": DORA, "ura_dora": URA_DORA}


# Reading


def _read(fields: Fields, kit: Kit) -> TileHand:
    """Read the tiles; where they cannot be read, the problems stand in the fields and nothing is valued."""
    return read_tile_hand(fields.inner("hand"), kit)  # type: ignore[return-value]


def _flags(fields: Fields, system: str) -> frozenset[str]:
    return frozenset(name for name in FLAGS_OF[system] if fields.flag(name))


def _wind(fields: Fields, name: str) -> int:
    return NUMBERS[fields.choice(name, SEATS, default="E") or "E"]


def _indicators(fields: Fields, name: str) -> tuple[int, ...]:
    written = fields.items(name, needed=False)
    found = tuple(NUMBERS.get(str(one), -1) for one in written)
    if not all(tile in riichi.KIT.tiles for tile in found):
        fields.problem("tile_unknown", NO_INDICATOR, name)
        return ()
    return found


def _refuse(fields: Fields, problems: Iterable[Problem]) -> None:
    fields.finish()
    fields.problems.extend(problems)
    fields.refuse()


# Tiles in words


def _sets(reading: Reading, hand: TileHand) -> tuple[str, ...]:
    """Name the sets and the pair; a hand that is not made of them alone is named tile by tile."""
    within = sum(len(one.tiles) for one in reading.sets) + (0 if reading.pair is None else 2)
    if within < len(hand.all_tiles):
        return (_tiles(hand.all_tiles),)
    return (*map(_set_name, reading.sets), *_pair(reading.pair))


def _pair(tile: int | None) -> tuple[str, ...]:
    return () if tile is None else (write_compact([tile, tile]),)


def _set_name(one: TileSet) -> str:
    return _tiles(one.tiles)


def _set_names(sets: Iterable[TileSet]) -> str:
    return " + ".join(map(_set_name, sets))


def _tiles(tiles: Iterable[int]) -> str:
    return write_compact(tiles)


GROUP = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")


def read_text(text: str, *, kong_kinds: bool = False) -> dict[str, object]:
    """Read a hand as people type it: `(111z) [5555p] 123m 99s 9s`.

    Sets in round brackets are open, a kong in square ones is concealed; the last tile is the winning one.
    """
    melds = [
        _meld(parse_compact(is_open or closed, "melds"), bool(is_open), kong_kinds)
        for is_open, closed in GROUP.findall(text)
    ]
    tiles = [write(tile) for tile in parse_compact(GROUP.sub(" ", text), "hand")]
    if not tiles:
        raise Refusal(Problem("field_needed", NO_TILES, field="hand.winning_tile"))
    return {"concealed": tiles[:-1], "melds": melds, "winning_tile": tiles[-1]}


def _meld(tiles: Sequence[int], is_open: bool, kong_kinds: bool) -> dict[str, object]:
    kind = "kong" if len(tiles) == 4 else "chow" if len(set(tiles) - {JOKER}) > 1 else "pung"
    meld: dict[str, object] = {"type": kind, "tiles": [write(tile) for tile in tiles], "open": is_open}
    if kong_kinds and kind == "kong":
        meld["kong"] = "open" if is_open else "concealed"
    return meld


def tell(explanation: Explanation, language: str = "en") -> list[str]:
    """Tell an explanation line by line in the language."""
    lines = [" · ".join(explanation.reading)] if explanation.reading else []
    lines += [_term(term, language) for term in explanation.terms]
    lines += [_omission(one, language) for one in explanation.omissions]
    lines += [
        f"{translate(total.label, language)}: {translate(str(total.value), language)}"
        for total in explanation.totals
    ]
    if explanation.payment:
        lines.append(fill(explanation.payment, explanation.details, language))
    return lines + [f"{say(problem, language)} [{problem.clause}]" for problem in explanation.reasons]


def _term(term: Term, language: str) -> str:
    name = translate(term.name, language)
    times = f" ×{term.times}" if term.times > 1 else ""
    made_of = "; ".join(filter(None, term.made_of))
    return f"{term.points:>4}  {name}{times}" + (f": {made_of}" if made_of else "") + f"  [{term.clause}]"


def _omission(one: Omission, language: str) -> str:
    reason = fill(one.reason, one.details, language)
    return f"   –  {translate(one.name, language)}: {reason}  [{one.clause}]"


FANS = gettext_noop("Fans")
BASE_POINTS = gettext_noop("Base points")
WITHOUT_FLOWERS = gettext_noop("Points without flowers")
IN_ALL = gettext_noop("Points in all")
COUNTED = gettext_noop("Points after the limit")
HAN = gettext_noop("Han")
MINIPOINTS = gettext_noop("Fu")
LIMIT = gettext_noop("Limit")
DISCARDER_PAYS = gettext_noop("The discarder pays %(points)s.")
DISCARDER_AND_OTHERS = gettext_noop("The discarder pays %(points)s, each other player %(other)s.")
EACH_PAYS = gettext_noop("Every other player pays %(points)s.")
EAST_AND_OTHERS = gettext_noop("East pays %(dealer)s, each other player %(other)s.")
SHORT = gettext_noop("At least %(least)s points without flowers are needed to win; the hand has %(points)s.")
DROPPED_BY = gettext_noop("not counted beside “%(fan)s”")
DROPPED = gettext_noop("its sets are already combined otherwise")
NO_INDICATOR = gettext_noop("Dora indicators are tiles of these rules.")
NO_TILES = gettext_noop("Give the tiles of the hand, the winning tile last.")
