"""How fast hands are valued, beside other people's engines on the same hands, and how fast sessions are recounted.

    python bench/scoring.py [--hands 4000] [--rounds 5] [--seed 1]

Each round values fresh hands, ours and theirs in turn in this one process, so that both meet the same machine; the best round counts.
What an engine needs to be asked (its tile numbers, its settings) is made ready outside the time.
"""

import argparse
import gc
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scoring.presets import PRESETS
from scoring.protocol import play
from scoring.record.hands import read_hand
from scoring.seats import SEATS
from scoring.standings.book import Entrant
from scoring.standings.sessions import (
    Event,
    SeatFact,
    SessionFact,
    TableFact,
    session_ledger,
)
from scoring.standings.stages import standings
from scoring.systems import ruleset
from scoring.systems.mcr import hand as mcr
from scoring.systems.red import hand as red
from scoring.systems.red.law import Law as RedLaw
from scoring.systems.riichi import hand as riichi
from scoring.systems.sichuan import hand as sichuan
from scoring.systems.sichuan.law import LAWS
from scoring.tests.oracles.mcr_hands import random_hands
from scoring.tests.oracles.riichi_hands import Case, random_case
from scoring.tiles.readings import CHOWS, SetKind
from scoring.tiles.tile import EAST, GREEN_DRAGON, HONORS, KINDS, RED, WHITE
from scoring.tiles.tile_hands import Declared, TileHand


def seconds(work: Callable[[Any], object], asked: Sequence[Any]) -> float:
    """Time one pass over what is asked."""
    gc.collect()
    began = time.perf_counter()
    for one in asked:
        work(one)
    return time.perf_counter() - began


def side_by_side(
    name: str, count: int, rounds: Iterable[list[tuple[str, Callable[[Any], object], Sequence[Any]]]]
) -> None:
    """Run every engine once a round and print the best of each, with the ratio to the first."""
    best: dict[str, float] = {}
    for engines in rounds:
        for who, work, asked in engines:
            best[who] = min(best.get(who, 1e9), seconds(work, asked))
    first = next(iter(best.values()))
    for who, spent in best.items():
        print(f"{name:14} {who:24} {count / spent:>12,.0f} hands/s   {first / spent:>7.2f} × ours")


# Hands


def riichi_rounds(args: argparse.Namespace) -> Iterable[list[Any]]:
    """Ours beside the `mahjong` library; hands without a yaku are left out, because the library's refusal is cheap."""
    random = Random(args.seed)
    for _ in range(args.rounds):
        cases: list[Case] = []
        while len(cases) < args.hands:
            case = random_case(random)
            if not {"rinshan", "haitei"} <= case.how.flags and riichi.views_of(case.hand, case.how):
                cases.append(case)
        fresh = [Case(TileHand(c.hand.concealed, c.hand.declared, c.hand.winning_tile), c.how) for c in cases]
        engines: list[Any] = [
            ("four winds", lambda case: _valued(riichi.evaluate, case.hand, case.how), fresh)
        ]
        if theirs := mahjong_library():
            ask, ready = theirs
            engines.append(("mahjong 2.1", ask, [ready(case) for case in cases]))
        yield engines


def _valued(work: Callable[..., object], *asked: object) -> object:
    """Value a hand; one that is refused costs what the refusal costs."""
    try:
        return work(*asked)
    except ValueError:
        return None


def mahjong_library() -> tuple[Callable[[Any], object], Callable[[Case], Any]] | None:
    """Ask the `mahjong` library under the settings of EMA 2016, where it is installed."""
    # Both functions stand within, because the library's names are known only here.
    try:
        from mahjong.hand_calculating.hand import HandCalculator
        from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
        from mahjong.meld import Meld
    except ImportError:
        return None
    dragons = {WHITE: 31, GREEN_DRAGON: 32, RED: 33}
    kinds = {"chow": Meld.CHI, "pung": Meld.PON, "kong": Meld.KAN}

    def ready(case: Case) -> Any:
        used: Counter[int] = Counter()

        def tile(kind: int | None) -> int:
            assert kind is not None
            used[kind] += 1
            return dragons.get(kind, kind) * 4 + used[kind] - 1

        held = [tile(kind) for kind in case.hand.concealed]
        winning = tile(case.hand.winning_tile)
        melds = [
            Meld(kinds[one.kind], [tile(kind) for kind in one.tiles], one.is_open)
            for one in case.hand.declared
        ]
        everything = [*held, winning, *(one for meld in melds for one in meld.tiles)]
        dora, ura = ([tile(kind) for kind in some] for some in (case.how.indicators, case.how.ura_indicators))
        flags = {f"is_{flag}".replace("double_riichi", "daburu_riichi"): True for flag in case.how.flags}
        config = HandConfig(
            is_tsumo=case.how.self_draw,
            player_wind=case.how.seat_wind,
            round_wind=case.how.round_wind,
            options=OptionalRules(has_open_tanyao=True, has_double_yakuman=False),
            **flags,
        )
        return everything, winning, melds, dora, config, ura

    def ask(asked: Any) -> object:
        everything, winning, melds, dora, config, ura = asked
        return HandCalculator.estimate_hand_value(
            everything, winning, melds, dora, config, ura_dora_indicators=ura
        )

    return ask, ready


