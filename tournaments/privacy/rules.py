"""Every field that says something of a person: whether it is erased on request, or kept and why.

One list: erasure blanks what it names, the pages and the privacy notice tell people its reasons, and a test walks all
models and fails for a field that stands on neither side.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from scoring.problems import Problem, gettext_noop
from tournaments.person_fields import GROUPINGS, OF_THE_PLAYER

DAYS_TO_ANSWER = 30


class Why(StrEnum):
    """Why something about a person is kept although its name is erased."""

    RESULT = gettext_noop(
        "Results belong to everybody who sat at the table: seats, hands, points and places stay, under a number."
    )
    TABLES = gettext_noop(
        "Where the event has a table of teams, clubs, countries or groups, a player who has played stays counted there; "
        "another team's place would change otherwise."
    )
    DECISION = gettext_noop(
        "Penalties, lateness, rulings and the reasons that officials wrote are decisions of the event; they are about a "
        "number from then on."
    )
    SEALED = gettext_noop(
        "The history is sealed entry by entry and holds numbers, not names. Only a reason that an official typed may "
        "name somebody; it cannot be taken out without breaking the seal, and only the event's staff can read it."
    )
    DRAW = gettext_noop(
        "A published draw can be repeated by anybody. What it was made from stays: number, team, club, region, "
        "country and city of those who took part, without names."
    )
    ACTOR = gettext_noop(
        "Who decided something is kept as the number of an account, which says nothing once it is deleted."
    )
    TIME = gettext_noop("Times and technical numbers say nothing of a person whose name is gone.")
    DERIVED = gettext_noop("Worked out anew from the rest within seconds.")
    MODERATION = gettext_noop(
        "Reports of abuse and the operator's log are kept so that what an operator does can be checked; they hold numbers."
    )


ABOUT_PLAYERS = (Why.RESULT, Why.TABLES, Why.DECISION, Why.SEALED, Why.DRAW)
"""The reasons that concern a player; the others are about accounts and the site's own work."""


@dataclass(frozen=True)
class Fate:
    """What becomes of the fields of one model: those that are erased, those that are kept with the reason."""

    erased: tuple[str, ...] = ()
    kept: Mapping[str, Why] = field(default_factory=dict)
    whole_rows: bool = False


def _kept(**reasons: str) -> dict[str, Why]:
    """Name for each reason the fields that it keeps, parted by spaces."""
    return {name: Why[reason.upper()] for reason, names in reasons.items() for name in names.split()}


