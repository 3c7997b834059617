"""Appeals: until when, at what deposit, to whom; who may decide, and what a decision may say."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from scoring.problems import Problem, gettext_noop
from scoring.regulation import AppealRules
from tournaments.calendar import moved

SHORTEST, LONGEST = 20, 20_000


class Body(StrEnum):
    """Who rules on an appeal."""

    CHIEF_REFEREE = "chief_referee"
    COMMITTEE = "committee"


class Matter(StrEnum):
    """What an appeal is about."""

    RULES = "rules"
    OTHER = "other"


class Verdict(StrEnum):
    """How a body rules; a recommendation decides nothing."""

    UPHELD = "upheld"
    DISMISSED = "dismissed"
    RECOMMENDED = "recommended"


@dataclass(frozen=True)
class Filing:
    """An appeal as it is handed in: when the session ended, how long the text is, what else is open, for whom else."""

    session: int
    ended_at: datetime | None
    now: datetime
    length: int
    is_party: bool
    is_same_table: bool
    open_number: int | None = None
    speaks_for: str = ""
    known_at: datetime | None = None


TO_CHIEF_REFEREE = AppealRules(minutes=30, deposit_fees=0, committee=False)
"""Where the chief referee is final: an assistant's decision is taken to the chief referee, without a deposit. [RIICHI reg. 5.4] [RULES 8.53]"""


def deadline(
    rules: AppealRules | None, ended_at: datetime | None, known_at: datetime | None = None
) -> datetime | None:
    """Return the last moment in time; none while the session is played. [RULES 8.37] [RULES 8.53]

    It is counted from the session's actual end, or from when the decision was made known, if that was later.
    """
    if rules is None or ended_at is None:
        return None
    return moved(max(ended_at, known_at or ended_at), minutes=rules.minutes)


def is_in_time(
    rules: AppealRules, ended_at: datetime | None, now: datetime, known_at: datetime | None = None
) -> bool:
    """Return whether an appeal may still be filed; thirty minutes sharp are in time. [SBR 2.9.2] [RULES 8.37]"""
    until = deadline(rules, ended_at, known_at)
    return until is None or now <= until


def deposit(rules: AppealRules, entry_fee: Decimal) -> Decimal:
    """Work out the deposit: so many entry fees. [SBR 2.9.2]"""
    return rules.deposit_fees * entry_fee


def first_body(rules: AppealRules, matter: Matter, *, members: int = 1) -> Body:
    """Return who hears an appeal first: the chief referee on rules, the commissions on the rest. [SBR 2.9.3] [SBR 2.9.4]

    Without a committee, or with none of its members free of the case, the chief referee hears all. [SBR 2.9.5] [RULES 8.53]
    """
    if matter is Matter.OTHER and rules.committee and members:
        return Body.COMMITTEE
    return Body.CHIEF_REFEREE


def may_go_further(
    rules: AppealRules, matter: Matter, ruled_by: Body, verdict: Verdict, *, members: int = 1
) -> bool:
    """Return whether an author who is not satisfied may turn to the committee. [SBR 2.9.3] [SBR 2.9.5]"""
    return (
        rules.committee
        and members > 0
        and matter is Matter.RULES
        and ruled_by is Body.CHIEF_REFEREE
        and verdict is Verdict.DISMISSED
    )


def filing_problems(rules: AppealRules | None, filing: Filing, *, closed_at: str = "") -> list[Problem]:
    """Return why an appeal cannot be filed. [SBR 2.9.2] [RULES 8.53] [INTEGRITY 7.6]"""
    if rules is None:
        return [Problem("no_appeals", NO_APPEALS, clause="RIICHI reg. 5.4")]
    if filing.is_party and not filing.is_same_table and filing.speaks_for:
        player = {"player": filing.speaks_for}
        return [Problem("not_party", NOT_THEIR_TABLE, "against", "SBR 2.9.2", player)]
    if not filing.is_party or not filing.is_same_table:
        return [Problem("not_party", NOT_PARTY, clause="SBR 2.9.2")]
    if not is_in_time(rules, filing.ended_at, filing.now, filing.known_at):
        details = {"r": filing.session, "time": closed_at}
        return [Problem("appeal_late", LATE, "session", "SBR 2.9.2", details)]
    if filing.open_number is not None:
        return [Problem("appeal_exists", EXISTS, "text", "SBR 2.9.2", {"n": filing.open_number})]
    return text_problems(filing.length)


