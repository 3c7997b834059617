"""`run.py` says plainly what is wrong, believes an environment only when it is whole, and tests on every service."""

import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from django.conf import settings

RUN = Path(settings.BASE_DIR) / "run.py"


@pytest.fixture
def run(monkeypatch, tmp_path):
    """run.py as a module, with an environment elsewhere."""
    monkeypatch.setenv("FOUR_WINDS_VENV", str(tmp_path / "venv"))
    spec = importlib.util.spec_from_file_location("run_under_test", RUN)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "HERE", str(tmp_path))
    monkeypatch.setattr(module, "VAR", str(tmp_path / "var"))
    for name in ("requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).write_text("one==1\n")
    return module


def said(call, *arguments):
    """What is said when a call gives up."""
    with pytest.raises(SystemExit) as gave_up:
        call(*arguments)
    return str(gave_up.value)


def done(returncode=0, stdout="", stderr=""):
    """A program that has ended."""
    return subprocess.CompletedProcess([], returncode, stdout, stderr)


# Python


def test_old_python_is_named_with_a_newer_one_that_is_there(run, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 18))
    monkeypatch.setattr(run.shutil, "which", lambda name: name if name == "python3.12" else None)
    monkeypatch.setattr(run.subprocess, "call", lambda *args, **options: 0)
    sentence = said(run.refuse_old_python)
    assert "needs Python 3.11 or newer; this is Python 3.9.18." in sentence
    assert "python3.12 run.py" in sentence


def test_old_python_without_another_is_told_where_to_get_one(run, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    monkeypatch.setattr(run.shutil, "which", lambda name: None)
    assert "Install a newer Python" in said(run.refuse_old_python)


OLD = [path for minor in range(6, 11) if (path := shutil.which(f"python3.{minor}"))]


@pytest.mark.skipif(not OLD, reason="no Python older than 3.11 is on this machine")
def test_old_python_can_read_the_file_and_refuses():
    works = [path for path in OLD if subprocess.call([path, "-c", ""], stderr=subprocess.DEVNULL) == 0]
    for path in works:
        answer = subprocess.run([path, str(RUN)], capture_output=True, text=True, check=False)
        assert answer.returncode == 1
        assert "needs Python 3.11 or newer" in answer.stderr
        assert "Traceback" not in answer.stderr


def test_only_the_standard_library_is_imported():
    import ast

    names = [
        node
        for node in ast.walk(ast.parse(RUN.read_text()))
        if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    found = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).partition(".")[0]
        for node in names
    }
    assert found - {"config"} <= sys.stdlib_module_names
    services = ast.parse((RUN.parent / "config/tools/smoke/services.py").read_text())
    for node in ast.walk(services):
        if isinstance(node, ast.Import):
            assert {alias.name.partition(".")[0] for alias in node.names} <= sys.stdlib_module_names


# Port


