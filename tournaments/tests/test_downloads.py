"""What can be taken home: tables exact and harmless, private data kept, the record by its digest, calendars by the book."""

import csv
import hashlib
import io
import json
import re
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

import scoring
from tournaments.exchange import calendar, tables
from tournaments.exchange.intake import import_record
from tournaments.exchange.record import export_record
from tournaments.exchange.record_file import record_file
from tournaments.exchange.tables import PUBLIC
from tournaments.models import Player, Session, Tournament
from tournaments.people.operations import registration
from tournaments.privacy import operations as privacy
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.markup import tight
from tournaments.tests.remembered import remembered
from tournaments.web import files
from tournaments.web.files import FileTable

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def played():
    """A tournament whose first session is closed."""
    of = make.tournament("sbr", sessions=1)
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    make.record(_protocol(session))
    make.settle(session)
    play.close_session(Session.objects.get(pk=session.pk), by=make.organizer_of(of))
    recompute.recompute(of.pk)
    return Tournament.objects.get(pk=of.pk)


@pytest.fixture
@remembered
def finished(played):
    return events.close_tournament(played, by=make.organizer_of(played))


def _protocol(session):
    from tournaments.models import Protocol

    rows = Protocol.objects.select_related("table__session__tournament")
    return rows.get(table__session=session, table__number=1)


def rows_of(answer, separator=","):
    text = answer.content.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


def pages_of(answer):
    book = load_workbook(io.BytesIO(answer.content))
    return {page.title: [[cell.value for cell in row] for row in page.iter_rows()] for page in book}


# Every table


@pytest.mark.parametrize("name", PUBLIC)
def test_every_table_is_the_same_in_both_forms(played, name):
    client = Client()
    written = rows_of(client.get(f"/{played.slug}/downloads/{name}.csv"))
    (page,) = pages_of(client.get(f"/{played.slug}/downloads/{name}.xlsx")).values()
    page = page[-len(written) :]
    assert [str(cell) for cell in page[0]] == written[0]
    assert len(page) == len(written)
    assert all(len(row) == len(written[0]) for row in written)


@pytest.mark.parametrize("name", PUBLIC)
def test_no_public_table_tells_how_to_reach_anybody(played, name):
    Player.objects.filter(tournament=played).update(email="wren@example.org", phone="+7 900 000-00-00")
    played.registrations.update(comment="Needs a ramp")
    body = Client().get(f"/{played.slug}/downloads/{name}.csv").content.decode()
    assert not re.search("example.org|900 000|ramp", body)


def test_contacts_are_for_those_who_manage_the_people(played):
    """[INTEGRITY 4]"""
    Player.objects.filter(tournament=played).update(email="wren@example.org")
    url = f"/{played.slug}/desk/people/contacts.csv"
    assert Client().get(url).status_code == 302
    referee, organizer = Client(), Client()
    referee.force_login(make.staff(played, "referee"))
    organizer.force_login(played.created_by)
    assert referee.get(url).status_code == 403
    answer = organizer.get(url)
    assert rows_of(answer)[1][3] == "wren@example.org"
    assert "no-store" in answer["Cache-Control"]


def test_standings_hold_every_criterion_and_sessionexactly(played):
    rows = rows_of(Client().get(f"/{played.slug}/downloads/standings.csv"))
    head, first = rows[0], rows[1]
    row = played.standings.get(position=1)
    said = dict(zip(head, first, strict=True))
    assert said["Place"] == str(row.place)
    assert said["Name"] == str(row.player)
    assert said["TP"] == files.csv_text(tables.exactly(row.values["tournament_points"]))
    assert said["Session 1: GP"] == str(row.results[0]["game_points"])


def test_hands_add_up_to_nothing_line_by_line(played):
    rows = rows_of(Client().get(f"/{played.slug}/downloads/hands.csv"))
    assert [sum(int(cell or 0) for cell in row[7:12]) for row in rows[1:]] == [0]
    assert rows[1][6] == "East off South"


