"""How often one may ask: far more than people do, less than machines want, and nothing is lost meanwhile. [INTEGRITY 156]"""

import json
import re
import threading
import time

import pytest
from django.db import connection, transaction
from django.test import Client, RequestFactory

from config.tests.production import HOST, Production
from tournaments.models import HistoryEntry, Registration, Tournament, UsedLimit, User
from tournaments.record import limits
from tournaments.record.limits import Limit, Memory, Rate
from tournaments.tables.operations import devices
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered
from tournaments.web import rates
from tournaments.web.access import link_of
from tournaments.web.callers import address_of

FEW = Rate("few", burst=3, every=10)
SENTENCE = "Too many requests; wait {} s. Nothing was lost."
ПО_РУССКИ = "Слишком много запросов, подождите {} с. Ничего не потеряно."


# One limit


@pytest.fixture
def clock(monkeypatch):
    """A clock that the test moves."""
    now = [1_000_000.0]
    monkeypatch.setattr(limits, "time", lambda: now[0])
    monkeypatch.setattr(limits, "monotonic", lambda: now[0])
    monkeypatch.setattr(limits, "_tidied_at", now[0])
    return now


@pytest.fixture(params=["database", "memory"])
def use(request, db):
    return limits.use if request.param == "database" else Memory().use


def test_so_many_at_once_then_one_every_so_often(use, clock):
    one = Limit(FEW, "heron")
    assert [use(one) for _ in range(4)] == [0, 0, 0, 10]
    clock[0] += 9
    assert use(one) == 1
    clock[0] += 1
    assert [use(one), use(one)] == [0, 10]
    clock[0] += 30
    assert [use(one) for _ in range(4)] == [0, 0, 0, 10]


def test_callers_and_rates_do_not_share(use, clock):
    for _ in range(3):
        use(Limit(FEW, "heron"))
    assert use(Limit(FEW, "wren")) == 0
    assert use(Limit(Rate("other", burst=3, every=10), "heron")) == 0


@pytest.mark.django_db
def test_of_several_limits_all_are_used_or_none(clock):
    scarce, ample = Limit(Rate("scarce", 1, 60), "x"), Limit(Rate("ample", 10, 1), "x")
    assert [limits.use(scarce, ample), limits.use(scarce, ample)] == [0, 60]
    assert UsedLimit.objects.get(key=ample.key).whole_at == clock[0] + 1


@pytest.mark.django_db
def test_what_is_given_back_was_never_used(clock):
    one = Limit(FEW, "heron")
    for _ in range(10):
        assert limits.use(one) == 0
        limits.give_back(one)


@pytest.mark.django_db
def test_limits_that_are_whole_again_leave_no_row(clock):
    for number in range(500):
        limits.use(Limit(FEW, str(number)))
    assert UsedLimit.objects.count() == 500
    clock[0] += 61
    limits.use(Limit(FEW, "one more"))
    assert UsedLimit.objects.count() == 1


def test_who_read_the_clock_a_moment_earlier_opens_no_limit_anew(use, clock):
    """Many ask at once, and who reads the clock first need not be the first at the row."""
    one = Limit(FEW, "heron")
    assert [use(one) for _ in range(3)] == [0, 0, 0]
    clock[0] -= 0.5
    assert [use(one) > 0, use(one) > 0] == [True, True]


@pytest.mark.django_db
def test_a_clock_that_is_put_back_keeps_nobody_waiting(clock):
    one = Limit(FEW, "heron")
    for _ in range(3):
        limits.use(one)
    clock[0] -= 100_000
    assert [limits.use(one) for _ in range(4)] == [0, 0, 0, 10]


def test_memory_is_bounded_and_forgets_the_busiest_last(clock):
    memory = Memory(most=100)
    for _ in range(3):
        memory.use(Limit(FEW, "busy"))
    for number in range(1000):
        memory.use(Limit(FEW, str(number)))
    assert len(memory.whole_at) <= 100
    assert memory.use(Limit(FEW, "busy")) == 10


