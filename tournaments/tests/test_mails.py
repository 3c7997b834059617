"""Mails to players: queued with what they tell, in the player's language, sent once each, tried again, told at the desk."""

import smtplib
from collections import Counter
from datetime import datetime, timedelta
from itertools import product
from zoneinfo import ZoneInfo

import pytest
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from tournaments.models import Mail, Registration, Tournament
from tournaments.operator.operations import clone_event
from tournaments.people.operations import mails
from tournaments.people.operations import registration as people
from tournaments.people.queries.mails import sample, written
from tournaments.people.rules.mail_texts import filled
from tournaments.privacy import operations as privacy
from tournaments.privacy.queries import player_data
from tournaments.record.actors import ANYONE
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make
from tournaments.tests.presses import press
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
WHY = "The hall was flooded last night."


@pytest.fixture
@remembered
def event():
    """An announced event that mails its players, of whom none are on the list yet."""
    of = make.tournament()
    Tournament.objects.filter(pk=of.pk).update(mails_players=True)
    return Tournament.objects.get(pk=of.pk)


def join(of, name, *, by=ANYONE):
    details = people.Details(name=name, email=f"{name.lower()}@example.org")
    return people.register_player(Tournament.objects.get(pk=of.pk), details, by=by)


def kinds(of):
    return Counter(of.mails.values_list("kind", flat=True))


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def sent():
    mails.send_due()
    return {letter.to[0]: letter for letter in outbox.outbox}


def test_a_registration_is_mailed_with_the_private_link_in_the_players_language(event):
    said = {"name": "Сойка", "email": "jay@example.org", "consent": "on"}
    Client().post(f"/{event.slug}/register/", said, headers={"Accept-Language": "ru"})
    row = event.registrations.get()
    assert (row.language, row.mails.get().language) == ("ru", "ru")
    letter = sent()["jay@example.org"]
    assert letter.subject == f"Регистрация на турнир {event.name}"
    assert f"/{event.slug}/me/{link_of(row)}/" in letter.body
    assert row.mails.get().state == "sent"


def test_who_gave_no_address_and_events_that_send_none_queue_nothing(event):
    people.register_player(event, people.Details(name="Avocet"), by=ANYONE)
    silent = (
        ("Bittern", {"mails_players": False}),
        ("Curlew", {"is_demo": True, "mails_players": True}),
        ("Dunlin", {"state": "draft", "is_demo": False}),
    )
    for name, changes in silent:
        Tournament.objects.filter(pk=event.pk).update(**changes)
        join(event, name, by=make.organizer_of(event))
    assert Mail.objects.count() == 0


def test_announcing_a_draft_mails_those_who_are_on_its_list():
    of = make.tournament(announced=False)
    Tournament.objects.filter(pk=of.pk).update(mails_players=True)
    join(of, "Avocet", by=make.organizer_of(of))
    assert kinds(of) == {}
    events.announce_tournament(of, by=make.organizer_of(of))
    assert kinds(of) == {"registered": 1}


@pytest.mark.parametrize(("hours", "kind"), [(None, "place_given"), (24, "place_offered")])
def test_a_place_from_the_waiting_list_is_mailed(event, hours, kind):
    day = timezone.now().date() + timedelta(days=9)
    Tournament.objects.filter(pk=event.pk).update(offer_hours=hours, first_day=day, last_day=day)
    event.refresh_from_db()
    events.change_regulation(event, {"max_players": 4}, by=make.organizer_of(event))
    rows = [join(event, name) for name in ("Avocet", "Bittern", "Curlew", "Dunlin", "Egret")]
    people.withdraw(rows[0], by=make.organizer_of(event))
    assert kinds(event) == {"registered": 5, kind: 1}
    assert sent()["egret@example.org"].subject.endswith(event.name)


def test_a_cancelled_event_is_mailed_with_its_reason_and_so_is_its_return(event):
    join(event, "Avocet")
    sent()
    events.cancel_tournament(event, by=make.organizer_of(event), reason=WHY)
    assert WHY in sent()["avocet@example.org"].body
    events.take_back_cancellation(Tournament.objects.get(pk=event.pk), by=make.organizer_of(event))
    assert kinds(event) == {"registered": 1, "cancelled": 1, "takes_place": 1}


