"""Registration: who gets on the list, who waits, who is told why not. [RULES 1.2] [INTEGRITY 7.1]"""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tournaments.models import Player, Registration, Tournament
from tournaments.people.operations import registration as people
from tournaments.people.operations.registration import Details
from tournaments.privacy import operations as privacy
from tournaments.record.actors import ANYONE, Actor, ActorKind
from tournaments.record.refusal import Refused
from tournaments.tests import factories as make
from tournaments.web.access import link_of

pytestmark = pytest.mark.django_db
STATUS = Registration.Status


def refused_code(work):
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.problems[0].code, refused.value.status


def player_of(registration):
    return Actor(ActorKind.PLAYER, registration.player_id, frozenset({"player"}))


def test_a_stranger_registers_without_an_account():
    of = make.tournament()
    row = people.register_player(of, Details(name=" Grey  Heron ", country="gb"), by=ANYONE)
    assert (row.number, row.status, row.player.name, row.player.country) == (1, "active", "Grey Heron", "GB")


def test_beyond_the_maximum_they_wait_in_order():
    """[RIICHI reg. 2]"""
    of = make.tournament(max_players=2)
    rows = [people.register_player(of, Details(name=name), by=ANYONE) for name in ("Heron", "Plover", "Wren")]
    assert [row.status for row in rows] == ["active", "active", "waiting"]


def test_the_desk_may_register_when_the_window_is_closed():
    of = make.tournament()
    Tournament.objects.filter(pk=of.pk).update(registration_closes_at=timezone.now() - timedelta(hours=1))
    assert refused_code(lambda: people.register_player(of, Details(name="Heron"), by=ANYONE)) == (
        "registration_closed",
        409,
    )
    row = people.register_player(of, Details(name="Heron"), by=make.organizer_of(of))
    assert row.status == "active"


def test_nobody_registers_before_the_window():
    of = make.tournament()
    Tournament.objects.filter(pk=of.pk).update(registration_opens_at=timezone.now() + timedelta(hours=1))
    assert refused_code(lambda: people.register_player(of, Details(name="Heron"), by=ANYONE))[0] == (
        "registration_closed"
    )


@pytest.mark.parametrize(
    ("name", "city", "code"),
    [
        ("Пётр Чиж", "Самара", "already_registered"),
        ("Петр Чиж", "Самара", "possible_duplicate"),
        ("ПЁТР ЧИЖ", "Самара", "possible_duplicate"),
        ("Пётр Чиж", "Казань", "possible_duplicate"),
    ],
)
def test_a_double_is_noticed_and_may_be_confirmed(name, city, code):
    of = make.tournament()
    people.register_player(of, Details(name="Пётр Чиж", city="Самара"), by=ANYONE)
    again = Details(name=name, city=city)
    assert refused_code(lambda: people.register_player(of, again, by=ANYONE)) == (code, 409)
    assert people.register_player(of, again, by=ANYONE, is_another=True).number == 2


def test_a_federation_number_belongs_to_one_player():
    of = make.tournament()
    people.register_player(of, Details(name="Heron", federation_ids={"EMA": "04010001"}), by=ANYONE)
    other = Details(name="Plover", federation_ids={"EMA": "04010001"})
    assert refused_code(lambda: people.register_player(of, other, by=ANYONE)) == ("fed_id_taken", 409)


@pytest.mark.parametrize("field", ["city", "region", "club"])
def test_what_grows_too_long_when_its_letters_are_composed_is_refused_beside_its_field(field):
    """One letter of U+FB2C is stored as three, and PostgreSQL takes no more than a hundred. [INTEGRITY 7.1]"""
    of = make.tournament()
    said = {"name": "Anna Petrova", field: "\ufb2c" * 100, "consent": "on"}
    answer = Client(headers={"accept-language": "en"}).post(f"/{of.slug}/register/", said)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert not of.players.exists()
    by = make.organizer_of(of)
    with pytest.raises(Refused) as refused:
        people.import_players(
            of, [Details("Wren"), Details("Jay", **{field: said[field]})], by=by, key="k" * 16
        )
    assert [problem.field for problem in refused.value.problems] == [f"rows.2.{field}"]


def test_a_name_whose_letters_are_many_is_stored():
    """The form by which names are compared has two hundred characters at most. [INTEGRITY 7.1]"""
    of = make.tournament()
    row = people.register_player(of, Details("\ufdfa" * 100), by=make.organizer_of(of))
    assert len(row.player.search_key) <= Player._meta.get_field("search_key").max_length
    with pytest.raises(Refused):
        people.register_player(of, Details("\ufdfa" * 100), by=make.organizer_of(of))


def test_a_withdrawn_player_may_register_again():
    of = make.tournament()
    row = people.register_player(of, Details(name="Heron"), by=ANYONE)
    people.withdraw(row, by=player_of(row))
    row.refresh_from_db()
    assert row.status == STATUS.CANCELLED
    assert people.register_player(of, Details(name="Heron"), by=ANYONE).number == 2


def test_after_the_start_a_player_asks_the_referee():
    of = make.tournament()
    rows = make.players(of, 4)
    make.in_play(of)
    row = rows[0]
    row.tournament.refresh_from_db()
    assert refused_code(lambda: people.withdraw(row, by=player_of(row))) == ("withdraw_needs_referee", 409)
    withdrawn = people.withdraw(row, by=make.organizer_of(of))
    assert (withdrawn.status, withdrawn.last_session) == (STATUS.WITHDRAWN, 1)


