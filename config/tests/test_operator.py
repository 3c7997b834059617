"""What whoever runs the site sees: the page on its health, metrics, chores, mail, the certificate."""

import socket
import ssl
import subprocess
import sys
import threading
import types
from datetime import timedelta

import pytest
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from config.models import Report
from config.operator import certificate, chores, condition, metrics, reports, sentry
from config.operator.mail import Backend
from tournaments.models import Receipt, Tournament, User
from tournaments.record import signals
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make

HEALTH = "/operator/health/"
TOKEN = "a-token-of-some-length"


@pytest.fixture
def operator(client, db):
    """The browser of the site's administrator."""
    client.force_login(User.objects.create_superuser("operator", "operator@example.org", "password"))
    return client


def parts_by_name(answer):
    return {part.name: part for part in answer.context["parts"]}


# Who is let in


@pytest.mark.django_db
@pytest.mark.parametrize("path", [HEALTH, HEALTH + "mail/"])
def test_strangers_are_sent_to_the_sign_in(client, path):
    answer = client.get(path) if path == HEALTH else client.post(path)
    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={path}")


@pytest.mark.django_db
@pytest.mark.parametrize("path", [HEALTH, HEALTH + "mail/"])
def test_organizers_find_no_such_page(client, path):
    client.force_login(make.user())
    answer = client.get(path) if path == HEALTH else client.post(path)
    assert answer.status_code == 404


def test_test_letter_is_asked_for_by_post(operator):
    assert operator.get(HEALTH + "mail/").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("", ""),
        ("", "Bearer "),
        (TOKEN, ""),
        (TOKEN, "Bearer wrong"),
        (TOKEN, f"Basic {TOKEN}"),
        (TOKEN, "Bearer ключ"),
    ],
)
def test_metrics_are_not_there_for_whoever_shows_no_token(client, settings, token, shown):
    settings.METRICS_TOKEN = token
    assert client.get("/metrics", headers={"Authorization": shown}).status_code == 404
    assert client.get(f"/metrics?token={token}").status_code == 404


@pytest.mark.parametrize("slug", ["operator", "metrics"])
def test_no_event_takes_an_address_of_the_operator(slug):
    from tournaments.sessions.operations.tournaments import RESERVED

    assert slug in RESERVED


# Health


def test_health_of_a_site_that_was_never_looked_at(operator):
    found = parts_by_name(operator.get(HEALTH))
    idle = {
        "Mail",
        "Certificate",
        "History chains",
        "Backup",
        "Copy elsewhere",
        "Restore drill",
        "Daily chores",
    }
    assert {name for name, part in found.items() if part.look == "idle"} == idle
    assert set(found) - idle == {"Background jobs", "Disk"}


GOOD = {
    "backup": {
        "file": "four-winds-20261119-033000.zip",
        "bytes": 5_000_000,
        "tournaments": 3,
        "free": 10**12,
    },
    "copy": {"file": "x.zip", "to": "/elsewhere", "is_same_disk": False},
    "drill": {
        "file": "four-winds-20261119-033000.zip",
        "made_at": "2026-11-19",
        "tournaments": 3,
        "entries": 900,
    },
    "chains": {"tournaments": 3},
    "chores": {"devices": 0, "receipts": 0},
}
NAMES = {
    "backup": "Backup", "copy": "Copy elsewhere", "drill": "Restore drill", "chains": "History chains", "chores": "Daily chores",
}  # fmt: skip


def test_health_leads_back_to_the_operators_other_pages(operator):
    assert 'href="/operator/"' in operator.get("/operator/health/").content.decode()


@pytest.mark.parametrize("name", GOOD)
def test_operation_that_went_well_is_well(operator, name):
    reports.note(Report.Name(name), is_good=True, **GOOD[name])
    assert parts_by_name(operator.get(HEALTH))[NAMES[name]].look == "done"


@pytest.mark.parametrize("name", GOOD)
def test_operation_that_went_well_long_ago_needs_somebody(operator, name):
    reports.note(Report.Name(name), is_good=True, **GOOD[name])
    Report.objects.update(at=timezone.now() - timedelta(days=10), good_at=timezone.now() - timedelta(days=10))
    answer = operator.get(HEALTH)
    assert parts_by_name(answer)[NAMES[name]].is_bad
    assert "needs you" in answer.content.decode() or "need you" in answer.content.decode()


