"""The value of a hand as declared at the table: can these han, minipoints, limit and yaku be, and do they agree."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from scoring.hands import Winner
from scoring.problems import Problem, gettext_noop
from scoring.systems.riichi import lists
from scoring.systems.riichi.fans import BONUSES, BY_NAME, DOUBLED, LIABILITY, YAKUMAN_HAN, Yaku, title
from scoring.systems.riichi.limits import MOST_HAN, Limits, YakumanCount

HAN_FU = gettext_noop("%(han)s han with %(fu)s fu does not exist.")
HAN_FU_THIS_WAY = gettext_noop("%(han)s han with %(fu)s fu does not exist on such a win.")
FU_NEEDED = gettext_noop("With %(han)s han the minipoints are needed.")
HAN_NEEDED = gettext_noop("Give the han of the hand, or the name of its limit.")
LIMIT_UNKNOWN = gettext_noop("The limit “%(limit)s” is not among those of this regulation.")
LIMIT_DIFFERS = gettext_noop("%(han)s han do not make the limit “%(limit)s”.")
YAKU_UNKNOWN = gettext_noop("There is no yaku “%(yaku)s”.")
YAKU_HAN = gettext_noop("“%(yaku)s” is not worth %(han)s han.")
YAKU_SUM = gettext_noop("The yaku add up to %(sum)s han; declared are %(han)s.")
YAKU_NONE = gettext_noop("Dora alone are no yaku; at least one yaku is needed to win.")
CLOSED_ONLY = gettext_noop("“%(yaku)s” needs a closed hand.")
YAKU_CONFLICT = gettext_noop("“%(a)s” and “%(b)s” cannot occur together.")
YAKU_ON_DISCARD = gettext_noop("“%(yaku)s” is not possible on a discard.")
YAKU_FROM_WALL = gettext_noop("“%(yaku)s” is not possible on a win from the wall.")
YAKUMAN_ALONE = gettext_noop("Nothing is added to a yakuman: “%(yaku)s” does not count beside it.")
RIICHI_WITHOUT_BET = gettext_noop("Riichi is among the yaku, but the winner's bet is not on the table.")
BET_WITHOUT_RIICHI = gettext_noop(
    "The winner's riichi bet is on the table, but riichi is not among the yaku."
)
RIICHI_NEEDED = gettext_noop("“%(yaku)s” is only possible after riichi.")
LIMIT_NEEDED = gettext_noop("A yakuman is declared as the limit “yakuman”.")
YAKUMAN_ONCE = gettext_noop("A hand is paid for several yakuman only where the regulation adds them up.")
YAKUMAN_SUM = gettext_noop("The yaku written down are %(sum)s yakuman; declared are %(count)s.")
NO_HAND_HAS = gettext_noop("No hand won in this way has exactly these yaku with these han.")
OTHER_MINIPOINTS = gettext_noop("No hand with these yaku has %(fu)s fu.")
TOO_MANY_DORA = gettext_noop("At most %(most)s bonus tiles are possible.")
PAO_UNEXPECTED = gettext_noop("No responsibility rule applies to this hand.")

LEAST_HAN_ON_DISCARD: Mapping[int, int] = {
    25: 2,
    **dict.fromkeys(range(30, 111, 10), 1),
    **dict.fromkeys(range(120, 141, 10), 4),
}
LEAST_HAN_FROM_WALL: Mapping[int, int] = {
    20: 2,
    25: 3,
    **dict.fromkeys(range(30, 101, 10), 1),
    110: 2,
    **dict.fromkeys(range(120, 131, 10), 4),
}
"""The fewest han with which so many minipoints occur: 20 are pinfu from the wall, 25 seven pairs, 120 three kongs."""

MOST_DORA = 20
"""Five indicators, each showing a tile of which the hand holds four. [RIICHI 3.3.10]"""

_HONOR_PUNGS = "haku hatsu chun seat_wind round_wind"
_CONFLICTS: Mapping[str, str] = {
    "riichi": "double_riichi renhou",
    "double_riichi": "renhou",
    "ippatsu": "rinshan renhou",
    "menzen_tsumo": "toitoi",
    "pinfu": f"{_HONOR_PUNGS} shousangen sanshoku_doukou toitoi sanankou sankantsu honroutou rinshan",
    "ryanpeikou": f"{_HONOR_PUNGS} shousangen sanshoku_doukou toitoi sanankou sankantsu honroutou rinshan "
    "iipeikou sanshoku_doujun ittsu chankan",
    "iipeikou": "sanshoku_doukou toitoi sanankou sankantsu honroutou",
    "sanshoku_doujun": "sanshoku_doukou toitoi sanankou sankantsu honroutou shousangen ittsu honitsu chinitsu",
    "ittsu": "sanshoku_doukou toitoi sanankou sankantsu honroutou shousangen chanta junchan",
    "tanyao": f"{_HONOR_PUNGS} shousangen chanta junchan ittsu honitsu honroutou",
    "chanta": "junchan toitoi honroutou chinitsu",
    "junchan": f"{_HONOR_PUNGS} shousangen toitoi honroutou honitsu",
    "chiitoitsu": f"{_HONOR_PUNGS} shousangen pinfu iipeikou ryanpeikou sanshoku_doujun sanshoku_doukou ittsu chanta "
    "junchan toitoi sanankou sankantsu rinshan chankan",
    "honitsu": "sanshoku_doukou chinitsu",
    "chinitsu": f"{_HONOR_PUNGS} shousangen sanshoku_doukou honroutou",
    "shousangen": "sanshoku_doukou",
    "chankan": "toitoi honroutou renhou houtei",
    "renhou": "sankantsu houtei",
}
CONFLICTS = frozenset(frozenset((a, b)) for a, others in _CONFLICTS.items() for b in others.split())
"""Yaku that no hand has both of."""

ON_DISCARD = frozenset({"chankan", "houtei", "renhou"})
FROM_WALL = frozenset({"menzen_tsumo", "rinshan", "haitei", "tenhou", "chiihou"})
RIICHI = frozenset({"riichi", "double_riichi"})


@dataclass(frozen=True)
class Declaration:
    """A winner's declared value, how it was won, whether it was in riichi, and which limits there are."""

    winner: Winner
    is_discard: bool
    in_riichi: bool
    limits: Limits
    is_double_wind: bool | None = None
    is_first_reading: bool = False

    @property
    def yaku(self) -> Mapping[str, int]:
        """Return the yaku that were written down, without the dora."""
        return {name: han for name, han in (self.winner.yaku or {}).items() if name not in BONUSES}

    @property
    def has_yakuman(self) -> bool:
        """Return whether a yakuman was written down."""
        return any(name in BY_NAME and BY_NAME[name].is_yakuman for name in self.yaku)

    @property
    def sum(self) -> int:
        """Add up the han written down; nothing counts more than 13. [RIICHI 4.2]"""
        return min(sum((self.winner.yaku or {}).values()), MOST_HAN)