def test_nobody_has_tournament_points_for_a_game_they_missed_where_none_are_given():
    """Whatever the regulation says of awarded results. [RULES 8.52] [RULES 9.3]"""
    path = Path(scoring.__file__).parent / "tests" / "vectors" / "record_riichi_ema.json"
    data = json.loads(path.read_text("utf-8"))
    said = data["declared"]
    said["players"].append({"id": "p5", "name": "Без стола"})
    said["registrations"].append({"player": "p5", "number": 5, "status": "active", "checked_in": True})
    seats = [{"wind": "E", "player": "p5"}]
    said["sessions"][0]["tables"].append({"number": 2, "seats": seats, "protocol": None})
    of = import_record(data, by=make.actor(make.user(), "organizer")).tournament
    recompute.recompute(of.pk)
    left_over = {"kind": "awarded", "game_points": 0, "tournament_points": None, "place": "2", "uma": "5"}
    assert export_record(of)["computed"]["sessions"][0]["results"]["p5"] == left_over
    client = Client()
    by_name = {row[3]: row for row in rows_of(client.get(f"/{of.slug}/downloads/results.csv"))}
    assert by_name["Без стола"] == ["1", "2", "5", "Без стола", "0", "", "2", "Awarded"]
    head, *rows = rows_of(client.get(f"/{of.slug}/downloads/standings.csv"))
    assert {row[head.index("Session 1: TP")] for row in rows} == {""}
    head, *rows = rows_of(client.get(f"/{of.slug}/downloads/ema.csv"))
    assert {row[head.index("Table points")] for row in rows} == {""}


def test_seating_of_a_session_that_is_not_published_is_in_no_table():
    of = make.tournament()
    make.players(of, 4)
    make.seated(of)
    assert len(rows_of(Client().get(f"/{of.slug}/downloads/seating.csv"))) == 5
    of.sessions.update(published_at=None)
    assert len(rows_of(Client().get(f"/{of.slug}/downloads/seating.csv"))) == 1


@pytest.mark.parametrize(
    ("preset", "said"), [("mcr", "is awarded 3 TP."), ("riichi_ema", "gets the awarded result.")]
)
def test_the_desk_awards_points_only_where_there_are_any(preset, said):
    """[RULES 8.32]"""
    of = make.tournament(preset)
    make.players(of, 5)
    of.registrations.update(checked_in_at=datetime(2026, 5, 9, 6, tzinfo=UTC))
    client = Client()
    client.force_login(of.created_by)
    page = client.get(f"/{of.slug}/desk/check-in/", headers={"Accept-Language": "en"}).content.decode()
    assert f"Else 1 player has no game in each session and {said}" in page


def test_the_number_of_queries_does_not_grow_with_the_players(django_assert_max_num_queries):
    counts = []
    for number in (4, 12):
        of = make.tournament()
        make.players(of, number)
        make.in_play(of)
        recompute.recompute(of.pk)
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        with CaptureQueriesContext(connection) as captured:
            Client().get(f"/{of.slug}/downloads/all.xlsx")
        counts.append(len(captured))
    assert counts[0] == counts[1]


def test_all_tables_come_in_one_workbook(played):
    pages = pages_of(Client().get(f"/{played.slug}/downloads/all.xlsx"))
    assert list(pages) == [
        "Standings",
        "Results by session",
        "Players",
        "Teams and groups",
        "Prize list",
        "Seating",
        "Hands",
        "Penalties and decisions",
        "Sessions",
    ]


def test_teams_are_ranked_as_the_regulation_says():
    best = {"by": "team", "mode": "sum", "best": None, "ranking": ["tournament_points", "game_points"]}
    of = make.tournament(team_size=2, sessions=1, group_tables=[best])
    for index, row in enumerate(make.players(of, 4)):
        details = registration.Details(name=row.player.name, team="AB"[index % 2])
        row.tournament = row.player.tournament = of
        registration.change_player(row, details, by=make.organizer_of(of))
    make.record(_protocol(make.in_play(of)))
    recompute.recompute(of.pk)
    rows = rows_of(Client().get(f"/{of.slug}/downloads/teams.csv"))
    assert [row[:4] for row in rows[1::2]] == [
        ["Teams", "1", rows[1][2], "TP"],
        ["Teams", "2", rows[3][2], "TP"],
    ]
    assert {rows[1][2], rows[3][2]} == {"A", "B"}


@pytest.mark.parametrize(
    "url", ["downloads/nothing.csv", "downloads/standings.pdf", "downloads/contacts.csv"]
)
def test_there_is_no_other_table(played, url):
    assert Client().get(f"/{played.slug}/{url}").status_code == 404


# Forms


