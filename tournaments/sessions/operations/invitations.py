"""Staff by link: an organizer writes role and name, and whoever opens the link with an account has the role. [INTEGRITY 3]"""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from scoring.problems import gettext_noop
from tournaments.models import Invitation, Role, Tournament, User
from tournaments.record import history
from tournaments.record.actors import Actor, ActorKind, digest_of
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import refuse
from tournaments.sessions.operations.tournaments import let_in, staff_names, take_role

LIFETIME = timedelta(days=14)


@transaction.atomic
def invite(
    tournament: Tournament, kind: str, *, by: Actor, name: str = "", name_latin: str = ""
) -> tuple[Invitation, str]:
    """Make a link for one person, and return its secret: only who is shown it now ever sees it."""
    tournament = lock_tournament(tournament)
    secret = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        tournament=tournament,
        kind=kind,
        **staff_names(name, name_latin),
        secret_digest=digest_of(secret),
        made_by_id=by.id if by.kind == ActorKind.USER else None,
        expires_at=timezone.now() + LIFETIME,
    )
    _record(Kind.STAFF_INVITED, invitation, by=by)
    return invitation, secret


@transaction.atomic
def offer_event(tournament: Tournament, *, by: Actor) -> tuple[Invitation, str]:
    """Make a link that hands the event over: whoever takes it organizes it, and the maker no longer does. [RULES 9.29]

    Until then nothing has changed, and the link can be withdrawn; an earlier one of the same organizer ends with the new one.
    """
    tournament = lock_tournament(tournament)
    for earlier in tournament.invitations.filter(
        hands_over=True, made_by_id=by.id, used_at=None, withdrawn_at=None
    ):
        withdraw_invitation(earlier, by=by)
    invitation, secret = invite(tournament, Role.Kind.ORGANIZER, by=by)
    invitation.hands_over = True
    invitation.save(update_fields=["hands_over"])
    return invitation, secret


def _maker_goes(invitation: Invitation, tournament: Tournament, *, by: Actor) -> None:
    """End the role of the organizer who handed the event over, now that somebody else has it. [RULES 9.29]"""
    role = tournament.roles.filter(kind=Role.Kind.ORGANIZER, user=invitation.made_by).first()
    if role is not None:
        take_role(role, by=by)


def invitation_of(secret: str) -> Invitation:
    """Return what a link stands for; refuse one that is not known, was withdrawn or has expired."""
    rows = Invitation.objects.select_related("tournament", "made_by")
    invitation = rows.filter(secret_digest=digest_of(secret)).first()
    if invitation is None or invitation.tournament.is_deleted:
        refuse("code_expired", UNKNOWN)
    if invitation.withdrawn_at is not None:
        refuse("code_expired", gettext_noop("This invitation was withdrawn. Ask the organizer."))
    if invitation.used_at is None and invitation.expires_at < timezone.now():
        refuse("code_expired", gettext_noop("This invitation has expired. Ask the organizer for a new one."))
    return invitation


@transaction.atomic
def accept(secret: str, user: User) -> Role:
    """Give the role of a link to the first account that takes it; pressed twice it changes nothing."""
    tournament = lock_tournament(invitation_of(secret).tournament)
    invitation = invitation_of(secret)  # whoever took it while this waited was first
    if invitation.used_by_id == user.pk:
        return Role.objects.filter(tournament=tournament, user=user, kind=invitation.kind).first() or _used()
    if invitation.used_at is not None:
        _used()
    if invitation.made_by_id == user.pk:
        refuse("wrong_state", gettext_noop("You made this link yourself. Send it to whom you invite."))
    if invitation.hands_over and not _still_organizes(invitation):
        refuse("code_expired", gettext_noop("Whoever made this link organizes the event no longer."))
    by = Actor(ActorKind.USER, user.pk)
    name, latin = invitation.name, invitation.name_latin
    role = let_in(tournament, user, invitation.kind, by=by, name=name, name_latin=latin)
    invitation.used_at, invitation.used_by = timezone.now(), user
    invitation.name = invitation.name_latin = ""
    invitation.save(update_fields=["used_at", "used_by", "name", "name_latin"])
    _record(Kind.INVITATION_ACCEPTED, invitation, by=by)
    if invitation.hands_over:
        _maker_goes(invitation, tournament, by=by)
    return role


def _still_organizes(invitation: Invitation) -> bool:
    """Return whether the maker organizes the event as when the link was made; a role that ended ended it. [RULES 9.29]"""
    rows = Role.objects.filter(tournament=invitation.tournament_id, kind=Role.Kind.ORGANIZER)
    since = rows.filter(user=invitation.made_by, created_at__lte=invitation.made_at)
    return invitation.made_by is not None and since.exists()


@transaction.atomic
def withdraw_invitation(invitation: Invitation, *, by: Actor) -> Invitation:
    """End a link that nobody has taken yet. Pressed twice it changes nothing."""
    lock_tournament(invitation.tournament)
    invitation.refresh_from_db()
    if invitation.used_at is not None:
        refuse("wrong_state", gettext_noop("The invitation was taken meanwhile; end the role instead."))
    if invitation.withdrawn_at is None:
        invitation.withdrawn_at = timezone.now()
        invitation.save(update_fields=["withdrawn_at"])
        _record(Kind.INVITATION_WITHDRAWN, invitation, by=by)
    return invitation


def _used() -> Role:
    refuse("code_used", gettext_noop("This invitation has been used. Ask the organizer for a new one."))


def _record(kind: Kind, invitation: Invitation, *, by: Actor) -> None:
    subject, data = f"invitation:{invitation.pk}", {"role": invitation.kind}
    history.record(kind, tournament=invitation.tournament, by=by, subject=subject, data=data)


UNKNOWN = gettext_noop("This invitation is not known. Ask the organizer for a new one.")
