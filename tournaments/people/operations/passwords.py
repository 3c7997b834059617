"""A new password for a member of the staff who has forgotten theirs: a link by an organizer, good once, for an hour.

Whoever has the link becomes the member, so an organizer gets one only for an account that opens nothing beyond the
organizer's own events, and whose owner has worked at this one. Anybody may give a role to any account: without the
second condition a stranger's account could be taken over by making an event and naming the stranger in it.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import NoReturn

from django.core import signing
from django.db import transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from scoring.problems import Problem, gettext_noop
from tournaments.models import HistoryEntry, Role, Tournament, User
from tournaments.record import history
from tournaments.record.actors import Actor, ActorKind
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, refuse

LIFETIME = timedelta(hours=1)
SALT = "tournaments.new-password"
OWN = gettext_noop("This is your own account; change its password under “Account”.")
NOT_HERE = gettext_noop("%(name)s does not work at this event.")
ADMINISTRATOR = gettext_noop("%(name)s keeps the whole site; only its operator can set this password.")
ELSEWHERE = gettext_noop(
    "%(name)s works at events that are not yours, so this password is not yours to set. Ask the operator of the site."
)
NEVER_WORKED = gettext_noop(
    "%(name)s has not done anything at this event yet. Let the person make a new account, and give the role to that one."
)


@dataclass(frozen=True)
class Permission:
    """What a link stands for: who may set a new password, at which event, and who allowed it."""

    tournament: Tournament
    user: User
    allowed_by: int


@transaction.atomic
def allow_new_password(tournament: Tournament, user: User, *, by: Actor) -> str:
    """Return the secret of a link by which a member of the staff sets a new password within an hour. [INTEGRITY 3]"""
    tournament = lock_tournament(tournament)
    user = User.objects.get(pk=user.pk)
    if problem := hindrance(tournament, user, by.id):
        raise Refused(problem)
    history.record(Kind.PASSWORD_ALLOWED, tournament=tournament, by=by, subject=f"user:{user.pk}")
    return link_for(tournament, user, by.id)


def link_for(tournament: Tournament, user: User, organizer: int) -> str:
    """Return the secret that stands for a permission; it holds no longer than the conditions of the permission do."""
    stands_for = {"event": tournament.pk, "user": user.pk, "by": organizer, "state": _state(user)}
    return signing.dumps(stands_for, salt=SALT, compress=True)


def permission(secret: str) -> Permission:
    """Return what a link stands for; refuse one that was used, has expired, or whose maker may not allow it any more."""
    try:
        told = signing.loads(secret, salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        _refuse_expired()
    tournament = Tournament.objects.filter(pk=told["event"]).first()
    user = User.objects.filter(pk=told["user"], is_active=True).first()
    if tournament is None or user is None or not constant_time_compare(told["state"], _state(user)):
        _refuse_expired()
    if hindrance(tournament, user, told["by"]):
        _refuse_expired()
    return Permission(tournament, user, told["by"])


@transaction.atomic
def set_new_password(secret: str, password: str) -> User:
    """Set the password that the holder of a link chose; it ends the link and every session of the account."""
    allowed = permission(secret)
    tournament = lock_tournament(allowed.tournament)
    user = User.objects.select_for_update().get(pk=allowed.user.pk)
    permission(secret)  # whoever used the link while this waited was first
    user.set_password(password)
    user.save(update_fields=["password"])
    history.record(
        Kind.PASSWORD_SET,
        tournament=tournament,
        by=Actor(ActorKind.USER, user.pk),
        subject=f"user:{user.pk}",
        data={"allowed_by": allowed.allowed_by},
    )
    return user


def hindrance(tournament: Tournament, user: User, organizer: int) -> Problem | None:
    """Return why an organizer may not allow this account a new password."""
    organized = Role.objects.filter(user_id=organizer, kind=Role.Kind.ORGANIZER).values("tournament")
    elsewhere = Role.objects.filter(user=user).exclude(tournament__in=organized).exists() or (
        Tournament.objects.filter(created_by=user).exclude(pk__in=organized).exists()
    )
    reasons = (
        (user.pk == organizer, "wrong_state", OWN),
        (not tournament.roles.filter(user=user).exists(), "not_found", NOT_HERE),
        (not organized.filter(tournament=tournament).exists(), "forbidden", NOT_HERE),
        (user.is_superuser or user.is_staff, "forbidden", ADMINISTRATOR),
        (elsewhere, "forbidden", ELSEWHERE),
        (not _has_worked(tournament, user), "forbidden", NEVER_WORKED),
    )
    found = next(((code, sentence) for is_so, code, sentence in reasons if is_so), None)
    return Problem(found[0], found[1], details={"name": user.title}) if found else None


def _has_worked(tournament: Tournament, user: User) -> bool:
    """Return whether the account has done something at the event, other than setting a password by a link."""
    actor = f'"by":"{Actor(ActorKind.USER, user.pk)}"'
    entries = HistoryEntry.objects.filter(tournament=tournament, content__contains=actor)
    return entries.exclude(kind=Kind.PASSWORD_SET).exists()


def _state(user: User) -> str:
    """Return a digest that changes when the password is set or the account signs in."""
    return salted_hmac(SALT, f"{user.pk}:{user.password}:{user.last_login}").hexdigest()[:20]


def _refuse_expired() -> NoReturn:
    refuse(
        "code_expired",
        gettext_noop("This link has been used or has expired. Ask the organizer for a new one."),
    )
