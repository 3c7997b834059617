"""Logs in Tenhou's JSON: a list of rounds, each with its header, scores, tiles by player and result."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.problems import gettext_noop
from scoring.systems.riichi.replay.log import (
    FOUR_PLAY,
    LAST_ROUND,
    NO_YAKU,
    PLAYERS,
    YAKUMAN,
    LoggedGame,
    LoggedRound,
    LoggedWin,
    four,
    refuse,
)

WIN = "和了"
DRAWS: Mapping[str, str] = {
    "流局": "exhausted", "全員聴牌": "all_waiting", "全員不聴": "none_waiting", "流し満貫": "nagashi", "九種九牌": "nine_kinds",
    "四家立直": "four_riichi", "四風連打": "four_winds", "四槓散了": "four_kongs", "三家和了": "three_wins", "三家和": "three_wins",
}  # fmt: skip
NAMES: Mapping[str, str] = {
    "門前清自摸和": "menzen_tsumo", "立直": "riichi", "一発": "ippatsu", "槍槓": "chankan", "嶺上開花": "rinshan",
    "海底摸月": "haitei", "河底撈魚": "houtei", "平和": "pinfu", "断幺九": "tanyao", "一盃口": "iipeikou",
    "役牌 白": "haku", "役牌 發": "hatsu", "役牌 中": "chun", "両立直": "double_riichi", "七対子": "chiitoitsu",
    "混全帯幺九": "chanta", "一気通貫": "ittsu", "三色同順": "sanshoku_doujun", "三色同刻": "sanshoku_doukou",
    "三槓子": "sankantsu", "対々和": "toitoi", "三暗刻": "sanankou", "小三元": "shousangen", "混老頭": "honroutou",
    "二盃口": "ryanpeikou", "純全帯幺九": "junchan", "混一色": "honitsu", "清一色": "chinitsu", "人和": "renhou",
    "ドラ": "dora", "裏ドラ": "ura_dora", "赤ドラ": "aka_dora",
}  # fmt: skip
DOUBLE_YAKUMAN = frozenset({"四暗刻単騎", "純正九蓮宝燈", "国士無双１３面", "国士無双13面", "大四喜"})

YAKU = re.compile(r"(?P<name>.+)\((?:(?P<han>[1-9][0-9]?)飜|(?P<yakuman>役満))\)")
FU = re.compile(r"(?P<fu>[1-9][0-9]{1,2})符")
BET_TILE = re.compile(r"r[0-9]{2}")
HEADER = 4
"""What stands before the tiles of the players: number, scores, and both kinds of indicators."""
OF_PLAYER = 3
"""Tiles dealt, drawn and discarded."""


def read(log: Mapping[str, Any]) -> LoggedGame:
    """Read a whole game."""
    names, rounds = log.get("name"), log.get("log")
    if not isinstance(names, list) or not isinstance(rounds, list) or not rounds:
        raise refuse("log_form", NO_LOG)
    if len(names) != PLAYERS or not all(isinstance(name, str) and name for name in names):
        raise refuse("wrong_players", FOUR_PLAY, "name")
    rule = log.get("rule")
    reds = [value for name, value in rule.items() if name.startswith("aka")] if isinstance(rule, dict) else []
    scores = log.get("sc")
    final = four([_whole(one) for one in scores[::2]], "sc") if isinstance(scores, list) else None
    read_rounds = tuple(_round(one, f"log.{at}") for at, one in enumerate(rounds))
    return LoggedGame(tuple(names), read_rounds, final, any(reds))


def _round(written: object, place: str) -> LoggedRound:
    if not isinstance(written, list) or len(written) != HEADER + PLAYERS * OF_PLAYER + 1:
        raise refuse("log_form", NO_ROUND, place)
    head, scores, result = written[0], four(written[1], f"{place}.1"), written[-1]
    if not isinstance(head, list) or len(head) < 3 or not all(_is_count(one) for one in head[:3]):
        raise refuse("log_form", NO_ROUND, f"{place}.0")
    if head[0] > LAST_ROUND:
        raise refuse("log_form", NO_ROUND, f"{place}.0")
    if not isinstance(result, list) or not result:
        raise refuse("log_form", NO_RESULT, f"{place}.{len(written) - 1}")
    discards = [written[HEADER + OF_PLAYER * seat + 2] for seat in range(PLAYERS)]
    wins: tuple[LoggedWin, ...] = ()
    end = ""
    changes: tuple[int, ...] = (0, 0, 0, 0)
    where = f"{place}.{len(written) - 1}"
    if result[0] == WIN:
        wins = tuple(_win(*pair, where) for pair in zip(result[1::2], result[2::2], strict=False))
        if not wins:
            raise refuse("log_form", NO_RESULT, where)
    elif result[0] in DRAWS:
        end = DRAWS[result[0]]
        changes = four(result[1], where) if len(result) > 1 else changes
    else:
        raise refuse("log_form", NO_RESULT, where)
    return LoggedRound(
        number=head[0],
        counters=head[1],
        bets=head[2],
        scores=scores,
        riichi=tuple(seat for seat in range(PLAYERS) if _stands(seat, discards[seat], wins)),
        wins=wins,
        draw=end,
        waiting=_waiting(end, changes),
        changes=changes,
    )


def _stands(seat: int, discards: object, wins: Sequence[LoggedWin]) -> bool:
    """Return whether a player declared riichi and put the bet down: not when the very tile was won. [RIICHI 3.3.14]"""
    tiles = discards if isinstance(discards, list) else []
    at = next((at for at, one in enumerate(tiles) if isinstance(one, str) and BET_TILE.fullmatch(one)), None)
    if at is None:
        return False
    return not (at == len(tiles) - 1 and any(win.discarder == seat != win.winner for win in wins))


def _waiting(end: str, changes: Sequence[int]) -> tuple[int, ...]:
    if end == "all_waiting":
        return tuple(range(PLAYERS))
    return tuple(seat for seat, points in enumerate(changes) if points > 0) if end == "exhausted" else ()


def _win(changes: object, told: object, place: str) -> LoggedWin:
    """Read one winner: seats, then the value, then each yaku with its han."""
    if not isinstance(told, list) or len(told) < 5 or not all(_is_seat(one) for one in told[:3]):
        raise refuse("log_form", NO_RESULT, place)
    if not all(isinstance(one, str) for one in told[3:]):
        raise refuse("log_form", NO_RESULT, place)
    winner, discarder, liable = told[:3]
    found = [YAKU.fullmatch(one) for one in told[4:]]
    if not all(found):
        raise refuse("log_form", NO_YAKU, place)
    yaku: dict[str, int] = {}
    yakuman = 0
    for one in found:
        assert one is not None
        if one["yakuman"]:
            yakuman += 2 if one["name"] in DOUBLE_YAKUMAN else 1
        name = NAMES.get(one["name"], one["name"])
        yaku[name] = yaku.get(name, 0) + (YAKUMAN if one["yakuman"] else int(one["han"]))
    fu = FU.match(told[3])
    is_liable = liable not in (winner, discarder)
    return LoggedWin(
        winner,
        discarder,
        liable if is_liable else None,
        int(fu["fu"]) if fu else None,
        yaku,
        yakuman,
        four(changes, place),
    )


def _is_seat(value: object) -> bool:
    return type(value) is int and 0 <= value < PLAYERS


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value < 1000


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


NO_LOG = gettext_noop("This is no log of a game: the lists “name” and “log” are missing.")
NO_ROUND = gettext_noop("This is no round of a log.")
NO_RESULT = gettext_noop("How this round ended cannot be read.")
