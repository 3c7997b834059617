"""A disqualification holds until its day or until it is lifted, and the desk is asked about namesakes. [RULES 8.56] [SBR 2.8.5]"""

from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from penalties.ladder.operations import penalties
from penalties.tests import factories as judge
from tournaments.models import Tournament
from tournaments.people.operations import registration
from tournaments.people.operations.registration import Details
from tournaments.people.rules.names import alphabet_key
from tournaments.record.refusal import Refused
from tournaments.sessions.operations.tournaments import close_tournament
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
WHO = {"name": "Пётр Чижов", "city": "Самара"}


@pytest.fixture
@remembered
def given():
    """Somebody whom an event disqualified without a day."""
    of = make.tournament("sbr")
    Tournament.objects.filter(pk=of.pk).update(name="Winter Cup")
    of = Tournament.objects.get(pk=of.pk)
    row = registration.register_player(of, Details(**WHO), by=make.organizer_of(of))
    row.player.tournament = of
    make.players(of, 3)
    row = judge.give(row.player, "cheating", by=judge.judge(of, "chief_referee"), effect="disqualification")
    return penalties.approve(row, by=judge.judge(of, "committee"))


def later() -> Tournament:
    of = make.tournament("sbr")
    first = timezone.localdate() + timedelta(days=700)
    Tournament.objects.filter(pk=of.pk).update(first_day=first, last_day=first)
    return Tournament.objects.get(pk=of.pk)


def register(of: Tournament, **said: str):
    return Client().post(reverse("tournaments:register", args=[of.slug]), {**WHO, "consent": "on", **said})


def desk(of: Tournament) -> Client:
    client = Client()
    client.force_login(of.created_by)
    return client


def pages(of: Tournament) -> dict[str, str]:
    names = ("tournaments:people", "tournaments:check_in", "penalties:judging")
    client = desk(of)
    return {name: unescape(client.get(reverse(name, args=[of.slug])).content.decode()) for name in names}


def refused(work) -> list[str]:
    with pytest.raises(Refused) as found:
        work()
    return [problem.code for problem in found.value.problems]


def test_a_disqualification_without_a_day_lasts_until_it_is_lifted(given):
    """[SBR 2.8.5] [RULES 8.56]"""
    of = later()
    answer = register(of)
    assert answer.status_code == 422
    assert "is disqualified until that is lifted" in unescape(answer.content.decode())
    penalties.revoke(given, by=judge.judge(given.tournament), reason="The federation has lifted it.")
    assert register(of).status_code == 302


OTHERWISE = {
    "another-city": {"city": "Казань"},
    "no-city": {"city": ""},
    "another-alphabet": {"name": "Petr Chizhov"},
    "another-order": {"name": "Чижов Петр", "city": "Самара"},
}


@pytest.mark.parametrize("said", OTHERWISE.values(), ids=OTHERWISE)
def test_a_namesake_is_a_question_to_the_desk_and_no_refusal(given, said):
    """[RULES 8.56]"""
    of = later()
    assert register(of, **said).status_code == 302
    for name, page in pages(of).items():
        assert "is disqualified without an end by a decision at “Winter Cup”. Is it the same person?" in (
            " ".join(page.split())
        ), name


def test_what_the_desk_has_answered_is_not_asked_again(given):
    """[RULES 8.56] [INTEGRITY 1]"""
    of = later()
    register(of, city="Казань")
    row = of.registrations.get()
    bar = given.player.registration.pk
    url = reverse("tournaments:answer_bar", args=[of.slug, row.number])
    client = desk(of)
    client.post(url, {"bar": bar, "reason": "no"})
    assert "Is it the same person?" in pages(of)["tournaments:people"]
    client.post(url, {"bar": bar, "reason": "His passport says otherwise."})
    assert all("Is it the same person?" not in page for page in pages(of).values())


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Пётр Чижов", "Petr Chizhov", True),
        ("Юлия Щукина", "Iuliia Shchukina", True),
        ("Yulia Kharitonova", "Юлия Харитонова", True),
        ("Анна Ли", "Ли Анна", True),
        ("Анна Ли", "Анна Лин", False),
    ],
)
def test_names_are_folded_over_alphabets(one, other, same):
    """[RULES 8.56]"""
    assert (alphabet_key(one) == alphabet_key(other)) is same


