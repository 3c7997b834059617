"""What penalties cost: steps in the order given, who pays and who receives, and what may be given at all."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from scoring.problems import Problem, gettext_noop
from scoring.regulation import Ladder, LadderScope, PenaltyRules, Regulation, Timing
from scoring.standings.sessions import Charge, Step, climb, ladder_key, step

Player = Hashable
TABLE = "table"


@dataclass(frozen=True)
class Given:
    """A penalty as it was given; one that was revoked, or still needs an approval, does not count."""

    key: Hashable
    player: Player
    session: int | None
    offence: str
    kind: str
    effect: str
    hand: int | None = None
    points: int = 0
    tournament_points: Fraction = Fraction(0)
    to: Player | None = None
    timing: Timing | None = None
    counts: bool = True
    is_on_ladder: bool = False
    """Whether it was decided otherwise than its ladder says, and takes a step of it all the same. [RULES 8.57]"""


@dataclass(frozen=True)
class Priced:
    """A penalty with its step on the ladder, if it has one, and the charges that it brings."""

    given: Given
    step: Step | None
    charges: tuple[Charge, ...]


Rules = Callable[[int | None], Regulation]
Others = Callable[[int | None, Player], Sequence[Player]]


def priced(penalties: Sequence[Given], rules_of: Rules, others: Others) -> list[Priced]:
    """Return what every penalty costs and whom; a revoked one moves later ones down. [RULES 8.38] [RULES 8.39]

    `rules_of` gives the regulation of a session, `others` who else sits at a player's table there.
    """
    steps = climb(_rung(given, rules_of, others) for given in penalties)
    return [
        Priced(given, reached, tuple(_charges(given, _price(given, reached, rules_of), rules_of, others)))
        for given, reached in zip(penalties, steps, strict=True)
    ]


def next_step(
    ladder: Ladder, given: Given, earlier: Sequence[Given], rules_of: Rules, others: Others
) -> Step:
    """Return which step a penalty would reach after the earlier ones. [SBR 2.8.2]"""
    wanted = _rung(given, rules_of, others)
    count = sum(1 for one in earlier if _rung(one, rules_of, others) == wanted)
    return step(ladder, count + 1)


def is_last(ladder: Ladder, reached: Step) -> bool:
    """Return whether the step is the last of its ladder: a TP penalty or removal may follow by decision. [SBR 2.8.2]"""
    return reached.number == len(ladder.steps)


def _rung(given: Given, rules_of: Rules, others: Others) -> tuple[Ladder, Hashable] | None:
    """Find the ladder on which a penalty counts, and what it is counted with."""
    if (given.kind != "ladder" and not given.is_on_ladder) or not given.counts:
        return None
    ladder = rules_of(given.session).penalties.ladder_of(given.offence)
    if ladder is None:
        return None
    size = len(others(given.session, given.player)) + 1
    return ladder, ladder_key(ladder, given.player, given.session, given.hand, size)


def _price(given: Given, reached: Step | None, rules_of: Rules) -> int:
    """Return how many GP a penalty takes for each who receives them."""
    if not given.counts or given.effect != "game_points":
        return 0
    if given.kind == "fixed":
        return rules_of(given.session).penalties.fixed.get(given.offence, 0)
    return reached.cost if reached and given.kind == "ladder" else given.points


def _charges(given: Given, cost: int, rules_of: Rules, others: Others) -> Iterator[Charge]:
    """Charge the offender once for each who receives, or once for nobody. [RULES 8.39] [RULES 8.36]"""
    timing = given.timing or rules_of(given.session).penalties.timing
    if given.counts and given.effect == "tournament_points":
        taken = -given.tournament_points
        yield Charge(given.player, given.session, tournament_points=taken, timing=timing)
    if not cost:
        return
    receivers = list(others(given.session, given.player)) if given.to == TABLE else [given.to]
    if given.to is None:
        yield Charge(given.player, given.session, -cost, timing=timing)
        return
    if receivers:
        yield Charge(given.player, given.session, -cost * len(receivers), timing=timing)
    for receiver in receivers:
        yield Charge(receiver, given.session, cost, timing=timing)


# What may be given


@dataclass(frozen=True)
class ProposedPenalty:
    """A penalty as somebody wants to give it, before it is checked."""

    offence: str
    kind: str
    effect: str
    clause: str
    reason: str = ""
    session: int | None = None
    hand: int | None = None
    points: Fraction | None = None
    is_received: bool = False
    has_until: bool = False
    step_cost: int = 0
    """What the next step of its ladder costs, where the offence stands on one: a decision is no milder. [RULES 8.57]"""


def limit(rules: PenaltyRules) -> int:
    """Find the most that a referee may take alone: the highest number that the regulation names. [RULES 1.8]"""
    named = [
        *(ladder.steps[-1] for ladder in rules.ladders),
        *rules.fixed.values(),
        *(max((*bounds.amounts, bounds.most or 0)) for bounds in rules.decision.values()),
    ]
    return max(named, default=0)


def problems(wanted: ProposedPenalty, regulation: Regulation, *, is_chief: bool) -> list[Problem]:
    """Return why a penalty cannot be given as it is wanted. [RULES 1.8] [INTEGRITY 7.5]"""
    found = [*_kind_problems(wanted, regulation.penalties), *_reason_problems(wanted)]
    found += _receiver_problems(wanted)
    if wanted.kind == "decision" and wanted.effect == "game_points":
        found += _amount_problems(wanted, regulation, is_chief=is_chief)
    if wanted.effect == "tournament_points":
        found += _tp_problems(wanted, is_chief=is_chief)
    if wanted.effect == "removal" and not is_chief:
        found.append(Problem("penalty_limit", CHIEF_ONLY, "effect", "SBR 2.8.5"))
    if wanted.has_until and wanted.effect != "disqualification":
        found.append(Problem("until_unexpected", UNTIL, "until", "RECORD 2"))
    return found


def _kind_problems(wanted: ProposedPenalty, rules: PenaltyRules) -> Iterator[Problem]:
    ladder = rules.ladder_of(wanted.offence)
    if (wanted.kind == "ladder" and ladder is None) or (
        wanted.kind == "fixed" and wanted.offence not in rules.fixed
    ):
        yield Problem("penalty_type", PENALTY_TYPE, "offence", "RULES 1.8")
    if wanted.kind != "decision" and wanted.effect != "game_points":
        yield Problem("penalty_type", EFFECT, "effect", "RECORD 2")
    if wanted.kind == "ladder" and ladder is not None and ladder.scope is not LadderScope.TOURNAMENT:
        if wanted.session is None:
            yield Problem("session_needed", SESSION_NEEDED, "session", "RECORD 2")
        if ladder.scope is LadderScope.ROUND and wanted.hand is None:
            yield Problem("hand_needed", HAND_NEEDED, "hand", "RULES 8.38")
    if wanted.effect == "dead_hand" and wanted.hand is None:
        yield Problem("hand_needed", HAND_NEEDED, "hand", "SBR 2.8.3")


def _reason_problems(wanted: ProposedPenalty) -> Iterator[Problem]:
    """Return why a reason is missing: only a named offence needs neither clause nor description. [INTEGRITY 117]"""
    if not wanted.clause.strip() or (wanted.offence == "other" and not wanted.reason.strip()):
        field = "reason" if wanted.clause.strip() else "clause"
        yield Problem("reason_required", REASON_REQUIRED, field, "RULES 1.8")
    elif len(wanted.reason) > 5000 or len(wanted.clause) > 60:
        field = "reason" if len(wanted.reason) > 5000 else "clause"
        yield Problem("reason_length", REASON_LENGTH, field, "RULES 1.8")


def _receiver_problems(wanted: ProposedPenalty) -> Iterator[Problem]:
    if not wanted.is_received:
        return
    if wanted.effect != "game_points":
        yield Problem("receiver", RECEIVER, "to", "RULES 8.39")
    if wanted.session is None:
        yield Problem("session_needed", SESSION_NEEDED, "session", "RULES 8.39")


def _amount_problems(wanted: ProposedPenalty, regulation: Regulation, *, is_chief: bool) -> Iterator[Problem]:
    """Return why an amount is refused: it must be whole steps within the bounds of offence and role. [INTEGRITY 114, 115]"""
    points, unit = wanted.points, regulation.points_unit
    highest = limit(regulation.penalties)
    if points is None or points <= 0 or points > 10**6:
        yield Problem("penalty_amount", AMOUNT, "points", "RULES 1.8", {"max": highest or 10**6})
        return
    if points.denominator != 1 or points % unit:
        yield Problem("unit", UNIT, "points", "RULES 8.42", {"u": unit})
        return
    if points < wanted.step_cost:
        yield Problem("penalty_amount", MILDER, "points", "RULES 8.57", {"cost": wanted.step_cost})
        return
    bounds = regulation.penalties.bounds_of(wanted.offence)
    if bounds is not None and not bounds.allow(int(points)):
        allowed = ", ".join(map(str, bounds.amounts)) or f"{bounds.least}–{bounds.most}"
        yield Problem("penalty_amount", BOUNDS, "points", "RULES 1.8", {"allowed": allowed})
    elif points > highest and not is_chief:
        yield Problem("penalty_limit", LIMIT, "points", "RULES 1.8", {"max": highest})


def _tp_problems(wanted: ProposedPenalty, *, is_chief: bool) -> Iterator[Problem]:
    if wanted.points is None or not 0 < wanted.points <= 100:
        yield Problem("penalty_amount", TP_AMOUNT, "points", "SBR 2.8.2")
    elif not is_chief:
        yield Problem("penalty_limit", TP_CHIEF, "points", "SBR 2.8.2")


PENALTY_TYPE = gettext_noop("Choose a penalty from the list.")
EFFECT = gettext_noop("What this offence costs is fixed by the regulation.")
SESSION_NEEDED = gettext_noop("Name the session in which this happened.")
HAND_NEEDED = gettext_noop("Name the hand in which this happened.")
REASON_REQUIRED = gettext_noop("Name the article and describe the case.")
REASON_LENGTH = gettext_noop("Write at most 60 characters for the article and 5,000 for the description.")
RECEIVER = gettext_noop("Only game points can be given to others.")
AMOUNT = gettext_noop("Enter 1 to %(max)s points.")
MILDER = gettext_noop(
    "This offence stands on its ladder, where the next step costs %(cost)s; a price by decision is no lower."
)
BOUNDS = gettext_noop("This offence costs: %(allowed)s.")
UNIT = gettext_noop("Penalties are given in steps of %(u)s.")
LIMIT = gettext_noop("Penalties over %(max)s are given by the chief referee.")
TP_AMOUNT = gettext_noop("Enter how many tournament points are taken, for example 1 or 1/2.")
TP_CHIEF = gettext_noop("Penalties in tournament points are given by the chief referee.")
CHIEF_ONLY = gettext_noop("A removal is decided by the chief referee.")
UNTIL = gettext_noop("Only a disqualification has an end.")
