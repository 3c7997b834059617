"""What a tablet may send, what it gets back, and what is refused without a trace."""

import json
import time
from random import Random
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone, translation

from tournaments.models import Device, Hand, HistoryEntry, Protocol, Receipt
from tournaments.sessions.operations import play, tournaments
from tournaments.tables.operations import devices, protocols
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tests import factories as make
from tournaments.tests.random_hands import random_facts
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of, pin_of

pytestmark = pytest.mark.django_db
EAST_FROM_SOUTH = make.east_from_south()


class Tablet:
    """An admitted tablet at one table."""

    def __init__(self, protocol, tables=()):
        self.protocol = protocol
        self.tournament = protocol.table.session.tournament
        organizer = make.organizer_of(self.tournament)
        invitation = devices.invite_device(self.tournament, name="Blue", tables=list(tables), by=organizer)
        self.device, self.credential = devices.admit_device(self.tournament, secret=invitation.secret)
        self.client = Client(enforce_csrf_checks=True)
        self.headers = {"Authorization": f"Device {self.credential}"}

    def address(self, name, table=None):
        at = self.protocol.table
        return f"/{self.tournament.slug}/api/session-{at.session.number}/table-{table or at.number}/{name}"

    def seen(self):
        self.protocol.refresh_from_db()
        return self.protocol.version

    def post(self, name, body, *, key=None, table=None, **headers):
        if isinstance(body, dict) and name not in {"preview/", "call/", "evaluate/"}:
            body = {"seen": self.seen(), **body}
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {**self.headers, "Idempotency-Key": key or uuid4().hex, **headers}
        return self.client.post(
            self.address(name, table),
            data,
            content_type="application/json",
            headers={name: value for name, value in sent.items() if value is not None},
        )

    def to(self, path, body):
        data = json.dumps(body)
        address = f"/{self.tournament.slug}/api/{path}"
        return self.client.post(address, data, content_type="application/json", headers=self.headers)


@pytest.fixture(autouse=True)
def _no_tries_so_far():
    cache.clear()


@pytest.fixture
@remembered
def tablet():
    return Tablet(make.protocol())


def record(tablet, facts=EAST_FROM_SOUTH, **more):
    return tablet.post("hands/", {"facts": facts}, **more)


def nothing_stored():
    return not Hand.objects.exists() and not Receipt.objects.exists()


def operations(tablet, *facts, start=0):
    at = tablet.protocol.table
    return [
        {
            "key": uuid4().hex,
            "session": at.session.number,
            "table": at.number,
            "operation": "hands",
            "body": {"seen": start + index, "facts": one},
        }
        for index, one in enumerate(facts)
    ]


# Writing


def test_a_recorded_hand_is_answered_with_its_receipt_and_the_table(tablet):
    answer = record(tablet)
    entry = HistoryEntry.objects.get(protocol=tablet.protocol)
    assert answer.status_code == 200
    assert answer.json()["receipt"] == {"entry": 1, "digest": entry.digest, "version": 1}
    state = answer.json()["state"]
    assert [seat["points"] for seat in state["seats"]] == [1, -1, 0, 0]
    assert [hand["number"] for hand in state["hands"]] == [1]


@pytest.mark.parametrize("preset", ["sbr", "wmsg", "mcr", "siamese", "red", "riichi_ema"])
def test_the_table_in_the_answer_is_the_table_as_it_stands(preset):
    """What is answered from the sheet in hand is what anybody reads from the record afterwards."""
    tablet, chance = Tablet(make.protocol(preset, 3 if preset == "siamese" else 4)), Random(preset)
    system = tablet.tournament.system
    taken, asked_for = 0, {"now": "", "others": [], "checks": {}, "phones": ""}
    for _ in range(40):
        sheet = sheet_of(
            Protocol.objects.select_related("table__session__tournament").get(pk=tablet.protocol.pk)
        )
        answered = record(tablet, random_facts(system, sheet.play().situation, chance))
        if answered.status_code != 200:
            continue
        taken += 1
        read = tablet.client.get(tablet.address(""), headers=tablet.headers).json()
        answer = answered.json()["state"]
        assert {name for name in read if name not in answer} == {"checks", "others", "phones"}
        assert {**read, **asked_for} == {**answer, **asked_for}
    assert taken > 4


def test_a_hand_after_a_final_result_is_answered_without_it(tablet):
    """Playing on puts the final result aside, in the answer too."""
    by = make.organizer_of(tablet.tournament)
    points = {"E": 8, "S": -8, "W": 0, "N": 0}
    protocols.record_final_result(tablet.protocol, points, intent=make.intent(tablet.protocol), by=by)
    protocols.resume_protocol(tablet.protocol, intent=make.intent(tablet.protocol), by=by)
    assert tablet.client.get(tablet.address(""), headers=tablet.headers).json()["final"]
    state = record(tablet).json()["state"]
    assert state["final"] is None
    assert [seat["points"] for seat in state["seats"]] == [1, -1, 0, 0]


