"""Notifications, against a push service that checks who sends and reads what was written for one browser."""

import time
from dataclasses import replace
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.urls import reverse
from django.utils import timezone

from config.server.whole_form import FIELD
from tournaments.models import PushNotice, PushSubscription, Registration
from tournaments.people.operations import push, push_service
from tournaments.people.operations import push_messages as rules
from tournaments.people.operations.push import Wishes
from tournaments.people.operations.registration import renew_link
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations import freezing, recompute
from tournaments.tests import factories as make
from tournaments.tests.push_end import Device, Service, claims_of
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
EVERYTHING = ("seats", "starts", "result", "place", "appeal")


@pytest.fixture
def service(tmp_path, monkeypatch):
    made = Service(tmp_path)
    monkeypatch.setattr(push_service, "HTTPS", made.server.server_port)
    monkeypatch.setattr(push_service, "public_addresses", lambda host, port: ["127.0.0.1"])
    monkeypatch.setattr(push_service, "_context", lambda: made.trusting)
    yield made
    made.server.shutdown()
    made.server.server_close()


def follow(of, number=1, *, sorts=EVERYTHING, is_own=False, name="one", **quiet):
    device = Device(name)
    row = Registration.objects.select_related("tournament").get(tournament=of, number=number)
    push.subscribe(row, device.browser, Wishes(sorts, **quiet), is_own=is_own)
    return device


@pytest.fixture
@remembered
def of(db):
    of = make.tournament()
    make.players(of, 4)
    return of


# By hand


def test_the_example_of_the_standard_comes_out_byte_for_byte():
    """(RFC 8291, 5)"""
    sender = rules.decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    body = rules.encrypted(
        b"When I grow up, I want to be a watermelon",
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        salt=rules.decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        key=ec.derive_private_key(int.from_bytes(sender, "big"), rules.CURVE),
    )
    assert rules.encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
        "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@pytest.mark.parametrize(
    "address",
    [
        "http://push.example.com/x", "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x", "https://router.lan/x",
        "https://push.example.com:8443/x", "https://user@push.example.com/x", "https://push.example.com/x#y", "https://2130706433/x",
        "https://push.example.com/" + "x" * 1000, "https://push.example.com/ x", "ftp://push.example.com/",
    ],
)  # fmt: skip
def test_addresses_that_can_be_no_push_service_are_refused(of, address):
    device = Device()
    device.endpoint = address
    with pytest.raises(Refused):
        push.subscribe(of.registrations.first(), device.browser, Wishes(EVERYTHING), is_own=False)
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "::ffff:10.0.0.1", "2002:0a00:0001::", "fe80::1", "224.0.0.1", "0.0.0.0"]
)  # fmt: skip
def test_a_name_that_leads_into_a_private_network_is_not_followed(monkeypatch, address):
    answer = [(0, 0, 0, "", ("93.184.215.14", 443)), (0, 0, 0, "", (address, 443))]
    monkeypatch.setattr(push_service.socket, "getaddrinfo", lambda *args, **kwargs: answer)
    with pytest.raises(push_service.NotAllowed):
        push_service.public_addresses("push.example.com", 443)


@pytest.mark.parametrize(("hour", "is_quiet"), [(21, False), (22, True), (3, True), (7, True), (8, False)])
def test_quiet_hours_go_over_midnight(hour, is_quiet):
    assert rules.is_quiet(hour, 22, 8) == is_quiet


# Sent


def test_a_follower_is_told_the_seat_once_signed_and_readable_by_that_browser_alone(of, service):
    """(RFC 8291) (RFC 8292)"""
    device = follow(of, 1)
    session = make.seated(of)
    while push.send_due():
        pass
    ((path, headers, body),) = service.got
    claims, key = claims_of(headers["Authorization"])
    assert path == "/send/one"
    assert claims["aud"] == "https://push.example.com"
    assert 0 < claims["exp"] - timezone.now().timestamp() <= 24 * 3600
    assert key == rules.encoded(rules.public_bytes(push.site_key()))
    assert headers["Content-Encoding"] == "aes128gcm"
    said = device.read(body)
    seat = session.seats.select_related("table").get(player__registration__number=1)
    assert said["title"].startswith(f"Session 1: table {seat.table.number}, ")
    assert said["url"] == reverse("tournaments:player", args=[of.slug, 1])
    assert push.send_due() == 0