def problems(declared: Declaration) -> Iterator[Problem]:
    """List everything that is wrong with a declared value, fields named within the winner.

    Whether any hand has these yaku is asked last, and neither where the tiles tell it nor in the first reading. [RECORD 7]
    """
    found = [*_value(declared), *_times(declared)]
    if declared.winner.yaku is not None:
        found += [*_yaku_names(declared), *_yaku_together(declared), *_yaku_sum(declared)]
        if not found and declared.winner.tiles is None and not declared.is_first_reading:
            found += _of_some_hand(declared)
    if declared.winner.liable is not None:
        found += _liable(declared)
    yield from found


def _value(declared: Declaration) -> Iterator[Problem]:
    """A value is han with minipoints, or a limit; given together they agree. [RIICHI 4.1.2] [RIICHI 4.1.3]"""
    han, fu, limit = declared.winner.han, declared.winner.fu, declared.winner.limit
    if limit and limit not in declared.limits.names:
        yield _problem("han_fu", LIMIT_UNKNOWN, "limit", "RULES 8.27", limit=limit)
    elif han is None:
        if fu is not None or not limit:
            yield _problem("han_fu", HAN_NEEDED, "han", "RIICHI 4.1")
    elif not 1 <= han <= MOST_HAN:
        yield _problem("han_fu", HAN_FU, "han", "RIICHI 4.2", han=han, fu=fu if fu is not None else "–")
    elif fu is not None:
        yield from _han_and_fu(declared, han, fu)
    elif not limit and not declared.limits.by_han(han):
        yield _problem("han_fu", FU_NEEDED, "fu", "RIICHI 4.1", han=han)
    elif limit and not _fits(limit, han, None, declared):
        yield _problem("han_fu", LIMIT_DIFFERS, "limit", "RULES 8.27", han=han, limit=limit)