def test_a_hand_asks_the_database_little(tablet, django_assert_max_num_queries):
    """However many hands the table has, however the questions are worded."""
    record(tablet)
    body = json.dumps({"facts": make.east_from_south(2), "seen": tablet.seen()}).encode()
    assert tablet.address("hands/")
    with django_assert_max_num_queries(18):
        answer = tablet.post("hands/", body)
    assert answer.status_code == 200


def test_twenty_times_one_hand_is_one_hand(tablet):
    key, body = uuid4().hex, {"facts": EAST_FROM_SOUTH, "seen": 0}
    receipts = [tablet.post("hands/", body, key=key).json()["receipt"] for _ in range(20)]
    assert Hand.objects.count() == 1
    assert receipts == receipts[:1] * 20


def test_one_key_for_two_hands_is_refused(tablet):
    key = uuid4().hex
    record(tablet, key=key)
    answer = tablet.post("hands/", {"facts": make.east_from_south(2), "seen": 0}, key=key)
    assert (answer.status_code, answer.json()["code"]) == (422, "key_reused")
    assert Hand.objects.count() == 1


def test_a_tablet_admitted_anew_sends_its_old_queue_without_doubling(tablet):
    key, body = uuid4().hex, {"facts": EAST_FROM_SOUTH, "seen": 0}
    first = tablet.post("hands/", body, key=key).json()["receipt"]
    devices.revoke_device(tablet.device, by=make.organizer_of(tablet.tournament))
    anew = Tablet(tablet.protocol)
    assert anew.post("hands/", body, key=key).json()["receipt"] == first
    assert Hand.objects.count() == 1


def test_a_key_of_a_tablet_is_none_for_a_person(tablet):
    key, body = uuid4().hex, {"facts": EAST_FROM_SOUTH, "seen": 0}
    tablet.post("hands/", body, key=key)
    client = Client()
    client.force_login(make.staff(tablet.tournament, "scorer"))
    answer = client.post(
        tablet.address("hands/"),
        json.dumps(body),
        content_type="application/json",
        headers={"Idempotency-Key": key},
    )
    assert answer.json()["code"] == "key_reused"


def test_a_key_is_good_for_one_address_only(tablet):
    key = uuid4().hex
    tablet.post("end/", {"seen": 0}, key=key)
    answer = tablet.post("resume/", {"seen": 0}, key=key)
    assert answer.json()["code"] == "key_reused"


def test_a_tablet_that_was_behind_gets_both_versions(tablet):
    record(tablet)
    answer = tablet.post("hands/", {"facts": make.east_from_south(2), "seen": 0})
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (409, "sequence")
    assert problem["current"]["version"] == 1
    assert [entry["data"]["number"] for entry in problem["current"]["since"]] == [1]


def test_a_tablet_ahead_of_the_server_is_told_of_the_gap(tablet):
    answer = tablet.post("hands/", {"facts": EAST_FROM_SOUTH, "seen": 5})
    assert (answer.status_code, answer.json()["code"]) == (409, "sequence_gap")
    assert nothing_stored()


def test_the_same_hand_again_at_once_asks_whether_it_is_meant(tablet):
    record(tablet)
    answer = record(tablet)
    assert (answer.status_code, answer.json()["code"]) == (409, "looks_doubled")
    assert tablet.post("hands/", {"facts": EAST_FROM_SOUTH, "sure": True}).status_code == 200
    assert Hand.objects.count() == 2


def test_the_last_hand_can_be_undone_and_no_other(tablet):
    record(tablet)
    assert tablet.post("undo/", {"number": 2}).json()["code"] == "not_last"
    answer = tablet.post("undo/", {"number": 1})
    assert answer.json()["state"]["hands"] == []


def test_four_confirm_and_the_table_is_done(tablet):
    record(tablet)
    tablet.post("end/", {})
    totals = {"E": 1, "S": -1, "W": 0, "N": 0}
    for wind in "ESWN":
        answer = tablet.post("confirm/", {"wind": wind, "totals": totals})
    assert answer.json()["state"]["state"] == "confirmed"
    again = tablet.post("confirm/", {"wind": "E", "totals": totals})
    assert (again.status_code, again.json()["code"]) == (409, "already_confirmed")


def test_totals_that_have_changed_are_not_confirmed(tablet):
    record(tablet)
    tablet.post("end/", {})
    answer = tablet.post("confirm/", {"wind": "E", "totals": dict.fromkeys("ESWN", 0)})
    assert (answer.status_code, answer.json()["code"]) == (409, "totals_changed")


# PINs


@pytest.fixture
@remembered
def asking():
    """A table at its end, in a tournament that asks for PINs."""
    tablet = Tablet(make.protocol())
    tablet.tournament.asks_pin = True
    tablet.tournament.save()
    record(tablet)
    tablet.post("end/", {})
    return tablet


TOTALS = {"E": 1, "S": -1, "W": 0, "N": 0}


