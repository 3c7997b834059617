"""What a player, an organizer and the owner of an account do about personal data, page by page."""

import json
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from tournaments.models import ErasureRequest, HistoryEntry, Player, Registration, Role, Tournament, User
from tournaments.people.operations import directory
from tournaments.people.operations import registration as people
from tournaments.people.operations.registration import Details
from tournaments.privacy import operations as privacy
from tournaments.privacy.queries import today
from tournaments.privacy.rules import forgotten_before
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations.verification import verify
from tournaments.tasks import forget_contacts
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
STATES = ErasureRequest.State


def browser(user: User | None = None) -> Client:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        client.force_login(user)
    return client


def address(name: str, *args) -> str:
    return reverse(f"tournaments:{name}", args=args)


def registered(of: Tournament, name: str = "Mira Zimorodok", **said) -> Registration:
    return people.register_player(of, Details(name=name, **said), by=make.organizer_of(of))


def own(row: Registration, name: str = "own_data") -> str:
    row.refresh_from_db()
    return address(name, row.tournament.slug, link_of(row))


@pytest.fixture
@remembered
def played():
    """An event with one session over, and its first player."""
    of = make.tournament()
    row = registered(of, email="mira@example.org")
    make.players(of, 3)
    session = make.in_play(of)
    make.record(session.tables.get().protocol)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    return Registration.objects.select_related("tournament", "player").get(pk=row.pk)


def finished(row: Registration) -> Tournament:
    return events.close_tournament(row.tournament, by=make.organizer_of(row.tournament))


def test_who_has_not_played_is_erased_at_once():
    row = registered(make.tournament(), city="Almaty", comment="I eat no fish")
    link = own(row)
    assert browser().post(link).status_code == 422
    assert Player.objects.get(pk=row.player_id).name == "Mira Zimorodok"
    assert browser().post(link, {"is_sure": "on"}).status_code == 302
    row = Registration.objects.select_related("player").get(pk=row.pk)
    assert (row.player.name, row.player.city, row.comment, row.status) == ("", "", "", "cancelled")
    assert browser().get(link).status_code == 404
    assert "Zimorodok" not in browser().get(f"/{row.tournament.slug}/players/").content.decode()
    assert verify(row.tournament) == []


def test_who_has_played_asks_the_organizer_who_erases(played):
    of = finished(played)
    assert browser().post(own(played), {"is_sure": "on"}).status_code == 302
    assert browser().post(own(played), {"is_sure": "on"}).status_code == 302
    request = ErasureRequest.objects.get()
    assert request.due_on - request.requested_at.date() == timedelta(days=30)
    assert "You asked to be erased" in browser().get(own(played)).content.decode()
    desk = browser(of.created_by)
    assert "1 player asks to be erased" in desk.get(address("people", of.slug)).content.decode()
    assert "Mira Zimorodok" in desk.get(address("erasure_requests", of.slug)).content.decode()
    erase = address("erase_player", of.slug, played.player_id)
    told = desk.get(erase).content.decode()
    assert "What is kept, and why" in told
    assert desk.post(erase, {"typed": "Mira"}).status_code == 422
    assert desk.post(erase, {"typed": "mira ZIMORODOK"}).status_code == 302
    assert (Player.objects.get(pk=played.player_id).name, ErasureRequest.objects.get().state) == (
        "",
        STATES.DONE,
    )
    assert verify(of) == []


def test_who_waits_beside_an_event_in_play_asks_the_organizer(played):
    """Only the desk takes somebody off the list of an event in play."""
    row = registered(played.tournament, "Wren")
    Registration.objects.filter(pk=row.pk).update(status="waiting")
    assert "Ask to be erased" in browser().get(own(row)).content.decode()
    assert browser().post(own(row), {"is_sure": "on"}).status_code == 302
    assert ErasureRequest.objects.get().player_id == row.player_id
    erase = address("erase_player", row.tournament.slug, row.player_id)
    assert browser(played.tournament.created_by).post(erase, {"typed": "wren"}).status_code == 302
    row = Registration.objects.select_related("player").get(pk=row.pk)
    assert (row.player.name, row.status) == ("", "withdrawn")


def test_an_account_is_no_longer_known_as_an_erased_player(played):
    """[INTEGRITY 3]"""
    referee = make.staff(played.tournament, "referee")
    role = Role.objects.get(user=referee)
    Role.objects.filter(pk=role.pk).update(player=played.player)
    finished(played)
    privacy.erase_player(played.player, by=make.organizer_of(played.tournament), reason="")
    role.refresh_from_db()
    assert (role.user_id, role.player_id) == (referee.pk, None)


