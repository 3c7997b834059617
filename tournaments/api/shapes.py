"""What the API says: one class for each object, each field with its type and its meaning."""

from dataclasses import dataclass
from typing import Annotated, Any

from scoring.problems import gettext_noop
from scoring.systems import SYSTEMS


class OneOf(tuple[str, ...]):
    """The values that a text may have, beside its type: they are known only when the program runs."""

    def __new__(cls, *values: str) -> "OneOf":
        """Take the values one by one."""
        return super().__new__(cls, values)


Digest = Annotated[str, gettext_noop("SHA-256 in hexadecimal digits; empty where there is none yet")]
Exact = Annotated[str, gettext_noop("An exact number: “12”, “-3”, “31/3”")]
Wind = Annotated[str, OneOf("E", "S", "W", "N")]
Anything = dict[str, Any]


@dataclass(frozen=True)
class PageFacts:
    """Which page of a list this is."""

    number: Annotated[int, gettext_noop("Number of this page, from 1")]
    size: Annotated[int, gettext_noop("Rows on a page")]
    count: Annotated[int, gettext_noop("Number of pages")]
    total: Annotated[int, gettext_noop("Rows in all")]


@dataclass(frozen=True)
class Index:
    """Where to begin."""

    name: str
    version: Annotated[
        int, gettext_noop("Version of the API; what is described here does not change within it")
    ]
    tournaments: Annotated[str, gettext_noop("Address of the list of events")]
    openapi: Annotated[str, gettext_noop("Address of the description for programs")]
    documentation: Annotated[str, gettext_noop("Address of the description for people")]


@dataclass(frozen=True)
class TournamentFace:
    """An event, briefly."""

    slug: Annotated[str, gettext_noop("The event's word in addresses")]
    name: str
    system: Annotated[str, OneOf(*SYSTEMS), gettext_noop("System of play")]
    state: Annotated[
        str,
        OneOf("announced", "running", "closed", "cancelled"),
        gettext_noop("Registration, in play, finished, or cancelled"),
    ]
    first_day: Annotated[str, gettext_noop("Day as YYYY-MM-DD")]
    last_day: Annotated[str, gettext_noop("Day as YYYY-MM-DD")]
    city: str
    venue: str
    time_zone: Annotated[str, gettext_noop("Time zone of the event by its IANA name")]
    cancel_reason: Annotated[str, gettext_noop("Why the event is cancelled; else empty")]
    players: Annotated[int, gettext_noop("Players on the list")]
    url: Annotated[str, gettext_noop("Address of the whole event in this API")]
    page: Annotated[str, gettext_noop("Address of the page for people")]


@dataclass(frozen=True)
class TournamentList:
    """A page of events, the newest first."""

    page: PageFacts
    tournaments: list[TournamentFace]


@dataclass(frozen=True)
class SessionFace:
    """A session, briefly."""

    number: int
    state: Annotated[str, OneOf("planned", "open", "closed"), gettext_noop("To come, in play, or over")]
    published: Annotated[bool, gettext_noop("Whether its seating is public")]
    planned_at: Annotated[str | None, gettext_noop("Instant in UTC")]
    started_at: Annotated[str | None, gettext_noop("Instant in UTC")]
    ended_at: Annotated[str | None, gettext_noop("Instant in UTC")]
    minutes: Annotated[int, gettext_noop("Length by the regulation in force for it")]
    checkpoint: Annotated[Digest, gettext_noop("Digest that seals a closed session")]


@dataclass(frozen=True)
class TournamentWhole:
    """An event with its regulation and sessions."""

    tournament: TournamentFace
    description: str
    currency: str
    preset: Annotated[str, gettext_noop("The shipped regulation it began from")]
    registration_opens_at: Annotated[str | None, gettext_noop("Instant in UTC")]
    registration_closes_at: Annotated[str | None, gettext_noop("Instant in UTC")]
    regulation: Annotated[
        Anything, gettext_noop("Every value of the regulation, as docs/RECORD.md describes it")
    ]
    sessions: list[SessionFace]
    revision: Annotated[int, gettext_noop("Revision of the standings; it grows with every change")]


@dataclass(frozen=True)
class PlayerFace:
    """A player, with what is public."""

    number: Annotated[int, gettext_noop("Number on the list")]
    name: Annotated[str | None, gettext_noop("Null once the person's data was erased")]
    country: Annotated[str, gettext_noop("Two letters by ISO 3166, or empty")]
    region: str
    city: str
    club: str
    team: str
    group: str
    ema_number: Annotated[str, gettext_noop("Number of the European federation, or empty")]
    status: Annotated[str, OneOf("active", "waiting", "withdrawn", "removed", "disqualified")]
    first_session: int
    last_session: int | None