def pin_at(tablet, wind):
    return pin_of(tablet.protocol.table.seats.get(wind=wind).player)


def wrong_pin(tablet, wind):
    return f"{(int(pin_at(tablet, wind)) + 1) % 10_000:04}"


def confirm(tablet, **more):
    return tablet.post("confirm/", {"wind": "E", "totals": TOTALS, **more})


def test_a_player_confirms_with_their_own_pin(asking):
    assert asking.post("hands/", {"facts": EAST_FROM_SOUTH}).json()["code"] == "game_signed"
    answer = confirm(asking, pin=pin_at(asking, "E"))
    assert [seat["confirmed"] for seat in answer.json()["state"]["seats"]] == [True, False, False, False]
    assert answer.json()["state"]["asks_pin"] is True


@pytest.mark.parametrize("pin", [None, "", "another", "neighbour", "12345"])
def test_without_the_right_pin_nothing_is_confirmed(asking, pin):
    chosen = {"another": wrong_pin(asking, "E"), "neighbour": pin_at(asking, "S")}.get(pin, pin)
    version = asking.seen()
    answer = confirm(asking, **({} if chosen is None else {"pin": chosen}))
    code = "pin_wrong" if chosen else "pin_required"
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert asking.seen() == version


def test_guessing_is_slowed_after_five_wrong_pins(asking):
    for _ in range(5):
        assert confirm(asking, pin=wrong_pin(asking, "E")).json()["code"] == "pin_wrong"
    right = confirm(asking, pin=pin_at(asking, "E"))
    assert (right.status_code, right.json()["code"]) == (429, "too_many_tries")
    other = asking.post("confirm/", {"wind": "S", "totals": TOTALS, "pin": pin_at(asking, "S")})
    assert other.status_code == 200


def test_a_pin_is_kept_nowhere(asking):
    pin = pin_at(asking, "E")
    confirm(asking, pin=pin)
    entry = HistoryEntry.objects.get(kind="seat_confirmed")
    assert pin not in str(json.loads(entry.content)["data"])
    assert json.loads(entry.content)["data"] == {"wind": "E", "totals": TOTALS}


def test_a_referee_confirms_in_the_players_stead_with_a_reason(asking):
    send = referees_client(asking.protocol)
    body = {"seen": asking.seen(), "wind": "E", "totals": TOTALS}
    assert send("confirm/", body).json()["code"] == "pin_required"
    assert send("confirm/", {**body, "reason": "Forgot"}).json()["code"] == "reason_length"
    assert confirm(asking, reason="The PIN is forgotten").json()["code"] == "forbidden"
    answer = send("confirm/", {**body, "reason": "The PIN is forgotten"})
    assert answer.json()["state"]["seats"][0]["confirmed"] is True
    entry = HistoryEntry.objects.get(kind="seat_confirmed")
    assert json.loads(entry.content)["reason"] == "The PIN is forgotten"


def test_the_private_page_shows_the_pin_where_one_is_asked(asking):
    row = asking.protocol.table.seats.get(wind="E").player.registration
    page = f"/{asking.tournament.slug}/me/{link_of(row)}/"
    assert pin_of(row.player) in Client().get(page).content.decode()
    asking.tournament.asks_pin = False
    asking.tournament.save()
    assert "PIN" not in Client().get(page).content.decode()


def test_a_new_private_link_brings_a_new_pin():
    row = make.players(make.tournament(), 1)[0]
    pins = set()
    for version in range(1, 6):
        type(row).objects.filter(pk=row.pk).update(link_version=version)
        pins.add(pin_of(row.player))
    assert len(pins) > 1
    assert all(len(pin) == 4 and pin.isdigit() for pin in pins)


def test_a_hand_that_comes_after_the_event_is_told_so_and_the_tablet_stays_admitted(tablet):
    """[INTEGRITY 99]"""
    record(tablet)
    session, by = tablet.protocol.table.session, make.organizer_of(tablet.tournament)
    make.settle(session)
    play.close_session(session, by=by)
    tournaments.close_tournament(tablet.tournament, by=by)
    answer = record(tablet)
    assert (answer.status_code, answer.json()["code"]) == (409, "event_finished")
    assert "The event is finished. Show this to the chief referee." in answer.content.decode()
    assert tablet.client.get(tablet.address(""), headers=tablet.headers).status_code == 200
    assert Hand.objects.count() == 1
    tournaments.reopen_tournament(tablet.tournament, by=by, reason="A hand was kept on a tablet")
    assert record(tablet).json()["code"] == "round_closed"


def test_a_finished_table_can_play_on(tablet):
    tablet.post("end/", {})
    assert record(tablet).json()["code"] == "game_signed"
    assert tablet.post("resume/", {}).json()["state"]["state"] == "open"


