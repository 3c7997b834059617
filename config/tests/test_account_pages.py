"""One's own account: every page that can be reached speaks the reader's language and wears the look of the site."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import get_resolver

from tournaments.models import User
from tournaments.tests import factories as make

pytestmark = pytest.mark.django_db
NAMES = {"API", "QR", "Eng", "lish", "heron", "example", "org"}
OPEN = "login/ signup/ inactive/ confirm-email/ password/reset/ password/reset/done/ password/reset/key/done/"
SIGNED_IN = "logout/ reauthenticate/ email/ confirm-email/x/ password/change/ password/reset/key/1-x/ 2fa/"
AGAIN = "2fa/totp/activate/ sessions/ data/"
WITH_APP = "2fa/ 2fa/reauthenticate/ 2fa/totp/deactivate/ 2fa/recovery-codes/generate/ 2fa/recovery-codes/"


@pytest.fixture(autouse=True)
def forgotten():
    cache.clear()


def browser(language: str, name: str = "") -> Client:
    """A browser in a language; signed in, and having said the password again for what guards the account."""
    client = Client(headers={"accept-language": language})
    if name:
        client.post("/accounts/login/", {"login": name, "password": "password"})
        client.post("/accounts/reauthenticate/", {"password": "password"})
    return client


def with_app(name: str) -> None:
    user = User.objects.get(username=name)
    TOTP.activate(user, generate_totp_secret())
    RecoveryCodes.activate(user)


def foreign_words(answer) -> set[str]:
    """Find Latin words in what a reader of Russian sees, the title included."""
    page = re.sub(r"(?s)<(script|style|svg|code)\b.*?</\1>|<option.*?</option>", " ", answer.content.decode())
    return set(re.findall(r"[A-Za-z]{3,}", re.sub(r"<[^>]+>|&\w+;", " ", page))) - NAMES


def check(client: Client, addresses: str) -> None:
    for address in addresses.split():
        answer = client.get(f"/accounts/{address}")
        assert (address, answer.status_code) == (address, 200)
        assert (address, foreign_words(answer)) == (address, set())
        assert "masthead" in answer.content.decode()


def test_account_pages_are_russian_for_readers_of_russian():
    make.user("heron")
    check(browser("ru"), OPEN)
    check(browser("ru", "heron"), f"{SIGNED_IN} {AGAIN}")


def test_pages_of_the_second_factor_are_russian_for_readers_of_russian():
    make.user("heron")
    client = browser("ru", "heron")
    with_app("heron")
    check(client, WITH_APP)
    again = browser("ru")
    again.post("/accounts/login/", {"login": "heron", "password": "password"})
    check(again, "2fa/authenticate/")


def test_every_page_of_the_account_is_of_our_own_making():
    """A page of the library has its words and its ways; whichever can be reached is written here. Codes by mail are off."""
    make.user("heron")
    client = browser("en", "heron")
    seen = {}
    for who, addresses in ((browser("en"), OPEN), (client, f"{SIGNED_IN} {AGAIN}")):
        seen |= {a: who.get(f"/accounts/{a}").templates[0].origin.name for a in addresses.split()}
    with_app("heron")
    seen |= {f"app {a}": client.get(f"/accounts/{a}").templates[0].origin.name for a in WITH_APP.split()}
    assert [address for address, file in seen.items() if "site-packages" in file] == []


def test_every_address_of_the_account_is_walked_here_or_shows_no_page():
    """Those left out lead elsewhere: to the sign-in, to the page that asks for a password, or to a file."""
    walked = {
        f"accounts/{address}"
        for address in f"{OPEN} {SIGNED_IN} {AGAIN} {WITH_APP} 2fa/authenticate/".split()
    }
    elsewhere = {
        "accounts/password/set/",
        "accounts/login/code/confirm/",
        "accounts/2fa/recovery-codes/download/",
        "accounts/data/account.json",
        "accounts/data/delete/",
        "accounts/data/name/",
        "accounts/people/",  # the directory and what is done in it: test_directory
        "accounts/people/<int:player>/",
        "accounts/people/<int:player>/merge/<int:other>/",
        "accounts/people/merges/<int:merge>/take-back/",
    }
    offered = {address for address in account_addresses() if "(?P" not in address}
    assert offered - walked == elsewhere


def account_addresses() -> list[str]:
    def within(resolver, before: str) -> list[str]:
        return [
            address
            for entry in resolver.url_patterns
            for address in (
                within(entry, before + str(entry.pattern))
                if hasattr(entry, "url_patterns")
                else [before + str(entry.pattern)]
            )
        ]

    return [address for address in within(get_resolver(), "") if address.startswith("accounts/")]


@pytest.mark.parametrize(
    ("language", "said"), [("en", ["E-mail", "optional"]), ("ru", ["Эл.", "почта", "необязательно"])]
)
def test_an_optional_field_says_so_once(language, said):
    page = browser(language).get("/accounts/signup/").content.decode()
    label = re.search(r'<label for="id_email">(.*?)</label>', page, re.DOTALL)
    assert re.sub(r"<[^>]+>", "", label.group(1)).split() == said


@pytest.mark.parametrize("address", ["login", "signup", "password/reset"])
def test_no_field_says_its_label_twice(address):
    assert "placeholder=" not in browser("ru").get(f"/accounts/{address}/").content.decode()


@pytest.mark.parametrize("language", ["ru", "en"])
def test_a_forgotten_password_is_replaced_by_the_link_in_the_letter(language):
    User.objects.filter(pk=make.user("heron").pk).update(email="heron@example.org")
    client = browser(language)
    asked = client.post("/accounts/password/reset/", {"email": "heron@example.org"})
    assert asked["Location"] == "/accounts/password/reset/done/"
    letter = mail.outbox[0]
    assert ("Кто-то, вероятно вы" in letter.body) is (language == "ru")
    link = re.search(r"http://testserver(/\S+)", letter.body).group(1)
    form = client.get(link)["Location"]
    new = {"password1": "seven winds of change", "password2": "seven winds of change"}
    assert client.post(form, new).status_code == 302
    signed = browser(language).post("/accounts/login/", {"login": "heron", "password": new["password1"]})
    assert signed["Location"] == "/"


def test_an_address_is_added_made_primary_and_removed():
    make.user("heron")
    client = browser("en", "heron")
    client.post("/accounts/email/", {"action_add": "", "email": "heron@example.org"})
    assert "heron@example.org" in client.get("/accounts/email/").content.decode()
    client.post("/accounts/email/", {"action_remove": "", "email": "heron@example.org"})
    assert client.get("/accounts/email/").context["emailaddresses"] in ([], False)


def test_recovery_codes_are_shown_and_each_signs_in_once():
    make.user("heron")
    with_app("heron")
    code = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
    for expected in ("/", None):
        client = browser("en")
        client.post("/accounts/login/", {"login": "heron", "password": "password"})
        assert client.post("/accounts/2fa/authenticate/", {"code": code}).get("Location") == expected


def test_a_site_without_mail_says_who_helps_and_takes_a_user_name(settings):
    settings.SENDS_MAIL = False
    make.user("heron")
    client = browser("en")
    page = client.get("/accounts/password/reset/").content.decode()
    assert "This site sends no mail." in page
    assert "Ask an organizer of the event you work at" in page
    asked = client.post("/accounts/password/reset/", {"email": "Heron"}, follow=True)
    assert "the link is now on the screen of the computer" in asked.content.decode()
    assert re.search(r"/accounts/password/reset/key/\S+", mail.outbox[0].body)


def test_a_site_with_mail_takes_an_address_only():
    answer = browser("en").post("/accounts/password/reset/", {"email": "heron"})
    assert (answer.status_code, len(mail.outbox)) == (200, 0)
    assert "Enter a valid email address." in answer.content.decode()


def test_a_mail_host_that_is_away_is_no_fault_of_the_page(settings, caplog):
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    User.objects.filter(pk=make.user("heron").pk).update(email="heron@example.org")
    asked = browser("en").post("/accounts/password/reset/", {"email": "heron@example.org"})
    assert asked["Location"] == "/accounts/password/reset/done/"
    assert "A letter could not be sent" in caplog.text


@pytest.mark.parametrize("language", ["ru", "en"])
def test_letters_on_the_terminal_are_plain_and_steer_nothing(settings, capsys, language):
    settings.SENDS_MAIL, settings.EMAIL_BACKEND = False, "config.tools.letters.Terminal"
    make.user("heron")
    browser(language).post("/accounts/password/reset/", {"email": "heron"})
    browser(language).post("/accounts/password/reset/", {"email": "no\x1b[2Jbody"})
    shown = capsys.readouterr().out
    assert "http://testserver/accounts/password/reset/key/" in shown
    assert ("Кто-то, вероятно вы" in shown) is (language == "ru")
    assert "\x1b" not in shown


@pytest.mark.parametrize(
    ("by_mail", "said"), [(True, "A letter has been sent"), (False, "Nothing was sent by mail.")]
)
def test_a_new_account_is_told_where_the_link_for_its_address_is(settings, by_mail, said):
    settings.SENDS_MAIL = by_mail
    fields = {
        "username": "heron", "email": "heron@example.org",
        "password1": "four winds blow", "password2": "four winds blow", "form_end": "1",
    }  # fmt: skip
    answer = browser("en").post("/accounts/signup/", fields, follow=True)
    assert said in answer.content.decode()
    assert said in " ".join(browser("en").get("/accounts/confirm-email/").content.decode().split()) or by_mail
