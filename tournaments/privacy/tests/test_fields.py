"""Every field of every model is erased or kept for a reason, and what is said to be erased is gone from the database."""

import gzip
import json

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session as SignIn
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from penalties.appeals.operations import withdraw_appeal
from penalties.lateness import operations as late
from penalties.tests import factories as judge
from tournaments.models import (
    ErasureRequest,
    HallScreen,
    HistoryEntry,
    Player,
    Protocol,
    Registration,
    Role,
    Snapshot,
    Team,
    User,
)
from tournaments.people.operations import registration as people
from tournaments.people.operations.registration import Details
from tournaments.person_fields import OF_THE_PLAYER
from tournaments.privacy import operations as privacy
from tournaments.privacy.queries import player_data
from tournaments.privacy.rules import FATES, NOT_PERSONAL
from tournaments.record import history
from tournaments.record.history import Kind
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import recompute
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
PEOPLE = {"Player", "Registration", "User", "Appeal", "EmailAddress"}
MARK = "Zimorodok"
HIDDEN_WORDS = (
    MARK, "KZ-region", "Almaty", "KZ-club", "KZ-team", "KZ-group", "zimorodok@example.org", "+7-777-MARK", "12345678",
    "note of hers", "her own words", "her own statement", "her objection",
    "zimorodok-id",
)  # fmt: skip


def models() -> dict[str, type[Model]]:
    return {model._meta.label: model for model in apps.get_models(include_auto_created=True)}


def test_every_model_is_classified():
    """A new model fails here until somebody says what it holds of people."""
    assert sorted(set(FATES) | set(NOT_PERSONAL)) == sorted(models())
    assert set(FATES) & set(NOT_PERSONAL) == set()


@pytest.mark.parametrize("label", FATES)
def test_every_field_is_erased_or_kept(label):
    """A new field fails here until it stands on one side."""
    fate = FATES[label]
    fields = {field.name for field in models()[label]._meta.concrete_fields}
    named = {*fate.erased, *fate.kept}
    where = f"FATES[{label!r}] in tournaments/privacy/rules.py"
    assert not fields - named, f"{where} does not say whether these are erased or kept, and why"
    assert not named - fields, f"{where} names fields that are gone"
    assert set(fate.erased) & set(fate.kept) == set()


def test_what_leads_to_a_person_is_no_stranger_to_people():
    """A model with a relation to a person is classified field by field."""
    leading = {
        label
        for label, model in models().items()
        for field in model._meta.concrete_fields
        if field.related_model is not None and field.related_model.__name__ in PEOPLE
    }
    assert leading - set(FATES) == set()


@pytest.fixture
@remembered
def person():
    """Somebody of whom everything is known, in an event that was played to its end, with an appeal and its file."""
    of = make.tournament("sbr", team_size=4)
    by = make.organizer_of(of)
    details = Details(
        name=MARK, country="KZ", region="KZ-region", city="Almaty", club="KZ-club", team="KZ-team",
        group="KZ-group", email="zimorodok@example.org", phone="+7-777-MARK", federation_ids={"EMA": "12345678"},
        comment="note of hers",
    )  # fmt: skip
    row = people.register_player(of, details, by=by)
    Player.objects.filter(pk=row.player_id).update(code="zimorodok-id")
    make.players(of, 3)
    session = make.in_play(of)
    make.record(session.tables.get().protocol)
    player = Player.objects.get(pk=row.player_id)
    player.tournament = session.tournament = of
    penalty = judge.give(player, "touching", session)
    (row_of_lateness,) = late.mark_late(session, [player], by=by)
    late.note_arrival(row_of_lateness, by=by)
    appeal = judge.appeal(penalty, files=[("zimorodok-id.png", judge.png())], text="her own words, " * 3)
    appeal.statements.create(text="her own statement", actor=f"player:{player.pk}", at=timezone.now())
    appeal.statements.create(text="what the desk said", actor="user:1", at=timezone.now())
    withdraw_appeal(appeal, by=judge.link_actor(row))
    protocol = Protocol.objects.select_related("table__session__tournament").get()
    wind = protocol.table.seats.get(player=player).wind
    protocols.note_objection(protocol, wind, text="her objection", intent=make.intent(protocol), by=by)
    HallScreen.objects.create(tournament=of, message=f"{MARK}, please come to table 1")
    make.settle(session)
    play.close_session(session, by=by)
    of.refresh_from_db()
    events.close_tournament(of, by=by)
    recompute.recompute(of.pk, waits=True)
    privacy.request_erasure(Registration.objects.get(pk=row.pk), by=by)
    return player


def stored() -> dict[str, str]:
    """Everything the database holds, as text, by model."""
    texts = {}
    for label, model in models().items():
        rows = [
            [unpacked(field.value_from_object(row)) for field in model._meta.concrete_fields]
            for row in model._base_manager.all()
        ]
        texts[label] = json.dumps(rows, ensure_ascii=False, default=str)
    return texts


def unpacked(value):
    """Read what a snapshot has compressed."""
    if isinstance(value, bytes | memoryview):
        raw = bytes(value)
        return gzip.decompress(raw).decode() if raw[:2] == b"\x1f\x8b" else raw.decode("latin-1")
    return value


def where(words) -> dict[str, list[str]]:
    found = {label: [word for word in words if word in text] for label, text in stored().items()}
    return {label: words for label, words in found.items() if words}


def test_everything_is_known_of_the_person(person):
    """A field that is added to the list fails here until the person has it and it is looked for."""
    known = {one.name: one.text_of(Player.objects.get(pk=person.pk)) for one in OF_THE_PLAYER}
    assert [name for name, text in known.items() if not text] == []
    assert [name for name, text in known.items() if text not in HIDDEN_WORDS] == ["country"]


