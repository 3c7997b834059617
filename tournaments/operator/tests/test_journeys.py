"""A day of an operator, a spammer and those who were harmed, page by page; lists are proved with rows of several events."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.server.addresses import shared_pages
from config.server.live import Database
from tournaments.models import (
    AbuseReport,
    HistoryEntry,
    OperatorEntry,
    Player,
    Role,
    Tournament,
    User,
)
from tournaments.operator import operations, queries
from tournaments.people.operations import registration as people
from tournaments.people.operations import wishes
from tournaments.people.operations.registration import Details
from tournaments.privacy import operations as privacy
from tournaments.record.refusal import Refused
from tournaments.record.rules import Act
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
LISTING = Tournament.Listing
WHY = "Advertising for a casino, not an event"


@pytest.fixture(autouse=True)
def nobody_has_reported():
    cache.clear()


def browser(user: User | None = None) -> Client:
    client = Client(headers={"accept-language": "en"})
    if user is not None:
        client.force_login(user)
    return client


def actor(operator: User):
    return make.actor(operator, "operator")


def new_event(client: Client, number: int, **said):
    fields = {
        "name": f"Buy tiles {number}", "preset": "sbr", "first_day": "2026-05-09", "last_day": "2026-05-09",
        "time_zone": "Europe/Samara", "city": "Spamville",
    }  # fmt: skip
    return client.post("/new/", {**fields, **said})


def page(client: Client, name: str, *args, **query) -> str:
    answer = client.get(reverse(f"tournaments:{name}", args=args), query)
    assert answer.status_code == 200, (name, answer.status_code)
    return answer.content.decode()


def press(client: Client, name: str, *args, **said):
    return client.post(reverse(f"tournaments:{name}", args=args), said)


# Spam


def test_twenty_five_advertisements_in_a_row_are_ten_and_none_is_on_the_home_page():
    """They stood there after 2.7 seconds."""
    make.operator()
    spammer = browser(make.user())
    answers = [new_event(spammer, number) for number in range(25)]
    assert [answer.status_code for answer in answers] == [302] * 10 + [429] * 15
    assert "This account has made 10 events in 24 hours" in answers[10].content.decode()
    assert 'value="Buy tiles 24"' in answers[-1].content.decode()
    for tournament in Tournament.objects.all():
        assert press(spammer, "announce", tournament.slug).status_code == 302
    assert Tournament.objects.filter(state="announced").count() == 10
    assert "Buy tiles" not in page(browser(), "home")
    assert page(spammer, "home").count("Waits for the operator") == 10
    assert browser().get("/api/1/tournaments/").json()["tournaments"] == []
    assert "Buy tiles 3" in page(spammer, "home")
    assert browser().get("/buy-tiles-3/").status_code == 200


def test_drafts_have_a_limit_of_their_own(settings):
    settings.MOST_DRAFTS = 2
    client = browser(make.user())
    assert [new_event(client, number).status_code for number in range(3)] == [302, 302, 409]
    first = Tournament.objects.order_by("pk").first()
    assert press(client, "delete_draft", first.slug).status_code == 302
    assert new_event(client, 4).status_code == 302


def test_a_clone_counts_as_well(settings):
    settings.MOST_EVENTS_A_DAY = 1
    user = make.user()
    of = make.tournament(by=user)
    said = {"name": "Again", "first_day": "2026-05-09", "time_zone": "UTC"}
    answer = browser(user).post(f"/{of.slug}/desk/clone/", said)
    assert (answer.status_code, Tournament.objects.count()) == (429, 1)


def test_operators_have_no_limit(settings):
    settings.MOST_EVENTS_A_DAY = 1
    client = browser(make.operator())
    assert [new_event(client, number).status_code for number in range(3)] == [302, 302, 302]
    assert set(Tournament.objects.values_list("listing", flat=True)) == {LISTING.LISTED}


def test_a_site_without_an_operator_lists_at_once():
    """A club's laptop: there is nobody to wait for."""
    new_event(browser(make.user()), 1)
    assert Tournament.objects.get().listing == LISTING.LISTED


