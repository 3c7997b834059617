"""No container engine is needed to see that image, compose and front server say the same thing."""

import re
import shutil
import subprocess
import threading
from contextlib import closing
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from config.tools.smoke import services

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
        "migrate", "web", "live", "worker", "beat", "backup", "postgres", "redis", "front", "tools",
    }  # fmt: skip
    assert {"migrate", "web", "live", "worker", "beat", "backup", "tools"} == SITE


def test_image_is_built_once_and_asked_of_no_registry():
    """Several services that build under one name would race for it."""
    assert {name for name in SITE if "build" in SERVICES[name]} == {"migrate"}
    assert {SERVICES[name]["pull_policy"] for name in SITE} == {"never"}


def test_images_of_others_are_named_by_their_minor_version():
    for name in set(SERVICES) - SITE:
        assert re.search(r":\d+\.\d+-", SERVICES[name]["image"]), SERVICES[name]["image"]


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
    assert re.search(r"^HEALTHCHECK .*config\.server\.healthcheck", DOCKERFILE, re.MULTILINE)


def test_health_checks_look_at_the_files_that_are_written():
    for name in ("worker", "beat", "backup"):
        path = SERVICES[name]["healthcheck"]["test"][-1]
        assert f"--pidfile={path}" in SERVICES[name]["command"]


def test_processes_have_few_rights():
    for service in SERVICES.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
    assert {name for name, service in SERVICES.items() if "cap_add" in service} == {"front"}
    assert SERVICES["front"]["cap_add"] == ["NET_BIND_SERVICE"]


def test_every_service_has_bounded_memory_and_logs():
    for service in SERVICES.values():
        assert re.fullmatch(r"\d+[mg]", service["mem_limit"])
        assert {"max-size", "max-file"} <= set(service["logging"]["options"])


def test_no_secret_is_in_an_environment():
    """What a service is told is seen by whoever may inspect a container; secrets are files, which each reads itself."""
    secret = re.compile(r"SECRET|PASSWORD|TOKEN|DSN")
    for name, service in SERVICES.items():
        for variable, value in service["environment"].items() if "environment" in service else ():
            if secret.search(variable):
                assert variable.endswith("_FILE"), f"{name} is told {variable}"
                assert value.removeprefix("/run/secrets/") in service["secrets"]
        assert "@" not in str(service.get("environment", {}).get("DATABASE_URL", "")).partition("winds@")[0]


def test_image_runs_as_nobody_special_from_a_slim_base():
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["python:3.13-slim-trixie"] * 2
    final = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]
    assert re.search(r"^USER 10001:10001$", final, re.MULTILINE)
    assert "pip install" not in final
    assert "--require-hashes" in DOCKERFILE


def test_tools_of_the_image_fit_the_database():
    client = re.search(r"postgresql-client-(\d+)", DOCKERFILE)[1]
    assert SERVICES["postgres"]["image"].startswith(f"postgres:{client}.")


def test_database_lies_in_its_volume_whatever_its_version():
    """From version 18 on the image has another folder of its own, and refuses to start beside a volume at this one."""
    (volume,) = SERVICES["postgres"]["volumes"]
    assert volume == f"database:{environment('postgres')['PGDATA']}"


def test_static_files_are_served_from_where_they_were_collected():
    places = re.findall(r"STATIC_ROOT=(\S+)", DOCKERFILE)
    assert places == ["/site/collected"] * 2
    assert "STATIC_ROOT" not in environment("web")


def test_every_variable_is_known_to_the_settings():
    text = "".join(path.read_text() for path in (BASE / "config/settings").glob("*.py"))
    text += "".join(path.read_text() for path in (BASE / "config/operator").glob("*.py"))
    outside = {"FORWARDED_ALLOW_IPS", "TMPDIR"}
    for name in SITE:
        for variable in set(environment(name)) - outside:
            assert f'"{variable.removesuffix("_FILE")}"' in text, (
                f"{variable} is set for {name}, but no setting reads it"
            )


def test_every_variable_asked_for_is_in_the_example():
    asked = set(re.findall(r"\$\{([A-Z_]+)", (BASE / "docker-compose.yml").read_text()))
    example = set(re.findall(r"^([A-Z_]+)=", (BASE / "deploy/env.example").read_text(), re.MULTILINE))
    assert asked == example