def mcr_rounds(args: argparse.Namespace) -> Iterable[list[Any]]:
    """Ours beside PyMahjongGB, which is compiled."""
    for turn in range(args.rounds):
        drawn = list(random_hands(args.seed + turn, args.hands))
        engines: list[Any] = [("four winds", lambda one: mcr.evaluate(one.hand, one.win), drawn)]
        if theirs := mahjong_gb():
            ask, ready = theirs
            engines.append(("PyMahjongGB (compiled)", ask, [ready(one) for one in drawn]))
        yield engines


def mahjong_gb() -> tuple[Callable[[Any], object], Callable[[Any], Any]] | None:
    """Ask PyMahjongGB, where it is installed."""
    try:
        from MahjongGB import MahjongFanCalculator

        from scoring.tests.oracles.mcr import KINDS as THEIR_KINDS
        from scoring.tests.oracles.mcr import name
    except ImportError:
        return None

    def ready(one: Any) -> Any:
        hand, win = one.hand, one.win
        packs = tuple(
            (THEIR_KINDS[kind], name(tile + (kind is SetKind.CHOW)), int(is_open))
            for kind, tile, is_open in hand.melds
        )
        return (
            packs,
            tuple(map(name, hand.concealed)),
            name(hand.in_hand[-1]),
            win.flowers,
            win.self_drawn,
            win.last_of_kind,
            win.replacement_after_kong or win.robbing_kong,
            win.last_wall_tile,
            win.seat_wind - EAST,
            win.round_wind - EAST,
            True,
        )

    return (lambda asked: MahjongFanCalculator(*asked)), ready


def drawn_hand(random: Random, kinds: Sequence[int], *, kongs: bool, claims: tuple[SetKind, ...]) -> TileHand:
    """Draw a winning hand of four sets and a pair from these tiles, some sets declared."""
    while True:
        tiles, melds = [random.choice(kinds)] * 2, []
        for _ in range(4):
            chow = random.random() < 0.5 and random.choice(sorted(CHOWS))
            held = (
                list(CHOWS[chow].tiles)
                if chow is not False and set(CHOWS[chow].tiles) <= set(kinds)
                else [random.choice(kinds)] * 3
            )
            kind = SetKind.PUNG if held[0] == held[1] else SetKind.CHOW
            if kind in claims and random.random() < 0.3:
                if kongs and kind is SetKind.PUNG and random.random() < 0.4:
                    kind, held = SetKind.KONG, held[:1] * 4
                melds.append(Declared(kind, tuple(held), True, "open" if kind is SetKind.KONG else ""))
            else:
                tiles += held
        every = Counter(tiles) + Counter(tile for meld in melds for tile in meld.tiles)
        if max(every.values()) <= 4:
            random.shuffle(tiles)
            return TileHand(tuple(tiles[1:]), tuple(melds), tiles[0])


def sichuan_rounds(args: argparse.Namespace) -> Iterable[list[Any]]:
    """Winning hands of two suits or one."""
    random, law = Random(args.seed), LAWS["SBR"]
    claims = (SetKind.PUNG,)
    for _ in range(args.rounds):
        suits = [random.choice([range(9), range(18)]) for _ in range(args.hands)]
        hands = [drawn_hand(random, list(kinds), kongs=True, claims=claims) for kinds in suits]
        yield [("four winds", lambda hand: sichuan.value(hand, law), hands)]


