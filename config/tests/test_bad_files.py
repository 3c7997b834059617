"""The catalogue's files: each is answered as written, by row and column, in both languages, and stores nothing. [INTEGRITY 7]

The numbers are those of the catalogue; whatever it accepts is accepted.
"""

import io
import re
import zipfile
from collections.abc import Callable
from html import unescape

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from openpyxl import Workbook

from tournaments.models import HistoryEntry, Registration, Tournament
from tournaments.people.operations import registration
from tournaments.people.views.importing import shown_name
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
FORMULA = "formula"


class Scene:
    """An event with one player on the list, and its organizer's browser in one language."""

    def __init__(self, language: str = "en") -> None:
        self.of = make.tournament()
        registration.register_player(
            self.of,
            registration.Details(name="Пётр Чиж", city="Самара"),
            by=make.organizer_of(self.of),
        )
        self.url = f"/{self.of.slug}/desk/people/import/"
        self.client = Client(headers={"Accept-Language": language})
        self.client.force_login(self.of.created_by)

    def send(self, body: bytes | str, name: str = "players.csv"):
        content = body.encode() if isinstance(body, str) else body
        return self.client.post(self.url, {"file": SimpleUploadedFile(name, content)})

    def confirm(self, preview, **said: str):
        """Press the button of a preview."""
        return self.client.post(self.url, {**fields_of(preview), "confirm": "1", **said}, follow=True)

    def rule(self, **changes: object) -> None:
        """Change the regulation."""
        Tournament.objects.filter(pk=self.of.pk).update(regulation=self.of.regulation | changes)

    @property
    def names(self) -> list[str]:
        rows = self.of.registrations.select_related("player").order_by("number")
        return [row.player.name for row in rows]


