"""What no tournament can have been is refused as a whole, with place and clause; what may have been is taken. [RECORD]"""

import json
import re
from copy import deepcopy
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import jsonschema
import pytest
from django.core.management import CommandError, call_command
from django.urls import get_resolver

import scoring
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.models import HistoryEntry, Player, Protocol, Role, Session, Tournament, User
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tables.views.blanks import MOST_LINES, lines_of
from tournaments.tests import factories as make
from tournaments.tests.random_records import random_record

pytestmark = pytest.mark.django_db

VECTORS = Path(scoring.__file__).parent / "tests" / "vectors"
SCHEMA = json.loads((VECTORS.parents[2] / "docs" / "record.schema.json").read_text("utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
VOLGA, THREE, MCR, SIAM, RED, EMA, FESTIVAL = (
    json.loads((VECTORS / f"record_{name}.json").read_text("utf-8"))
    for name in (
        "volga_open",
        "three_at_a_table",
        "autumn_mcr",
        "siamese_night",
        "red_duel",
        "riichi_ema",
        "festival",
    )
)
APPEAL = VOLGA["declared"]["appeals"][0]
TABLE = "sessions.0.tables.0"
PROTOCOL = f"{TABLE}.protocol"
HANDS = f"{PROTOCOL}.hands"


def changed(record, *changes):
    """Return a record whose `declared` has some values changed; a value of ... is taken out."""
    data = deepcopy(record)
    for path, value in changes:
        at = data["declared"]
        *way, last = path.split(".")
        for part in way:
            at = at[int(part)] if isinstance(at, list) else at[part]
        key = int(last) if isinstance(at, list) else last
        if value is ...:
            del at[key]
        elif isinstance(at, list) and key == len(at):
            at.append(value)
        else:
            at[key] = value
    return data


def importer():
    return make.actor(make.user(), "organizer")


def refusals(data):
    by = importer()
    with pytest.raises(Refused) as refused:
        import_record(data, by=by)
    assert not Tournament.objects.exists()
    assert not Player.objects.exists()
    assert not HistoryEntry.objects.exists()
    return [(one.code, one.field.removeprefix("declared."), one.clause) for one in refused.value.problems]


def win(seat, fans=1, **more):
    return {"type": "win", "winners": [{"seat": seat, "fans": fans}], **more}


KONG = {"type": "kong", "seat": "E", "kind": "concealed"}
ROBBED = {"type": "kong", "seat": "E", "kind": "added", "robbed": True}
EVENTS = f"{HANDS}.0.events"
WAITING = {"state": "waiting", "max_base": 1}
ALL_WAIT = dict.fromkeys("ESWN", WAITING)


def deal(record, events, end=ALL_WAIT):
    """Let the first hand be this one, and the only one."""
    hand = {"number": 1, "events": events} | ({"end": end} if end else {})
    return changed(record, (HANDS, [hand]), (f"{PROTOCOL}.superseded", []))


IMPOSSIBLE = {
    "fifth kong": (deal(VOLGA, [KONG] * 5), ("outcome_conflict", f"{EVENTS}.4", "SBR 2.6.1.1")),
    "robbed by nobody": (deal(VOLGA, [ROBBED]), ("outcome_conflict", f"{EVENTS}.0.robbed", "SBR 2.7.3.6 (9)")),
    "robbed and drawn": (deal(VOLGA, [ROBBED, win("S")]), ("outcome_conflict", f"{EVENTS}.0.robbed", "SBR 2.7.3.6 (9)")),
    "winner plays on": (deal(VOLGA, [win("E"), win("E")]), ("outcome_conflict", f"{EVENTS}.1.winners.0.seat", "SBR 2.6.2.2")),
    "won from oneself": (deal(VOLGA, [win("E", **{"from": "E"})]), ("winner_is_discarder", f"{EVENTS}.0.winners.0.seat", "RECORD 3")),
    "no check at the wall": (deal(VOLGA, [], {"E": WAITING}), ("check_needed", f"{HANDS}.0.end.S", "SBR 2.7.4.1")),
    "pig of the other edition": (deal(VOLGA, [], ALL_WAIT | {"N": {"state": "pig"}}), ("value_unknown", f"{HANDS}.0.end.N.state", "SBR 2.7.4.1")),
    "sixteen points in WMSG": (changed(THREE, (f"{HANDS}.1.end.S.max_base", 16)), ("out_of_range", f"{HANDS}.1.end.S.max_base", "WMSG 11.3")),
    "below the minimum": (changed(MCR, (f"{HANDS}.1.events.1.winners.0.fans", 7)), ("below_minimum", f"{HANDS}.1.events.1.winners.0.fans", "MCR scoring 1a")),
    "two winners in MCR": (changed(MCR, (f"{HANDS}.2.events.0.winners.1", {"seat": "N", "fans": 9})), ("multi_win", f"{HANDS}.2.events.0.winners", "MCR winning 2e")),
    "fans that do not add up": (changed(MCR, (f"{HANDS}.0.events.0.winners.0.fans", 11)), ("payment_mismatch", f"{HANDS}.0.events.0.winners.0.fan_list", "MCR scoring 1d")),
    "offender wins": (changed(MCR, (f"{HANDS}.1.events.1.winners.0.seat", "W")), ("outcome_conflict", f"{HANDS}.1.events.1.winners.0.seat", "MCR offences 6")),
    "a hand beyond the limit": (changed(MCR, ("regulation.hands_limit", 3)), ("game_over", f"{HANDS}.3.number", "RULES 1.4")),
    "golden rule": (changed(SIAM, (f"{HANDS}.0.events.2.winners.0.fans", 27)), ("golden_rule", f"{HANDS}.0.events.2.winners.0.fans", "SIAM 4")),
    "kong in red": (changed(RED, (f"{HANDS}.1.events.0", KONG)), ("event_unknown", f"{HANDS}.1.events.0", "RECORD 3")),
    "two fu": (changed(EMA, (f"{HANDS}.0.events.0.winners.0.fu", 2)), ("han_fu", f"{HANDS}.0.events.0.winners.0.fu", "RIICHI 4.1.1")),
    "no outcome": (changed(EMA, (f"{HANDS}.2.events", [])), ("outcome_conflict", f"{HANDS}.2.events", "RIICHI 3.4")),
    "nagashi": (changed(EMA, (f"{HANDS}.3.events.0.winners.0", {"seat": "S", "limit": "mangan", "nagashi": True})), ("nagashi_off", f"{HANDS}.3.events.0.winners.0.nagashi", "RIICHI 4.2.6")),
    "points from nowhere": (changed(FESTIVAL, (f"{PROTOCOL}.final.E", 42000)), ("not_zero_sum", f"{PROTOCOL}.final", "RULES 1.5")),
    "half a stick": (changed(FESTIVAL, (f"{PROTOCOL}.final.E", 41050), (f"{PROTOCOL}.final.S", 29950)), ("unit", f"{PROTOCOL}.final.E", "RULES 1.5")),
    "a hand that riichi has not": (changed(EMA, (f"{PROTOCOL}.superseded.0", {"number": 1, "events": [KONG], "how": "voided", "reason": "Не та игра, не та запись"})), ("event_unknown", f"{PROTOCOL}.superseded.0.events.0", "RECORD 3")),
    "chief referee plays": (changed(VOLGA, ("officials.0.player", "p1")), ("conflict_of_interest", f"{TABLE}.seats.0.player", "RIICHI reg. 5.5")),
    "unconfirmed": (changed(VOLGA, (f"{PROTOCOL}.confirmed", ["E", "S"])), ("not_confirmed", f"{PROTOCOL}.confirmed", "SBR 2.5.8.4")),
    "late and yet there": (changed(VOLGA, ("lateness.0.seconds", 901)), ("late_beyond_limit", "lateness.0.seconds", "SBR 2.8.4.5")),
    "appeal where there is none": (changed(VOLGA, ("regulation.appeals", None)), ("no_appeals", "appeals.0.session", "RIICHI reg. 5.4")),
    "appeal against no table": (changed(VOLGA, ("appeals.0.against", {"table": 2})), ("no_table", "appeals.0.against.table", "RECORD 2")),
    "appeal against a hand of no table": (changed(VOLGA, ("appeals.0.against", {"hand": 2})), ("against_needed", "appeals.0.against.table", "RECORD 2")),
    "decision out of bounds": (changed(MCR, ("penalties.3.points", 61)), ("penalty_amount", "penalties.3.points", "RULES 1.8")),
    "nobody's time zone": (changed(VOLGA, ("tournament.time_zone", "Mars/Olympus")), ("time_zone", "tournament.time_zone", "RECORD 2")),
    "TP for no such table": (changed(THREE, ("regulation.tournament_points.3", ...)), ("points_table", "regulation.tournament_points", "RULES 8.33")),
    "minimum beyond any hand": (changed(MCR, ("regulation.system_rules.minimum", 401)), ("out_of_range", "regulation.system_rules.minimum", "RECORD 2")),
    "fraction not reduced": (changed(VOLGA, ("regulation.fixed_result.tournament_points", "2/4")), ("fraction_form", "regulation.fixed_result.tournament_points", "RECORD 2")),
    "name not composed": (changed(VOLGA, ("players.0.name", "Е\u0308жик")), ("text_characters", "players.0.name", "RECORD 2")),
    "a mark that is false": (changed(VOLGA, (f"{EVENTS}.1.replacement_win", False)), ("mark_type", f"{EVENTS}.1.replacement_win", "RECORD 3")),
    "number with a point": (changed(VOLGA, (f"{EVENTS}.1.winners.0.fans", 2.0)), ("number_type", f"{EVENTS}.1.winners.0.fans", "RECORD 3")),
    "a field of its own": (changed(VOLGA, ("players.0.birth_year", 1980)), ("unknown_field", "players.0.birth_year", "RECORD 2")),
}  # fmt: skip


@pytest.mark.parametrize(("data", "problem"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_cannot_have_been_is_refused_with_place_and_clause(data, problem):
    """[RECORD] [RULES 1.5] [RULES 1.8]"""
    assert problem in refusals(data)


def test_everything_that_is_wrong_is_told_at_once():
    """[RECORD]"""
    data = changed(
        VOLGA,
        ("tournament.time_zone", "Mars/Olympus"),
        ("regulation.sessions", 0),
        ("players.0.shoe_size", 43),
        (f"{HANDS}.0.events.0.kind", "golden"),
    )
    data["extra"] = 1
    assert sorted(field for _, field, _ in refusals(data)) == [
        "extra",
        "players.0.shoe_size",
        "regulation.sessions",
        f"{HANDS}.0.events.0.kind",
        "tournament.time_zone",
    ]


def test_hands_and_people_are_judged_together():
    """[RECORD]"""
    data = changed(
        VOLGA,
        ("officials.0.player", "zz"),
        (f"{PROTOCOL}.confirmed", []),
        (f"{HANDS}.1.events.0.from", "S"),
    )
    assert [field for _, field, _ in refusals(data)] == [
        "officials.0.player",
        f"{PROTOCOL}.confirmed",
        f"{HANDS}.1.events.0.from",
    ]


def bare(**parts):
    """Return the least that a record may hold."""
    data = deepcopy(VOLGA)
    empty = (
        "players",
        "registrations",
        "substitutes",
        "officials",
        "sessions",
        "lateness",
        "penalties",
        "appeals",
    )
    data["declared"] |= {name: [] for name in empty} | parts
    return data


def session(number=1, state="planned", tables=(), **more):
    return {
        "number": number,
        "state": state,
        "seating": {"mode": "random", "seed": "1"},
        "tables": list(tables),
    } | more


SEATS = VOLGA["declared"]["sessions"][0]["tables"][0]["seats"]
NO_HANDS = {"mode": "hands", "hands": [], "superseded": [], "confirmed": []}
PEOPLE = {name: VOLGA["declared"][name] for name in ("players", "registrations", "substitutes", "officials")}


def seated(state, protocol, seats=SEATS, **more):
    tables = [{"number": 1, "seats": list(seats), "protocol": protocol}]
    return bare(sessions=[session(state=state, tables=tables, **more)], **PEOPLE)


TIMES = {"started_at": "2025-05-10T06:00:00Z", "ended_at": "2025-05-10T07:00:00Z"}
LEFT_OVER = [{"wind": "E", "player": "p1"}, {"wind": "S", "player": None, "for": "p2"}]

POSSIBLE = {
    "nothing but a tournament": bare(),
    "a session without tables": bare(sessions=[session(), session(2)], **PEOPLE),
    "a seating without protocols": seated("planned", None),
    "a seating with protocols": seated("planned", NO_HANDS),
    "in play since nobody knows when": seated("open", NO_HANDS),
    "in play and not begun": seated("open", None),
    "in play and confirmed by one": seated("open", {**NO_HANDS, "confirmed": ["N"]}, started_at=TIMES["started_at"]),
    "confirmed in another order": seated("open", {**NO_HANDS, "confirmed": ["W", "E", "N"]}),
    "closed without a hand": seated("closed", {**NO_HANDS, "signed_off": True}, **TIMES),
    "two left over": seated("closed", None, LEFT_OVER, **TIMES),
    "own regulation as the tournament's": seated("planned", None, regulation={"table_size": 4, "hands_limit": None}),
    "an empty regulation of its own": seated("planned", None, regulation={}),
    "a substitute who waited in vain": changed(VOLGA, ("registrations.4", {"player": "s1", "number": 9, "status": "waiting", "checked_in": False})),
    "a substitute in nobody's seat from hand 2": changed(VOLGA, (f"{TABLE}.seats.2", {"wind": "W", "player": "s1", "from_hand": 2})),
    "no federation number": changed(VOLGA, ("players.0.federation_ids", {})),
    "names of one letter": changed(VOLGA, ("players.0.name", "x"), ("tournament.name", "Ы"), ("players.1.club", "-")),
    "an erased person": changed(VOLGA, ("players.0.name", None)),
    "a long clause": changed(VOLGA, ("penalties.0.clause", "SBR 2.8.2, " * 400)),
    "a long address": changed(VOLGA, ("tournament.slug", "a" * 100)),
    "a thousand sessions planned": changed(VOLGA, ("regulation.sessions", 10**9)),
    "an appeal at the end of time": changed(
        VOLGA,
        ("sessions.0.ended_at", "9999-12-31T23:59:58Z"),
        ("appeals.0.filed_at", "9999-12-31T23:59:59Z"),
        ("regulation.appeals.minutes", 10**9),
    ),
    "fewer sessions planned than played": bare(sessions=[session(), session(2), session(3)], **PEOPLE),
    "waived without a word": changed(VOLGA, ("lateness.0.waived", True)),
    "large amounts": changed(VOLGA, ("appeals.0.deposit", "999999999999.99"), ("regulation.entry_fee", "9" * 20)),
    "large penalties": changed(VOLGA, ("penalties.0", VOLGA["declared"]["penalties"][0] | {"kind": "decision", "points": 10**9, "to": "table"})),
    "ids that the desk would give": changed(VOLGA, ("adjustments.0", {"id": "d1", "session": None, "player": "p1", "reason": "Решение судьи", "game_points": 1})),
}  # fmt: skip


@pytest.mark.parametrize("data", POSSIBLE.values(), ids=POSSIBLE)
def test_what_may_have_been_is_taken_and_leaves_as_it_came(data):
    """[RECORD]"""
    VALID.validate(data)
    taken = import_record(data, by=importer()).tournament
    out = json.loads(json.dumps(export_record(Tournament.objects.get(pk=taken.pk))))
    assert out["declared"] == data["declared"]
    VALID.validate(out)
    assert verify(taken) == []


@pytest.mark.parametrize("protocol", [NO_HANDS, None], ids=["laid out", "not yet laid out"])
def test_a_seating_that_came_in_a_record_can_be_played(protocol):
    data = changed(seated("planned", protocol), ("tournament.state", "running"))
    taken = import_record(data, by=importer()).tournament
    play.start_session(Session.objects.get(tournament=taken, number=1), by=make.organizer_of(taken))
    (laid_out,) = Protocol.objects.filter(table__session__tournament=taken)
    make.record(laid_out, make.east_from_south(2))
    assert [
        hand["number"]
        for hand in export_record(taken)["declared"]["sessions"][0]["tables"][0]["protocol"]["hands"]
    ] == [1]


def test_computed_and_history_may_be_left_out():
    """Whoever drops `computed` loses nothing. [RECORD]"""
    said = {name: part for name, part in VOLGA.items() if name not in ("computed", "history")}
    taken = import_record(said, by=importer())
    assert taken.differences == ()
    assert export_record(taken.tournament)["computed"] == VOLGA["computed"]


# Files


def run(body, *arguments):
    """Return status, output and complaints of `import_record -`."""
    out, err = StringIO(), StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", TextIOWrapper(BytesIO(body)))
        try:
            call_command("import_record", "-", *arguments, stdout=out, stderr=err)
        except CommandError as error:
            return error.returncode, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"Volga open", "This is not valid JSON (position 1). [RECORD 1]\n"),
        (b"", "This is not valid JSON (position 1). [RECORD 1]\n"),
        (b'{"format": "\xff"}', "The text is not valid UTF-8. [RECORD 1]\n"),
        (b'{"a": NaN, "b": 1, "b": 2}', "Standard JSON has no number NaN. [RECORD 1]\nb: “b” occurs twice. [RECORD 1]\n"),
        (b"[" * 100_000, "The JSON is nested too deeply. [RECORD 1]\n"),
        (b"[]", "An object with named fields is expected here. [RECORD]\n"),
        (b'{"format": "four-winds-record", "version": 3}', "version: Versions 1 to 2 of the record are known here. [RECORD]\n"),
        (b'{"format": "four-winds-record", "version": 1}', "declared: The field “declared” is missing. [RECORD]\n"),
    ],
    ids=["no JSON", "nothing", "no UTF-8", "NaN and a key twice", "too deep", "no object", "version", "no facts"],
)  # fmt: skip
def test_a_file_that_is_no_record_is_answered_plainly(body, said):
    """[RECORD 1]"""
    assert run(body) == (1, "", said)
    assert not User.objects.exists()


def test_a_file_too_large_is_not_read(monkeypatch):
    monkeypatch.setattr("tournaments.management.commands.import_record.LARGEST", 0)
    assert run(b"{}") == (1, "", "The file is too large; at most 0 MB are read. [RECORD 1]\n")


BELONGS_TO_NOBODY = "It belongs to nobody yet: manage.py give_event %s NAME\n"


def test_a_record_comes_from_standard_input_and_leaves_to_standard_output():
    body = b"\xef\xbb\xbf" + json.dumps(VOLGA).encode()
    assert run(body) == (0, f"volga-open: taken in.\n{BELONGS_TO_NOBODY % 'volga-open'}", "")
    out = StringIO()
    call_command("export_record", "volga-open", stdout=out)
    assert json.loads(out.getvalue())["declared"] == VOLGA["declared"]


def test_differences_are_told_and_do_no_harm():
    said = deepcopy(VOLGA)
    said["computed"]["standings"][1]["values"]["game_points"] = "3"
    del said["computed"]["penalties"]["n2"]
    told = (
        'computed.penalties.n2: nothing in the file, {"game_points": -2, "step": 2} here\n'
        'computed.standings.1.values.game_points: "3" in the file, 3 here\n'
        f"volga-open: taken in.\n{BELONGS_TO_NOBODY % 'volga-open'}"
    )
    assert run(json.dumps(said).encode()) == (0, told, "")


def test_the_same_address_is_taken_once_and_another_may_be_named():
    body = json.dumps(VOLGA).encode()
    run(body)
    taken = "declared.tournament.slug: There is an event at the address “volga-open” already. [RECORD 2]\n"
    assert run(body) == (1, "", f"{taken}Give it another address with --slug ADDRESS.\n")
    assert run(body, "--slug", "volga-again") == (
        0,
        f"volga-again: taken in.\n{BELONGS_TO_NOBODY % 'volga-again'}",
        "",
    )
    for name in ("volga-open", "volga-again"):
        declared = export_record(Tournament.objects.get(slug=name))["declared"]
        assert declared["tournament"].pop("slug") == name
        assert declared == {**VOLGA["declared"], "tournament": declared["tournament"]}


@pytest.mark.parametrize("named", ["a/b", "Volga", "волга", "a--b", "a" * 101])
def test_another_address_is_held_to_the_form_of_addresses(named):
    status, said, refused = run(json.dumps(VOLGA).encode(), "--slug", named)
    assert (status, said) == (1, "")
    assert refused.startswith("declared.tournament.slug: The text ")
    assert refused.endswith(" [RECORD 2]\n")
    assert not Tournament.objects.exists()


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(CommandError, match=r"“/no/such/file\.json” cannot be read"):
        call_command("import_record", "/no/such/file.json")
    with pytest.raises(CommandError, match="There is no tournament “nowhere”"):
        call_command("export_record", "nowhere")


def test_where_no_file_can_be_written_the_command_says_so(tmp_path):
    run(json.dumps(VOLGA).encode())
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_record", "volga-open", output=str(tmp_path))


def routes(patterns, before=""):
    """List the addresses of a tournament's pages."""
    for one in patterns:
        route = before + str(one.pattern)
        if hasattr(one, "url_patterns"):
            yield from routes(one.url_patterns, route)
        elif route.startswith("<slug:slug>/"):
            yield route


def pages_open(client, data):
    """Take a record in and open every page of it as one who may see all."""
    user = make.user()
    taken = import_record(data, by=make.actor(user, "organizer")).tournament
    for kind in ("organizer", "chief_referee"):
        Role.objects.create(tournament=taken, user=user, kind=kind)
    recompute.recompute(taken.pk)
    client.force_login(user)
    values = {"slug": taken.slug, "form": "csv", "session": "1", "table": "1", "number": "1"}
    for route in routes(get_resolver().url_patterns):
        address = re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values.get(found[1], "1"), route)
        if "stream" not in address:
            assert client.get(f"/{address}").status_code < 500, address
    return taken


