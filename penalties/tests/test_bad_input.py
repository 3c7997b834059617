"""The catalogue of bad penalties and appeals: each gets its answer, in both languages, and nothing is stored. [INTEGRITY 7.5] [INTEGRITY 7.6]

Left out: a second approval of routine corrections, which this software does not have; a disqualification has its own.
"""

import json
from datetime import timedelta
from html import unescape
from unittest import mock
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from penalties.appeals import operations as appeals_operations
from penalties.appeals.rules import appeals as appeal_rules
from penalties.appeals.rules import attachments
from penalties.ladder.operations import penalties
from penalties.ladder.rules import ladder
from penalties.models import Appeal, Penalty
from penalties.tests import factories as judge
from tournaments.models import Player, Session, Team, Tournament, User
from tournaments.record.refusal import Refused, say
from tournaments.sessions.operations import play
from tournaments.sessions.operations.tournaments import close_tournament
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
LANGUAGES = ["en", "ru"]


@pytest.fixture
@remembered
def session():
    """Two tables in play."""
    of = make.tournament("sbr")
    make.players(of, 8)
    row = make.in_play(of)
    row.tournament = of
    return row


def client_of(of: Tournament, role: str, language: str) -> Client:
    client = Client(headers={"accept-language": language})
    client.cookies["django_language"] = language
    client.force_login(make.staff(of, role))
    return client


def told(answer, sentence: str, language: str, **details: object) -> bool:
    """Whether the page says the sentence in its language."""
    with translation.override(language):
        wanted = gettext(sentence) % details if details else gettext(sentence)
    return wanted in unescape(answer.content.decode())


def offence(session: Session, **said: object) -> dict:
    sent = {"seat": "E", "offence": "phone", "points": "8", "hand": "1", "key": uuid4().hex}
    return {name: value for name, value in {**sent, **said}.items() if value is not None}


FORMS = {
    "112-not-in-the-event": ({"seat": "X"}, 404, "No such player in this event.", {}),
    "113-type": ({"offence": "nonsense"}, 422, ladder.PENALTY_TYPE, {}),
    "113-recorded-with-the-hand": ({"offence": "pig"}, 422, ladder.PENALTY_TYPE, {}),
    "114-zero": ({"points": "0"}, 422, ladder.AMOUNT, {"max": 48}),
    "114-negative": ({"points": "-8"}, 422, ladder.AMOUNT, {"max": 48}),
    "114-over-the-role": ({"points": "49"}, 403, ladder.LIMIT, {"max": 48}),
    "115-fraction": ({"points": "2.5"}, 422, ladder.UNIT, {"u": 1}),
    "117-no-clause": ({"offence": "other"}, 422, ladder.REASON_REQUIRED, {}),
    "117-no-words": ({"offence": "other", "clause": "SBR 2.2"}, 422, ladder.REASON_REQUIRED, {}),
    "number": ({"points": "8e1"}, 422, "Write a number with digits 0–9, such as 8 or 1/2.", {}),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("said", "status", "sentence", "details"), FORMS.values(), ids=FORMS)
def test_a_bad_penalty_gets_its_answer(session, language, said, status, sentence, details):
    client = client_of(session.tournament, "referee", language)
    page = reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    answer = client.post(page, offence(session, reason="", **said))
    assert answer.status_code == status
    assert told(answer, sentence, language, **details)
    assert not Penalty.objects.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_typed_is_still_there(session, language):
    client = client_of(session.tournament, "referee", language)
    page = reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    answer = client.post(page, offence(session, points="0", reason="Talked all the time."))
    assert "Talked all the time." in answer.content.decode()


def refused(work) -> Refused:
    with pytest.raises(Refused) as found:
        work()
    return found.value


def said(found: Refused, language: str) -> str:
    with translation.override(language):
        return say(found.problems[0])


