#!/usr/bin/env python3
"""Serve Four Winds on this machine, or pass its tests. Needs Python 3.11 or newer and nothing else.

    python3 run.py                     serve the demo on http://localhost:8000
    python3 run.py --no-demo           serve without the demo's events
    python3 run.py --remove-demo       delete the demo's events and accounts, and end
    python3 run.py --port 8080 --lan   serve on another port, and to the tablets of this network
    python3 run.py test                pass the tests, here and on PostgreSQL and Redis if they are there
    python3 run.py test -k draw        pass some of them; everything after `test` goes to pytest
    python3 run.py prepare             only make the environment of the tests

On Windows write `py run.py`. The first start makes an environment in .venv and needs the network for it; later starts
need no network.
"""

import argparse
import contextlib
import hashlib
import http.client
import importlib.util
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import TextIO

LEAST = (3, 11)
NEWEST = (3, 14)
HERE = os.path.dirname(os.path.abspath(__file__))
VENV = os.path.abspath(os.environ.get("FOUR_WINDS_VENV") or os.path.join(HERE, ".venv"))
VAR = os.path.abspath(os.environ.get("FOUR_WINDS_VAR") or os.path.join(HERE, "var"))
START = "py run.py" if os.name == "nt" else "python3 run.py"
# What a virtual environment consists of; a folder with anything else in it is not cleared.
PARTS = re.compile(
    r"bin|lib|lib64|include|share|etc|Scripts|Lib|Include|pyvenv\.cfg|\.gitignore|four-winds-\w+",
    re.IGNORECASE,
)
USED = "four-winds-used"
NO_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|Max retries exceeded|ConnectTimeout|ReadTimeout|ProxyError"
    r"|Connection (?:refused|aborted|reset)|Network is unreachable|SSLError"
)
NO_PACKAGE = re.compile(r"No matching distribution found for (\S+)")
NO_SPACE = re.compile(r"No space left on device|Errno 28\b|not enough space on the disk|Disk quota exceeded")


def stop(*sentences: str) -> SystemExit:
    """End with what is wrong and what to do about it; never returns, `raise` only tells readers so."""
    sys.exit("\n".join(("", *sentences, "")))


def refuse_old_python() -> None:
    """Name a Python that is new enough, if this one is not and another can be found."""
    if sys.version_info[:2] >= LEAST:
        return
    here = ".".join(map(str, sys.version_info[:3]))
    names = [f"python3.{minor}" for minor in range(19, LEAST[1] - 1, -1)]
    found = [
        name for name in names if shutil.which(name) and subprocess.call([name, "-c", ""], stderr=-3) == 0
    ]
    advice = "Install a newer Python from python.org or with your system's package manager."
    if found:
        advice = f"There is a newer one on this machine. Start it so: {found[0]} run.py"
    stop(f"Four Winds needs Python 3.11 or newer; this is Python {here}.", advice)


refuse_old_python()


# The environment: made once, mended when the list of packages or the Python changes


def python() -> str:
    """Return the Python of the environment."""
    return os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def digest(*names: str) -> str:
    """Return a digest of the packages and the Python that an environment is made of."""
    content = hashlib.sha256(sys.version.encode())
    for name in names:
        with open(os.path.join(HERE, name), "rb") as file:
            content.update(file.read())
    return content.hexdigest()


def prepare(purpose: str) -> None:
    """Have an environment with the packages of requirements*.lock. The stamp is written after success only."""
    lock = {"serve": "requirements.lock", "test": "requirements-dev.lock"}[purpose]
    stamp = os.path.join(VENV, "four-winds-" + purpose)
    wanted = digest(lock)
    if is_prepared(stamp, wanted):
        return
    need_folder(VENV, "FOUR_WINDS_VENV")
    with one_at_a_time():
        if is_prepared(stamp, wanted):
            return
        refuse_while_used()
        started = time.monotonic()
        make_environment()
        print(f"Installing the packages of {lock}; the first time this takes a minute …", flush=True)
        install(lock)
        with open(stamp, "w") as file:
            file.write(wanted)
        print(f"The environment is ready after {time.monotonic() - started:.0f} s.", flush=True)


def is_prepared(stamp: str, wanted: str) -> bool:
    """Whether the environment is there with exactly these packages."""
    return read(stamp) == wanted and os.path.exists(python())