@pytest.mark.parametrize(("preset", "seed"), [("sbr", 0), pytest.param("wmsg", 1, marks=pytest.mark.once)])
def test_every_page_of_what_was_taken_in_opens(client, preset, seed):
    """Whatever ids, gaps and missing parts a record has, no page of it breaks."""
    pages_open(client, random_record(preset, seed))


FIRST, LAST = "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"


@pytest.mark.parametrize(
    ("zone", "moment", "state"),
    [
        ("America/Adak", FIRST, "closed"),
        ("Pacific/Kiritimati", LAST, "closed"),
        ("Pacific/Kiritimati", LAST, "open"),
    ],
)
def test_every_page_opens_at_the_ends_of_the_calendar(client, zone, moment, state):
    """A legal instant may be the first or the last that there is, and a legal limit a thousand millions of minutes."""
    day = moment[:10]
    changes = [
        ("tournament.time_zone", zone),
        ("tournament.first_day", day),
        ("tournament.last_day", day),
        ("sessions.0.started_at", moment),
        ("sessions.0.ended_at", moment),
        ("appeals.0.filed_at", moment),
        *[(f"appeals.0.rulings.{place}.at", moment) for place in range(len(APPEAL["rulings"]))],
        ("regulation.appeals.minutes", 10**9),
        ("regulation.session_minutes", 10**9),
        ("regulation.warning_minutes", 10**9),
    ]
    if state == "open":
        changes += [
            ("tournament.state", "running"),
            ("sessions.0.state", "open"),
            ("sessions.0.ended_at", ...),
        ]
    taken = pages_open(client, changed(VOLGA, *changes))
    said = export_record(Tournament.objects.get(pk=taken.pk))["declared"]
    assert said["sessions"][0]["started_at"] == moment
    assert said["tournament"]["last_day"] == day
    days = client.get(f"/{taken.slug}/timetable.ics").content.decode()
    assert f"DTSTART;VALUE=DATE:{day.replace('-', '')}" in days
    assert f"DTSTART:{moment.replace('-', '').replace(':', '')}" in days


@pytest.mark.parametrize("system", ["sbr", "mcr"])
def test_a_sheet_has_lines_for_an_evening_however_many_hands_are_allowed(client, system):
    """A legal limit may be a thousand millions. [RULES 1.5]"""
    user = make.user()
    data = random_record(system, 0)
    data["declared"]["regulation"]["hands_limit"] = 10**9
    for one in data["declared"]["sessions"]:
        one.get("regulation", {}).pop("hands_limit", None)
    del data["computed"]
    taken = import_record(data, by=make.actor(user, "organizer")).tournament
    Role.objects.create(tournament=taken, user=user, kind="organizer")
    client.force_login(user)
    assert client.get(f"/{taken.slug}/desk/sessions/1/sheets/").status_code == 200
    assert len(lines_of(system.upper(), taken.regulation, "ESWN")) == MOST_LINES
