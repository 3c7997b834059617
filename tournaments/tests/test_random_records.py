"""Random records of every system and preset come back as they were, and everybody works out the same. [RECORD]"""

import json
from pathlib import Path

import jsonschema
import pytest
from django.db import transaction

import scoring
from scoring.door import compute_record, differences
from scoring.presets import PRESETS
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Standing, Tournament
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests import naive
from tournaments.tests.random_records import moved, random_record

SCHEMA = json.loads((Path(scoring.__file__).parents[1] / "docs" / "record.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
SEEDS = range(6)
CASES = [pytest.param(code, seed, id=f"{code}-{seed}") for code in PRESETS for seed in SEEDS]


def importer():
    return make.actor(make.user(), "organizer")


def written(record):
    """Return a record as its file says it."""
    return json.loads(json.dumps(record, ensure_ascii=False))


@pytest.mark.django_db
@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_what_was_imported_leaves_as_it_came_and_comes_in_again(preset, seed):
    """[RECORD]"""
    said, by = written(random_record(preset, seed)), importer()
    VALID.validate(said)
    taken = import_record(said, by=by)
    assert list(taken.differences) == []
    out = written(export_record(Tournament.objects.get(pk=taken.tournament.pk)))
    VALID.validate(out)
    assert list(differences(said["declared"], out["declared"], "declared")) == []
    assert list(differences(said["computed"], out["computed"])) == []
    again = moved(out, f"{taken.tournament.slug}-again")
    back = export_record(import_record(again, by=by).tournament)
    assert written(back["declared"]) == again["declared"]
    assert written(back["computed"]) == said["computed"]


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_the_standings_here_are_those_of_the_record_and_the_history_is_whole(preset, seed):
    """Provisional points of a session in play are not the record's. [RECORD 4]"""
    said = written(random_record(preset, seed))
    tournament = import_record(said, by=importer()).tournament
    assert verify(tournament) == []
    if any(session["state"] == "open" for session in said["declared"]["sessions"]):
        return
    recompute.recompute(tournament.pk)
    rows = Standing.objects.filter(tournament=tournament).select_related("player").order_by("position")
    assert [(row.player.code, row.place, row.is_shared, row.decided_by or None) for row in rows] == [
        (row["player"], row["place"], row["shared"], row["decided_by"])
        for row in said["computed"]["standings"]
    ]


@pytest.mark.parametrize(("preset", "seed"), CASES)
def test_who_never_saw_the_program_works_out_the_same(preset, seed):
    """The bare record gives the same without a database, and so does a reckoning from the pages alone. [RECORD 4]"""
    said = written(random_record(preset, seed))
    assert compute_record(said) == (said["computed"], [])
    assert compute_record(said["declared"]) == (said["computed"], [])
    assert list(differences(naive.computed_of(said["declared"]), said["computed"])) == []


@pytest.mark.django_db
def test_nothing_of_a_record_stays_when_the_import_ends_badly():
    said = written(random_record("sbr", 3))
    before = Tournament.objects.count()

    def fail():
        with transaction.atomic():
            import_record(said, by=importer())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert Tournament.objects.count() == before
