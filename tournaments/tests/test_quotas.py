"""Quotas by country and club: who is beyond one waits and is told why, and moves up by it. [RULES 9.28]"""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.models import Tournament
from tournaments.people.operations import registration as people
from tournaments.people.operations import wishes
from tournaments.people.operations.importing import country_codes
from tournaments.people.rules.quotas import Quota, read_exceptions
from tournaments.record.actors import ANYONE
from tournaments.record.refusal import Refused
from tournaments.tests import factories as make
from tournaments.web.access import link_of

LATVIA, CLUB = {"country": "LV"}, {"club": "Dragons"}


def of_event():
    of = make.tournament(max_players=6)
    quotas = {"country": Quota(2, {"LV": 1}), "club": Quota(None, {"Dragons": 1})}
    return wishes.set_quotas(of, quotas, by=make.organizer_of(of))


def join(of, name, **labels):
    row = people.register_player(
        Tournament.objects.get(pk=of.pk), people.Details(name=name, **labels), by=ANYONE
    )
    return row.status


def row(of, number):
    found = of.registrations.select_related("player").get(number=number)
    found.tournament = Tournament.objects.get(pk=of.pk)
    return found


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def test_a_line_names_a_country_in_any_language_and_a_number():
    read = read_exceptions("country", "Latvia 8\nЛитва – 3\nEE: 0\nMoon 4\nFrance\n", country_codes())
    assert read.own == {"LV": 8, "LT": 3, "EE": 0}
    assert list(read.wrong) == ["Moon 4", "France"]
    assert read_exceptions("club", "Four Winds 6", {}).own == {"Four Winds": 6}
    twice = read_exceptions("country", "Latvia 8\nLV 8\nЛатвия 3", country_codes())
    assert (twice.own, list(twice.wrong)) == ({"LV": 8}, ["Латвия 3"])
    for line in (f"Latvia {'9' * 5000}", "Latvia 2001"):
        assert list(read_exceptions("country", line, country_codes()).wrong) == [line[:100]]
    assert read_exceptions("club", f"{'Winds ' * 20}6", {}).own == {}


def test_a_group_has_its_own_number_else_the_one_for_all():
    quota = Quota(2, {"Dragons": 5})
    assert [quota.of("club", name) for name in ("DRAGONS", "Tigers", "")] == [5, 2, None]


@pytest.mark.django_db
def test_who_is_beyond_a_quota_waits_and_keeps_nobody_else_waiting():
    of = of_event()
    assert join(of, "Heron", **LATVIA) == "active"
    assert join(of, "Plover", **LATVIA) == "waiting"
    assert join(of, "Swift", country="EE", **CLUB) == "active"
    assert join(of, "Wren", country="EE", club="dragons") == "waiting"
    assert join(of, "Siskin", country="EE") == "active"
    assert join(of, "Thrush", country="EE") == "waiting"
    assert join(of, "Oriole") == "active"
    people.withdraw(row(of, 3), by=make.organizer_of(of))
    assert [row(of, number).status for number in (2, 4, 6)] == ["waiting", "active", "waiting"]
    wishes.set_quotas(Tournament.objects.get(pk=of.pk), {"country": Quota(3)}, by=make.organizer_of(of))
    assert [row(of, number).status for number in (2, 6)] == ["active", "active"]


@pytest.mark.django_db
def test_the_desk_puts_somebody_on_the_list_beyond_a_quota_once_told_what_it_means():
    of = of_event()
    join(of, "Heron", **LATVIA)
    join(of, "Plover", **LATVIA)
    client = Client(headers={"accept-language": "en"})
    client.force_login(of.created_by)
    asked = client.post(f"/{of.slug}/desk/people/2/admit/")
    assert asked.status_code == 409
    assert "The quota of Latvia is 1, and all of these places are taken" in words(asked)
    assert row(of, 2).status == "waiting"
    client.post(f"/{of.slug}/desk/people/2/admit/", {"is_sure": "on"})
    assert row(of, 2).status == "active"


@pytest.mark.django_db
def test_nobody_slips_in_by_another_country_unless_the_desk_says_so():
    of = of_event()
    join(of, "Heron", **LATVIA)
    join(of, "Plover")
    moved = people.Details(name="Plover", country="LV")
    own = people.Actor(people.ActorKind.PLAYER, row(of, 2).player_id)
    for by in (own, make.organizer_of(of)):
        with pytest.raises(Refused, match="All 1 places"):
            people.change_player(row(of, 2), moved, by=by)
    with pytest.raises(Refused, match="All 1 places"):
        people.change_player(row(of, 2), moved, by=own, is_beyond_quota=True)
    people.change_player(row(of, 2), moved, by=make.organizer_of(of), is_beyond_quota=True)
    assert row(of, 2).player.country == "LV"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "reason", "form", "preview"),
    [
        (
            "en",
            "All 1 places for players of this country are taken: Latvia",
            "Latvia: 1",
            "goes on the waiting",
        ),
        ("ru", "Все места для игроков этой страны (1) заняты: Латвия", "Латвия: 1", "попад"),
    ],
)
def test_pages_say_why_somebody_waits(language, reason, form, preview):
    of = of_event()
    join(of, "Heron", **LATVIA)
    stranger, desk = (Client(headers={"accept-language": language}) for _ in range(2))
    desk.force_login(of.created_by)
    assert form in words(stranger.get(f"/{of.slug}/register/"))
    said = {"name": "Plover", "country": "LV", "consent": "on"}
    assert reason in words(stranger.post(f"/{of.slug}/register/", said, follow=True))
    assert reason in words(stranger.get(f"/{of.slug}/me/{link_of(row(of, 2))}/"))
    assert reason in words(desk.get(f"/{of.slug}/desk/people/2/"))
    unnamed = stranger.post(f"/{of.slug}/register/", {"name": "Wren", "consent": "on"})
    assert unnamed.status_code == 422
    pasted = desk.post(f"/{of.slug}/desk/people/paste/", {"text": "Siskin,,LV\nThrush,,EE"})
    assert preview in words(pasted)
    assert reason in words(pasted)
    shown = desk.get(f"/{of.slug}/desk/settings/quotas/")
    assert 'name="country_own"' in shown.content.decode()
    assert "LV 1" in shown.content.decode()
    wrong = desk.post(f"/{of.slug}/desk/settings/quotas/", {"country_own": "Moon 3"})
    assert wrong.status_code == 422
    assert "Moon 3" in words(wrong)
    desk.post(f"/{of.slug}/desk/settings/quotas/", {"country_most": "9", "club_own": "Dragons 3"})
    stored = Tournament.objects.get(pk=of.pk).quotas
    assert stored == {"country": {"most": 9, "own": {}}, "club": {"most": None, "own": {"Dragons": 3}}}
    assert row(of, 2).status == "active"