def test_a_cancellation_taken_back_before_it_went_out_is_not_mailed(event):
    join(event, "Avocet")
    events.cancel_tournament(event, by=make.organizer_of(event), reason=WHY)
    events.take_back_cancellation(Tournament.objects.get(pk=event.pk), by=make.organizer_of(event))
    sent()
    assert event.mails.get(kind="cancelled").state == "dropped"
    assert "takes_place" not in kinds(event)


def test_published_seats_are_mailed_and_those_taken_back_are_not(event):
    for name in ("Avocet", "Bittern", "Curlew", "Dunlin"):
        join(event, name)
    sent()
    outbox.outbox.clear()
    event.sessions.filter(number=1).update(
        planned_at=datetime(2026, 5, 9, 10, tzinfo=ZoneInfo("Europe/Samara"))
    )
    session = make.seated(event)
    seat = session.seats.get(player__name="Curlew")
    letter = sent()["curlew@example.org"]
    assert f"table {seat.table.number}" in letter.body
    assert "10:00" in letter.body
    assert kinds(event)["seats"] == 4
    event.mails.filter(kind="seats").update(state="waiting")
    event.sessions.update(published_at=None)
    outbox.outbox.clear()
    assert sent() == {}
    assert set(event.mails.filter(kind="seats").values_list("state", flat=True)) == {"dropped"}


def test_a_mail_that_fails_is_tried_again_later_and_told_at_the_desk_in_the_end(event, monkeypatch):
    join(event, "Avocet")
    desk = Client()
    desk.force_login(event.created_by)

    def broken(*_args, **_named):
        raise ConnectionRefusedError("no server for avocet@example.org")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", broken)
    for attempt in range(1, len(mails.PAUSES) + 2):
        before = timezone.now()
        mails.send_due()
        row = Mail.objects.get()
        assert row.attempts == attempt
        assert row.due_at > before + mails.PAUSES[min(attempt, len(mails.PAUSES)) - 1] - timedelta(seconds=1)
        assert mails.send_due() == 0
        Mail.objects.update(due_at=timezone.now())
    assert (row.state, row.error) == ("failed", "ConnectionRefusedError: no server for …")
    page = words(desk.get(f"/{event.slug}/desk/people/mails/"))
    assert "Could not be sent Avocet Registration with the private link" in page
    monkeypatch.undo()
    desk.post(f"/{event.slug}/desk/people/mails/again/")
    assert "avocet@example.org" in sent()


def test_an_address_that_is_refused_is_not_tried_again(event, monkeypatch):
    join(event, "Avocet")
    refused = smtplib.SMTPRecipientsRefused({"avocet@example.org": (550, b"unknown")})
    monkeypatch.setattr("django.core.mail.EmailMessage.send", lambda *_: (_ for _ in ()).throw(refused))
    mails.send_due()
    row = Mail.objects.get()
    assert (row.state, row.attempts, row.error) == ("failed", 1, "SMTPRecipientsRefused")


class Killed(BaseException):
    """A worker that ends without a word."""


def test_mails_of_500_players_are_sent_once_each_through_kills_of_the_worker(event, monkeypatch):
    """A claim of a worker that was killed before its mail went out ends after some minutes, and another sends it."""
    letters = product("ABCDEFGHIJ", "abcdefghij", "klmno")
    rows = [people.Details(name="".join(trio), email=f"{''.join(trio)}@example.org") for trio in letters]
    people.import_players(event, rows, by=make.organizer_of(event), key="all" + "k" * 16)
    assert Mail.objects.filter(state="waiting").count() == 500
    send, calls = outbox.EmailMessage.send, []

    def sometimes_killed(letter, *args, **named):
        calls.append(letter.to[0])
        if len(calls) % 97 == 0:
            raise Killed
        return send(letter, *args, **named)

    monkeypatch.setattr("django.core.mail.EmailMessage.send", sometimes_killed)
    for _turn in range(60):
        try:
            if not mails.send_due():
                stuck = Mail.objects.filter(state="sending")
                if not stuck.update(claimed_at=timezone.now() - mails.CLAIM * 2):
                    break
        except Killed:
            continue
    addresses = Counter(letter.to[0] for letter in outbox.outbox)
    assert (len(addresses), set(addresses.values())) == (500, {1})
    assert set(Mail.objects.values_list("state", flat=True)) == {"sent"}
    assert len({letter.extra_headers["Message-ID"] for letter in outbox.outbox}) == 500


