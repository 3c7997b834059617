"""Forgetting: a player on request, an account by its owner, contacts after their time. Results and history stay."""

import secrets
from collections.abc import Mapping
from datetime import date
from itertools import count
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session as SignIn
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from scoring.problems import gettext_noop
from tournaments.models import (
    ErasureRequest,
    HallScreen,
    HandCheck,
    Invitation,
    Objection,
    Player,
    Registration,
    Role,
    SamePerson,
    Team,
    Tournament,
    User,
)
from tournaments.people.operations.registration import IN_TOURNAMENT, withdraw
from tournaments.people.rules.names import name_problems, tidy_name
from tournaments.person_fields import CONTACTS, OF_THE_PLAYER
from tournaments.privacy.queries import (
    grouping_labels,
    open_requests,
    owned_alone,
    situation_of,
    today,
    with_contacts,
)
from tournaments.privacy.rules import (
    Situation,
    due_day,
    erasure_problems,
    forgotten_before,
    is_erased_at_once,
    kept_labels,
    reason_problems,
)
from tournaments.record import history, judges
from tournaments.record.actors import SYSTEM, Actor
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import Refused, need_reason, refuse
from tournaments.record.rules import ERASED_TEXT, Act
from tournaments.record.site_log import log
from tournaments.sessions.operations.tournaments import delete_draft

STATES = ErasureRequest.State
BLANK: Mapping[str, Any] = {"search_key": ""} | {one.column: one.blank for one in OF_THE_PLAYER}
"""What stands in the fields of a player of whom nothing is known any more."""


# A player


@transaction.atomic
def erase_player(player: Player, *, by: Actor, reason: str) -> Player:
    """Forget who a player was; results and history, which hold ids only, stay. Pressed twice it changes nothing."""
    tournament = lock_tournament(player.tournament)
    player = Player.objects.select_related("team").get(pk=player.pk)
    player.tournament = tournament
    if player.erased_at is not None:
        return player
    situation = situation_of(player)
    if problems := [*erasure_problems(str(player), situation), *reason_problems(reason, player.name)]:
        raise Refused(*problems)
    _leave_the_list(player, situation, by=by)
    _clear_hall_message(player)
    _blank(player, situation)
    HandCheck.objects.filter(player=player).exclude(text="").update(text=ERASED_TEXT)
    Objection.objects.filter(player=player).update(text=ERASED_TEXT)
    judges.tell_player_erased(player)
    requests = ErasureRequest.objects.filter(player=player, state=STATES.OPEN)
    requests.update(state=STATES.DONE, answered_at=timezone.now())
    history.record(
        Kind.PLAYER_ERASED, tournament=tournament, by=by, subject=f"player:{player.pk}", reason=reason
    )
    player.refresh_from_db()
    return player


def _leave_the_list(player: Player, situation: Situation, *, by: Actor) -> None:
    """Take somebody who has not begun to play off the list, so that no place is kept for nobody."""
    registration = Registration.objects.filter(player=player).first()
    if (
        registration is not None
        and registration.status in IN_TOURNAMENT
        and not player.tournament.is_finished
        and not situation.has_played
    ):
        withdraw(registration, by=by)


def _blank(player: Player, situation: Situation) -> None:
    """Empty every field of the player but those by which a table of the event counts results."""
    team = player.team
    kept = kept_labels(grouping_labels(player.tournament), has_played=situation.has_played)
    values = {name: value for name, value in BLANK.items() if name not in kept}
    Player.objects.filter(pk=player.pk).update(**values, code=_unnamed_code(player), erased_at=timezone.now())
    Role.objects.filter(player=player, user__isnull=False).update(player=None)
    SamePerson.objects.filter(Q(first=player) | Q(second=player)).delete()
    for registration in Registration.objects.filter(player=player):
        registration.comment, registration.link_version = "", registration.link_version + 1
        registration.language, registration.answers, registration.may_be_remembered = "", {}, False
        registration.save(
            update_fields=["comment", "link_version", "language", "answers", "may_be_remembered"]
        )
        registration.mails.all().delete()
        registration.push_subscriptions.all().delete()
    if team is not None and not team.players.exists() and not team.lines.exists():
        Team.objects.filter(pk=team.pk).delete()


def _unnamed_code(player: Player) -> str:
    """Return an id for records that says nothing: one from another program may be a name."""
    taken = set(player.tournament.players.exclude(pk=player.pk).values_list("code", flat=True))
    codes = (f"x{number}" for number in count(player.pk))
    return next(code for code in codes if code not in taken)


def _clear_hall_message(player: Player) -> None:
    """Take down a message to the hall that calls the player by name."""
    screens = HallScreen.objects.filter(tournament=player.tournament)
    for screen in screens.exclude(message=""):
        if player.name and player.name in screen.message:
            screens.update(message="")


# A player's own request


@transaction.atomic
def request_erasure(registration: Registration, *, by: Actor) -> ErasureRequest | None:
    """Erase a player who has not played; ask the organizer where results hang on it, with a day to answer by.

    Asked twice it is the same request.
    """
    tournament = lock_tournament(registration.tournament)
    player = Player.objects.get(pk=registration.player_id)
    player.tournament = tournament
    if is_erased_at_once(situation_of(player)):
        erase_player(player, by=by, reason="")
        return None
    request, is_new = ErasureRequest.objects.get_or_create(
        tournament=tournament, player=player, state=STATES.OPEN, defaults={"due_on": due_day(today())}
    )
    if is_new:
        subject = f"player:{player.pk}"
        history.record(Kind.ERASURE_REQUESTED, tournament=tournament, by=by, subject=subject)
    return request


