"""Questions of the organizer's own: asked, answered, listed, exported and erased with the person."""

import pytest
from django.test import Client
from django.utils.html import strip_tags

from tournaments.exchange.tables import contacts
from tournaments.models import HistoryEntry, Registration, Tournament
from tournaments.operator.operations import clone_event
from tournaments.people.operations import registration as people
from tournaments.people.operations import wishes
from tournaments.people.rules.questions import question_problems, read_options
from tournaments.privacy import operations as privacy
from tournaments.record import history
from tournaments.tests import factories as make
from tournaments.web.access import link_of

SAID = {"name": "Heron", "consent": "on", "answer_q1": "no nuts", "answer_q2": "L", "answer_q3": "yes"}


@pytest.fixture
def of():
    """An event that asks for a meal, a size, which must be said, and a bed."""
    made = make.tournament()
    by = make.organizer_of(made)
    wishes.add_question(made, sort="text", label="What do you not eat?", by=by)
    wishes.add_question(
        made, sort="choice", label="Size of shirt", options=["M", "L"], is_required=True, by=by
    )
    return wishes.add_question(made, sort="yes_no", label="A bed for the night?", by=by)


def words(answer):
    return " ".join(strip_tags(answer.content.decode().replace("<", " <")).split())


def test_a_choice_has_at_least_two_answers_each_once():
    assert read_options("M\n L \n\nM\n") == ("M", "L")
    assert [p.code for p in question_problems("choice", "Size", ["M"])] == ["too_few_options"]
    assert [p.code for p in question_problems("text", "  ", [])] == ["question_empty"]
    assert [p.code for p in question_problems("choice", "Size", ["x" * 101, "y"])] == ["too_many_options"]


@pytest.mark.django_db
def test_answers_are_given_listed_exported_and_erased(of):
    client, desk = Client(headers={"accept-language": "en"}), Client(headers={"accept-language": "en"})
    desk.force_login(of.created_by)
    unsaid = client.post(f"/{of.slug}/register/", {"name": "Heron", "consent": "on", "answer_q2": ""})
    assert "Please answer this question." in words(unsaid)
    assert client.post(f"/{of.slug}/register/", {**SAID, "answer_q2": "XXL"}).status_code == 422
    assert client.post(f"/{of.slug}/register/", SAID).status_code == 302
    row = Registration.objects.get(tournament=of)
    assert row.answers == {"q1": "no nuts", "q2": "L", "q3": "yes"}
    assert "no nuts" in words(client.get(f"/{of.slug}/me/{link_of(row)}/"))
    assert "no nuts" not in words(client.get(f"/{of.slug}/players/"))
    assert "Size of shirt" in words(desk.get(f"/{of.slug}/desk/people/"))
    assert 'value="no nuts"' in desk.get(f"/{of.slug}/desk/people/1/").content.decode()
    told = contacts(of)
    assert list(told.columns)[-3:] == ["What do you not eat?", "Size of shirt", "A bed for the night?"]
    assert next(iter(told.rows))[-3:] == ("no nuts", "L", "Yes")
    assert "no nuts" not in "".join(HistoryEntry.objects.values_list("content", flat=True))
    privacy.erase_player(row.player, by=make.organizer_of(of), reason="asked for by mail")
    assert Registration.objects.get(tournament=of).answers == {}


@pytest.mark.django_db
def test_the_desk_may_leave_answers_open_and_a_question_asked_no_more_keeps_them(of):
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(of.created_by)
    desk.post(f"/{of.slug}/desk/people/add/", {"name": "Wren", "answer_q1": "fish"})
    by = make.organizer_of(of)
    wishes.ask_question(of, "q1", is_asked=False, by=by)
    assert "What do you not eat?" not in words(Client().get(f"/{of.slug}/register/"))
    desk.post(f"/{of.slug}/desk/people/1/", {"name": "Wren", "answer_q2": "M"})
    row = Registration.objects.select_related("player").get(tournament=of)
    assert row.answers == {"q1": "fish", "q2": "M"}
    row.tournament = of = Tournament.objects.get(pk=of.pk)
    people.change_player(row, people.Details(name="Wren II"), by=by)
    assert row.answers == {"q1": "fish", "q2": "M"}
    made = clone_event(of, make.announcement(), by=by)
    assert [one["code"] for one in Tournament.objects.get(pk=made.pk).questions] == ["q2", "q3"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "has just stopped asking"), ("ru", "больше не задаёт один из этих вопросов")],
)
def test_who_registers_while_a_question_ends_is_told_so_in_words(of, language, said):
    wishes.ask_question(of, "q1", is_asked=False, by=make.organizer_of(of))
    client = Client(headers={"accept-language": language})
    answer = client.post(f"/{of.slug}/register/", SAID)
    assert (answer.status_code, said in words(answer), "answer_q1" in words(answer)) == (422, True, False)
    again = {name: value for name, value in SAID.items() if name != "answer_q1"}
    assert client.post(f"/{of.slug}/register/", again).status_code == 302