FATES: Mapping[str, Fate] = {
    "tournaments.Player": Fate(
        erased=("code", "search_key", *(one.column for one in OF_THE_PLAYER)),
        kept=_kept(result="id tournament", time="erased_at"),
    ),
    "tournaments.Registration": Fate(
        erased=("comment", "link_version", "language", "answers", "may_be_remembered"),
        kept=_kept(
            result="id tournament player number status first_session last_session lot",
            time="checked_in_at paid_at offered_until passed_over_at created_at withdrawn_at",
            decision="disqualified_until cleared",
        ),
    ),
    "tournaments.Mail": Fate(
        erased=(
            "id", "tournament", "registration", "kind", "key", "language", "facts", "text", "state", "attempts",
            "due_at", "claimed_at", "sent_at", "error", "queued_at",
        ),
        whole_rows=True,
    ),
    "tournaments.PushSubscription": Fate(
        erased=(
            "id", "tournament", "registration", "endpoint", "endpoint_digest", "p256dh", "auth", "sorts", "is_own", "language",
            "quiet_from", "quiet_until", "created_at",
        ),
        whole_rows=True,
    ),
    "tournaments.PushNotice": Fate(
        erased=(
            "id", "subscription", "sort", "key", "facts", "state", "attempts", "due_at", "expires_at", "claimed_at", "queued_at",
        ),
        whole_rows=True,
    ),
    "tournaments.Substitute": Fate(kept=_kept(result="id tournament player is_assistant")),
    "tournaments.Team": Fate(erased=("name",), kept=_kept(tables="id tournament captain")),
    "tournaments.ErasureRequest": Fate(
        kept=_kept(moderation="id tournament player state answer", time="requested_at due_on answered_at")
    ),
    "tournaments.User": Fate(
        erased=(
            "password", "last_login", "username", "first_name", "last_name", "email", "is_active", "is_staff",
            "approved_at",
        ),
        kept=_kept(actor="id", time="date_joined erased_at is_superuser"),
    ),
    "tournaments.User_groups": Fate(erased=("id", "user", "group"), whole_rows=True),
    "tournaments.User_user_permissions": Fate(erased=("id", "user", "permission"), whole_rows=True),
    "tournaments.Role": Fate(
        erased=("id", "tournament", "kind", "user", "player", "name", "name_latin", "created_at"),
        whole_rows=True,
    ),
    "tournaments.Invitation": Fate(
        erased=("name", "name_latin", "used_by"),
        kept=_kept(actor="made_by", time="id tournament kind hands_over secret_digest made_at expires_at withdrawn_at used_at"),
    ),
    "tournaments.EventTemplate": Fate(
        erased=("id", "owner", "name", "system", "preset", "regulation", "settings", "made_at"), whole_rows=True
    ),
    "tournaments.SamePerson": Fate(erased=("id", "owner", "first", "second", "are_two", "made_at"), whole_rows=True),
    "account.EmailAddress": Fate(erased=("id", "user", "email", "verified", "primary"), whole_rows=True),
    "account.EmailConfirmation": Fate(
        erased=("id", "email_address", "created", "sent", "key"), whole_rows=True
    ),
    "mfa.Authenticator": Fate(
        erased=("id", "user", "type", "data", "created_at", "last_used_at"), whole_rows=True
    ),
    "usersessions.UserSession": Fate(
        erased=("id", "user", "created_at", "ip", "last_seen_at", "session_key", "user_agent", "data"),
        whole_rows=True,
    ),
    "sessions.Session": Fate(erased=("session_key", "session_data", "expire_date"), whole_rows=True),
    "tournaments.Tournament": Fate(
        kept=_kept(
            actor="created_by",
            result="id slug name system preset regulation state cancelled_at cancel_reason listing time_zone first_day last_day city venue"
            " description currency prize_places first_table language registration_opens_at registration_closes_at offer_hours mails_players asks_pin frozen_after places_hidden quotas questions frame_sites is_demo rehearsal_of pace created_at entries",
        )
    ),
    "tournaments.MailText": Fate(
        kept=_kept(decision="id tournament kind language subject body is_current written_at")
    ),
    "tournaments.Seat": Fate(
        kept=_kept(result="id session table wind player kept_for from_hand left_after hand_points", time="confirmed_at")
    ),
    "tournaments.Adjustment": Fate(
        kept=_kept(
            decision="id tournament code session player origin game_points tournament_points result timing reason appeal",
            time="reversed_at posted_at",
        )
    ),
    "tournaments.TeamLine": Fate(
        kept=_kept(
            decision="id tournament code team session offence clause decided_by game_points tournament_points reason appeal"
            " reverse_reason",
            time="reversed_at posted_at",
        )
    ),
    "tournaments.Standing": Fate(
        kept=_kept(derived="id tournament player position place is_shared decided_by stage values lines")
    ),
    "tournaments.FrozenStandings": Fate(kept=_kept(derived="tournament said frozen_at")),
    "tournaments.Snapshot": Fate(kept=_kept(derived="tournament revision body made_at")),
    "tournaments.Chances": Fate(
        kept=_kept(derived="id tournament session tenth revision body made_at")
    ),
    "tournaments.HistoryEntry": Fate(
        kept=_kept(sealed="id tournament protocol number kind content previous digest at")
    ),
    "tournaments.Receipt": Fate(kept=_kept(sealed="id tournament key actor body_digest answer at")),
    "tournaments.Device": Fate(
        kept=_kept(
            actor="admitted_by",
            time="id tournament name tables credential_digest admitted_at revoked_at seen_at unsent at_table set_aside",
        )
    ),
    "tournaments.Admission": Fate(
        kept=_kept(
            actor="made_by",
            time="id tournament name tables secret_digest code_digest made_at expires_at used_at device moved_from",
        )
    ),
    "tournaments.Hand": Fate(
        kept=_kept(
            result="id protocol number facts dealer round_wind counters bets_left east south west north unpaid status"
            " replaces recorded_at",
            decision="reason",
        )
    ),
    "tournaments.HandCheck": Fate(
        erased=("text",), kept=_kept(result="id hand player wind is_right settled_at said_at")
    ),
    "tournaments.Objection": Fate(erased=("text",), kept=_kept(sealed="id entry player")),
    "tournaments.PaperAudit": Fate(kept=_kept(result="id tournament seed tables drawn_at")),
    "tournaments.PaperSheet": Fate(kept=_kept(result="id audit protocol hands typed_at")),
    "tournaments.FinalResult": Fate(
        kept=_kept(result="id protocol points left_on_table status recorded_at", decision="reason")
    ),
    "tournaments.HallScreen": Fate(
        erased=("message",), kept=_kept(time="tournament parts seconds is_held step")
    ),
    "tournaments.OperatorEntry": Fate(kept=_kept(moderation="id at by kind subject reason data")),
    "tournaments.AbuseReport": Fate(
        erased=("email",), kept=_kept(moderation="id tournament kind text", time="reported_at resolved_at")
    ),
    "seating.Commitment": Fate(kept=_kept(actor="made_by", draw="id tournament secret digest made_at")),
    "seating.Draw": Fate(
        kept=_kept(
            actor="made_by",
            draw="id tournament commitment sessions mode method seed settings inputs inputs_digest plan progress moved_at"
            " problems quality state edits pins reason is_repeatable repeated_at made_at published_at",
        )
    ),
    "penalties.Penalty": Fate(
        kept=_kept(
            actor="given_by approved_by revoked_by",
            decision="id tournament number code session table hand struck player offence clause kind is_on_ladder effect points"
            " tournament_points to to_player timing until decided_by reason state revoke_reason appeal status_before",
            time="given_at approved_at revoked_at",
        )
    ),
    "penalties.Lateness": Fate(
        kept=_kept(
            actor="noted_by",
            decision="id session player state seconds is_waived reason",
            time="noted_at arrived_at decided_at",
        )
    ),
    "penalties.Appeal": Fate(
        erased=("text", "heard"),
        kept=_kept(
            actor="deposit_taken_by deposit_returned_by",
            decision="id tournament number code session player by matter penalty lateness table hand struck state filed_actor deposit"
            " hearing_place",
            time="filed_at deposit_paid_at deposit_returned_at hearing_at ended_at",
        ),
    ),
    "penalties.Statement": Fate(erased=("text",), kept=_kept(decision="id appeal actor", time="at")),
    "penalties.Conflict": Fate(kept=_kept(actor="user", decision="id appeal", time="at")),
    "penalties.AppealFile": Fate(
        erased=("id", "appeal", "number", "name", "content_type", "size", "digest", "content", "added_at"),
        whole_rows=True,
    ),
    "penalties.Vote": Fate(kept=_kept(actor="member", decision="id appeal turn verdict", time="at")),
    "penalties.Ruling": Fate(
        kept=_kept(actor="signed_by", decision="id appeal by verdict reasons effect", time="at")
    ),
    "penalties.Line": Fate(kept=_kept(decision="id adjustment penalty lateness appeal")),
    "penalties.PrintRequest": Fate(
        kept=_kept(actor="asked_by", decision="id tournament kind number", time="asked_at printed_at")
    ),
}  # fmt: skip

