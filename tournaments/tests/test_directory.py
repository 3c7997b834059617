"""An organizer's directory: each person once, doubles merged and taken apart, filled in only with consent. [RULES 9.38]"""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from tournaments.models import Player, Registration, SamePerson, Standing
from tournaments.people.operations import directory as operations
from tournaments.people.operations import registration as people
from tournaments.people.queries.directory import directory_of, doubles, remembered
from tournaments.people.rules.barred import Person
from tournaments.people.rules.directory import alike, groups
from tournaments.privacy import operations as privacy
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as closing
from tournaments.standings.operations import recompute
from tournaments.tests import factories as make


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def test_entries_are_one_person_by_number_by_name_and_city_or_by_hand():
    said = {
        1: Person.known_as("Anna Jay", "Riga", {"EMA": "04000001"}),
        2: Person.known_as("A. Jay", "Tartu", {"EMA": "04000001"}),
        3: Person.known_as("Anna Jay", "Riga", {}),
        4: Person.known_as("Anna Jay", "Perm", {}),
        5: Person.known_as("Анна Джей", "Рига", {}),
    }
    assert groups(said) == [[1, 2, 3], [4], [5]]
    assert groups(said, [(3, 5), (5, 99)]) == [[1, 2, 3, 5], [4]]
    two = [
        (1, Person.known_as("Пётр Чиж", "", {})),
        (2, Person.known_as("Chizh Petr", "", {})),
        (3, Person.known_as("Wren", "", {})),
    ]
    assert [(pair.first, pair.second) for pair in alike(two)] == [(1, 2)]


@pytest.fixture
def events():
    """Two events of one organizer with the same person written in two alphabets, and a stranger's event."""
    owner = make.user()
    first, second, theirs = make.tournament(by=owner), make.tournament(by=owner), make.tournament()
    for of, name in ((first, "Пётр Чиж"), (second, "Petr Chizh"), (second, "Wren"), (theirs, "Thrush")):
        details = people.Details(name=name, city="Riga", may_be_remembered=name != "Wren")
        people.register_player(of, details, by=make.organizer_of(of))
    return first, second


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "apart"), [("en", "They are two people again."), ("ru", "Это снова два человека.")]
)
def test_doubles_are_compared_merged_and_taken_apart(events, language, apart):
    owner = events[0].created_by
    assert [one.names for one in directory_of(owner)] == [["Petr Chizh"], ["Wren"], ["Пётр Чиж"]]
    [(one, other)] = doubles(owner, directory_of(owner))
    client = Client(headers={"accept-language": language})
    client.force_login(owner)
    listed = client.get("/accounts/people/")
    assert "Wren" in words(listed)
    assert "Thrush" not in words(listed)
    address = f"/accounts/people/{one.newest.pk}/merge/{other.newest.pk}/"
    assert "Пётр Чиж" in words(client.get(address))
    assert not SamePerson.objects.exists(), "looking at two entries joins nothing"
    client.post(address)
    assert ["Petr Chizh", "Пётр Чиж"] in [known.names for known in directory_of(owner)]
    assert sorted(Player.objects.filter(city="Riga").values_list("name", flat=True)) == [
        "Petr Chizh",
        "Thrush",
        "Wren",
        "Пётр Чиж",
    ]
    assert "Petr Chizh / Пётр Чиж" in words(client.get("/accounts/people/?q=чиж"))
    row = SamePerson.objects.get()
    stranger = Client()
    stranger.force_login(make.user())
    assert stranger.post(f"/accounts/people/merges/{row.pk}/take-back/").status_code == 404
    assert stranger.get(f"/accounts/people/{one.newest.pk}/").status_code == 404
    assert apart in words(client.post(f"/accounts/people/merges/{row.pk}/take-back/", follow=True))
    assert not SamePerson.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "apart", "back"),
    [
        ("en", "They are two people; you are not asked", "asks about them again"),
        ("ru", "Это два человека", "снова спросит о них"),
    ],
)
def test_namesakes_are_asked_about_once(events, language, apart, back):
    """Called two people they leave the list of doubles, a third of the name is asked about all the same, and it can be taken back."""
    owner = events[0].created_by
    [(one, other)] = doubles(owner, directory_of(owner))
    client = Client(headers={"accept-language": language})
    client.force_login(owner)
    address = f"/accounts/people/{one.newest.pk}/merge/{other.newest.pk}/"
    assert apart in words(client.post(address, {"answer": "two"}, follow=True))
    assert doubles(owner, directory_of(owner)) == []
    assert len(directory_of(owner)) == 3
    third = make.tournament(by=owner)
    people.register_player(third, people.Details(name="Chizh Petr", city="Perm"), by=make.organizer_of(third))
    assert len(doubles(owner, directory_of(owner))) >= 1
    row = SamePerson.objects.get()
    assert back in words(client.post(f"/accounts/people/merges/{row.pk}/take-back/", follow=True))
    assert len(doubles(owner, directory_of(owner))) == 2
    client.post(address, {"answer": "two"})
    client.post(address)
    assert [row.are_two for row in SamePerson.objects.all()] == [False], "decided otherwise, it is one person"