@pytest.mark.parametrize("language", LANGUAGES)
def test_116_the_same_by_another_referee_is_asked_about(session, language):
    of = session.tournament
    judge.give(judge.seat(session, "E"), "touching", session, by=judge.judge(of, "referee"))
    client = client_of(of, "referee", language)
    page = reverse("penalties:give", args=[of.slug, 1, 1])
    sent = offence(session, offence="touching", points=None)
    answer = client.post(page, sent)
    assert answer.status_code == 409
    assert answer.context["form"].asks_second()
    assert client.post(page, {**sent, "is_sure": "on"}).status_code == 302
    assert Penalty.objects.count() == 2


def test_116_a_double_tap_gives_it_once(session):
    client = client_of(session.tournament, "referee", "en")
    page = reverse("penalties:give", args=[session.tournament.slug, 1, 1])
    sent = offence(session)
    assert [client.post(page, sent).status_code for _ in range(2)] == [302, 302]
    assert Penalty.objects.count() == 1


def test_116_after_five_minutes_it_is_a_case_of_its_own(session):
    of, offender = session.tournament, judge.seat(session, "E")
    judge.give(offender, "touching", session, by=judge.judge(of, "referee"))
    with mock.patch.object(
        penalties.timezone, "now", return_value=timezone.now() + timedelta(minutes=5, seconds=1)
    ):
        judge.give(offender, "touching", session, by=judge.judge(of, "referee"))
    assert Penalty.objects.count() == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_118_a_referee_does_not_judge_their_own_table(session, language):
    of = session.tournament
    who = make.staff(of, "referee")
    of.roles.filter(user=who).update(player=judge.seat(session, "S"))
    client = Client()
    client.cookies["django_language"] = language
    client.force_login(who)
    answer = client.post(reverse("penalties:give", args=[of.slug, 1, 1]), offence(session))
    assert answer.status_code == 403
    assert told(answer, "You play at this table.", language)
    assert not Penalty.objects.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_119_a_finished_event_needs_a_committee(session, language):
    of = session.tournament
    for row in (session, *of.sessions.filter(number=2)):
        Session.objects.filter(pk=row.pk).update(
            state="closed", started_at=session.started_at, ended_at=session.started_at
        )
    close_tournament(of, by=make.organizer_of(of))
    client, member = client_of(of, "chief_referee", language), judge.judge(of, "committee")
    answer = client.post(reverse("penalties:give", args=[of.slug, 1, 1]), offence(session))
    assert answer.status_code == 409
    assert told(answer, "The event is finished; use a committee decision.", language)
    assert not Penalty.objects.exists()
    given = judge.give(judge.seat(session, "E"), "phone", session, points=8, by=member)
    assert given.decided_by == "committee"


@pytest.mark.parametrize("language", LANGUAGES)
def test_120_a_cancelled_penalty_is_not_cancelled_again(session, language):
    of = session.tournament
    chief, given = make.chief_referee_of(of), judge.give(judge.seat(session, "E"), "touching", session)
    penalties.revoke(given, by=chief, reason="A slip of the finger.")
    found = refused(lambda: penalties.revoke(given, by=chief, reason="A slip of the finger."))
    assert (found.status, found.problems[0].code) == (409, "already_cancelled")
    title = User.objects.get(pk=chief.id).title
    assert title in said(found, language)
    client = client_of(of, "chief_referee", language)
    kept, page = of.history.count(), reverse("penalties:revoke", args=[of.slug, given.number])
    answer = client.post(page, {"reason": "A slip of the finger."}, follow=True)
    clock = timezone.localtime(Penalty.objects.get().revoked_at, of.zone)
    details = {"user": title, "time": f"{clock:%H:%M}"}
    assert told(answer, "Cancelled by %(user)s at %(time)s.", language, **details)
    assert of.history.count() == kept