def text_problems(length: int) -> list[Problem]:
    """Return why a text is too short or too long for an appeal. [INTEGRITY 125]"""
    if SHORTEST <= length <= LONGEST:
        return []
    return [Problem("text_length", TEXT_LENGTH, "text", "SBR 2.9.2")]


def quorum(members: int) -> int:
    """Return how many votes a committee needs: more than half of those who may decide."""
    return members // 2 + 1


def is_parted(votes: Collection[int], members: int) -> bool:
    """Return whether all have voted and no verdict has more than half: the decision appealed against then stands. [RULES 9.40]"""
    return sum(votes) >= members and max(votes, default=0) < quorum(members)


def ruling_problems(
    rules: AppealRules,
    *,
    body: Body,
    matter: Matter,
    verdict: Verdict,
    is_party: bool,
    votes: int = 0,
    members: int = 0,
    is_parted: bool = False,
    has_chief: bool = True,
) -> list[Problem]:
    """Return why a body cannot rule so. [SBR 2.9.5] [INTEGRITY 130] [RULES 9.40]

    Members do not decide their own cases. On rules the committee may only recommend to the chief referee what it would
    decide; where no chief referee is free of the case it decides by itself. If its votes part, the decision stands.
    """
    if is_party:
        return [Problem("conflict_of_interest", OWN_CASE, clause="SBR 2.9.5")]
    is_enough = votes >= quorum(members) or (is_parted and verdict is Verdict.DISMISSED)
    if body is Body.COMMITTEE and not is_enough:
        details = {"n": votes, "m": quorum(members)}
        return [Problem("no_quorum", NO_QUORUM, clause="SBR 2.9.5", details=details)]
    if body is Body.COMMITTEE and verdict is Verdict.RECOMMENDED and not has_chief:
        return [Problem("only_committee", NOBODY_ADVISED, "verdict", "SBR 2.9.5")]
    if body is Body.COMMITTEE and matter is Matter.RULES and verdict is Verdict.UPHELD and has_chief:
        return [Problem("only_recommend", ONLY_RECOMMEND, "verdict", "SBR 2.9.5")]
    if body is Body.CHIEF_REFEREE and verdict is Verdict.RECOMMENDED:
        return [Problem("only_committee", ONLY_COMMITTEE, "verdict", "SBR 2.9.5")]
    return []


def order_problems(points: Collection[int], *, names_penalty: bool) -> list[Problem]:
    """Return why a result cannot be ordered: it must add up to nothing, unless it names a penalty. [INTEGRITY 131]"""
    total = sum(points)
    if total == 0 or names_penalty:
        return []
    return [Problem("not_zero_sum", NOT_ZERO_SUM, "points", "RULES 1.5", {"d": f"{total:+d}"})]


NO_APPEALS = gettext_noop("By this event's regulation the referees' decisions cannot be appealed.")
CHIEF_IS_FINAL = gettext_noop(
    "The chief referee's decisions are final here; a decision of an assistant can be taken to the chief referee."
)
HAND_IS_FINAL = gettext_noop(
    "All players have confirmed the count of this table, so it cannot be disputed any more."
)
NOT_PARTY = gettext_noop("You can appeal only about your own games.")
NOT_THEIR_TABLE = gettext_noop(
    "%(player)s did not play there: choose a table or a penalty of this player, or another player."
)
LATE = gettext_noop("Appeals for session %(r)s were possible until %(time)s.")
EXISTS = gettext_noop("Appeal no. %(n)s is open; add your text there.")
TEXT_LENGTH = gettext_noop("Write between 20 and 20,000 characters.")
OWN_CASE = gettext_noop("You are a party to this case.")
NO_QUORUM = gettext_noop("%(n)s of %(m)s votes needed.")
ONLY_RECOMMEND = gettext_noop(
    "The committee cannot overrule the chief referee on the rules; it may recommend a change."
)
NOBODY_ADVISED = gettext_noop(
    "No chief referee is free of this case, so nobody could follow a recommendation: uphold or dismiss the appeal."
)
ONLY_COMMITTEE = gettext_noop("Only the committee recommends; the chief referee decides.")
NOT_ZERO_SUM = gettext_noop("The ordered result adds up to %(d)s; it must be 0 or name a penalty.")