def test_what_all_have_confirmed_is_played_on_by_a_referee_with_a_reason(tablet):
    """[INTEGRITY 3]"""
    record(tablet)
    tablet.post("end/", {})
    for wind in "ESWN":
        tablet.post("confirm/", {"wind": wind, "totals": {"E": 1, "S": -1, "W": 0, "N": 0}})
    seen = tablet.seen()
    assert tablet.post("resume/", {}).json()["code"] == "forbidden"
    send = referees_client(tablet.protocol)
    assert send("resume/", {"seen": seen}).json()["code"] == "reason_required"
    assert send("resume/", {"seen": seen, "reason": "Too few"}).json()["code"] == "reason_length"
    assert tablet.seen() == seen
    answer = send("resume/", {"seen": seen, "reason": "A hand is missing"}).json()
    assert answer["state"]["state"] == "open"
    assert [seat["confirmed"] for seat in answer["state"]["seats"]] == [False] * 4
    told = HistoryEntry.objects.filter(kind="protocol_resumed").get()
    assert json.loads(told.content)["reason"] == "A hand is missing"


def test_final_points_must_add_up():
    tablet = Tablet(make.protocol("riichi_festival"))
    points = {"E": 41000, "S": 30000, "W": 30000, "N": 18100}
    wrong = tablet.post("final/", {"points": points, "left_on_table": 1000})
    assert (wrong.status_code, wrong.json()["code"]) == (422, "not_zero_sum")
    right = tablet.post("final/", {"points": points | {"N": 18000}, "left_on_table": 1000})
    assert right.json()["state"]["final"]["points"]["E"] == 41000


def test_the_call_for_a_referee_can_be_lit_and_put_out(tablet):
    assert tablet.post("call/", {"called": True}).json() == {"called": True}
    tablet.protocol.table.refresh_from_db()
    assert tablet.protocol.table.called_at is not None
    tablet.post("call/", {"called": False})
    tablet.protocol.table.refresh_from_db()
    assert tablet.protocol.table.called_at is None


def test_a_table_hears_that_somebody_is_on_the_way_until_it_calls_again(tablet):
    tablet.post("call/", {"called": True})
    play.answer_call(tablet.protocol.table)
    assert tablet.client.get(tablet.address(""), headers=tablet.headers).json()["answered"]
    tablet.post("call/", {"called": False})
    tablet.post("call/", {"called": True})
    state = tablet.client.get(tablet.address(""), headers=tablet.headers).json()
    assert (state["called"], state["answered"]) == (True, False)


def test_an_objection_calls_anew_where_somebody_was_on_the_way(tablet):
    record(tablet)
    tablet.post("end/", {})
    tablet.post("call/", {"called": True})
    play.answer_call(tablet.protocol.table)
    state = tablet.post("objection/", {"wind": "S", "text": "My kong is missing"}).json()["state"]
    assert (state["called"], state["answered"]) == (True, False)


# Working out before writing


def test_a_preview_says_who_pays_whom_and_stores_nothing(tablet):
    answer = tablet.post("preview/", {"facts": make.east_from_south(2)}).json()
    assert answer["payments"] == {"E": 4, "S": -4, "W": 0, "N": 0}
    assert answer["totals"] == {"E": 4, "S": -4, "W": 0, "N": 0}
    assert answer["lines"][0]["payments"] == {"S": -4, "E": 4}
    assert nothing_stored()


def test_a_preview_of_a_correction_shows_its_ripple(tablet):
    record(tablet)
    record(tablet, make.east_from_south(1))
    answer = tablet.post("preview/", {"facts": make.east_from_south(4), "number": 1}).json()
    assert [change["number"] for change in answer["changed"]] == [1]
    assert answer["before"]["E"]["points"] == 3
    assert answer["after"]["E"] == {"points": 18, "place": "1", "tournament_points": "4", "uma": None}
    assert Hand.objects.count() == 2


def test_a_list_of_fans_that_no_hand_has_is_answered_with_the_nearest():
    """[RULES 8.48]"""
    tablet = Tablet(make.protocol("mcr"))
    winner = {"seat": "S", "fans": 14, "fan_list": {"50": 1, "49": 1, "77": 1, "78": 1}}
    facts = {"number": 1, "events": [{"type": "win", "winners": [winner], "from": "W"}]}
    answer = tablet.post("preview/", {"facts": facts})
    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert (problem["code"], problem["clause"]) == ("yaku_conflict", "MCR fan 49")
    assert len(problem["offers"]) == 3
    for offer in problem["offers"]:
        assert offer["text"]
        facts["events"][0]["winners"][0] |= offer["facts"]
        assert tablet.post("preview/", {"facts": facts}).status_code == 200


def test_a_preview_of_an_impossible_hand_lists_its_problems(tablet):
    facts = {"events": [{"type": "win", "from": "E", "winners": [{"seat": "E", "fans": 0}]}]}
    answer = tablet.post("preview/", {"facts": facts})
    assert answer.status_code == 422
    assert "winner_is_discarder" in [problem["code"] for problem in answer.json()["problems"]]


def worth(tablet, **body):
    answer = tablet.post("evaluate/", body)
    return answer.json()