def test_a_spammer_is_moderated_by_pages():
    """Reported by a visitor, blocked with everything they put up, and out from the next request on."""
    operator, spammer = make.operator(), make.user()
    bad = browser(spammer)
    for number in range(3):
        new_event(bad, number)
    for tournament in Tournament.objects.all():
        press(bad, "announce", tournament.slug)
    honest = make.tournament()
    visitor, desk = browser(), browser(operator)
    assert f'href="/{honest.slug}/report/"' in visitor.get(f"/{honest.slug}/").content.decode()
    first = Tournament.objects.get(slug="buy-tiles-0")
    sent = visitor.post(
        "/buy-tiles-0/report/", {"kind": "spam", "text": "This sells tiles.", "email": "a@b.org"}
    )
    assert sent.status_code == 302
    assert "This sells tiles." in page(desk, "operator_reports")
    assert "Buy tiles 0" in page(desk, "operator_events", kind="reported")
    assert honest.name not in page(desk, "operator_events", kind="reported")
    answer = press(desk, "operator_block", spammer.pk, **{"block-listing": "withheld", "block-reason": WHY})
    assert answer.status_code == 302
    assert [visitor.get(f"/buy-tiles-{number}/").status_code for number in range(3)] == [404] * 3
    assert visitor.get(f"/{honest.slug}/").status_code == 200
    assert new_event(bad, 9).status_code == 302
    assert Tournament.objects.filter(name="Buy tiles 9").count() == 0
    assert "Closed to strangers" in page(desk, "operator_reports")
    report = AbuseReport.objects.get()
    press(desk, "operator_resolve", report.pk, **{f"report-{report.pk}-reason": WHY})
    report.refresh_from_db()
    assert (report.resolved_at is not None, report.email) == (True, "")
    assert [row.kind for row in OperatorEntry.objects.order_by("pk")] == [
        Act.ACCOUNT_BLOCKED, *[Act.LISTING_CHANGED] * 3, Act.REPORT_RESOLVED,
    ]  # fmt: skip
    told = page(desk, "operator_log")
    assert told.count(WHY) == 5
    assert operator.username in told
    assert HistoryEntry.objects.get(tournament=first, kind="listing_changed").tournament_id == first.pk
    assert verify(first) == []
    press(desk, "operator_unblock", spammer.pk, **{"unblock-reason": "A mistake of the operator"})
    press(desk, "operator_list_event", first.pk)
    assert "Buy tiles 0" in page(visitor, "home")


def test_approving_an_organizer_lists_what_waited_and_what_comes():
    operator, user = make.operator(), make.user()
    client, desk = browser(user), browser(operator)
    new_event(client, 1)
    press(client, "announce", "buy-tiles-1")
    assert "not on the home page yet" in page(client, "desk", "buy-tiles-1")
    assert "Buy tiles 1" in page(desk, "operator_events", kind="awaiting")
    press(desk, "operator_approve", user.pk)
    assert "Buy tiles 1" in page(browser(), "home")
    assert "not on the home page yet" not in page(client, "desk", "buy-tiles-1")
    new_event(client, 2)
    assert Tournament.objects.get(slug="buy-tiles-2").listing == LISTING.LISTED


def test_an_event_that_was_played_speaks_for_its_organizer():
    make.operator()
    user = make.user()
    of = make.tournament(by=user)
    make.players(of, 4)
    session = make.in_play(of)
    make.settle(session)
    assert not queries.organizer(user).is_trusted
    play.close_session(session, by=make.organizer_of(of))
    assert queries.organizer(user).is_trusted


def test_where_approval_is_asked_for_a_new_account_waits(settings):
    settings.NEW_ORGANIZERS = "approval"
    operator, user = make.operator(), make.user()
    client, desk = browser(user), browser(operator)
    answer = new_event(client, 1)
    assert (answer.status_code, Tournament.objects.count()) == (403, 0)
    assert "the operator approves organizers first" in answer.content.decode()
    assert user.username in page(desk, "operator_accounts", kind="waiting")
    press(desk, "operator_approve", user.pk)
    assert not queries.accounts("waiting").exists()
    assert new_event(client, 1).status_code == 302
    press(desk, "operator_disapprove", user.pk, **{"disapprove-reason": "Did not hold what was promised"})
    assert new_event(client, 2).status_code == 403


# Lists


