"""Signing in: guessing is slowed, and nobody who guesses at a name keeps its owner out. [INTEGRITY 3]

Only wrong passwords count, and they count by account, never by the hall's address alone.

- A browser in which the account's owner has signed in before has tries of its own. No stranger can use them up.
- Any other browser has its own few tries at each account, by the number in its cookie; those without one share an address's.
  So somebody who types guesses on a phone in the hall leaves the owner's new tablet alone.
- All strange browsers at one address together, and all everywhere together, have more tries at an account than people
  need and fewer than machines want. A machine that has used these up keeps strange browsers waiting, and then the
  owner's ways in are the browsers that are known, and the link that “Forgotten password” sends: it signs in by itself,
  and the new password begins with whole limits.
- Other names are other accounts: rotating them gains nothing, since what is counted is never evicted.

What allauth itself counts (codes of the second factor, letters, changes of an account) is kept in the same place.
"""

from collections.abc import Callable
from math import ceil
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.forms import ResetPasswordForm, SignupForm
from allauth.account.internal.userkit import filter_users_by_email, get_user_by_username
from allauth.core import context
from allauth.core.exceptions import RateLimited
from allauth.core.internal import ratelimit
from django import forms
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.sites.shortcuts import get_current_site
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from config.server import mail
from tournaments.record import limits
from tournaments.record.limits import Limit, Rate
from tournaments.record.refusal import Refused, say
from tournaments.web.callers import address_of, browser_of, remember_browser
from tournaments.web.requests import delay

OWN = Rate("sign-in-own-browser", burst=5, every=60)
ONE = Rate("sign-in-strange-browser", burst=5, every=60)
HERE = Rate("sign-in-strangers-here", burst=20, every=15)
ALL = Rate("sign-in-strangers", burst=60, every=10)
SIGN_UP = Rate("sign-up", burst=60, every=10)
LETTERS = Rate("letters", burst=3, every=300)
MOST_OWNERS_OF_AN_ADDRESS = 3
NUMBERED_AT = frozenset({"account_login", "tablet", "tablet_table"})
"""Pages whose browsers are given a number before anything is typed into them."""


class Adapter(DefaultAccountAdapter):
    """What allauth asks of the site."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the try before it is made, or refuse it; what was right is given back."""
        used = limits_for(request, credentials)
        if wait := limits.use(*used):
            delay(request, wait)
            raise forms.ValidationError(
                _(
                    "Too many wrong passwords for this name; wait %(s)s s. You can sign in at once in a browser where you"
                    " have signed in before, or by the link that “Forgotten password” sends you."
                )
                % {"s": ceil(wait)},
                code="too_many_login_attempts",
            )
        self._login_failed_rl_usage = Used(used)

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **named: Any) -> HttpResponse:
        """Remember the browser in which somebody has signed in."""
        response: HttpResponse = super().post_login(request, user, **named)
        remember_browser(request, response, user.pk)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a letter now and send it behind the answer."""
        said = {"request": self.request, "email": email, "current_site": get_current_site(self.request)}
        letter = self.render_mail(template_prefix, email, {**said, **context})
        mail.later(letter.send)


class Used:
    """The limits that a try has used, as allauth gives them back."""

    def __init__(self, used: list[Limit]) -> None:
        """Keep them."""
        self.used = used

    def rollback(self) -> None:
        """Give the used limits back."""
        limits.give_back(*self.used)


def limits_for(request: HttpRequest, credentials: dict[str, Any]) -> list[Limit]:
    """Name the limits against which a try is held: the browser's own where an owner has signed in, else those of strangers.

    A name that nobody has is counted like any other. A new password begins with whole limits, since it is part of the key.
    """
    name = str(credentials.get("username") or credentials.get("email") or "").lower()
    users = users_named(name)
    accounts = [f"account:{user.pk}:{user.password[-16:]}" for user in users] or [f"name:{name}"]
    browser, address = browser_of(request), address_of(request)
    if browser.number and {user.pk for user in users} & set(browser.owners):
        return [Limit(OWN, f"{account}:{browser.number}") for account in accounts]
    one = browser.number or f"at {address}"
    return [
        limit
        for account in accounts
        for limit in (
            Limit(ONE, f"{account}:{one}"),
            Limit(HERE, f"{account}:{address}"),
            Limit(ALL, account),
        )
    ]


def users_named(name: str) -> list[Any]:
    """Find the accounts at which a password is tried under this name."""
    if "@" in name:
        return owners_of(name)
    user = get_user_by_username(name) if name else None
    return [user] if user else owners_of(name)


def owners_of(email: str) -> list[Any]:
    """Find the accounts of an address: those that have confirmed it, else the first few that named it.

    Anybody may name anybody's address, so that a sign-up tells nothing; but the site does not try a password at hundreds
    of accounts for that, nor send hundreds of letters.
    """
    found = filter_users_by_email(email, prefer_verified=True, for_login=True) if email else []
    return sorted(found, key=lambda user: user.pk)[:MOST_OWNERS_OF_AN_ADDRESS]


class Backend(AuthenticationBackend):
    """Names and passwords, as allauth checks them."""

    def _authenticate_by_email(self, email: str, password: str) -> AbstractBaseUser | None:
        checked = (self._check_password(user, password) for user in owners_of(email))
        return next((user for user in checked if user), None)


class NumberedBrowsers:
    """Numbers browsers on the pages where something is tried, so that each has tries of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Keep the rest of the chain."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the number with the page."""
        response = self.get_response(request)
        match = request.resolver_match
        is_asked_there = request.method == "GET" and match is not None and match.url_name in NUMBERED_AT
        if is_asked_there and not browser_of(request).number:
            remember_browser(request, response)
        return response