EXAMPLES = {
    "sbr": ("123m 456m 789m 123p 99m", {"self_draw": True}, {"fans": 0, "fan_list": {}}),
    "mcr": ("123m 456p 789s 78m 22p 9m", {"self_draw": True, "flowers": 1}, {"fans": 15}),
    "red": ("234m 234p 678s 555z 5s 5s", {}, None),
    "riichi_ema": ("234m 345p 678s 55m 67p 8p", {"riichi": True, "self_draw": True}, {"han": 4, "fu": 20}),
}


@pytest.mark.parametrize("preset", EXAMPLES)
def test_tiles_are_valued_as_they_are_recorded(preset):
    """What the evaluation says of a hand can be recorded with its tiles, and is found right."""
    text, how, expected = EXAMPLES[preset]
    tablet = Tablet(make.protocol(preset))
    answer = worth(tablet, text=text, how=how)
    winner = answer["winner"]
    assert expected is None or {name: winner[name] for name in expected} == expected
    win = {"type": "win", "winners": [{"seat": "E", **winner, "tiles": answer["tiles"]}]}
    if not how.get("self_draw"):
        win["from"] = "S"
    if how.get("flowers"):
        win["winners"][0]["flowers"] = how["flowers"]
    facts = {"events": [win]}
    if preset == "sbr":
        facts["end"] = {wind: {"state": "waiting", "max_base": 1} for wind in "SWN"}
    if how.get("riichi"):
        facts["riichi"] = ["E"]
    assert record(tablet, facts).status_code == 200


def test_a_siamese_hand_is_paid_for_by_those_at_the_table():
    """[SIAM 15] [SIAM 23]"""
    protocol = make.protocol("siamese", 3)
    tablet = Tablet(protocol)
    tiles = {"text": "123m 456p 234s 789s 5p 5p", "how": {"self_draw": True}}
    assert worth(tablet, **tiles)["payment"] == "Every other player pays 23."
    protocol.table.seats.get(wind="W").delete()
    assert worth(tablet, **tiles)["payment"] == "Every other player pays 15."


def test_hands_are_valued_in_a_tournament_with_stages():
    """[RULES 9.7]"""
    protocol = make.protocol("red")
    session = protocol.table.session
    session.regulation = session.regulation or session.tournament.regulation
    session.regulation["stages"] = [{"from_session": 2, "carry": "full", "cut": None}]
    session.save()
    answer = worth(Tablet(protocol), text="234m 234p 678s 555z 5s 5s", how={})
    assert answer["totals"][0]["value"] == 9


def test_a_hand_that_is_still_told_is_told_what_it_is_near_to():
    tablet = Tablet(make.protocol("mcr"))
    ask = {"text": "(123m) 456m 99s 78m 45p", "how": {"self_draw": True, "seat_wind": "E", "round_wind": "E"}}
    answer = tablet.to("session-1/table-1/near/", ask).json()
    assert (answer["lacking"], answer["near"][0]["name"]) == (2, "Pure Straight")
    assert (answer["near"][0]["tiles"], answer["near"][0]["worth"]) == (["m9", "p6"], "Points in all: 20")
    assert tablet.to("session-1/table-1/near/", {"text": "12x", "how": {}}).json()["problems"]


def test_a_waiting_hand_is_worth_its_best_wait():
    tablet = Tablet(make.protocol())
    tiles = {
        "concealed": ["m1", "m1", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m9", "m9"],
        "melds": [],
    }
    answer = tablet.to("session-1/table-1/waits/", {"tiles": tiles, "forbidden_suit": "p"})
    assert (answer.json()["waiting"], answer.json()["max_base"]) == (True, 8)
    assert len(answer.json()["waits"]) == 9


def test_other_systems_know_no_such_check():
    tablet = Tablet(make.protocol("mcr"))
    answer = tablet.to("session-1/table-1/waits/", {"tiles": {"concealed": [], "melds": []}})
    assert answer.status_code == 404


def test_tiles_that_are_no_win_are_told_why():
    tablet = Tablet(make.protocol())
    answer = worth(tablet, text="123m 456p 789s 123p 9m 9m", how={})
    assert answer["problems"]
    assert all(problem["sentence"] for problem in answer["problems"])


def test_a_hand_below_the_minimum_says_so_and_offers_nothing():
    tablet = Tablet(make.protocol("mcr"))
    answer = worth(tablet, text="(123m) (678p) 345s 234s 9m 9m", how={})
    assert answer["winner"] is None
    assert answer["reasons"][0]["clause"] == "MCR scoring 1a"


@pytest.mark.parametrize(("preset", "count"), [("mcr", 80), ("red", 17), ("sbr", 0)])
def test_the_fans_to_choose_from_are_listed(preset, count):
    tablet = Tablet(make.protocol(preset))
    answer = tablet.client.get(tablet.address("fans/"), headers=tablet.headers)
    assert len(answer.json()["fans"]) == count


# Bodies, keys, methods [INTEGRITY 7.7]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad_json"),
        (b'{"seen": 0, "seen": 0}', 400, "duplicate_key"),
        (b'{"seen": ' + b"[" * 11 + b"]" * 11 + b"}", 400, "too_deep"),
        (b'"' + b"a" * (64 * 1024) + b'"', 413, "too_large"),
        (b'{"seen": "\xff"}', 400, "bad_text"),
        (b'{"seen": NaN}', 400, "number_not_json"),
        (b'{"seen": 1e999}', 400, "number_not_json"),
        (b'{"seen": 0}', 422, "required"),
        (b'{"seen": 0, "facts": {}, "is_staff": true}', 422, "unknown_field"),
        (b'{"seen": "0", "facts": {"events": []}}', 422, "number_type"),
        (b'{"seen": 0.0, "facts": {"events": []}}', 422, "number_type"),
        (b'{"seen": true, "facts": {"events": []}}', 422, "number_type"),
        (b'{"seen": -1, "facts": {"events": []}}', 422, "out_of_range"),
        (b"[]", 422, "object_type"),
    ],
    ids=lambda value: value.decode("latin1")[:30] if isinstance(value, bytes) else None,
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_bad_body_is_refused_in_words_and_stores_nothing(tablet, body, status, code, language):
    answer = tablet.post("hands/", body, **{"Accept-Language": language})
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert answer.json()["code"] == code
    assert answer.json()["title"]
    assert nothing_stored()


