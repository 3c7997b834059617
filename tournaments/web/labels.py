"""The names of the record's codes for people."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.criteria import CRITERIA
from scoring.description import describe
from scoring.presets import PRESETS
from scoring.systems import SYSTEMS
from tournaments.models import Protocol, Registration, Session, Tournament
from tournaments.person_fields import PERSON
from tournaments.record.history import Kind
from tournaments.templatetags.looks import number

KINDS: dict[str, str | Promise] = {
    Kind.TOURNAMENT_CREATED: _("Event created"),
    Kind.TOURNAMENT_CHANGED: _("Event changed"),
    Kind.REGULATION_CHANGED: _("Regulation changed"),
    Kind.TOURNAMENT_ANNOUNCED: _("Event announced"),
    Kind.TOURNAMENT_STARTED: _("Event started"),
    Kind.TOURNAMENT_CLOSED: _("Event closed"),
    Kind.TOURNAMENT_REOPENED: _("Event reopened"),
    Kind.TOURNAMENT_CANCELLED: _("Event cancelled"),
    Kind.CANCELLATION_TAKEN_BACK: _("Cancellation of the event taken back"),
    Kind.TOURNAMENT_DELETED: _("Draft deleted"),
    Kind.LISTING_CHANGED: _("Place in the lists changed by the operator"),
    Kind.ROLE_GRANTED: _("Role given"),
    Kind.ROLE_TAKEN: _("Role ended"),
    Kind.STAFF_NAMED: _("Name of somebody who works here changed"),
    Kind.MAIL_TEXT_CHANGED: _("Words of mails changed"),
    Kind.STAFF_INVITED: _("Invitation to work here made"),
    Kind.INVITATION_ACCEPTED: _("Invitation accepted"),
    Kind.INVITATION_WITHDRAWN: _("Invitation withdrawn"),
    Kind.PLAYER_REGISTERED: _("Player registered"),
    Kind.PLAYER_CHANGED: _("Player's details changed"),
    Kind.PLAYER_ERASED: _("Player's data erased"),
    Kind.ERASURE_REQUESTED: _("Erasure requested by a player"),
    Kind.ERASURE_DECLINED: _("Erasure declined"),
    Kind.CONTACTS_FORGOTTEN: _("Contacts erased after the retention period"),
    Kind.REGISTRATION_CHANGED: _("Registration changed"),
    Kind.PLACE_OFFERED: _("Place offered to who waits"),
    Kind.PLACE_ACCEPTED: _("Offered place accepted"),
    Kind.OFFER_LAPSED: _("Offer of a place lapsed"),
    Kind.OFFER_TAKEN_BACK: _("Offer of a place taken back"),
    Kind.PLAYER_CHECKED_IN: _("Player checked in"),
    Kind.CHECK_IN_UNDONE: _("Check-in taken back"),
    Kind.FEE_PAID: _("Fee paid"),
    Kind.FEE_PAYMENT_UNDONE: _("Payment of the fee taken back"),
    Kind.SUBSTITUTE_NAMED: _("Substitute named"),
    Kind.DRAW_PROMISED: _("Secret of a draw promised"),
    Kind.SEATING_PUBLISHED: _("Seating published"),
    Kind.SEATING_CHANGED: _("Seating changed"),
    Kind.SEATING_WITHDRAWN: _("Seating withdrawn"),
    Kind.SUBSTITUTE_SEATED: _("Substitute seated"),
    Kind.SEAT_LEFT_EMPTY: _("Seat left empty"),
    Kind.PLAYER_RETURNED: _("Player back in the seat"),
    Kind.SESSION_STARTED: _("Session started"),
    Kind.SESSION_START_TAKEN_BACK: _("Start of the session taken back"),
    Kind.SESSION_CLOCK_CHANGED: _("Clock changed"),
    Kind.SESSION_CLOSED: _("Session closed"),
    Kind.SESSION_REOPENED: _("Session reopened"),
    Kind.HAND_RECORDED: _("Hand recorded"),
    Kind.HAND_CORRECTED: _("Hand corrected"),
    Kind.HAND_UNDONE: _("Hand undone"),
    Kind.HAND_VOIDED: _("Hand voided"),
    Kind.AUDIT_DRAWN: _("Tables drawn for an audit of papers"),
    Kind.PAPER_TYPED: _("Paper typed for an audit"),
    Kind.HAND_AGREED: _("A player says that a hand is right"),
    Kind.HAND_DISPUTED: _("A player says that a hand is wrong"),
    Kind.DISPUTE_SETTLED: _("Dispute about a hand settled"),
    Kind.HAND_WITNESSED: _("Hand entered on a second tablet too"),
    Kind.ENTRY_DROPPED: _("Entry of a tablet dropped"),
    Kind.HAND_RESTORED: _("Voided hand put back"),
    Kind.FINAL_RESULT_RECORDED: _("Final result recorded"),
    Kind.SEATS_REPAIRED: _("Wrong seats repaired"),
    Kind.PROTOCOL_ENDED: _("Table finished"),
    Kind.PROTOCOL_RESUMED: _("Table plays on"),
    Kind.SEAT_CONFIRMED: _("A player's result confirmed"),
    Kind.OBJECTION_NOTED: _("Objection by a player"),
    Kind.CONFIRMATION_WITHDRAWN: _("Confirmation taken back"),
    Kind.PROTOCOL_SIGNED_OFF: _("Protocol signed off by a referee"),
    Kind.ADJUSTMENT_POSTED: _("Adjustment posted"),
    Kind.ADJUSTMENT_REVERSED: _("Adjustment reversed"),
    Kind.TEAM_LINE_POSTED: _("Points of a team posted"),
    Kind.TEAM_LINE_REVERSED: _("Points of a team reversed"),
    Kind.PENALTY_GIVEN: _("Penalty given"),
    Kind.PENALTY_APPROVED: _("Penalty approved by a second person"),
    Kind.PENALTY_REVOKED: _("Penalty revoked"),
    Kind.LATENESS_NOTED: _("Lateness noted"),
    Kind.LATENESS_ENDED: _("Lateness ended"),
    Kind.LATENESS_CHANGED: _("Lateness changed"),
    Kind.APPEAL_FILED: _("Appeal filed"),
    Kind.APPEAL_STATED: _("Appeal added to"),
    Kind.APPEAL_HEARD: _("Hearing set"),
    Kind.CONFLICT_DECLARED: _("Conflict of interest declared or taken back"),
    Kind.APPEAL_VOTED: _("Vote on an appeal"),
    Kind.APPEAL_RULED: _("Appeal ruled on"),
    Kind.APPEAL_MOVED: _("Appeal taken to the committee"),
    Kind.APPEAL_WITHDRAWN: _("Appeal withdrawn"),
    Kind.APPEAL_NOT_ACCEPTED: _("Appeal not accepted: no deposit"),
    Kind.DEPOSIT_TAKEN: _("Deposit taken"),
    Kind.DEPOSIT_RETURNED: _("Deposit returned"),
    Kind.DEVICE_INVITED: _("Tablet invited"),
    Kind.DEVICE_ADMITTED: _("Tablet admitted"),
    Kind.DEVICE_REVOKED: _("Tablet signed off"),
    Kind.DEVICE_SENT_OVER: _("Tablet sent to another event"),
    Kind.DEVICE_KEPT: _("Tablet kept at this event"),
    Kind.HALL_STEERED: _("Screen of the hall steered"),
    Kind.STANDINGS_FROZEN: _("Standings frozen"),
    Kind.STANDINGS_SHOWN: _("Standings shown again"),
    Kind.PLACES_REVEALED: _("Places revealed"),
    Kind.REVEAL_ENDED: _("Reveal ended"),
    Kind.FRAMES_ALLOWED: _("Sites that may show the standings changed"),
    Kind.PASSWORD_ALLOWED: _("New password allowed"),
    Kind.PASSWORD_SET: _("New password set"),
    Kind.RECORD_IMPORTED: _("Tournament data imported"),
}


def heading_of(criterion: str) -> str:
    """Return what stands above the column of a criterion, in the reader's language."""
    return gettext(CRITERIA[criterion].heading)


