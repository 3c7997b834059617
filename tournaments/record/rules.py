"""What an operator of the site may do to accounts, events and persons, as the operator's log names it; and what stands for an erased text."""

from enum import StrEnum

ERASED_TEXT = "—"
"""Stands where a text was erased that may not be empty."""


class Act(StrEnum):
    """What the log tells of; labels for people are in `tournaments.operator.labels`."""

    ACCOUNT_APPROVED = "account_approved"
    APPROVAL_TAKEN = "approval_taken"
    ACCOUNT_BLOCKED = "account_blocked"
    ACCOUNT_UNBLOCKED = "account_unblocked"
    ACCESS_RESET = "access_reset"
    ACCOUNT_DELETED = "account_deleted"
    ACCOUNT_EXPORTED = "account_exported"
    LISTING_CHANGED = "listing_changed"
    EVENT_HANDED_OVER = "event_handed_over"
    EVENT_DELETED = "event_deleted"
    REPORT_RESOLVED = "report_resolved"
    PERSON_ERASED = "person_erased"
    PERSON_EXPORTED = "person_exported"