def test_a_request_is_declined_with_a_reason_that_the_player_reads(played):
    of = finished(played)
    browser().post(own(played), {"is_sure": "on"})
    request = ErasureRequest.objects.get()
    desk = browser(of.created_by)
    decline = address("decline_erasure", of.slug, request.pk)
    assert desk.post(decline, {"reason": "no"}).status_code == 422
    assert desk.post(decline, {"reason": "The federation asks for it until May"}).status_code == 302
    assert "The federation asks for it until May" in browser().get(own(played)).content.decode()
    assert desk.post(decline, {"reason": "The federation asks for it until May"}).status_code == 422
    assert browser().post(own(played), {"is_sure": "on"}).status_code == 302
    assert ErasureRequest.objects.filter(state=STATES.OPEN).count() == 1


def test_somebody_of_another_event_declines_nothing(played):
    finished(played)
    browser().post(own(played), {"is_sure": "on"})
    other = make.tournament()
    desk = browser(other.created_by)
    request = ErasureRequest.objects.get()
    assert desk.get(address("erase_player", other.slug, played.player_id)).status_code == 404
    wrong = desk.post(address("decline_erasure", other.slug, request.pk), {"reason": "Not mine at all"})
    assert (wrong.status_code, ErasureRequest.objects.get().state) == (404, STATES.OPEN)


def test_who_plays_on_is_not_erased_yet(played):
    """The tables need the name."""
    of = played.tournament
    desk = browser(of.created_by)
    erase = address("erase_player", of.slug, played.player_id)
    assert "still takes part" in desk.get(erase).content.decode()
    assert desk.post(erase, {"typed": "Mira Zimorodok"}).status_code == 422
    assert Player.objects.get(pk=played.player_id).name == "Mira Zimorodok"
    people.withdraw(played, by=make.organizer_of(of), reason="Went home")
    assert desk.post(erase, {"typed": "Mira Zimorodok"}).status_code == 302


def test_a_name_that_an_official_typed_into_a_reason_is_told(played):
    """It is sealed: whoever erases knows, and the history still holds."""
    of = played.tournament
    people.withdraw(played, by=make.organizer_of(of), reason="Mira ZIMORODOK went home ill")
    erase = address("erase_player", of.slug, played.player_id)
    desk = browser(of.created_by)
    assert "stands in 1 reason of the sealed history" in desk.get(erase).content.decode()
    desk.post(erase, {"typed": "Mira Zimorodok"})
    assert verify(of) == []


def test_a_substitute_is_erased_at_the_desk_too():
    of = make.tournament("riichi_ema")
    one = people.name_substitute(of, Details(name="Stand In", city="Lund"), by=make.organizer_of(of))
    desk = browser(of.created_by)
    erase = address("erase_player", of.slug, one.player_id)
    assert erase in desk.get(reverse("penalties:substitutes", args=[of.slug])).content.decode()
    assert desk.post(erase, {"typed": "stand in"}).status_code == 302
    assert Player.objects.get(pk=one.player_id).city == ""


@pytest.mark.parametrize(("by", "kept"), [("country", ("KZ", "")), ("club", ("", "Kites"))])
def test_a_label_that_counts_in_a_table_of_the_event_stays_after_play(by, kept):
    of = make.tournament(
        group_tables=[{"by": by, "mode": "sum", "best": None, "ranking": ["tournament_points"]}]
    )
    row = registered(of, country="KZ", club="Kites", city="Almaty")
    make.players(of, 3)
    session = make.in_play(of)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    finished(Registration.objects.select_related("tournament").get(pk=row.pk))
    player = privacy.erase_player(Player.objects.get(pk=row.player_id), by=make.organizer_of(of), reason="")
    assert ((player.country, player.club), player.city) == (kept, "")


def test_a_player_takes_everything_that_is_stored(played):
    answer = browser().get(own(played, "own_export"))
    assert answer["Content-Disposition"].startswith("attachment")
    data = json.loads(answer.content)
    fields = {field.name for field in Player._meta.concrete_fields}
    assert fields <= set(data["player"])
    assert data["player"]["email"] == "mira@example.org"
    assert len(data["seats"]) == 1
    assert {entry["kind"] for entry in data["history"]} >= {"player_registered"}
    assert set(data) >= {"penalties", "latenesses", "appeals", "adjustments", "standing", "requests", "roles"}


def test_an_owner_takes_the_accounts_data_and_no_secret():
    user = make.user("owner")
    one, other = make.players(make.tournament(by=user), 2)
    directory.merge(user, one.player_id, other.player_id)
    answer = browser(user).get(address("export_own_account"))
    data = json.loads(answer.content)
    assert [(row["first"], row["second"]) for row in data["people_called_one"]] == [
        (one.player_id, other.player_id)
    ]
    assert (data["account"]["username"], len(data["roles"])) == ("owner", 1)
    assert "password" not in data["account"]
    assert data["rows_that_name_the_account"]["tournaments.Tournament.created_by"] == 1