@pytest.mark.parametrize(
    ("key", "code"),
    [(None, "key_required"), ("abc", "key_invalid"), ("a" * 300, "key_invalid"), ("ё" * 20, "key_invalid")],
    ids=["missing", "three", "three hundred", "foreign letters"],
)
def test_a_write_needs_a_key_of_the_right_form(tablet, key, code):
    answer = record(tablet, **{"Idempotency-Key": key})
    assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert nothing_stored()


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded"])
def test_only_json_is_read(tablet, kind):
    answer = tablet.client.post(
        tablet.address("hands/"),
        b"{}",
        content_type=kind,
        headers={**tablet.headers, "Idempotency-Key": "k" * 20},
    )
    assert (answer.status_code, answer.json()["code"]) == (415, "media_type")


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch"])
def test_other_methods_are_named_as_unsupported(tablet, method):
    answer = getattr(tablet.client, method)(tablet.address("hands/"), headers=tablet.headers)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert answer.json()["code"] == "method_not_allowed"


@pytest.mark.parametrize(
    "path", ["session-x/table-1/", "session-1/table--1/", f"session-{2**63}/table-1/", "none"]
)
def test_addresses_of_nothing_are_answered_as_problems(tablet, path):
    answer = tablet.client.get(f"/{tablet.tournament.slug}/api/{path}", headers=tablet.headers)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_a_table_of_another_tournament_is_not_here(tablet):
    other = make.protocol()
    slug = other.table.session.tournament.slug
    answer = tablet.client.get(f"/{slug}/api/session-1/table-1/", headers=tablet.headers)
    assert answer.status_code == 401


# Who may


def test_without_a_credential_nothing_is_shown(tablet):
    answer = Client().get(tablet.address(""))
    assert (answer.status_code, answer.json()["code"]) == (401, "login_required")


def test_a_revoked_tablet_is_told_so_and_stores_nothing(tablet):
    devices.revoke_device(tablet.device, by=make.organizer_of(tablet.tournament))
    answer = record(tablet)
    assert (answer.status_code, answer.json()["code"]) == (401, "device_revoked")
    assert nothing_stored()


def test_a_tablet_of_another_table_is_turned_away():
    tablet = Tablet(make.protocol(), tables=[7])
    answer = record(tablet)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_table")
    (batch,) = tablet.to("batch/", {"schema": 1, "operations": operations(tablet, EAST_FROM_SOUTH)}).json()[
        "answers"
    ]
    assert batch["problem"]["code"] == "wrong_table"
    assert nothing_stored()


@pytest.mark.parametrize("name", ["correct/", "void/", "sign-off/"])
def test_a_tablet_judges_nothing(tablet, name):
    body = {"facts": EAST_FROM_SOUTH, "number": 1, "reason": "because it was so"}
    answer = tablet.post(name, body)
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_referee_corrects_with_cookie_and_token():
    protocol = make.protocol()
    tournament = protocol.table.session.tournament
    make.record(protocol)
    client = Client(enforce_csrf_checks=True)
    client.force_login(make.staff(tournament, "referee"))
    address = f"/{tournament.slug}/api/session-1/table-1/correct/"
    body = {"seen": 1, "facts": make.east_from_south(3), "number": 1, "reason": "The kong was missed"}
    sent = {"data": json.dumps(body), "content_type": "application/json"}
    key = {"Idempotency-Key": uuid4().hex}
    refused = client.post(address, headers=key, **sent)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
    assert Hand.objects.count() == 1
    token = client.get(f"/{tournament.slug}/api/self/").json()["csrf"]
    answer = client.post(address, headers={**key, "X-CSRFToken": token}, **sent)
    assert answer.status_code == 200, answer.content
    assert answer.json()["state"]["seats"][0]["points"] == 8


