"""What an organizer may type or send at the desk by mistake: answered, and nothing lost."""

import pytest
from django.db.models import CharField
from django.test import Client

from tournaments.models import Player, Tournament
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def desk_of(of: Tournament) -> Client:
    client = Client()
    client.force_login(of.created_by)
    return client


def test_changing_a_player_keeps_what_the_form_does_not_ask():
    of = make.tournament()
    row, *_ = make.players(of, 2)
    team = of.teams.create(name="Winds")
    known = {"group": "Juniors", "phone": "+7 900 000-00-00", "team_id": team.pk}
    ids = {"EMA": "04010001", "RMF": "7"}
    Player.objects.filter(pk=row.player_id).update(**known, federation_ids=ids)
    answer = desk_of(of).post(f"/{of.slug}/desk/people/1/", {"name": "Grey Heron", "ema_number": "04010002"})
    assert answer.status_code == 302
    player = Player.objects.get(pk=row.player_id)
    assert {name: getattr(player, name) for name in known} == known
    assert player.federation_ids == {"RMF": "7", "EMA": "04010002"}


def test_a_card_that_is_saved_as_it_is_shown_changes_nothing():
    """A new field of a person fails here until `PlayerForm` shows it (`of`) and says it, or keeps it (`details`)."""
    of = make.tournament(team_size=4)
    row, *_ = make.players(of, 2)
    fields = {field.name: field for field in Player._meta.concrete_fields if isinstance(field, CharField)}
    free = {name: name.title()[: field.max_length] for name, field in fields.items() if not field.choices}
    chosen = {name: field.choices[0][0] for name, field in fields.items() if field.choices}
    known = free | chosen | {"country": "KZ", "email": "heron@example.org", "search_key": "name"}
    team = of.teams.create(name="Winds")
    Player.objects.filter(pk=row.player_id).update(**known, team=team, federation_ids={"EMA": "04010001"})
    desk, card = desk_of(of), f"/{of.slug}/desk/people/1/"
    form = desk.get(card).context["form"]
    assert desk.post(card, {name: form[name].value() or "" for name in form.fields}).status_code == 302
    player = Player.objects.get(pk=row.player_id)
    assert {name: getattr(player, name) for name in known} == known
    assert (player.team, player.federation_ids) == (team, {"EMA": "04010001"})


@pytest.mark.parametrize(
    "query",
    [
        "per_page=0",
        "per_page=-1",
        "page=0",
        "page=-5",
        f"page={'9' * 30}",
        "page=x",
        "sort=password",
        "sort=%00",
    ],
)
def test_list_of_people_bears_any_page(query):
    """[INTEGRITY 145]"""
    of = make.tournament()
    make.players(of, 2)
    assert desk_of(of).get(f"/{of.slug}/desk/people/?{query}").status_code in {200, 400}


@pytest.mark.parametrize("zone", ["Europe/Samara", "Asia/Kamchatka"])
@pytest.mark.parametrize("time", ["0001-01-01T00:00", "1066-10-14T09:00", "9999-12-31T23:59"])
def test_year_that_nobody_means_is_refused_beside_its_field(zone, time):
    of = make.tournament(announced=False)
    body = {"name": "Cup", "slug": of.slug, "first_day": "2026-05-09", "time_zone": zone}
    answer = desk_of(of).post(f"/{of.slug}/desk/settings/", body | {"registration_opens_at": time})
    assert answer.status_code == 422
    assert "registration_opens_at" in answer.context["form"].errors


@pytest.mark.parametrize("field", ["first_day", "last_day"])
@pytest.mark.parametrize("day", ["0001-01-01", "1899-12-31", "2201-01-01", "9999-12-31"])
def test_day_in_a_year_that_nobody_means_is_refused_beside_its_field(field, day):
    of = make.tournament(announced=False)
    body = {"name": "Cup", "slug": of.slug, "first_day": "2026-05-09", "time_zone": "UTC", field: day}
    answer = desk_of(of).post(f"/{of.slug}/desk/settings/", body)
    assert answer.status_code == 422
    said = "Enter the year with four digits between 1900 and 2200."
    assert said in answer.context["form"].errors[field]
    assert Tournament.objects.get(pk=of.pk).first_day == of.first_day


def test_second_organizer_swapping_the_same_seats_is_refused():
    """Seats are written anew by a swap: who looked at the old ones is told so."""
    of = make.tournament()
    make.players(of, 8)
    session = make.seated(of)
    one, other = session.seats.get(table__number=1, wind="E"), session.seats.get(table__number=2, wind="N")
    by = make.organizer_of(of)
    play.swap_seats(one, other, by=by, reason="They are a family")
    with pytest.raises(Refused) as refused:
        play.swap_seats(one, other, by=by, reason="They are a family")
    assert [problem.code for problem in refused.value.problems] == ["version"]
    assert session.seats.get(table__number=1, wind="E").player_id == other.player_id


def test_seats_of_two_sessions_are_not_swapped():
    of = make.tournament()
    make.players(of, 8)
    first, second = make.seated(of), make.seated(of, 2)
    with pytest.raises(Refused):
        play.swap_seats(
            first.seats.get(table__number=1, wind="E"),
            second.seats.get(table__number=1, wind="S"),
            by=make.organizer_of(of),
            reason="They are a family",
        )


def test_address_of_a_button_that_is_typed_says_so():
    of = make.tournament()
    make.players(of, 1)
    answer = desk_of(of).get(f"/{of.slug}/desk/people/1/withdraw/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert "Go back and use the button or the form on the page." in answer.content.decode()


@pytest.mark.parametrize(
    ("written", "kept"), [("1500,5", "1500.50"), ("1 500", "1500"), ("0", "0"), ("20.00", "20")]
)
def test_entry_fee_is_read_as_people_write_it(written, kept):
    of = make.tournament(announced=False)
    assert changed_fee(of, written).status_code == 302
    assert Tournament.objects.get(pk=of.pk).regulation["entry_fee"] == kept


def test_entry_fee_in_words_is_refused_with_an_example():
    answer = changed_fee(make.tournament(announced=False), "a lot")
    assert answer.status_code == 422
    said = "Write an amount such as 1500 or 1500.50; 0 is none."
    assert answer.context["form"].errors["entry_fee"] == [said]


def changed_fee(of: Tournament, written: str):
    """Save the regulation as it is, with another fee."""
    desk = desk_of(of)
    form = desk.get(f"/{of.slug}/desk/regulation/").context["form"]
    shown = {name: form[name].value() for name in form.fields}
    shown |= {f"ranking_{at}": value for at, value in enumerate(shown.pop("ranking"))}
    sent = {name: value for name, value in shown.items() if value is not None and value is not False}
    return desk.post(f"/{of.slug}/desk/regulation/", sent | {"entry_fee": written})


def test_settings_leave_an_event_in_its_own_time_zone():
    """Any zone of the world can be an event's, one that a record brought along too."""
    of = make.tournament(announced=False)
    Tournament.objects.filter(pk=of.pk).update(time_zone="Asia/Chita")
    page = desk_of(of).get(f"/{of.slug}/desk/settings/").content.decode()
    assert '<option value="Asia/Chita" selected' in page
