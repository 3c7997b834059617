"""No container engine is needed to see that image, compose and front server say the same thing."""

import re
import shutil
import subprocess
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from config.smoke import services

BASE = Path(settings.BASE_DIR)
COMPOSE = yaml.safe_load((BASE / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
SITE = {name for name, service in SERVICES.items() if service.get("image") == "four-winds:latest"}
DOCKERFILE = (BASE / "Dockerfile").read_text()
CADDYFILE = (BASE / "deploy/Caddyfile").read_text()


def environment(name):
    """What a service of the site is told."""
    return SERVICES[name]["environment"]


def test_every_part_is_there():
    assert set(SERVICES) == {
        "migrate", "web", "live", "worker", "beat", "postgres", "redis", "front", "tools",
    }  # fmt: skip
    assert {"migrate", "web", "live", "worker", "beat", "tools"} == SITE


def test_only_the_front_is_reachable_from_outside():
    published = {name for name, service in SERVICES.items() if "ports" in service}
    assert published == {"front"}
    assert {name for name, service in SERVICES.items() if "outside" in service["networks"]} == {"front"}


def test_site_waits_for_its_services_and_migrations():
    for name in SITE - {"migrate"}:
        conditions = {other: each["condition"] for other, each in SERVICES[name]["depends_on"].items()}
        assert conditions == {
            "postgres": "service_healthy",
            "redis": "service_healthy",
            "migrate": "service_completed_successfully",
        }


def test_every_lasting_service_has_a_health_check():
    from_image = {"web", "live"}
    own = {name for name, service in SERVICES.items() if service.get("healthcheck", {}).get("test")}
    assert own | from_image == set(SERVICES) - {"migrate", "tools"}
    assert re.search(r"^HEALTHCHECK .*config\.healthcheck", DOCKERFILE, re.MULTILINE)


def test_health_checks_look_at_the_files_that_are_written():
    for name in ("worker", "beat"):
        path = SERVICES[name]["healthcheck"]["test"][-1]
        assert f"--pidfile={path}" in SERVICES[name]["command"]


def test_processes_have_few_rights():
    for name in SITE:
        service = SERVICES[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]


def test_image_runs_as_nobody_special_from_a_slim_base():
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["python:3.13-slim-trixie"] * 2
    final = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]
    assert re.search(r"^USER 10001:10001$", final, re.MULTILINE)
    assert "pip install" not in final
    assert "--require-hashes" in DOCKERFILE


def test_tools_of_the_image_fit_the_database():
    client = re.search(r"postgresql-client-(\d+)", DOCKERFILE)[1]
    assert SERVICES["postgres"]["image"].startswith(f"postgres:{client}-")


def test_static_files_are_served_from_where_they_were_collected():
    places = re.findall(r"STATIC_ROOT=(\S+)", DOCKERFILE)
    assert places == ["/site/collected"] * 2
    assert "STATIC_ROOT" not in environment("web")


def test_every_variable_is_known_to_the_settings():
    text = "".join(path.read_text() for path in (BASE / "config/settings").glob("*.py"))
    outside = {"FORWARDED_ALLOW_IPS"}
    for name in SITE:
        for variable in set(environment(name)) - outside:
            assert f'"{variable}"' in text, f"{variable} is set for {name}, but no setting reads it"


def test_every_variable_asked_for_is_in_the_example():
    asked = set(re.findall(r"\$\{([A-Z_]+)", (BASE / "docker-compose.yml").read_text()))
    example = set(re.findall(r"^([A-Z_]+)=", (BASE / "deploy/env.example").read_text(), re.MULTILINE))
    assert asked == example


def test_secrets_have_no_default():
    text = (BASE / "docker-compose.yml").read_text()
    for name in ("SECRET_KEY", "POSTGRES_PASSWORD", "SITE_HOST"):
        assert f"${{{name}:?" in text
        assert f"${{{name}:-" not in text


def test_roles_are_those_of_the_program():
    roles = {name: environment(name).get("FOUR_WINDS_ROLE") for name in SITE}
    assert {name: role for name, role in roles.items() if role} == {"web": "web", "live": "live"}


def test_front_leads_to_the_services_and_ports_that_exist():
    port = re.search(r"PORT=(\d+)", DOCKERFILE)[1]
    front = SERVICES["front"]["environment"]
    for variable in ("WEB_UPSTREAMS", "LIVE_UPSTREAMS"):
        assert f"{{${variable}:" in CADDYFILE
        host, _, there = front[variable].partition(":")
        assert host in SITE
        assert there == port


def test_front_holds_no_stream_back():
    live = CADDYFILE[CADDYFILE.index("handle @live") : CADDYFILE.index("request_body")]
    assert "flush_interval -1" in live
    assert "encode" not in live


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not on this machine")
@pytest.mark.parametrize("address", ["localhost", "http://hall.local"], ids=["tls", "hall"])
def test_front_answers_its_own_health_check(address, tmp_path):
    """Asked from within the container by number, it answers and does not lead to a certificate that it has not."""
    assert "http://127.0.0.1:80/" in SERVICES["front"]["healthcheck"]["test"]
    ports = {"HTTP_PORT": services.free_port(), "HTTPS_PORT": services.free_port()}
    front = subprocess.Popen(
        ["caddy", "run", "--config", str(BASE / "deploy/Caddyfile"), "--adapter", "caddyfile"],
        env={"SITE_ADDRESS": address, "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
        | {name: str(port) for name, port in ports.items()},
        stderr=subprocess.DEVNULL,
    )
    try:
        services.wait_until(lambda: services.answers(ports["HTTP_PORT"]), front)
        with closing(HTTPConnection("127.0.0.1", ports["HTTP_PORT"], timeout=5)) as asked:
            asked.request("GET", "/", headers={"Host": "127.0.0.1"})
            assert asked.getresponse().status == 200
    finally:
        services.end(front)


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not on this machine")
@pytest.mark.parametrize("address", ["tournaments.example.org", "http://hall.local"], ids=["tls", "hall"])
def test_front_server_accepts_its_configuration(address, tmp_path):
    checked = subprocess.run(
        ["caddy", "validate", "--config", str(BASE / "deploy/Caddyfile"), "--adapter", "caddyfile"],
        env={"SITE_ADDRESS": address, "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("name", [".git", ".venv", ".env", "var", "backups", "**/tests", "bench"])
def test_image_leaves_out_what_the_site_does_not_read(name):
    assert name in (BASE / ".dockerignore").read_text().splitlines()


def test_image_keeps_what_the_site_reads():
    left_out = set((BASE / ".dockerignore").read_text().splitlines())
    assert not left_out & {
        "manage.py",
        "config",
        "templates",
        "static",
        "locale",
        "scoring",
        "requirements.lock",
    }


def test_topology_of_local_processes_is_that_of_compose():
    from config.smoke.topology import Topology

    with_processes = Topology(Path("/nowhere"), "postgresql://x/y")
    told = set(with_processes.environment) - {
        "PATH",
        "HOME",
        "LANG",
        "TMPDIR",
        "DJANGO_SETTINGS_MODULE",
        "STATIC_ROOT",
    }
    assert told <= set(environment("web"))
    for name in ("worker", "beat"):
        words = [
            word for word in with_processes.recipe(name)[0] if word.startswith("--") and "file" not in word
        ]
        asked = [word for word in SERVICES[name]["command"] if word.startswith("--") and "file" not in word]
        assert {word for word in words if "schedule" not in word} == {
            word for word in asked if "schedule" not in word
        }