@pytest.mark.parametrize(
    ("listing", "home", "api", "address"),
    [
        (LISTING.LISTED, True, True, 200),
        (LISTING.AWAITING, False, False, 200),
        (LISTING.HIDDEN, False, False, 200),
        (LISTING.ARCHIVED, False, False, 200),
        (LISTING.WITHHELD, False, False, 404),
    ],
)
def test_where_strangers_meet_an_event(listing, home, api, address):
    shown, other = make.tournament(), make.tournament()
    Tournament.objects.filter(pk=shown.pk).update(listing=listing)
    stranger = browser()
    listed = [row["slug"] for row in stranger.get("/api/1/tournaments/").json()["tournaments"]]
    assert (shown.name in page(stranger, "home"), shown.slug in listed) == (home, api)
    assert (other.name in page(stranger, "home"), other.slug in listed) == (True, True)
    assert stranger.get(f"/{shown.slug}/").status_code == address
    assert stranger.get(f"/api/1/tournaments/{shown.slug}/").status_code == address
    assert Database._public([shown.slug]).exists() is (address == 200)


def test_an_archived_event_that_was_played_stays_in_the_archive():
    played, abandoned = make.tournament(), make.tournament()
    Tournament.objects.filter(pk=played.pk).update(listing=LISTING.ARCHIVED, state="closed")
    Tournament.objects.filter(pk=abandoned.pk).update(listing=LISTING.ARCHIVED)
    found = page(browser(), "archive")
    assert (played.name in found, abandoned.name in found) == (True, False)
    assert played.name not in page(browser(), "home")


def test_a_withheld_event_is_open_to_its_staff_its_players_and_the_operator():
    of = make.tournament()
    [row] = make.players(of, 1)
    operations.set_listing(of, LISTING.WITHHELD, by=actor(make.operator()), reason=WHY)
    assert browser(of.created_by).get(f"/{of.slug}/desk/").status_code == 200
    assert browser(make.operator()).get(f"/{of.slug}/").status_code == 200
    assert browser().get(f"/{of.slug}/me/{link_of(row)}/").status_code == 200
    assert browser().get(f"/{of.slug}/players/").status_code == 404
    assert browser(make.user()).get(f"/{of.slug}/").status_code == 404


def test_an_event_in_play_is_not_archived():
    of = make.tournament()
    make.players(of, 4)
    make.in_play(of)
    with pytest.raises(Refused) as refused:
        operations.set_listing(of, LISTING.ARCHIVED, by=actor(make.operator()), reason=WHY)
    assert refused.value.problems[0].code == "wrong_state"
    assert OperatorEntry.objects.count() == 0


@pytest.mark.parametrize("path", ["/operator/events/", "/operator/", "/privacy/"])
def test_the_operators_pages_are_never_kept_for_everybody(path):
    assert shared_pages().match(path) is None


def test_filters_tell_one_event_from_another():
    """Each filter has an event that answers it and one that does not."""
    operator, gone = make.operator(), make.user()
    listed, draft, orphan = make.tournament(), make.tournament(announced=False), make.tournament(by=gone)
    make.players(listed, 1)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    hidden, withheld, archived = (make.tournament() for _ in range(3))
    waiting = make.tournament()
    for of, listing in (
        (hidden, "hidden"),
        (withheld, "withheld"),
        (archived, "archived"),
        (waiting, "awaiting"),
    ):
        make.players(of, 1)
        Tournament.objects.filter(pk=of.pk).update(listing=listing)
    AbuseReport.objects.create(tournament=listed, kind="spam", text="x")
    unwanted = make.tournament(announced=False)
    wishes.add_question(unwanted, sort="text", label="Who drives with Anna?", by=actor(operator))
    deleted = events.delete_draft(unwanted, by=actor(operator))
    assert (deleted.questions, deleted.quotas) == ([], {})
    every = {listed, draft, orphan, hidden, withheld, archived, waiting}
    wanted = {
        "": every, "drafts": {draft}, "orphans": {orphan}, "hidden": {hidden}, "withheld": {withheld},
        "archived": {archived}, "awaiting": {waiting}, "reported": {listed}, "deleted": {deleted},
        "empty": {draft, orphan},
    }  # fmt: skip
    assert {kind: set(queries.events(kind)) for kind in queries.EVENT_KINDS} == wanted
    Tournament.objects.filter(pk=listed.pk).update(name="Кубок Зефира")
    assert set(queries.events("", "зефира КУБОК")) == {listed}
    assert set(queries.events("hidden", "Зефира")) == set()
    row = queries.events("reported").get()
    assert (row.player_count, row.report_count, row.is_owned) == (1, 1, True)


