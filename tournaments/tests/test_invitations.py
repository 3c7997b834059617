"""Staff by link: good once, until a day, withdrawn while nobody has taken it; an account is made on the way. [INTEGRITY 3]"""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from tournaments.models import HistoryEntry, Invitation, Role, User
from tournaments.privacy.operations import delete_account
from tournaments.record.actors import ANYONE
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import invitations
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def invited(of, kind="referee", **names):
    return invitations.invite(of, kind, by=make.organizer_of(of), **names)


def refused(secret, user):
    with pytest.raises(Refused) as caught:
        invitations.accept(secret, user)
    return [problem.code for problem in caught.value.problems]


def test_the_desk_makes_a_link_and_whoever_opens_it_has_the_role_under_the_name():
    of = make.tournament()
    desk = signed_in(of.created_by)
    said = {"invite-kind": "chief_referee", "invite-name": "Пётр Чиж", "invite-name_latin": "P. Siskin"}
    shown = desk.post(f"/{of.slug}/desk/staff/invite/", said)
    address = re.search(r"/invitation/[\w-]+/", shown.context["address"])[0]
    assert "no-store" in shown["Cache-Control"]
    judge = signed_in(make.user("judge88"))
    assert "Chief referee" in words(judge.get(address))
    assert judge.post(f"{address}take/")["Location"] == f"/{of.slug}/desk/"
    role = of.roles.get(user__username="judge88")
    assert (role.kind, role.name, role.name_latin) == ("chief_referee", "Пётр Чиж", "P. Siskin")
    kinds = HistoryEntry.objects.filter(tournament=of, kind__contains="invit").values_list("kind", flat=True)
    assert list(kinds) == ["staff_invited", "invitation_accepted"]
    assert verify(of) == []


def test_without_an_account_one_is_made_and_leads_back():
    of = make.tournament()
    _row, secret = invited(of)
    stranger = Client()
    page = stranger.get(f"/invitation/{secret}/").content.decode()
    assert f"/accounts/signup/?next=%2Finvitation%2F{secret}%2F" in page
    said = {"username": "newjudge", "password1": "north wind blows 7", "password2": "north wind blows 7"}
    made = stranger.post("/accounts/signup/", said | {"next": f"/invitation/{secret}/"})
    assert made["Location"] == f"/invitation/{secret}/"
    stranger.post(f"/invitation/{secret}/take/")
    assert Role.objects.get(user__username="newjudge").kind == "referee"


def test_who_is_not_signed_in_is_led_to_the_sign_in_and_takes_nothing():
    _row, secret = invited(make.tournament())
    page = f"/invitation/{secret}/"
    answer = Client().post(f"{page}take/", headers={"Referer": f"http://testserver{page}"})
    assert answer["Location"] == f"/accounts/login/?next={page}"
    assert Invitation.objects.get().used_at is None


def test_a_link_is_good_once_and_a_second_press_of_the_same_person_changes_nothing():
    of = make.tournament()
    _row, secret = invited(of)
    first = make.user()
    assert invitations.accept(secret, first) == invitations.accept(secret, first)
    assert refused(secret, make.user()) == ["code_used"]
    assert of.roles.filter(kind="referee").count() == 1


def test_a_link_ends_when_it_is_withdrawn_or_expired_or_unknown():
    of = make.tournament()
    row, secret = invited(of)
    desk = signed_in(of.created_by)
    assert "Invitations not taken yet" in words(desk.get(f"/{of.slug}/desk/staff/"))
    desk.post(f"/{of.slug}/desk/staff/invite/{row.pk}/withdraw/")
    assert "Invitations not taken yet" not in words(desk.get(f"/{of.slug}/desk/staff/"))
    assert refused(secret, make.user()) == ["code_expired"]
    row, secret = invited(of)
    Invitation.objects.filter(pk=row.pk).update(expires_at=timezone.now() - timedelta(minutes=1))
    assert refused(secret, make.user()) == ["code_expired"]
    assert refused("nothing", make.user()) == ["code_expired"]
    assert "Ask the organizer" in words(Client().get(f"/invitation/{secret}/"))


def test_one_that_was_taken_is_withdrawn_no_more():
    of = make.tournament()
    row, secret = invited(of)
    invitations.accept(secret, make.user())
    with pytest.raises(Refused):
        invitations.withdraw_invitation(row, by=make.organizer_of(of))


def test_the_organizer_does_not_use_up_the_own_link():
    of = make.tournament()
    _row, secret = invited(of)
    assert refused(secret, of.created_by) == ["wrong_state"]
    assert of.roles.filter(kind="referee").count() == 0


def test_without_a_role_no_link_is_made():
    of = make.tournament()
    answer = signed_in(of.created_by).post(f"/{of.slug}/desk/staff/invite/", {"invite-name": "Somebody"})
    assert (answer.status_code, Invitation.objects.count()) == (422, 0)
    assert answer.context["invite_form"].errors == {"kind": ["Choose a role."]}


def test_a_deleted_account_is_not_named_by_an_invitation():
    of = make.tournament()
    _row, secret = invited(of, name="Пётр Чиж")
    judge = make.user()
    invitations.accept(secret, judge)
    delete_account(User.objects.get(pk=judge.pk), by=ANYONE)
    row = Invitation.objects.get()
    assert (row.used_by, row.name) == (None, "")


def test_an_event_is_handed_over_when_the_other_accepts_and_not_before():
    of, other = make.tournament(), make.user("heir")
    desk = signed_in(of.created_by)
    assert "ready to be handed over" in words(desk.post(f"/{of.slug}/desk/staff/hand-over/"))
    first = of.invitations.get()
    invitation, secret = invitations.offer_event(of, by=make.organizer_of(of))
    assert of.invitations.get(pk=first.pk).withdrawn_at is not None
    assert refused(secret, of.created_by) == ["wrong_state"]
    assert list(of.roles.values_list("user__username", flat=True)) == [of.created_by.username]
    assert "no longer does" in words(signed_in(other).get(f"/invitation/{secret}/"))
    desk.post(f"/{of.slug}/desk/staff/invite/{invitation.pk}/withdraw/")
    assert refused(secret, other) == ["code_expired"]
    _, secret = invitations.offer_event(of, by=make.organizer_of(of))
    invitations.accept(secret, other)
    assert list(of.roles.values_list("kind", "user__username")) == [("organizer", "heir")]
    assert verify(of) == []


def test_a_link_that_ended_with_its_makers_role_does_not_come_back_with_it():
    """[RULES 9.29]"""
    of, second = make.tournament(), make.user("second")
    _, secret = invitations.offer_event(of, by=make.organizer_of(of))
    of.roles.create(kind="organizer", user=second)
    of.roles.filter(user=of.created_by).delete()
    of.roles.create(kind="organizer", user=of.created_by)
    assert refused(secret, make.user("third")) == ["code_expired"]
    _, secret = invitations.offer_event(of, by=make.organizer_of(of))
    invitations.accept(secret, make.user("fourth"))
    assert not of.roles.filter(user=of.created_by).exists()


def test_who_organizes_no_longer_hands_nothing_over():
    of = make.tournament()
    invitations.invite(of, "organizer", by=make.organizer_of(of))
    _, secret = invitations.offer_event(of, by=make.organizer_of(of))
    of.roles.create(kind="organizer", user=make.user("second"))
    of.roles.filter(user=of.created_by).delete()
    assert refused(secret, make.user("third")) == ["code_expired"]
