"""Whatever the desk and the tables let people say, the record of it is a valid one. [RECORD]"""

import json
from pathlib import Path

import jsonschema
import pytest

import scoring
from tournaments.exchange.record import export_record
from tournaments.models import Tournament
from tournaments.operations import protocols
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db

SCHEMA = json.loads((Path(scoring.__file__).parents[1] / "docs" / "record.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("", "Taken back at the table at once"),
        ("oops", "Taken back at the table at once: oops"),
        ("   ", "Taken back at the table at once"),
        ("Wrong seat chosen", "Wrong seat chosen"),
    ],
)
def test_a_hand_taken_back_in_few_words_can_be_told(said, written):
    """The table may be brief; a record asks for ten letters. [RECORD 2]"""
    protocol = make.protocol()
    make.record(protocol)
    by = make.organizer_of(protocol.table.session.tournament)
    protocols.undo_hand(protocol, number=1, intent=make.intent(protocol), by=by, reason=said)
    out = export_record(protocol.table.session.tournament)
    VALID.validate(out)
    (hand,) = out["declared"]["sessions"][0]["tables"][0]["protocol"]["superseded"]
    assert (hand["how"], hand["reason"]) == ("undone", written)


def test_a_final_result_replaced_in_few_words_can_be_told():
    """[RECORD 2]"""
    protocol = make.protocol("riichi_ema", protocol="final_result")
    by = make.organizer_of(protocol.table.session.tournament)
    for south in (30000, 29000):
        points = {"E": 60000 - south, "S": south, "W": 30000, "N": 30000}
        protocols.record_final_result(protocol, points, intent=make.intent(protocol), by=by, reason="typo")
    out = export_record(protocol.table.session.tournament)
    VALID.validate(out)
    (old,) = out["declared"]["sessions"][0]["tables"][0]["protocol"]["superseded"]
    assert old["reason"] == "Taken back at the table at once: typo"


@pytest.mark.parametrize(
    ("typed", "name", "slug"),
    [
        pytest.param("Spring_Cup", "Spring", "spring-cup", id="typed with capitals"),
        pytest.param("", "Кубок_весны", "kubok-vesny", id="an underscore in the name"),
        pytest.param("", f"{'x' * 49} and a word", "x" * 49, id="a long name cut at a space"),
    ],
)
def test_an_event_has_an_address_that_its_record_may_have(client, typed, name, slug):
    """[RECORD 2]"""
    client.force_login(make.user())
    form = {"name": name, "preset": "sbr", "slug": typed, "first_day": "2026-05-09", "time_zone": "UTC"}
    client.post("/new/", form)
    out = export_record(Tournament.objects.get(slug=slug))
    VALID.validate(out)
    assert out["declared"]["tournament"]["slug"] == slug


def test_an_address_of_another_form_is_told_in_the_form_of_records():
    """[RECORD 2]"""
    of = make.tournament()
    Tournament.objects.filter(pk=of.pk).update(slug="Old_Cup--7")
    out = export_record(Tournament.objects.get(pk=of.pk))
    VALID.validate(out)
    assert out["declared"]["tournament"]["slug"] == "old-cup-7"
