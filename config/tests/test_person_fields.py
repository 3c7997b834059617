"""The list of what is known of a person: whatever has to spell its fields out knows all of them."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import FieldDoesNotExist
from django.utils import translation

from scoring.record import form as record_form
from scoring.regulation import PlayerField
from scoring.words import LANGUAGES
from seating.rules.plan import LABELS
from tournaments.api.shapes import PlayerFace, StandingRow
from tournaments.models import Player, Registration
from tournaments.people.forms import PlayerForm
from tournaments.people.operations.importing import NOT_IN_TABLES, headers
from tournaments.people.operations.registration import Details
from tournaments.people.rules.pasted import COLUMNS
from tournaments.person_fields import (
    CITY,
    CLOSEST_FIRST,
    CLUB,
    GROUP,
    GROUPINGS,
    IN_STANDINGS,
    NAME,
    NUMBER,
    PERSON,
    PHONE,
    TEAM,
    PersonField,
)

NOT_ASKED = {NUMBER: "given by the site", GROUP: "set by imported lists alone"}
"""What the form of a person does not ask, and why."""
OF_ITSELF = {"id", "tournament", "code", "search_key", "erased_at"}
"""Columns of a player that say nothing about the person, or are worked out."""
Fields = Sequence[PersonField]


def missing_columns(known: Fields) -> Iterator[str]:
    """Compare with the model: every field has its column, as long as what may be typed, and every column is a field."""
    for one in known:
        model = Registration if one.is_of_registration else Player
        try:
            column: Any = model._meta.get_field(one.column)
        except FieldDoesNotExist:
            yield f"{model.__name__}.{one.column}"
            continue
        longest = (
            getattr(column.related_model, "name", column).field.max_length
            if one.is_relation
            else column.max_length
        )
        if one.longest is not None and one.longest != longest:
            yield f"{model.__name__}.{one.column}: {longest}, not {one.longest}"
    columns = {column.name for column in Player._meta.concrete_fields} - OF_ITSELF
    yield from (f"PERSON: {name}" for name in sorted(columns - {one.column for one in known}))


def missing_details(known: Fields) -> Iterator[str]:
    """Compare with what operations take: texts and the numbers of federations; a number in the event is none of them."""
    taken = {one.name for one in fields(Details)}
    yield from (f"Details.{one.column}" for one in known if one is not NUMBER and one.column not in taken)
    more = taken - NOT_IN_TABLES - {one.name for one in known}
    yield from (f"PERSON: {name}" for name in sorted(more))


def missing_controls(known: Fields) -> Iterator[str]:
    """Compare with the form of a person: its order is its own, its labels and lengths are those of the list."""
    asked = PlayerForm.base_fields
    for one in known:
        if one in NOT_ASKED:
            continue
        if one.name not in asked:
            yield f"PlayerForm.{one.name}"
            continue
        with translation.override("en"):
            if str(asked[one.name].label) != one.label:
                yield f"PlayerForm.{one.name}: {asked[one.name].label}, not {one.label}"
        longest = getattr(asked[one.name], "max_length", None)
        if one.longest is not None and longest not in (one.longest, DJANGO_EMAIL):
            yield f"PlayerForm.{one.name}: {longest}, not {one.longest}"


DJANGO_EMAIL = 320
"""What Django's own control for an address takes; the model says what is stored."""


def missing_in_record(known: Fields) -> Iterator[str]:
    """Compare with the record's reader and with its published schema. [RECORD 2]"""
    here = {one.name for one in known if one.in_record}
    schema = json.loads((settings.BASE_DIR / "docs/record.schema.json").read_text(encoding="utf-8"))
    listed = set(schema["$defs"]["player"]["properties"]) - {"id", "name", "federation_ids"}
    yield from (f"record.schema.json: {name}" for name in sorted(here ^ listed))
    problems: list[Any] = []
    record_form._player()({"id": "p1", "name": "Wren", **dict.fromkeys(here, "AA")}, "", problems)
    yield from (f"scoring/record/form.py: {problem.field}" for problem in problems)


def missing_in_answers(known: Fields) -> Iterator[str]:
    """Compare with the API: whoever is public is public there, nothing else of a person is."""
    told = {one.name for one in fields(PlayerFace)}
    yield from (f"PlayerFace.{one.name}" for one in known if one.is_public and one.name not in told)
    secret = {one.name for one in known if not one.is_public} - {NUMBER.name}
    yield from (f"PlayerFace tells {name}" for name in sorted(secret & told))


