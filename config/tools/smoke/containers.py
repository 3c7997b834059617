"""A service of the compose file as a local process: its user, its rights, its file system, its place on the network.

Where the machine allows it (root and mount namespaces) the root is read-only and what the file calls tmpfs is one, empty at
each start. Elsewhere the same folders are ordinary ones, and the user is whoever runs this; `limits()` says what is missing.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from config.tools.smoke import services
from config.tools.smoke.compose import Service

PUBLISHED = {"front": {"HTTP_PORT": 80, "HTTPS_PORT": 443}}
PORTS = {"postgres": 5432, "redis": 6379}
MOUNTS = """set -e
mount --make-rprivate /
{opened}
{writable}
{read_only}
{scratch}
exec "$@"
"""
# The kernel refuses while anybody in this namespace is still closing a file.
READ_ONLY = (
    "n=0; until mount -o remount,bind,ro / 2>/dev/null; do n=$((n + 1)); [ $n -lt 100 ]; sleep 0.1; done"
)


@cache
def has_namespaces() -> bool:
    """Whether mounts can be made for one process alone, without being asked for a password."""
    if os.geteuid() != 0 or shutil.which("unshare") is None or shutil.which("setpriv") is None:
        return False
    script = MOUNTS.format(opened="", writable="", read_only=READ_ONLY, scratch="mount -t tmpfs tmpfs /tmp")
    asked = ["unshare", "--mount", "sh", "-c", script, "sh", "true"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0


def limits() -> list[str]:
    """Return which parts of the compose file this machine cannot carry out."""
    missing = [] if os.geteuid() == 0 else ["users are not changed: only root may do that"]
    if not has_namespaces():
        missing.append("roots are not read-only: no mount namespaces are to be had")
    return missing


class Host:
    """Where on this machine everything lies that a container would have at a path and a port of its own."""

    def __init__(self, folder: Path) -> None:
        """Choose a folder for files; ports are chosen as they are asked for."""
        self.folder = folder
        self.site = folder / "site"
        self.project = folder / "project"
        self.ports: dict[tuple[str, int], int] = {}

    def port(self, service: str, inside: int) -> int:
        """Return the port of this machine that stands for a container's own."""
        return self.ports.setdefault((service, inside), 0) or self._chosen(service, inside)

    def _chosen(self, service: str, inside: int) -> int:
        self.ports[service, inside] = services.free_port()
        return self.ports[service, inside]

    def volume(self, source: str) -> Path:
        """Return the folder of a volume: beside the compose file, anywhere, or a named one."""
        if source.startswith("./"):
            return self.project / source
        return Path(source) if source.startswith("/") else self.folder / "volumes" / source

    def paths(self, service: Service) -> dict[str, Path]:
        """Return the paths of this machine that stand for those of a container."""
        known = {"/venv": Path(sys.prefix), "/site": self.site, "/run/secrets": self.project / "secrets"}
        known |= {inside: self.volume(source) for inside, source in service.volumes.items()}
        if not has_namespaces():
            known |= {path: self.scratch(service, path) for path in service.tmpfs}
        return known

    def scratch(self, service: Service, path: str) -> Path:
        """Return the ordinary folder that stands for a tmpfs."""
        return self.folder / "scratch" / service.name / path.strip("/").replace("/", "-")

    def local(self, service: Service, text: str) -> str:
        """Write a text of the compose file with the paths and addresses of this machine."""
        known = self.paths(service)
        inside = sorted(map(re.escape, known), key=len, reverse=True)
        text = re.sub(rf"(?<![\w./-])({'|'.join(inside)})(?=/|:|$)", lambda match: str(known[match[1]]), text)
        text = re.sub(r"\b127\.0\.0\.1:(\d+)\b", rf"{service.name}:\1", text)
        names = "|".join(self.names)
        return re.sub(
            rf"(?<![\w.-])({names}):(\d+)\b", lambda match: self.address(match[1], int(match[2])), text
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Name the services that others reach by their name."""
        return ("web", "live", "front", *PORTS)

    def address(self, service: str, inside: int) -> str:
        """Return the address of a service's port."""
        return f"127.0.0.1:{self.port(service, inside)}"


def environment(host: Host, service: Service, *, site: str) -> dict[str, str]:
    """Return what a process of the service is told; `site` is the address under which browsers find the front."""
    known = {name: host.local(service, value) for name, value in service.environment.items()}
    if service.is_ours:
        known["PORT"] = str(host.port(service.name, int(service.environment["PORT"])))
        known["CSRF_TRUSTED_ORIGINS"] = site
        return known | {"HOME": "/nonexistent"}
    known |= {
        name: str(host.port(service.name, inside)) for name, inside in PUBLISHED.get(service.name, {}).items()
    }
    if "SITE_ADDRESS" in known:
        data = str(host.volume(service.volumes["/data"]))
        known |= {"XDG_DATA_HOME": data, "XDG_CONFIG_HOME": "/tmp"}
    if "POSTGRES_USER" in known:
        known |= {"PGHOST": "127.0.0.1", "PGPORT": str(host.port(service.name, PORTS["postgres"]))}
    return known | {"PATH": os.environ["PATH"], "HOME": "/tmp"}


def command(host: Host, service: Service) -> list[str]:
    """Return what the service runs; images that are not ours keep their programs in other places than this machine."""
    words = [host.local(service, word) for word in service.command]
    kind = service.image.partition(":")[0]
    if kind == "redis":
        return [*words, "--port", str(host.port("redis", PORTS["redis"])), "--bind", "127.0.0.1"]
    if kind == "caddy":
        return ["caddy", "run", "--config", str(host.volume("./deploy/Caddyfile")), "--adapter", "caddyfile"]
    if kind == "postgres":
        data = str(host.volume(service.volumes["/var/lib/postgresql/data"]))
        place = [
            "-D",
            data,
            "-k",
            "/tmp",
            "-h",
            "127.0.0.1",
            "-p",
            str(host.port("postgres", PORTS["postgres"])),
        ]
        return [str(programs() / "postgres"), *place, "-c", "fsync=off", "-c", "max_connections=200"]
    return words


def health_command(host: Host, service: Service) -> list[str]:
    """Return how the service is asked whether it is well."""
    words = [host.local(service, word) for word in service.health.test] if service.health else ["true"]
    if words[0] == "redis-cli":
        return [words[0], "-p", str(host.port("redis", PORTS["redis"])), *words[1:]]
    return words


def programs() -> Path:
    """Return the folder of PostgreSQL's programs."""
    found = services.postgresql_programs()
    if found is None:
        raise services.Unavailable("no PostgreSQL server programs were found")
    return found


def user_of(service: Service) -> str:
    """Return the user that a process gets: the file's own, but PostgreSQL's must be known to this machine by name."""
    return services.servant() or "" if service.image.startswith("postgres:") else service.user


def enclosed(host: Host, service: Service, words: Sequence[str]) -> list[str]:
    """Put a command behind the walls that the compose file asks for."""
    if os.geteuid() != 0 or not has_namespaces():
        return list(words)
    return [*_mounted(host, service), *_confined(service), *words]


def _mounted(host: Host, service: Service) -> list[str]:
    """Return the words that give the process a file system of its own."""
    folders = {host.volume(source) for source in service.volumes.values()}
    writable = [
        f"mount --bind {each} {each}" for each in map(shlex.quote, map(str, folders)) if Path(each).is_dir()
    ]
    scratch = [
        f"mount -t tmpfs {f'-o {options}' if options else ''} tmpfs {path}"
        for path, options in service.tmpfs.items()
        if Path(path).is_dir()
    ]
    script = MOUNTS.format(
        opened=_opened(host),
        writable="\n".join(writable),
        read_only=READ_ONLY if service.is_read_only else "",
        scratch="\n".join(scratch),
    )
    return ["unshare", "--mount", "sh", "-c", script, "sh"]


def _opened(host: Host) -> str:
    """Return the mounts that let any user run a Python which lies in somebody's closed home."""
    base = Path(sys.base_prefix)
    closed = [each for each in reversed(base.parents) if not each.stat().st_mode & 0o001]
    if not closed:
        return ""
    held, home, there = map(shlex.quote, map(str, (host.folder / "held", closed[0], base)))
    return "\n".join(
        [
            f"mkdir -p {held}",
            f"mount --bind {there} {held}",
            f"mount -t tmpfs -o mode=755 tmpfs {home}",
            f"mkdir -p {there}",
            f"mount --bind {held} {there}",
        ]
    )


def _confined(service: Service) -> list[str]:
    """Return the words that take the process's rights and make it another user's."""
    words = ["setpriv", "--no-new-privs"]
    if not service.has_all_capabilities:
        kept = ",".join(["-all", *(f"+{name.lower()}" for name in service.capabilities)])
        words += [f"--inh-caps={kept}", f"--bounding-set={kept}"]
    user, _, group = user_of(service).partition(":")
    if user:
        words += [f"--reuid={user}", f"--regid={group or _group_of(user)}", "--clear-groups"]
    return words


def _group_of(user: str) -> str:
    asked = subprocess.run(["id", "-g", user], capture_output=True, text=True, check=False)
    return asked.stdout.strip() or user


def inside(
    process: "subprocess.Popen[bytes]", service: Service, folder: Path, words: Sequence[str]
) -> list[str]:
    """Return the words that run a command beside a process that runs already, as an engine's `exec` does."""
    if os.geteuid() != 0 or not has_namespaces():
        return list(words)
    return ["nsenter", f"--target={process.pid}", "--mount", f"--wd={folder}", *_confined(service), *words]


def owner_of(service: Service) -> tuple[int, int] | None:
    """Return who must own the service's volumes; None where users are not changed."""
    user = user_of(service)
    if os.geteuid() != 0 or not user:
        return None
    if user.partition(":")[0].isdigit():
        number, _, group = user.partition(":")
        return int(number), int(group or number)
    import pwd

    known = pwd.getpwnam(user)
    return known.pw_uid, known.pw_gid


def memory_of(process: "subprocess.Popen[bytes]") -> int:
    """Count the bytes of memory that a process and all that descend from it have to themselves."""
    parents = {int(path.name): _parent(path) for path in Path("/proc").iterdir() if path.name.isdigit()}
    family, grown = {process.pid}, True
    while grown:
        found = {number for number, parent in parents.items() if parent in family} - family
        family, grown = family | found, bool(found)
    return sum(map(_own_bytes, family))


def _parent(path: Path) -> int:
    try:
        return int((path / "stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def _own_bytes(number: int) -> int:
    try:
        facts: Mapping[str, str] = dict(
            line.split(":", 1) for line in Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()[1:]
        )
    except OSError:
        return 0
    return int(facts["Pss"].split()[0]) * 1024