@dataclass(frozen=True)
class PlayerList:
    """A page of players."""

    page: PageFacts
    players: list[PlayerFace]


@dataclass(frozen=True)
class StandingRow:
    """A row of the standings."""

    place: Annotated[int | None, gettext_noop("Null for who has no place")]
    shared: Annotated[bool, gettext_noop("Whether others have the same place")]
    number: Annotated[int, gettext_noop("Number on the list")]
    name: str
    country: str
    club: str
    team: str
    decided_by: Annotated[
        str, gettext_noop("Criterion that parts the row from the one above; empty where the first does")
    ]
    values: Annotated[dict[str, Exact | None], gettext_noop("Exact values by criterion")]


@dataclass(frozen=True)
class GroupRow:
    """A team or group in its table."""

    place: int | None
    shared: bool
    name: str
    members: Annotated[list[int], gettext_noop("Numbers of the players who count")]
    values: Annotated[dict[str, Exact | None], gettext_noop("Exact values by criterion")]


@dataclass(frozen=True)
class GroupTable:
    """A table of teams or groups."""

    by: Annotated[
        str, gettext_noop("What the members have in common: team, club, country, region, city, group")
    ]
    rows: list[GroupRow]


@dataclass(frozen=True)
class Standings:
    """A page of the standings, from the newest snapshot."""

    page: PageFacts
    revision: Annotated[int, gettext_noop("Revision of the standings; it grows with every change")]
    provisional: Annotated[bool, gettext_noop("Whether a session in play is counted")]
    frozen_after: Annotated[
        int | None,
        gettext_noop(
            "The session after which the standings are frozen until they are revealed; null where they are not. A player "
            "without a place is not revealed yet"
        ),
    ]
    ranking: Annotated[list[str], gettext_noop("Criteria in their order")]
    rows: list[StandingRow]
    groups: list[GroupTable]


@dataclass(frozen=True)
class PlayerSeat:
    """Where a player sits, or sat, in a session."""

    session: int
    table: int
    label: Annotated[int, gettext_noop("The number that it bears in the hall")]
    wind: Wind
    replaced: Annotated[bool, gettext_noop("Whether somebody else sits for the player")]


@dataclass(frozen=True)
class PlayerResult:
    """What one session brought a player."""

    session: int
    table: int | None
    game_points: Exact | None
    tournament_points: Exact | None
    place: Annotated[Exact | None, gettext_noop("Place at the table; a shared one is a fraction")]
    kind: Annotated[str, gettext_noop("Where the result comes from: played, fixed, awarded, adjusted")]


@dataclass(frozen=True)
class AccountLine:
    """Points that no hand brought, in force: a penalty, a lateness, a decision."""

    session: int | None
    origin: Annotated[str, OneOf("desk", "penalty", "lateness", "appeal")]
    game_points: int | None
    tournament_points: Exact | None
    reason: str


@dataclass(frozen=True)
class PlayerWhole:
    """A player with seats, results and standing."""

    player: PlayerFace
    seats: list[PlayerSeat]
    results: list[PlayerResult]
    account: list[AccountLine]
    place: int | None
    values: Annotated[dict[str, Exact | None], gettext_noop("Exact values by criterion")]


@dataclass(frozen=True)
class SessionList:
    """All sessions of an event."""

    sessions: list[SessionFace]


@dataclass(frozen=True)
class SeatFact:
    """A seat at a table."""

    wind: Wind
    number: Annotated[
        int | None, gettext_noop("Number of who sits here; null for a substitute or an empty seat")
    ]
    name: Annotated[str | None, gettext_noop("Name of who sits here; null for an empty seat")]
    kept_for: Annotated[
        int | None, gettext_noop("Number of the player whose place it is, when somebody else sits")
    ]
    from_hand: Annotated[int, gettext_noop("The first hand that this person plays here")]
    left_after: Annotated[
        int | None,
        gettext_noop(
            "The last hand of a player who left in the middle of the session; null where nobody did"
        ),
    ]
    points: Annotated[
        int | None,
        gettext_noop(
            "Game points of the hands so far; null while the standings are frozen before this session"
        ),
    ]
    confirmed: Annotated[bool, gettext_noop("Whether the player has confirmed the result")]


@dataclass(frozen=True)
class TableFace:
    """A table of a session: its seating and how far it is."""

    number: Annotated[int, gettext_noop("The number within the event, from 1 on")]
    label: Annotated[int, gettext_noop("The number that it bears in the hall")]
    state: Annotated[
        Annotated[str, OneOf("open", "ended", "confirmed", "signed_off")] | None,
        gettext_noop("Null where no game is played"),
    ]
    seats: list[SeatFact]


