"""A tablet goes on to another event in the same hall: said at the desk, done by the tablet, taken back until then. [RULES 9.42]"""

import json

import pytest
from django.core.cache import cache
from django.test import Client

from tournaments.models import Admission, Device, HistoryEntry, Tournament
from tournaments.sessions.operations.tournaments import delete_draft
from tournaments.tables.operations import devices, moves
from tournaments.tables.queries.moves import move_of, secret_of
from tournaments.tests import factories as make
from tournaments.tests.test_races import at_once

pytestmark = pytest.mark.django_db
BEAT = {"unsent": 0, "clock": 0}


@pytest.fixture(autouse=True)
def _no_tries_so_far():
    cache.clear()


class Hall:
    """Two events of one organizer on the same days, and a tablet of the first."""

    def __init__(self):
        self.by = make.user()
        self.here, self.there = make.tournament(by=self.by), make.tournament(by=self.by)
        self.device, self.credential = self.admitted(self.here)
        self.client = Client()
        self.client.force_login(self.by)

    def admitted(self, event, name="Tablet 1", tables=(1,)):
        by = make.organizer_of(event)
        invited = devices.invite_device(event, name=name, tables=[*tables], by=by)
        return devices.admit_device(event, secret=invited.secret)

    def press(self, what, device=None, **fields):
        device = device or self.device
        return self.client.post(
            f"/{self.here.slug}/desk/tablets/{device.pk}/{what}/", {**fields, "whole": "1"}
        )

    def asked(self, path, event, credential, body=None):
        headers = {"Authorization": f"Device {credential}"} if credential else {}
        address = f"/{event.slug}/api/{path}"
        if body is None:
            return Client().get(address, headers=headers)
        return Client().post(address, json.dumps(body), content_type="application/json", headers=headers)

    def told(self, credential=None):
        answer = self.asked("beat/", self.here, credential or self.credential, BEAT)
        return answer.json().get("move")


def test_a_tablet_is_sent_over_goes_and_is_signed_off_where_it_was():
    hall = Hall()
    answer = hall.press("send-over", to=hall.there.slug, tables="2, 3")
    assert answer.status_code == 302
    (address, secret) = hall.told()["address"].split("#")
    assert address == f"/{hall.there.slug}/tablet/"
    assert hall.asked("tables/", hall.here, hall.credential).json()["move"] == hall.told()
    answer = hall.asked("admission/", hall.there, "", {"secret": secret})
    assert answer.status_code == 201
    new = Device.objects.get(tournament=hall.there)
    assert (new.name, new.tables) == ("Tablet 1", [2, 3])
    assert hall.asked("beat/", hall.there, answer.json()["credential"], BEAT).status_code == 200
    gone = hall.asked("beat/", hall.here, hall.credential, BEAT)
    assert (gone.status_code, gone.json()["code"]) == (401, "device_revoked")
    again = hall.asked("admission/", hall.there, "", {"secret": secret})
    assert again.json()["code"] == "code_used"


def test_both_histories_tell_it():
    hall = Hall()
    hall.press("send-over", to=hall.there.slug, tables="")
    hall.asked("admission/", hall.there, "", {"secret": secret_of(hall.device.pk, hall.there.pk)})
    here = HistoryEntry.objects.filter(tournament=hall.here).values_list("kind", flat=True)
    there = HistoryEntry.objects.filter(tournament=hall.there).values_list("kind", flat=True)
    assert [kind for kind in here.order_by("number") if kind.startswith("device")][-2:] == [
        "device_sent_over",
        "device_revoked",
    ]
    assert "device_admitted" in there
    page = hall.client.get(f"/{hall.here.slug}/desk/history/").content.decode()
    assert "Tablet sent to another event" in page


def test_until_it_has_gone_it_can_be_kept():
    hall = Hall()
    hall.press("send-over", to=hall.there.slug)
    secret = hall.told()["address"].split("#")[1]
    page = hall.client.get(f"/{hall.here.slug}/desk/tablets/").content.decode()
    assert f"goes to “{hall.there.name}”" in page
    assert hall.press("keep").status_code == 302
    assert hall.told() is None
    refused = hall.asked("admission/", hall.there, "", {"secret": secret})
    assert refused.json()["code"] == "code_expired"
    assert hall.asked("beat/", hall.here, hall.credential, BEAT).status_code == 200
    hall.press("send-over", to=hall.there.slug)
    assert hall.asked("admission/", hall.there, "", {"secret": secret}).status_code == 201