def fields_of(preview) -> dict[str, str]:
    """Read what the form of a preview would send as it stands."""
    page = preview.content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="(preview)" value="([^"]+)"', page))
    for name, options in re.findall(r'<select id="[^"]+" name="([^"]+)">(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = unescape(chosen[1]) if chosen else ""
    return fields


def workbook(rows, change: Callable | None = None) -> bytes:
    """A workbook of these rows, changed before it is saved."""
    book = Workbook()
    for row in rows:
        book.active.append(row)
    if change:
        change(book.active)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def packed_with(name: str, body: bytes, *, instead: bool = False) -> bytes:
    """A workbook with one part more, or with one part replaced."""
    source = zipfile.ZipFile(io.BytesIO(workbook([["name"], ["Wren"]])))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as target:
        for info in source.infolist():
            if not (instead and info.filename == name):
                target.writestr(info.filename, source.read(info))
        target.writestr(name, body)
    return file.getvalue()


def locked() -> bytes:
    return bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 500 + "EncryptedPackage".encode("utf-16-le")


def entity() -> bytes:
    part = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><sst/>'
    return packed_with("xl/sharedStrings.xml", part, instead=True)


def merged(page) -> None:
    page.merge_cells("A2:A3")


def many(number: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = (letters[n // 676] + letters[n // 26 % 26] + letters[n % 26] for n in range(number))
    return "name\n" + "\n".join(f"Wren {name}" for name in names)


def seated(scene: Scene):
    make.players(scene.of, 3)
    make.seated(scene.of)
    return scene.send("name\nWren Zed")


def after_half_an_hour(scene: Scene):
    preview = scene.send("name\nWren")
    with time_machine.travel(timezone.now() + timezone.timedelta(minutes=31), tick=False):
        return scene.confirm(preview)


def by_somebody_else(scene: Scene):
    preview = scene.send("name\nWren")
    other = Client(headers=dict(scene.client.headers or {}))
    other.defaults = scene.client.defaults.copy()
    other.force_login(make.staff(scene.of, "organizer"))
    return other.post(scene.url, {**fields_of(preview), "confirm": "1"})


CASES: dict[str, tuple[Callable[[Scene], object], int, str]] = {
    "27 empty": (lambda s: s.send(b""), 422, "The file has no rows."),
    "27 header alone": (lambda s: s.send("name,city\n\n"), 422, "The file has no rows."),
    "27 text that is called a workbook": (
        lambda s: s.send(b"Players of the cup\n", "cup.xlsx"),
        422,
        "cup.xlsx is called a workbook, but it is a text file",
    ),
    "28 too large": (
        lambda s: s.send(b"name\n" + b"x" * (1024 * 1024 - 4)),
        413,
        "At most 1 MB; your file has 1,048,577 bytes.",
    ),
    "29 too many": (lambda s: s.send(many(2001)), 422, "At most 2,000 rows per file."),
    "30 picture": (lambda s: s.send(PNG), 415, "This is not a CSV or XLSX file."),
    "30 any archive": (
        lambda s: s.send(b"PK\x03\x04" + b"x" * 50, "a.xlsx"),
        415,
        "This is not a CSV or XLSX file.",
    ),
    "30 zeros": (lambda s: s.send(b"name\n\0\0\0"), 415, "This is not a CSV or XLSX file."),
    "31 other bytes": (
        lambda s: s.send("имя\nПётр Синица".encode("koi8-r")),
        422,
        "Save the file as UTF-8 (CSV UTF-8) and try again.",
    ),
    "31 western": (
        lambda s: s.send("name\nMüller Jörg".encode("latin-1")),
        422,
        "Save the file as UTF-8 (CSV UTF-8) and try again.",
    ),
    "33 mixed": (
        lambda s: s.send("name;city\nWren;London\nHeron,Oslo"),
        422,
        "Row 3 has 1 columns, the header has 2.",
    ),
    "34 no name": (
        lambda s: s.send("city;club\nLondon;Winds"),
        422,
        "The column “name” is missing. Found: city, club.",
    ),
    "35 twice": (lambda s: s.send("name;city;City\nWren;a;b"), 422, "The column “City” occurs twice."),
    "36 unknown": (
        lambda s: s.send("name;shoe size\nWren;43"),
        422,
        "The column “shoe size” is not known; remove it or map it.",
    ),
    "37 open quote": (
        lambda s: s.send('name;city\nHeron;Oslo\n"Wren;London\n'),
        422,
        "A quotation mark opened in row 3 is never closed.",
    ),
    "38 too few": (lambda s: s.send("name;city\nWren"), 422, "Row 2: 1 cells, expected 2."),
    "38 too many": (lambda s: s.send("name;city\nWren;a;b"), 422, "Row 2: 3 cells, expected 2."),
    "38 too many in a workbook": (
        lambda s: s.send(workbook([["name"], ["Wren", "x"]]), "a.xlsx"),
        422,
        "Row 2: 2 cells, expected 1.",
    ),
    "39 line break": (lambda s: s.send('name\n"Grey\nHeron"'), 422, "Row 2: the name contains a line break."),
    "40 formula": (lambda s: s.send("name\n=cmd"), 422, "Row 2: a name cannot start with “=”."),
    "40 plus": (lambda s: s.send("name\n+7"), 422, "Row 2: a name cannot start with “+”."),
    "40 at": (lambda s: s.send("name\n@SUM"), 422, "Row 2: a name cannot start with “@”."),
    "41 twice in the file": (
        lambda s: s.send("name;city\nWren;Oslo\nHeron;\nWREN;oslo"),
        422,
        "Rows 2 and 4 describe the same player.",
    ),
    "42 on the list": (
        lambda s: s.send("name;city\nПётр Чиж;Самара"),
        409,
        "Row 2: Пётр Чиж is already registered (no. 1); choose skip or update.",
    ),
    "43 number twice": (
        lambda s: s.send("name;number\nWren;7\nHeron;7"),
        422,
        "Rows 2 and 3 both have number 7.",
    ),
    "43 number of another": (
        lambda s: s.send("name;number\nWren;1"),
        422,
        "Row 2: number 1 belongs to Пётр Чиж.",
    ),
    "44 letters": (
        lambda s: s.send("name;number\nWren;12a"),
        422,
        "Row 2, “number”: write the number with digits 0–9 only.",
    ),
    "44 underscore": (
        lambda s: s.send("name;number\nWren;1_000"),
        422,
        "Row 2, “number”: write the number with digits 0–9 only.",
    ),
    "44 full width": (
        lambda s: s.send("name;number\nWren;１２"),
        422,
        "Row 2, “number”: write the number with digits 0–9 only.",
    ),
    "45 formula in a cell": (
        lambda s: s.send(workbook([["name"], ["=1+1"]]), "a.xlsx"),
        422,
        "Cell A2 contains a formula; paste values only.",
    ),
    "46 macros": (
        lambda s: s.send(packed_with("xl/vbaProject.bin", b"x"), "a.xlsm"),
        415,
        "Files with macros or links are not accepted.",
    ),
    "46 links": (
        lambda s: s.send(packed_with("xl/externalLinks/externalLink1.xml", b"<a/>"), "a.xlsx"),
        415,
        "Files with macros or links are not accepted.",
    ),
    "47 too large unpacked": (
        lambda s: s.send(packed_with("xl/big.xml", b" " * (21 * 1024 * 1024)), "a.xlsx"),
        413,
        "The file is too large when unpacked.",
    ),
    "48 entities": (lambda s: s.send(entity(), "a.xlsx"), 422, "The file contains forbidden declarations."),
    "49 password": (lambda s: s.send(locked(), "a.xlsx"), 422, "Remove the password and upload again."),
    "50 merged": (
        lambda s: s.send(workbook([["name"], ["Wren"], [None], ["Heron"]], merged), "a.xlsx"),
        422,
        "Cells A2:A3 are merged; unmerge them.",
    ),
    "52 seated": (
        seated,
        409,
        "Seating is published; add players one by one with the chief referee.",
    ),
    "54 too late": (after_half_an_hour, 404, "The preview has expired; upload the file again."),
    "54 another's": (by_somebody_else, 404, "The preview has expired; upload the file again."),
    "24 full team": (
        lambda s: (s.rule(team_size=1), s.send("name;team\nWren;A\nHeron;A"))[1],
        422,
        "Team A already has 1 players.",
    ),
    "22 country": (
        lambda s: s.send("name;country\nWren;Narnia"),
        422,
        "“Narnia” is no country known by a name or a code.",
    ),
}


def text_of(response) -> str:
    """Return what a reader sees."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", response.content.decode())))


@pytest.mark.parametrize("case", CASES)
def test_bad_file_is_answered_and_nothing_is_stored(case):
    send, status, sentence = CASES[case]
    scene = Scene()
    response = send(scene)
    assert response.status_code == status
    assert sentence in text_of(response)
    assert len(scene.names) == (4 if "52" in case else 1)


@pytest.mark.parametrize("case", CASES)
def test_bad_file_is_answered_in_russian_too(case):
    send, status, sentence = CASES[case]
    response = send(Scene("ru"))
    assert response.status_code == status
    assert sentence not in text_of(response)
    assert re.search("[а-яё]{4,}", text_of(response), re.IGNORECASE)


# What is accepted


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("name;city\nСиница Ёлка;Омск", "semicolons.csv"),
        ("name,city\nСиница Ёлка,Омск", "commas.csv"),
        ("name\tcity\nСиница Ёлка\tОмск", "tabs.tsv"),
        ("\ufeffИмя;Город\r\nСиница Ёлка;Омск\r\n", "mark.csv"),
        ("имя;город\nСиница Ёлка;Омск".encode("cp1251"), "windows.csv"),
        ("имя;город\nСиница Ёлка;Омск".encode("utf-16"), "wide.csv"),
        ("имя;город\nСиница Ёлка;Омск".encode("utf-16-le"), "wide-unmarked.csv"),
        ('"Имя";"Город"\n"Синица Ёлка";"Омск"\n', "quoted.csv"),
        ("город;имя\nОмск;Синица Ёлка", "turned.csv"),
        (workbook([["Имя", "Город"], ["Синица Ёлка", "Омск"]]), "book.xlsx"),
        (workbook([["Имя", "Город"], ["Синица Ёлка", "Омск"]]), "book.csv"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value[-6:] else "",
)
def test_a_file_is_read_whatever_it_was_saved_as(body, name):
    """[INTEGRITY 32] [INTEGRITY 33]"""
    scene = Scene()
    preview = scene.send(body, name)
    assert preview.status_code == 200
    assert scene.names == ["Пётр Чиж"]
    assert "1 player has been put on the list." in text_of(scene.confirm(preview))
    added = scene.of.registrations.select_related("player").get(number=2)
    assert (added.player.name, added.player.city) == ("Синица Ёлка", "Омск")


def test_windows_encoding_is_said_before_importing():
    """[INTEGRITY 32]"""
    preview = Scene().send("имя\nСиница".encode("cp1251"))
    assert "Encoding Windows-1251 was recognised; check the names below before importing." in text_of(preview)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/x.csv", "x.csv"),
        ("..\\..\\etc\\x.csv", "x.csv"),
        ("x" * 296 + ".csv", "x" * 20 + "…" + "x" * 11 + ".csv"),
        ("a\r\nb.csv", "ab.csv"),
    ],
)
def test_the_name_of_a_file_is_shown_short_and_never_used(name, shown):
    """[INTEGRITY 51]"""
    assert shown_name(name) == shown
    scene = Scene()
    assert scene.send("name\nWren", name).status_code == 200


def test_every_column_finds_its_place():
    scene = Scene()
    head = "No.;Name;Country;Region;City;Club;Group;EMA number;E-mail;Phone;Note to the organizer"
    preview = scene.send(f"{head}\n7;Wren;Россия;R;C;L;G;4010001;wren@example.org;+7 900;vegan")
    assert preview.status_code == 200
    scene.confirm(preview)
    row = scene.of.registrations.select_related("player").get(number=7)
    player = row.player
    assert (player.name, player.country, player.region, player.city) == ("Wren", "RU", "R", "C")
    assert (player.club, player.group, player.federation_ids) == ("L", "G", {"EMA": "04010001"})
    assert (player.email, player.phone, row.comment) == ("wren@example.org", "+7 900", "vegan")


def test_the_sample_holds_every_column_and_can_be_imported():
    scene = Scene()
    sample = scene.client.get(f"{scene.url}sample.csv").content.decode("utf-8-sig").strip()
    cells = [""] * len(sample.split(","))
    cells[0] = "Wren"
    assert scene.send(sample + "\n" + ",".join(cells)).status_code == 200


def test_sample_in_russian_can_be_imported_as_well():
    scene = Scene("ru")
    sample = scene.client.get(f"{scene.url}sample.csv").content.decode("utf-8-sig").strip()
    cells = ["Wren", *[""] * (len(sample.split(",")) - 1)]
    assert scene.send(sample + "\n" + ",".join(cells)).status_code == 200


def test_a_column_can_be_mapped_or_left_out():
    """[INTEGRITY 36]"""
    scene = Scene()
    preview = scene.send("who;shoe size\nWren;43")
    assert preview.status_code == 422
    assert 'name="confirm"' not in preview.content.decode()
    fields = fields_of(preview) | {"column-0": "name", "column-1": "-"}
    again = scene.client.post(scene.url, fields | {"read": "1"})
    assert again.status_code == 200
    assert scene.names == ["Пётр Чиж"]
    scene.confirm(again)
    assert scene.names == ["Пётр Чиж", "Wren"]


# Rows that are known


@pytest.mark.parametrize(("choice", "city"), [("skip", "Самара"), ("update", "Самара"), ("add", "Самара")])
def test_a_known_row_is_skipped_updated_or_added_as_chosen(choice, city):
    """[INTEGRITY 42]"""
    scene = Scene()
    preview = scene.send(f"name;city;club\nПётр Чиж;{city};Winds\nWren;;")
    assert preview.status_code == 409
    scene.confirm(preview, **{"row-2": choice})
    clubs = list(scene.of.registrations.order_by("number").values_list("player__name", "player__club"))
    assert (
        clubs
        == {
            "skip": [("Пётр Чиж", ""), ("Wren", "")],
            "update": [("Пётр Чиж", "Winds"), ("Wren", "")],
            "add": [("Пётр Чиж", ""), ("Пётр Чиж", "Winds"), ("Wren", "")],
        }[choice]
    )


def test_what_an_update_is_silent_about_stays():
    scene = Scene()
    preview = scene.send("name;club\nПЕТР ЧИЖ;Winds")
    assert "Row 2: looks like Пётр Чиж, no. 1; choose skip, update or add." in text_of(preview)
    scene.confirm(preview, **{"row-2": "update"})
    player = scene.of.registrations.get(number=1).player
    assert (player.city, player.club) == ("Самара", "Winds")


def test_namesakes_of_two_cities_are_two_players():
    """[INTEGRITY 161]"""
    scene = Scene()
    preview = scene.send("name;city\nWren;Oslo\nWren;London")
    assert preview.status_code == 200
    scene.confirm(preview)
    assert scene.names == ["Пётр Чиж", "Wren", "Wren"]


# Twice, and all or nothing


def test_a_button_pressed_twice_imports_once_and_says_the_same():
    """[INTEGRITY 53]"""
    scene = Scene()
    preview = scene.send("name\nWren\nHeron")
    first, second = scene.confirm(preview), scene.confirm(preview)
    assert (first.status_code, second.status_code) == (200, 200)
    for answer in (first, second):
        assert "2 players have been put on the list." in text_of(answer)
    assert scene.names == ["Пётр Чиж", "Wren", "Heron"]


def test_a_preview_that_was_overtaken_stores_nothing():
    """Somebody registered meanwhile: the rows are looked through again under the lock."""
    scene = Scene()
    preview = scene.send("name;number\nHeron;5\nWren;2")
    registration.register_player(
        scene.of, registration.Details(name="Avocet"), by=make.organizer_of(scene.of)
    )
    entries = HistoryEntry.objects.count()
    answer = scene.confirm(preview)
    assert answer.status_code == 422
    assert "Row 3: number 2 belongs to Avocet." in text_of(answer)
    assert scene.names == ["Пётр Чиж", "Avocet"]
    assert HistoryEntry.objects.count() == entries


def test_nothing_is_stored_before_it_is_confirmed():
    scene = Scene()
    entries = HistoryEntry.objects.count()
    scene.send("name\nWren")
    assert (scene.names, HistoryEntry.objects.count()) == (["Пётр Чиж"], entries)


def test_a_forged_preview_opens_nothing():
    scene = Scene()
    answer = scene.client.post(scene.url, {"preview": "x:y:z", "confirm": "1"})
    assert answer.status_code == 404


def test_every_player_of_a_file_has_an_entry_in_the_history():
    scene = Scene()
    before = HistoryEntry.objects.filter(kind="player_registered").count()
    scene.confirm(scene.send("name\nWren\nHeron"))
    assert HistoryEntry.objects.filter(kind="player_registered").count() == before + 2


def test_the_first_hundred_mistakes_are_listed_by_row_and_column():
    names = "\n".join(f"Wren <{'x' * n}>" for n in range(1, 121))
    page = Scene().send(f"name\n{names}")
    assert page.status_code == 422
    assert len(page.context["problems"]) == 100
    assert page.context["problems"][0] == {
        "row": "2",
        "column": "Name",
        "sentence": "The name may contain letters, spaces, apostrophe, hyphen and dot only.",
        "cell": {"name": "cell-2-0", "value": "Wren <x>"},
    }
    assert "And 20 more." in text_of(page)


def test_no_more_players_than_the_event_has_places():
    scene = Scene()
    scene.rule(max_players=2)
    scene.confirm(scene.send("name\nWren\nHeron"))
    statuses = list(scene.of.registrations.order_by("number").values_list("status", flat=True))
    assert statuses == [Registration.Status.ACTIVE, Registration.Status.ACTIVE, Registration.Status.WAITING]


def test_a_disqualified_player_comes_in_by_no_file():
    """[SBR 2.8.5]"""
    from datetime import date

    scene = Scene()
    before = make.tournament(by=scene.of.created_by)
    (row,) = make.players(before, 1)
    Registration.objects.filter(pk=row.pk).update(
        status=Registration.Status.DISQUALIFIED, disqualified_until=date(2030, 1, 1)
    )
    answer = scene.send(f"name\n{row.player.name}")
    assert answer.status_code >= 400
    assert [fault["row"] for fault in answer.context["problems"]] == ["2"]