@pytest.mark.parametrize("language", LANGUAGES)
def test_121_a_disqualification_takes_two(session, language):
    """[SBR 2.8.5]"""
    of, offender = session.tournament, judge.seat(session, "E")
    chief = judge.judge(of, "chief_referee")
    until = timezone.now().date() + timedelta(days=365)
    given = judge.give(offender, "cheating", session, by=chief, effect="disqualification", until=until)
    assert (given.state, registration(offender).status) == ("proposed", "active")
    found = refused(lambda: penalties.approve(given, by=chief))
    assert (found.status, found.problems[0].code) == (409, "second_needed")
    assert said(found, language)
    penalties.approve(given, by=judge.judge(of, "committee"))
    assert (registration(offender).status, registration(offender).disqualified_until) == (
        "disqualified",
        until,
    )
    penalties.revoke(given, by=chief, reason="The tiles were counted again.")
    assert (registration(offender).status, registration(offender).disqualified_until) == ("active", None)


def test_121_the_chief_referee_is_one_of_the_two(session):
    """[SBR 2.8.5]"""
    of = session.tournament
    given = judge.give(
        judge.seat(session, "E"),
        "cheating",
        session,
        by=judge.judge(of, "referee"),
        effect="disqualification",
    )
    found = refused(lambda: penalties.approve(given, by=judge.judge(of, "referee")))
    assert found.status == 403
    penalties.approve(given, by=judge.judge(of, "chief_referee"))


def registration(player):
    return type(player.registration).objects.get(player=player)


# Appeals


@pytest.fixture
@remembered
def closed(session):
    """The session with a penalty of East, closed a moment ago."""
    judge.give(judge.seat(session, "E"), "touching", session)
    make.settle(session)
    row = play.close_session(session, by=make.organizer_of(session.tournament))
    row.tournament = session.tournament
    return row


def private_page(session: Session) -> str:
    player = judge.seat(session, "E")
    return reverse("penalties:file_own", args=[session.tournament.slug, link_of(player.registration)])


def filed(session: Session, **said: object) -> dict:
    sent = {
        "player": judge.seat(session, "E").pk,
        "against": "penalty-1",
        "text": judge.LONG,
        "key": uuid4().hex,
    }
    return {**sent, **said}


def in_one_team(session: Session, *winds: str) -> int:
    """Make a team of players at table 1, and name the last."""
    team = Team.objects.create(tournament=session.tournament, name="Birds")
    players = [judge.seat(session, wind) for wind in winds]
    for player in players:
        Player.objects.filter(pk=player.pk).update(team=team)
    return players[-1].pk


def photo(name: str = "photo.png", content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, judge.png() if content is None else content)