def alone() -> tuple[Tournament, object]:
    """An event that one account organizes and judges, with a disqualification it has proposed."""
    of = make.tournament("sbr")
    make.players(of, 4)
    judge.judge(of, "chief_referee", who=of.created_by)
    by = make.actor(of.created_by, "organizer", "chief_referee")
    player = of.registrations.select_related("player").first().player
    player.tournament = of
    return of, judge.give(player, "cheating", by=by, effect="disqualification")


def test_who_judges_alone_can_disqualify():
    """[SBR 2.8.5] [INTEGRITY 121]"""
    of, row = alone()
    url = reverse("penalties:approve", args=[of.slug, row.number])
    client = desk(of)
    page = client.get(reverse("penalties:penalty", args=[of.slug, row.number])).content.decode()
    assert (url in page, "Nobody else works at this event" in page) == (True, True)
    client.post(url)
    row.refresh_from_db()
    assert row.state == "in_force"


def test_where_there_is_a_second_the_proposer_is_not_offered_to_approve():
    """[SBR 2.8.5] [INTEGRITY 121]"""
    of, row = alone()
    judge.judge(of, "referee")
    url = reverse("penalties:approve", args=[of.slug, row.number])
    client = desk(of)
    page = client.get(reverse("penalties:penalty", args=[of.slug, row.number])).content.decode()
    assert (url in page, "Somebody else of the staff must approve it" in page) == (False, True)
    by = make.actor(of.created_by, "organizer", "chief_referee")
    assert refused(lambda: penalties.approve(row, by=by)) == ["second_needed"]


def finished(*roles: str):
    """A finished event with a penalty, and a browser of somebody who works there."""
    of = make.tournament("sbr")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    row = judge.give(judge.seat(session, "E"), "phone", session, points=8)
    make.settle(session)
    from tournaments.sessions.operations import play

    play.close_session(session, by=make.organizer_of(of))
    who, client = make.user(), Client()
    judge.judge(of, *roles, who=who)
    client.force_login(who)
    close_tournament(of, by=make.organizer_of(of))
    return of, row, client


def test_after_the_event_the_committee_reaches_what_it_is_told_to_use():
    """The page for a penalty, its revocation, and what they do: no 403. [SBR 2.9.5] [INTEGRITY 119]"""
    of, row, client = finished("committee")
    give = reverse("penalties:give_any", args=[of.slug])
    page = client.get(give)
    assert (page.status_code, 'name="session"' in page.content.decode()) == (200, True)
    said = {
        "seat": row.player_id,
        "session": "1",
        "offence": "touching",
        "key": "k" * 20,
        "effect": "",
        "points": "",
    }
    assert client.post(give, said).status_code == 302
    new = of.penalties.last()
    assert (new.offence, new.kind, new.decided_by) == ("touching", "ladder", "committee")
    revoke = reverse("penalties:revoke", args=[of.slug, row.number])
    assert revoke in client.get(reverse("penalties:penalty", args=[of.slug, row.number])).content.decode()
    client.post(revoke, {"reason": "The committee sees it otherwise."})
    row.refresh_from_db()
    assert row.state == "revoked"


def test_after_the_event_the_chief_referee_decides_where_no_committee_is_named():
    """[SBR 2.9.5] [RULES 8.53]"""
    of, row, _client = finished("referee")
    chief = judge.judge(of)
    penalties.revoke(row, by=chief, reason="It was somebody else.")
    row.refresh_from_db()
    assert row.state == "revoked"


def test_in_play_the_committee_gives_no_penalties():
    """[SBR 2.9.5]"""
    of = make.tournament("sbr")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    member = judge.judge(of, "committee")
    assert refused(lambda: judge.give(judge.seat(session, "E"), "touching", session, by=member)) == [
        "forbidden"
    ]
