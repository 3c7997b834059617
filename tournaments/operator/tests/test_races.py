"""Limits and acts of several requests at once, on PostgreSQL; without the lock on the account the limit would not hold."""

from collections import Counter

import pytest
from django.db import DatabaseError, connection, transaction

from tournaments.models import OperatorEntry, Player, Tournament
from tournaments.operator import operations
from tournaments.people.operations import registration as people
from tournaments.people.operations.registration import Details
from tournaments.privacy import operations as privacy
from tournaments.record.refusal import Refused
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.test_races import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def many_at_once(user, number: int) -> list:
    said = [make.announcement() for _ in range(number)]
    by = make.actor(user)
    return at_once(*[lambda one=one: operations.create_event(one, preset="sbr", by=by) for one in said])


def test_twelve_events_at_once_are_three_where_three_are_allowed(settings):
    settings.MOST_EVENTS_A_DAY = 3
    answers = many_at_once(make.user(), 12)
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert (Tournament.objects.count(), len(refused)) == (3, 9)
    assert {refusal.problems[0].code for refusal in refused} == {"slow_down"}


def test_without_the_lock_there_would_be_more(settings, monkeypatch):
    settings.MOST_EVENTS_A_DAY = 3
    monkeypatch.setattr(operations, "lock_account", lambda user: type(user).objects.get(pk=user.pk))
    for _ in range(5):
        many_at_once(make.user(), 12)
    made = Counter(Tournament.objects.values_list("created_by", flat=True))
    assert max(made.values()) > 3


def test_a_person_erased_by_the_desk_and_the_operator_at_once_is_erased_once():
    operator, of = make.operator(), make.tournament()
    row = people.register_player(of, Details(name="Mira"), by=make.organizer_of(of))
    player = Player.objects.select_related("tournament").get(pk=row.player_id)
    by = make.actor(operator, "operator")
    at_once(
        lambda: operations.erase_persons([player], by=by, reason="Asked for it by letter"),
        lambda: privacy.erase_player(player, by=make.organizer_of(of), reason=""),
        lambda: privacy.request_erasure(row, by=make.organizer_of(of)),
    )
    assert Player.objects.get(pk=player.pk).name == ""
    assert of.history.filter(kind="player_erased").count() == 1
    assert verify(of) == []


def test_two_operators_who_list_and_close_an_event_leave_one_answer():
    first, second, of = make.operator(), make.operator(), make.tournament()
    why = "Advertising, not an event"
    at_once(
        lambda: operations.set_listing(of, "hidden", by=make.actor(first, "operator"), reason=why),
        lambda: operations.set_listing(of, "withheld", by=make.actor(second, "operator"), reason=why),
    )
    of.refresh_from_db()
    newest = OperatorEntry.objects.first()
    assert newest.data["to"] == of.listing
    assert verify(of) == []


@pytest.mark.parametrize(
    "change", ["UPDATE tournaments_operatorentry SET reason = 'x'", "TRUNCATE tournaments_operatorentry"]
)
def test_the_log_stands_on_postgresql_too(change):
    operations.approve_account(make.user(), by=make.actor(make.operator(), "operator"))
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(change)
    assert OperatorEntry.objects.get().reason == ""