def test_accounts_are_found_in_any_case_and_alphabet():
    desk = browser(make.operator())
    wren, heron = make.user("Зимородок"), make.user("heron")
    User.objects.filter(pk=heron.pk).update(is_active=False, email="heron@example.org")
    assert [row.pk for row in queries.accounts("", "зимородок")] == [wren.pk]
    assert [row.pk for row in queries.accounts("blocked", "HERON@")] == [heron.pk]
    found = page(desk, "operator_accounts", kind="blocked")
    assert ("heron@example.org" in found, "Зимородок" in found) == (True, False)


@pytest.mark.parametrize("name", ["operator_accounts", "operator_events", "operator_reports", "operator_log"])
def test_lists_ask_as_often_for_one_row_as_for_many(name, django_assert_max_num_queries):
    operator = make.operator()
    desk = browser(operator)

    def rows(number: int) -> None:
        for _ in range(number):
            of = make.tournament()
            AbuseReport.objects.create(tournament=of, kind="spam", text="x")
            operations.set_listing(of, LISTING.HIDDEN, by=actor(operator), reason=WHY)

    rows(1)
    page(desk, name)
    with django_assert_max_num_queries(100) as one:
        page(desk, name)
    rows(4)
    with django_assert_max_num_queries(len(one)):
        page(desk, name)


# Handing over


def test_an_orphan_is_handed_over_by_a_page():
    operator, heir = make.operator(), make.user("heir")
    of = make.tournament()
    Role.objects.filter(tournament=of).delete()
    desk = browser(operator)
    assert of.name in page(desk, "operator_events", kind="orphans")
    fields = {"hand_over-username": "HEIR", "hand_over-reason": "The organizer has left us"}
    assert press(desk, "operator_hand_over", of.pk, **fields).status_code == 302
    assert browser(heir).get(f"/{of.slug}/desk/").status_code == 200
    assert of.name not in page(desk, "operator_events", kind="orphans")
    assert OperatorEntry.objects.get().data == {"to": heir.pk, "ends_others": False}
    assert verify(of) == []


@pytest.mark.parametrize("listing", [LISTING.WITHHELD, LISTING.HIDDEN])
def test_events_of_a_blocked_spammer_do_not_wait_for_an_organizer(listing):
    """Twenty-five closed advertisements hid the one event that somebody has to go on with."""
    operator, spammer = make.operator(), make.user()
    for _ in range(3):
        make.tournament(by=spammer)
    imported = make.tournament()
    Role.objects.filter(tournament=imported).delete()
    operations.block_account(spammer, by=actor(operator), reason=WHY, listing=listing)
    assert set(queries.events("orphans")) == {imported}
    assert queries.waiting().orphans == 1


def test_an_event_off_the_lists_with_players_still_needs_an_organizer():
    """Whoever registered waits for somebody to answer; closed to strangers it was given up by the operator."""
    operator, gone = make.operator(), make.user()
    of = make.tournament(by=gone)
    make.players(of, 1)
    operations.block_account(gone, by=actor(operator), reason=WHY, listing=LISTING.HIDDEN)
    assert set(queries.events("orphans")) == {of}
    operations.set_listing(of, LISTING.WITHHELD, by=actor(operator), reason=WHY)
    assert set(queries.events("orphans")) == set()


def test_an_event_in_play_needs_an_organizer_however_it_is_listed():
    of = make.tournament()
    make.players(of, 4)
    make.in_play(of)
    Role.objects.filter(tournament=of).delete()
    operations.set_listing(of, LISTING.WITHHELD, by=actor(make.operator()), reason=WHY)
    assert set(queries.events("orphans")) == {of}


def test_handing_over_ends_the_others_only_if_asked():
    operator, of, heir = make.operator(), make.tournament(), make.user()
    operations.hand_over(of, heir, by=actor(operator), reason=WHY)
    assert of.roles.filter(kind="organizer").count() == 2
    operations.hand_over(of, heir, by=actor(operator), reason=WHY, ends_others=True)
    assert [role.user_id for role in of.roles.filter(kind="organizer")] == [heir.pk]
    operations.hand_over(of, heir, by=actor(operator), reason=WHY, ends_others=True)
    assert OperatorEntry.objects.count() == 2, "A second press is another act"


