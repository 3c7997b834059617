"""The history cannot be changed, and what was changed behind its back is found."""

import json
from contextlib import contextmanager
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from tournaments.models import Hand, HistoryEntry, Protocol, Registration, Seat, Session, Tournament
from tournaments.record import history, triggers
from tournaments.record.history import canonical, digest
from tournaments.sessions.operations import play
from tournaments.standings.operations.verification import knows_digest, verify
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db


@pytest.fixture
@remembered
def played():
    """A tournament with a closed session, a correction, an undone hand and a second session in play."""
    of = make.tournament()
    make.players(of, 8)
    session = make.in_play(of)
    by = make.organizer_of(of)
    rows = Protocol.objects.filter(table__session=session).select_related("table__session__tournament")
    for protocol in rows:
        for fans in (0, 1, 2):
            make.record(protocol, make.east_from_south(fans))
        protocols.undo_hand(protocol, number=3, intent=make.intent(protocol), by=by)
        protocols.correct_hand(
            protocol,
            make.east_from_south(3),
            number=1,
            intent=make.intent(protocol),
            by=make.referee_of(of),
            reason="The kong was missed",
        )
    make.settle(session)
    play.close_session(session, by=by)
    second = make.in_play(of, 2)
    make.record(Protocol.objects.filter(table__session=second).first())
    return of


@contextmanager
def unguarded():
    """Do what somebody with the keys of the database could do."""
    triggers.remove(connection)
    yield
    triggers.install(connection)


def first_protocol(of):
    return Protocol.objects.filter(table__session__tournament=of).order_by("pk").first()


def entry_of(of, kind):
    return HistoryEntry.objects.filter(tournament=of, kind=kind).order_by("id").first()


def rewrite(entry, **changes):
    """Change the content of an entry and give it the digest that goes with it."""
    content = json.loads(entry.content) | changes
    text = canonical(content)
    HistoryEntry.objects.filter(pk=entry.pk).update(content=text, digest=digest(text))


def rewrite_on(entry, **changes):
    """Rewrite an entry and every later one of its chain, so that the chain fits again."""
    rewrite(entry, **changes)
    entry.refresh_from_db()
    previous = entry.digest
    later = HistoryEntry.objects.filter(
        tournament=entry.tournament, protocol=entry.protocol, number__gt=entry.number
    ).order_by("number")
    for row in later:
        text = canonical(json.loads(row.content) | {"previous": previous})
        HistoryEntry.objects.filter(pk=row.pk).update(content=text, digest=digest(text), previous=previous)
        previous = digest(text)


def test_an_honest_record_is_whole(played):
    assert verify(played) == []


def change_content(of):
    entry = entry_of(of, "hand_recorded")
    HistoryEntry.objects.filter(pk=entry.pk).update(content=entry.content.replace('"fans":0', '"fans":1'))
    return f"protocol:{entry.protocol_id}", entry.number


def change_content_and_digest(of):
    entry = entry_of(of, "hand_recorded")
    rewrite(entry, reason="never mind")
    return f"protocol:{entry.protocol_id}", 2


def rewrite_the_rest_of_a_sealed_chain(of):
    entry = entry_of(of, "hand_recorded")
    rewrite_on(entry, reason="never mind")
    protocol = entry.protocol
    last = protocol.version
    return f"protocol:{protocol.pk}", last


def rewrite_the_tournament_before_a_seal(of):
    entry = entry_of(of, "player_registered")
    rewrite_on(entry, reason="never mind")
    return f"tournament:{of.pk}", entry_of(of, "session_closed").number


def rewrite_the_last_entry(of):
    entry = entry_of(of, "hand_undone")
    HistoryEntry.objects.filter(pk=entry.pk).update(kind="hand_voided")
    return f"protocol:{entry.protocol_id}", entry.number


def change_the_time(of):
    entry = entry_of(of, "seat_confirmed")
    HistoryEntry.objects.filter(pk=entry.pk).update(at="2020-01-01T00:00:00Z")
    return f"protocol:{entry.protocol_id}", entry.number


def delete_in_the_middle(of):
    entry = entry_of(of, "hand_undone")
    entry.delete()
    return f"protocol:{entry.protocol_id}", entry.number