@pytest.mark.django_db(transaction=True)
def test_a_try_is_not_forgotten_with_somebody_elses_transaction():
    with transaction.atomic(), pytest.raises(RuntimeError, match="durable"):
        limits.use(Limit(FEW, "heron"))


@pytest.mark.django_db(transaction=True)
def test_many_threads_share_one_count():
    """As do several processes: the count is in the database alone."""
    one, used = Limit(Rate("shared", burst=7, every=600), "heron"), []

    def tries():
        try:
            used.extend([limits.use(one) == 0 for _ in range(5)])
        except Exception as error:
            used.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=tries) for _ in range(6)]
    [thread.start() for thread in threads], [thread.join() for thread in threads]
    assert sorted(used) == [False] * 23 + [True] * 7


@pytest.mark.django_db(transaction=True)
def test_two_who_name_limits_in_another_order_do_not_wait_for_each_other():
    first, second, done = Limit(Rate("a", 500, 1), "x"), Limit(Rate("b", 500, 1), "x"), []

    def tries(*both):
        try:
            done.extend(limits.use(*both) for _ in range(20))
        finally:
            connection.close()

    threads = [threading.Thread(target=tries, args=both) for both in ((first, second), (second, first))]
    [thread.start() for thread in threads], [thread.join(30) for thread in threads]
    assert done == [0] * 40


# Who asks


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("198.51.100.7", "198.51.100.7"), ("::ffff:198.51.100.7", "198.51.100.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("", ""), ("unix:", "unix:"),
    ],
)  # fmt: skip
def test_address_is_that_of_a_household(address, counted):
    assert address_of(RequestFactory().get("/", REMOTE_ADDR=address)) == counted


def test_a_header_that_a_stranger_writes_changes_nothing():
    asked = RequestFactory().get("/", REMOTE_ADDR="198.51.100.7", headers={"X-Forwarded-For": "203.0.113.9"})
    assert address_of(asked) == "198.51.100.7"


@pytest.mark.parametrize(("believed", "slowed"), [("127.0.0.1", False), ("192.0.2.1", True)])
def test_forwarded_addresses_are_believed_as_the_settings_say(tmp_path_factory, production, believed, slowed):
    """Two addresses behind a front server that is believed are two callers; from elsewhere the header is a stranger's."""
    from contextlib import ExitStack

    site = Production(
        production.folder, SECRET_KEY=production.environment["SECRET_KEY"], FORWARDED_ALLOW_IPS=believed
    )
    site.log = tmp_path_factory.mktemp("forwarded") / "log"
    with ExitStack() as stack:
        site.start(stack)
        name = f"stranger {believed}"
        statuses = [guess(site, name, f"203.0.113.{number}") for number in range(6)]
    assert (statuses[-1] == 429) is slowed


def guess(site: Production, name: str, address: str) -> int:
    browser = site.ask("/accounts/login/")
    token = re.search(r"__Host-csrftoken=([^;]+)", browser["Set-Cookie"])[1]
    body = f"csrfmiddlewaretoken={token}&login={name.replace(' ', '+')}&password=wrong&form_end=1"
    return site.ask(
        "/accounts/login/", method="POST", body=body.encode(), Cookie=f"__Host-csrftoken={token}",
        Content_Type="application/x-www-form-urlencoded", Referer=f"https://{HOST}/", X_Forwarded_For=address,
    ).status  # fmt: skip


# What is slowed


@pytest.fixture
@remembered
def of(db):
    made = make.tournament()
    make.players(made, 8)
    return made


def use_up(rate: Rate, caller: str) -> None:
    one = Limit(rate, caller)
    for _ in range(rate.burst):
        limits.READING.use(one)
        if rate.burst < 600:
            limits.use(one)


def slowed(answer) -> int:
    """The seconds to wait, which the answer says in its header and in its sentence."""
    seconds = int(answer["Retry-After"])
    assert answer.status_code == 429
    assert SENTENCE.format(seconds) in answer.content.decode()
    return seconds