def test_an_event_is_not_handed_to_nobody():
    operator, of = make.operator(), make.tournament()
    answer = press(browser(operator), "operator_hand_over", of.pk, **{"hand_over-username": "nobody"})
    said = answer.content.decode()
    assert (answer.status_code, "There is no account of this name." in said) == (422, True)
    blocked = make.user()
    User.objects.filter(pk=blocked.pk).update(is_active=False)
    with pytest.raises(Refused):
        operations.hand_over(of, blocked, by=actor(operator), reason=WHY)


def test_the_command_lists_orphans_and_gives_them():
    of, heir = make.tournament(), make.user("heir")
    out = StringIO()
    call_command("give_event", stdout=out)
    assert out.getvalue() == "Every event that is not over has somebody who organizes it.\n"
    Role.objects.filter(tournament=of).delete()
    out = StringIO()
    call_command("give_event", stdout=out)
    assert out.getvalue().startswith(f"{of.slug}: ")
    call_command("give_event", of.slug, "heir", stdout=out)
    assert [role.user_id for role in of.roles.all()] == [heir.pk]


def test_an_imported_running_event_belongs_to_whoever_is_named(tmp_path):
    """It belonged to nobody, and nobody could go on with it."""
    of = make.tournament()
    make.players(of, 4)
    make.in_play(of)
    path, out = tmp_path / "record.json", StringIO()
    call_command("export_record", of.slug, output=str(path))
    path.write_text(path.read_text().replace(of.slug, "elsewhere"))
    user = make.user("carrier")
    call_command("import_record", str(path), organizer="carrier", stdout=out)
    assert browser(user).get("/elsewhere/desk/").status_code == 200
    assert verify(Tournament.objects.get(slug="elsewhere")) == []
    assert "belongs to nobody" not in out.getvalue()


def test_an_import_for_nobody_says_so(tmp_path):
    of = make.tournament()
    make.players(of, 4)
    path, out = tmp_path / "record.json", StringIO()
    call_command("export_record", of.slug, output=str(path))
    call_command("import_record", str(path), slug="elsewhere", stdout=out)
    assert "It belongs to nobody yet: manage.py give_event elsewhere NAME" in out.getvalue()
    (orphan,) = queries.events("orphans")
    assert (orphan.slug, orphan.created_by.username) == ("elsewhere", "archive")
    assert not queries.accounts("waiting", "archive").exists()


def test_a_draft_nobody_plays_in_is_deleted_and_its_address_is_free():
    operator, of = make.operator(), make.tournament(announced=False)
    slug = of.slug
    assert "On the home page" not in page(browser(operator), "operator_event", of.pk)
    desk = browser(operator)
    press(desk, "operator_delete_draft", of.pk, **{"delete-reason": WHY})
    of.refresh_from_db()
    assert (of.name, of.city, of.is_deleted, of.roles.count()) == ("", "", True, 0)
    assert browser(of.created_by).get(f"/{of.slug}/").status_code == 404
    assert desk.get(f"/{slug}/").status_code == 404
    assert page(desk, "operator_event", of.pk)
    assert verify(of) == []
    said = {**vars(make.announcement()), "slug": slug}
    assert events.create_tournament(events.Announcement(**said), preset="sbr", by=make.actor(make.user()))


@pytest.mark.parametrize("state", ["with-a-player", "announced"])
def test_what_is_more_than_an_empty_draft_is_not_deleted(state):
    of = make.tournament(announced=state == "announced")
    if state == "with-a-player":
        make.players(of, 1)
    with pytest.raises(Refused) as refused:
        operations.delete_draft(of, by=actor(make.operator()), reason=WHY)
    assert refused.value.problems[0].code == "not_empty"


# Accounts


def test_a_link_gives_access_again_and_is_good_once():
    operator, user = make.operator(), make.user("forgetful")
    inside = browser(user)
    answer = press(browser(operator), "operator_reset", user.pk, **{"reset-reason": "Known by telephone"})
    link = answer.context["reset_url"].removeprefix("http://testserver")
    assert inside.get("/new/").status_code == 302
    stranger = Client()
    form = stranger.get(link, follow=True)
    word = {"password1": "four winds blow", "password2": "four winds blow"}
    stranger.post(form.redirect_chain[-1][0], word)
    assert User.objects.get(pk=user.pk).check_password("four winds blow")
    assert "password1" not in Client().get(link, follow=True).content.decode()


