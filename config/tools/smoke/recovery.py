"""What is lost and comes back by itself: worker, beat and Redis are taken away while hands are entered.

Entry goes on in every scene, and afterwards the standings are those of the record, without anybody's help.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from config.tools.smoke.demands import expect, wait_for
from config.tools.smoke.topology import Topology

if TYPE_CHECKING:
    from config.tools.smoke.__main__ import Journey

PATIENCE = 4.0  # seconds that a referee may wait for the receipt of a hand while Redis is away
RECOVERY = 30.0  # seconds from the return of what was away to right standings
BEAT = 5.0


def recover(journey: "Journey", tell: Callable[[str], None]) -> None:
    """Live through every scene."""
    for scene in (
        worker_killed_in_the_middle_of_a_task,
        redis_emptied_in_the_middle_of_a_burst,
        redis_emptied_while_no_worker_lives,
        redis_stopped_and_started_in_the_middle_of_a_burst,
        redis_answers_nobody_for_a_while,
        web_process_started_without_redis,
        worker_and_beat_started_before_redis,
        beat_killed,
        database_killed,
        front_killed,
        everything_but_the_web_away,
    ):
        started = time.monotonic()
        hands = journey.hands
        scene(journey)
        for name, process in journey.topology.processes.items():
            expect(process.poll() is None, f"{name} gave up")
        said = scene.__name__.replace("_", " ")
        tell(
            f"{said}: {journey.hands - hands} hands, right again; the scene took {time.monotonic() - started:.1f} s"
        )


def let_it_go_on(seconds: float) -> None:
    """Leave everything to itself for a while."""
    time.sleep(seconds)  # hands arrive meanwhile, or nobody finds Redis: that they do is what is shown


# Scenes


def worker_killed_in_the_middle_of_a_task(journey: "Journey") -> None:
    """It has taken the message and waits in its transaction: nobody is told of it, and nothing of it is kept."""
    with standings_held(journey.topology):
        enter(journey)
        until(journey, lambda: is_waiting_for_the_standings(journey.topology), "the worker began")
        journey.topology.kill("worker")
    journey.topology.start("worker")
    standings_come_right(journey)


def redis_emptied_in_the_middle_of_a_burst(journey: "Journey") -> None:
    """The queue, the binding of the queue and the marker that a message waits are gone."""
    with burst(journey):
        let_it_go_on(1)
        empty(journey.topology)
        let_it_go_on(1)
    empty(journey.topology)
    standings_come_right(journey)


def redis_emptied_while_no_worker_lives(journey: "Journey") -> None:
    """What was asked for is nowhere any more but in the database."""
    journey.topology.kill("worker")
    for _ in range(3):
        enter(journey)
    empty(journey.topology)
    journey.topology.start("worker")
    standings_come_right(journey)


def redis_stopped_and_started_in_the_middle_of_a_burst(journey: "Journey") -> None:
    """Whoever was connected finds the same address again."""
    with burst(journey):
        let_it_go_on(1)
        stop_redis(journey.topology)
        let_it_go_on(3)
        start_redis(journey.topology)
        let_it_go_on(1)
    standings_come_right(journey)


def redis_answers_nobody_for_a_while(journey: "Journey") -> None:
    """It takes connections and says nothing: worse than none, for whoever waits for it."""
    with client(journey.topology) as redis:
        redis.client_pause(9000)
        it_answers_again = time.monotonic() + 9
    slow = 0
    while time.monotonic() < it_answers_again:
        slow += enter(journey) > 1
    expect(slow <= 4, f"{slow} hands waited for Redis")
    standings_come_right(journey)


def database_killed(journey: "Journey") -> None:
    """What it has acknowledged is there when it is back; web, live and worker find it again by themselves."""
    from django.db import connection

    topology = journey.topology
    enter(journey)
    topology.kill("postgres")
    connection.close()  # our own, which died with its server
    topology.start("postgres")
    topology.wait("postgres")
    topology.wait("web")
    enter(journey)
    standings_come_right(journey)


def front_killed(journey: "Journey") -> None:
    """Tablets and spectators come back to the same address, under the same certificate."""
    journey.topology.kill("front")
    journey.topology.start("front")
    journey.topology.wait("front")
    enter(journey)
    standings_come_right(journey)


def web_process_started_without_redis(journey: "Journey") -> None:
    """It serves and takes hands, and finds Redis when there is one."""
    topology = journey.topology
    stop_redis(topology)
    topology.kill("web")
    topology.start("web")
    topology.wait_alive("web")
    for _ in range(3):
        enter(journey)
    start_redis(topology)
    standings_come_right(journey)
    topology.wait("web")


def worker_and_beat_started_before_redis(journey: "Journey") -> None:
    """They wait for it, however long it takes."""
    topology = journey.topology
    stop_redis(topology)
    for name in ("worker", "beat"):
        topology.kill(name)
        topology.start(name)
    let_it_go_on(6)
    enter(journey)
    start_redis(topology)
    standings_come_right(journey)


def beat_killed(journey: "Journey") -> None:
    """Messages do without it; only what a lost message left behind waits until it is back."""
    from tournaments.record.wakeup import AWAY_FOR

    let_it_go_on(AWAY_FOR)  # since the last scene every web process leaves Redis alone for so long
    journey.topology.kill("beat")
    for _ in range(3):
        enter(journey)
    standings_come_right(journey)
    journey.topology.kill("worker")
    enter(journey)
    empty(journey.topology)
    journey.topology.start("worker")
    let_it_go_on(BEAT)
    expect(is_behind(journey), "nobody knew of the lost message")
    journey.topology.start("beat")
    standings_come_right(journey)


def everything_but_the_web_away(journey: "Journey") -> None:
    """Neither Redis nor worker nor beat: hands are entered as ever."""
    topology = journey.topology
    for name in ("worker", "beat"):
        topology.kill(name)
    stop_redis(topology)
    for _ in range(5):
        enter(journey)
    start_redis(topology)
    for name in ("beat", "worker"):
        topology.start(name)
    standings_come_right(journey)


# What is done


def enter(journey: "Journey") -> float:
    """Enter a hand; its receipt comes in good time, whatever is away. Gives how long it took."""
    started = time.monotonic()
    journey.record()
    journey.hands += 1
    took = time.monotonic() - started
    expect(took < PATIENCE, f"a hand was taken only after {took:.1f} s")
    return took


@contextmanager
def burst(journey: "Journey") -> Iterator[None]:
    """Enter hand after hand in a thread, and one more when the scene is over."""
    is_over, failed = threading.Event(), []

    def entering() -> None:
        try:
            while not is_over.wait(0.1):
                enter(journey)
            enter(journey)
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=entering)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
    if failed:
        raise failed[0]


def stop_redis(topology: Topology) -> None:
    """End Redis; whatever it had is gone."""
    topology.kill("redis")


def start_redis(topology: Topology) -> None:
    """Start an empty Redis, at the same address each time."""
    topology.start("redis")
    topology.wait("redis")


def client(topology: Topology) -> Any:
    """Connect to Redis."""
    from redis import Redis

    return Redis.from_url(topology.environment["REDIS_URL"])


def empty(topology: Topology) -> None:
    """Forget everything that Redis has."""
    with client(topology) as redis:
        redis.flushall()


@contextmanager
def standings_held(topology: Topology) -> Iterator[None]:
    """Keep the rows of the standings to ourselves, so that whoever would write them waits."""
    import psycopg

    password = Path(topology.environment["POSTGRES_PASSWORD_FILE"]).read_text()
    address = topology.environment["DATABASE_URL"].partition("?")[0]
    with psycopg.connect(address, password=password) as connection:
        connection.execute("LOCK TABLE tournaments_standing IN ACCESS EXCLUSIVE MODE")
        yield
        connection.rollback()


def is_waiting_for_the_standings(topology: Topology) -> bool:
    """Ask PostgreSQL whether somebody waits for these rows."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'tournaments_standing'::regclass"
        )
        return bool(cursor.fetchone()[0])


# What must be


def standings_come_right(journey: "Journey") -> None:
    """Wait until nothing more is wanted; what then stands and is shown is what the record comes to."""
    until(journey, lambda: not is_behind(journey), "the standings caught up")
    kept, shown = stored(journey), journey.standings
    until(journey, lambda: shown()["revision"] == revision(journey).done, "spectators saw it")
    journey.topology.manage("recompute_standings", journey.slug, "--verbosity=0")
    expect(stored(journey) == kept, "the standings were not those of the record")


def revision(journey: "Journey") -> Any:
    """Read what is wanted and done."""
    from tournaments.models import StandingsRevision

    return StandingsRevision.objects.get(pk=journey.tournament.pk)


def is_behind(journey: "Journey") -> bool:
    """Return whether the standings are behind the record."""
    row = revision(journey)
    return bool(row.done < row.wanted)


def stored(journey: "Journey") -> list[Any]:
    """Read the standings."""
    rows = journey.tournament.standings.order_by("position")
    return list(rows.values_list("player_id", "position", "place", "values", "lines"))


def until(journey: "Journey", condition: Callable[[], Any], what: str) -> None:
    """Wait for something, no longer than recovery may take."""
    wait_for(condition, f"{what}: not", RECOVERY)