def test_secrets_have_no_default():
    text = (BASE / "docker-compose.yml").read_text()
    assert "${SITE_HOST:?" in text
    assert not re.search(r"\$\{[A-Z_]*(SECRET|PASSWORD|TOKEN)", text)
    assert set(COMPOSE["secrets"]) >= {"secret_key", "postgres_password"}


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


@pytest.mark.parametrize("name", [".git", ".venv", ".env", "var", "backups", "secrets", "**/tests", "bench"])
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


def test_topology_is_read_from_the_compose_file_alone():
    """No service is named a second time where the smoke starts them; a name there would hide one that is missing."""
    source = (BASE / "config/tools/smoke/topology.py").read_text()
    assert not re.search(r"--concurrency|config\.celery|config\.server", source)


# What browsers are told to keep to


@pytest.fixture
def front(tmp_path):
    """Start the front server with some of its settings; return its port for plain HTTP."""
    started = []

    def start(**told):
        ports = {"HTTP_PORT": services.free_port(), "HTTPS_PORT": services.free_port()}
        environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "SITE_ADDRESS": "http://hall.local"}
        started.append(
            subprocess.Popen(
                ["caddy", "run", "--config", str(BASE / "deploy/Caddyfile"), "--adapter", "caddyfile"],
                env=environment | {name: str(port) for name, port in ports.items()} | told,
                stderr=subprocess.DEVNULL,
            )
        )
        services.wait_until(lambda: services.answers(ports["HTTP_PORT"]), started[-1])
        return ports["HTTP_PORT"]

    yield start
    for process in started:
        services.end(process)


class Behind(BaseHTTPRequestHandler):
    """A site behind the front server that says nothing of HTTPS itself, as the streams do."""

    def do_GET(self):
        """Answer anything."""
        self.send_response(404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *words):
        """Say nothing."""


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not on this machine")
@pytest.mark.parametrize(
    ("told", "header"),
    [
        ({}, "max-age=31536000"),
        ({"HSTS_SUBDOMAINS": "", "HSTS_PRELOAD": ""}, "max-age=31536000"),
        ({"HSTS_SUBDOMAINS": "1", "HSTS_PRELOAD": "0"}, "max-age=31536000; includeSubDomains"),
        ({"HSTS_SUBDOMAINS": "yes", "HSTS_PRELOAD": "True"}, "max-age=31536000; includeSubDomains; preload"),
        ({"HSTS_SUBDOMAINS": "0", "HSTS_PRELOAD": "1"}, "max-age=31536000"),
    ],
    ids=["unset", "empty", "names-below", "preload", "preload-of-one-name"],
)
def test_front_promises_https_for_as_many_names_as_it_is_told(front, told, header):
    with HTTPServer(("127.0.0.1", 0), Behind) as behind:
        threading.Thread(target=behind.serve_forever, daemon=True).start()
        port = front(LIVE_UPSTREAMS=f"127.0.0.1:{behind.server_port}", **told)
        with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as asked:
            asked.request("GET", "/live/nothing/events", headers={"Host": "hall.local"})
            assert asked.getresponse().getheader("Strict-Transport-Security") == header
        behind.shutdown()


def test_pages_promise_https_for_this_name_alone_unless_told():
    """Front and pages read the same two settings, with the same default."""
    for name in ("HSTS_SUBDOMAINS", "HSTS_PRELOAD"):
        assert environment("web")[name] == environment("front")[name] == f"${{{name}:-0}}"
        assert f'flag("{name}")' in (BASE / "config/settings/production.py").read_text()


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not on this machine")
@pytest.mark.parametrize(
    ("address", "is_told"), [("", False), ("me@example.org", True)], ids=["none", "given"]
)
def test_certificate_authority_is_told_an_address_only_where_one_is_given(address, is_told, tmp_path):
    """An address that nobody reads, such as one at example.org, is refused by the authority, and with it the certificate."""
    adapted = subprocess.run(
        ["caddy", "adapt", "--config", str(BASE / "deploy/Caddyfile"), "--adapter", "caddyfile"],
        env={"SITE_ADDRESS": "tournaments.example.org", "ACME_EMAIL": address, "HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ('"email":"me@example.org"' in adapted.stdout) is is_told
    assert ('"email"' in adapted.stdout) is is_told


def test_front_is_told_no_address_that_nobody_gave():
    assert SERVICES["front"]["environment"]["ACME_EMAIL"] == "${ACME_EMAIL:-}"
    assert "example.org" not in re.sub(r"^\s*#.*$", "", CADDYFILE, flags=re.MULTILINE)