@pytest.mark.parametrize(
    "work",
    [
        lambda user, by: operations.block_account(user, by=by, reason=WHY),
        lambda user, by: operations.reset_access(user, by=by, reason=WHY),
        lambda user, by: operations.delete_account(user, by=by, reason=WHY),
    ],
    ids=["block", "reset", "delete"],
)
def test_operators_do_not_shut_each_other_out(work):
    one, other = make.operator(), make.operator()
    with pytest.raises(Refused) as refused:
        work(other, actor(one))
    assert refused.value.problems[0].code == "forbidden"


@pytest.mark.parametrize("reason", ["", "spam"])
def test_an_act_without_a_reason_changes_nothing(reason):
    operator, user = make.operator(), make.user()
    answer = press(browser(operator), "operator_block", user.pk, **{"block-reason": reason})
    assert answer.status_code == 422
    assert (User.objects.get(pk=user.pk).is_active, OperatorEntry.objects.count()) == (True, 0)


def test_an_account_is_deleted_for_its_owner_after_typing_its_name():
    operator, user = make.operator(), make.user("leaver")
    of = make.tournament(by=user)
    desk = browser(operator)
    wrong = press(desk, "operator_delete_account", user.pk, **{"delete-typed": "x", "delete-reason": WHY})
    assert (wrong.status_code, User.objects.filter(username="leaver").exists()) == (422, True)
    press(desk, "operator_delete_account", user.pk, **{"delete-typed": "leaver", "delete-reason": WHY})
    assert not User.objects.filter(username="leaver").exists()
    assert [row.pk for row in queries.events("orphans")] == [of.pk]
    assert "(deleted account)" in page(desk, "operator_event", of.pk)


# Persons


def person(of: Tournament, name: str = "Mira Zimorodok", **said) -> Player:
    row = people.register_player(of, Details(name=name, **said), by=make.organizer_of(of))
    return Player.objects.select_related("tournament").get(pk=row.player_id)


def test_a_person_is_erased_in_two_events_and_another_exported():
    """Only what was ticked; a namesake who is somebody else stays."""
    operator, first, second, third = make.operator(), *(make.tournament() for _ in range(3))
    one, two, other = person(first, email="m@x.org"), person(second, "M. Z.", email="m@x.org"), person(third)
    keeper = person(first, "Egret", city="Lund")
    desk = browser(operator)
    found = page(desk, "operator_persons", q="zimorodok")
    assert (first.name in found, third.name in found, second.name in found) == (True, True, False)
    shown = page(desk, "operator_person", one.pk)
    assert all(of.name in shown for of in (first, second, third))
    fields = {"players": [one.pk, two.pk], "typed": "mira zimorodok", "reason": "Asked by letter"}
    assert press(desk, "operator_person", one.pk, **{**fields, "typed": "Mira"}).status_code == 422
    assert press(desk, "operator_person", one.pk, **fields).status_code == 302
    assert [Player.objects.get(pk=row.pk).name for row in (one, two, other)] == ["", "", "Mira Zimorodok"]
    answer = press(desk, "operator_export_person", keeper.pk)
    data = json.loads(answer.content)
    assert (data["player"]["name"], data["player"]["city"]) == ("Egret", "Lund")
    assert [row.kind for row in OperatorEntry.objects.order_by("pk")] == [
        Act.PERSON_ERASED, Act.PERSON_ERASED, Act.PERSON_EXPORTED,
    ]  # fmt: skip
    assert "imorodok" not in "".join(map(str, OperatorEntry.objects.values_list("reason", "data", "subject")))
    assert [verify(of) for of in (first, second, third)] == [[], [], []]


@pytest.mark.parametrize("words", ["petr", "пётр", "Петр Син", "+7 921", "PETR@", "4711"])
def test_a_person_is_found_in_either_alphabet_and_by_what_a_letter_gives(words):
    operator, of = make.operator(), make.tournament()
    person(of, "Egret")
    row = person(of, "Пётр Синица", email="petr@example.org", phone="+7 921 555")
    Player.objects.filter(pk=row.pk).update(federation_ids={"ema": "4711"})
    found = page(browser(operator), "operator_persons", q=words)
    assert ("Пётр Синица" in found, "Egret" in found) == (True, False)


