"""Carry out the Dockerfile's own steps in a clean root, without a container engine: `python -m config.tools.smoke.image`.

The base image is Debian's own Python in a root made by debootstrap, so Debian's mirrors must be within reach; the packages come
from wherever pip is set up to fetch them. What cannot be shown on a machine is said, and is a failure with REQUIRE_IMAGE=1.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from config.tools.smoke import dockerfile, services
from config.tools.smoke.topology import HERE

MIRROR = "http://deb.debian.org/debian"
PYTHON = "python3 python3-venv python-is-python3 ca-certificates"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
FROM_THE_HOST = ("/etc/pip.conf", "/etc/ssl/certs/ca-certificates.crt")
LEFT_OUT = ("tests", "bench", "secrets", ".git", ".env", "smoke")


class Impossible(Exception):
    """This machine cannot do it; the sentence says why."""


def check_machine() -> None:
    """Refuse where a root cannot be made or entered."""
    if os.geteuid() != 0:
        raise Impossible("only root may make a root and enter it")
    for program in ("debootstrap", "chroot", "unshare"):
        if shutil.which(program) is None:
            raise Impossible(f"the program {program} is missing")
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        raise Impossible("no mount namespaces are to be had")


class Root:
    """A folder that is the root of a container while its steps are carried out."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        """Know the folder and what every step is told."""
        self.folder = folder
        self.environment = dict(environment)
        self.directory = "/"

    def inside(self, words: list[str], *, user: str = "") -> list[str]:
        """Return the words that run a command in the root, in a mount namespace of its own."""
        root = shlex.quote(str(self.folder))
        script = (
            f"mount -t proc proc {root}/proc && mount --rbind /dev {root}/dev && mount -t tmpfs -o mode=1777 tmpfs {root}/tmp"
            f' && exec chroot {f"--userspec={user}" if user else ""} {root} sh -c \'cd "$0" && exec "$@"\' "$@"'
        )
        return [
            "unshare",
            "--mount",
            "--propagation",
            "private",
            "sh",
            "-c",
            script,
            "sh",
            self.directory,
            *words,
        ]

    def run(self, text: str) -> None:
        """Carry out a RUN."""
        done = subprocess.run(
            self.inside(["/bin/sh", "-c", text]),
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"The step failed: RUN {text}\n{(done.stdout + done.stderr)[-3000:]}")


def base(folder: Path, name: str) -> None:
    """Make what stands for the base image: Debian of the same name, with its own Python."""
    release = name.rpartition("-")[2]
    words = [
        "debootstrap",
        "--variant=minbase",
        release,
        str(folder),
        os.environ.get("DEBIAN_MIRROR", MIRROR),
    ]
    made = subprocess.run(words, capture_output=True, text=True, check=False)
    if made.returncode:
        raise Impossible(f"debootstrap failed: {made.stdout.strip()[-300:]}")
    shutil.copy("/etc/resolv.conf", folder / "etc")
    root = Root(folder, {"PATH": PATH, "DEBIAN_FRONTEND": "noninteractive"})
    root.run(f"apt-get update -q && apt-get install -y -q --no-install-recommends {PYTHON}")
    for path in map(Path, FROM_THE_HOST):
        if path.exists():
            (folder / path.relative_to("/")).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / path.relative_to("/"))


def copy(text: str, root: Root, others: Mapping[str, Root]) -> None:
    """Carry out a COPY: from the context, without what .dockerignore leaves out, or from an earlier stage."""
    words = shlex.split(text)
    source = others[words.pop(0).removeprefix("--from=")].folder if words[0].startswith("--from=") else None
    target = root.folder / (Path(root.directory) / words.pop()).relative_to("/")
    target.mkdir(parents=True, exist_ok=True)
    for word in words:
        if source is not None:
            subprocess.run(["cp", "-a", f"{source}{word}/.", str(target)], check=True)
            continue
        for path in dockerfile.context(HERE):
            if word == "." or str(path) == word:
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(HERE / path, target / path)


def carry_out(stage: dockerfile.Stage, root: Root, others: Mapping[str, Root]) -> None:
    """Carry out the steps of a stage; USER, CMD and the like only say how the image is started."""
    for step in stage.instructions:
        if step.word == "RUN":
            started = time.monotonic()
            root.run(step.text)
            print(f"  RUN {step.text[:90]} … {time.monotonic() - started:.0f} s", flush=True)
        elif step.word == "COPY":
            copy(step.text, root, others)
        elif step.word == "WORKDIR":
            root.directory = step.text
            (root.folder / step.text.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif step.word == "ENV":
            part = dockerfile.Stage("", "", [step])
            root.environment = dockerfile.environment_of(part, root.environment)
        elif step.word == "ARG":
            name, _, value = step.text.partition("=")
            root.environment.setdefault(name, value.strip('"'))


def build(folder: Path) -> Root:
    """Build every stage; return the root of the last one."""
    text = (HERE / "Dockerfile").read_text()
    made: dict[str, Root] = {}
    bases: dict[str, Path] = {}
    for number, stage in enumerate(dockerfile.stages(text)):
        if stage.base not in bases:
            bases[stage.base] = folder / f"base-{len(bases)}"
            base(bases[stage.base], stage.base)
            print(f"  FROM {stage.base}: Debian with its own Python", flush=True)
        name = stage.name or str(number)
        made[name] = Root(folder / f"stage-{number}", {"PATH": PATH})
        subprocess.run(["cp", "-a", str(bases[stage.base]), str(made[name].folder)], check=True)
        carry_out(stage, made[name], made)
    return made[name]


@contextmanager
def server(root: Root, image: dockerfile.Image, user: str) -> Iterator[dict[str, str]]:
    """Run what the image starts, as its user, on a SQLite file; only /tmp and the data can be written."""
    data = root.folder / "srv"
    data.mkdir(exist_ok=True)
    os.chown(data, *map(int, user.split(":")))
    port = str(services.free_port())
    told = {
        "SECRET_KEY": "x" * 30 + "abcdefghijklmnopqrstuvwxyz",
        "ALLOWED_HOSTS": "localhost",
        "FOUR_WINDS_VAR": "/srv",
    }
    environment = {**root.environment, **told, "PORT": port}
    subprocess.run(
        root.inside(["python", "manage.py", "migrate", "--verbosity=0"], user=user),
        env=environment,
        check=True,
    )
    process = subprocess.Popen(root.inside(list(image.command), user=user), env=environment)
    try:
        yield environment
    finally:
        services.end(process)


def prove(root: Root) -> None:
    """Start the image and ask it what an engine would ask; look at what lies in it."""
    image = dockerfile.image((HERE / "Dockerfile").read_text(), PATH)
    with server(root, image, image.user) as environment:
        end = time.monotonic() + 60
        while subprocess.run(
            root.inside(list(image.health.test), user=image.user), env=environment, check=False
        ).returncode:
            if time.monotonic() > end:
                raise SystemExit("The image's health check did not come right within 60 s.")
            time.sleep(0.5)  # a server that starts tells nobody
        print("  CMD runs, HEALTHCHECK is content, as user", image.user, flush=True)
    for words in (["pg_dump", "--version"], ["touch", "/site/x"]):
        done = subprocess.run(
            root.inside(words, user=image.user), env=environment, capture_output=True, text=True, check=False
        )
        if (done.returncode == 0) != (words[0] == "pg_dump"):
            raise SystemExit(
                f"In the image {' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}"
            )
    found = [str(path) for path in (root.folder / "site").rglob("*") if path.name in LEFT_OUT]
    if found:
        raise SystemExit(f"The image holds what it should not: {', '.join(found[:5])}")
    print("  pg_dump is there, /site cannot be written, tests and secrets are not in it", flush=True)


def main() -> None:
    """Build, prove, throw away."""
    started = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="four-winds-image-", dir="/var/tmp"))
    try:
        check_machine()
        folder.chmod(0o755)
        prove(build(folder))
    except Impossible as reason:
        print(f"Not run: the Dockerfile's steps, because {reason}.")
        sys.exit(1 if os.environ.get("REQUIRE_IMAGE") == "1" else 0)
    finally:
        with suppress(OSError):
            shutil.rmtree(folder)
    print(f"The image can be built and runs; {time.monotonic() - started:.0f} s.")


if __name__ == "__main__":
    main()