PERSON = {"name": "Golden Oriole", "consent": "on"}


def test_registrations_from_one_address_are_slowed_and_what_was_typed_stays(of):
    use_up(rates.REGISTER, "at:127.0.0.1")
    before = HistoryEntry.objects.count()
    answer = Client().post(f"/{of.slug}/register/", PERSON)
    assert slowed(answer) <= 5
    assert 'value="Golden Oriole"' in answer.content.decode()
    assert HistoryEntry.objects.count() == before
    assert Client().post(f"/{of.slug}/register/", PERSON, REMOTE_ADDR="198.51.100.7").status_code == 302


def test_sentence_is_russian_for_readers_of_russian(of):
    use_up(rates.REGISTER, "at:127.0.0.1")
    answer = Client(headers={"accept-language": "ru"}).post(f"/{of.slug}/register/", PERSON)
    assert ПО_РУССКИ.format(answer["Retry-After"]) in answer.content.decode()


def test_new_events_are_slowed_by_account(of):
    client = Client()
    client.force_login(of.created_by)
    use_up(rates.NEW_EVENT, f"user:{of.created_by_id}")
    form = {"name": "Too many", "slug": "too-many", "first_day": "2027-01-02", "last_day": "2027-01-02",
            "preset": "sbr", "time_zone": "Europe/Moscow"}  # fmt: skip
    slowed(client.post("/new/", form))
    assert not Tournament.objects.filter(slug="too-many").exists()
    other = make.user("another")
    client.force_login(other)
    assert client.post("/new/", form).status_code == 302


def test_new_accounts_are_slowed_by_address(db):
    from config.accounts import SIGN_UP

    one = Limit(SIGN_UP, "127.0.0.1")
    for _ in range(SIGN_UP.burst):
        limits.use(one)
    form = {"username": "heron", "password1": "seven winds of change", "password2": "seven winds of change"}
    answer = Client().post("/accounts/signup/", form)
    slowed(answer)
    assert 'value="heron"' in answer.content.decode()
    assert not User.objects.filter(username="heron").exists()
    assert Client().post("/accounts/signup/", form, REMOTE_ADDR="198.51.100.7").status_code == 302


def test_changes_by_a_private_link_are_slowed_by_link(of):
    rows = list(Registration.objects.filter(tournament=of).order_by("number")[:2])
    for row in rows:
        row.tournament = of
    use_up(rates.OWN_CHANGE, f"player:{rows[0].player_id}")
    slowed(Client().post(f"/{of.slug}/me/{link_of(rows[0])}/change/", PERSON))
    other = Client().post(
        f"/{of.slug}/me/{link_of(rows[1])}/change/", {"name": "Grey Plover", "consent": "on"}
    )
    assert other.status_code == 302


def test_uploads_are_slowed_by_account(of):
    from django.core.files.uploadedfile import SimpleUploadedFile

    client = Client()
    client.force_login(of.created_by)
    use_up(rates.UPLOAD, f"user:{of.created_by_id}")
    slowed(
        client.post(f"/{of.slug}/desk/people/import/", {"file": SimpleUploadedFile("p.csv", b"name\nWren")})
    )


@pytest.mark.parametrize(
    ("path", "rate"),
    [
        ("/{}/find/?q=a", rates.SEARCH), ("/archive/?q=a", rates.SEARCH), ("/{}/downloads/standings.csv", rates.FILE),
        ("/{}/downloads/all.xlsx", rates.FILE),
    ],
)  # fmt: skip
def test_costly_reading_is_slowed_by_address(of, clock, path, rate):
    use_up(rate, "at:127.0.0.1")
    slowed(Client().get(path.format(of.slug)))
    assert Client().get(path.format(of.slug), REMOTE_ADDR="198.51.100.7").status_code == 200