def test_what_a_killed_worker_had_taken_up_is_sent_again_under_the_same_topic_and_once(of, service):
    follow(of)
    make.seated(of)
    notice = PushNotice.objects.get()
    old = timezone.now() - push.CLAIM - timedelta(seconds=1)
    PushNotice.objects.update(state="sending", claimed_at=old, attempts=1)
    assert push.send_due() == 1
    assert push.send_due() == 0
    assert [headers["Topic"] for _, headers, _ in service.got] == [
        rules.topic_of(f"{notice.subscription_id}-{notice.key}")
    ]


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(of, service, status):
    follow(of)
    make.seated(of)
    service.status = status
    push.send_due()
    assert not PushSubscription.objects.exists()


def test_a_service_that_is_out_of_order_is_asked_again_later(of, service):
    follow(of)
    make.seated(of)
    service.status = 503
    push.send_due()
    notice = PushNotice.objects.get()
    assert (notice.state, notice.attempts) == ("waiting", 1)
    assert notice.due_at > timezone.now()


def test_only_what_was_asked_for_is_queued(of):
    follow(of, 1, sorts=("result",))
    make.seated(of)
    assert not PushNotice.objects.exists()


def test_quiet_hours_put_off_and_what_holds_no_more_is_dropped(of, service):
    hour = timezone.localtime(timezone.now(), of.zone).hour
    follow(of, 1, quiet_from=hour, quiet_until=(hour + 2) % 24)
    session = make.seated(of)
    assert push.send_due() == 0
    play.withdraw_seating(session, by=make.organizer_of(of), reason="The hall is closed until noon.")
    PushNotice.objects.update(due_at=timezone.now())
    push.send_due()
    assert (service.got, PushNotice.objects.get().state) == ([], "dropped")


def test_a_start_is_told_once_however_often_the_sweep_looks(of):
    follow(of)
    session = make.seated(of)
    PushNotice.objects.all().delete()
    type(session).objects.filter(pk=session.pk).update(planned_at=timezone.now() + timedelta(minutes=9))
    assert [push.queue_starts(), push.queue_starts()] == [1, 0]


