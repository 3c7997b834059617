"""The whole regulation is set on the site: what is shown is what is there, and everything can be changed. [RULES 1.1] [RULES 8.58]"""

import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from django.utils.translation import override

from scoring.presets import PRESETS
from scoring.regulation import FIELDS
from tournaments.desk.forms.regulation import PARTS, RegulationForm
from tournaments.models import Tournament
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db


def sent(of, **changes):
    """What a browser sends of the form as it is shown, but for some controls."""
    form = RegulationForm(tournament=of)
    data = {}
    for name in form.fields:
        value = form[name].value()
        if name in ("ranking", "group_ranking"):
            data |= {f"{name}_{place}": code for place, code in enumerate(value)}
        elif value is not None and value is not False and value != "":
            data[name] = value
    return {name: value for name, value in (data | changes).items() if value is not None}


def save(of, **changes):
    """Save the form at the desk, and return the answer and the regulation afterwards."""
    desk = Client()
    desk.force_login(of.created_by)
    answer = desk.post(reverse("tournaments:edit_regulation", args=[of.slug]), sent(of, **changes))
    return answer, Tournament.objects.get(pk=of.pk).regulation


def changed(before, after):
    return {name: after.get(name) for name in FIELDS if before.get(name) != after.get(name)}


def test_every_field_of_the_regulation_has_its_part():
    assert list(PARTS) == list(FIELDS)


@pytest.mark.parametrize("preset", PRESETS)
def test_saving_what_is_shown_changes_nothing(preset):
    of = make.tournament(preset, announced=False)
    answer, after = save(of)
    assert answer.status_code == 302, answer.context["form"].errors
    assert after == of.regulation


@pytest.mark.parametrize(
    ("preset", "controls", "wanted"),
    [
        (
            "red",
            {
                "rules_minimum": 8,
                "rules_special_pair": 2,
                "rules_chaotic_hand": 3,
                "rules_jokers": "true",
                "rules_limit": 100,
                "rules_two_players_no_win": "stays",
                "table_size": 3,
                "start_points": 790,
            },
            {
                "system_rules": {
                    "minimum": 8,
                    "special_pair": 2,
                    "chaotic_hand": 3,
                    "jokers": True,
                    "limit": 100,
                    "two_players_no_win": "stays",
                },
                "table_size": 3,
                "start_points": 790,
                # place 4 is none of a table of three
                "fixed_result": {"tournament_points": "0", "game_points": 0, "place": 3},
            },
        ),
        ("mcr", {"rules_minimum": 6}, {"system_rules": {"minimum": 6}}),
        (
            "riichi_ema",
            {
                "uma": "20 10 −10 −20",
                "start_points": 25000,
                "return_points": 30000,
                "tie_rule": "seat_order",
                "rules_limits_sanbaiman": 12,
                "rules_limits_counted_yakuman": None,
                "rules_nagashi_mangan": "true",
                "rules_yakuman": "several",
                "rules_abortive_draws": ["four_riichi", "nine_kinds"],
                "rules_west_round": 5000,
                "place_rule": "best",
                "last_hand": "red_zone",
                "lateness_1_points": 500,
                "lateness_2_limit": "up_to",
                "lateness_2_time": "15:30",
                "lateness_2_points": 8000,
                "lateness_2_cost": "points",
                "price_1_offence": "chombo",
                "price_1_points": 20000,
                "decision_1_points": "4000 8000",
                "awarded_result_tournament_points": None,
                "awarded_result_place": 3,
                "fixed_result_game_points": -5000,
            },
            {
                "uma": ["20", "10", "-10", "-20"],
                "start_points": 25000,
                "return_points": 30000,
                "tie_rule": "seat_order",
                "system_rules": {
                    "limits": {"5": "mangan", "6": "haneman", "8": "baiman", "12": "sanbaiman"},
                    "nagashi_mangan": True,
                    "yakuman": "several",
                    "abortive_draws": ["nine_kinds", "four_riichi"],
                    "west_round": 5000,
                },
                "place_rule": "best",
                "last_hand": "red_zone",
                "lateness": {"bands": [{"up_to": 600, "per_minute": 500}, {"up_to": 930, "points": 8000}]},
                "penalties": {
                    "timing": "after",
                    "ladders": [],
                    "fixed": {"chombo": 20000},
                    "decision": {
                        "disturbance": {"amounts": [4000, 8000]},
                        "grave_disturbance": {"from": 12000, "up_to": 48000},
                    },
                },
                "awarded_result": {"tournament_points": None, "game_points": 0, "place": 3},
                "fixed_result": {"tournament_points": "0", "game_points": -5000, "place": 4},
            },
        ),
        (
            "sbr",
            {
                "tournament_points_2": "4 3",
                "smallest_table": 2,
                "tie_rule": "best",
                "seat_winds": "schedule",
                "ladder_1_steps": "0 1 2",
                "ladder_1_offences": ["wrong_draw", "phone"],
                "ladder_1_scope": "tournament",
                "lateness_1_time": None,
                "lateness_1_points": None,
            },
            {
                "tournament_points": {"4": ["4", "3", "2", "1"], "3": ["4", "3", "2"], "2": ["4", "3"]},
                "smallest_table": 2,
                "tie_rule": "best",
                "seat_winds": "schedule",
                "penalties": {
                    "timing": "before",
                    "ladders": [
                        {
                            "offences": ["wrong_draw", "phone"],
                            "mode": "total",
                            "scope": "tournament",
                            "steps": [0, 1, 2],
                        }
                    ],
                    "fixed": {},
                    "decision": {},
                },
                "lateness": {"bands": [{"up_to": 900, "points": 16}]},
            },
        ),
    ],
    ids=["red", "mcr", "riichi", "sbr"],
)
def test_what_only_a_record_could_set_is_set_at_the_desk(preset, controls, wanted):
    """[RULES 1.1] [RULES 8.58]"""
    of = make.tournament(preset, announced=False)
    if preset == "red":
        controls = {**controls, "fixed_result_place": 3}
    answer, after = save(of, **controls)
    assert (answer.status_code, changed(of.regulation, after)) == (302, wanted)
    answer, again = save(Tournament.objects.get(pk=of.pk))
    assert again == after


