"""What it costs to work standings out from the record, beside the bare reading of the same rows and a bare loop over them.

    python bench/recompute.py [--players 100 1000 5000] [--sessions 20] [--rounds 5]

Read: the same columns of the same rows, by `values_list`. Loop: add every row's points to its player's sum, sort once.
"""

import argparse
import gc
import time
from collections.abc import Callable
from typing import Any

import world


def best_of(rounds: int, work: Callable[[], Any]) -> float:
    """Give the best time of several rounds, in milliseconds."""
    times = []
    for _ in range(rounds):
        gc.collect()
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times) * 1000


def bare_read(of: Any) -> list[tuple[Any, ...]]:
    """Read every seat of the event, nothing else."""
    from tournaments.models import Seat

    rows = Seat.objects.filter(session__tournament=of).order_by()
    return list(rows.values_list("table_id", "wind", "player_id", "kept_for_id", "hand_points"))


def bare_loop(rows: list[tuple[Any, ...]]) -> list[tuple[int, int]]:
    """Add the points up by player and sort."""
    sums: dict[int, int] = {}
    for _table, _wind, player, _kept_for, points in rows:
        sums[player] = sums.get(player, 0) + points
    return sorted(sums.items(), key=lambda pair: -pair[1])


def main() -> None:
    """Measure every size and print a line each."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--players", type=int, nargs="+", default=[100, 1000, 5000])
    options.add_argument("--sessions", type=int, default=20)
    options.add_argument("--rounds", type=int, default=5)
    chosen = options.parse_args()
    home = world.begin()
    from scoring.results import standings
    from tournaments.events import event_of
    from tournaments.operations.standings import recompute_all

    print(world.machine())
    for players in chosen.players:
        of = world.big_event(players, chosen.sessions)
        rows = bare_read(of)
        read = best_of(chosen.rounds, lambda of=of: bare_read(of))
        loop = best_of(chosen.rounds, lambda rows=rows: bare_loop(rows))
        from_source = best_of(chosen.rounds, lambda of=of: standings(event_of(of)))
        whole = best_of(max(1, chosen.rounds // 2), lambda of=of: recompute_all(of))
        print(
            f"{players:>6} players × {chosen.sessions} sessions: from source {from_source:7.1f} ms"
            f" = {from_source / (read + loop):.2f} × (bare read {read:.1f} + bare loop {loop:.1f});"
            f" with rows and snapshot written {whole:.1f} ms"
        )
    world.end(home)


if __name__ == "__main__":
    main()