def test_an_account_without_events_is_deleted_by_its_owner():
    user = make.user("leaver")
    client = browser(user)
    delete = address("delete_own_account")
    assert client.post(delete, {"password": "wrong"}).status_code == 422
    assert client.post(delete, {"password": "password"}).status_code == 302
    assert not User.objects.filter(username="leaver").exists()
    assert Client().post("/accounts/login/", {"login": "leaver", "password": "password"}).status_code == 200
    assert client.get(address("own_account")).status_code == 302


def test_events_are_handed_over_or_knowingly_left():
    user = make.user("leaver")
    of, draft = make.tournament(by=user), make.tournament(by=user, announced=False)
    shared = make.tournament(by=user)
    events.grant_role(shared, make.user(), "organizer", by=make.organizer_of(shared))
    client = browser(user)
    delete = address("delete_own_account")
    refused = client.post(delete, {"password": "password"})
    said = refused.content.decode()
    assert (refused.status_code, of.name in said) == (422, True)
    assert User.objects.filter(username="leaver").exists()
    assert Tournament.objects.get(pk=draft.pk).name == draft.name
    assert client.post(delete, {"password": "password", "leaves_events": "on"}).status_code == 302
    assert Tournament.objects.get(pk=draft.pk).is_deleted
    assert [row.roles.count() for row in (of, shared)] == [0, 1]
    assert [verify(row) for row in (of, shared, draft)] == [[], [], []]


def test_what_a_deleted_account_did_is_still_told_without_a_name():
    user = make.user("leaver")
    of = make.tournament(by=user)
    other = make.user()
    events.grant_role(of, other, "organizer", by=make.organizer_of(of))
    privacy.delete_account(user, by=make.actor(user))
    told = browser(other).get(address("history", of.slug)).content.decode()
    assert ("(deleted account)" in told, "leaver" in told) == (True, False)


def test_contacts_are_forgotten_after_their_time(settings):
    settings.CONTACTS_KEPT_MONTHS = 12
    old, new = make.tournament(), make.tournament()
    rows = [registered(of, email="m@x.org", comment="no fish", city="Lund") for of in (old, new)]
    Tournament.objects.filter(pk=old.pk).update(first_day=date(2020, 5, 9), last_day=date(2020, 5, 10))
    Tournament.objects.filter(pk=new.pk).update(first_day=today(), last_day=today() + timedelta(days=1))
    forget_contacts()
    forget_contacts()
    rows = [Registration.objects.select_related("player").get(pk=row.pk) for row in rows]
    assert [(row.player.email, row.comment, row.player.city) for row in rows] == [
        ("", "", "Lund"), ("m@x.org", "no fish", "Lund"),
    ]  # fmt: skip
    entry = HistoryEntry.objects.get(kind="contacts_forgotten")
    assert (entry.tournament_id, json.loads(entry.content)["data"]) == (
        old.pk,
        {"players": [rows[0].player_id]},
    )
    assert verify(old) == []


def test_contacts_are_kept_where_the_operator_says_so(settings):
    settings.CONTACTS_KEPT_MONTHS = 0
    of = make.tournament()
    registered(of, email="m@x.org")
    Tournament.objects.filter(pk=of.pk).update(first_day=date(2020, 5, 9), last_day=date(2020, 5, 10))
    forget_contacts()
    assert Player.objects.filter(email="m@x.org").exists()


@pytest.mark.parametrize(
    ("today", "months", "before"),
    [
        (date(2026, 11, 19), 12, date(2025, 11, 19)),
        (date(2026, 1, 31), 2, date(2025, 11, 28)),
        (date(2026, 3, 31), 1, date(2026, 2, 28)),
        (date(2026, 1, 1), 1, date(2025, 12, 1)),
        (date(2026, 1, 1), 0, None),
    ],
)
def test_months_are_counted_back(today, months, before):
    assert forgotten_before(today, months) == before


@pytest.mark.parametrize(("language", "words"), [("en", "Who answers for it"), ("ru", "Кто за это отвечает")])
def test_everybody_reads_the_notice(settings, language, words):
    settings.OPERATOR_NAME, settings.OPERATOR_CONTACT = "Club of the West Wind", "privacy@example.org"
    said = Client(headers={"accept-language": language}).get("/privacy/").content.decode()
    assert [word in said for word in (words, "Club of the West Wind", "privacy@example.org", "12")] == [
        True
    ] * 4


def test_the_notice_stands_beside_the_consent_and_at_every_foot():
    of = make.tournament()
    for path in ("/", f"/{of.slug}/", f"/{of.slug}/register/"):
        assert 'href="/privacy/"' in browser().get(path).content.decode()
    form = browser().get(f"/{of.slug}/register/").content.decode()
    assert (
        form.index('name="consent"')
        < form.index('href="/privacy/"')
        < form.index("</form>", form.index("consent"))
    )