@contextmanager
def answering(body):
    """A server that gives every asker the same few bytes; its port."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_second_start_is_led_to_the_site_that_already_runs(run):
    with answering(b"alive\n") as port:
        sentence = said(run.refuse_taken_port, "127.0.0.1", port)
    assert f"Four Winds already runs on this port: open http://localhost:{port}/" in sentence


def test_another_program_on_the_port_is_not_taken_for_the_site(run):
    with answering(b"hello") as port:
        sentence = said(run.refuse_taken_port, "127.0.0.1", port)
    assert f"Port {port} is taken by another program." in sentence


def test_taken_port_is_refused_with_a_free_one(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        sentence = said(run.refuse_taken_port, "127.0.0.1", port)
    assert f"Port {port} is taken by another program" in sentence
    other = int(sentence.rpartition("--port ")[2])
    assert other > port
    assert run.is_free("127.0.0.1", other)


def test_free_port_is_accepted(run):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert run.refuse_taken_port("127.0.0.1", port) is None


@pytest.mark.parametrize("word", ["0", "65536", "-1", "eighty", "80 80", "８０８０", ""])
def test_nonsense_is_no_port(run, word, capsys):
    with pytest.raises(SystemExit):
        run.serve_options(["--port", word] if not word.startswith("-") else [f"--port={word}"])
    assert "a port is a number from 1 to 65535" in capsys.readouterr().err


# Environment


@pytest.fixture
def programs(run, monkeypatch):
    """The programs that run.py starts, written down instead of run."""
    started = []

    def record(command, **options):
        started.append([str(word) for word in command])
        return done()

    monkeypatch.setattr(run.subprocess, "run", record)
    return started


def whole_environment(run):
    """Pretend that the Python of the environment is there."""
    Path(run.python()).parent.mkdir(parents=True, exist_ok=True)
    Path(run.python()).touch()
    Path(run.VENV, "pyvenv.cfg").touch()


def test_environment_is_made_and_filled_once(run, programs):
    whole_environment(run)
    run.prepare("serve")
    assert [command[2] for command in programs] == ["venv", "pip", "pip"]
    assert "--require-hashes" in programs[-1]
    programs.clear()
    run.prepare("serve")
    assert programs == []


def test_changed_packages_are_installed_without_making_the_environment_anew(run, programs):
    whole_environment(run)
    run.prepare("serve")
    programs.clear()
    Path(run.HERE, "requirements.lock").write_text("one==2\n")
    run.prepare("serve")
    assert [command[2] for command in programs] == ["pip", "pip"]


def test_other_python_makes_the_environment_anew(run, programs, monkeypatch):
    whole_environment(run)
    run.prepare("serve")
    programs.clear()
    monkeypatch.setattr(sys, "version", "3.14.0 (other)")
    run.prepare("serve")
    assert {"venv", "--clear"} <= set(programs[0])


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps the files of a running program by itself")
def test_environment_of_a_running_site_is_not_made_anew(run, programs, monkeypatch):
    whole_environment(run)
    run.prepare("serve")
    site = subprocess.Popen(
        [sys.executable, "-c", HOLDS.format(run=str(RUN), venv=run.VENV)], stdout=subprocess.PIPE
    )
    assert site.stdout.readline() == b"serving\n"
    run.prepare("serve")  # the same Python may start beside it
    programs.clear()
    monkeypatch.setattr(sys, "version", "3.14.0 (other)")
    sentence = said(run.prepare, "serve")
    assert "a Four Winds that is running now uses them" in sentence
    assert programs == []
    site.kill()
    site.communicate()
    run.prepare("serve")
    assert {"venv", "--clear"} <= set(programs[0])


# Marks the environment as run.py does, then becomes another program as the server does.
HOLDS = """
import importlib.util, os, sys
os.environ["FOUR_WINDS_VENV"] = {venv!r}
spec = importlib.util.spec_from_file_location("run", {run!r})
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)
run.use_environment()
os.execv(sys.executable, [sys.executable, "-c", "import time; print('serving', flush=True); time.sleep(600)"])
"""


def test_interrupted_installation_repeats_itself(run, programs, monkeypatch):
    whole_environment(run)
    monkeypatch.setattr(run, "install", lambda lock: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        run.prepare("serve")
    installed = []
    monkeypatch.setattr(run, "install", installed.append)
    run.prepare("serve")
    assert installed == ["requirements.lock"]


def test_python_without_ensurepip_uses_its_own_pip(run, monkeypatch):
    monkeypatch.setattr(run, "has", lambda module: module == "pip")
    started = []

    def record(command, **options):
        started.append([str(word) for word in command])
        return done(returncode=1 if command[0] == run.python() else 0)

    monkeypatch.setattr(run.subprocess, "run", record)
    Path(run.VENV).mkdir()
    run.make_environment()
    assert "--without-pip" in started[0]
    assert run.pip() == [sys.executable, "-m", "pip", "--python", run.VENV]


def test_python_without_pip_and_ensurepip_names_the_package_to_install(run, monkeypatch):
    monkeypatch.setattr(run, "has", lambda module: False)
    monkeypatch.setattr(run.subprocess, "run", lambda command, **options: done(returncode=1))
    sentence = said(run.pip)
    assert "neither pip nor ensurepip" in sentence
    assert f"sudo apt install python3.{sys.version_info.minor}-venv" in sentence


def told_by(run, monkeypatch, output):
    """What is said when pip ends with this output."""
    monkeypatch.setattr(run, "pip", lambda: ["pip"])
    monkeypatch.setattr(run.subprocess, "run", lambda command, **options: done(1, stderr=output))
    return said(run.install, "requirements.lock")


@pytest.mark.parametrize(
    "line",
    [
        "NewConnectionError: Failed to establish a new connection: [Errno -2] Name or service not known",
        "WARNING: Retrying after 'ConnectTimeoutError'\nERROR: No matching distribution found for one==1",
        "OSError: [Errno 101] Network is unreachable",
    ],
)
def test_missing_network_is_told_as_such(run, monkeypatch, line):
    sentence = told_by(run, monkeypatch, line)
    assert "the package index cannot be reached" in sentence
    assert "After that no network is needed" in sentence


NO_WHEEL = "ERROR: No matching distribution found for cryptography==50.0.2"


@pytest.mark.parametrize(
    ("python", "machine", "advice"),
    [
        (
            (3, 15, 0),
            ("posix", "Linux", "x86_64"),
            "Python 3.15 is too new for it yet: take one of Python 3.11 to 3.14",
        ),
        ((3, 12, 1), ("nt", "Windows", "ARM64"), "Take the 64-bit Intel installer of Python 3.11 to 3.14"),
        (
            (3, 13, 0),
            ("posix", "Linux", "ppc64le"),
            "Take a Python 3.11 to 3.14 from python.org, made for this machine",
        ),
    ],
    ids=["python-3.15", "windows-on-arm", "a-rare-machine"],
)
def test_package_that_is_not_published_for_this_python_is_named(run, monkeypatch, python, machine, advice):
    name, system, kind = machine
    monkeypatch.setattr(sys, "version_info", python)
    monkeypatch.setattr(run.platform, "system", lambda: system)
    monkeypatch.setattr(run.platform, "machine", lambda: kind)
    monkeypatch.setattr(run.os, "name", name)
    sentence = told_by(run, monkeypatch, NO_WHEEL)
    version = ".".join(map(str, python[:2]))
    assert f"There is no package cryptography==50.0.2 for Python {version}, {system} on {kind}." in sentence
    assert advice in sentence
    assert "package index cannot be reached" not in sentence


@pytest.mark.parametrize(
    "line",
    [
        "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
        "OSError: [WinError 112] There is not enough space on the disk",
        "OSError: [Errno 122] Disk quota exceeded",
    ],
)
def test_full_disk_is_told_as_such(run, monkeypatch, line):
    sentence = told_by(run, monkeypatch, line)
    assert f"The disk is full: there is no space left for the packages in {run.VENV}." in sentence
    monkeypatch.setattr(run, "has", lambda module: False)
    assert "The disk is full" in said(run.make_environment)


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"PIP_NO_INDEX": "1"}, "There is no package one==1 for Python"),
        ({"PIP_INDEX_URL": "http://127.0.0.1:9/simple"}, "the package index cannot be reached"),
    ],
    ids=["no-wheel", "no-network"],
)
def test_what_pip_itself_says_is_understood(run, monkeypatch, environment, sentence):
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    for name, value in {"PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0", **environment}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(run, "pip", lambda: [sys.executable, "-m", "pip"])
    Path(run.HERE, "requirements.lock").write_text(f"one==1 --hash=sha256:{'0' * 64}\n")
    assert sentence in said(run.install, "requirements.lock")


def test_other_failure_of_pip_is_shown(run, monkeypatch):
    monkeypatch.setattr(run, "pip", lambda: ["pip"])
    monkeypatch.setattr(
        run.subprocess,
        "run",
        lambda *args, **options: done(1, stderr="ERROR: THESE PACKAGES DO NOT MATCH THE HASHES"),
    )
    assert "DO NOT MATCH THE HASHES" in said(run.install, "requirements.lock")


def test_environment_whose_making_was_broken_off_is_made_anew(run, programs):
    Path(run.VENV, "lib").mkdir(parents=True)
    run.make_environment()
    assert {"venv", "--clear"} <= set(programs[0])


def test_lock_is_had_by_one_at_a_time(run):
    with run.one_at_a_time(), open(run.VENV + ".lock", "w") as other:
        assert not run.take(other)
    with open(run.VENV + ".lock", "w") as other:
        assert run.take(other)


def test_two_starts_make_one_environment(run, programs, monkeypatch, capsys):
    whole_environment(run)
    rests = []

    def first_is_done(seconds):
        rests.append(seconds)
        Path(run.VENV, "four-winds-serve").write_text(run.digest("requirements.lock"))

    answers = iter([False, False, True])
    monkeypatch.setattr(run, "take", lambda file: next(answers))
    monkeypatch.setattr(run.time, "sleep", first_is_done)
    run.prepare("serve")
    assert rests
    assert programs == []
    assert "waiting for it" in capsys.readouterr().out


def test_folder_that_cannot_be_written_to_is_named_with_the_way_out(run, tmp_path):
    (tmp_path / "file").touch()
    sentence = said(run.need_folder, str(tmp_path / "file" / "var"), "FOUR_WINDS_VAR")
    assert f"Nothing can be written to {tmp_path / 'file' / 'var'}" in sentence
    assert "in FOUR_WINDS_VAR" in sentence


def test_foreign_folder_is_not_cleared(run):
    (Path(run.VENV)).mkdir()
    (Path(run.VENV) / "thesis.txt").write_text("precious")
    assert "is not a virtual environment" in said(run.make_environment)
    assert (Path(run.VENV) / "thesis.txt").read_text() == "precious"


# Serving


def test_serving_hands_over_to_the_server(run, monkeypatch):
    handed = []
    monkeypatch.setattr(run, "prepare", lambda purpose: None)
    monkeypatch.setattr(run, "hand_over", handed.append)
    monkeypatch.setattr(run, "use_environment", lambda: None)
    monkeypatch.setattr(run, "refuse_taken_port", lambda host, port: None)
    monkeypatch.setattr(run.os, "environ", {})
    run.serve(["--no-demo", "--port", "8765"])
    assert handed[0][1:] == [os.path.join(run.HERE, "manage.py"), "serve", "--port", "8765"]
    assert run.os.environ["FOUR_WINDS_DEMO"] == "0"


def test_demo_is_removed_without_serving(run, monkeypatch):
    handed = []
    monkeypatch.setattr(run, "prepare", lambda purpose: None)
    monkeypatch.setattr(run, "use_environment", lambda: None)
    monkeypatch.setattr(run, "refuse_taken_port", lambda host, port: pytest.fail("No port is needed."))
    monkeypatch.setattr(run.os, "environ", {})

    def end(command):
        handed.append(command)
        raise SystemExit

    monkeypatch.setattr(run, "hand_over", end)
    with pytest.raises(SystemExit):
        run.serve(["--remove-demo"])
    assert handed[0][1:] == [os.path.join(run.HERE, "manage.py"), "demo_tournament", "--remove"]


def test_network_is_served_only_when_asked(run, monkeypatch):
    handed = []
    monkeypatch.setattr(run, "prepare", lambda purpose: None)
    monkeypatch.setattr(run, "hand_over", handed.append)
    monkeypatch.setattr(run, "use_environment", lambda: None)
    monkeypatch.setattr(run, "lan_addresses", lambda: ["192.168.7.5"])
    monkeypatch.setattr(run, "refuse_taken_port", lambda host, port: None)
    monkeypatch.setattr(run.os, "environ", {})
    run.serve([])
    assert "--host" not in handed[0]
    run.serve(["--lan"])
    assert handed[1][-2:] == ["--host", "0.0.0.0"]
    assert "192.168.7.5" in run.os.environ["ALLOWED_HOSTS"].split(",")
    assert "*" not in run.os.environ["ALLOWED_HOSTS"]


# Testing


def test_second_run_leaves_out_what_a_database_cannot_change(run, monkeypatch, capsys):
    runs = []
    monkeypatch.setattr(run, "prepare", lambda purpose: None)
    monkeypatch.setattr(run, "has_chromium", lambda: True)
    monkeypatch.setattr(run.subprocess, "run", lambda *args, **options: done())
    monkeypatch.setattr(
        run, "pytest", lambda arguments, **addresses: runs.append((arguments, addresses)) or 0
    )
    environment = {"DATABASE_URL": "postgresql://a/b", "REDIS_URL": "redis://c/0"}
    monkeypatch.setattr(run.os, "environ", dict(environment))
    with pytest.raises(SystemExit) as ended:
        run.test([])
    assert ended.value.code == 0
    assert runs == [([], {}), (["--only-database"], environment)]
    assert "Nothing was left out" in capsys.readouterr().out


def test_missing_services_are_told_at_the_end(run, monkeypatch, capsys):
    monkeypatch.setattr(run, "prepare", lambda purpose: None)
    monkeypatch.setattr(run, "has_chromium", lambda: False)
    monkeypatch.setattr(run.shutil, "which", lambda name: None)
    monkeypatch.setattr(run.subprocess, "run", lambda *args, **options: done())
    monkeypatch.setattr(run, "pytest", lambda arguments, **addresses: 0)
    monkeypatch.setattr(run.os, "environ", {})
    from config.tools.smoke import services

    def unavailable():
        raise services.Unavailable("no server programs were found")

    monkeypatch.setattr(services, "postgresql", unavailable)
    monkeypatch.setattr(services, "redis", unavailable)
    with pytest.raises(SystemExit) as ended:
        run.test([])
    assert ended.value.code == 0
    assert capsys.readouterr().out.splitlines()[-4:] == [
        "Not run: The tests on PostgreSQL: DATABASE_URL is not set, and no server programs were found.",
        "Not run: The tests on Redis: REDIS_URL is not set, and no server programs were found.",
        "Not run: The browser tests: no Chromium was found. Install one, or name it in CHROMIUM.",
        "Not run: The tests of the tablet's scripts: no Node was found. Install nodejs, 18 or newer.",
    ]


def test_missing_services_fail_where_they_are_required(run, monkeypatch):
    monkeypatch.setattr(run, "has_chromium", lambda: True)
    monkeypatch.setenv("REQUIRE_SERVICES", "1")
    with pytest.raises(SystemExit) as ended:
        run.report([0], ["The tests on Redis: REDIS_URL is not set."])
    assert ended.value.code == 1


@pytest.mark.parametrize(
    ("results", "status"),
    [
        ([0, 0], 0),
        ([1, 0], 1),
        ([0, 1], 1),
        ([5, 0], 0),
        ([0, 5], 0),
        ([5, 5], 5),
        ([5], 5),
        ([1, 3], 3),
        ([1, -9], -9),
        ([1, 5], 1),
    ],
)
def test_status_is_that_of_the_run_that_did_not_end_else_of_the_first_failure(
    run, monkeypatch, results, status
):
    monkeypatch.setattr(run, "has_chromium", lambda: True)
    with pytest.raises(SystemExit) as ended:
        run.report(results, [])
    assert ended.value.code == status


@pytest.mark.parametrize(
    "command", [["manage.py", "serve"], ["-m", "config.server"]], ids=["here", "production"]
)
def test_ctrl_c_while_the_site_is_still_loading_ends_it_without_a_word(tmp_path, command):
    # Settings that take a minute to load: Ctrl-C comes as soon as they say that they are being loaded.
    (tmp_path / "slow.py").write_text("import time\nprint('loading', flush=True)\ntime.sleep(60)\n")
    loading = subprocess.Popen(
        [sys.executable, *command],
        cwd=RUN.parent,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "DJANGO_SETTINGS_MODULE": "slow"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever starts the tests in the background has Ctrl-C ignored, and so would they.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert loading.stdout.readline() == "loading\n"
    loading.send_signal(signal.SIGINT)
    assert loading.communicate(timeout=60) == ("", "")
    assert loading.returncode == 130