@pytest.mark.parametrize(
    ("language", "separator"), [("en", ","), ("ru", ";"), ("de", ",")], ids=["en", "ru", "unknown"]
)
def test_a_spreadsheet_finds_the_separator_of_its_language(played, language, separator):
    answer = Client(headers={"Accept-Language": language}).get(f"/{played.slug}/downloads/players.csv")
    assert answer.content.startswith(b"\xef\xbb\xbf")
    assert len(rows_of(answer, separator)[1]) == 12


def test_the_separator_can_be_chosen(played):
    url = f"/{played.slug}/downloads/players.csv"
    assert len(rows_of(Client().get(url, {"separator": "tab"}), "\t")[0]) == 12
    refused = Client().get(url, {"separator": "|"}, headers={"Accept": "application/json"})
    assert (refused.status_code, refused.json()["code"]) == (422, "filter_unknown")


@pytest.mark.parametrize("text", ["=1+1", "+7", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_no_text_is_run_by_a_spreadsheet(text):
    """[INTEGRITY 4]"""
    sheet = FileTable(["Name"], [[text]])
    body = b"".join(files.csv_lines(sheet)).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(body, newline="")))[1] == [f"'{text}"]
    cell = load_workbook(io.BytesIO(files.workbook([("One", sheet)]))).active["A2"]
    assert cell.data_type == "s"


@given(value=st.fractions(min_value=-1000, max_value=1000, max_denominator=500))
def test_a_fraction_is_written_so_that_it_can_be_read_backexactly(value):
    text = files.exact_text(value)
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text)
    whole, _, part = rest.partition(" ")
    assert sign * (int(whole) + Fraction(part or 0)) == value
    assert not re.fullmatch(r"\d+/\d+", text), "a spreadsheet would take it for a date"


def test_a_workbook_shows_fractions_as_fractions():
    sheet = FileTable(["TP"], [[Fraction(31, 3)], [Fraction(1, 400)], [4]])
    page = load_workbook(io.BytesIO(files.workbook([("One", sheet)]))).active
    assert [page[f"A{row}"].number_format for row in (2, 3, 4)] == ["# ??/??", "0.00##", "General"]
    assert page["A2"].value == pytest.approx(31 / 3)


def test_a_workbook_of_too_many_rows_is_refused(monkeypatch, played):
    monkeypatch.setattr(files, "MOST_ROWS", 2)
    answer = Client().get(f"/{played.slug}/downloads/players.xlsx")
    assert answer.status_code == 422
    assert "take the CSV file" in answer.content.decode()


# The federation's list


def test_ema_list_says_what_the_federation_asks(played):
    first = played.standings.get(position=1)
    Player.objects.filter(pk=first.player_id).update(country="RU", federation_ids={"EMA": "15010001"})
    page = pages_of(Client().get(f"/{played.slug}/downloads/ema.xlsx"))["EMA result list"]
    facts = {row[0]: row[1] for row in page[:10]}
    assert (facts["Players"], facts["Rules"], facts["Days"]) == (4, "SBR", 2)
    assert page[9][0] == "Weight (MERS)"
    head = [
        "Place",
        "First name",
        "Last name",
        "EMA number",
        "EMA member",
        "Country",
        "Table points",
        "Score",
    ]
    assert page[11] == head
    assert page[12][:6] == [1, None, str(first.player), "15010001", "yes", "RUS"]
    assert page[12][7] == first.results[0]["game_points"]
    assert page[13][3:6] == [None, "no", None]


@pytest.mark.parametrize(
    ("two", "three"),
    [
        ("RU", "RUS"), ("DE", "GER"), ("DK", "DEN"), ("NL", "NED"), ("CH", "SUI"), ("PT", "POR"), ("GB", "GBR"),
        ("FR", "FRA"), ("", ""),
    ],
)  # fmt: skip
def test_countries_have_the_three_letters_of_the_federation(two, three):
    assert tables.ema_country(two) == three


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Wren", ("", "Wren")),
        ("Anna Maria Heron", ("Anna Maria", "Heron")),
        ("Иволга Сойка", ("Иволга", "Сойка")),
    ],
)
def test_ema_list_has_first_and_last_names(name, parts):
    assert tables.first_and_last(name) == parts