GROUPED_BY: dict[str, str | Promise] = {one.name: _(one.label) for one in PERSON if one.grouping}
"""What people may have in common, by which rules group them."""

LOOKS: dict[str, str] = {
    Tournament.State.DRAFT: "idle",
    Tournament.State.ANNOUNCED: "wait",
    Tournament.State.RUNNING: "live",
    Tournament.State.CLOSED: "done",
    Tournament.State.CANCELLED: "stop",
    Session.State.PLANNED: "idle",
    Session.State.OPEN: "live",
    Protocol.State.ENDED: "wait",
    Protocol.State.CONFIRMED: "done",
    Protocol.State.SIGNED_OFF: "done",
    Registration.Status.ACTIVE: "done",
    Registration.Status.WAITING: "wait",
    Registration.Status.CANCELLED: "stop",
    Registration.Status.WITHDRAWN: "stop",
    Registration.Status.REMOVED: "alert",
    Registration.Status.DISQUALIFIED: "alert",
}
"""Which of the six looks each state has."""


def worth_in_words(system: str, worth: int) -> str:
    """Return what a hand is worth, in fans or in points."""
    if SYSTEMS[system].worth.in_fans:
        return ngettext("%(n)s fan", "%(n)s fans", worth) % {"n": number(worth)}
    return ngettext("%(n)s point", "%(n)s points", worth) % {"n": number(worth)}


