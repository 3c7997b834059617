"""What it costs to work standings out from the record, beside the bare reading of the same rows and a bare loop over them.

    python bench/recompute.py [--players 100 1000 5000] [--sessions 20] [--rounds 5] [--cpu]

Read: the same columns of the same rows, by `values_list`. Loop: what any full recomputation does at the least, over rows
in memory: tables ranked with their ties split in twelfths, sums, five criteria, one sort, shared places. With what follows
written: the rows that differ and the compressed snapshot; after one hand, and when every row is new. The collector of
garbage is set as the server and the workers set it, and collects before each round.
"""

import argparse
import gc
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


from bench import world

CLOCK = time.perf_counter


def best_of(rounds: int, work: Callable[[], Any]) -> float:
    """Return the best time of several rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        gc.collect()
        began = CLOCK()
        work()
        times.append(CLOCK() - began)
    return min(times) * 1000


def bare_read(of: Any) -> list[tuple[Any, ...]]:
    """Read every seat of the event, nothing else."""
    from tournaments.models import Seat

    rows = Seat.objects.filter(session__tournament=of).order_by()
    return list(rows.values_list("table_id", "wind", "player_id", "kept_for_id", "hand_points"))


TWELFTHS = (48, 36, 24, 12)


def bare_loop(rows: list[tuple[Any, ...]]) -> list[tuple[int, int]]:
    """Rank from rows in memory with nothing but what every program must do: no substitutes, penalties or reasons."""
    tables: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for table, _wind, player, _kept_for, points in rows:
        tables[table].append((points, player))
    sums_by_player: list[dict[int, int]] = [defaultdict(int) for _ in range(5)]
    given, sums, firsts, places, best = sums_by_player
    for sat in tables.values():
        sat.sort(reverse=True)
        at = 0
        while at < len(sat):
            end = at + 1
            while end < len(sat) and sat[end][0] == sat[at][0]:
                end += 1
            share, place = sum(TWELFTHS[at:end]) // (end - at), at + 1 + end
            for points, player in sat[at:end]:
                given[player] += share
                sums[player] += points
                firsts[player] += at == 0
                places[player] += place
                best[player] = max(best[player], points)
            at = end
    keys = {who: (-given[who], -sums[who], -firsts[who], places[who], -best[who]) for who in sums}
    ranked, before, place = [], None, 0
    for count, who in enumerate(sorted(keys, key=keys.__getitem__), start=1):
        if keys[who] != before:
            before, place = keys[who], count
        ranked.append((place, who))
    return ranked


def play_a_hand(of: Any) -> None:
    """Move two seats of one table, as a hand does."""
    from django.db.models import F

    from tournaments.models import Seat

    seats = list(
        Seat.objects.filter(session__tournament=of, table__number=1).order_by("-session__number")[:2]
    )
    for seat, points in zip(seats, (2, -2), strict=True):
        Seat.objects.filter(pk=seat.pk).update(hand_points=F("hand_points") + points)


def written(of: Any, before: Callable[[Any], Any], rounds: int) -> float:
    """Return the best time of a whole recomputation after something has been done that it must notice."""
    from tournaments.standings.operations.recompute import recompute_all

    times = []
    for _ in range(rounds):
        before(of)
        times.append(best_of(1, lambda: recompute_all(of)))
    return min(times)


def main() -> None:
    """Measure every size and print a line each."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--players", type=int, nargs="+", default=[100, 1000, 5000])
    options.add_argument("--sessions", type=int, default=20)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument(
        "--cpu", action="store_true", help="count processor time, where the machine is not quiet"
    )
    chosen = options.parse_args()
    if chosen.cpu:
        globals()["CLOCK"] = time.process_time
    home = world.begin()
    from config.server.collector import spare_the_collector
    from scoring.standings.stages import standings
    from tournaments.tables.queries.events import event_of

    def reckoned(of: Any) -> object:
        return standings(event_of(of))

    spare_the_collector()
    print(world.machine())
    for players in chosen.players:
        of = world.big_event(players, chosen.sessions)
        rows = bare_read(of)
        read = best_of(chosen.rounds, partial(bare_read, of))
        loop = best_of(chosen.rounds, partial(bare_loop, rows))
        from_source = best_of(chosen.rounds, partial(reckoned, of))
        every_row = written(of, lambda of: of.standings.all().delete(), chosen.rounds)
        one_hand = written(of, play_a_hand, chosen.rounds)
        print(
            f"{players:>6} players × {chosen.sessions} sessions: from source {from_source:7.1f} ms"
            f" = {from_source / (read + loop):.2f} × (bare read {read:.1f} + bare loop {loop:.1f});"
            f" with what follows written {one_hand:.1f} ms after a hand, {every_row:.1f} ms if all is new"
        )
    world.end(home)


if __name__ == "__main__":
    main()
