"""The compose file and the Dockerfile are read as Docker reads them, and what they say is what the documents promise."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from config.tools.smoke import compose, dockerfile

BASE = Path(settings.BASE_DIR)
TOLD = {"SET": "x", "EMPTY": "", "INNER": "y"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${SET}", "x"), ("$SET", "x"), ("a${SET}b", "axb"), ("$$SET", "$SET"), ("${NONE}", ""), ("${SET:-d}", "x"),
        ("${EMPTY:-d}", "d"), ("${EMPTY-d}", ""), ("${NONE-d}", "d"), ("${NONE:-${INNER}}", "y"), ("${SET:+y}", "y"),
        ("${EMPTY:+y}", ""), ("${NONE:+y}", ""), ("${SET:?no}", "x"),
    ],
)  # fmt: skip
def test_variables_are_put_in_as_compose_does(text, value):
    assert compose.interpolated(text, TOLD) == value


@pytest.mark.parametrize("text", ["${NONE:?Fill it in}", "${EMPTY:?Fill it in}"])
def test_value_that_must_be_given_is_asked_for(text):
    with pytest.raises(compose.Unanswered, match="Fill it in"):
        compose.interpolated(text, TOLD)


def test_services_that_wait_for_each_other_are_refused():
    services = read()
    first, second = services["web"], services["live"]
    circle = {
        "web": compose.Service(**{**vars(first), "waits_for": {"live": "service_healthy"}}),
        "live": compose.Service(**{**vars(second), "waits_for": {"web": "service_healthy"}}),
    }
    with pytest.raises(ValueError, match="wait for each other"):
        list(compose.in_order(circle))


def read(**answers):
    """Read the project as an operator would have it who changed nothing but these answers."""
    image = dockerfile.image((BASE / "Dockerfile").read_text(), "/usr/bin")
    text = (BASE / "deploy/env.example").read_text()
    for name, value in answers.items():
        text += f"\n{name}={value}"
    told = compose.answers(text)
    import yaml

    file = compose.interpolated(yaml.safe_load((BASE / "docker-compose.yml").read_text()), told)
    return {name: compose._service(name, facts, image) for name, facts in file["services"].items()}


def test_order_of_start_follows_the_conditions():
    order = [service.name for service in compose.in_order(read())]
    assert order.index("postgres") < order.index("migrate") < order.index("web") < order.index("front")
    assert "tools" not in order


def test_copy_elsewhere_is_off_until_a_folder_is_named():
    assert read()["backup"].environment["BACKUP_COPY_TO"] == ""
    named = read(BACKUP_ELSEWHERE="/mnt/nas")["backup"]
    assert named.environment["BACKUP_COPY_TO"] == "/elsewhere"
    assert named.volumes["/elsewhere"] == "/mnt/nas"


def test_two_or_more_processes_answer_pages():
    assert int(read()["web"].environment["WEB_PROCESSES"]) >= 2


# The Dockerfile


def test_stages_and_their_steps_are_read():
    build, last = dockerfile.stages((BASE / "Dockerfile").read_text())
    assert (build.name, build.base) == ("build", last.base)
    assert any("collectstatic" in text for text in build.texts("RUN"))
    assert last.texts("USER") == ["10001:10001"]


def test_variables_of_the_image_build_on_those_of_its_base():
    image = dockerfile.image((BASE / "Dockerfile").read_text(), "/usr/bin")
    assert image.environment["PATH"] == "/venv/bin:/usr/bin"
    assert image.command == ("python", "-m", "config.server")


@pytest.mark.parametrize(
    ("path", "is_in"),
    [
        ("manage.py", True), ("config/urls.py", True), ("requirements.lock", True), ("templates/base.html", True),
        ("config/tests/test_compose.py", False), ("config/tools/smoke/compose.py", False), ("bench/live.py", False),
        ("README.md", False), ("requirements-dev.lock", False),
    ],
)  # fmt: skip
def test_context_is_what_the_site_needs(path, is_in):
    assert (Path(path) in [Path(each) for each in dockerfile.context(BASE)]) is is_in


@pytest.mark.parametrize(
    "name", ["secrets/secret_key", ".env", "backups/x.zip", "var/four-winds.sqlite3", "config/x.pyc"]
)
def test_context_leaves_out_secrets_data_and_what_python_makes(tmp_path, name):
    shutil.copy(BASE / ".dockerignore", tmp_path)
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).touch()
    (tmp_path / "manage.py").touch()
    assert [str(path) for path in dockerfile.context(tmp_path)] == ["manage.py"]


# What an operator runs first


def prepare(folder, env=""):
    """Run the script in a fresh project; return what it said."""
    shutil.copytree(BASE / "deploy", folder / "deploy", dirs_exist_ok=True)
    if env:
        (folder / ".env").write_text(env)
    done = subprocess.run(["sh", "deploy/prepare.sh"], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_prepare_makes_every_secret_that_the_compose_file_names(tmp_path):
    import yaml

    prepare(tmp_path)
    files = {
        each["file"] for each in yaml.safe_load((BASE / "docker-compose.yml").read_text())["secrets"].values()
    }
    assert {f"./secrets/{path.name}" for path in (tmp_path / "secrets").iterdir()} == files
    lengths = {path.name: len(path.read_text()) for path in (tmp_path / "secrets").iterdir()}
    assert {name for name, length in lengths.items() if length == 80} == {
        "secret_key",
        "postgres_password",
        "metrics_token",
    }
    assert stat.S_IMODE((tmp_path / "secrets").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "secrets/secret_key").stat().st_mode) == 0o444


def test_prepare_run_again_changes_nothing(tmp_path):
    prepare(tmp_path)
    before = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert "secrets/" not in prepare(tmp_path)
    assert {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()} == before


def test_prepare_takes_over_the_secrets_of_an_earlier_release(tmp_path):
    said = prepare(
        tmp_path,
        'SITE_HOST=x\nSECRET_KEY="old-key"\nPOSTGRES_PASSWORD=old-password\nEMAIL_HOST_PASSWORD=mail\n',
    )
    read = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    assert (read["secret_key"], read["postgres_password"], read["email_password"]) == (
        "old-key",
        "old-password",
        "mail",
    )
    assert "taken over from .env" in said


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives folders away")
def test_prepare_gives_the_backups_to_the_user_of_the_image(tmp_path):
    prepare(tmp_path)
    user = dockerfile.image((BASE / "Dockerfile").read_text(), "").user.partition(":")[0]
    assert {(tmp_path / name).stat().st_uid for name in ("backups", "backups/work")} == {int(user)}