@pytest.mark.django_db
def test_doubles_beyond_those_shown_are_counted(events, monkeypatch):
    first, second = events
    owner = first.created_by
    for of, city in ((first, "Perm"), (second, "Omsk")):
        people.register_player(of, people.Details(name="Jay Heron", city=city), by=make.organizer_of(of))
    monkeypatch.setattr("tournaments.desk.views.directory.MOST_DOUBLES", 1)
    client = Client(headers={"accept-language": "en"})
    client.force_login(owner)
    assert "1 more pair follows when one of these is decided." in words(client.get("/accounts/people/"))
    monkeypatch.setattr("tournaments.desk.views.directory.MOST_DOUBLES", 2)
    assert "more pair" not in words(client.get("/accounts/people/"))


@pytest.mark.django_db
def test_a_page_of_the_directory_reads_the_people_once(events):
    """An organizer of large events has thousands of them."""
    owner = events[0].created_by
    [(one, other)] = doubles(owner, directory_of(owner))
    client = Client()
    client.force_login(owner)
    person = f"/accounts/people/{one.newest.pk}/"
    for path in ("/accounts/people/", f"{person}?q=wren", f"{person}merge/{other.newest.pk}/"):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
        read = [one["sql"] for one in asked if 'FROM "tournaments_player"' in one["sql"]]
        assert len(read) == 1, path
        assert '"tournaments_tournament"."regulation"' not in read[0]


@pytest.mark.django_db
def test_who_is_erased_leaves_the_directory_and_its_merges(events):
    owner = events[0].created_by
    [(one, other)] = doubles(owner, directory_of(owner))
    operations.merge(owner, one.newest.pk, other.newest.pk)
    gone = Player.objects.get(name="Пётр Чиж")
    privacy.erase_player(gone, by=make.organizer_of(events[0]), reason="asked for by mail")
    assert not SamePerson.objects.exists()
    assert [known.names for known in directory_of(owner)] == [["Petr Chizh"], ["Wren"]]
    assert not Registration.objects.get(player=gone).may_be_remembered


@pytest.mark.django_db
def test_the_desk_fills_in_only_who_agreed(events):
    first = events[0]
    client = Client(headers={"accept-language": "en"})
    client.force_login(first.created_by)
    address = f"/{first.slug}/desk/people/add/"
    wren = Player.objects.get(name="Wren")
    assert "Nobody of this name" in words(client.get(f"{address}?who=wren"))
    assert client.get(f"{address}?who=wren&from={wren.pk}").context["form"].initial == {}
    chizh = Player.objects.get(name="Petr Chizh")
    assert "Petr Chizh" in words(client.get(f"{address}?who=чиж"))
    form = client.get(f"{address}?who=чиж&from={chizh.pk}").context["form"]
    assert (form["name"].value(), form["city"].value()) == ("Petr Chizh", "Riga")


@pytest.mark.django_db
def test_consent_outlives_the_event_that_used_it(events):
    """Who agreed to be filled in again is found again after the desk has done so; another name in the form is nobody's consent."""
    owner = events[0].created_by
    owners = Client()
    owners.force_login(owner)
    chizh = Player.objects.get(name="Petr Chizh")
    for name, found in (("Petr Chizh", True), ("Someone Else", False)):
        of = make.tournament(by=owner)
        owners.post(f"/{of.slug}/desk/people/add/?who=chizh&from={chizh.pk}", {"name": name, "city": "Riga"})
        assert of.registrations.get().may_be_remembered == found
        assert bool(remembered(owner, name)) == found


@pytest.mark.django_db
def test_an_event_that_is_not_finished_has_no_place_to_tell():
    of = make.tournament(sessions=1)
    row = make.players(of, 4)[0]
    owner = Client()
    owner.force_login(of.created_by)
    address = f"/accounts/people/{row.player_id}/"
    assert "Place" not in words(owner.get(address))
    session = make.in_play(of)
    make.settle(session)
    play.close_session(session, by=make.organizer_of(of))
    recompute.recompute(of.pk)
    assert Standing.objects.filter(player=row.player).exists()
    assert "Place" not in words(owner.get(address))
    closing.close_tournament(of, by=make.organizer_of(of))
    assert "Place " in words(owner.get(address))