@pytest.mark.django_db
def test_a_question_that_was_worded_otherwise_meanwhile_is_not_worded_back(of):
    desk = Client(headers={"accept-language": "en"})
    desk.force_login(of.created_by)
    address = f"/{of.slug}/desk/settings/questions/"
    old = [line["form"].seen for line in desk.get(address).context["lines"]]
    assert desk.get(address).content.decode().count(f'value="{old[1]}"') == 1
    said = {"q2-label": "Size of shirt", "q2-options": "M\nL", "q2-is_required": "on", "seen": old[1]}
    assert desk.post(f"{address}q2/", {**said, "q2-label": "Size of the jacket"}).status_code == 302
    answer = desk.post(f"{address}q2/", {**said, "q2-options": "M\nL\nXL"})
    assert (answer.status_code, "Size of the jacket" in words(answer)) == (409, True)
    assert Tournament.objects.get(pk=of.pk).questions[1]["options"] == ["M", "L"]
    seen = answer.context["lines"][1]["form"].seen
    assert desk.post(f"{address}q2/", {**said, "q2-options": "M\nL\nXL", "seen": seen}).status_code == 302
    assert Tournament.objects.get(pk=of.pk).questions[1]["options"] == ["M", "L", "XL"]


@pytest.mark.django_db
def test_the_history_says_what_was_asked_before_and_after(of):
    """Answers that were given stay: whoever reads them later must find to which words. [RULES 1.8]"""
    wishes.change_question(of, "q1", label="What do you eat?", by=make.organizer_of(of))
    entry = HistoryEntry.objects.filter(tournament=of).order_by("number").last()
    before, after = history.read(entry.content)["data"]["questions"]
    assert [before[0]["label"], after[0]["label"]] == ["What do you not eat?", "What do you eat?"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "asked_no_more"), [("en", "asked no more"), ("ru", "больше не задаётся")]
)
def test_the_desk_writes_changes_and_ends_questions(of, language, asked_no_more):
    desk = Client(headers={"accept-language": language})
    desk.force_login(of.created_by)
    address = f"/{of.slug}/desk/settings/questions/"
    assert desk.post(address, {"label": "Colour", "sort": "choice", "options": "red"}).status_code == 422
    desk.post(address, {"label": "Colour", "sort": "choice", "options": "red\nblue", "is_required": "on"})
    desk.post(f"{address}q4/", {"q4-label": "Which colour?", "q4-options": "red\nblue\ngreen"})
    assert desk.post(f"{address}q4/", {"q4-label": "", "q4-options": "red\nblue"}).status_code == 422
    assert desk.post(f"{address}q9/", {"q9-label": "?"}).status_code == 404
    stored = Tournament.objects.get(pk=of.pk).questions[-1]
    assert (stored["label"], stored["options"], stored["is_required"]) == (
        "Which colour?",
        ["red", "blue", "green"],
        False,
    )
    desk.post(f"{address}q4/asked/", {"asked": "0"})
    assert asked_no_more in words(desk.get(address))


@pytest.mark.django_db
def test_a_player_takes_the_questions_along_with_the_answers(of):
    client = Client()
    assert client.post(f"/{of.slug}/register/", {**SAID, "answer_q1": ""}).status_code == 302
    row = Registration.objects.get(tournament=of)
    told = client.get(f"/{of.slug}/me/{link_of(row)}/data.json").json()["registration"]
    assert told["answers"] == {"q2": "L", "q3": "yes"}
    assert told["questions"] == {"q2": "Size of shirt", "q3": "A bed for the night?"}
