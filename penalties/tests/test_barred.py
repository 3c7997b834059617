"""A disqualification until a date keeps its player out of later events of the site, unless the desk says why not."""

from datetime import date, timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format

from penalties.ladder.operations import penalties
from penalties.tests import factories as judge
from tournaments.models import Player, Registration, Tournament
from tournaments.people.operations import registration
from tournaments.people.operations.registration import Details
from tournaments.people.rules.barred import DESK, REMOVED_STRANGER, STRANGER
from tournaments.record import history
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.history import Kind
from tournaments.record.refusal import Refused
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
UNTIL = date(2031, 6, 10)
WHO = {"name": "Пётр Чиж", "city": "Самара"}


def named(name: str) -> Tournament:
    of = make.tournament("sbr")
    Tournament.objects.filter(pk=of.pk).update(name=name)
    return Tournament.objects.get(pk=of.pk)


@pytest.fixture
@remembered
def barred():
    """Somebody whom an event disqualified until a day."""
    of = named("Winter Cup")
    by = make.organizer_of(of)
    row = registration.register_player(of, Details(**WHO, federation_ids={"EMA": "04010001"}), by=by)
    row.player.tournament = of
    make.players(of, 3)
    given = judge.give(
        row.player,
        "cheating",
        by=judge.judge(of, "chief_referee"),
        effect="disqualification",
        until=UNTIL,
    )
    penalties.approve(given, by=judge.judge(of, "committee"))
    return row


def later(first: date = UNTIL) -> Tournament:
    of = named("Summer Cup")
    Tournament.objects.filter(pk=of.pk).update(first_day=first, last_day=first + timedelta(days=1))
    return Tournament.objects.get(pk=of.pk)


def register(of: Tournament, language: str = "en", **said: str):
    client = Client(headers={"Accept-Language": language})
    return client.post(reverse("tournaments:register", args=[of.slug]), {**WHO, "consent": "on", **said})


def desk(of: Tournament) -> Client:
    client = Client()
    client.force_login(of.created_by)
    return client


def told(answer, sentence: str, language: str = "en", **details: str) -> bool:
    with translation.override(language):
        return translation.gettext(sentence) % details in unescape(answer.content.decode())


def day(language: str = "en") -> str:
    with translation.override(language):
        return date_format(UNTIL, "DATE_FORMAT")


@pytest.mark.parametrize("language", ["en", "ru"])
def test_who_registers_alone_is_refused_with_the_day(barred, language):
    """[SBR 2.8.5] [RULES 1.8]"""
    of = later()
    answer = register(of, language)
    assert answer.status_code == 422
    assert told(answer, STRANGER, language, name="Пётр Чиж", until=day(language))
    assert not of.registrations.exists()
    assert "Winter Cup" not in answer.content.decode()


SAME = {
    "other-case": {"name": "ПЕТР ЧИЖ", "city": "самара"},
    "other-name-same-number": {"name": "Grey Heron", "city": "", "ema_number": "04010001"},
}
OTHERS = {
    "another-city": {"city": "Казань"},
    "another-name": {"name": "Павел Чиж"},
}


@pytest.mark.parametrize("said", SAME.values(), ids=SAME)
def test_the_same_person_is_known_by_name_and_city_or_by_number(barred, said):
    of = later()
    assert register(of, **said).status_code == 422
    assert not of.registrations.exists()


@pytest.mark.parametrize("said", OTHERS.values(), ids=OTHERS)
def test_other_people_are_let_in(barred, said):
    of = later()
    assert register(of, **said).status_code == 302


@pytest.mark.parametrize(
    ("first", "may"), [(UNTIL, False), (UNTIL + timedelta(days=1), True)], ids=["last", "after"]
)
def test_the_day_of_play_decides_and_not_the_day_of_registration(barred, first, may):
    of = later(first)
    assert (register(of).status_code == 302) is may


