"""A member of the staff who forgot the password gets a new one from the organizer, and nobody gets a stranger's account."""

import re

import pytest
from django.test import Client

from tournaments.models import HistoryEntry, Role, User
from tournaments.people.operations import passwords
from tournaments.record import history
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import tournaments as events
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
NEW = "north wind blows 7"


@pytest.fixture
@remembered
def of():
    return make.tournament()


@pytest.fixture
@remembered
def referee(of):
    """A referee who has already worked at the event."""
    user = make.staff(of, Role.Kind.REFEREE)
    work(of, user)
    return user


def work(of, user):
    """Something that the user has done, as the history tells it."""
    from tournaments.record.actors import Actor, ActorKind

    by = Actor(ActorKind.USER, user.pk, frozenset({"referee"}))
    history.record(history.Kind.DEVICE_INVITED, tournament=of, by=by)


def allow(of, user):
    return passwords.allow_new_password(of, user, by=make.organizer_of(of))


def refused(call, *arguments):
    with pytest.raises(Refused) as refusal:
        call(*arguments)
    return refusal.value.problems[0].sentence


def desk(of):
    client = Client()
    client.force_login(of.created_by)
    return client


def link_on(answer):
    return re.search(r'data-copies="http://testserver(/new-password/[^"]+)"', answer.content.decode()).group(
        1
    )


def test_a_referee_sets_a_new_password_by_the_organizers_code(of, referee):
    role = of.roles.get(user=referee)
    shown = desk(of).post(f"/{of.slug}/desk/staff/{role.pk}/new-password/")
    assert shown.status_code == 200
    assert "no-store" in shown["Cache-Control"]
    stranger = Client()
    page = stranger.get(link_on(shown))
    assert referee.title in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert page["X-Robots-Tag"] == "noindex"
    answer = stranger.post(link_on(shown), {"password1": NEW, "password2": NEW})
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/")
    assert Client().login(username=referee.username, password=NEW)
    told = [(entry.kind, history.read(entry.content)) for entry in HistoryEntry.objects.order_by("-id")[:2]]
    assert [(kind, content["by"], content["subject"]) for kind, content in told] == [
        ("password_set", f"user:{referee.pk}", f"user:{referee.pk}"),
        ("password_allowed", f"user:{of.created_by_id}", f"user:{referee.pk}"),
    ]


def test_a_link_is_good_once_and_ends_the_sessions_of_the_account(of, referee):
    working = Client()
    working.force_login(referee)
    secret, other = allow(of, referee), allow(of, referee)
    passwords.set_new_password(secret, NEW)
    assert working.get(f"/{of.slug}/desk/").status_code == 302
    for used in (secret, other):
        assert "has been used or has expired" in refused(passwords.set_new_password, used, "another wind 8")
        assert Client().get(f"/new-password/{used}/").status_code == 410
    assert Client().login(username=referee.username, password=NEW)


def test_a_link_is_good_for_an_hour(of, referee, monkeypatch):
    import time

    secret = allow(of, referee)
    now = time.time()
    monkeypatch.setattr("django.core.signing.time.time", lambda: now + 3590)
    assert passwords.permission(secret).user == referee
    monkeypatch.setattr("django.core.signing.time.time", lambda: now + 3610)
    assert "has expired" in refused(passwords.permission, secret)


def test_a_link_ends_when_its_owner_remembers_and_signs_in(of, referee):
    User.objects.filter(pk=referee.pk).update(password=make.user().password)
    secret = allow(of, referee)
    from django.contrib.auth.models import update_last_login

    update_last_login(None, User.objects.get(pk=referee.pk))
    assert "has been used" in refused(passwords.permission, secret)


def test_a_link_ends_with_the_office_of_whoever_made_it(of, referee):
    other = make.staff(of, Role.Kind.ORGANIZER)
    secret = allow(of, referee)
    events.take_role(of.roles.get(user=of.created_by, kind=Role.Kind.ORGANIZER), by=make.organizer_of(of))
    assert other
    assert "has expired" in refused(passwords.permission, secret)


