"""A hand of riichi explained, and what the record keeps of it."""

from collections.abc import Mapping
from typing import Any

from scoring.fields import Fields
from scoring.problems import gettext_noop
from scoring.systems.explained import (
    DISCARDER_PAYS,
    EACH_PAYS,
    EAST_AND_OTHERS,
    HAN,
    LIMIT,
    MINIPOINTS,
    Explanation,
    Omission,
    Term,
    Total,
    read_flags,
    read_hand,
    read_wind,
    refuse,
    set_name,
    sets_of,
)
from scoring.systems.riichi import hand as riichi
from scoring.systems.riichi.fans import YAKU
from scoring.systems.riichi.limits import Limits, clause_of_limit
from scoring.systems.riichi.payments import price
from scoring.systems.riichi.view import FLAGS, Circumstances
from scoring.tiles.tile import EAST, NUMBERS
from scoring.tiles.tile_hands import TileHand

DORA = gettext_noop("Dora")
TIMES = gettext_noop("Yakuman paid")
URA_DORA = gettext_noop("Ura dora")
TITLES: Mapping[str, str] = {yaku.name: yaku.title for yaku in YAKU} | {"dora": DORA, "ura_dora": URA_DORA}
CODES: Mapping[str, str] = {title: name for name, title in TITLES.items()}


def explain(fields: Fields, rules: Mapping[str, Any]) -> Explanation:
    """Explain a hand in its best reading."""
    limits = Limits.of(rules)
    hand = read_hand(fields, riichi.KIT)
    how = Circumstances(
        self_draw=fields.flag("self_draw"),
        seat_wind=read_wind(fields, "seat_wind"),
        round_wind=read_wind(fields, "round_wind"),
        flags=read_flags(fields, FLAGS),
        indicators=_indicators(fields, "dora_indicators"),
        ura_indicators=_indicators(fields, "ura_indicators"),
    )
    refuse(fields, [])
    return _explained(riichi.evaluate(hand, how, limits), hand, how, limits)


def _explained(value: riichi.Value, hand: TileHand, how: Circumstances, limits: Limits) -> Explanation:
    """Put a value into words: its yaku, its minipoints, and what is paid without counters."""
    is_dealer = how.seat_wind == EAST
    cost = price(value.base, is_dealer=is_dealer)
    of_wall = EACH_PAYS if is_dealer else EAST_AND_OTHERS
    fu = () if value.fu is None else (Total(MINIPOINTS, value.fu),)
    cause = clause_of_limit(value.limit, value.han, limits)
    limit = (Total(LIMIT, value.limit.replace("_", " "), cause),) if value.limit else ()
    times = (Total(TIMES, value.times, "RULES 9.33"),) if value.times > 1 else ()
    is_capped = sum(one.han for one in value.yaku) > value.han
    return Explanation(
        sets_of(value.reading, hand),
        tuple(
            Term(TITLES[one.name], tuple(map(set_name, one.sets)), 1, one.han, one.clause)
            for one in value.yaku
        ),
        tuple(Omission(TITLES[one.name], one.reason, {}, one.clause) for one in value.dropped),
        (Total(HAN, value.han, "RIICHI 4.2" if is_capped else ""), *fu, *limit, *times),
        of_wall if how.self_draw else DISCARDER_PAYS,
        {
            "points": cost.other if how.self_draw else cost.discarder,
            "dealer": cost.dealer,
            "other": cost.other,
        },
    )


def facts(found: Explanation, how: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the record keeps of a winner's value: han and fu, or the limit of a yakuman. [RECORD 3]"""
    yaku = {CODES[one.name]: one.points for one in found.terms}
    if found.total(MINIPOINTS) is None:
        times = found.total(TIMES)
        return {"limit": "yakuman", "yaku": yaku} | ({"yakuman": times} if times else {})
    return {"han": found.total(HAN), "fu": found.total(MINIPOINTS), "yaku": yaku}


def _indicators(fields: Fields, name: str) -> tuple[int, ...]:
    written = fields.items(name, needed=False)
    found = tuple(NUMBERS.get(str(one), -1) for one in written)
    if not all(tile in riichi.KIT.tiles for tile in found):
        fields.problem("tile_unknown", NO_INDICATOR, name)
        return ()
    return found


NO_INDICATOR = gettext_noop("Dora indicators are tiles of these rules.")