def test_an_erased_player_stands_nowhere_in_the_database(person):
    before = where(HIDDEN_WORDS)
    assert set(before) >= {
        "tournaments.Player",
        "tournaments.Snapshot",
        "penalties.Appeal",
        "tournaments.HallScreen",
    }
    assert "tournaments.HistoryEntry" not in before
    assert "tournaments.Receipt" not in before
    privacy.erase_player(person, by=make.organizer_of(person.tournament), reason="Asked by letter")
    recompute.recompute(person.tournament_id, waits=True)
    assert where(HIDDEN_WORDS) == {"seating.Draw": ["KZ-region", "Almaty", "KZ-club", "KZ-team", "KZ-group"]}
    assert verify(person.tournament) == []


def test_erasing_blanks_what_the_list_says_and_keeps_the_rest(person):
    """The list of fates is what happens, field by field."""
    row = Player.objects.get(pk=person.pk)
    kept = {name: getattr(row, name) for name in FATES["tournaments.Player"].kept if name != "erased_at"}
    erased = privacy.erase_player(person, by=make.organizer_of(person.tournament), reason="")
    assert {name: getattr(erased, name) for name in kept} == kept
    assert {name: getattr(erased, name) for name in FATES["tournaments.Player"].erased if name != "code"} == {
        **privacy.BLANK
    }, "what is erased by tournaments/privacy/rules.py stands in BLANK of tournaments/privacy/operations.py"
    assert erased.code == f"x{person.pk}"
    assert not Team.objects.filter(name="KZ-team").exists()


def test_the_history_holds_numbers_and_no_names(person):
    """[INTEGRITY 1]"""
    contents = "".join(HistoryEntry.objects.values_list("content", flat=True))
    names = [row.name for row in person.tournament.players.all()]
    assert [name for name in (*names, *HIDDEN_WORDS) if name in contents] == []


def test_words_of_an_objection_are_told_until_their_author_is_erased(person, client):
    """Earlier versions sealed the words with the entry; such words are not shown any more. [INTEGRITY 1] [SBR 2.5.8.4]"""
    of = person.tournament
    protocol = Protocol.objects.select_related("table__session__tournament").get()
    history.record(
        Kind.OBJECTION_NOTED,
        tournament=of,
        protocol=protocol,
        by=make.organizer_of(of),
        data={"wind": "E", "player": person.pk},
        reason="sealed long ago",
    )
    client.force_login(of.created_by)
    pages = [
        reverse("tournaments:table_desk", args=[of.slug, 1, 1]),
        reverse("tournaments:history", args=[of.slug]),
    ]
    for page in pages:
        shown = client.get(page).content.decode()
        assert "her objection" in shown
        assert "sealed long ago" in shown
    assert [one["text"] for one in player_data(person)["objections"]] == ["her objection"]
    privacy.erase_player(person, by=make.organizer_of(of), reason="")
    for page in pages:
        shown = client.get(page).content.decode()
        assert "her objection" not in shown
        assert "sealed long ago" not in shown
        assert shown.count("—") >= 2


def test_results_stay_as_they_were(person):
    before = list(person.tournament.standings.values_list("player", "place", "values", "lines"))
    privacy.erase_player(person, by=make.organizer_of(person.tournament), reason="")
    recompute.recompute(person.tournament_id, waits=True)
    assert list(person.tournament.standings.values_list("player", "place", "values", "lines")) == before
    assert Snapshot.objects.get(tournament=person.tournament).revision > 0
    assert ErasureRequest.objects.get().state == ErasureRequest.State.DONE


ACCOUNT_WORDS = (
    "Peregrine",
    "peregrine@example.org",
    "Falco Peregrinus",
    "203.0.113.7",
    "Mosaic/1.0",
    "totp-secret",
)


@pytest.fixture
@remembered
def account():
    """An account of which everything is known."""
    user = make.user("Peregrine")
    User.objects.filter(pk=user.pk).update(
        email="peregrine@example.org", first_name="Falco Peregrinus", approved_at=timezone.now()
    )
    client = Client(headers={"user-agent": "Mosaic/1.0"}, REMOTE_ADDR="203.0.113.7")
    client.post("/accounts/login/", {"login": "Peregrine", "password": "password"})
    address = EmailAddress.objects.create(user=user, email="peregrine@example.org")
    EmailConfirmation.objects.create(email_address=address, key="k")
    Authenticator.objects.create(user=user, type="totp", data={"secret": "totp-secret"})
    user.groups.add(Group.objects.create(name="a group"))
    user.user_permissions.add(Permission.objects.first())
    user.refresh_from_db()
    return user


def test_a_deleted_account_stands_nowhere_in_the_database(account):
    of = make.tournament(by=account)
    make.players(of, 1)
    assert set(where(ACCOUNT_WORDS)) >= {
        "tournaments.User", "account.EmailAddress", "mfa.Authenticator", "usersessions.UserSession",
    }  # fmt: skip
    privacy.delete_account(account, by=make.actor(account), leaves_events=True)
    assert where(ACCOUNT_WORDS) == {}
    gone = (Role, EmailAddress, EmailConfirmation, Authenticator, UserSession, SignIn)
    assert [model._meta.label for model in gone if model.objects.exists()] == []
    assert verify(of) == []


def test_deleting_blanks_what_the_list_says(account):
    privacy.delete_account(account, by=make.actor(account))
    row = User.objects.get(pk=account.pk)
    assert (row.username, row.first_name, row.last_name, row.email) == (f"deleted-{row.pk}", "", "", "")
    assert (row.is_active, row.is_staff, row.last_login, row.approved_at) == (False, False, None, None)
    assert not row.has_usable_password()
    assert row.title == "(deleted account)"
    assert not row.groups.exists()
    assert not row.user_permissions.exists()
