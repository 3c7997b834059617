"""Templates of an organizer: saved from an event, begun from, renamed and deleted by their owner alone."""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.models import EventTemplate, Tournament
from tournaments.people.operations import wishes
from tournaments.people.rules.quotas import Quota
from tournaments.privacy.operations import delete_account
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import templates
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def desk_of(user, language="en"):
    client = Client(headers={"accept-language": language})
    client.force_login(user)
    return client


@pytest.mark.parametrize(
    ("language", "saved", "taken"),
    [
        ("en", "The template is saved", "You have a template of this name"),
        ("ru", "Шаблон сохранён", "Шаблон с таким названием"),
    ],
)
def test_an_event_is_saved_as_a_template_and_another_begins_from_it(language, saved, taken):
    of = make.tournament("riichi_ema", max_players=44)
    by = make.organizer_of(of)
    wishes.set_quotas(of, {"club": Quota(3)}, by=by)
    wishes.add_question(of, sort="text", label="Diet?", by=by)
    Tournament.objects.filter(pk=of.pk).update(venue="Town hall", asks_pin=True)
    desk = desk_of(of.created_by, language)
    address = f"/{of.slug}/desk/settings/template/"
    assert saved in words(desk.post(address, {"name": " Spring  cup "}, follow=True))
    assert taken in words(desk.post(address, {"name": "Spring cup"}, follow=True))
    template = EventTemplate.objects.get()
    begin = f"/new/template-{template.pk}/"
    assert begin in desk.get("/new/").content.decode()
    form = desk.get(begin).context["form"]
    assert (form["venue"].value(), form["first_day"].value(), form["name"].value()) == (
        "Town hall",
        None,
        None,
    )
    assert desk.post(begin, {"name": "", "first_day": "", "time_zone": "UTC"}).status_code == 422
    said = {"name": "May cup", "first_day": "2027-05-08", "time_zone": "UTC", "venue": "Library"}
    assert desk.post(begin, said)["Location"] == "/may-cup/desk/"
    made = Tournament.objects.get(slug="may-cup")
    assert (made.regulation, made.venue, made.state) == (of.regulation, "Library", "draft")
    assert (made.quotas["club"]["most"], [one["label"] for one in made.questions]) == (3, ["Diet?"])
    assert verify(made) == []


def test_a_template_is_its_owners_alone_and_goes_with_the_account():
    of = make.tournament()
    desk, other = desk_of(of.created_by), desk_of(make.user())
    for name in ("One", "Two"):
        desk.post(f"/{of.slug}/desk/settings/template/", {"name": name})
    first, second = EventTemplate.objects.order_by("name")
    address = f"/new/template-{first.pk}/"
    for path in ("", "rename/", "delete/"):
        assert other.post(f"{address}{path}", {"name": "Mine"}).status_code == 404
    assert "One" not in words(other.get("/new/"))
    desk.post(f"{address}rename/", {"name": "Two"})
    desk.post(f"{address}rename/", {"name": ""})
    assert EventTemplate.objects.get(pk=first.pk).name == "One"
    desk.post(f"{address}rename/", {"name": "Three"})
    assert EventTemplate.objects.get(pk=first.pk).name == "Three"
    desk.post(f"{address}delete/")
    assert list(EventTemplate.objects.all()) == [second]
    delete_account(of.created_by, by=make.organizer_of(of), leaves_events=True)
    assert not EventTemplate.objects.exists()


def test_a_template_that_was_deleted_meanwhile_does_not_come_back_under_another_name():
    of = make.tournament()
    template = templates.save_template(of, "One", owner=of.created_by)
    templates.delete_template(EventTemplate.objects.get())
    with pytest.raises(Refused, match="This template was deleted"):
        templates.rename_template(template, "Two")
    assert not EventTemplate.objects.exists()