APPEALS = {
    "123-another-table": (lambda s: {"against": "table-1-2"}, 403, appeal_rules.NOT_PARTY),
    "123-another-player": (
        lambda s: {"player": judge.seat(s, "S").pk},
        403,
        appeal_rules.NOT_PARTY,
    ),
    "125-empty": (lambda s: {"text": ""}, 422, appeal_rules.TEXT_LENGTH),
    "125-too-long": (lambda s: {"text": "x" * 20_001}, 422, appeal_rules.TEXT_LENGTH),
    "126-exe": (lambda s: {"attachments": [photo("a.exe")]}, 415, attachments.FILE_TYPE),
    "126-html": (lambda s: {"attachments": [photo("a.html", b"<html></html>")]}, 415, attachments.FILE_TYPE),
    "126-svg": (lambda s: {"attachments": [photo("a.svg", b"<svg/>")]}, 415, attachments.FILE_TYPE),
    "126-wrong-content": (
        lambda s: {"attachments": [photo("a.jpg", b"<html></html>")]},
        415,
        attachments.FILE_TYPE,
    ),
    "127-too-large": (
        lambda s: {"attachments": [photo("a.pdf", b"%PDF-1.7" + b" " * attachments.MOST_BYTES)]},
        413,
        attachments.FILES,
    ),
    "127-sixth": (lambda s: {"attachments": [photo(f"{n}.png") for n in range(6)]}, 422, attachments.FILES),
    "128-pixels": (
        lambda s: {"attachments": [photo("a.png", judge.png(30_000, 30_000))]},
        413,
        attachments.IMAGE_TOO_LARGE,
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_leader_is_told_that_the_mate_did_not_play_there(closed, language):
    """[INTEGRITY 123]"""
    client = Client()
    client.cookies["django_language"] = language
    mate = in_one_team(closed, "E", "S")
    other = closed.tables.get(number=2).seats.get(wind="E").player
    Player.objects.filter(pk=other.pk).update(team=Player.objects.get(pk=mate).team)
    answer = client.post(private_page(closed), filed(closed, player=mate, against="table-1-2"))
    assert answer.status_code == 403
    said = {"player": judge.seat(closed, "S")}
    assert told(answer, appeal_rules.NOT_THEIR_TABLE, language, **said)
    assert not Appeal.objects.exists()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("change", "status", "sentence"), APPEALS.values(), ids=APPEALS)
def test_a_bad_appeal_gets_its_answer(closed, language, change, status, sentence):
    client = Client()
    client.cookies["django_language"] = language
    answer = client.post(private_page(closed), filed(closed, **change(closed)))
    assert answer.status_code == status
    assert told(answer, sentence, language)
    assert not Appeal.objects.exists()


TIMES = {"29:59": (29, 59, True), "30:00": (30, 0, True), "30:01": (30, 1, False)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("minutes", "seconds", "may"), TIMES.values(), ids=TIMES)
def test_122_an_appeal_is_in_time_or_told_when_it_closed(closed, language, minutes, seconds, may):
    """[SBR 2.9.2] [RULES 8.37]"""
    now = closed.ended_at + timedelta(minutes=minutes, seconds=seconds)
    until = timezone.localtime(closed.ended_at + timedelta(minutes=30), closed.tournament.zone)
    client = Client()
    client.cookies["django_language"] = language
    with mock.patch("django.utils.timezone.now", return_value=now):
        answer = client.post(private_page(closed), filed(closed))
    assert answer.status_code == (302 if may else 409)
    assert Appeal.objects.exists() is may
    if not may:
        assert told(answer, appeal_rules.LATE, language, r=1, time=f"{until:%H:%M}")


def test_a_regulation_without_appeals_shows_none():
    """[RIICHI reg. 5.4]"""
    of = make.tournament("riichi_festival")
    make.players(of, 4)
    session = make.in_play(of)
    session.tournament = of
    player = judge.seat(session, "E")
    link = link_of(player.registration)
    page = Client().get(reverse("penalties:own", args=[of.slug, link])).content.decode()
    assert "appeal/" not in page
    answer = Client().post(
        reverse("penalties:file_own", args=[of.slug, link]), filed(session, against="table-1-1")
    )
    assert answer.status_code == 422
    assert not Appeal.objects.exists()


@pytest.mark.parametrize("language", LANGUAGES)
def test_124_a_second_appeal_is_sent_to_the_first(closed, language):
    client = Client()
    client.cookies["django_language"] = language
    assert client.post(private_page(closed), filed(closed)).status_code == 302
    answer = client.post(private_page(closed), filed(closed))
    assert answer.status_code == 409
    assert told(answer, appeal_rules.EXISTS, language, n=1)
    assert Appeal.objects.count() == 1


def test_129_a_photo_is_taken_without_its_metadata(closed):
    spoken = judge.png(extra=((b"tEXt", b"Author\0Somebody"),))
    answer = Client().post(private_page(closed), filed(closed, attachments=[photo("a.png", spoken)]))
    assert answer.status_code == 302
    kept = Appeal.objects.get().files.get()
    assert (bytes(kept.content), kept.content_type) == (judge.png(), "image/png")


@pytest.mark.parametrize("language", LANGUAGES)
def test_130_decisions_need_office_votes_and_distance(closed, language):
    of = closed.tournament
    members = [judge.judge(of, "committee") for _ in range(3)]
    appeal = judge.appeal(of.penalties.get(), matter="other")

    def rule(by):
        return appeals_operations.decide(appeal, "upheld", judge.LONG, body="committee", by=by)

    appeals_operations.vote(appeal, "upheld", by=members[0])
    found = refused(lambda: rule(members[0]))
    assert (found.status, found.problems[0].code) == (409, "no_quorum")
    assert said(found, language)
    assert not appeal.rulings.exists()
    party = type(members[1])(
        members[1].kind,
        members[1].id,
        members[1].roles,
        player_ids=frozenset({judge.seat(closed, "S").pk}),
    )
    found = refused(lambda: appeals_operations.vote(appeal, "upheld", by=party))
    assert (found.status, found.problems[0].code) == (403, "conflict_of_interest")
    assert said(found, language)
    assert appeal.votes.count() == 1
    appeals_operations.vote(appeal, "upheld", by=members[2])
    rule(members[2])
    found = refused(lambda: rule(members[0]))
    assert (found.status, found.problems[0].code) == (409, "already_decided")
    assert said(found, language)
    assert appeal.rulings.count() == 1
    assert of.penalties.get().state == "revoked"


@pytest.mark.parametrize("language", LANGUAGES)
def test_131_an_order_creates_no_points(closed, language):
    of, by = closed.tournament, make.organizer_of(closed.tournament)
    table = closed.tables.get(number=1)
    east, south = judge.seat(closed, "E"), judge.seat(closed, "S")
    grounds = appeals_operations.Grounds(session=closed, player=east, text=judge.LONG, table=table)
    appeal = appeals_operations.file_appeal(of, grounds, by=by, key=uuid4().hex)

    def order(points, **more):
        wanted = appeals_operations.Order(points=points, **more)
        return appeals_operations.decide(
            appeal,
            "upheld",
            judge.LONG,
            body="chief_referee",
            by=make.chief_referee_of(closed.tournament),
            order=wanted,
        )

    found = refused(lambda: order({east.pk: 8, south.pk: -4}))
    assert (found.status, found.problems[0].code) == (422, "not_zero_sum")
    assert not of.adjustments.filter(origin="appeal").exists()
    assert not appeal.rulings.exists()
    assert "+4" in said(found, language)
    order({east.pk: 8, south.pk: -8})
    posted = of.adjustments.filter(origin="appeal")
    assert [row.game_points for row in posted] == [8, -8]


@pytest.mark.parametrize("language", LANGUAGES)
def test_132_a_decided_appeal_is_not_withdrawn(closed, language):
    by = make.organizer_of(closed.tournament)
    appeal = judge.appeal(closed.tournament.penalties.get())
    appeals_operations.decide(
        appeal, "dismissed", judge.LONG, body="chief_referee", by=make.chief_referee_of(closed.tournament)
    )
    found = refused(lambda: appeals_operations.withdraw_appeal(appeal, by=by))
    assert (found.status, found.problems[0].code) == (409, "already_decided")
    assert said(found, language)
    assert Appeal.objects.get().state == "dismissed"


def test_121_who_gave_and_who_approved_both_stand_in_the_history(session):
    """[SBR 2.8.5]"""
    of = session.tournament
    first, second = judge.judge(of, "chief_referee"), judge.judge(of, "committee")
    given = judge.give(
        judge.seat(session, "E"),
        "cheating",
        session,
        by=first,
        effect="disqualification",
        reason="Marked tiles.",
    )
    penalties.approve(given, by=second)
    kept = of.history.filter(kind__startswith="penalty_").order_by("number")
    assert [(one.kind, json.loads(one.content)["by"]) for one in kept] == [
        ("penalty_given", str(first)),
        ("penalty_approved", str(second)),
    ]


def test_points_go_to_nobody_who_sits_at_another_table(session):
    far = judge.seat(session, "S", 2)
    found = refused(
        lambda: judge.give(
            judge.seat(session, "E"),
            "other",
            session,
            effect="game_points",
            points=8,
            to="player",
            to_player=far,
        )
    )
    assert [problem.code for problem in found.problems] == ["receiver"]
    assert not session.tournament.penalties.exists()
