"""Tablets that go on to another event in the same hall: the desk says so, the tablet goes once it has sent everything. [RULES 9.42]"""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from scoring.problems import gettext_noop
from tournaments.models import Admission, Device, Tournament
from tournaments.record import history
from tournaments.record.actors import Actor, ActorKind, digest_of
from tournaments.record.history import Kind
from tournaments.record.locks import lock_tournament
from tournaments.record.refusal import refuse, refuse_finished
from tournaments.tables.queries.moves import pending, secret_of

LIFETIME = timedelta(hours=12)
"""For so long a tablet that is switched off may still go."""


@transaction.atomic
def send_over(device: Device, to: Tournament, *, tables: Sequence[int], by: Actor) -> Admission:
    """Let a tablet go on to another event; said twice, the later word counts."""
    here = lock_tournament(device.tournament)
    refuse_finished(to)
    device.refresh_from_db()
    if device.revoked_at is not None:
        refuse("wrong_state", gettext_noop("This tablet is signed off."))
    going = pending(here).filter(moved_from=device, tournament=to, tables=sorted(set(tables))).first()
    if going:
        return going
    _withdraw(here, device)
    secret = secret_of(device.pk, to.pk)
    admission, _ = Admission.objects.update_or_create(
        secret_digest=digest_of(secret),
        defaults={
            "tournament": to,
            "name": device.name,
            "tables": sorted(set(tables)),
            "code_digest": digest_of(f"{secret}:typed"),
            "made_by_id": by.id if by.kind == ActorKind.USER else None,
            "expires_at": timezone.now() + LIFETIME,
            "moved_from": device,
        },
    )
    data = {"to": to.slug, "tables": admission.tables}
    history.record(Kind.DEVICE_SENT_OVER, tournament=here, by=by, subject=f"device:{device.pk}", data=data)
    return admission


@transaction.atomic
def keep_here(device: Device, *, by: Actor) -> None:
    """Let a tablet stay that was to go; one that has gone is gone."""
    here = lock_tournament(device.tournament)
    if not _withdraw(here, device):
        refuse("wrong_state", gettext_noop("This tablet has gone already, or was never to go."))
    history.record(Kind.DEVICE_KEPT, tournament=here, by=by, subject=f"device:{device.pk}")


def _withdraw(here: Tournament, device: Device) -> int:
    return pending(here).filter(moved_from=device).update(expires_at=timezone.now())
