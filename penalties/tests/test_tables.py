"""The list of penalties as a file: one table in every form that the site writes. [INTEGRITY 4]"""

import csv
import io
import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from penalties.appeals import operations as appeals_operations
from penalties.tests import factories as judge
from tournaments.models import Protocol
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
REASON = "=HYPERLINK(1)"


@pytest.fixture
@remembered
def event():
    """A step that cost, points given to the table, half a tournament point, and a penalty that an appeal undid."""
    of = make.tournament("sbr")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    for _ in range(3):
        last = judge.give(judge.seat(session, "E"), "touching", session, hand=2)
    judge.give(judge.seat(session, "S"), "phone", session, points=8, to="table", reason=REASON)
    judge.give(judge.seat(session, "W"), "phone", session, effect="tournament_points", points=Fraction(1, 2))
    appeals_operations.decide(
        judge.appeal(last), "upheld", judge.LONG, body="chief_referee", by=judge.judge(of)
    )
    return of


def reader(of):
    client = Client()
    client.force_login(make.staff(of, "chief_referee"))
    return client


def rows_of(of, form, **said):
    answer = reader(of).get(reverse("penalties:penalties_file", args=[of.slug, form]), said)
    assert answer["Content-Disposition"] == f'attachment; filename="{of.slug}-penalty-list.{form}"'
    if form == "xlsx":
        return [[cell.value for cell in row] for row in load_workbook(io.BytesIO(answer.content)).active]
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


def column(rows, name):
    at = rows[0].index(name)
    return [row[at] for row in rows[1:]]


def test_the_list_tells_step_price_and_how_a_penalty_was_undone(event):
    rows = rows_of(event, "csv")
    assert column(rows, "Step") == ["1", "2", "", "", "1"]
    assert column(rows, "Game points") == ["0", "-2", "0", "-24", "0"]
    assert column(rows, "Tournament points") == ["0", "0", "0", "0", "-0 1/2"]
    assert column(rows, "Received by") == ["", "", "", "Each other player at the table", ""]
    assert column(rows, "State") == ["In force", "In force", "Revoked", "In force", "In force"]
    assert column(rows, "Why revoked") == ["", "", "Appeal no. 1", "", ""]


def test_no_cell_is_executed(event):
    assert column(rows_of(event, "csv"), "What happened")[3] == f"'{REASON}"
    assert column(rows_of(event, "xlsx"), "What happened")[3] == REASON


def test_both_forms_hold_the_same(event):
    written, page = rows_of(event, "csv"), rows_of(event, "xlsx")
    assert page[0] == written[0]
    for name in ("No.", "Player", "Clause", "Game points", "State"):
        assert [str(cell) for cell in column(page, name)] == column(written, name)
    assert column(page, "Tournament points")[4] == -0.5


def test_on_a_phone_no_label_stands_without_a_value(event):
    """Cells of cards are left out where they are empty, so they hold no spaces either."""
    session = event.sessions.get(number=1)
    session.tournament = event
    judge.give(judge.seat(session, "N"), "phone", session, effect="warning")
    page = reader(event).get(reverse("penalties:penalties", args=[event.slug])).content.decode()
    assert re.findall(r"<td[^>]*data-label[^>]*>\s+</td>", page) == []
    assert page.count("<td></td>") == 0
    labels = [
        re.findall(rf'<td[^>]*data-label="{name}"[^>]*>(.*?)</td>', page, re.DOTALL)
        for name in ("What follows", "Taken")
    ]
    assert [[cell.strip() for cell in cells].count("") for cells in labels] == [2, 1]


def public_rows(of, form):
    """The list that everybody can take home."""
    answer = Client().get(f"/{of.slug}/downloads/penalties.{form}")
    if form == "xlsx":
        return [[cell.value for cell in row] for row in load_workbook(io.BytesIO(answer.content)).active]
    return list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_the_public_list_names_warnings_among_what_cost_points(event, form):
    """A warning is a penalty whose step costs nothing. [SBR 2.8.2]"""
    rows = public_rows(event, form)
    east = event.players.select_related("registration").get(seats__wind="E")
    said = [str(cell or "") for cell in rows[1]]
    assert said[:6] == ["1", str(east.registration.number), str(east), "Warning", "", ""]
    assert said[8] == "SBR 2.8.2 (4)"
    origins = column(rows, "Origin")
    assert origins[:3] == ["Warning", "Penalty", "Penalty"]
    assert origins.count("Warning") == 1
    assert len(origins) == 1 + event.adjustments.filter(reversed_at=None).count()


def test_the_public_list_names_what_follows_beside_points(event):
    session = event.sessions.get(number=1)
    session.tournament = event
    table = judge.seat(session, "N").seats.get(session=session).table
    make.record(Protocol.objects.select_related("table__session__tournament").get(table=table))
    judge.give(judge.seat(session, "N"), "phone", session, effect="warning")
    judge.give(judge.seat(session, "N"), "phone", session, effect="removal", reason=judge.LONG)
    assert column(public_rows(event, "csv"), "Origin")[-2:] == ["Warning", "Removal from the event"]


def test_another_form_is_not_known(event):
    page = reverse("penalties:penalties_file", args=[event.slug, "pdf"])
    assert reader(event).get(page).status_code == 404


@pytest.mark.parametrize("page", ["penalties:penalties", "tournaments:downloads"])
def test_both_forms_are_offered(event, page):
    shown = reader(event).get(reverse(page, args=[event.slug])).content.decode()
    for form in ("csv", "xlsx"):
        assert reverse("penalties:penalties_file", args=[event.slug, form]) in shown