def test_two_workers_do_not_send_the_same_mail(event):
    join(event, "Avocet")
    pk = Mail.objects.get().pk
    assert [mails._claim(pk), mails._claim(pk)] == [True, False]


def test_the_person_and_the_desk_see_a_copy_and_how_each_kind_reads(event):
    row = join(event, "Avocet")
    sent()
    own = words(Client().get(f"/{event.slug}/me/{link_of(row)}/"))
    assert f"Registration for {event.name} · Sent" in own
    desk = Client()
    desk.force_login(event.created_by)
    page = desk.get(f"/{event.slug}/desk/people/mails/", {"language": "ru"})
    assert "Регистрация на турнир" in words(page)
    assert len(page.context["samples"]) == len(Mail.Kind.values)


@pytest.mark.parametrize("kind", Mail.Kind.values)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_kind_reads_well_in_both_languages(event, kind, language):
    join(event, "Avocet")
    subject, body = sample(event, kind, language)
    assert subject.endswith(event.name)
    assert "\n" not in subject
    assert "{" not in body + subject
    assert "http" in body
    assert any("а" <= sign <= "я" for sign in subject) is (language == "ru")


def test_an_event_without_players_shows_its_mails_too(event):
    for kind in Mail.Kind.values:
        assert sample(event, kind, "en")[0]


def test_mails_are_told_to_their_person_and_erased_with_them(event):
    row = join(event, "Avocet")
    assert [one["kind"] for one in player_data(row.player)["mails"]] == ["registered"]
    privacy.erase_player(row.player, by=make.organizer_of(event), reason="Asked for by the player.")
    assert Mail.objects.count() == 0
    assert Registration.objects.get(pk=row.pk).language == ""


def test_a_mail_keeps_no_address_and_no_link(event):
    row = join(event, "Avocet")
    stored = str(Mail.objects.values().get())
    assert "example.org" not in stored
    assert link_of(row).partition("-")[2] not in stored
    assert link_of(row) in written(Mail.objects.get())[1]


@pytest.fixture
def desk(event, client):
    client.force_login(event.created_by)
    return client


def text_page(event, kind="registered", language="en"):
    return f"/{event.slug}/desk/people/mails/{kind}/{language}/"


def test_an_organizer_writes_the_words_of_a_mail_and_looks_at_them_first(event, desk):
    join(event, "Avocet")
    before = written(Mail.objects.get())
    said = {"subject": "Welcome to {event}", "body": "Dear {name},\nyour page: {page}\nno. {number}"}
    page = desk.post(text_page(event), {**said, "look": "1"})
    assert f"Welcome to {event.name}" in words(page)
    assert written(Mail.objects.get()) == before
    desk.post(text_page(event), said)
    row = join(event, "Bittern")
    letter = sent()["bittern@example.org"]
    assert letter.subject == f"Welcome to {event.name}"
    assert letter.body.startswith("Dear Bittern,\nyour page: http")
    assert link_of(row) in letter.body
    assert sent()["avocet@example.org"].subject == before[0]


def test_what_was_sent_is_shown_with_the_words_it_was_sent_with(event, desk):
    desk.post(text_page(event), {"subject": "First {event}", "body": "{page}"})
    row = join(event, "Avocet")
    sent()
    desk.post(text_page(event), {"subject": "Second {event}", "body": "{page}"})
    own = words(Client().get(f"/{event.slug}/me/{link_of(row)}/"))
    assert f"First {event.name}" in own
    assert "Second" not in own


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"subject": ""}, "Write a subject."),
        ({"body": " "}, "Write a text."),
        ({"body": "{page} {colour}"}, "{colour} is not known here; there are {name}, {event}, {page}"),
        ({"body": "Welcome, {name}."}, "{page} must be in the text"),
    ],
)
def test_words_that_would_not_tell_what_a_mail_is_for_are_refused(event, desk, changed, said):
    page = desk.post(text_page(event), {"subject": "{event}", "body": "{page}", **changed})
    assert page.status_code == 422
    assert said in words(page)
    assert not event.mail_texts.exists()