def _times(declared: Declaration) -> Iterator[Problem]:
    """Yakuman add up only where the regulation says so, and as many as are written down. [RIICHI 4.2] [RULES 9.33]"""
    winner, counts = declared.winner, declared.limits.yakuman
    if winner.yakuman is not None and (counts is YakumanCount.ONE or winner.limit != "yakuman"):
        yield _problem("han_fu", YAKUMAN_ONCE, "yakuman", "RULES 9.33")
    elif declared.has_yakuman and counts is not YakumanCount.ONE:
        named = [name for name in declared.yaku if name in BY_NAME and BY_NAME[name].is_yakuman]
        most = sum(2 if name in DOUBLED else 1 for name in named)
        least = sum(2 if name == "daisuushii" else 1 for name in named)
        if counts is YakumanCount.SEVERAL:
            least = most = len(named)
        if not least <= (winner.yakuman or 1) <= most:
            details = {"count": winner.yakuman or 1, "sum": least}
            yield _problem("payment_mismatch", YAKUMAN_SUM, "yakuman", "RULES 9.33", **details)


def _han_and_fu(declared: Declaration, han: int, fu: int) -> Iterator[Problem]:
    """Check that minipoints come in tens and 25; few occur with every number of han. [RIICHI 4.1.1]"""
    least = least_han(fu, is_discard=declared.is_discard)
    limit = declared.winner.limit
    if least is None or han < least:
        otherwise = least_han(fu, is_discard=not declared.is_discard)
        sentence = HAN_FU if otherwise is None or han < otherwise else HAN_FU_THIS_WAY
        yield _problem("han_fu", sentence, "fu", "RIICHI 4.1.1", han=han, fu=fu)
    elif limit and not _fits(limit, han, fu, declared):
        yield _problem("han_fu", LIMIT_DIFFERS, "limit", "RULES 8.27", han=han, limit=limit)


def least_han(fu: int, *, is_discard: bool) -> int | None:
    """Return the fewest han that go with so many minipoints, or None when they do not occur. [RIICHI 4.1.1]"""
    return (LEAST_HAN_ON_DISCARD if is_discard else LEAST_HAN_FROM_WALL).get(fu)


def makes(limit: str, han: int, fu: int | None, declared: Declaration) -> bool:
    """Return whether so many han can have this limit, with these minipoints or, when they are not given, with any."""
    table = LEAST_HAN_ON_DISCARD if declared.is_discard else LEAST_HAN_FROM_WALL
    possible = [fu] if fu is not None else [points for points, least in table.items() if han >= least]
    return any(declared.limits.name(han, points) == limit for points in possible)


def _fits(limit: str, han: int, fu: int | None, declared: Declaration) -> bool:
    """Return whether han and limit agree where no yaku are written down: 13 may be a yakuman. [RIICHI 4.2.5]"""
    return (limit == "yakuman" and han == YAKUMAN_HAN) or makes(limit, han, fu, declared)


def _yaku_names(declared: Declaration) -> Iterator[Problem]:
    """Check that each yaku is known and worth what the table says; there are not more dora than can be. [RIICHI 4.2]"""
    for name, han in (declared.winner.yaku or {}).items():
        if name in BONUSES:
            if not 1 <= han <= MOST_DORA:
                yield _problem("too_many_dora", TOO_MANY_DORA, "yaku", "RIICHI 3.3.10", most=MOST_DORA)
        elif name not in BY_NAME:
            yield _problem("yaku_unknown", YAKU_UNKNOWN, "yaku", "RIICHI 4.2", yaku=title(name))
        elif han not in (BY_NAME[name].closed, BY_NAME[name].opened or BY_NAME[name].closed):
            yield _problem("yaku_han", YAKU_HAN, "yaku", BY_NAME[name].clause, yaku=title(name), han=han)
    if not declared.yaku:
        yield _problem("no_yaku", YAKU_NONE, "yaku", "RIICHI 3.2")


def _yaku_together(declared: Declaration) -> Iterator[Problem]:
    """Check that open and closed yaku, contradicting shapes and ways of winning do not go together. [RIICHI 4.2]"""
    known = {name: BY_NAME[name] for name in declared.yaku if name in BY_NAME}
    yield from _open_and_closed(declared, known)
    for a, b in combinations(known, 2):
        if frozenset((a, b)) in CONFLICTS:
            yield _problem("yaku_conflict", YAKU_CONFLICT, "yaku", "RIICHI 4.2", a=title(a), b=title(b))
    wrong, sentence = (FROM_WALL, YAKU_ON_DISCARD) if declared.is_discard else (ON_DISCARD, YAKU_FROM_WALL)
    for name in known:
        if name in wrong:
            yield _problem("yaku_conflict", sentence, "yaku", known[name].clause, yaku=title(name))
    yield from _yakuman_alone(declared)
    yield from _riichi(declared)


