"""Records: what was imported exports as the same facts and the same numbers, value for value. [RECORD]"""

import copy
import json
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

import scoring
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import Player, Protocol, Session, Standing, Tournament
from tournaments.record import history
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db

VECTORS = Path(scoring.__file__).parent / "tests" / "vectors"
EXAMPLES = sorted(VECTORS.glob("record_*.json"))
SCHEMA = json.loads((Path(scoring.__file__).parents[1] / "docs" / "record.schema.json").read_text())


def example(path):
    return json.loads(path.read_text())


def importer():
    return make.actor(make.user(), "organizer")


def test_there_are_examples_of_all_systems():
    systems = {example(path)["declared"]["tournament"]["system"] for path in EXAMPLES}
    assert systems == {"SBR", "WMSG", "MCR", "SIAM", "RED", "RIICHI"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_comes_back_as_it_was(path):
    """[RECORD 6]"""
    said = example(path)
    taken = import_record(said, by=importer())
    assert list(taken.differences) == []
    again = export_record(Tournament.objects.get(pk=taken.tournament.pk))
    assert again["declared"] == said["declared"]
    assert again["computed"] == said["computed"]
    jsonschema.validate(again, SCHEMA)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_standings_of_an_example_are_those_of_its_record(path):
    said = example(path)
    taken = import_record(said, by=importer())
    recompute.recompute(taken.tournament.pk)
    rows = Standing.objects.filter(tournament=taken.tournament).select_related("player")
    assert [(row.player.code, row.place) for row in rows] == [
        (row["player"], row["place"]) for row in said["computed"]["standings"]
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_numbers_of_registrations_move_nobody(path):
    """Equals stand in the order in which they were entered, here as in the record. [RECORD 1] [RECORD 4]"""
    said = example(path)
    for number, registration in enumerate(reversed(said["declared"]["registrations"]), start=1):
        registration["number"] = number
    taken = import_record(said, by=importer())
    assert list(taken.differences) == []
    recompute.recompute(taken.tournament.pk)
    rows = Standing.objects.filter(tournament=taken.tournament).select_related("player")
    assert [row.player.code for row in rows] == [row["player"] for row in said["computed"]["standings"]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_imported_tournament_has_a_whole_history_of_its_own(path):
    taken = import_record(example(path), by=importer())
    assert verify(taken.tournament) == []


def test_a_file_with_a_fault_is_refused_whole():
    said = example(EXAMPLES[0])
    said["declared"]["registrations"][0]["number"] = 0
    with pytest.raises(Refused):
        import_record(said, by=importer())
    assert not Tournament.objects.filter(slug=said["declared"]["tournament"]["slug"]).exists()
    assert Player.objects.count() == 0


def test_a_file_is_taken_in_once():
    by = importer()
    import_record(example(EXAMPLES[0]), by=by)
    with pytest.raises(Refused) as refused:
        import_record(example(EXAMPLES[0]), by=by)
    assert refused.value.problems[0].code == "slug_taken"


def test_numbers_of_the_file_that_differ_are_listed():
    said = example(EXAMPLES[0])
    changed = copy.deepcopy(said)
    changed["computed"]["standings"][0]["place"] = 7
    taken = import_record(changed, by=importer())
    assert list(taken.differences) == ["computed.standings.0.place: 7 in the file, 1 here"]


def test_a_tournament_played_here_leaves_and_comes_back():
    of = make.tournament()
    make.players(of, 8)
    session = make.in_play(of)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol, make.east_from_south(2))
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    Session.objects.filter(pk=session.pk)
    of.refresh_from_db()
    out = export_record(of)
    jsonschema.validate(out, SCHEMA)
    text = json.dumps(out).replace(of.slug, "elsewhere")
    taken = import_record(json.loads(text), by=importer())
    assert list(taken.differences) == []
    back = export_record(Tournament.objects.get(pk=taken.tournament.pk))
    assert json.dumps(back["declared"]) == json.dumps(json.loads(text)["declared"])


def played(players):
    """A tournament with one closed session of as many tables as its players fill."""
    of = make.tournament()
    make.players(of, players)
    session = make.in_play(of)
    for protocol in Protocol.objects.filter(table__session=session).select_related(
        "table__session__tournament"
    ):
        make.record(protocol)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    return Tournament.objects.get(pk=of.pk)


def test_a_record_asks_as_much_for_six_tables_as_for_two():
    asked = []
    for players in (8, 24):
        of = played(players)
        with CaptureQueriesContext(connection) as captured:
            record = export_record(of)
        asked.append(len(captured))
        said = record["history"]["protocols"]
        rows = Protocol.objects.filter(table__session__tournament=of).order_by("table__number")
        assert [each["head"] for each in said] == [history.head(of, row) for row in rows]
    assert asked[0] == asked[1]


def test_the_commands_write_and_read_a_file(tmp_path, capsys):
    path = tmp_path / "record.json"
    of = make.tournament()
    make.players(of, 4)
    call_command("export_record", of.slug, output=str(path))
    path.write_text(path.read_text().replace(of.slug, "elsewhere"))
    call_command("import_record", str(path))
    assert Tournament.objects.filter(slug="elsewhere").exists()
    with pytest.raises(CommandError):
        call_command("import_record", str(path))
    assert "Give it another address with --slug ADDRESS." in capsys.readouterr().err


def test_the_command_names_every_fault_and_exits_with_1(tmp_path):
    path = tmp_path / "record.json"
    path.write_text('{"format": "something else"}')
    make.user()
    said = StringIO()
    with pytest.raises(CommandError) as ended:
        call_command("import_record", str(path), stderr=said)
    assert ended.value.returncode == 1
    assert said.getvalue().splitlines() == [
        "version: The field “version” is missing. [RECORD]",
        "format: One of these is expected here: four-winds-record. [RECORD]",
    ]
