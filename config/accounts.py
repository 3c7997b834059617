"""Signing in: guessing is slowed, and nobody who guesses at a name keeps its owner out. [INTEGRITY 3]

Tries are counted by account. A browser in which the account's owner has signed in before is remembered by a signed
cookie and has a count of its own, so that strangers, wherever they sit, never use up the owner's tries. Elsewhere a
few tries are free at each address and more of them at all addresses together: the owner can sign in on a new tablet
while somebody is guessing from another place, and many places together gain nothing.
"""

import secrets
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from django.contrib.auth.models import AbstractBaseUser
from django.core.signing import BadSignature
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from tournaments.models import User

COOKIE = "known"
SALT = "config.accounts.known-browser"
YEAR = 365 * 24 * 60 * 60
MOST_OWNERS = 8
FEW = "5/5m/key"
MANY = "30/5m/key"


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    """What allauth asks of the site."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a try when this browser, or those who are not known, have had theirs."""
        used = ratelimit.RateLimitUsage(usage=[])
        self._login_failed_rl_usage = used
        for count in counts_for(request, credentials):
            taken = ratelimit.consume(request, **count)
            if taken is None:
                used.rollback()
                raise self.validation_error("too_many_login_attempts")
            used.usage += taken.usage

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **named: Any) -> HttpResponse:
        """Remember the browser in which somebody has signed in."""
        response: HttpResponse = super().post_login(request, user, **named)
        remember(request, response, user)
        return response

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        """Forget what was tried before the password was set anew."""
        for count in counts_for(request, credentials):
            ratelimit.clear(request, **count)


def counts_for(request: HttpRequest, credentials: dict[str, Any]) -> list[dict[str, Any]]:
    """Name the counts that a try is held against, as allauth wants them named."""
    name = str(credentials.get("email") or credentials.get("username") or "").lower()
    user = User.objects.filter(Q(username__iexact=name) | Q(email__iexact=name)).first() if name else None
    account = f"account:{user.pk}" if user else f"name:{name}"
    browser, owners = known(request)
    if browser and user and user.pk in owners:
        return [_count(FEW, f"{account}:in:{browser}")]
    return [_count(FEW, f"{account}:at:{ratelimit.get_ip(request)}"), _count(MANY, account)]


def _count(rate: str, key: str) -> dict[str, Any]:
    return {"app": "config", "action": "login_failed", "config": {"login_failed": rate}, "key": key}


def known(request: HttpRequest) -> tuple[str, list[int]]:
    """Read from the cookie which browser this is, and who has signed in with it."""
    try:
        kept = request.get_signed_cookie(COOKIE, "", salt=SALT, max_age=YEAR) or ""
        browser, _, owners = kept.partition(":")
        return browser, [int(owner) for owner in owners.split(",") if owner]
    except (BadSignature, ValueError):
        return "", []


def remember(request: HttpRequest, response: HttpResponse, user: AbstractBaseUser) -> None:
    """Add the user to those who have signed in with this browser."""
    browser, owners = known(request)
    owners = [*(owner for owner in owners if owner != user.pk), user.pk][-MOST_OWNERS:]
    text = f"{browser or secrets.token_hex(8)}:{','.join(map(str, owners))}"
    response.set_signed_cookie(
        COOKIE, text, salt=SALT, max_age=YEAR, httponly=True, samesite="Lax", secure=request.is_secure()
    )