@pytest.mark.parametrize("name", GOOD)
def test_operation_that_failed_says_why_and_when_it_last_went_well(operator, name):
    reports.note(Report.Name(name), is_good=True, **GOOD[name])
    reports.note(Report.Name(name), is_good=False, error="the disk is full")
    part = parts_by_name(operator.get(HEALTH))[NAMES[name]]
    assert part.is_bad
    assert any("the disk is full" in line for line in part.lines)


def test_copy_on_the_same_disk_is_none(operator):
    reports.note(reports.Name.COPY, is_good=True, **GOOD["copy"] | {"is_same_disk": True})
    assert parts_by_name(operator.get(HEALTH))["Copy elsewhere"].is_bad


def test_disk_that_is_almost_full_needs_somebody(operator, monkeypatch):
    monkeypatch.setattr(condition.shutil, "disk_usage", lambda path: types.SimpleNamespace(free=1000))
    assert parts_by_name(operator.get(HEALTH))["Disk"].is_bad


@pytest.mark.parametrize(("days", "look"), [(60, "done"), (13, "alert"), (-1, "alert")])
def test_certificate_is_renewed_in_good_time_or_somebody_is_told(operator, settings, days, look):
    settings.HTTPS = True
    ends_at = timezone.now() + timedelta(days=days)
    reports.note(reports.Name.CERTIFICATE, is_good=True, host="example.org", ends_at=ends_at.isoformat())
    assert parts_by_name(operator.get(HEALTH))["Certificate"].look == look


def test_sweep_that_looked_is_well_and_one_that_is_late_is_not(operator, settings, monkeypatch):
    settings.EMBEDDED = True
    monkeypatch.setattr(metrics, "_swept_at", 0.0)
    assert parts_by_name(operator.get(HEALTH))["Background jobs"].is_bad
    signals.swept.send(None)
    assert parts_by_name(operator.get(HEALTH))["Background jobs"].look == "done"
    monkeypatch.setattr(metrics, "_swept_at", metrics._swept_at - 120)
    assert parts_by_name(operator.get(HEALTH))["Background jobs"].is_bad


# Mail


def test_test_letter_reaches_whoever_asks(operator):
    answer = operator.post(HEALTH + "mail/", follow=True)
    assert [letter.to for letter in mail.outbox] == [["operator@example.org"]]
    assert "A letter was handed over for operator@example.org." in answer.content.decode()


def test_mail_server_that_refuses_is_told_of_and_remembered(operator, settings):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND, settings.EMAIL_HOST = "config.operator.mail.Backend", "127.0.0.1"
        settings.EMAIL_PORT, settings.EMAIL_USE_TLS = taken.getsockname()[1], False
        answer = operator.post(HEALTH + "mail/", follow=True)
    assert "The letter could not be sent" in answer.content.decode()
    assert parts_by_name(answer)["Mail"].is_bad


@pytest.mark.django_db
def test_letter_that_went_out_is_remembered(monkeypatch):
    monkeypatch.setattr(
        "django.core.mail.backends.smtp.EmailBackend.send_messages", lambda self, letters: len(letters)
    )
    assert Backend().send_messages([mail.EmailMessage()]) == 1
    assert Report.objects.get(name="mail").is_good


# Certificate


@pytest.fixture
def https_server(tmp_path):
    """A server with a certificate that it made itself; its port and the certificate."""
    made = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", tmp_path / "key", "-out", tmp_path / "certificate"],
        capture_output=True, check=False,
    )  # fmt: skip
    if made.returncode:
        pytest.skip("openssl is not on this machine")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, args=[server, context], daemon=True).start()
        yield server.getsockname()[1], tmp_path / "certificate"


def serve(server, context):
    """Shake hands with whoever comes, until the server is closed."""
    while True:
        try:
            plain, _ = server.accept()
        except OSError:
            return
        try:
            context.wrap_socket(plain, server_side=True).close()
        except OSError:
            plain.close()


def test_expiry_is_read_from_the_certificate_that_is_shown(https_server):
    port, path = https_server
    ends_at = certificate.expiry("localhost", "127.0.0.1", port, ssl.create_default_context(cafile=path))
    assert timedelta(days=29) < ends_at - timezone.now() < timedelta(days=31)


