"""Random events of every preset, worked out by the program and by the second opinion of `naive.py`.

    python -m tournaments.tests.compare_naive --seed 1 --events 500 [--preset sbr] [--stored] [--keep FILE]

Every event in which the two differ, or that is refused, is named by its preset and number, from which it is made again;
`--keep` writes the first such record to a file. `--stored` takes every event through a database of its own besides: taken
in, recomputed and written out again.
"""

import argparse
import gzip
import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

from scoring.door import compute_record, differences
from scoring.presets import PRESETS
from scoring.problems import Refusal
from scoring.words import say
from tournaments.tests.naive import computed_of
from tournaments.tests.random_events import random_declared

Json = dict[str, Any]


def event(preset: str, number: int, *, in_play: bool = True) -> Json:
    """Make up the event of this number."""
    chance = Random(f"{preset} {number}")
    return random_declared(preset, chance, slug=f"{preset.replace('_', '-')}-{number}", in_play=in_play)


def begun_stages(declared: Json) -> list[Json]:
    """List the stages of which a session has been played to its end."""
    closed = [session["number"] for session in declared["sessions"] if session["state"] == "closed"]
    stages: list[Json] = declared["regulation"]["stages"]
    return [stage for stage in stages if stage["from_session"] <= max(closed, default=0)]


def disagreements(declared: Json) -> list[str]:
    """List where the bare record comes to something else, as `path: second opinion, program`."""
    ours, _ = compute_record(declared)
    return list(differences(computed_of(declared), ours))


def stored_disagreements(declared: Json) -> list[str]:
    """Take a record in, recompute and write it out: list what is not as it was declared, or not as it has to be.

    No session may be in play: stored standings count it, records do not. [RECORD 2]
    """
    from tournaments.exchange.intake import import_record
    from tournaments.exchange.record import export_record
    from tournaments.models import Tournament
    from tournaments.standings.operations import recompute
    from tournaments.tests import factories as make

    expected = computed_of(declared)
    file = {
        "format": "four-winds-record",
        "version": 2,
        "declared": declared,
        "computed": expected,
        "history": {},
    }
    taken = import_record(file, by=make.actor(make.user(), "organizer"))
    tournament = Tournament.objects.get(pk=taken.tournament.pk)
    recompute.recompute(tournament.pk)
    again = export_record(tournament)
    numbers = {one["player"]: one["number"] for one in declared["registrations"]}
    return [
        *taken.differences,
        *differences(declared, again["declared"], "declared"),
        *differences(expected, again["computed"], "computed"),
        *differences(_standings(expected["standings"]), _stored(tournament), "standings"),
        *differences(_groups(expected["group_tables"], numbers), _shown(tournament), "snapshot.groups"),
    ]


def _standings(rows: Sequence[Json]) -> list[Json]:
    """The standings of a record with all values as text, for they are stored otherwise than they are written out."""
    return [{**row, "values": in_text(row["values"])} for row in rows]


def _stored(tournament: Any) -> list[Json]:
    return [
        {
            "player": row.player.code,
            "place": row.place,
            "shared": row.is_shared,
            "decided_by": row.decided_by or None,
            "values": in_text(row.values),
            **({"stage": row.stage} if row.stage else {}),
        }
        for row in tournament.standings.select_related("player").order_by("position")
    ]


def _groups(tables: Sequence[Json], numbers: Mapping[str, int]) -> list[Json]:
    """The group tables of a record as spectators get them: members by their numbers."""
    return [
        {
            "by": table["by"],
            "rows": [{**row, "members": [numbers[one] for one in row["members"]]} for row in table["rows"]],
        }
        for table in tables
    ]


def _shown(tournament: Any) -> list[Json]:
    """The group tables of the snapshot that spectators get."""
    said = json.loads(gzip.decompress(tournament.snapshot.body))
    return [
        {
            "by": table["by"],
            "rows": [
                {**row, "decided_by": row["decided_by"] or None, "values": in_text(row["values"])}
                for row in table["rows"]
            ],
        }
        for table in said["groups"]
    ]


def in_text(values: Mapping[str, Any]) -> Json:
    return {name: None if value is None else str(value) for name, value in values.items()}


@contextmanager
def scratch_database() -> Iterator[None]:
    """Run Django on a database that is dropped afterwards."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    django.setup()
    from django.test.runner import DiscoverRunner

    runner = DiscoverRunner(verbosity=0, interactive=False)
    old = runner.setup_databases()
    try:
        yield
    finally:
        runner.teardown_databases(old)


def main(arguments: Sequence[str]) -> int:
    """Compare so many events; 1 when any of them fails."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="the number of the first event")
    parser.add_argument("--events", type=int, default=500)
    parser.add_argument("--preset", choices=tuple(PRESETS), help="this one alone, instead of all in turn")
    parser.add_argument("--stored", action="store_true", help="through a database as well")
    parser.add_argument("--show", type=int, default=5, help="how many differences of an event are printed")
    parser.add_argument("--keep", type=Path, help="where the first record that fails is written")
    options = parser.parse_args(arguments)
    if not options.stored:
        return _compare(options, disagreements)
    with scratch_database():
        return _compare(options, lambda declared: disagreements(declared) or stored_disagreements(declared))


def _compare(options: argparse.Namespace, ask: Callable[[Json], list[str]]) -> int:
    presets = [options.preset] if options.preset else list(PRESETS)
    counts: Counter[str] = Counter()
    for number, preset in zip(
        range(options.seed, options.seed + options.events), cycle(presets), strict=False
    ):
        declared = event(preset, number, in_play=not options.stored)
        try:
            found = ask(declared)
        except Refusal as refusal:
            found = [f"refused, {problem.field}: {say(problem, 'en')}" for problem in refusal.problems]
        counts[preset] += 1
        counts += counted(declared)
        if found:
            counts["failed"] += 1
            print(f"{preset} {number}", *found[: options.show], sep="\n  ")
            if options.keep and not options.keep.exists():
                options.keep.write_text(json.dumps(declared, ensure_ascii=False, indent=1))
    names = [*presets, "sessions", "tables", "hands", "penalties", "lateness", "adjustments", "failed"]
    print(", ".join(f"{name} {counts[name]}" for name in names))
    return 1 if counts["failed"] else 0


def counted(declared: Json) -> Counter[str]:
    """Count what an event is made of."""
    tables = [table for session in declared["sessions"] for table in session["tables"]]
    counts = Counter(
        {part: len(declared[part]) for part in ("sessions", "penalties", "lateness", "adjustments")}
    )
    counts["tables"] = len(tables)
    counts["hands"] = sum(len((table["protocol"] or {}).get("hands", ())) for table in tables)
    return counts


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