def red_rounds(args: argparse.Namespace) -> Iterable[list[Any]]:
    """Winning hands of all suits, or of one with honors."""
    random, law = Random(args.seed), RedLaw()
    for _ in range(args.rounds):
        choice = [random.choice([list(range(KINDS)), [*range(9), *HONORS]]) for _ in range(args.hands)]
        hands = [
            drawn_hand(random, kinds, kongs=False, claims=(SetKind.PUNG, SetKind.CHOW)) for kinds in choice
        ]
        yield [("four winds", lambda hand: red.evaluate(hand, law), hands)]


# Sessions and standings

SIXTEEN = [
    {
        "number": number,
        "events": [
            {"type": "win", "winners": [{"seat": "ESWN"[number % 4], "fans": 8 + number}]}
            | ({"from": "ESWN"[(number + 1) % 4]} if number % 3 else {})
        ],
    }
    for number in range(1, 17)
]


def recount(tables: int) -> float:
    """Read, check, play and rank a whole MCR session of sixteen hands from its records."""
    preset = PRESETS["mcr"]
    rules = ruleset(preset.system, preset.regulation.system_rules)
    began = time.perf_counter()
    facts = []
    for number in range(tables):
        game = play(rules, SEATS, [read_hand(hand) for hand in SIXTEEN], hands_limit=16)
        seats = tuple(
            SeatFact(seat, number * 4 + at, None, game.totals[seat]) for at, seat in enumerate(SEATS)
        )
        facts.append(TableFact(number + 1, seats))
    event = Event(
        preset.regulation,
        [Entrant(player) for player in range(tables * 4)],
        [SessionFact(1, preset.regulation, facts)],
    )
    session_ledger(event, event.sessions[0])
    standings(event)
    return time.perf_counter() - began


def tournament(players: int, sessions: int, seed: int) -> Event:
    """Make a tournament whose tables are known by their totals alone."""
    random, rules = Random(seed), PRESETS["sbr"].regulation
    facts = []
    for number in range(1, sessions + 1):
        order = random.sample(range(players), players)
        tables = []
        for start in range(0, players, 4):
            points = [random.randint(-40, 40) for _ in range(3)]
            points.append(-sum(points))
            seats = tuple(
                SeatFact(seat, player, None, one)
                for seat, player, one in zip(SEATS, order[start : start + 4], points, strict=True)
            )
            tables.append(TableFact(start // 4 + 1, seats))
        facts.append(SessionFact(number, rules, tables))
    return Event(rules, [Entrant(player) for player in range(players)], facts)


def bare_loop(event: Event) -> list[Any]:
    """Add up places and points with nothing but lists and a sort: what no recount can do without."""
    totals: dict[Hashable, list[int]] = {entrant.player: [0, 0, 0] for entrant in event.entrants}
    for session in event.sessions:
        for table in session.tables:
            ranked = sorted(table.seats, key=lambda seat: -seat[3])
            for place, seat in enumerate(ranked):
                mine = totals[seat[1]]
                mine[0] += (48, 36, 24, 12)[place]
                mine[1] += seat[3]
                mine[2] += place == 0
    return sorted(totals.values(), reverse=True)


def milliseconds(work: Callable[[], object], rounds: int) -> float:
    """Return the best of some rounds."""
    best = 1e9
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - began)
    return best * 1000


def main() -> None:
    """Print every figure with the machine it was measured on."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {_processor()}; {args.hands} hands, best of {args.rounds}"
    )
    side_by_side("riichi", args.hands, riichi_rounds(args))
    side_by_side("MCR", args.hands, mcr_rounds(args))
    side_by_side("Sichuan", args.hands, sichuan_rounds(args))
    side_by_side("Red", args.hands, red_rounds(args))
    spent = min(recount(100) for _ in range(args.rounds))
    print(f"recount of 100 tables × 16 hands, read, checked, played and ranked: {spent * 1000:,.0f} ms")
    for players in (100, 1000, 5000):
        event = tournament(players, 20, args.seed)
        bare = milliseconds(partial(bare_loop, event), args.rounds)
        full = milliseconds(partial(standings, event), args.rounds)
        shown = milliseconds(partial(every_result, event), args.rounds)
        print(
            f"standings of {players:>5,} players × 20 sessions: {full:>6.1f} ms, {full / bare:.2f} × a bare loop"
            f" ({bare:.1f} ms); every result beside them: {shown:.1f} ms"
        )


def every_result(event: Event) -> list[Any]:
    """Work out every session's ledger."""
    return [session_ledger(event, session) for session in event.sessions]


def _processor() -> str:
    """Name the processor, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
        "unknown processor",
    )


if __name__ == "__main__":
    main()