def test_result_and_place_are_told_but_not_while_the_standings_are_frozen(of, service):
    device = follow(of, 1, sorts=("result", "place"))
    for number in (1, 2):
        session = make.in_play(of, number)
        make.settle(session)
        play.close_session(session, by=make.organizer_of(of))
        recompute.recompute(of.pk)
        if number == 1:
            freezing.freeze(of, by=make.organizer_of(of))
            PushNotice.objects.all().delete()
            of.refresh_from_db()
    recompute.recompute(of.pk)
    push.send_due()
    assert set(PushNotice.objects.values_list("sort", "state")) == {
        ("result", "dropped"),
        ("place", "dropped"),
    }
    freezing.show_again(of, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    PushNotice.objects.update(state="waiting")
    push.send_due()
    assert sorted(device.read(body)["title"] for _, _, body in service.got) == [
        "Place 1 after session 2", "Session 2, table 1: 0",
    ]  # fmt: skip


def test_appeals_are_told_on_the_own_page_alone(of):
    follow(of, 1)
    follow(of, 1, is_own=True, name="own")
    assert [("appeal" in row.sorts) for row in PushSubscription.objects.order_by("pk")] == [False, True]


def page_and_keys(of):
    """The address of a player's notifications, and what a browser sends there."""
    browser = Device().browser
    keys = {"endpoint": browser.endpoint, "p256dh": browser.p256dh, "auth": browser.auth}
    return reverse("tournaments:notices", args=[of.slug, 1]), keys


def test_the_page_stores_and_forgets_what_a_browser_wants(client, of):
    url, keys = page_and_keys(of)
    assert client.get(url).status_code == 200
    last = {FIELD: "1"}
    sent = {
        **keys,
        "sorts": ["seats", "starts"],
        "quiet_from": "22",
        "quiet_until": "8",
        "step": "on",
        **last,
    }
    assert client.post(url, sent).status_code == 302
    row = PushSubscription.objects.get()
    assert (row.sorts, row.quiet_from, row.quiet_until) == (["seats", "starts"], 22, 8)
    client.post(url, {**keys, "step": "off", **last})
    assert not PushSubscription.objects.exists()


def test_the_pages_script_hears_what_came_of_it(client, of):
    """A browser keeps “switched on” only on this answer."""
    url, keys = page_and_keys(of)

    def sent(**more):
        said = {**keys, "step": "on", "sorts": ["seats"], FIELD: "1", **more}
        answer = client.post(url, said, headers={"X-Part": "push"})
        return answer.status_code, answer.content.decode()

    assert sent() == (200, "Notifications are on.")
    status, why = sent(quiet_from="77")
    assert (status, bool(why)) == (422, True)
    assert sent(step="off") == (200, "This browser gets no more notifications of this player.")
    assert not PushSubscription.objects.exists()


# What must not be told


def test_a_private_link_that_is_made_anew_is_not_told_to_whoever_held_the_old_one(of, service):
    device = follow(of, 1, is_own=True)
    row = of.registrations.get(number=1)
    renew_link(row, by=make.organizer_of(of), key="k" * 32)
    make.seated(of)
    push.queue_decision(of, [row.player_id], "1-1")
    while push.send_due():
        pass
    (said,) = [device.read(body) for _, _, body in service.got]
    assert said["url"] == reverse("tournaments:player", args=[of.slug, 1])


def test_what_is_told_holds_when_it_is_told(of, service):
    """A start that was moved, a result that was corrected, a place after which a session has begun, a seat that was changed."""
    device = follow(of, 1, sorts=("seats", "starts", "result", "place"))
    session = make.seated(of)
    seats = session.seats.select_related("session__tournament", "table")
    first, second = (seats.get(player__registration__number=number) for number in (1, 2))
    PushNotice.objects.all().delete()
    play.swap_seats(first, second, by=make.organizer_of(of), reason="They had met before.")
    assert PushNotice.objects.filter(sort="seats").count() == 1
    type(session).objects.filter(pk=session.pk).update(planned_at=timezone.now() + timedelta(minutes=9))
    push.queue_starts()
    type(session).objects.filter(pk=session.pk).update(planned_at=timezone.now() + timedelta(minutes=40))
    push.send_due()
    assert [device.read(body)["title"][:17] for _, _, body in service.got] == ["Session 1: table "]
    session = play.start_session(session, by=make.organizer_of(of))
    make.settle(session)
    session.seats.filter(player__registration__number=1).update(hand_points=24)
    play.close_session(session, by=make.organizer_of(of))
    make.in_play(of, 2)
    recompute.recompute(of.pk)
    service.got.clear()
    push.send_due()
    assert [device.read(body)["title"] for _, _, body in service.got] == ["Session 1, table 1: +24"]


def test_one_notification_that_cannot_be_written_keeps_no_other(of, service):
    follow(of, 1, name="one")
    follow(of, 2, name="two")
    make.seated(of)
    PushSubscription.objects.filter(registration__number=1).update(p256dh="nonsense")
    push.send_due()
    assert [path for path, _, _ in service.got] == ["/send/two"]
    assert sorted(PushNotice.objects.values_list("state", flat=True)) == ["failed", "sent"]


def test_a_key_is_stored_without_its_padding(of):
    device = Device()
    padded = replace(device.browser, p256dh=device.browser.p256dh + "=" * 500)
    push.subscribe(of.registrations.first(), padded, Wishes(EVERYTHING), is_own=False)
    assert PushSubscription.objects.get().p256dh == device.browser.p256dh


def test_a_service_that_drips_is_left_alone(of, service, monkeypatch):
    """One header byte now and then would keep the sender, and with it everybody's notifications, for as long as it likes."""
    monkeypatch.setattr(push_service, "MOST_SECONDS", 0.5)
    service.drips = True
    follow(of)
    make.seated(of)
    began = time.monotonic()
    push.send_due()
    assert time.monotonic() - began < 4
    assert PushNotice.objects.get().attempts == 1