@pytest.mark.django_db
def test_certificate_that_browsers_refuse_is_reported(https_server, settings):
    settings.HTTPS, settings.ALLOWED_HOSTS = True, ["localhost"]
    settings.CERTIFICATE_VIA = f"127.0.0.1:{https_server[0]}"
    assert "self-signed" in certificate.look()["error"].replace("self signed", "self-signed")
    chores._report(reports.Name.CERTIFICATE, certificate.look)
    assert not Report.objects.get(name="certificate").is_good


def test_site_without_https_has_no_certificate(settings):
    settings.HTTPS = False
    assert certificate.look() == {}


# Chores


@pytest.mark.django_db
def test_chores_delete_expired_sign_ins_and_old_receipts_of_closed_events(client, settings):
    from allauth.usersessions.models import UserSession
    from django.contrib.sessions.models import Session

    old, user = timezone.now() - timedelta(days=100), make.user()
    closed, running = make.tournament(), make.tournament()
    Tournament.objects.filter(pk=closed.pk).update(state=Tournament.State.CLOSED)
    for number, (tournament, at) in enumerate([(closed, old), (closed, timezone.now()), (running, old)]):
        receipt = Receipt.objects.create(
            tournament=tournament, key=f"{number:016}", actor="device:1", body_digest="", answer={}
        )
        Receipt.objects.filter(pk=receipt.pk).update(at=at)
    for key, expires in (("gone", old), ("here", timezone.now() + timedelta(days=1))):
        Session.objects.create(session_key=key, session_data="", expire_date=expires)
        UserSession.objects.create(session_key=key, user=user, ip="127.0.0.1", user_agent="", data={})
    chores.do_all()
    assert set(Receipt.objects.values_list("key", flat=True)) == {f"{number:016}" for number in (1, 2)}
    assert list(Session.objects.values_list("session_key", flat=True)) == ["here"]
    assert list(UserSession.objects.values_list("session_key", flat=True)) == ["here"]
    assert {name: each.is_good for name, each in reports.latest().items()} == {"chores": True, "chains": True}


@pytest.mark.django_db
def test_broken_history_is_reported(monkeypatch):
    tournament = make.tournament()
    monkeypatch.setattr(chores, "verify", lambda each: ["entry 3: the digest differs"])
    chores.do_all()
    assert reports.latest()["chains"].facts["error"] == f"{tournament.slug}: entry 3: the digest differs"


@pytest.mark.django_db
def test_chore_that_fails_keeps_no_other_from_being_done(monkeypatch):
    monkeypatch.setattr(chores, "tidy", lambda: 1 / 0)
    chores.do_all()
    found = reports.latest()
    assert not found["chores"].is_good
    assert found["chains"].is_good


@pytest.mark.django_db
def test_chores_are_due_once_a_day():
    assert chores.is_due()
    reports.note(reports.Name.CHORES, is_good=True)
    assert not chores.is_due()
    Report.objects.update(at=timezone.now() - timedelta(days=1, minutes=1))
    assert chores.is_due()


# Metrics


@pytest.fixture
def scrape(client, settings, db):
    """Ask for /metrics with the token; return its samples."""
    settings.METRICS_TOKEN = TOKEN

    def ask():
        answer = client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith("text/plain; version=0.0.4")
        return samples_of(answer.content.decode())

    return ask


def samples_of(text):
    """Read the format as Prometheus does, as far as it is used here; every sample stands below its type."""
    found, known = {}, set()
    for line in text.splitlines():
        if line.startswith("# TYPE"):
            known.add(line.split()[2])
        elif not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            assert name.partition("{")[0] in known
            found[name] = float(value)
    return found


def total(samples, start):
    """Add up the samples whose name with labels begins so."""
    return sum(value for name, value in samples.items() if name.startswith(start))


def test_requests_are_counted_by_route_and_status(client, scrape):
    wanted = 'four_winds_requests_total{method="GET",route="/robots.txt",status="200"'
    before = total(scrape(), wanted)
    client.get("/robots.txt")
    client.get("/robots.txt")
    assert total(scrape(), wanted) == before + 2