def need_folder(path: str, variable: str) -> None:
    """Have a folder that can be written to, or say where another one is named."""
    try:
        os.makedirs(path, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError as error:
        stop(
            f"Nothing can be written to {path}: {error.strerror}.",
            f"Copy Four Winds to a folder of your own, or name a folder that can be written to in {variable}.",
        )


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Keep a second start from making the same environment: it waits until the first is done or has ended."""
    with open(VENV + ".lock", "w") as file:
        if not take(file):
            print("Another start is making the environment; waiting for it …", flush=True)
            while not take(file):
                time.sleep(0.5)  # whoever holds a file's lock tells nobody when it is given back
        yield


def refuse_while_used() -> None:
    """Leave the environment of a site that is running as it is; Windows itself keeps files that are in use."""
    if os.name == "nt" or not os.path.isdir(VENV):
        return
    with open(os.path.join(VENV, USED), "a") as file:
        if not take(file):
            version = ".".join(map(str, sys.version_info[:3]))
            stop(
                f"The packages in {VENV} must be made anew for Python {version},",
                "but a Four Winds that is running now uses them. End it with Ctrl-C first,",
                "or start this one with the Python of that one, or name another folder in FOUR_WINDS_VENV.",
            )


def use_environment() -> None:
    """Mark the environment as used until this process ends, also after it has become the server."""
    if os.name == "nt":
        return
    import fcntl

    file = os.open(os.path.join(VENV, USED), os.O_CREAT | os.O_RDWR, 0o600)
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    os.set_inheritable(file, True)


def take(file: TextIO) -> bool:
    """Take a file's lock unless another process has it; it is given back when the file or the process ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks
    return True


def read(path: str) -> str:
    """Read a small file; nothing if there is none."""
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def make_environment() -> None:
    """Make the virtual environment, unless a sound one of this very Python is there."""
    mark = os.path.join(VENV, "four-winds-python")
    if read(mark) == sys.version and os.path.exists(python()):
        return
    if os.path.isdir(VENV) and not all(map(PARTS.fullmatch, os.listdir(VENV))):
        stop(
            f"{VENV} exists and is not a virtual environment.",
            "Move it away, or name another folder in FOUR_WINDS_VENV.",
        )
    print(f"Making the environment in {VENV} …", flush=True)
    options = ["--clear"] + ([] if has("ensurepip") else ["--without-pip"])
    made = subprocess.run([sys.executable, "-m", "venv", *options, VENV], capture_output=True, text=True)
    if made.returncode and has("ensurepip"):
        made = subprocess.run(
            [sys.executable, "-m", "venv", "--clear", "--without-pip", VENV], capture_output=True, text=True
        )
    if made.returncode:
        refuse_full_disk(made.stdout + made.stderr)
        stop(f"The environment could not be made in {VENV}.", last_lines(made.stdout + made.stderr))
    with open(mark, "w") as file:
        file.write(sys.version)


def has(module: str) -> bool:
    """Whether this Python has a module, without importing it."""
    return importlib.util.find_spec(module) is not None


def pip() -> list[str]:
    """Find a pip: the environment's own, or this Python's working on the environment."""
    own = [python(), "-m", "pip"]
    if subprocess.run([*own, "--version"], capture_output=True).returncode == 0:
        return own
    if has("pip"):
        return [sys.executable, "-m", "pip", "--python", VENV]
    version = ".".join(map(str, sys.version_info[:2]))
    shutil.rmtree(VENV, ignore_errors=True)
    raise stop(
        "This Python has neither pip nor ensurepip, so no packages can be installed.",
        "On Debian and Ubuntu this line mends it, then start again:",
        f"    sudo apt install python{version}-venv",
    )


def install(lock: str) -> None:
    """Install exactly the locked packages, each checked by its digest; say plainly what is missing."""
    options = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2"]
    options += ["--only-binary", ":all:", "--require-hashes"]  # nobody has to have a compiler
    command = [*pip(), "install", *options, "-r", os.path.join(HERE, lock)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0:
        return
    output = done.stdout + done.stderr
    refuse_full_disk(output)
    if NO_NETWORK.search(output):
        stop(
            "The packages could not be fetched: the package index cannot be reached from this machine.",
            "The first start needs the internet once; connect and start again. After that no network is needed.",
            last_lines(output, 3),
        )
    if missing := NO_PACKAGE.search(output):
        refuse_missing_package(missing.group(1), last_lines(output, 3))
    stop("The packages could not be installed. This is what pip said:", last_lines(output))


def refuse_full_disk(output: str) -> None:
    """Say that there is no space left, if that is what a program said."""
    if NO_SPACE.search(output):
        stop(
            f"The disk is full: there is no space left for the packages in {VENV}.",
            "They need about 300 MB. Make room and start again, or name a folder on another disk in FOUR_WINDS_VENV.",
        )


def refuse_missing_package(package: str, said: str) -> None:
    """Say that a package is not published for this Python on this kind of machine, and which Python to take."""
    version = ".".join(map(str, sys.version_info[:2]))
    machine = f"{platform.system()} on {platform.machine()}"
    least, newest = (".".join(map(str, each)) for each in (LEAST, NEWEST))
    if sys.version_info[:2] > NEWEST:
        advice = f"Python {version} is too new for it yet: take one of Python {least} to {newest}, from python.org."
    elif os.name == "nt" and platform.machine() == "ARM64":
        advice = f"Take the 64-bit Intel installer of Python {least} to {newest} from python.org; it runs on this machine."
    else:
        advice = f"Take a Python {least} to {newest} from python.org, made for this machine (64 bits)."
    stop(f"There is no package {package} for Python {version}, {machine}.", advice, said)


def last_lines(text: str, count: int = 15) -> str:
    """Return the end of a program's output, indented."""
    return "\n".join("    " + line for line in text.strip().splitlines()[-count:])


# Serving


def serve(arguments: list[str]) -> None:
    """Prepare what is missing and hand this process over to the server."""
    options = serve_options(arguments)
    if not options.remove_demo:
        refuse_taken_port("0.0.0.0" if options.lan else "127.0.0.1", options.port)
    need_folder(VAR, "FOUR_WINDS_VAR")
    prepare("serve")
    os.environ["FOUR_WINDS_VAR"] = VAR
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.development")
    os.environ.setdefault("HASHED_STATIC", "1")
    os.environ.setdefault("LOG_LEVEL", "WARNING")
    os.environ["FOUR_WINDS_DEMO"] = "0" if options.no_demo else "1"
    use_environment()
    if options.remove_demo:
        hand_over([python(), os.path.join(HERE, "manage.py"), "demo_tournament", "--remove"])
    if options.lan:
        hosts = os.environ.get("ALLOWED_HOSTS") or "localhost,127.0.0.1,[::1]"
        os.environ["ALLOWED_HOSTS"] = ",".join([hosts, *lan_names()])
        os.environ["FOUR_WINDS_LAN"] = ",".join(lan_addresses())
    command = [python(), os.path.join(HERE, "manage.py"), "serve", "--port", str(options.port)]
    command += ["--host", "0.0.0.0"] if options.lan else []
    hand_over(command)


def serve_options(arguments: list[str]) -> argparse.Namespace:
    """Read the options of serving."""
    parser = argparse.ArgumentParser(
        prog="run.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--no-demo", action="store_true", help="start without the demo's events")
    parser.add_argument(
        "--remove-demo", action="store_true", help="delete the demo's events and accounts, and end"
    )
    parser.add_argument("--port", type=port_number, default=8000, help="the port to serve on (8000)")
    parser.add_argument("--lan", action="store_true", help="let the devices of this network in")
    return parser.parse_args(arguments)


def port_number(word: str) -> int:
    """Read a port."""
    if not (word.isascii() and word.isdigit() and 1 <= int(word) <= 65535):
        raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")
    return int(word)


def refuse_taken_port(host: str, port: int) -> None:
    """Say that a port is taken before anything else is done, and name one that is free."""
    if is_free(host, port):
        return
    other = next((each for each in range(max(port, 1023) + 1, 65536) if is_free(host, each)), 8080)
    if is_ours(port):
        reason = f"Four Winds already runs on this port: open http://localhost:{port}/, or end it there with Ctrl-C."
        advice = "To serve from another folder beside it, take another port:"
    elif port < 1024 and os.name != "nt" and os.geteuid() != 0:
        reason, advice = (
            f"Port {port} is reserved for the administrator of this machine.",
            "Take another one:",
        )
    else:
        reason, advice = f"Port {port} is taken by another program.", "Take another one:"
    stop(reason, advice, f"    {START} --port {other}")


def is_ours(port: int) -> bool:
    """Whether Four Winds itself answers on a port of this machine."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    with contextlib.closing(asked), contextlib.suppress(OSError, http.client.HTTPException):
        asked.request("GET", "/healthz")
        return asked.getresponse().read(10) == b"alive\n"
    return False


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen here."""
    with socket.socket() as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            probe.listen()
        except OSError:
            return False
    return True


def lan_addresses() -> list[str]:
    """Find this machine's addresses in its networks, the one towards the internet first; nothing is sent."""
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return list(dict.fromkeys(each for each in found if not each.startswith("127.")))


def lan_names() -> list[str]:
    """Return every name under which devices of this network may ask for this machine."""
    name = socket.gethostname().split(".")[0].lower()
    return [*lan_addresses(), name, name + ".local"]


def hand_over(command: list[str]) -> None:
    """Become the server, so that Ctrl-C and signals reach it; where that is not possible, wait for it."""
    sys.stdout.flush()
    if os.name != "nt":
        os.chdir(HERE)
        os.execv(command[0], command)
    try:
        sys.exit(subprocess.call(command, cwd=HERE))
    except KeyboardInterrupt:
        sys.exit(0)


# Testing


# What another database cannot change is not run a second time; conftest.py chooses, and says how many that were.
AGAIN = ["--only-database"]
SERVERS = {"DATABASE_URL": "PostgreSQL", "REDIS_URL": "Redis"}


def test(arguments: list[str]) -> None:
    """Pass the tests on SQLite, then those that touch a database on PostgreSQL and Redis; say what was left out."""
    need_folder(VAR, "FOUR_WINDS_VAR")
    prepare("test")
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings.test"
    given = {name: os.environ.pop(name, "") for name in SERVERS}
    subprocess.run([python(), os.path.join(HERE, "manage.py"), "messages", "compile"], cwd=HERE, check=True)
    print("\n=== The tests on SQLite, in one process ===", flush=True)
    results = [pytest(arguments)]
    left_out: list[str] = []
    with contextlib.ExitStack() as stack:
        found = {name: given[name] or scratch(name, stack, left_out) for name in SERVERS}
        found = {name: address for name, address in found.items() if address}
        if found:
            print(f"\n=== The tests on {' and '.join(SERVERS[name] for name in found)} ===", flush=True)
            results.append(pytest([*arguments, *AGAIN], **found))
    report(results, left_out)


def pytest(arguments: list[str], **environment: str) -> int:
    """Run pytest in the environment, on all cores unless the caller says otherwise."""
    spread = ["-n", str(os.cpu_count() or 1), "--dist", "load"] if may_spread(arguments) else []
    # What failed is remembered for each database by itself, so that `test --lf` runs it again where it failed.
    kept = ["-o", f"cache_dir=.pytest_cache/{'servers' if environment else 'sqlite'}"]
    command = [python(), "-m", "pytest", *spread, *kept, *arguments]
    return subprocess.call(command, cwd=HERE, env={**os.environ, **environment})


def may_spread(arguments: list[str]) -> bool:
    """Whether there are cores to use, and the caller does not want to see the tests one by one."""
    alone = ("-n", "--numprocesses", "-s", "--pdb", "-x", "--collect-only", "--co")
    return (os.cpu_count() or 1) > 1 and not any(each.startswith(alone) for each in arguments)


def scratch(name: str, stack: contextlib.ExitStack, left_out: list[str]) -> str:
    """Start a server of our own, if its programs are on this machine; else note what is left out."""
    what = SERVERS[name]
    if os.name == "nt":
        left_out.append(f"The tests on {what}: {name} is not set.")
        return ""
    from config.tools.smoke import services

    try:
        return stack.enter_context(services.postgresql() if name == "DATABASE_URL" else services.redis())
    except services.Unavailable as reason:
        left_out.append(f"The tests on {what}: {name} is not set, and {reason}.")
        return ""


def report(results: list[int], left_out: list[str]) -> None:
    """Say what was not run and why, and end with failure if any run failed."""
    print()
    if not has_chromium():
        left_out.append("The browser tests: no Chromium was found. Install one, or name it in CHROMIUM.")
    if shutil.which("node") is None:
        left_out.append("The tests of the tablet's scripts: no Node was found. Install nodejs, 18 or newer.")
    for sentence in left_out:
        print("Not run: " + sentence)
    if not left_out:
        print("Nothing was left out: SQLite, PostgreSQL, Redis, the browser and Node were all there.")
    lacking = 1 if left_out and os.environ.get("REQUIRE_SERVICES") == "1" else 0
    failed = [code for code in results if code not in (0, 5)]
    if failed:
        # 1 says that tests failed; what ended a run otherwise is told first, for then tests are missing.
        sys.exit(next((code for code in failed if code != 1), 1))
    sys.exit(5 if set(results) == {5} else lacking)


def has_chromium() -> bool:
    """Ask the test suite whether it finds a Chromium."""
    ask = "import conftest, sys; sys.exit(conftest.chromium_path() is None)"
    return subprocess.call([python(), "-c", ask], cwd=HERE) == 0


def main() -> None:
    """Choose between serving and testing."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["test"]:
        test(arguments[1:])
    elif arguments[:1] == ["prepare"]:
        prepare("test")
    else:
        serve(arguments[1:] if arguments[:1] == ["serve"] else arguments)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