def test_a_late_entry_plays_from_the_first_session_not_yet_seated():
    of = make.tournament()
    make.players(of, 4)
    make.in_play(of)
    row = people.register_player(of, Details(name="Late Heron"), by=make.organizer_of(of))
    assert row.first_session == 2


def test_checking_in_twice_is_one_entry_in_the_history():
    of = make.tournament()
    [row] = make.players(of, 1)
    by = make.organizer_of(of)
    people.check_in(row, by=by)
    people.check_in(row, by=by)
    assert of.history.filter(kind="player_checked_in").count() == 1
    people.undo_check_in(row, by=by)
    row.refresh_from_db()
    assert not row.is_checked_in


def test_a_list_is_taken_whole_or_not_at_all():
    of = make.tournament()
    rows = [Details(name="Heron"), Details(name="<b>"), Details(name="")]
    with pytest.raises(Refused) as refused:
        people.import_players(of, rows, by=make.organizer_of(of), key="list" + "k" * 16)
    assert [problem.field for problem in refused.value.problems] == ["rows.2.name", "rows.3.name"]
    assert of.registrations.count() == 0


def test_an_erased_player_leaves_results_and_no_word_of_the_person():
    """Everything that was typed about the player is gone from the rows, whatever the field. [INTEGRITY 1]"""
    of = make.tournament(team_size=4)
    typed = people.Details(
        name="Zanzibar Heron",
        country="RU",
        region="Zanzibar",
        city="Zanzibar",
        club="Zanzibar",
        email="zanzibar@example.org",
        phone="+7 zanzibar",
        comment="Zanzibar",
        federation_ids={"EMA": "zanzibar"},
    )
    row = people.register_player(of, typed, by=make.organizer_of(of))
    player = privacy.erase_player(row.player, by=make.organizer_of(of), reason="Asked for it")
    kept = [*Player.objects.filter(pk=player.pk).values(), *Registration.objects.filter(pk=row.pk).values()]
    assert "zanzibar" not in str(kept).casefold()
    assert (str(player), row.player_id) == ("(erased)", player.pk)


def test_a_renewed_link_ends_the_old_one():
    of = make.tournament()
    [row] = make.players(of, 1)
    old = link_of(row)
    row = people.renew_link(row, by=make.organizer_of(of), key=uuid4().hex)
    assert link_of(row) != old


def test_a_link_renewed_by_a_double_press_is_renewed_once(client):
    of = make.tournament()
    [row] = make.players(of, 1)
    client.force_login(of.created_by)
    page = reverse("tournaments:edit_player", args=[of.slug, row.number])
    url = reverse("tournaments:renew_link", args=[of.slug, row.number])
    form = client.get(page).content.decode().partition(f'action="{url}"')[2].partition("</form>")[0]
    pressed = {"key": re.search(r'name="key" value="(\w+)"', form).group(1)}
    links = []
    for sent in (pressed, pressed, {"key": uuid4().hex}, {}):
        client.post(url, sent)
        row.refresh_from_db()
        links.append(row.link_version)
    assert links == [2, 2, 3, 3]


def test_the_desk_and_the_player_see_the_phone_and_nobody_else_does():
    """It is taken by the import and erased with the person. [INTEGRITY 4]"""
    of = make.tournament()
    row = people.register_player(
        of, Details(name="Avocet", phone="+7 846 000-00-00"), by=make.organizer_of(of)
    )
    desk, player = Client(), Client()
    desk.force_login(of.created_by)
    card, own = f"/{of.slug}/desk/people/{row.number}/", f"/{of.slug}/me/{link_of(row)}/change/"
    for page in (desk.get(card), player.get(own)):
        assert page.context["form"]["phone"].value() == "+7 846 000-00-00"
    desk.post(card, {"name": "Avocet"})
    assert of.players.get().phone == "+7 846 000-00-00"
    player.post(own, {"name": "Avocet", "phone": "+7 846 111-11-11"})
    assert of.players.get().phone == "+7 846 111-11-11"
    for page in ("players/", f"player-{row.number}/", f"me/{link_of(row)}/"):
        assert "111-11-11" not in Client().get(f"/{of.slug}/{page}").content.decode()


def test_what_the_desk_mended_meanwhile_is_not_overwritten_unseen():
    of = make.tournament()
    row = people.register_player(of, Details(name="Heron", city="Osol"), by=ANYONE)
    client = Client(headers={"accept-language": "en"})
    own = f"/{of.slug}/me/{link_of(row)}/change/"
    said = {"name": "Heron", "city": "Osol", "club": "Marsh", "seen": client.get(own).context["form"].seen}
    people.change_player(row, Details(name="Heron", city="Oslo"), by=make.organizer_of(of))
    asked = client.post(own, said)
    assert asked.status_code == 409
    assert [(one.label, one.stored, one.typed) for one in asked.context["form"].two_versions] == [
        ("City", "Oslo", "Osol"),
        ("Club", "", "Marsh"),
    ]
    assert "Both versions" in asked.content.decode()
    row.player.refresh_from_db()
    assert (row.player.city, row.player.club) == ("Oslo", "")
    again = said | {"city": "Oslo", "seen": asked.context["form"].seen}
    assert f'name="seen" value="{again["seen"]}"' in asked.content.decode()
    assert client.post(own, again).status_code == 302
    row.player.refresh_from_db()
    assert (row.player.city, row.player.club) == ("Oslo", "Marsh")