@pytest.mark.django_db
def test_recomputations_are_counted(scrape):
    tournament = make.tournament()
    before = total(scrape(), "four_winds_recomputations_total")
    recompute.recompute_all(tournament)
    assert total(scrape(), "four_winds_recomputations_total") == before + 1


def test_age_of_the_last_proven_backup_is_told(scrape):
    reports.note(reports.Name.DRILL, is_good=True, file="x")
    Report.objects.update(good_at=timezone.now() - timedelta(hours=5))
    samples = scrape()
    assert 18000 <= samples['four_winds_report_age_seconds{operation="drill"}'] < 18100
    assert samples['four_winds_report_good{operation="drill"}'] == 1


def test_metrics_name_every_number_that_is_promised(scrape, monkeypatch):
    monkeypatch.setattr(metrics, "_gauges", {"live_streams": lambda: 7, "hands_waiting": lambda: 0})
    signals.swept.send(None)
    signals.job_failed.send(None, job="x")
    metrics.add("hand_batches_total")
    names = {name.partition("{")[0].removeprefix("four_winds_") for name in scrape()}
    assert {
        "requests_total", "live_streams", "hands_waiting", "hand_batches_total", "standings_behind", "job_failures_total",
        "disk_free_bytes", "sweep_age_seconds", "up", "redis_up", "resident_bytes",
    } <= names  # fmt: skip


def test_labels_are_escaped():
    assert metrics.escaped('a"b\\c\nd') == r"a\"b\\c\nd"


def test_process_alone_on_its_site_stores_nothing(settings, monkeypatch):
    settings.EMBEDDED = True
    monkeypatch.setattr(metrics.threading, "Thread", None)
    metrics.start()


@pytest.mark.redis
@pytest.mark.django_db
def test_one_process_answers_for_all(scrape, monkeypatch):
    """Two processes store their numbers; whichever is asked shows both, each under its own name."""
    metrics.add("mails_total", 3, outcome="sent")
    own = total(scrape(), "four_winds_mails_total")
    with monkeypatch.context() as other:
        other.setattr(metrics, "process_name", lambda: "web-other-1")
        metrics.store()
    samples = scrape()
    assert total(samples, "four_winds_mails_total") == own * 2
    assert samples['four_winds_up{process="web-other-1"}'] == 1


@pytest.mark.django_db
def test_without_redis_the_process_answers_for_itself(scrape, settings):
    settings.EMBEDDED, settings.REDIS_URL = False, "redis://127.0.0.1:1/0"
    samples = scrape()
    assert samples["four_winds_redis_up"] == 0
    assert total(samples, "four_winds_up") == 1


# Sentry


def test_sentry_is_imported_only_when_it_is_asked_for(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    sentry.start("", "web")


def test_sentry_without_its_package_stops_the_start_with_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(SystemExit, match="the package sentry-sdk is not installed"):
        sentry.start("https://key@sentry.example.org/1", "web")


def test_sentry_is_told_nothing_about_people(monkeypatch):
    said = {}
    fake = types.SimpleNamespace(init=lambda **options: said.update(options), set_tag=lambda *words: None)
    monkeypatch.setitem(sys.modules, "sentry_sdk", fake)
    sentry.start("https://key@sentry.example.org/1", "web")
    event = {
        "request": {"url": "/cup/me/secret/"},
        "transaction": "/cup/me/secret/",
        "user": {"ip": "1.2.3.4"},
        "exception": {"values": []},
        "extra": {},
    }
    assert said["before_send"](event, {}) == {"exception": {"values": []}}
    assert (said["send_default_pii"], said["include_local_variables"]) == (False, False)


def test_addresses_are_where_other_pages_look_for_them():
    assert reverse("operator-health") == HEALTH


@pytest.mark.django_db
def test_a_report_that_cannot_be_stored_keeps_nobody_from_the_operation(monkeypatch):
    from django.db import DatabaseError

    def fail(**values):
        raise DatabaseError("read-only")

    monkeypatch.setattr(Report.objects, "update_or_create", fail)
    reports.note(reports.Name.MAIL, is_good=True)


def test_chores_can_be_asked_for_by_the_beat(settings):
    from django.utils.module_loading import import_string

    assert import_string(settings.CELERY_BEAT_SCHEDULE["chores"]["task"]).name == "config.tasks.do_chores"
    call_command("check")