def delete_the_last(of):
    entry = HistoryEntry.objects.filter(protocol=first_protocol(of)).order_by("-number").first()
    HistoryEntry.objects.filter(pk=entry.pk).delete()
    return f"protocol:{entry.protocol_id}", entry.number


def delete_the_last_and_count_again(of):
    protocol = first_protocol(of)
    entry = HistoryEntry.objects.filter(protocol=protocol).order_by("-number").first()
    HistoryEntry.objects.filter(pk=entry.pk).delete()
    Protocol.objects.filter(pk=protocol.pk).update(version=entry.number - 1)
    return f"protocol:{protocol.pk}", entry.number


def delete_the_first(of):
    entry = HistoryEntry.objects.filter(tournament=of, protocol=None).order_by("number").first()
    number = entry.number
    entry.delete()
    return f"tournament:{of.pk}", number


def swap_two(of):
    first, second = HistoryEntry.objects.filter(protocol=first_protocol(of)).order_by("number")[:2]
    HistoryEntry.objects.filter(pk=first.pk).update(number=9999)
    HistoryEntry.objects.filter(pk=second.pk).update(number=1)
    HistoryEntry.objects.filter(pk=first.pk).update(number=2)
    return f"protocol:{first.protocol_id}", 1


def insert_an_entry(of):
    protocol = first_protocol(of)
    last = HistoryEntry.objects.filter(protocol=protocol).order_by("-number").first()
    text = canonical({**json.loads(last.content), "number": last.number + 1, "previous": last.digest})
    HistoryEntry.objects.create(
        tournament=of,
        protocol=protocol,
        number=last.number + 1,
        kind=last.kind,
        content=text,
        previous=last.digest,
        digest=digest(text),
        at=last.at,
    )
    return f"protocol:{protocol.pk}", last.number + 1


def move_to_another_protocol(of):
    one, other = Protocol.objects.filter(table__session__tournament=of).order_by("pk")[:2]
    entry = HistoryEntry.objects.filter(protocol=one).order_by("-number").first()
    HistoryEntry.objects.filter(pk=entry.pk).update(protocol=other, number=other.version + 1)
    return f"protocol:{one.pk}", entry.number


def change_the_facts_of_a_hand(of):
    hand = Hand.objects.filter(protocol=first_protocol(of), status="in_force", number=1).get()
    facts = json.loads(json.dumps(hand.facts).replace('"fans": 3', '"fans": 1'))
    Hand.objects.filter(pk=hand.pk).update(facts=facts)
    entry = HistoryEntry.objects.get(protocol=hand.protocol, kind="hand_corrected")
    return f"protocol:{hand.protocol_id}", entry.number


def change_the_payments_of_a_hand(of):
    hand = Hand.objects.filter(protocol=first_protocol(of), status="in_force").first()
    Hand.objects.filter(pk=hand.pk).update(east=hand.east + 10, south=hand.south - 10)
    return f"protocol:{hand.protocol_id}", 0


def bring_an_undone_hand_back(of):
    hand = Hand.objects.filter(protocol=first_protocol(of), status="undone").get()
    Hand.objects.filter(pk=hand.pk).update(status="in_force")
    return f"protocol:{hand.protocol_id}", 0


def drop_a_hand(of):
    hand = Hand.objects.filter(protocol=first_protocol(of), status="in_force", number=2).get()
    Hand.objects.filter(pk=hand.pk).update(status="voided")
    entry = HistoryEntry.objects.filter(protocol=hand.protocol, kind="hand_recorded").order_by("number")[1]
    return f"protocol:{hand.protocol_id}", entry.number


def change_a_total(of):
    seat = Seat.objects.filter(table__protocol=first_protocol(of), wind="W").get()
    Seat.objects.filter(pk=seat.pk).update(hand_points=100)
    return f"protocol:{first_protocol(of).pk}", 0


def exchange_two_players(of):
    one, other = Seat.objects.filter(session__tournament=of, session__number=1).order_by("pk")[:2]
    Seat.objects.filter(pk=one.pk).update(player=None, kept_for=other.player)
    return f"session:{one.session.number}", 0


def change_a_checkpoint(of):
    Session.objects.filter(tournament=of, number=1).update(checkpoint="f" * 64)
    return "session:1", 0


def change_the_regulation(of):
    of.refresh_from_db()
    Tournament.objects.filter(pk=of.pk).update(regulation={**of.regulation, "session_minutes": 1})
    return f"tournament:{of.pk}", 0


