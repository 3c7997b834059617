"""What a system of play is: one object that knows everything in which it differs from the others.

Whoever needs something that depends on the system asks this object; nobody else names a system. A new system is a
folder beside the others with a `system.py`, listed in `scoring/systems/__init__.py`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.clauses import Clause
from scoring.examples import Example
from scoring.fields import Fields
from scoring.problems import Problem, gettext_noop
from scoring.seats import Seat, in_turn_from
from scoring.systems.base import ReplayedLog, Ruleset, Situation
from scoring.systems.explained import Explanation
from scoring.systems.legality import Legality
from scoring.systems.offences import Offence
from scoring.systems.settings import Setting
from scoring.terms import GENERAL, Terms
from scoring.tiles.tile_hands import Kit

Rules = Mapping[str, Any]
"""A regulation's settings of the system (`system_rules`)."""


@dataclass(frozen=True)
class RecordedHand:
    """What a system records of a hand: its events with their fields, its winners, and the check at the end. [RECORD 3]

    `end_states` is None where nothing is checked at an exhausted wall; `has_bets` says whether riichi bets are
    recorded, `aborts` names why hands may be broken off, and `tells_round` says whether the computed part of a record tells round, counters and bets left.
    """

    events: Mapping[str, frozenset[str]]
    winner_needs: frozenset[str]
    winner_may: frozenset[str]
    false_wins: tuple[str, ...] = ()
    end_states: frozenset[str] | None = None
    end_has_base: bool = False
    has_bets: bool = False
    aborts: Mapping[str, str] = field(default_factory=dict)
    tells_round: bool = False
    dead_hand_state: str = ""
    """What the check at the end says of a dead hand, where it says anything by itself."""


@dataclass(frozen=True)
class ListedFan:
    """A fan as a scorer can choose it from a list: its code in the record, and what it cannot stand beside."""

    code: str
    name: str
    points: int
    most: int
    excludes: tuple[str, ...] = ()
    only: str = ""


def all_tiles(rules: Rules) -> Kit:
    """Play with every suit and honor, and claim every set."""
    return Kit()


@dataclass(frozen=True)
class TileValue:
    """How a system values a hand tile by tile.

    `explain` reads the fields of a hand and explains it; `facts` turns an explanation into what the record keeps of a
    winner; `fans` names the fans by their codes in the record, and `choices` lists those a scorer can choose from.
    `flags` are marks of how the tile came, named by `marks` where no fan has their code; `asks` names what else
    `explain` reads: flowers, the forbidden suit, indicators.
    """

    explain: Callable[[Fields, Rules], Explanation]
    facts: Callable[[Explanation, Mapping[str, Any]], dict[str, Any]]
    fans: Mapping[str, str]
    flags: tuple[str, ...] = ()
    choices: Callable[[Rules], list[ListedFan]] | None = None
    knows_winds: bool = True
    knows_players: bool = False
    says_kong_kinds: bool = False
    waiting: Callable[[object, str], Mapping[str, Any]] | None = None
    kit: Callable[[Rules], Kit] = all_tiles
    asks: tuple[str, ...] = ()
    marks: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Worth:
    """What a recorded win is worth in the terms of its system, so that the best hands can be found.

    `of` takes what was recorded of the winner, the settings, and whether the winner dealt and drew the tile;
    `counts_times` says that a recorded fan carries how often it was found rather than what it is worth.
    """

    of: Callable[[Mapping[str, Any], Rules, bool, bool], int]
    in_fans: bool = False
    counts_times: bool = True
    in_payment: bool = False


@dataclass(frozen=True)
class Blank:
    """The paper protocol of a system: columns of the hand and of each player, and a reminder of the payments."""

    hand_columns: tuple[str, ...]
    player_columns: tuple[str, ...]
    reminders: tuple[str, ...] = ()
    is_wide: bool = False
    knows_dealers: bool = False
    """Whether the deal passes on whoever wins, so that the sheet can say who deals."""
    house_rules: tuple[str, ...] = ()
    """Settings that the sheet tells where a regulation plays them otherwise than the rulebook."""


def fits_any_regulation(regulation: Any) -> list[Problem]:
    """Find nothing wrong with a regulation: the system asks nothing of it."""
    return []


def from_the_dealer(at: Situation) -> tuple[Seat, ...]:
    """Return the occupied seats in turn from the dealer; whoever sits in them keeps them for the whole game."""
    return (at.dealer, *in_turn_from(at.dealer, at.seats))


def no_contradictions(rules: Rules, path: str) -> list[Problem]:
    """Find nothing wrong with settings that are independent of one another."""
    return []


def nothing_known(rules: Rules) -> Legality:
    """Return nothing: the tablet leaves it to the server which hands are possible."""
    return Legality()


@dataclass(frozen=True, kw_only=True)
class System:
    """One system of play. [RULES 1.1]"""

    code: str
    name: str
    short_name: str
    ruleset: Callable[[str, Rules], Ruleset]
    recorded: RecordedHand
    tiles: TileValue
    worth: Worth
    blank: Blank
    offences: tuple[Offence, ...]
    clauses: tuple[Clause, ...]
    examples: tuple[Example, ...] = ()
    """Hands worked out for readers, those that the rulebook prints among them; tests hold them against the arithmetic."""
    examples_of: str = ""
    """Where its rulebook works out no hand: the system whose examples show what its hands are worth."""
    terms: Terms = GENERAL
    """The words of its rulebook, in which everything that belongs to an event of this system is said."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    always: tuple[str, ...] = ()
    """Sentences of its rulebook that no setting changes, and that an event's regulation tells."""
    setting_problems: Callable[[Rules, str], list[Problem]] = no_contradictions
    regulation_problems: Callable[[Any], list[Problem]] = fits_any_regulation
    """What the system asks of the other values of a regulation."""
    turn_order: Callable[[Situation], tuple[Seat, ...]] = from_the_dealer
    """Who sits where in a hand, from its dealer on: another order only where players change seats between rounds."""
    legality: Callable[[Rules], Legality] = nothing_known
    """What a tablet looks up to refuse an impossible hand by itself."""
    doors: Mapping[str, Callable[[Mapping[str, object]], Mapping[str, object]]] = field(default_factory=dict)
    """Names under which docs/HANDS.md knows the system, each with the function that answers its cases."""
    limits: Mapping[str, str] = field(default_factory=dict)
    """Names of the limits that stand for a hand's value in its record."""
    lateness_clause: str = "SBR 2.8.4.5"
    has_uma: bool = False
    """Whether places can bring uma beside the points."""
    final_referee_clause: str = ""
    """Where the chief referee's decisions are final: an assistant's may still be taken to the chief referee."""
    replay: Callable[[bytes, Rules], ReplayedLog] | None = None
    """Where logs of other programs can be played again, the function that does it."""
    final_hand_clause: str = ""
    """Where nobody disputes the count of a hand once it was checked at the table."""

    def __str__(self) -> str:
        """Return the code."""
        return self.code

    def __reduce__(self) -> tuple[Callable[[str], "System"], tuple[str]]:
        """Pickle by the code: there is one object for each system."""
        from scoring.systems import system

        return system, (self.code,)


WHO, FROM, POINTS = gettext_noop("Winner"), gettext_noop("From"), gettext_noop("Points")
CHANGE, TOTAL = "±", gettext_noop("Total")
FLOWERS = gettext_noop("Flowers")
"""Columns that the papers of several systems share."""
