"""How long a list of 2,000 players takes from the upload to the list: looked through, shown, put on the list.

    python -m bench.importing --rows 2000

The requests go through the whole site in this process, on a scratch database; each is told with its seconds.
"""

import argparse
import os
import re
import tempfile
import time
from pathlib import Path

COLUMNS = {f"column-{index}": name for index, name in enumerate(("name", "city", "country", "club", "email"))}
SEALED = re.compile(r'name="preview" value="([^"]+)"')
CITIES = ("Riga", "Tartu", "Vilnius", "Samara", "Perm", "Tver")


def table(rows: int) -> bytes:
    """Return a list of so many people, each of another name."""
    letters = "abcdefghijklmnoprstuvwxyz"
    lines = ["Name;City;Country;Club;E-mail"]
    for number in range(rows):
        word = "".join(letters[number // 25**power % 25] for power in range(3))
        city = CITIES[number % len(CITIES)]
        lines.append(f"Heron {word.title()};{city};LV;Club {number % 60};p{number}@example.org")
    return "\n".join(lines).encode()


def measure(rows: int) -> dict[str, float]:
    """Upload, look through and confirm one list; return the seconds of each request."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    from config.server.whole_form import FIELD, VALUE
    from tournaments.tests import factories as make

    of = make.tournament(announced=True)
    client = Client()
    client.force_login(of.created_by)
    address = f"/{of.slug}/desk/people/import/"
    upload = SimpleUploadedFile("people.csv", table(rows), "text/csv")
    seconds = {}
    busy, begun = time.process_time(), time.perf_counter()
    shown = client.post(address, {"file": upload, FIELD: VALUE})
    seconds["upload and preview"] = time.perf_counter() - begun
    page = shown.content.decode()
    said = re.sub(r"<[^>]*>|\s+", " ", page.rpartition("<main")[2])
    assert shown.status_code == 200, said[:400]
    found = SEALED.search(page)
    sealed = found[1] if found else ""
    begun = time.perf_counter()
    answer = client.post(address, {"preview": sealed, "confirm": "1", **COLUMNS, FIELD: VALUE})
    seconds["put on the list"] = time.perf_counter() - begun
    assert answer.status_code == 302, re.sub(
        r"<[^>]*>|\s+", " ", answer.content.decode().rpartition("<main")[2]
    )[:600]
    assert of.registrations.count() == rows
    seconds["of which this process was at work"] = time.process_time() - busy
    return seconds


def main() -> None:
    """Measure on a scratch database and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2000)
    rows = parser.parse_args().rows
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'import.sqlite3'}"
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        seconds = measure(rows)
    for name, value in seconds.items():
        print(f"{name}: {value:.2f} s")
    print(f"{rows} players")


if __name__ == "__main__":
    main()