@pytest.mark.parametrize(
    ("written", "number"), [("4010017", "04010017"), ("15 010 001", "15010001"), ("n/a", "n/a"), ("", "")]
)
def test_ema_numbers_have_eight_digits(written, number):
    assert tables.ema_number(written) == number


@pytest.mark.parametrize(
    ("value", "text"), [(Fraction(25, 2), "12.5"), (Fraction(37, 3), "12.33"), (12, "12"), (None, "")]
)
def test_ema_list_writes_points_with_decimals_in_every_file(value, text):
    assert files.csv_text(tables.with_decimals(value)) == text


def test_the_workbook_of_everything_has_the_hands(played):
    pages = pages_of(Client().get(f"/{played.slug}/downloads/all.xlsx"))
    assert pages["Hands"][1][6] == "East off South"


# The record


def test_record_of_a_finished_event_is_the_commands_own(finished, capsys):
    """[RECORD 1]"""
    from django.core.management import call_command

    call_command("export_record", finished.slug)
    said = capsys.readouterr().out
    answer = Client().get(f"/{finished.slug}/downloads/record.json")
    assert answer.content.decode() == said
    digest = hashlib.sha256(said.encode()).hexdigest()
    assert (answer["ETag"], answer["X-Record-SHA256"]) == (f'"{digest}"', digest)
    for page in ("downloads", "final-protocol"):
        assert digest in Client().get(f"/{finished.slug}/{page}/").content.decode()


def test_record_that_is_known_is_not_sent_again(finished):
    url = f"/{finished.slug}/downloads/record.json"
    tag = Client().get(url)["ETag"]
    answer = Client().get(url, headers={"If-None-Match": tag})
    assert (answer.status_code, answer.content) == (304, b"")


def test_record_is_packed_for_whoever_can_unpack_it(finished):
    import gzip

    answer = Client().get(f"/{finished.slug}/downloads/record.json", headers={"Accept-Encoding": "gzip"})
    assert json.loads(gzip.decompress(answer.content))["format"] == "four-winds-record"
    assert "Accept-Encoding" in answer["Vary"]


def test_record_of_an_event_in_play_is_not_published(played):
    answer = Client().get(f"/{played.slug}/downloads/record.json")
    assert answer.status_code == 409


def test_record_file_follows_the_record(finished):
    before = record_file(finished).digest
    row = finished.registrations.get(number=1)
    privacy.erase_player(row.player, by=make.organizer_of(finished), reason="Asked for it by letter")
    assert record_file(Tournament.objects.get(pk=finished.pk)).digest != before


# The final protocol


def test_final_protocol_names_places_officials_and_seals(finished):
    finished.roles.filter(user=finished.created_by).update(name="Anna Jay")
    page = Client().get(f"/{finished.slug}/final-protocol/").content.decode()
    assert finished.sessions.get().checkpoint in page
    assert str(finished.standings.get(position=1).player) in page
    assert "Anna Jay" in page
    assert finished.created_by.username not in page
    assert "not finished" not in page


def test_protocol_of_an_event_in_play_says_that_it_is_not_final(played):
    page = Client().get(f"/{played.slug}/final-protocol/").content.decode()
    assert "Preliminary protocol" in page
    assert "The event is not finished; nothing here is final." in page
    assert "SHA-256" not in page


def test_pages_of_an_event_without_players_are_whole():
    of = make.tournament()
    for page in ("downloads/", "final-protocol/", "downloads/all.xlsx", "timetable.ics", "downloads/ema.csv"):
        assert Client().get(f"/{of.slug}/{page}").status_code == 200


# The calendar


def lines_of(of):
    """Unfold a calendar file, having looked at its raw lines."""
    text = Client().get(f"/{of.slug}/timetable.ics").content.decode()
    assert text.endswith("\r\n")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "\n" not in text.replace("\r\n", "")
    return text.replace("\r\n ", "").split("\r\n")


def test_calendar_holds_the_days_and_every_session_whose_time_is_known():
    of = make.tournament()
    of.sessions.filter(number=1).update(planned_at=datetime(2026, 5, 9, 6, 0, tzinfo=UTC))
    lines = lines_of(of)
    assert [line for line in lines if line.startswith("DT") and "STAMP" not in line] == [
        "DTSTART;VALUE=DATE:20260509",
        "DTEND;VALUE=DATE:20260511",
        "DTSTART:20260509T060000Z",
        f"DTEND:{datetime(2026, 5, 9, 6 + 1, 30, tzinfo=UTC):%Y%m%dT%H%M%SZ}"
        if of.regulation["session_minutes"] == 90
        else next(line for line in lines if line.startswith("DTEND:")),
    ]
    assert "X-WR-TIMEZONE:Europe/Samara" in lines
    assert any("10:00 on the clock of Europe/Samara." in line for line in lines)