# Making an account, and coming back without the password


class NewAccountForm(SignupForm):
    """A new account; whether its address is known already, only the owner of the address learns."""

    def clean(self) -> dict[str, Any]:
        """Slow down whoever makes accounts in numbers; what was typed stays."""
        cleaned: dict[str, Any] = super().clean()
        if not self.errors:
            request = context.request
            if wait := limits.use(Limit(SIGN_UP, address_of(request))):
                delay(request, wait)
                raise forms.ValidationError(said(limits.SlowDown(wait)))
        return cleaned


class ForgottenPasswordForm(ResetPasswordForm):
    """Where the link goes, if there is such an account; the page answers the same at the same moment.

    Where no mail is sent, letters are shown on the terminal: then a user name will do as well.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take any name where letters are shown on the terminal."""
        super().__init__(*args, **kwargs)
        if not settings.SENDS_MAIL:
            self.fields["email"] = forms.CharField(max_length=254)

    def clean_email(self) -> str:
        """Take any address; whose it is, is looked up behind the answer."""
        return str(self.cleaned_data["email"]).lower()

    def save(self, request: HttpRequest, **named: Any) -> str:
        """Have the letter sent; one that was sent minutes ago still holds, so more of them are left out."""
        email = self.clean_email()
        if not limits.use(Limit(LETTERS, email)):
            mail.later(lambda: self.send(email, request, named))
        return email

    def send(self, email: str, request: HttpRequest, named: dict[str, Any]) -> None:
        """Send the link to whoever has an account with this address."""
        self.users = owners_of(email) if settings.SENDS_MAIL else users_named(email)
        if self.users:
            super().save(request, **named)


def said(refused: Refused) -> str:
    """Return the first sentence of a refusal in the reader's language."""
    return say(refused.problems[0])


# What allauth counts


def keep_counts_of_allauth() -> None:
    """Have allauth count where nothing is evicted, instead of in the cache."""
    ratelimit._consume_single_rate = consume
    ratelimit.clear = clear


def consume(request: HttpRequest, *, raise_exception: bool = False, **named: Any) -> Used | None:
    """Use one of allauth's rates once; nothing where it is used up."""
    dry_run = named.pop("dry_run", False)
    limit = _limit(request, **named)
    if limits.left(limit) if dry_run else not limits.use(limit):
        return Used([] if dry_run else [limit])
    if raise_exception:
        raise RateLimited
    return None


def clear(request: HttpRequest, *, app: str, action: str, config: Any = None, **named: Any) -> None:
    """Make all of allauth's rates of an action whole."""
    rates = ratelimit.get_rates(app=app, action=action, config=config)
    limits.forget(*(_limit(request, app=app, action=action, rate=rate, **named) for rate in rates))


def _limit(request: HttpRequest, **named: Any) -> Limit:
    rate = named["rate"]
    own = Rate("allauth", burst=rate.amount, every=rate.duration / rate.amount)
    return Limit(own, ratelimit.get_cache_key(request, **named))