def change_the_regulation_of_a_session(of):
    session = of.sessions.get(number=1)
    Session.objects.filter(pk=session.pk).update(regulation={**session.regulation, "tie_rule": "best"})
    return "session:1", 0


def change_a_status(of):
    registration = of.registrations.first()
    Registration.objects.filter(pk=registration.pk).update(status="removed")
    return f"tournament:{of.pk}", entry_of(of, "player_registered").number


FORGERIES = [
    change_content,
    change_content_and_digest,
    rewrite_the_rest_of_a_sealed_chain,
    rewrite_the_tournament_before_a_seal,
    rewrite_the_last_entry,
    change_the_time,
    delete_in_the_middle,
    delete_the_last,
    delete_the_last_and_count_again,
    delete_the_first,
    swap_two,
    insert_an_entry,
    move_to_another_protocol,
    change_the_facts_of_a_hand,
    change_the_payments_of_a_hand,
    bring_an_undone_hand_back,
    drop_a_hand,
    change_a_total,
    exchange_two_players,
    change_a_checkpoint,
    change_the_regulation,
    change_the_regulation_of_a_session,
    change_a_status,
]


def test_every_forgery_is_found_and_the_first_bad_entry_named(played):
    """Each is made and taken back on the same record; what was missed is listed by name."""
    missed = {}
    for forge in FORGERIES:
        with transaction.atomic():
            with unguarded():
                expected = forge(Tournament.objects.get(pk=played.pk))
            found = [(fault.chain, fault.number) for fault in verify(played)]
            if expected not in found:
                missed[forge.__name__] = (expected, found)
            transaction.set_rollback(True)
    assert missed == {}
    assert len(FORGERIES) >= 20
    assert verify(played) == []


def test_missing_triggers_are_noticed(played):
    triggers.remove(connection)
    assert [fault.chain for fault in verify(played)] == ["database"]
    triggers.install(connection)


def test_the_command_prints_the_first_bad_entry_and_exits_with_1(played):
    with unguarded():
        chain, number = change_content(played)
    said = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("verify_history", played.slug, stderr=said)
    assert ended.value.code == 1
    assert said.getvalue().startswith(f"{played.slug}: {chain}, entry {number}: ")


def test_a_printed_digest_is_recognised(played):
    session = played.sessions.get(number=1)
    assert knows_digest(played, session.checkpoint[:12])
    assert not knows_digest(played, "0123456789ab")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments_historyentry SET kind = 'x'",
        "UPDATE tournaments_historyentry SET content = content",
        "DELETE FROM tournaments_historyentry",
    ],
)
def test_the_database_refuses_to_change_the_history(played, statement):
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert verify(played) == []


@pytest.mark.postgres
def test_postgresql_refuses_to_truncate_the_history(played):
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("TRUNCATE tournaments_historyentry CASCADE")


@pytest.mark.sqlite
@pytest.mark.parametrize("columns", ["id", "digest"])
@pytest.mark.parametrize("recursive", ["ON", "OFF"])
def test_sqlite_refuses_to_replace_an_entry(played, columns, recursive):
    entry = entry_of(played, "hand_recorded")
    values = {
        "id": entry.pk,
        "tournament_id": played.pk,
        "protocol_id": entry.protocol_id,
        "number": entry.number,
        "kind": "x",
        "content": "{}",
        "previous": "",
        "digest": entry.digest,
        "at": "2020-01-01",
    }
    values["id" if columns == "digest" else "digest"] = 10**9 if columns == "digest" else "other"
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA recursive_triggers={recursive}")
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute(
                f"REPLACE INTO tournaments_historyentry ({', '.join(values)}) "
                f"VALUES ({', '.join(['%s'] * len(values))})",
                list(values.values()),
            )
        cursor.execute("PRAGMA recursive_triggers=ON")
    assert verify(played) == []


def test_an_entry_names_ids_and_no_names(played):
    names = [name for name in played.players.values_list("name", flat=True) if name]
    contents = " ".join(HistoryEntry.objects.filter(tournament=played).values_list("content", flat=True))
    assert [name for name in names if name in contents] == []


def test_the_chain_of_a_protocol_begins_at_nothing(played):
    first = HistoryEntry.objects.filter(protocol=first_protocol(played)).order_by("number").first()
    assert first.previous == history.GENESIS