def test_programs_are_slowed_and_told_so_as_the_document_says(of, clock):
    use_up(rates.PROGRAM, "at:127.0.0.1")
    answer = Client().get(f"/api/1/tournaments/{of.slug}/players/")
    assert (answer.status_code, answer.json()["code"]) == (429, "slow_down")
    assert answer["Access-Control-Allow-Origin"] == "*"
    document = Client().get("/api/1/openapi.json", REMOTE_ADDR="198.51.100.7").json()
    assert all("429" in ways["get"]["responses"] for ways in document["paths"].values())


def test_codes_of_tablets_are_counted_by_tablet(of):
    """Somebody who guesses in the hall keeps no tablet out that has opened the page. [INTEGRITY 153]"""
    invited = devices.invite_device(of, name="Tablet 1", tables=[], by=make.organizer_of(of))

    def send(code: str, tablet: Client) -> int:
        address, body = f"/{of.slug}/api/admission/", json.dumps({"code": code})
        return tablet.post(address, body, content_type="application/json").status_code

    def opened() -> Client:
        tablet = Client()
        tablet.get(f"/{of.slug}/tablet/")
        return tablet

    guesser = opened()
    assert [send("AAAABBBB", guesser) for _ in range(6)] == [410] * 5 + [429]
    assert [send("AAAABBBB", Client()) for _ in range(6)] == [410] * 5 + [429]
    assert send(invited.code, opened()) == 201


# What must be accepted [INTEGRITY 166]


def test_a_hall_of_three_hundred_looks_for_its_seats_at_one_moment(of):
    assert {Client().get(f"/{of.slug}/find/?q=a").status_code for _ in range(300)} == {200}


def test_two_hundred_register_at_the_door_of_a_hall():
    one = Limit(rates.REGISTER, "at:198.51.100.7")
    memory = Memory()
    assert [memory.use(one) for _ in range(200)] == [0] * 200


def test_an_organizer_types_players_as_fast_as_can_be(of):
    client = Client()
    client.force_login(of.created_by)
    letters = "abcdefghijklmnopqrstuvwxyz"
    names = [f"Wren {a}{b}" for a in letters for b in letters][:60]
    began = time.monotonic()
    assert {client.post(f"/{of.slug}/desk/people/add/", {"name": name}).status_code for name in names} == {
        302
    }
    assert UsedLimit.objects.count() == 0, f"{time.monotonic() - began:.1f} s"


# What is looked for


STRANGE = [
    "a\x85a",
    "\x80\x9f",
    "\U0001f000",
    "\U0010ffff",
    "\u202e",
    "\x01",
    "a\nb",
    "\ufffd",
    "%",
    "_",
    "\\",
    "'",
]


@pytest.mark.parametrize("words", STRANGE, ids=[ascii(words) for words in STRANGE])
def test_strange_text_finds_nothing(of, words):
    """[INTEGRITY 147]"""
    for address in (f"/{of.slug}/find/", "/archive/"):
        assert Client().get(address, {"q": words}).status_code == 200
    for address in ("/api/1/tournaments/", f"/api/1/tournaments/{of.slug}/players/"):
        answer = Client().get(address, {"q": words})
        assert (answer.status_code, answer.json()["page"]["total"]) == (200, 0)


@pytest.mark.parametrize("address", ["/api/1/tournaments/", "/api/1/tournaments/{}/players/"])
def test_text_that_cannot_be_stored_is_refused_as_the_document_says(of, address):
    """[INTEGRITY 6]"""
    answer = Client().get(address.format(of.slug), {"q": "a\0"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_text")
    assert Client().get(f"/{of.slug}/find/", {"q": "a\0"}).status_code == 400
    document = Client().get("/api/1/openapi.json").json()
    assert all("400" in ways["get"]["responses"] for ways in document["paths"].values())


def test_a_request_with_a_thousand_parameters_is_a_problem_in_json(db):
    answer = Client().get("/api/1/tournaments/?" + "&".join(f"a{n}=1" for n in range(1100)))
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_request")