@dataclass(frozen=True)
class SessionWhole:
    """A session with its seating; only sessions whose seating is published."""

    session: SessionFace
    seating_mode: Annotated[
        str, gettext_noop("How it was seated: fixed, programmed, swiss, random, or by hand")
    ]
    seed: Annotated[str, gettext_noop("Seed by which the draw can be repeated")]
    method: Annotated[str, gettext_noop("Method of the draw")]
    tables: list[TableFace]


@dataclass(frozen=True)
class HandFact:
    """A hand in force."""

    number: int
    round: Wind
    dealer: Wind
    counters: int
    facts: Annotated[Anything, gettext_noop("What happened, as docs/RECORD.md describes it")]
    payments: Annotated[dict[str, int], gettext_noop("Signed game points by seat")]
    unpaid: Annotated[int, gettext_noop("Points that went to nobody")]
    recorded_at: Annotated[str, gettext_noop("Instant in UTC")]


@dataclass(frozen=True)
class FinalFact:
    """Points counted at the end, where hands are not recorded."""

    points: Annotated[dict[str, int], gettext_noop("Points by seat")]
    left_on_table: int


@dataclass(frozen=True)
class TableWhole:
    """The protocol of a table, hand by hand."""

    session: int
    table: TableFace
    mode: Annotated[str, OneOf("hands", "final_result"), gettext_noop("How the table is recorded")]
    entries: Annotated[int, gettext_noop("Entries in the history of this protocol")]
    head: Annotated[Digest, gettext_noop("Digest of the newest of them")]
    hands: list[HandFact]
    final: FinalFact | None


@dataclass(frozen=True)
class ChainHead:
    """The newest entry of a protocol's history."""

    session: int
    table: int
    entries: int
    head: Digest


@dataclass(frozen=True)
class Checkpoint:
    """The seal of a closed session."""

    session: int
    digest: Digest


@dataclass(frozen=True)
class History:
    """Digests by which a record can be held against what was published."""

    page: PageFacts
    entries: Annotated[int, gettext_noop("Entries in the history of the event itself")]
    head: Annotated[Digest, gettext_noop("Digest of the newest of them")]
    checkpoints: list[Checkpoint]
    protocols: list[ChainHead]


@dataclass(frozen=True)
class ProblemLine:
    """One thing that is wrong."""

    code: Annotated[str, gettext_noop("A word for programs; it does not change")]
    field: Annotated[str, gettext_noop("The parameter in question, or empty")]
    sentence: Annotated[str, gettext_noop("The same for people, in the language asked for")]
    clause: str


@dataclass(frozen=True)
class ProblemAnswer:
    """Why a request was not answered (RFC 9457)."""

    type: str
    status: int
    code: Annotated[str, gettext_noop("A word for programs; it does not change")]
    title: Annotated[str, gettext_noop("The same for people, in the language asked for")]
    problems: list[ProblemLine]


MEANINGS: dict[type, str] = {
    PageFacts: gettext_noop("Which page of a list this is."),
    Index: gettext_noop("Where to begin."),
    TournamentFace: gettext_noop("An event, briefly."),
    TournamentList: gettext_noop("A page of events, the newest first."),
    SessionFace: gettext_noop("A session, briefly."),
    TournamentWhole: gettext_noop("An event with its regulation and sessions."),
    PlayerFace: gettext_noop("A player, with what is public."),
    PlayerList: gettext_noop("A page of players."),
    StandingRow: gettext_noop("A row of the standings."),
    GroupRow: gettext_noop("A team or group in its table."),
    GroupTable: gettext_noop("A table of teams or groups."),
    Standings: gettext_noop("A page of the standings, from the newest snapshot."),
    PlayerSeat: gettext_noop("Where a player sits, or sat, in a session."),
    PlayerResult: gettext_noop("What one session brought a player."),
    AccountLine: gettext_noop("Points that no hand brought, in force: a penalty, a lateness, a decision."),
    PlayerWhole: gettext_noop("A player with seats, results and standing."),
    SessionList: gettext_noop("All sessions of an event."),
    SeatFact: gettext_noop("A seat at a table."),
    TableFace: gettext_noop("A table of a session: its seating and how far it is."),
    SessionWhole: gettext_noop("A session with its seating; only sessions whose seating is published."),
    HandFact: gettext_noop("A hand in force."),
    FinalFact: gettext_noop("Points counted at the end, where hands are not recorded."),
    TableWhole: gettext_noop("The protocol of a table, hand by hand."),
    ChainHead: gettext_noop("The newest entry of a protocol's history."),
    Checkpoint: gettext_noop("The seal of a closed session."),
    History: gettext_noop("Digests by which a record can be held against what was published."),
    ProblemLine: gettext_noop("One thing that is wrong."),
    ProblemAnswer: gettext_noop("Why a request was not answered (RFC 9457)."),
}
"""The same for readers in their own language."""
