"""The production shape from local processes: PostgreSQL, Redis, two web processes, live, worker, beat, and Caddy in front.

It says what docker-compose.yml says, with processes for containers and scratch servers for volumes.
"""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from config.smoke import services

HERE = Path(__file__).resolve().parent.parent.parent
CELERY = ["-m", "celery", "--app=config.celery"]
WORKER = [*CELERY, "worker", "--concurrency=2", "--loglevel=info", "--without-mingle", "--without-gossip"]


class Topology:
    """All processes by name; each can be killed and started again."""

    def __init__(self, folder: Path, database_url: str) -> None:
        """Choose ports and say what every process is told."""
        self.folder = folder
        names = ("web-1", "web-2", "live", "front", "front-http", "redis")
        self.ports = {name: services.free_port() for name in names}
        self.redis = ExitStack()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.url = f"https://localhost:{self.ports['front']}"
        self.environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if name in {"PATH", "HOME", "LANG", "TMPDIR"}
            },
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "SECRET_KEY": secrets.token_urlsafe(50),
            "ALLOWED_HOSTS": "localhost",
            "CSRF_TRUSTED_ORIGINS": self.url,
            "DATABASE_URL": f"{database_url}?pool=10",
            "REDIS_URL": f"redis://127.0.0.1:{self.ports['redis']}/0",
            "BEHIND_PROXY": "1",
            "FORWARDED_ALLOW_IPS": "127.0.0.1",
            "FOUR_WINDS_VAR": str(folder),
            "STATIC_ROOT": str(folder / "static"),
        }

    def manage(self, *arguments: str) -> None:
        """Run a command of manage.py to its end."""
        subprocess.run([sys.executable, "manage.py", *arguments], cwd=HERE, env=self.environment, check=True)

    def start(self, name: str) -> None:
        """Start one process, with its log in the folder."""
        command, extra = self.recipe(name)
        with (self.folder / f"{name}.log").open("ab") as log:
            self.processes[name] = subprocess.Popen(
                command,
                cwd=HERE,
                env={**self.environment, **extra},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_redis(self) -> None:
        """Start an empty Redis, at the same address each time."""
        self.redis.enter_context(services.redis(self.ports["redis"]))

    def stop_redis(self) -> None:
        """End Redis; whatever it had is gone."""
        self.redis.close()

    def recipe(self, name: str) -> tuple[list[str], dict[str, str]]:
        """Say how a process is started and what it is told beside the common part."""
        python = sys.executable
        if name == "worker":
            return [python, *WORKER, f"--pidfile={self.folder}/worker.pid"], {}
        if name == "beat":
            files = [f"--schedule={self.folder}/beat", f"--pidfile={self.folder}/beat.pid"]
            return [python, *CELERY, "beat", "--loglevel=info", *files], {}
        if name == "front":
            return [
                "caddy",
                "run",
                "--config",
                str(HERE / "deploy/Caddyfile"),
                "--adapter",
                "caddyfile",
            ], self.front()
        role = "live" if name == "live" else "web"
        return [python, "-m", "config.server"], {"PORT": str(self.ports[name]), "FOUR_WINDS_ROLE": role}

    def front(self) -> dict[str, str]:
        """Tell the front server where everything is; localhost gets a certificate of Caddy's own authority."""
        return {
            "SITE_ADDRESS": self.url,
            "HTTP_PORT": str(self.ports["front-http"]),
            "HTTPS_PORT": str(self.ports["front"]),
            "WEB_UPSTREAMS": " ".join(f"localhost:{self.ports[name]}" for name in ("web-1", "web-2")),
            "LIVE_UPSTREAMS": f"localhost:{self.ports['live']}",
            "XDG_DATA_HOME": str(self.folder / "caddy"),
            "XDG_CONFIG_HOME": str(self.folder / "caddy"),
        }

    def wait(self, name: str, seconds: float = 30) -> None:
        """Wait until a server says that it is ready."""
        services.wait_until(lambda: self.is_ready(name), self.processes[name], seconds)

    def wait_alive(self, name: str, seconds: float = 30) -> None:
        """Wait until a server answers, although something that it needs may be away."""
        services.wait_until(lambda: self.is_ready(name, "healthz"), self.processes[name], seconds)

    def is_ready(self, name: str, page: str = "readyz") -> bool:
        """Ask a server; the front server is asked for the site behind it."""
        address = f"http://127.0.0.1:{self.ports[name]}/{page}"
        if name == "front":
            return services.answers(self.ports[name])
        try:
            with urllib.request.urlopen(
                urllib.request.Request(address, headers={"Host": "localhost"})
            ) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def kill(self, name: str) -> None:
        """End a process and its children as a power cut would."""
        process = self.processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """End everything, the front first."""
        for name in ("front", "beat", "worker", "live", "web-1", "web-2"):
            if process := self.processes.pop(name, None):
                services.end(process)
        self.stop_redis()

    def logs(self) -> str:
        """Give the end of every log, for a failure."""
        parts = [
            f"--- {path.name}\n{path.read_text(errors='replace')[-3000:]}"
            for path in self.folder.glob("*.log")
        ]
        return "\n".join(parts)


@contextmanager
def running(folder: Path) -> Iterator[Topology]:
    """Bring everything up in order and down again."""
    with ExitStack() as stack:
        topology = Topology(folder, stack.enter_context(services.postgresql()))
        stack.callback(topology.stop)
        topology.start_redis()
        topology.manage("messages", "compile", "--verbosity=0")
        topology.manage("collectstatic", "--no-input", "--verbosity=0")
        topology.manage("migrate", "--no-input", "--verbosity=0")
        names = ["web-1", "web-2", "live", "worker", "beat"]
        for name in names:
            topology.start(name)
        for name in ("web-1", "web-2", "live"):
            topology.wait(name)
        if shutil.which("caddy") is None:
            raise services.Unavailable("the front server Caddy was not found")
        topology.start("front")
        topology.wait("front")
        services.wait_until((folder / "worker.pid").exists, topology.processes["worker"])
        yield topology