def test_only_the_tablet_that_was_named_is_sent():
    hall = Hall()
    _, other = hall.admitted(hall.here, "Tablet 2", (2,))
    hall.press("send-over", to=hall.there.slug)
    assert hall.told(other) is None
    assert move_of(hall.here, None) is None


def test_an_event_that_is_deleted_meanwhile_takes_no_tablet():
    hall = Hall()
    draft = make.tournament(by=hall.by, announced=False)
    moves.send_over(hall.device, draft, tables=[], by=make.organizer_of(hall.here))
    assert hall.told()["event"] == draft.name
    delete_draft(draft, by=make.organizer_of(draft))
    assert hall.told() is None


def test_said_twice_the_later_word_counts():
    hall = Hall()
    third = make.tournament(by=hall.by)
    hall.press("send-over", to=hall.there.slug)
    first = hall.told()["address"].split("#")[1]
    moves.send_over(hall.device, third, tables=[1], by=make.organizer_of(hall.here))
    assert hall.told()["address"].startswith(f"/{third.slug}/tablet/")
    assert hall.asked("admission/", hall.there, "", {"secret": first}).json()["code"] == "code_expired"


@pytest.mark.parametrize("whose", ["stranger", "elsewhere"])
def test_it_goes_only_to_events_in_the_hall_where_one_admits_tablets(whose):
    hall = Hall()
    other = make.tournament(by=make.user() if whose == "stranger" else hall.by)
    if whose == "elsewhere":
        Tournament.objects.filter(pk=other.pk).update(city="Omsk")
        Tournament.objects.filter(pk=hall.here.pk).update(city="Perm")
    answer = hall.press("send-over", to=other.slug)
    assert answer.status_code == 422
    assert hall.told() is None
    assert not Admission.objects.filter(moved_from=hall.device).exists()


def test_who_only_referees_over_there_sends_no_tablet_there():
    hall = Hall()
    chief = make.staff(hall.here, "chief_referee")
    hall.client.force_login(chief)
    assert hall.press("send-over", to=hall.there.slug).status_code == 422
    hall.there.roles.create(user=chief, kind="referee")
    assert hall.press("send-over", to=hall.there.slug).status_code == 422
    hall.there.roles.create(user=chief, kind="chief_referee")
    assert hall.press("send-over", to=hall.there.slug).status_code == 302


def test_a_tablet_that_is_signed_off_is_not_sent():
    hall = Hall()
    page = hall.client.get(f"/{hall.here.slug}/desk/tablets/").content.decode()
    assert "To another event" in page
    devices.revoke_device(hall.device, by=make.organizer_of(hall.here))
    page = hall.client.get(f"/{hall.here.slug}/desk/tablets/").content.decode()
    assert "To another event" not in page
    answer = hall.press("send-over", to=hall.there.slug)
    assert answer.status_code == 422
    assert "This tablet is signed off." in answer.content.decode()


def test_the_numbers_of_its_tables_are_those_of_the_other_event():
    hall = Hall()
    type(hall.there).objects.filter(pk=hall.there.pk).update(first_table=21)
    answer = hall.press("send-over", to=hall.there.slug, tables="3")
    assert answer.status_code == 422
    assert "begin with number 21" in answer.content.decode()
    hall.press("send-over", to=hall.there.slug, tables="23")
    assert Admission.objects.get(moved_from=hall.device).tables == [3]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_tablets_that_change_places_at_once_do_not_wait_in_a_circle():
    hall = Hall()
    back, _ = hall.admitted(hall.there, "Tablet 9", (9,))
    by = make.organizer_of(hall.here)
    moves.send_over(hall.device, hall.there, tables=[1], by=by)
    moves.send_over(back, hall.here, tables=[1], by=make.organizer_of(hall.there))
    secrets = secret_of(hall.device.pk, hall.there.pk), secret_of(back.pk, hall.here.pk)
    answers = at_once(
        lambda: devices.admit_device(hall.there, secret=secrets[0]),
        lambda: devices.admit_device(hall.here, secret=secrets[1]),
    )
    assert [type(answer) for answer in answers] == [tuple, tuple]
    assert Device.objects.filter(revoked_at=None).count() == 2
