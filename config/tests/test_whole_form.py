"""Every form that writes ends with the last field, and one that arrives without it is refused, whoever sends it."""

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from config.server import limits
from config.server.whole_form import FIELD
from tournaments.models import Registration
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

TEMPLATES = Path(settings.BASE_DIR) / "templates"
OPENING = re.compile(r"<form\b(?:\{%.*?%\}|\{\{.*?\}\}|[^>])*>", re.DOTALL)
METHOD = re.compile(r'\bmethod="([^"]*)"')
CONTROL = re.compile(r"<(?:input|button|select|textarea)\b[^>]*\bform=\"[^\"]*\"[^>]*>")


def forms():
    """Yield every form of every template: where it is, its method, and what stands between its tags."""
    for path in sorted(TEMPLATES.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        for number, opening in enumerate(OPENING.finditer(text), start=1):
            inside, closed, _ = text[opening.end() :].partition("</form>")
            assert closed, f"{path}: a form is closed in another file"
            method = METHOD.search(opening[0])
            name = f"{path.relative_to(TEMPLATES)}:{number}"
            yield pytest.param(method[1] if method else "get", inside, id=name)


def test_there_are_forms_to_look_at():
    assert sum(param.values[0] == "post" for param in forms()) > 90


@pytest.mark.parametrize(("method", "inside"), list(forms()))
def test_last_field_is_the_last_of_every_form_that_writes(method, inside):
    if method in {"get", "dialog"}:
        assert "form_end" not in inside
    elif method == "post":
        assert inside.rstrip().endswith("{% form_end %}")
        assert inside.count("{% form_end %}") == 1
    else:
        assert inside.rstrip().endswith('{% if attrs.method == "post" %}{% form_end %}{% endif %}')


def test_controls_outside_their_form_send_nothing_behind_it():
    """A control that names a form belongs to it and could come after its last field; one that names none is sent with none."""
    for path in TEMPLATES.rglob("*.html"):
        for control in CONTROL.findall(path.read_text(encoding="utf-8")):
            assert " name=" not in control or ' form=""' in control, f"{path}: {control}"


def test_scripts_send_forms_as_they_stand():
    """A script takes the form with its last field, and sets only values of fields that stand before it."""
    folder = Path(settings.BASE_DIR) / "static/js"
    posting = [path for path in folder.rglob("*.js") if "FormData(" in path.read_text(encoding="utf-8")]
    asking = {
        "calculator.js",
        "draw-wishes.js",
        "push.js",
        "what-if.js",
    }  # addresses, and what a form holds: nothing is posted
    assert {path.name for path in posting} == asking | {"door.js", "rehearsal.js", "swap.js"}
    assert not any(".append(" in line for path in posting for line in body_lines(path))


def body_lines(path):
    """Return the lines in which a script touches what it sends."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if "body." in line]


@pytest.fixture
@remembered
def desk(db):
    """An organizer and the address at which players are pasted."""
    organizer = make.user()
    client = Client()
    client.force_login(organizer)
    client.path = f"/{make.tournament(by=organizer).slug}/desk/people/paste/"
    return client


FORM = "application/x-www-form-urlencoded"
LISTED = {"confirm": "1", "key": "list" + "k" * 16, "text": "Heron A\nWren B"}


def test_whole_form_is_taken_and_no_page_sees_its_last_field(desk):
    assert desk.post(desk.path, urlencode({**LISTED, FIELD: "1"}), content_type=FORM).status_code == 302
    assert Registration.objects.count() == 2


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param(LISTED, id="none"),
        pytest.param({FIELD: "1", **LISTED}, id="not the last"),
        pytest.param({**LISTED, FIELD: ""}, id="cut in it"),
    ],
)
@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "did not arrive whole"), ("ru", "дошла не целиком")]
)
def test_form_without_its_last_field_is_refused(desk, fields, language, sentence):
    answer = desk.post(desk.path, urlencode(fields), content_type=FORM, headers={"Accept-Language": language})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert Registration.objects.count() == 0


def test_form_with_files_is_held_to_the_same(desk):
    body = '--x\r\nContent-Disposition: form-data; name="confirm"\r\n\r\n1\r\n--x--\r\n'
    answer = desk.post(desk.path, body, content_type="multipart/form-data; boundary=x")
    assert (answer.status_code, Registration.objects.count()) == (422, 0)


def test_script_gets_the_sentence_alone(desk):
    answer = desk.post(desk.path, urlencode(LISTED), content_type=FORM, headers={"X-Part": "door"})
    assert answer.status_code == 422
    assert answer.content.decode().startswith("The form did not arrive whole")


def test_signing_in_is_held_to_the_same(db):
    fields = {"login": make.user().username, "password": "password"}
    client = Client()
    assert client.post("/accounts/login/", urlencode(fields), content_type=FORM).status_code == 422
    assert client.post("/accounts/login/", fields).status_code == 302


def test_program_that_sends_a_form_is_told_to_send_json(db):
    slug = make.tournament().slug
    answer = Client().post(f"/{slug}/api/admission/", "secret=1", content_type=FORM)
    assert (answer.status_code, answer.json()["code"]) == (415, "media_type")


def test_every_address_with_a_size_of_its_own_exists():
    names = {f"{space}:{name}" for space in get_resolver().namespace_dict for name in names_in(space)}
    assert set(limits.SIZES) <= names


def names_in(space):
    """Return the names of the addresses of an application."""
    _, resolver = get_resolver().namespace_dict[space]
    return [name for name in resolver.reverse_dict if isinstance(name, str)]


def test_every_address_that_takes_files_has_a_size_of_its_own():
    """A form with files is larger than an ordinary one, so the table of sizes has to know its address."""
    files = sorted(
        str(path.relative_to(TEMPLATES))
        for path in TEMPLATES.rglob("*.html")
        if 'enctype="multipart/form-data"' in path.read_text(encoding="utf-8")
    )
    assert files == [
        "penalties/appeal.html",
        "penalties/new_appeal.html",
        "penalties/own_appeal.html",
        "penalties/own_new.html",
        "seating/paste.html",
        "tournaments/organizer/import.html",
        "tournaments/organizer/import_game.html",
    ]


@pytest.mark.parametrize(
    ("path", "size"),
    [
        ("/cup/api/batch/", limits.API),
        ("/cup/api/session-1/table-1/undo/", limits.API),
        ("/cup/desk/people/import/", limits.IMPORT),
        ("/cup/desk/tables/1/1/import/", limits.IMPORT),
        ("/cup/me/1-x/appeal/", limits.APPEAL),
        ("/cup/desk/appeals/3/add/", limits.APPEAL),
        ("/cup/desk/settings/", limits.FORM),
        ("/accounts/login/", limits.FORM),
        ("/no/such/address", limits.FORM),
    ],
)
def test_size_follows_from_the_address(path, size):
    assert limits.size_of(path) == size