@transaction.atomic
def decline_request(request: ErasureRequest, *, by: Actor, reason: str) -> ErasureRequest:
    """Decline a request, with the reason that the player will read on the own page."""
    need_reason(reason)
    tournament = lock_tournament(request.tournament)
    row = open_requests(tournament).filter(pk=request.pk).first()
    if row is None:
        refuse("already_decided", gettext_noop("This request has been answered already."))
    row.state, row.answer, row.answered_at = STATES.DECLINED, reason.strip(), timezone.now()
    row.save(update_fields=["state", "answer", "answered_at"])
    history.record(
        Kind.ERASURE_DECLINED, tournament=tournament, by=by, subject=f"player:{row.player_id}", reason=reason
    )
    return row


# After a time


@transaction.atomic
def forget_contacts(months: int, *, now: date | None = None) -> int:
    """Erase e-mail, telephone and notes of players whose events ended so many months ago; return how many."""
    before = forgotten_before(now or today(), months)
    if before is None:
        return 0
    found: dict[int, list[int]] = {}
    for player, event in with_contacts(before).values_list("pk", "tournament_id"):
        found.setdefault(event, []).append(player)
    for pk, players in found.items():
        tournament = lock_tournament(Tournament(pk=pk))
        Player.objects.filter(pk__in=players).update(**{one.column: one.blank for one in CONTACTS})
        Registration.objects.filter(player__in=players).update(comment="", answers={})
        data = {"players": players}
        history.record(Kind.CONTACTS_FORGOTTEN, tournament=tournament, by=SYSTEM, data=data)
    return sum(map(len, found.values()))


# An account


@transaction.atomic
def delete_account(user: User, *, by: Actor, reason: str = "", leaves_events: bool = False) -> User:
    """Delete an account: what says who it was is erased, its number stays in the record of what it decided.

    Events that nobody else runs are handed over first, or knowingly left to the operator; empty drafts go with it.
    """
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if user.erased_at is not None:
        return user
    if user.is_superuser:
        refuse("forbidden", OPERATORS_STAY)
    _settle_events(user, by=by, leaves_events=leaves_events)
    _end_roles(user, by=by)
    sign_out_everywhere(user)
    user.event_templates.all().delete()
    user.same_persons.all().delete()
    Invitation.objects.filter(used_by=user).update(used_by=None, name="", name_latin="")
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    _blank_account(user)
    log(Act.ACCOUNT_DELETED, f"user:{user.pk}", by=by, reason=reason)
    return user


@transaction.atomic
def name_account(user: User, name: str) -> User:
    """Write down under which name an account's owner appears on pages and papers; nothing clears it."""
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    name = tidy_name(name)
    if problems := name_problems(name) if name else []:
        raise Refused(*problems)
    user.first_name, user.last_name = name, ""
    user.save(update_fields=["first_name", "last_name"])
    return user


def _settle_events(user: User, *, by: Actor, leaves_events: bool) -> None:
    """Delete the drafts nobody plays in; refuse to leave other events to nobody unawares."""
    left = []
    for tournament in owned_alone(user):
        if tournament.state == Tournament.State.DRAFT and not tournament.players.exists():
            delete_draft(tournament, by=by)
        else:
            left.append(tournament.name)
    if left and not leaves_events:
        refuse("events_left", EVENTS_LEFT, field="leaves_events", names=", ".join(left))


def _end_roles(user: User, *, by: Actor) -> None:
    """End all work of an account, the last organizer's too: the operator finds such events among those of nobody."""
    for role in Role.objects.filter(user=user).select_related("tournament").order_by("tournament_id", "pk"):
        tournament = lock_tournament(role.tournament)
        history.record(
            Kind.ROLE_TAKEN,
            tournament=tournament,
            by=by,
            subject=f"user:{user.pk}",
            data={"role": role.kind},
        )
        role.delete()


def _blank_account(user: User) -> None:
    """Empty whatever says whose account it was."""
    user.username = f"deleted-{user.pk}"
    while User.objects.exclude(pk=user.pk).filter(username=user.username).exists():
        user.username = f"deleted-{user.pk}-{secrets.token_hex(4)}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = user.is_staff = False
    user.last_login = user.approved_at = None
    user.erased_at = timezone.now()
    user.set_unusable_password()
    user.save()


def sign_out_everywhere(user: User) -> None:
    """End the sessions of an account on all devices."""
    devices = UserSession.objects.filter(user=user)
    SignIn.objects.filter(session_key__in=list(devices.values_list("session_key", flat=True))).delete()
    devices.delete()


OPERATORS_STAY = gettext_noop(
    "This account runs the site. Take that from it on the server first, so that the site does not lose its operator unawares."
)
EVENTS_LEFT = gettext_noop(
    "Nobody else runs these events: %(names)s. Let somebody in as organizer first, or tick that they are left to the"
    " site's operator."
)