def test_entries_of_a_calendar_keep_their_names_and_raise_their_numbers():
    of = make.tournament()
    before = lines_of(of)
    make.players(of, 1)
    after = lines_of(of)

    def named(lines, name):
        return [line for line in lines if line.startswith(name)]

    assert named(before, "UID") == named(after, "UID")
    assert len(set(named(after, "UID"))) == len(named(after, "UID"))
    assert named(before, "SEQUENCE") < named(after, "SEQUENCE")


def test_texts_of_a_calendar_are_escaped():
    assert calendar.escaped("a,b;c\\d\r\ne\nf") == "a\\,b\\;c\\\\d\\ne\\nf"


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=80, max_size=300))
def test_a_folded_line_unfolds_to_itself(text):
    folded = calendar.folded(text)
    assert folded.replace("\r\n ", "") == text
    assert all(len(line.encode()) <= 75 for line in folded.split("\r\n"))


# The archive


def closed(name, *, system="sbr", year=2025):
    of = make.tournament(system)
    Tournament.objects.filter(pk=of.pk).update(
        state="closed", name=name, first_day=f"{year}-05-09", last_day=f"{year}-05-10"
    )
    return of


def listed(**query):
    answer = Client().get("/archive/", query)
    assert answer.status_code == 200
    return [row["tournament"].name for row in answer.context["rows"]]


def test_archive_lists_finished_events_as_the_filters_ask():
    closed("Кубок Волги", year=2024)
    closed("Autumn Cup", system="mcr")
    make.tournament()
    assert sorted(listed()) == ["Autumn Cup", "Кубок Волги"]
    assert listed(q="ВОЛГИ") == ["Кубок Волги"]
    assert listed(system="MCR") == ["Autumn Cup"]
    assert listed(year="2024") == ["Кубок Волги"]
    assert listed(q="nothing") == []


def test_archive_lists_the_latest_first_whenever_it_was_put_in():
    for year in (2024, 2022, 2025, 2023):
        closed(f"Cup {year}", year=year)
    assert listed() == ["Cup 2025", "Cup 2024", "Cup 2023", "Cup 2022"]


def test_who_left_a_finished_event_has_taken_part():
    of = make.tournament()
    make.players(of, 3)
    of.registrations.filter(number=2).update(status="withdrawn")
    of.registrations.filter(number=3).update(status="cancelled")
    Tournament.objects.filter(pk=of.pk).update(state="closed")
    recompute.recompute(of.pk, waits=True)
    assert "2 players" in Client().get("/archive/").content.decode()
    assert '<dd data-mark="players">2' in tight(Client().get(f"/{of.slug}/"))


def test_archive_without_events_says_so():
    assert "No event is finished yet" in Client().get("/archive/").content.decode()


def test_archive_names_the_winner(finished):
    answer = Client().get("/archive/")
    assert str(finished.standings.get(position=1).player) in answer.content.decode()
    assert f"/{finished.slug}/downloads/record.json" in answer.content.decode()


def test_archive_asks_as_much_for_three_events_as_for_one(django_assert_num_queries):
    closed("One")
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as captured:
        listed()
    closed("Two")
    closed("Three")
    with django_assert_num_queries(len(captured)):
        listed()


@pytest.mark.parametrize("page", ["0", "-1", "2", "1000000000", "x", "１", "1_0", "9" * 30])
def test_a_page_that_does_not_exist_is_refused(page):
    """[INTEGRITY 145]"""
    answer = Client().get("/archive/", {"page": page}, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, "page_range")
    assert answer.json()["title"] == "Page 1 to 1; page size up to 100."


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ({"system": "chess"}, "filter_unknown"),
        ({"year": "0"}, "filter_unknown"),
        ({"q": "x" * 1000}, "query_too_long"),
    ],
)
def test_a_filter_that_is_not_known_is_refused(query, code):
    """[INTEGRITY 146] [INTEGRITY 147]"""
    answer = Client().get("/archive/", query, headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (422, code)