def _open_and_closed(declared: Declaration, known: Mapping[str, Yaku]) -> Iterator[Problem]:
    """Check that a yaku counted as in an open hand allows no yaku of closed hands, nor riichi. [RIICHI 4.2]"""
    is_open = any(
        yaku.opened < yaku.closed and declared.yaku[name] == yaku.opened for name, yaku in known.items()
    )
    closed_only = [name for name, yaku in known.items() if yaku.is_closed_only]
    if declared.in_riichi and not RIICHI & set(closed_only):
        closed_only.append("riichi")
    for name in closed_only if is_open else ():
        yield _problem("closed_only", CLOSED_ONLY, "yaku", "RIICHI 4.2", yaku=title(name))


def _of_some_hand(declared: Declaration) -> Iterator[Problem]:
    """Check that some hand has these yaku, and with these minipoints. [RIICHI 4.1.1] [RIICHI 4.2]

    Pinfu may have been left out, as in the example of [RECORD 7]; of several yakuman those that do not count besides.
    """
    names, way = frozenset(declared.yaku), _way(declared)
    if way is None or not lists.is_possible(names, way, is_yakuman=declared.has_yakuman):
        yield _problem("yaku_conflict", NO_HAND_HAS, "yaku", "RIICHI 4.2")
    elif not declared.has_yakuman and declared.winner.fu is not None:
        possible = lists.minipoints(names, way) | lists.minipoints(names | {"pinfu"}, way)
        if declared.winner.fu not in possible:
            yield _problem("han_fu", OTHER_MINIPOINTS, "fu", "RIICHI 4.1.1", fu=declared.winner.fu)


def _way(declared: Declaration) -> lists.Way | None:
    """Say how the hand was won, and whether it was closed, where its yaku agree about that. [RIICHI 4.2.1]"""
    shown = {name: BY_NAME[name] for name in declared.yaku}
    said = {declared.yaku[name] == yaku.closed for name, yaku in shown.items() if yaku.opened < yaku.closed}
    if not declared.is_discard and not declared.has_yakuman:
        said.add("menzen_tsumo" in shown)
    if len(said) > 1:
        return None
    return lists.Way(not declared.is_discard, declared.is_double_wind, next(iter(said), None))


def _yakuman_alone(declared: Declaration) -> Iterator[Problem]:
    """Check that beside a yakuman neither yaku nor dora count. [RIICHI 4.2]"""
    if declared.has_yakuman:
        for name in declared.winner.yaku or {}:
            if name in BONUSES or (name in BY_NAME and not BY_NAME[name].is_yakuman):
                yield _problem("yaku_conflict", YAKUMAN_ALONE, "yaku", "RIICHI 4.2", yaku=title(name))


def _riichi(declared: Declaration) -> Iterator[Problem]:
    """Check that riichi is written down just when its bet is; ippatsu and ura dora need it. [RIICHI 3.3.14]"""
    names = set(declared.winner.yaku or {})
    has_riichi = bool(names & RIICHI)
    if has_riichi and not declared.in_riichi:
        yield _problem("riichi_bet", RIICHI_WITHOUT_BET, "yaku", "RIICHI 3.3.14")
    if declared.in_riichi and not has_riichi and not declared.has_yakuman:
        yield _problem("riichi_bet", BET_WITHOUT_RIICHI, "yaku", "RIICHI 3.3.14")
    for name in ("ippatsu", "ura_dora"):
        if name in names and not has_riichi:
            yield _problem("yaku_conflict", RIICHI_NEEDED, "yaku", "RIICHI 3.3.14", yaku=title(name))


def _yaku_sum(declared: Declaration) -> Iterator[Problem]:
    """Check that what was written down adds up to the declared han, and makes the declared limit. [RIICHI 4.1]"""
    winner, total = declared.winner, declared.sum
    if winner.han is not None and winner.han != total:
        yield _problem("payment_mismatch", YAKU_SUM, "yaku", "RIICHI 4.1", sum=total, han=winner.han)
    elif declared.has_yakuman:
        if winner.limit != "yakuman":
            yield _problem("payment_mismatch", LIMIT_NEEDED, "limit", "RIICHI 4.2.5")
    elif winner.limit and not makes(winner.limit, total, winner.fu, declared):
        yield _problem(
            "payment_mismatch", LIMIT_DIFFERS, "limit", "RULES 8.27", han=total, limit=winner.limit
        )


def _liable(declared: Declaration) -> Iterator[Problem]:
    """Check that somebody answers only for big three dragons and big four winds. [RIICHI 3.3.9]"""
    winner = declared.winner
    is_other = winner.yaku is not None and not LIABILITY & set(winner.yaku)
    if winner.limit != "yakuman" or winner.nagashi or is_other:
        yield _problem("pao_unexpected", PAO_UNEXPECTED, "liable", "RIICHI 3.3.9")


def _problem(code: str, sentence: str, field: str, clause: str, **details: object) -> Problem:
    return Problem(code, sentence, field=field, clause=clause, details=details)
