"""Processes killed at random moments and at named points of every write: is what was acknowledged there, once and whole?

    python bench/kills.py [sqlite] [postgresql] [laptop] [shape] [--kills 60] [--seed 1] [--only NAME ...]

sqlite      each operation that writes (`life.py`) runs in a process of its own that is killed before and after any of its
            statements, before its commit, and after its commit but before its answer; then it is done again, as people do
postgresql  the same, and now and then the server of the database is killed instead, or Redis
laptop      tablets enter hands over HTTP while the one process that serves everything from a SQLite file is killed
shape       the same, while web processes, worker, PostgreSQL and Redis are killed and started again

After a kill the database must hold, row by row, either what it held before or exactly what the operation makes of it, and
after an acknowledgement the latter; done again, a step that was already there changes nothing. At the end the history is
verified and the standings, worked out anew, are those that are stored. Exits 1 if anything was lost, doubled or partial.
Kills are shared out evenly among what is named. With `--only` the other operations of the event are done without being disturbed,
and each of those named is killed before its commit, then at random moments if there are kills left for it, then after its
commit, and done again. Needs PostgreSQL and Redis for the second and the last.
"""

import argparse
import hashlib
import http.client
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import hosts, life, world
from config.tools.smoke import services

ACKNOWLEDGED, REFUSED, FAILED = 0, 3, 4
BEFORE_COMMIT, AFTER_COMMIT = "before the commit", "after the commit"
STATEMENT, DATABASE, REDIS = "at a statement", "the database", "Redis"
PATIENCE = 60.0
DYING = 0.3
Digests = Mapping[str, tuple[int, str]]


class Lost(Exception):
    """Something was lost, doubled or partial; the sentence says what."""


# What the database holds


def contents() -> Digests:
    """Return how many rows each table has, and a digest of them."""
    from django.db import connection

    found = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = sorted(map(repr, cursor.fetchall()))
            found[table] = len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return found


def growth(before: Digests, after: Digests) -> dict[str, int]:
    """Return by how many rows tables have grown; 0 where rows changed and their number did not."""
    return {name: after[name][0] - before[name][0] for name in after if after[name] != before[name]}


def quiet() -> None:
    """Wait until the server has finished with whoever was killed; then look with a connection of our own."""
    from django.db import OperationalError, connection

    end = time.monotonic() + PATIENCE
    while connection.vendor == "postgresql":
        try:
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                    " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
                )
                if cursor.fetchone()[0] == 0:
                    return
        except OperationalError:
            connection.close()
        if time.monotonic() > end:
            raise Lost("the database did not come to rest")
        time.sleep(0.01)  # asked again until the end of its patience


# Servers that can be killed


class Postgresql:
    """A server that writes as a real one does, and can be killed like one."""

    def __init__(self, folder: Path) -> None:
        """Lay out an empty cluster."""
        programs = services.postgresql_programs()
        if programs is None:
            raise services.Unavailable("no PostgreSQL server programs were found")
        self.programs, self.user = programs, services.servant()
        self.folder, self.port = folder, services.free_port()
        self.url = f"postgresql://four_winds@127.0.0.1:{self.port}/postgres"
        folder.chmod(0o755)
        self.data = folder / "cluster"
        self.data.mkdir()
        if self.user:
            import shutil

            shutil.chown(self.data, self.user)
        command = [
            self.programs / "initdb",
            "-D",
            self.data,
            "-U",
            "four_winds",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
        ]
        subprocess.run(list(map(str, command)), user=self.user, cwd="/", check=True, capture_output=True)
        self.start()

    def start(self) -> None:
        """Start the server and wait until it has recovered."""
        options = [
            "-D",
            self.data,
            "-k",
            "/tmp",
            "-h",
            "127.0.0.1",
            "-p",
            self.port,
            "-c",
            "max_connections=200",
        ]
        command = list(map(str, [self.programs / "postgres", *options]))
        with (self.folder / "postgresql.log").open("ab") as log:
            self.server = subprocess.Popen(
                command, user=self.user, cwd="/", stdout=log, stderr=log, start_new_session=True
            )
        services.wait_until(lambda: services.is_ready(self.programs, self.port), self.server, PATIENCE)

    def kill(self) -> None:
        """Kill the server and all its processes; one that is left would hold the memory that the next start asks for."""
        kill_all([self.server.pid])
        while left := working_in(self.data):
            kill_all(left)
            time.sleep(0.01)  # nobody tells that a process of somebody else's is gone

    def stop(self) -> None:
        """End it politely."""
        services.end(self.server, signal.SIGINT)


