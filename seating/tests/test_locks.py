"""Publishing several sessions takes every lock before it writes the first entry: nobody waits in a circle."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from seating.drafts import operations as draws
from tournaments.models import Table
from tournaments.record import history
from tournaments.sessions.operations import play
from tournaments.tests import factories as make

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_call_at_a_table_that_is_being_drawn_anew_waits_or_is_waited_for(monkeypatch):
    """The call holds its table and wants the revision; the draw must not hold the revision and want the table."""
    of = make.tournament(seating="random")
    make.players(of, 8)
    by = make.organizer_of(of)
    for number in (1, 2):
        make.seated(of, number)
    sessions = list(of.sessions.order_by("number"))
    for session in sessions:
        session.tournament = of
    rounds = [draws.rounds_seated(of, last=2)[session.number] for session in sessions]
    draw = draws.propose_plan(of, sessions, rounds, by=by, reason="A player came late")
    called, recorded = threading.Event(), threading.Event()
    ask = history.ask_for_standings

    def asked_late(tournament_id):
        if threading.current_thread().name.startswith("call"):
            called.set()
            recorded.wait(2)
        else:
            recorded.set()
        ask(tournament_id)

    monkeypatch.setattr(history, "ask_for_standings", asked_late)

    def call():
        try:
            table = Table.objects.select_related("session").get(session=sessions[1], number=1)
            with transaction.atomic():
                play.call_referee(table, by=by)
        finally:
            connection.close()

    with ThreadPoolExecutor(1, thread_name_prefix="call") as pool:
        waiting = pool.submit(call)
        assert called.wait(5)
        draws.publish(draw, by=by)
        waiting.result(10)
    assert of.sessions.get(number=2).is_published
