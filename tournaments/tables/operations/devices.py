"""Tablets: invited by a code that is valid for minutes, admitted once, and signed off at any moment."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from scoring.problems import gettext_noop
from tournaments.models import Admission, Device, Tournament
from tournaments.record import history, limits
from tournaments.record.actors import Actor, ActorKind, digest_of
from tournaments.record.history import Kind
from tournaments.record.limits import Limit, Rate
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import refuse

LIFETIME = timedelta(minutes=5)
TRIES = 5
FROM_ONE = Rate("code-from-one", burst=TRIES, every=60)
FROM_ALL = Rate("code-from-all", burst=600, every=0.5)
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 8


@dataclass(frozen=True)
class Invitation:
    """An invitation, shown to the organizer once: the secret of the QR code and the code to type."""

    admission: Admission
    secret: str
    code: str


@transaction.atomic
def invite_device(tournament: Tournament, *, name: str, tables: list[int], by: Actor) -> Invitation:
    """Make a QR secret and a typed code for one tablet; both end after five minutes or one use."""
    tournament = lock_tournament(tournament)
    secret = secrets.token_urlsafe(32)
    code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
    admission = Admission.objects.create(
        tournament=tournament,
        name=name,
        tables=sorted(set(tables)),
        secret_digest=digest_of(secret),
        code_digest=code_digest(tournament, code),
        made_by_id=by.id if by.kind == ActorKind.USER else None,
        expires_at=timezone.now() + LIFETIME,
    )
    history.record(
        Kind.DEVICE_INVITED,
        tournament=tournament,
        by=by,
        subject=f"admission:{admission.pk}",
        data={"tables": admission.tables},
    )
    return Invitation(admission, secret, code)


@transaction.atomic
def admit_device(tournament: Tournament, *, secret: str = "", code: str = "") -> tuple[Device, str]:
    """Turn a secret or a typed code into a tablet with a credential of its own. [INTEGRITY 3]"""
    wanted = (
        {"secret_digest": digest_of(secret)}
        if secret
        else {"code_digest": code_digest(tournament, "".join(code.upper().split()).replace("-", ""))}
    )
    rows = Admission.objects.filter(tournament=tournament, **wanted)
    tournament, left = _locked(tournament, rows.exclude(moved_from=None).select_related("moved_from").first())
    admission = rows.select_for_update(no_key=True, of=("self",)).first()
    if admission is None:
        refuse("code_expired", gettext_noop("This code is not known. Ask the referee for a new code."))
    if admission.used_at is not None:
        refuse("code_used", gettext_noop("This code has been used. Ask the referee for a new code."))
    if admission.expires_at < timezone.now():
        refuse("code_expired", gettext_noop("This code has expired. Ask the referee for a new code."))
    credential = secrets.token_urlsafe(32)
    device = Device.objects.create(
        tournament=tournament,
        name=admission.name,
        tables=admission.tables,
        credential_digest=digest_of(credential),
        admitted_by=admission.made_by,
        seen_at=timezone.now(),
    )
    admission.used_at, admission.device = timezone.now(), device
    admission.save(update_fields=["used_at", "device"])
    history.record(
        Kind.DEVICE_ADMITTED,
        tournament=tournament,
        by=Actor(ActorKind.DEVICE, device.pk, frozenset({"device"}), device_id=device.pk),
        subject=f"device:{device.pk}",
        data={"admission": admission.pk, "tables": device.tables},
    )
    if left:
        by = Actor(ActorKind.DEVICE, left.pk, frozenset({"device"}), device_id=left.pk)
        _sign_off(left, left.tournament, by=by, data={"to": tournament.slug})
    return device, credential


def _locked(tournament: Tournament, moved: Admission | None) -> tuple[Tournament, Device | None]:
    """Lock the event, and the one that a tablet leaves for it; the older one first, so that two ways never wait in a circle."""
    left = moved.moved_from if moved else None
    events = {tournament.pk: tournament} | ({left.tournament_id: left.tournament} if left else {})
    locked = {pk: lock_tournament(events[pk]) for pk in sorted(events)}
    if left:
        left.refresh_from_db()
        left.tournament = locked[left.tournament_id]
    return locked[tournament.pk], left


@transaction.atomic
def revoke_device(device: Device, *, by: Actor) -> Device:
    """Sign a tablet off from its next request on."""
    tournament = lock_tournament(device.tournament)
    device.refresh_from_db()
    _sign_off(device, tournament, by=by)
    return device


def _sign_off(
    device: Device, tournament: Tournament, *, by: Actor, data: Mapping[str, Any] | None = None
) -> None:
    """Sign a tablet off whose event is locked; who has been signed off stays so."""
    if device.revoked_at is None:
        device.revoked_at = timezone.now()
        device.save(update_fields=["revoked_at"])
        subject = f"device:{device.pk}"
        history.record(Kind.DEVICE_REVOKED, tournament=tournament, by=by, subject=subject, data=data)


def note_device(
    device_id: int, *, at_table: int | None, unsent: int, set_aside: Sequence[Mapping[str, int]] = ()
) -> None:
    """Remember when a tablet was last heard of, where it is, what it still has to send, and what waits there for a person."""
    Device.objects.filter(pk=device_id).update(
        seen_at=timezone.now(), at_table=at_table, unsent=unsent, set_aside=list(set_aside)
    )


@contextmanager
def counted(tournament: Tournament, *, browser: str, address: str) -> Iterator[None]:
    """Limit the tries of codes to five per browser; a right code does not count as a try. [INTEGRITY 153]

    A hall stands behind one address, and all its tablets are told codes at the same time: what one of them mistypes
    keeps out no other. Whoever shows no browser's number shares five tries for each code in time with the others at the
    address. All together are slowed too, but so late that no hall meets it: a code is one of 23⁸.
    """
    one = Limit(FROM_ONE, f"{tournament.pk}:{browser}")
    if not browser:
        rate = replace(FROM_ONE, burst=TRIES * max(1, _made_of_late(tournament)))
        one = Limit(rate, f"{tournament.pk}:at:{address}")
    used = (one, Limit(FROM_ALL, str(tournament.pk)))
    if limits.use(*used):
        refuse("too_many_tries", gettext_noop("Too many wrong codes. Ask the referee for a new code."))
    yield
    limits.give_back(*used)


def _made_of_late(tournament: Tournament) -> int:
    """Count the codes that are still in time, used or not."""
    typed = Admission.objects.filter(tournament=tournament, moved_from=None)
    return typed.filter(expires_at__gt=timezone.now()).count()


def code_digest(tournament: Tournament, code: str) -> str:
    """Return the digest to store of a typed code; the same code in another tournament has another digest."""
    return digest_of(f"{tournament.pk}:{code}")


def device_state(device: Device) -> dict[str, Any]:
    """Return what a tablet may do, for the tablet itself."""
    return {"id": device.pk, "name": device.name, "tables": device.tables}