NOT_PERSONAL: Mapping[str, str] = {
    "tournaments.Session": "a sitting of all tables: times, seed and regulation",
    "tournaments.Table": "a number, and whether a referee is called to it",
    "tournaments.RefereeCall": "when a table called a referee, and until when",
    "tournaments.Protocol": "how far the record of a table is",
    "tournaments.StandingsRevision": "two numbers",
    "tournaments.UsedLimit": "a digest and the moment at which it is gone",
    "config.Report": "how the site's own work went, such as a backup",
    "auth.Permission": "Django's own list",
    "auth.Group": "unused",
    "auth.Group_permissions": "unused",
    "contenttypes.ContentType": "Django's own list",
}
"""Models that say nothing of a person, nor lead to one."""


@dataclass(frozen=True)
class Situation:
    """Where a player stands when somebody asks to erase what is known of them."""

    is_running: bool = False
    is_on_the_list: bool = False
    is_at_a_table: bool = False
    has_played: bool = False
    open_appeals: tuple[int, ...] = ()


def erasure_problems(name: str, situation: Situation) -> list[Problem]:
    """Return why a player cannot be erased yet: those at the table and at the door need the name until it is over."""
    if situation.is_at_a_table or (situation.is_running and situation.is_on_the_list):
        return [Problem("still_playing", STILL_PLAYING, details={"name": name})]
    if situation.open_appeals:
        numbers = ", ".join(map(str, situation.open_appeals))
        return [Problem("appeals_open", APPEAL_OPEN, details={"numbers": numbers})]
    return []


def is_erased_at_once(situation: Situation) -> bool:
    """Return whether a player's own word is enough: nothing hangs on somebody who has not played and whose event has not begun."""
    return not (situation.has_played or situation.is_running or erasure_problems("", situation))


def reason_problems(reason: str, name: str) -> list[Problem]:
    """Refuse a reason that names the person whose name is to go: nothing takes it out of the history again."""
    said = set(re.findall(r"\w{3,}", reason.casefold()))
    if said & set(re.findall(r"\w{3,}", name.casefold())):
        return [Problem("reason_names", REASON_NAMES, field="reason")]
    return []


def kept_labels(tables: frozenset[str], *, has_played: bool) -> frozenset[str]:
    """Name the labels that stay: those by which a table of the event counts somebody who has played in it."""
    return tables & GROUPINGS.keys() if has_played else frozenset()


def due_day(today: date) -> date:
    """Return the day until which a request to be erased is answered."""
    return today + timedelta(days=DAYS_TO_ANSWER)


def forgotten_before(today: date, months: int) -> date | None:
    """Return the day such that contacts of events that ended before it are forgotten; none where they are kept for good."""
    if not months:
        return None
    count = today.year * 12 + today.month - 1 - months
    year, month = divmod(count, 12)
    return date(max(year, 1), month + 1, min(today.day, 28))


STILL_PLAYING = gettext_noop(
    "%(name)s still takes part: the tables and the door need the name. Take the player off the list first, or wait until"
    " the event is over."
)
REASON_NAMES = gettext_noop("The reason stays for good: write it without the name.")
APPEAL_OPEN = gettext_noop(
    "Appeals of this player are not decided yet: %(numbers)s. Rule on them or have them withdrawn first."
)
