"""The site as docker-compose.yml describes it, from local processes: the file is read, nothing of it is written here again."""

import os
import shutil
import signal
import subprocess
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from config.tools.smoke import compose, containers, dockerfile, services

HERE = Path(__file__).resolve().parents[3]
SITE_HOST = "localhost"
LONGEST_START = 90.0


class Topology:
    """All services by name; each can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        """Lay out the project as an operator would, and read it."""
        self.host = containers.Host(folder)
        self.folder = folder
        prepare(self.host)
        image = dockerfile.image((HERE / "Dockerfile").read_text(), os.environ["PATH"])
        self.services = compose.read(self.host.project, image)
        self.url = f"https://{SITE_HOST}:{self.host.port('front', 443)}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        build(self)

    # The environment

    @property
    def environment(self) -> dict[str, str]:
        """Return what a web process gets, for looking at the same database from outside."""
        secrets = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
        return {**self.environment_of("web"), **secrets, "FOUR_WINDS_VAR": str(self.folder / "outside")}

    def environment_of(self, name: str) -> dict[str, str]:
        """Return the environment of a service."""
        return containers.environment(self.host, self.services[name], site=self.url)

    # What is done

    def start(self, name: str) -> None:
        """Start one service, with its log in the folder."""
        service = self.services[name]
        empty_scratch(self.host, service)
        self.processes[name] = self._popen(service, containers.command(self.host, service))

    def _popen(self, service: compose.Service, words: Sequence[str]) -> "subprocess.Popen[bytes]":
        with (self.folder / f"{service.name}.log").open("ab") as log:
            return subprocess.Popen(
                containers.enclosed(self.host, service, words),
                cwd=self.host.site if service.is_ours else "/",
                env=self.environment_of(service.name),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def run(self, name: str, *arguments: str) -> None:
        """Run a service that ends by itself to its end; arguments stand for those of the file."""
        service = self.services[name]
        empty_scratch(self.host, service)
        words = containers.command(self.host, service)
        if arguments:
            own = [self.host.local(service, word) for word in arguments]
            words = [*words[: words.index("manage.py") + 1], *own]
        done = self._popen(service, words)
        if done.wait(300):
            raise SystemExit(f"Smoke: {name} {' '.join(arguments)} failed.\n{self.log(name)}")

    def manage(self, *arguments: str) -> None:
        """Run a command of manage.py as `docker compose run --rm tools …` does."""
        self.run("tools", *arguments)

    def kill(self, name: str) -> None:
        """End a service and its children as a power cut would."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def kill_one_child(self, name: str) -> None:
        """End one of the processes of a service; the service itself must replace it."""
        asked = subprocess.run(
            ["ps", "--no-headers", "-o", "pid,args", "--ppid", str(self.processes[name].pid)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        children = [line.split()[0] for line in asked.stdout.splitlines() if "spawn_main" in line]
        if len(children) < 2:
            raise SystemExit(
                f"Smoke: {name} has {len(children)} processes that serve, instead of two or more"
            )
        os.kill(int(children[0]), signal.SIGKILL)

    def stop(self) -> None:
        """End everything, in the opposite order."""
        for service in reversed(list(compose.in_order(self.services))):
            if process := self.processes.pop(service.name, None):
                services.end(
                    process, signal.SIGINT if service.image.startswith("postgres:") else signal.SIGTERM
                )

    # What is asked

    def wait(self, name: str, seconds: float = LONGEST_START) -> None:
        """Wait until a service says that it is well."""
        self._wait_until(self.is_well, name, seconds)

    def wait_alive(self, name: str, seconds: float = LONGEST_START) -> None:
        """Wait until a server answers, although something that it needs may be away."""
        self._wait_until(self.answers, name, seconds)

    def _wait_until(self, question: Callable[[str], bool], name: str, seconds: float) -> None:
        try:
            services.wait_until(lambda: question(name), self.processes[name], seconds)
        except services.Unavailable as reason:
            raise SystemExit(f"Smoke: {name} did not come up.\n{self.log(name)}") from reason

    def is_well(self, name: str) -> bool:
        """Ask the service as the engine asks it."""
        service, process = self.services[name], self.processes[name]
        folder = self.host.site if service.is_ours else Path("/")
        words = containers.inside(process, service, folder, containers.health_command(self.host, service))
        asked = subprocess.run(
            words, cwd=folder, env=self.environment_of(name), capture_output=True, check=False
        )
        return asked.returncode == 0

    def answers(self, name: str) -> bool:
        """Ask a server of ours whether it lives."""
        port = self.host.port(name, int(self.services[name].environment["PORT"]))
        address = urllib.request.Request(f"http://127.0.0.1:{port}/healthz", headers={"Host": SITE_HOST})
        try:
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def memory(self) -> dict[str, tuple[int, int]]:
        """Return how much memory each service has taken, and how much it may."""
        return {
            name: (containers.memory_of(process), self.services[name].memory)
            for name, process in self.processes.items()
        }

    def log(self, name: str) -> str:
        """Return the end of a service's log."""
        path = self.folder / f"{name}.log"
        return path.read_text(errors="replace")[-3000:] if path.exists() else ""

    def logs(self) -> str:
        """Return the end of every log, for a failure."""
        return "\n".join(f"--- {path.stem}\n{self.log(path.stem)}" for path in self.folder.glob("*.log"))


def prepare(host: containers.Host) -> None:
    """Do what README tells an operator to do: copy, fill in .env, make the secrets."""
    shutil.copytree(HERE / "deploy", host.project / "deploy")
    shutil.copy(HERE / "docker-compose.yml", host.project)
    example = (HERE / "deploy/env.example").read_text()
    (host.project / ".env").write_text(example.replace("tournaments.example.org", SITE_HOST))
    subprocess.run(["sh", "deploy/prepare.sh"], cwd=host.project, check=True, capture_output=True)
    if os.geteuid() == 0:
        host.project.joinpath("secrets").chmod(
            0o711
        )  # an engine hands the files over; here the way leads through the folder


def build(topology: Topology) -> None:
    """Make the image's source tree as the Dockerfile does, then take everybody's right to write it."""
    host = topology.host
    for path in dockerfile.context(HERE):
        (host.site / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HERE / path, host.site / path)
    steps = [
        step
        for step in dockerfile.stages((HERE / "Dockerfile").read_text())[0].texts("RUN")
        if "manage.py" in step
    ]
    environment = {"PATH": os.environ["PATH"], "HOME": "/", "PYTHONDONTWRITEBYTECODE": "1"}
    for step in steps:
        local = host.local(
            topology.services["migrate"], step.replace("/tmp/build", str(host.folder / "build"))
        )
        subprocess.run(["sh", "-c", local], cwd=host.site, env=environment, check=True, capture_output=True)
    for made in (host.site, *host.site.rglob("*")):
        made.chmod(made.stat().st_mode & ~0o222)
    give_volumes(topology)


def give_volumes(topology: Topology) -> None:
    """Make the named volumes, each its service's own."""
    for service in topology.services.values():
        owner = containers.owner_of(service)
        for source in service.volumes.values():
            if not source.startswith(("./", "/")):
                folder = topology.host.volume(source)
                folder.mkdir(parents=True, exist_ok=True)
                if owner:
                    os.chown(folder, *owner)


def empty_scratch(host: containers.Host, service: compose.Service) -> None:
    """Empty the folders that stand for what is empty at each start of a container."""
    if containers.has_namespaces():
        return
    for path in service.tmpfs:
        shutil.rmtree(host.scratch(service, path), ignore_errors=True)
        host.scratch(service, path).mkdir(parents=True)


def create_database(topology: Topology) -> None:
    """Make the database as the image of PostgreSQL does at its first start: the user, the password, the options."""
    service = topology.services["postgres"]
    environment, host = topology.environment_of("postgres"), topology.host
    data = host.volume(service.volumes["/var/lib/postgresql/data"])
    words = [
        str(containers.programs() / "initdb"), "-D", str(data), f"--username={environment['POSTGRES_USER']}",
        f"--pwfile={environment['POSTGRES_PASSWORD_FILE']}", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync",
        *environment["POSTGRES_INITDB_ARGS"].split(),
    ]  # fmt: skip
    made = subprocess.run(
        containers.enclosed(host, service, words), cwd="/", env=environment, capture_output=True, check=False
    )
    if made.returncode:
        raise services.Unavailable(f"initdb failed: {made.stderr.decode(errors='replace')[-500:]}")


def fill_database(topology: Topology) -> None:
    """Create the database of the compose file in the server that has just started."""
    service = topology.services["postgres"]
    environment = topology.environment_of("postgres")
    environment["PGPASSWORD"] = Path(environment["POSTGRES_PASSWORD_FILE"]).read_text()
    words = [
        str(containers.programs() / "createdb"),
        f"--username={environment['POSTGRES_USER']}",
        environment["POSTGRES_DB"],
    ]
    subprocess.run(containers.enclosed(topology.host, service, words), cwd="/", env=environment, check=True)


@contextmanager
def running(folder: Path) -> Iterator[Topology]:
    """Bring everything up in the order of the compose file, and down again."""
    if shutil.which("caddy") is None:
        raise services.Unavailable("the front server Caddy was not found")
    if services.redis_program() != shutil.which("redis-server"):
        raise services.Unavailable("no redis-server was found")
    folder.chmod(0o755)
    topology = Topology(folder)
    create_database(topology)
    try:
        for service in compose.in_order(topology.services):
            if service.ends_by_itself:
                topology.run(service.name)
                continue
            topology.start(service.name)
            if service.health:
                topology.wait(service.name)
            if service.name == "postgres":
                fill_database(topology)
        yield topology
    except BaseException:
        print(topology.logs())
        raise
    finally:
        topology.stop()