def value_in_words(system: str, winner: Mapping[str, Any]) -> str:
    """Return what was recorded of a winning hand's value: its limit, its han with minipoints, or its fans with flowers."""
    if limit := winner.get("limit"):
        words = gettext(SYSTEMS[system].limits[limit]).lower()
        times = winner.get("yakuman")
        return f"{times} × {words}" if times else words
    if "han" in winner:
        return han_in_words(winner["han"], winner.get("fu"))
    worth = worth_in_words(system, winner.get("fans", 0))
    if flowers := winner.get("flowers"):
        return worth + ", " + gettext("flowers: %(n)s") % {"n": flowers}
    return worth


def han_in_words(han: int, fu: int | None) -> str:
    """Return han and minipoints; those that decide nothing were not recorded and are left out."""
    if fu:
        return gettext("%(han)s han %(fu)s fu") % {"han": han, "fu": fu}
    return ngettext("%(n)s han", "%(n)s han", han) % {"n": han}


def fan_name(system: str, code: str) -> str:
    """Return the name of a fan in the reader's language; an unknown code is returned as it is."""
    name = SYSTEMS[system].tiles.fans.get(code)
    return gettext(name) if name else code.replace("_", " ")


def fans_in_words(system: str, winner: Mapping[str, Any]) -> list[str]:
    """List the recorded fans by name, each with how often it counts; of yaku, dora alone can count more than once."""
    listed = winner.get("fan_list") or winner.get("yaku") or {}
    repeats = SYSTEMS[system].worth.counts_times
    return [
        fan_name(system, code) + (f" ×{times}" if times > 1 and (repeats or "dora" in code) else "")
        for code, times in listed.items()
    ]


def regulation_in_words(tournament: Tournament) -> list[str]:
    """Tell the event's regulation in sentences, and the house rules of the preset it began from."""
    return describe(
        tournament.regulation_value,
        tournament.system,
        get_language() or "en",
        house_rules=PRESETS[tournament.preset].house_rules if tournament.preset in PRESETS else (),
        currency=tournament.currency,
    )