def test_a_reason_that_names_the_person_is_refused():
    operator, of = make.operator(), make.tournament()
    row = person(of)
    fields = {"players": [row.pk], "typed": row.name, "reason": "Mira asked for it by letter"}
    answer = press(browser(operator), "operator_person", row.pk, **fields)
    assert (answer.status_code, "without the name" in answer.content.decode()) == (422, True)
    assert Player.objects.get(pk=row.pk).name == row.name


def test_a_person_who_still_plays_somewhere_is_erased_nowhere():
    """Every event that stands in the way is named: the operator would not know which."""
    operator, played, announced, also = make.operator(), *(make.tournament() for _ in range(3))
    one, two, three = (person(of) for of in (played, announced, also))
    for of in (played, also):
        make.players(of, 3)
        make.in_play(of)
    with pytest.raises(Refused) as refused:
        operations.erase_persons([one, two, three], by=actor(operator), reason=WHY)
    assert [(problem.code, problem.details["name"]) for problem in refused.value.problems] == [
        ("still_playing", f"Mira Zimorodok ({of.name})") for of in (played, also)
    ]
    assert OperatorEntry.objects.count() == 0
    assert Player.objects.get(pk=two.pk).name == "Mira Zimorodok"


def test_the_log_tells_the_number_of_whoever_is_erased():
    """After a restore the name is back, and only the number leads to the page on which it is erased again."""
    operator, of, leaver = make.operator(), make.tournament(), make.user("leaver")
    row = person(of)
    for _ in range(2):  # sent again after an answer that never came
        operations.erase_persons([row], by=actor(operator), reason=WHY)
    assert OperatorEntry.objects.count() == 1
    operations.delete_account(leaver, by=actor(operator), reason=WHY)
    told = page(browser(operator), "operator_log")
    assert f"(erased), number {row.pk} · {of.name}" in told
    assert f"(deleted account), number {leaver.pk}" in told


def test_the_operator_sees_requests_that_nobody_answered():
    operator, of = make.operator(), make.tournament()
    row = person(of)
    make.players(of, 3)
    make.in_play(of)
    request = privacy.request_erasure(row.registration, by=make.actor(make.user()))
    desk = browser(operator)
    assert row.name not in page(desk, "operator_persons")
    type(request).objects.update(due_on=timezone.now().date() - timedelta(days=1))
    assert row.name in page(desk, "operator_persons")


# Reports


def test_few_reports_an_hour_come_from_one_address():
    of = make.tournament()
    visitor = browser()
    said = {"kind": "other", "text": "There is something wrong here."}
    answers = [visitor.post(f"/{of.slug}/report/", said).status_code for _ in range(7)]
    assert answers == [302] * 5 + [429] * 2
    assert of.reports.count() == 5
    elsewhere = Client(REMOTE_ADDR="198.51.100.9")
    assert elsewhere.post(f"/{of.slug}/report/", said).status_code == 302


def test_a_crowd_does_not_fill_the_operators_list(monkeypatch):
    monkeypatch.setattr(operations, "MOST_OPEN_REPORTS", 2)
    of = make.tournament()
    for number in range(4):
        Client(REMOTE_ADDR=f"198.51.100.{number}").post(
            f"/{of.slug}/report/", {"kind": "spam", "text": "Advertising, I think."}
        )
    assert of.reports.count() == 2


# What an operator cannot do


def test_the_operator_changes_no_score():
    """[INTEGRITY 3]"""
    of = make.tournament()
    make.players(of, 4)
    session = make.in_play(of)
    protocol = session.tables.get().protocol
    make.record(protocol)
    desk = browser(make.operator())
    before = list(protocol.hands.values())
    for address in (
        f"/{of.slug}/desk/", f"/{of.slug}/desk/tables/1/1/", f"/{of.slug}/desk/tables/1/1/correct/1/",
        f"/{of.slug}/desk/adjustments/", f"/{of.slug}/desk/people/",
    ):  # fmt: skip
        assert (address, desk.get(address).status_code) == (address, 404)
        assert (address, desk.post(address).status_code in {404, 405}) == (address, True)
    assert list(protocol.hands.values()) == before


def test_nobody_changes_the_log():
    operations.approve_account(make.user(), by=actor(make.operator()))
    for change in (
        "UPDATE tournaments_operatorentry SET reason = 'x'",
        "DELETE FROM tournaments_operatorentry",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(change)
    assert OperatorEntry.objects.get().reason == ""