def missing_groupings(known: Fields) -> Iterator[str]:
    """Compare with the regulation's fields and with the labels that draws keep apart, the closest first."""
    grouped = [one for one in known if one.grouping]
    yield from (f"PlayerField: {one.name}" for one in grouped if one.grouping.by != one.name)
    yield from (f"PERSON: {name}" for name in sorted(set(PlayerField) - {one.name for one in grouped}))
    yield from (f"CLOSEST_FIRST: {one.name}" for one in grouped if one not in CLOSEST_FIRST)
    labels = [one.name for one in CLOSEST_FIRST if one is not CITY]
    if labels != list(LABELS):
        yield f"seating/rules/plan.py: {labels}"


CHECKS: dict[str, Callable[[Fields], Iterator[str]]] = {
    "model": missing_columns,
    "operations": missing_details,
    "form": missing_controls,
    "record": missing_in_record,
    "api": missing_in_answers,
    "groupings": missing_groupings,
}


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_nothing_of_the_list_is_forgotten(check):
    assert list(check(PERSON)) == []


NICKNAME = PersonField("nickname", "Nickname")
FORGOTTEN = {
    "model": (NICKNAME, ["Player.nickname"]),
    "model-of-a-registration": (replace(NICKNAME, is_of_registration=True), ["Registration.nickname"]),
    "operations": (NICKNAME, ["Details.nickname"]),
    "form": (NICKNAME, ["PlayerForm.nickname"]),
    "record": (
        replace(NICKNAME, in_record=True), ["record.schema.json: nickname", "scoring/record/form.py: nickname"],
    ),
    "api": (replace(NICKNAME, is_public=True), ["PlayerFace.nickname"]),
    "groupings": (
        replace(NICKNAME, grouping=replace(GROUPINGS["club"])), ["PlayerField: nickname", "CLOSEST_FIRST: nickname"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("where", FORGOTTEN)
def test_a_field_that_was_added_to_the_list_alone_is_missed(where):
    one, missed = FORGOTTEN[where]
    assert list(CHECKS[where.partition("-")[0]]((*PERSON, one))) == missed


CHANGED = {
    "model": (PHONE, replace(PHONE, longest=50), ["Player.phone: 40, not 50"]),
    "form": (CLUB, replace(CLUB, label="Society"), ["PlayerForm.club: Club, not Society"]),
    "record": (CLUB, replace(CLUB, in_record=False), ["record.schema.json: club"]),
    "api": (CLUB, replace(CLUB, is_public=False), ["PlayerFace tells club"]),
}


@pytest.mark.parametrize("where", CHANGED)
def test_a_field_that_was_changed_in_the_list_alone_is_missed(where):
    before, after, missed = CHANGED[where]
    assert list(CHECKS[where](tuple(after if one is before else one for one in PERSON))) == missed


def test_a_field_that_was_taken_from_the_list_alone_is_missed():
    fewer = tuple(one for one in PERSON if one is not TEAM)
    found = {name: list(check(fewer)) for name, check in CHECKS.items()}
    assert {name for name, missed in found.items() if missed} == {
        "model",
        "operations",
        "record",
        "groupings",
    }


def test_every_heading_and_every_label_leads_to_one_field():
    headings = [heading for one in PERSON for heading in one.headings]
    assert len(headings) == len(set(headings))
    assert all(heading == heading.casefold() for heading in headings)
    for language in LANGUAGES:
        with translation.override(language):
            assert [headers()[translation.gettext(one.label).casefold()] for one in PERSON] == [
                one.name for one in PERSON
            ]


def test_orders_that_are_spelt_out_name_fields_of_the_list():
    assert set(COLUMNS) <= {one.name for one in PERSON}
    shown = {one.name for one in fields(StandingRow)} & {one.name for one in PERSON}
    assert shown - {NUMBER.name} <= {one.name for one in IN_STANDINGS}
    assert IN_STANDINGS[0] is NAME, "rows of the snapshot begin with the number and the name"


def test_a_contact_is_seen_by_nobody_else():
    assert [one.name for one in PERSON if one.is_contact and (one.is_public or one.in_record)] == []
    assert [one.name for one in PERSON if one.in_standings and not one.is_public] == []
