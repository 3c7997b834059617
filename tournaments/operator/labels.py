"""What the acts of an operator are called by people."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.record.rules import Act

ACTS: dict[str, str | Promise] = {
    Act.ACCOUNT_APPROVED: _("Organizer approved"),
    Act.APPROVAL_TAKEN: _("Approval taken back"),
    Act.ACCOUNT_BLOCKED: _("Account blocked"),
    Act.ACCOUNT_UNBLOCKED: _("Account unblocked"),
    Act.ACCESS_RESET: _("Access reset by a link"),
    Act.ACCOUNT_DELETED: _("Account deleted"),
    Act.ACCOUNT_EXPORTED: _("Account's data exported"),
    Act.LISTING_CHANGED: _("Event's place in the lists changed"),
    Act.EVENT_HANDED_OVER: _("Event handed over"),
    Act.EVENT_DELETED: _("Draft deleted"),
    Act.REPORT_RESOLVED: _("Report resolved"),
    Act.PERSON_ERASED: _("Person erased"),
    Act.PERSON_EXPORTED: _("Person's data exported"),
}
LISTING_LOOKS: dict[str, str] = {
    "listed": "done",
    "awaiting": "wait",
    "hidden": "idle",
    "withheld": "stop",
    "archived": "idle",
    "deleted": "stop",
}
"""Which of the six looks of a state each listing has."""