def test_a_referee_who_plays_at_the_table_may_not_correct_it():
    protocol = make.protocol()
    tournament = protocol.table.session.tournament
    make.record(protocol)
    referee = make.staff(tournament, "referee")
    tournament.roles.filter(user=referee).update(player=protocol.table.seats.first().player)
    client = Client()
    client.force_login(referee)
    body = {"seen": 1, "facts": make.east_from_south(3), "number": 1, "reason": "The kong was missed"}
    answer = client.post(
        f"/{tournament.slug}/api/session-1/table-1/correct/",
        json.dumps(body),
        content_type="application/json",
        headers={"Idempotency-Key": uuid4().hex},
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "conflict_of_interest")


def referees_client(protocol):
    client = Client()
    client.force_login(make.staff(protocol.table.session.tournament, "referee"))

    def send(name, body):
        return client.post(
            f"/{protocol.table.session.tournament.slug}/api/session-1/table-1/{name}",
            json.dumps(body),
            content_type="application/json",
            headers={"Idempotency-Key": uuid4().hex},
        )

    return send


def test_wrong_seats_are_repaired_without_typing_a_hand_again():
    protocol = make.protocol()
    make.record(protocol, make.east_from_south(2))
    before = {seat.wind: seat.player_id for seat in protocol.table.seats.all()}
    answer = referees_client(protocol)(
        "seats/", {"seen": 1, "sitting": {"E": "S", "S": "E"}, "reason": "They had exchanged seats"}
    )
    assert answer.status_code == 200, answer.content
    after = {seat.wind: (seat.player_id, seat.hand_points) for seat in protocol.table.seats.all()}
    assert after == {
        "E": (before["S"], 4),
        "S": (before["E"], -4),
        "W": (before["W"], 0),
        "N": (before["N"], 0),
    }
    assert protocol.history.last().kind == "seats_repaired"


@pytest.mark.parametrize(
    ("sitting", "code"),
    [
        ({"E": "S", "S": "W"}, "wrong_players"),
        ({"E": "E", "S": "S"}, "no_change"),
        ({"E": "S", "S": "X"}, "choice"),
    ],
    ids=["one stands", "nobody moves", "no such seat"],
)
def test_seats_that_do_not_come_out_even_are_refused(sitting, code):
    protocol = make.protocol()
    answer = referees_client(protocol)(
        "seats/", {"seen": 0, "sitting": sitting, "reason": "They had exchanged seats"}
    )
    assert answer.json()["code"] == code
    assert protocol.version == 0


def test_an_objection_is_kept_and_calls_the_referee(tablet):
    record(tablet)
    tablet.post("end/", {})
    answer = tablet.post("objection/", {"wind": "S", "text": "My kong is missing"})
    assert [(one["wind"], one["text"]) for one in answer.json()["state"]["objections"]] == [
        ("S", "My kong is missing")
    ]
    assert answer.json()["state"]["called"]
    assert tablet.post("objection/", {"wind": "S", "text": " "}).json()["code"] == "reason_required"


# Admission


