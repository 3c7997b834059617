"""Making an account, and asking for a new password, tell nobody whether an address is known; its owner gets a letter. [INTEGRITY 12]

User names are another matter: they are handles that staff lists show to everybody who works at an event, an account is
found by them, and whoever chooses one must learn that it is taken.
"""

import threading

import pytest
from django.core import mail
from django.test import Client

from config import accounts
from config.server import mail as server_mail
from tournaments.models import User
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
PASSWORD = "seven winds of change"
KNOWN, FREE = "heron@example.org", "nobody@example.org"


@pytest.fixture(autouse=True)
@remembered
def heron(db):
    user = make.user("heron")
    User.objects.filter(pk=user.pk).update(email=KNOWN)
    user.emailaddress_set.create(email=KNOWN, primary=True, verified=True)
    return user


def sign_up(name: str, email: str):
    browser = Client()
    form = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return browser, browser.post("/accounts/signup/", form)


def shape(browser: Client, answer, email: str) -> tuple:
    """What a stranger sees of it, now and on the account's own page."""
    following = browser.get(answer["Location"]).content.decode() if answer.status_code == 302 else ""
    own = browser.get("/accounts/email/").content.decode()
    words = ("csrfmiddlewaretoken", "wren", "oriole", email)
    return answer.status_code, answer.get("Location"), *(without(page, words) for page in (following, own))


def without(page: str, words: tuple[str, ...]) -> list[str]:
    lines = [line.strip() for line in page.splitlines() if "csrfmiddlewaretoken" not in line]
    for word in words:
        lines = [line.replace(word, "…") for line in lines]
    return lines


def test_a_known_address_makes_an_account_as_a_free_one_does():
    known = shape(*sign_up("wren", KNOWN), KNOWN)
    free = shape(*sign_up("oriole", FREE), FREE)
    assert known == free
    assert known[:2] == (302, "/")
    assert {"wren", "oriole"} <= set(User.objects.values_list("username", flat=True))


def test_owner_of_the_address_gets_the_letter_in_either_case():
    sign_up("wren", KNOWN), sign_up("oriole", FREE)
    assert [letter.to for letter in mail.outbox] == [[KNOWN], [FREE]]
    assert ["wren" in mail.outbox[0].body, "oriole" in mail.outbox[1].body] == [True, True]


def test_somebody_elses_address_brings_no_power_over_it(heron):
    """Neither does it take the owner's sign-in away, nor does the owner's link open another's account."""
    sign_up("wren", KNOWN)
    browser = Client()
    assert browser.post("/accounts/login/", {"login": KNOWN, "password": "password"}).status_code == 302
    assert Client().post("/accounts/login/", {"login": KNOWN, "password": PASSWORD}).status_code == 200
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": KNOWN})
    assert len(mail.outbox) == 1
    assert "heron" in mail.outbox[0].body


@pytest.mark.parametrize("language", ["en", "ru"])
def test_forgotten_password_answers_the_same_for_every_address(language):
    pages = []
    for email in (KNOWN, FREE, "someone.else@example.org"):
        browser = Client(headers={"accept-language": language})
        answer = browser.post("/accounts/password/reset/", {"email": email})
        page = browser.get(answer["Location"]).content.decode()
        pages.append((answer.status_code, answer["Location"], without(page, (email,))))
    assert pages[0] == pages[1] == pages[2]
    assert [letter.to for letter in mail.outbox] == [[KNOWN]]


def test_letters_to_one_address_come_a_few_at_a_time():
    answers = {Client().post("/accounts/password/reset/", {"email": KNOWN}).status_code for _ in range(10)}
    assert (answers, len(mail.outbox)) == ({302}, accounts.LETTERS.burst)


def test_a_name_that_is_taken_is_said_to_be():
    answer = sign_up("heron", FREE)[1]
    assert (answer.status_code, "already exists" in answer.content.decode()) == (200, True)


def test_an_address_added_to_an_account_tells_nothing_either(heron):
    make.user("wren")
    shown = []
    for email in (KNOWN, FREE):
        browser = Client()
        browser.post("/accounts/login/", {"login": "wren", "password": "password"})
        browser.post("/accounts/reauthenticate/", {"password": "password"})
        answer = browser.post("/accounts/email/", {"action_add": "", "email": email})
        shown.append((answer.status_code, answer.get("Location")))
    assert shown[0] == shown[1]


# When the answer comes


@pytest.mark.django_db(transaction=True)
def test_answer_does_not_wait_for_the_letter(monkeypatch, heron):
    """The mail server of the test takes no letter before it is told to."""
    told, sent = threading.Event(), threading.Event()

    def slow(self, *args, **named):
        told.wait(30)
        sent.set()

    monkeypatch.setattr("django.core.mail.EmailMessage.send", slow)
    monkeypatch.setattr(server_mail, "later", LATER)
    try:
        answers = [Client().post("/accounts/password/reset/", {"email": email}) for email in (KNOWN, FREE)]
        assert [answer.status_code for answer in answers] == [302, 302]
        assert not sent.is_set()
    finally:
        told.set()
        assert sent.wait(30)
        server_mail.sender.submit(lambda: None).result(30)


LATER = server_mail.later


@pytest.mark.django_db(transaction=True)
def test_pages_ask_the_database_as_much_for_a_known_address_as_for_a_free_one(monkeypatch, heron):
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    monkeypatch.setattr(server_mail, "later", lambda work: None)
    asked = []
    for email in ("first@example.org", KNOWN, FREE):  # old counts are tidied up with the first of a minute
        with CaptureQueriesContext(connection) as queries:
            Client().post("/accounts/password/reset/", {"email": email})
        asked.append(len(queries))
    assert asked[1] == asked[2]


def test_a_mail_server_that_is_away_breaks_no_page(monkeypatch, caplog):
    def away(self, *args, **named):
        raise ConnectionRefusedError("https://secret.example/key")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", away)
    assert sign_up("wren", KNOWN)[1].status_code == 302
    assert Client().post("/accounts/password/reset/", {"email": KNOWN}).status_code == 302
    assert "could not be sent (ConnectionRefusedError)" in caplog.text
    assert "secret" not in caplog.text


def test_only_so_many_letters_wait(monkeypatch, caplog):
    monkeypatch.setattr(server_mail, "places", threading.BoundedSemaphore(1))
    held = threading.Event()
    LATER(lambda: held.wait(30))
    LATER(lambda: pytest.fail("one too many"))
    held.set()
    server_mail.sender.submit(lambda: None).result(30)
    assert "one was left out" in caplog.text