def test_the_shipped_words_can_be_brought_back(event, desk):
    desk.post(text_page(event), {"subject": "Hello", "body": "{page}"})
    page = desk.get(text_page(event))
    press(desk, page, "Back to the shipped words")
    assert not event.mail_texts.filter(is_current=True).exists()
    kinds_told = [entry.kind for entry in event.history.order_by("number")]
    assert kinds_told.count("mail_text_changed") == 2


def test_a_line_that_is_not_known_for_a_mail_is_left_out():
    assert filled("A {start}\nB {table}", {"start": "", "table": "3"}) == "B 3"


def test_a_payment_is_receipted_unless_it_was_noted_by_mistake(event):
    Tournament.objects.filter(pk=event.pk).update(currency="€")
    Tournament.objects.filter(pk=event.pk).update(regulation={**event.regulation, "entry_fee": "15"})
    rows = [join(event, name) for name in ("Avocet", "Bittern")]
    by = make.organizer_of(event)
    for row in rows:
        people.note_payment(Registration.objects.get(pk=row.pk), by=by)
    people.undo_payment(Registration.objects.get(pk=rows[1].pk), by=by)
    people.undo_payment(Registration.objects.get(pk=rows[0].pk), by=by)
    people.note_payment(Registration.objects.get(pk=rows[0].pk), by=by)
    Mail.objects.update(due_at=timezone.now())
    sent()
    receipts = [letter for letter in outbox.outbox if letter.subject.startswith("The fee is paid")]
    assert [letter.to for letter in receipts] == [["avocet@example.org"]]
    assert "15 €" in receipts[0].body


def test_those_who_changed_places_after_the_publication_are_told_where_and_why(event):
    for name in ("Avocet", "Bittern", "Curlew", "Dunlin"):
        join(event, name)
    session = make.seated(Tournament.objects.get(pk=event.pk))
    session.tournament = event
    one, other = session.seats.filter(wind__in="ES").order_by("wind")
    for seat in (one, other):
        seat.session = session
    play.swap_seats(one, other, by=make.organizer_of(event), reason="A wheelchair needs the door side.")
    told = event.mails.filter(kind="seat_changed")
    assert told.count() == 2
    assert all("Why: A wheelchair needs the door side." in written(mail)[1] for mail in told)


def test_results_go_out_a_while_after_the_event_is_closed_and_not_if_it_is_reopened(event):
    for name in ("Avocet", "Bittern", "Curlew", "Dunlin"):
        join(event, name)
    of = Tournament.objects.get(pk=event.pk)
    session = make.in_play(of)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk, waits=True)
    events.close_tournament(of, by=make.organizer_of(of))
    results = of.mails.filter(kind="results")
    assert results.count() == 4
    assert all(mail.due_at > timezone.now() + timedelta(minutes=9) for mail in results)
    assert "Your place: 1 of 4." in "".join(written(mail)[1] for mail in results)
    Tournament.objects.filter(pk=of.pk).update(frozen_after=1)
    of.mails.update(due_at=timezone.now())
    mails.send_due()
    assert {mail.state for mail in of.mails.filter(kind="results")} == {"waiting"}
    events.reopen_tournament(
        Tournament.objects.get(pk=of.pk), by=make.organizer_of(of), reason="A protocol is missing."
    )
    assert not any(mails.is_still_true(mail) for mail in of.mails.filter(kind="results"))
    events.close_tournament(Tournament.objects.get(pk=of.pk), by=make.organizer_of(of))
    assert Counter(of.mails.filter(kind="results").values_list("state", flat=True)) == {
        "waiting": 4,
        "dropped": 4,
    }


def test_another_event_like_this_one_has_its_words_of_mails(event):
    by = make.organizer_of(event)
    mails.write_text(event, "registered", "en", subject="Hello", body="{page}", by=by)
    made = clone_event(event, make.announcement(), by=by)
    assert [(row.subject, row.is_current) for row in made.mail_texts.all()] == [("Hello", True)]