@pytest.mark.parametrize(
    ("preset", "controls", "control", "said"),
    [
        (
            "riichi_festival",
            {"ranking_0": "tournament_points"},
            "ranking",
            "“TP” ranks by tournament points, and none are given. Write them by place, or rank by points.",
        ),
        (
            "riichi_ema",
            {"uma": None},
            "ranking",
            "“Score with uma” counts uma, and there is none. Write uma by place, or rank by points.",
        ),
        (
            "riichi_festival",
            {"uma": "15 5 -5 -15"},
            "uma",
            "No criterion of the ranking counts this uma. Rank by “Score with uma” too, or leave uma empty.",
        ),
        ("riichi_ema", {"uma": "15 5"}, "uma", "Uma needs a value for each of 4 places; there are 2."),
        ("riichi_ema", {"uma": "15000 5000 -5000 -15000"}, "uma", "Uma is written in thousands: 15, not 15000."),
        (
            "sbr",
            {"warning_minutes": 60},
            "warning_minutes",
            "The warning comes before the session begins. Write less than 60 minutes; 0 is no warning.",
        ),
        ("riichi_ema", {"start_points": 25050}, "start_points", "Write a multiple of 100, the smallest amount of points."),
        ("sbr", {"tournament_points_4": "1 2 3 4"}, "tournament_points_4",
         "A worse place may not bring more. Write the values from first place to last."),
        ("sbr", {"tournament_points_3": None}, "tournament_points_3", "Write one number for each of the 3 places."),
        ("sbr", {"lateness_2_time": "5"}, "lateness_2_time",
         "Write a later time than in the line above; nobody would fall into this one."),
        ("sbr", {"awarded_result_place": 4, "table_size": 3}, "awarded_result_place", "A table has the places 1 to 3."),
        ("sbr", {"ladder_1_steps": "8 4 2"}, "ladder_1_steps", "The steps of a ladder may not go down."),
        ("sbr", {"lateness_1_time": "soon"}, "lateness_1_time",
         "Write minutes such as 10, or minutes and seconds: 9:30."),
        ("red", {"rules_chaotic_hand": 7}, "rules_chaotic_hand", "The chaotic hand is worth 3 or 12."),
        ("riichi_ema", {"rules_limits_haneman": 5}, "rules_limits_haneman",
         "Another line begins at this number; write a different one."),
        ("riichi_ema", {"decision_1_points": "a few"}, "decision_1_points",
         "Write amounts such as 8000 12000, or from one to another: 5–60."),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_beside_its_control_with_what_would_do(
    preset, controls, control, said
):
    """[RULES 1.1]"""
    of = make.tournament(preset, announced=False)
    answer, after = save(of, **controls)
    assert (answer.status_code, after) == (422, of.regulation)
    assert said in answer.context["form"].errors[control]
    page = " ".join(strip_tags(answer.content.decode()).split())
    assert said in page


def test_what_was_so_before_is_no_reason_to_refuse_another_change():
    """A record may come with anything; its organizer can still change the fee. [RULES 1.1]"""
    of = make.tournament("riichi_festival", announced=False)
    odd = of.regulation | {"ranking": ["tournament_points", "lots"]}
    Tournament.objects.filter(pk=of.pk).update(regulation=odd)
    answer, after = save(Tournament.objects.get(pk=of.pk), entry_fee="20")
    assert (answer.status_code, after["entry_fee"]) == (302, "20")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_is_said_of_what_the_system_does_not_have(preset, language):
    of = make.tournament(preset)
    page = Client().get(f"/{of.slug}/regulation/", headers={"accept-language": language})
    said = strip_tags(page.content.decode()).lower()
    has_uma = PRESETS[preset].system == "RIICHI"
    assert any(word in re.findall(r"\w+", said) for word in ("uma", "ума", "умы", "ума")) == has_uma
    with override(language):
        assert ("uma" in RegulationForm(tournament=of).fields) == has_uma


def test_forms_in_both_languages_offer_the_same(client):
    of = make.tournament("red", announced=False)
    client.force_login(of.created_by)
    page = client.get(
        reverse("tournaments:edit_regulation", args=[of.slug]), headers={"accept-language": "ru"}
    ).content.decode()
    assert "Джокеры" in page
    assert "Jokers" not in page
    json.dumps(of.regulation)
