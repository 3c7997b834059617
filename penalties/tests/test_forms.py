"""What the judges' forms offer and read, and what their pages answer in a sentence."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django import forms
from django.test import Client
from django.urls import reverse

from penalties.appeals import queries as appeals_queries
from penalties.appeals.forms import OwnAppealForm, RulingForm
from penalties.ladder.forms import PenaltyForm
from penalties.ladder.views import _confirmation
from penalties.lateness import operations as lateness_operations
from penalties.models import Lateness
from penalties.substitutes.forms import SubstitutionForm
from penalties.tests import factories as judge
from penalties.web.forms import ClockField
from penalties.web.frame import sessions_named
from tournaments.models import HistoryEntry
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

PEOPLE = [("1", "Ann"), ("2", "Ben")]


@pytest.mark.parametrize(
    ("text", "seconds"), [("0:00", 0), ("12:30", 750), ("12", 720), ("0:05", 5), ("1440:00", 86_400)]
)
def test_minutes_and_seconds_are_read_as_seconds(text, seconds):
    assert ClockField().clean(text) == seconds


@pytest.mark.parametrize("text", ["12:60", "1:5", "-1:00", "12.30", "١٢:٣٠", "12345:00"])
def test_what_is_no_time_is_refused(text):
    with pytest.raises(forms.ValidationError):
        ClockField().clean(text)


def values(form, name):
    return [value for value, _ in form.fields[name].widget.choices]


def test_a_player_must_be_chosen_and_a_receiver_need_not():
    form = PenaltyForm(None, people=PEOPLE, offences=[], receivers=[("", "Nobody"), ("table", "The table")])
    assert values(form, "seat") == ["", "1", "2"]
    assert values(form, "to") == ["", "table"]


@pytest.mark.parametrize(("people", "label"), [(PEOPLE[:1], ""), (PEOPLE, "For whom")])
def test_a_player_is_asked_for_whom_only_where_there_is_a_choice(people, label):
    field = OwnAppealForm(None, people=people, against=[]).fields["player"]
    assert (field.label == "For whom") == bool(label)
    assert ("team leader" in str(field.help_text)) == bool(label)


def test_a_ruling_on_no_table_orders_nothing():
    assert not {"void_hand", "names_penalty", "left_on_table"} & set(RulingForm(None).fields)


@pytest.fixture
@remembered
def session(db):
    """Two tables in play, the first with a hand."""
    of = make.tournament("sbr")
    make.players(of, 8)
    row = make.in_play(of)
    row.tournament = of
    return row


@pytest.mark.django_db
class TestOfATable:
    """Forms and pages that know who sits where."""

    def test_a_ruling_on_a_table_may_strike_a_hand_or_move_points_but_not_both_ways_of_counting(
        self, session
    ):
        seats = list(session.seats.filter(table__number=1))
        counted = set(RulingForm(None, seats=seats).fields)
        assert {"void_hand", "names_penalty", "points_E"} <= counted
        assert not {"left_on_table", "final_E"} & counted
        final = set(RulingForm(None, seats=seats, is_final=True, has_bets=True).fields)
        assert {"left_on_table", "final_E", "points_E", "names_penalty"} <= final
        assert "void_hand" not in final
        assert "left_on_table" not in RulingForm(None, seats=seats, is_final=True).fields
        finished = set(RulingForm(None, seats=seats, is_final=True, has_bets=True, may_correct=False).fields)
        assert not {"left_on_table", "final_E", "void_hand"} & finished

    def test_a_kept_seat_is_offered_under_the_name_of_whose_it_is(self, session):
        seat = session.seats.select_related("table", "player").get(table__number=1, wind="E")
        own, other = seat.player, judge.seat(session, "S")
        seat.kept_for, seat.player = own, other
        form = SubstitutionForm(None, seats=[seat], pool=[], sessions=[])
        assert form.fields["player"].widget.choices[1] == (str(own.pk), f"1 East · {own}")

    def test_sessions_are_named_by_their_numbers_whatever_else_is_sent(self, session):
        of = session.tournament
        numbers = list(of.sessions.order_by("number").values_list("number", flat=True))
        sent = [*map(str, reversed(numbers)), "", "x", "-1", "٣", "1234567", "99999999999999999999"]
        assert [row.number for row in sessions_named(of, sent)] == numbers
        assert sessions_named(of, ["x"]) == []

    def test_who_is_marked_late_twice_is_late_once_and_keeps_the_arrival(self, session):
        player, by = judge.seat(session, "E"), judge.judge(session.tournament, "referee")
        (row,) = lateness_operations.mark_late(session, [player], by=by)
        lateness_operations.note_arrival(row, by=by)
        entries = HistoryEntry.objects.count()
        (again,) = lateness_operations.mark_late(session, [player], by=by)
        assert (again.pk, again.state) == (row.pk, Lateness.State.ARRIVED)
        assert HistoryEntry.objects.count() == entries

    def test_a_session_without_a_policy_takes_no_deposit(self, session):
        session.regulation = {**session.tournament.regulation, "appeals": None}
        assert appeals_queries.deposit_of(session) == Decimal(0)

    def test_an_appeal_taken_from_paper_was_filed_by_no_player(self, session):
        appeal = judge.appeal(judge.give(judge.seat(session, "E"), "touching", session))
        assert appeals_queries.filer(appeal) == judge.seat(session, "E")
        for actor in (f"user:{appeal.player_id}", "player:", "player:x"):
            appeal.filed_actor = actor
            assert appeals_queries.filer(appeal) is None

    def test_what_was_given_is_told_with_its_price(self, session):
        player = judge.seat(session, "E")
        first = judge.give(player, "touching", session)
        assert "Step 1; taken: " in _confirmation(first)
        said = {"clause": "SBR 2.8", "reason": judge.LONG}
        priced = judge.give(player, "other", session, effect="game_points", points=8, **said)
        assert _confirmation(priced).endswith("Taken: 8.")
        for effect, points, end in (
            ("warning", None, "Warning."),
            ("tournament_points", Fraction(1, 2), "Taken: ½ TP."),
            ("removal", None, "From hand 1 on nobody plays in that seat at table 1; the hands so far stand."),
        ):
            given = judge.give(player, "other", session, effect=effect, points=points, **said)
            assert _confirmation(given).endswith(end)

    def test_somebody_who_is_not_on_the_list_is_not_taken_into_the_pool(self, session):
        of, client = session.tournament, Client()
        client.force_login(make.staff(of, "organizer"))
        page = reverse("penalties:substitutes", args=[of.slug])
        answer = client.post(page, {"name": "Mira", "role": "999999"})
        assert "Choose somebody of the list." in answer.content.decode()
        assert not of.substitutes.exists()