def test_the_desk_lets_a_barred_player_in_with_a_reason_that_stays(barred):
    """[RULES 1.8] [INTEGRITY 1]"""
    of = later()
    client, page = desk(of), reverse("tournaments:add_player", args=[of.slug])
    answer = client.post(page, WHO)
    assert answer.status_code == 422
    assert told(answer, DESK, name="Пётр Чиж", until=day(), event="Winter Cup")
    assert "Why this player may take part" in answer.content.decode()
    assert client.post(page, {**WHO, "override": "no"}).status_code == 422
    assert not of.registrations.exists()
    why = "The federation lifted the ban on Monday."
    assert client.post(page, {**WHO, "override": why}).status_code == 302
    entry = of.history.filter(kind=Kind.PLAYER_REGISTERED).get()
    content = history.read(entry.content)
    assert (content["reason"], content["data"]["despite"]) == (why, barred.pk)


def test_a_stranger_cannot_send_the_reason(barred):
    of = later()
    stranger = Actor(ActorKind.ANYONE, 0, frozenset({"anyone"}))
    with pytest.raises(Refused) as refused:
        registration.register_player(of, Details(**WHO), by=stranger, override="The ban was lifted.")
    assert [one.code for one in refused.value.problems] == ["disqualified"]
    assert register(of, override="The federation lifted the ban.").status_code == 422
    assert not of.registrations.exists()


def test_a_player_cannot_become_a_barred_one_by_a_change(barred):
    of = later()
    assert register(of, name="Grey Heron").status_code == 302
    row = of.registrations.get()
    row.tournament = of
    address = reverse("tournaments:change_own", args=[of.slug, link_of(row)])
    answer = Client().post(address, WHO)
    assert answer.status_code == 422
    assert Player.objects.get(pk=row.player_id).name == "Grey Heron"


def test_a_list_with_a_barred_player_is_refused_whole(barred):
    of = later()
    rows = [Details(name="Grey Heron"), Details(**WHO)]
    with pytest.raises(Refused) as refused:
        registration.import_players(of, rows, by=make.organizer_of(of), key="list" + "k" * 16)
    assert [(one.code, one.field) for one in refused.value.problems] == [("disqualified", "rows.2.name")]
    assert not of.registrations.exists()


def test_the_pool_of_substitutes_is_barred_too(barred):
    of = later()
    client, page = desk(of), reverse("penalties:substitutes", args=[of.slug])
    answer = client.post(page, WHO)
    assert answer.status_code == 409
    assert "Why this player may take part" in answer.content.decode()
    assert not of.substitutes.exists()
    assert client.post(page, {**WHO, "override": "Lifted by the federation."}).status_code == 302


@pytest.mark.parametrize("effect", ["removal", "disqualification"])
def test_who_was_removed_does_not_come_back_by_another_registration(effect):
    """[SBR 2.8.5] [RULES 8.7]"""
    of = make.tournament("sbr")
    by = make.organizer_of(of)
    row = registration.register_player(of, Details(**WHO), by=by)
    row.player.tournament = of
    given = judge.give(row.player, "unsporting", by=judge.judge(of, "chief_referee"), effect=effect)
    if effect == "disqualification":
        penalties.approve(given, by=judge.judge(of, "committee"))
    answer = register(of)
    assert answer.status_code == 422
    assert told(answer, REMOVED_STRANGER, name="Пётр Чиж")
    with pytest.raises(Refused) as refused:
        registration.admit(Registration.objects.get(pk=row.pk), by=by)
    assert [one.code for one in refused.value.problems] == ["disqualified"]
    penalties.revoke(given, by=judge.judge(of, "chief_referee"), reason="It was his brother.")
    assert Registration.objects.get(pk=row.pk).status == "active"


def test_those_on_the_list_already_are_shown_to_the_desk_wherever_it_looks():
    of = later()
    assert register(of).status_code == 302
    other = named("Winter Cup")
    make.players(other, 4)
    row = other.registrations.first()
    Player.objects.filter(pk=row.player_id).update(search_key="петр чиж", city="Самара", name="Пётр Чиж")
    Registration.objects.filter(pk=row.pk).update(status="disqualified", disqualified_until=UNTIL)
    client = desk(of)
    for name in ("tournaments:people", "tournaments:check_in", "penalties:judging"):
        page = client.get(reverse(name, args=[of.slug])).content.decode()
        assert f"disqualified until {day()} by a decision at “Winter Cup”" in page, name