def test_a_code_admits_once():
    tournament = make.tournament()
    invitation = devices.invite_device(tournament, name="Red", tables=[1], by=make.organizer_of(tournament))
    client = Client(enforce_csrf_checks=True)
    address = f"/{tournament.slug}/api/admission/"
    spaced = f"{invitation.code[:4]} {invitation.code[4:]}".lower()
    first = client.post(address, json.dumps({"code": spaced}), content_type="application/json")
    assert (first.status_code, first.json()["device"]["tables"]) == (201, [1])
    again = client.post(address, json.dumps({"code": spaced}), content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (410, "code_used")


@pytest.mark.parametrize("shown", ["secret", "code"])
def test_a_secret_and_a_code_serve_one_tablet(shown):
    """A second tablet that photographed the screen stays outside, whichever of the two it read; nothing is written."""
    tournament = make.tournament()
    invitation = devices.invite_device(tournament, name="Red", tables=[1], by=make.organizer_of(tournament))
    first, second = ("secret", "code") if shown == "secret" else ("code", "secret")
    address = f"/{tournament.slug}/api/admission/"
    sent = [
        {first: getattr(invitation, first)},
        {first: getattr(invitation, first)},
        {second: getattr(invitation, second)},
    ]
    answers = [Client().post(address, json.dumps(body), content_type="application/json") for body in sent]
    assert [answer.status_code for answer in answers] == [201, 410, 410]
    assert [answer.json()["code"] for answer in answers[1:]] == ["code_used", "code_used"]
    assert Device.objects.count() == 1


def test_an_expired_code_admits_nobody():
    tournament = make.tournament()
    invitation = devices.invite_device(tournament, name="Red", tables=[], by=make.organizer_of(tournament))
    tournament.admissions.update(expires_at=timezone.now())
    body = json.dumps({"secret": invitation.secret})
    answer = Client().post(f"/{tournament.slug}/api/admission/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (410, "code_expired")
    assert not Device.objects.exists()


def test_after_five_wrong_codes_only_the_qr_code_works():
    tournament = make.tournament()
    client = Client()
    address = f"/{tournament.slug}/api/admission/"

    def send(**body):
        return client.post(address, json.dumps(body), content_type="application/json")

    assert [send(code="AAAABBBB").status_code for _ in range(6)] == [410] * 5 + [429]
    invitation = devices.invite_device(tournament, name="Red", tables=[], by=make.organizer_of(tournament))
    assert send(code=invitation.code).status_code == 429
    assert send(secret=invitation.secret).status_code == 201


# Looking


def test_a_tablet_sees_its_own_tables_only():
    of = make.tournament()
    make.players(of, 12)
    make.in_play(of)
    organizer = make.organizer_of(of)
    invitation = devices.invite_device(of, name="Red", tables=[2], by=organizer)
    _, credential = devices.admit_device(of, secret=invitation.secret)
    answer = Client().get(f"/{of.slug}/api/tables/", headers={"Authorization": f"Device {credential}"})
    assert [table["table"] for table in answer.json()["tables"]] == [2]
    assert len(answer.json()["tables"][0]["names"]) == 4


def test_a_beat_tells_time_version_and_company(tablet):
    second = Tablet.__new__(Tablet)
    second.__dict__.update(tablet.__dict__)
    second.device, second.credential = devices.admit_device(
        tablet.tournament,
        secret=devices.invite_device(
            tablet.tournament, name="Green", tables=[], by=make.organizer_of(tablet.tournament)
        ).secret,
    )
    second.headers = {"Authorization": f"Device {second.credential}"}
    body = {"unsent": 3, "clock": int(time.time() * 1000), "session": 1, "table": 1}
    second.to("beat/", body)
    record(tablet)
    answer = tablet.to("beat/", {**body, "unsent": 0}).json()
    assert (answer["version"], answer["others"], answer["warnings"]) == (1, ["Green"], [])
    second.device.refresh_from_db()
    assert (second.device.unsent, second.device.at_table) == (3, 1)


def test_a_wrong_clock_is_mentioned_and_does_no_harm(tablet):
    answer = tablet.to("beat/", {"unsent": 0, "clock": 0}).json()
    assert [warning["code"] for warning in answer["warnings"]] == ["clock_offset"]


def test_the_shell_is_open_and_holds_nobody(tablet):
    address = f"/{tablet.tournament.slug}/tablet/"
    one = Client().get(address)
    other = Client().get(f"{address}session-1/table-1/")
    assert one.content == other.content
    assert one["X-Tablet-Shell"]
    names = [seat.player.name for seat in tablet.protocol.table.seats.all()]
    assert not [name for name in names if name in one.content.decode()]
    assert "csrf" not in one.content.decode().lower()


def test_the_worker_lists_every_module_of_the_screen():
    answer = Client().get("/tablet-worker.js")
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/javascript", "no-cache")
    assert "js/tablet/main" in answer.content.decode()


def test_sentences_come_in_the_readers_language(tablet):
    protocols.end_protocol(
        tablet.protocol, intent=make.intent(tablet.protocol), by=make.organizer_of(tablet.tournament)
    )
    with translation.override("ru"):
        expected = translation.gettext("The table has ended its session. Press “Play on” to go on.")
    answer = record(tablet, **{"Accept-Language": "ru"})
    assert answer.json()["title"] == expected


# Codes typed in a hall


def typed(of, code):
    body = json.dumps({"code": code})
    return Client().post(f"/{of.slug}/api/admission/", body, content_type="application/json")


def test_one_tablets_mistakes_do_not_keep_the_halls_other_tablets_out():
    """They all stand behind one address, and each was told a code of its own."""
    of = make.tournament()
    told = [devices.invite_device(of, name=name, tables=[], by=make.organizer_of(of)) for name in ("A", "B")]
    for _ in range(5):
        typed(of, "ABCDEFGH")
    assert typed(of, told[1].code).status_code == 201


def test_another_code_from_the_referee_brings_tries_of_its_own():
    of = make.tournament()
    devices.invite_device(of, name="Red", tables=[], by=make.organizer_of(of))
    for _ in range(6):
        typed(of, "ABCDEFGH")
    another = devices.invite_device(of, name="Red", tables=[], by=make.organizer_of(of))
    assert typed(of, another.code).status_code == 201


def test_tablets_are_offered_tables_where_somebody_plays():
    of = make.tournament(smallest_table=4)
    make.players(of, 5)
    session = make.seated_short(of)
    one = Tablet(Protocol.objects.select_related("table__session__tournament").get(table__session=session))
    listed = one.client.get(f"/{of.slug}/api/tables/", headers=one.headers).json()["tables"]
    assert [table["table"] for table in listed] == [1]