@pytest.mark.parametrize("rights", ["is_staff", "is_superuser"])
def test_an_administrators_password_is_not_the_organizers_to_set(of, referee, rights):
    User.objects.filter(pk=referee.pk).update(**{rights: True})
    assert "only its operator" in refused(allow, of, referee)


def test_a_link_made_before_the_account_became_an_administrators_is_worth_nothing(of, referee):
    secret = allow(of, referee)
    User.objects.filter(pk=referee.pk).update(is_superuser=True)
    assert "has expired" in refused(passwords.set_new_password, secret, NEW)


@pytest.mark.parametrize("kind", [Role.Kind.SCORER, Role.Kind.ORGANIZER])
def test_the_staff_of_another_organizers_event_is_out_of_reach(of, referee, kind):
    other = make.tournament()
    events.grant_role(other, referee, kind, by=make.organizer_of(other))
    assert "works at events that are not yours" in refused(allow, of, referee)


def test_the_staff_of_ones_other_event_is_within_reach(of, referee):
    other = make.tournament()
    Role.objects.create(tournament=other, user=of.created_by, kind=Role.Kind.ORGANIZER)
    events.grant_role(other, referee, Role.Kind.SCORER, by=make.organizer_of(other))
    assert passwords.permission(allow(of, referee)).user == referee


def test_whoever_made_an_event_of_their_own_is_out_of_reach(of, referee):
    other = make.tournament()
    Role.objects.filter(tournament=other).delete()
    other.__class__.objects.filter(pk=other.pk).update(created_by=referee)
    assert "works at events that are not yours" in refused(allow, of, referee)


def test_a_stranger_who_was_named_but_never_worked_here_is_out_of_reach(of):
    """Else an account could be taken over by making an event and naming its owner in it."""
    victim = make.user()
    events.grant_role(of, victim, Role.Kind.SCORER, by=make.organizer_of(of))
    assert "has not done anything at this event" in refused(allow, of, victim)


def test_ones_own_password_is_changed_under_ones_account(of):
    work(of, of.created_by)
    assert "your own account" in refused(allow, of, of.created_by)


def test_an_organizer_elsewhere_cannot_ask(of, referee):
    other = make.tournament()
    role = of.roles.get(user=referee)
    client = desk(other)
    assert client.post(f"/{of.slug}/desk/staff/{role.pk}/new-password/").status_code == 404
    assert client.post(f"/{other.slug}/desk/staff/{role.pk}/new-password/").status_code == 404
    assert not HistoryEntry.objects.filter(kind="password_allowed").exists()


def test_a_refusal_is_a_page_with_its_reason(of):
    victim = make.user()
    role = events.grant_role(of, victim, Role.Kind.SCORER, by=make.organizer_of(of))
    answer = desk(of).post(f"/{of.slug}/desk/staff/{role.pk}/new-password/")
    assert answer.status_code == 403
    assert "has not done anything at this event" in answer.content.decode()


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("short", "short", "too short"),
        ("password12345", "password1234", "The two passwords differ."),
        ("", "", "This field is required."),
    ],
)
def test_a_password_that_will_not_do_is_refused_beside_its_field(of, referee, first, second, said):
    before = User.objects.get(pk=referee.pk).password
    answer = Client().post(
        f"/new-password/{allow(of, referee)}/",
        {"password1": first, "password2": second},
        headers={"accept-language": "en"},
    )
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert User.objects.get(pk=referee.pk).password == before


@pytest.mark.parametrize("secret", ["anything", "x:y:z", ":", "eyJhIjoxfQ:1:1"])
def test_a_forged_link_opens_nothing(secret):
    assert Client().get(f"/new-password/{secret}/").status_code == 410
    assert Client().post(f"/new-password/{secret}/", {"password1": NEW, "password2": NEW}).status_code == 410


def test_the_page_of_the_staff_offers_it_for_others_once_each(of, referee):
    events.grant_role(of, referee, Role.Kind.SCORER, by=make.organizer_of(of))
    page = desk(of).get(f"/{of.slug}/desk/staff/").content.decode()
    assert page.count("/new-password/") == 1