class Redis:
    """A Redis that can be killed; it comes back empty."""

    def __init__(self, port: int = 0) -> None:
        """Choose an address, the same for each life."""
        self.port = port or services.free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.start()

    def start(self) -> None:
        """Start an empty server."""
        program = services.redis_program()
        if program is None:
            raise services.Unavailable("no Redis server program was found")
        words = [program, "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.server = subprocess.Popen(words, stdout=subprocess.DEVNULL, cwd="/tmp", start_new_session=True)
        services.wait_until(lambda: services.answers(self.port), self.server)

    def kill(self) -> None:
        """Kill it."""
        kill_all([self.server.pid])

    def stop(self) -> None:
        """End it."""
        services.end(self.server)


def has_died(server: Any) -> bool:
    """Whether somebody has killed a server; the moment between its death and its being seen is waited for."""
    try:
        server.server.wait(DYING)
    except subprocess.TimeoutExpired:
        return False
    return True


def working_in(folder: Path) -> list[int]:
    """Return the processes that work in a folder, as all of a PostgreSQL do in their data: also those whose parent is dead."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cwd"):
        with suppress(OSError):
            if path.readlink() == folder.resolve():
                found.append(int(path.parent.name))
    return found


def kill_all(numbers: Sequence[int]) -> None:
    """Kill processes of ours; those that are gone already are none of our business."""
    for number in numbers:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)


# One operation, killed


class Killed:
    """The moments of an operation, counted in the process that does it: statements, and the commit."""

    def __init__(self, point: str, moment: int, act: Callable[[], None]) -> None:
        """Know when to act, and how."""
        self.point, self.moment, self.act = point, moment, act
        self.statements = self.commits = 0

    def arm(self) -> None:
        """Watch every statement and every commit of this process's connection."""
        from django.db import connections

        connection: Any = connections["default"]
        commit = connection._commit

        def watched() -> Any:
            self.commits += 1
            self.meet(BEFORE_COMMIT, self.commits)
            answer = commit()
            self.meet(AFTER_COMMIT, self.commits)
            return answer

        connection._commit = watched
        connection.execute_wrappers.append(self.execute)

    def execute(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Count before and after a statement."""
        self.statements += 1
        self.meet(STATEMENT, self.statements)
        answer = execute(sql, params, many, context)
        self.statements += 1
        self.meet(STATEMENT, self.statements)
        return answer

    def meet(self, point: str, number: int) -> None:
        """Act, if this is the moment."""
        named = STATEMENT if self.point in {DATABASE, REDIS} else self.point
        if point == named and number == self.moment:
            self.act()


def done(step: life.Step, killed: Killed, tell: int = -1) -> int:
    """Do a step in a process of its own; return how it ended: acknowledged, refused, failed, or by which signal."""
    from django.db import connections

    connections.close_all()
    child = os.fork()
    if child == 0:
        os._exit(_do(step, killed, tell))
    _, status = os.waitpid(child, 0)
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _do(step: life.Step, killed: Killed, tell: int) -> int:
    """Do a step, tell how many moments it has, and return how it ended."""
    from django.core.exceptions import ObjectDoesNotExist
    from django.db import connection

    from tournaments.record.refusal import Refused

    try:
        connection.ensure_connection()
        killed.arm()
        step(life.Event())
        ended = ACKNOWLEDGED
    except BaseException as error:
        (Path(os.environ["FOUR_WINDS_VAR"]) / "failed.log").write_text(repr(error))
        ended = REFUSED if isinstance(error, Refused | ObjectDoesNotExist) else FAILED
    if tell >= 0:
        os.write(tell, json.dumps([killed.statements, killed.commits]).encode())
    return ended


def why_it_failed() -> str:
    """Return what the last step that failed said."""
    log = Path(os.environ["FOUR_WINDS_VAR"]) / "failed.log"
    return log.read_text() if log.exists() else ""


def unkilled() -> Killed:
    """Return a counter that never acts."""
    return Killed("", 0, lambda: None)


def kill_self() -> None:
    """End this process as the power would."""
    os.kill(os.getpid(), signal.SIGKILL)


# Every operation


Lesson = tuple[int, int, dict[str, int]]


def learn() -> dict[str, Lesson]:
    """Live through the event undisturbed; return the statements, the commits and the growth of each step."""
    lessons = {}
    for name, step in life.steps().items():
        before = contents()
        reading, writing = os.pipe()
        ended = done(step, unkilled(), writing)
        os.close(writing)
        with os.fdopen(reading) as told:
            statements, commits = json.loads(told.read() or "[0, 0]")
        if ended != ACKNOWLEDGED:
            raise Lost(f"“{name}” does not work: {ended} {why_it_failed()}")
        lessons[name] = statements, commits, growth(before, contents())
    return lessons


class Trial:
    """The life of an event, with every step killed some times."""

    def __init__(
        self,
        lessons: Mapping[str, Lesson],
        kills: int,
        dice: Random,
        servers: Mapping[str, Any],
        only: Collection[str] = (),
    ) -> None:
        """Know what each step does undisturbed, which servers can be killed, and whether some steps alone are."""
        self.lessons, self.dice, self.servers, self.only = lessons, dice, servers, only
        self.names = [name for name in lessons if not only or name in only]
        self.share = max(2, kills // len(self.names))
        self.more = kills - self.share * len(self.names)
        self.killed: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self) -> None:
        """Live through the event."""
        for name, step in life.steps().items():
            try:
                self.take(name, step)
            except Lost as error:
                self.wrong.append(f"“{name}”: {error}")
        self.wrong += whole()

    def take(self, name: str, step: life.Step) -> None:
        """Kill a step, or do it undisturbed if others alone are asked for."""
        if name in self.names:
            self.kill_often(name, step, self.share + (self.names.index(name) < self.more))
        elif done(step, unkilled()) != ACKNOWLEDGED:
            raise Lost(f"it cannot be done after what was killed: {why_it_failed()}")

    def kill_often(self, name: str, step: life.Step, times: int) -> None:
        """Kill a step until it is done, the last time when it has committed; then do it again."""
        before = contents()
        is_done, named = False, [BEFORE_COMMIT] if self.only else []
        while times > 1 and not is_done:
            times -= 1
            is_done = self.kill_once(name, step, named.pop() if named else self.chosen(), before)
        if not is_done:
            is_done = self.kill_once(name, step, AFTER_COMMIT, before)
        if not is_done and done(step, unkilled()) != ACKNOWLEDGED:
            raise Lost(f"it cannot be done any more: {why_it_failed()}")
        quiet()
        self.compare(name, before, must_be_done=True)
        if name not in life.MAY_BE_REPEATED:
            self.repeat(step)

    def chosen(self) -> str:
        """Choose what is killed."""
        points = (
            [STATEMENT] * 6
            + [BEFORE_COMMIT] * 2
            + [each for each in (DATABASE, REDIS) if each in self.servers]
        )
        return self.dice.choice(points)

    def kill_once(self, name: str, step: life.Step, point: str, before: Digests) -> bool:
        """Kill a step once; return whether its effect is there now."""
        statements, commits, _ = self.lessons[name]
        is_at_statement = point in {STATEMENT, DATABASE, REDIS}
        moment = self.dice.randint(1, max(1, statements)) if is_at_statement else max(1, commits)
        ended = done(step, Killed(point, moment, self.act(point)))
        if point in self.servers and has_died(self.servers[point]):
            self.killed[point] += 1
            self.servers[point].start()
        elif ended == -signal.SIGKILL:
            self.killed[point] += 1
        quiet()
        return self.compare(name, before, must_be_done=ended == ACKNOWLEDGED)

    def act(self, point: str) -> Callable[[], None]:
        """Return what happens at the moment."""
        return self.servers[point].kill if point in self.servers else kill_self

    def compare(self, name: str, before: Digests, *, must_be_done: bool) -> bool:
        """Return whether the effect of a step is there; anything between nothing and all of it is a fault."""
        now = contents()
        grown, wanted = growth(before, now), self.lessons[name][2]
        if not grown and (not must_be_done or not wanted):
            return not wanted and must_be_done
        if not grown:
            raise Lost("it was acknowledged and is lost")
        if {key: rows for key, rows in grown.items() if rows} != {
            key: rows for key, rows in wanted.items() if rows
        }:
            raise Lost(f"it is there in part or twice: {grown} instead of {wanted}")
        return True

    def repeat(self, step: life.Step) -> None:
        """Do again what is done already."""
        before = contents()
        ended = done(step, unkilled())
        quiet()
        if grown := growth(before, contents()):
            raise Lost(f"done again ({ended}) it changed {grown}")


def whole() -> list[str]:
    """Verify the history, and work the standings out anew."""
    from config.tools.backup import standings_digest
    from tournaments.models import Tournament
    from tournaments.standings.operations.recompute import recompute, recompute_all
    from tournaments.standings.operations.verification import verify

    wrong = []
    for of in Tournament.objects.all():
        wrong += [f"{of.slug}: {fault}" for fault in verify(of)]
        recompute(of.pk, waits=True)
        stored = standings_digest(of)
        recompute_all(of)
        if standings_digest(of) != stored:
            wrong.append(f"{of.slug}: the standings are not those of the record")
    return wrong


def operations(chosen: argparse.Namespace, servers: Mapping[str, Any]) -> int:
    """Learn what each step does, then kill it; return how many faults there were."""
    from django.core.management import call_command

    if unknown := set(chosen.only) - set(life.steps()):
        sys.exit(f"There is no operation {', '.join(map(repr, sorted(unknown)))} in bench/life.py.")
    life.begin()
    lessons = learn()
    call_command("flush", verbosity=0, interactive=False)
    life.begin()
    trial = Trial(lessons, chosen.kills, Random(chosen.seed), servers, chosen.only)
    began = time.monotonic()
    trial.run()
    told = ", ".join(f"{count} {point}" for point, count in sorted(trial.killed.items()))
    return tell(
        chosen.what[0],
        f"{len(trial.names)} operations, {trial.killed.total()} kills ({told})",
        trial.wrong,
        began,
    )


def tell(what: str, said: str, wrong: Sequence[str], began: float) -> int:
    """Print what was done and what was wrong."""
    print(
        f"{what}: {said} in {time.monotonic() - began:.0f} s; lost, doubled or partial: {len(wrong)}",
        flush=True,
    )
    for line in wrong[:20]:
        print(f"       {line}")
    return len(wrong)


def sqlite(chosen: argparse.Namespace) -> int:
    """Kill every operation on a SQLite file."""
    home = world.begin()
    unguarded()
    try:
        return operations(chosen, {})
    finally:
        world.end(home)


def postgresql(chosen: argparse.Namespace) -> int:
    """Kill every operation on PostgreSQL, and the servers too."""
    home = Path(tempfile.mkdtemp(prefix="four-winds-kills-"))
    with ExitStack() as stack:
        database, redis = Postgresql(home), Redis()
        stack.callback(lambda: database.stop())
        stack.callback(lambda: redis.stop())
        os.environ |= {"DATABASE_URL": database.url, "REDIS_URL": redis.url}
        lives = world.begin()
        unguarded()
        try:
            return operations(chosen, {DATABASE: database, REDIS: redis})
        finally:
            world.end(lives)


def unguarded() -> None:
    """Let the event be flushed between learning and killing: the triggers sleep as they do in tests."""
    from django.core.management.commands import flush
    from django.db import connection

    from tournaments.record import triggers

    handle = flush.Command.handle

    def without_guard(self: Any, **options: Any) -> Any:
        triggers.remove(connection)
        try:
            return handle(self, **options)
        finally:
            triggers.install(connection)

    flush.Command.handle = without_guard  # type: ignore[method-assign]


# The production shape


class Tablet(threading.Thread):
    """A tablet that sends a hand until it gets a receipt, and then the next."""

    def __init__(self, ports: Sequence[int], slug: str, table: int, credential: str, dice: Random) -> None:
        """Know the servers and the table."""
        super().__init__(daemon=True)
        self.ports, self.slug, self.table, self.credential, self.dice = ports, slug, table, credential, dice
        self.over = threading.Event()
        self.acknowledged: list[str] = []
        self.tries = 0
        self.wrong = ""

    def run(self) -> None:
        """Enter hands until told to stop."""
        number = 0
        while not self.over.is_set() and number < HANDS and not self.wrong:
            key = f"kills-{self.table:04d}-{number:04d}-{'k' * 8}"
            if self.enter(number, key):
                self.acknowledged.append(key)
                number += 1

    def enter(self, number: int, key: str) -> bool:
        """Send a hand; say whether its receipt came."""
        self.tries += 1
        body = hosts.as_json({"facts": life.facts(number % 5), "seen": number})
        headers = {
            "Host": "localhost", "Authorization": f"Device {self.credential}", "Idempotency-Key": key,
            "Content-Type": "application/json", "X-Forwarded-Proto": "https",
        }  # fmt: skip
        try:
            server = http.client.HTTPConnection("127.0.0.1", self.dice.choice(self.ports), timeout=30)
            server.request("POST", f"/{self.slug}/api/session-1/table-{self.table}/hands/", body, headers)
            answer = server.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException):
            time.sleep(0.1)  # a tablet tries again, and not at once
            return False
        finally:
            server.close()
        if answer.status in {409, 422, 403, 404, 401}:
            self.wrong = f"table {self.table}, hand {number}: {answer.status} {said[:200]!r}"
        return answer.status == 200 and b'"receipt"' in said


HANDS = 16
MOST_TABLES = 250
AT_ONCE = 6


def hall_in_play(tables: int) -> tuple[Any, list[str]]:
    """Make an event with its session in play by the operations themselves, so that its history can be verified."""
    from seating.drafts import operations as draws
    from tournaments.models import Device
    from tournaments.people.operations import registration
    from tournaments.record.actors import digest_of
    from tournaments.sessions.operations import play

    life.begin()
    event, steps = life.Event(), life.steps()
    for name in ("create event", "announce"):
        steps[name](event)
    letters = "ABCDEFGHIJ"
    people = [f"Wren {letters[n // 100]}{letters[n // 10 % 10]}{letters[n % 10]}" for n in range(tables * 4)]
    rows = [registration.Details(name=name) for name in people]
    registration.import_players(event.of, rows, by=event.by, key="people" + "k" * 16)
    draws.publish(draws.propose_random(event.of, event.session(), by=event.by, seed="s"), by=event.by)
    play.start_session(event.session(), by=event.by)
    credentials = [f"tablet-{number:04d}-{'x' * 20}" for number in range(1, tables + 1)]
    Device.objects.bulk_create(
        Device(tournament=event.of, name=f"Tablet {n}", tables=[n], credential_digest=digest_of(credential))
        for n, credential in enumerate(credentials, start=1)
    )
    return event.of, credentials


def laptop(chosen: argparse.Namespace) -> int:
    """Kill the one process of a hall's laptop while tablets enter hands."""
    home, dice, began = world.begin(), Random(chosen.seed), time.monotonic()
    port = services.free_port()
    environment = hosts.settings_for(home, PORT=str(port), HASHED_STATIC="0")
    hosts.manage(environment, "messages", "compile", "--verbosity=0")
    of, credentials = hall_in_play(min(MOST_TABLES, 20 + chosen.kills * 4))
    command = [sys.executable, "-m", "config.server"]
    with tablets([port], of.slug, credentials, dice) as crowd:
        for _ in range(chosen.kills):
            with hosts.process(command, environment, port) as server:
                time.sleep(dice.uniform(0.1, 1.5))  # the moment of the kill is what is thrown
                kill_all([server.pid])
        with hosts.process(command, environment, port):
            time.sleep(1)  # tablets go on for a while on a site that lives: what was unsent is sent
            caught_up = _caught_up(of)
    wrong = crowd.wrong + _compare_receipts(of, crowd.acknowledged) + caught_up + whole()
    world.end(home)
    said = f"{len(crowd.acknowledged):,} hands acknowledged after {crowd.tries:,} tries, {chosen.kills} kills"
    return tell("laptop", said, wrong, began)


def shape(chosen: argparse.Namespace) -> int:
    """Kill processes of the production shape, as its compose file says it, while tablets enter hands."""
    from config.tools.smoke.topology import running

    home = Path(tempfile.mkdtemp(prefix="four-winds-kills-", dir="/var/tmp"))
    dice, began = Random(chosen.seed), time.monotonic()
    killed: Counter[str] = Counter()
    with running(home) as topology:
        os.environ |= topology.environment
        world.use()
        of, credentials = hall_in_play(min(MOST_TABLES, 20 + chosen.kills * 4))
        port = topology.host.port("web", int(topology.services["web"].environment["PORT"]))
        with tablets([port], of.slug, credentials, dice) as crowd:
            for _ in range(chosen.kills):
                time.sleep(dice.uniform(0.05, 0.6))  # the moment of the kill is what is thrown
                victim = dice.choice(VICTIMS)
                _kill_and_start(victim, topology, dice)
                killed[victim] += 1
            topology.wait("web", PATIENCE)
        _reconnect()  # the server that this process knew is dead
        wrong = crowd.wrong + _compare_receipts(of, crowd.acknowledged) + _caught_up(of) + whole()
        _reconnect()
    shutil.rmtree(home, ignore_errors=True)
    told = ", ".join(f"{name} {count}" for name, count in sorted(killed.items()))
    said = f"{len(crowd.acknowledged):,} hands acknowledged after {crowd.tries:,} tries, {killed.total()} kills ({told})"
    return tell("shape", said, wrong, began)


def _reconnect() -> None:
    """Forget connections to a server that was killed."""
    from django.db import connections

    connection: Any = connections["default"]
    connection.close()
    connection.close_pool()


ONE_OF_WEB = "one of web"
VICTIMS = (ONE_OF_WEB, ONE_OF_WEB, "web", "worker", "beat", "postgres", "postgres", "redis")


def _kill_and_start(victim: str, topology: Any, dice: Random) -> None:
    """Kill a part, leave it dead for a moment, and start it again; a web process is back before the next is killed."""
    if victim == ONE_OF_WEB:
        _kill_one_child(topology)
    else:
        topology.kill(victim)
        time.sleep(dice.uniform(0, 0.5))  # how long it is away is thrown as well
        topology.start(victim)
    if victim in {ONE_OF_WEB, "web"}:
        topology.wait_alive("web", PATIENCE)
    elif victim in {"postgres", "redis"}:
        topology.wait(victim, PATIENCE)


def _kill_one_child(topology: Any) -> None:
    """Kill one of the web processes as soon as there are two again."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            topology.kill_one_child("web")
            return
        except SystemExit:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)  # asked again until the end of its patience


class Crowd:
    """Tablets that take table after table, and what they were told."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self.over = threading.Event()
        self.acknowledged: list[str] = []
        self.wrong: list[str] = []
        self.tries = 0


@contextmanager
def tablets(ports: Sequence[int], slug: str, credentials: Sequence[str], dice: Random) -> Iterator[Crowd]:
    """Have some tablets write at a time; each goes on to another table when its game is over."""
    crowd, left = Crowd(), iter(enumerate(credentials, start=1))
    lock = threading.Lock()

    def take_tables(seed: int) -> None:
        while not crowd.over.is_set():
            with lock:
                table, credential = next(left, (0, ""))
            if not table:
                return
            tablet = Tablet(ports, slug, table, credential, Random(seed + table))
            tablet.over = crowd.over
            tablet.run()
            with lock:
                crowd.acknowledged += tablet.acknowledged
                crowd.tries += tablet.tries
                crowd.wrong += [tablet.wrong] if tablet.wrong else []

    threads = [threading.Thread(target=take_tables, args=(dice.randrange(10**6),)) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    try:
        yield crowd
    finally:
        crowd.over.set()
        for thread in threads:
            thread.join()


def _compare_receipts(of: Any, acknowledged: Sequence[str]) -> list[str]:
    """Compare what tablets were told with what the record holds: every hand once, none between."""
    from django.db.models import Count

    from tournaments.models import Hand, HistoryEntry, Receipt

    stored = set(Receipt.objects.filter(tournament=of).values_list("key", flat=True))
    wrong = [f"{key} was acknowledged and is not there" for key in acknowledged if key not in stored]
    hands = Hand.objects.filter(protocol__table__session__tournament=of).count()
    entries = HistoryEntry.objects.filter(tournament=of, kind="hand_recorded").count()
    if not hands == entries == len(stored):
        wrong.append(f"{len(stored)} receipts, {hands} hands, {entries} entries")
    twice = Hand.objects.values("protocol", "number").annotate(times=Count("id")).filter(times__gt=1)
    return wrong + [f"hand twice: {row}" for row in twice]


def _caught_up(of: Any) -> list[str]:
    """Wait until worker and sweep have brought the standings up to the record by themselves."""
    from tournaments.models import StandingsRevision

    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        row = StandingsRevision.objects.get(pk=of.pk)
        if row.done >= row.wanted:
            return []
        time.sleep(0.2)  # asked again until the end of its patience
    return ["the standings did not catch up"]


def main() -> None:
    """Run what was asked for, each in a process of its own."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", nargs="*", choices=[*WORKS, []], default=[])
    options.add_argument("--kills", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", nargs="+", metavar="NAME", default=[], help="operations of bench/life.py")
    chosen = options.parse_args()
    if chosen.only and not set(chosen.what) <= set(OF_OPERATIONS):
        options.error("--only goes with sqlite and postgresql.")
    if len(chosen.what) == 1:
        sys.exit(1 if WORKS[chosen.what[0]](chosen) else 0)
    print(world.machine(), flush=True)
    names, failed = chosen.what or list(OF_OPERATIONS if chosen.only else WORKS), 0
    for name in names:
        given = [f"--kills={chosen.kills // len(names)}", f"--seed={chosen.seed}"]
        given += ["--only", *chosen.only] if chosen.only else []
        failed += subprocess.run([sys.executable, __file__, name, *given], check=False).returncode
    sys.exit(1 if failed else 0)


OF_OPERATIONS = {"sqlite": sqlite, "postgresql": postgresql}
WORKS = {**OF_OPERATIONS, "laptop": laptop, "shape": shape}

if __name__ == "__main__":
    main()
