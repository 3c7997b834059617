"""A world of two events with the same numbers, names and tables in both, and distinct people in distinct roles.

One tournament alone cannot show that a filter is missing: whatever is asked for, only its own rows are there. Here every
row has a neighbour that differs in nothing but the tournament, and the neighbour has one more of each kind, so that its
last number names nothing here.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.db import connection, models, transaction
from django.test import Client
from django.utils import timezone

from penalties.appeals import operations as appeals_operations
from penalties.ladder.operations import penalties as penal
from penalties.lateness import operations as lateness_operations
from penalties.models import Appeal
from penalties.tests import factories as judge
from seating.drafts import operations as draws
from tournaments.models import AbuseReport, Protocol, Registration, Role, Session, Table, Tournament, User
from tournaments.people.operations import registration
from tournaments.privacy import operations as privacy
from tournaments.public.operations import Steering, steer_hall
from tournaments.record.actors import Actor
from tournaments.sessions.operations import invitations, play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import adjustments, recompute
from tournaments.tables.operations import audits, devices, protocols, substitutes
from tournaments.tests import factories as make
from tournaments.web.access import link_of

REASON = "The paper protocol says otherwise."
STAFF = ("organizer", "chief_referee", "referee", "scorer", "committee")
EVERYBODY = (*STAFF, "device", "player", "stranger", "anyone")
PLAYERS = 8
SLUGS = {"theirs": "north-cup", "ours": "south-cup"}
PLAYING_STAFF = {"referee": (2, 1, "N"), "committee 2": (1, 2, "W"), "committee 3": (1, 1, "S")}
"""Who of the staff plays as well: a referee in play at table 1, a member whose seat was kept, a member at a party's table."""


@dataclass
class Event:
    """One of the two tournaments, with who works there and the names by which addresses find its rows."""

    tournament: Tournament
    staff: dict[str, User]
    credential: str = ""
    secret: str = ""
    code: str = ""
    invitation: str = ""
    drafts: dict[str, int] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    words: "Words" = field(default_factory=lambda: Words())

    @property
    def slug(self) -> str:
        """Return the address."""
        return self.tournament.slug

    def by(self, role: str) -> Actor:
        """Return whoever holds the role, with this one role."""
        user = self.staff[role]
        kind = role.partition(" ")[0]
        players = Role.objects.filter(tournament=self.tournament, user=user, player__isnull=False)
        actor = make.actor(user, *([kind] if kind in STAFF else []))
        return replace(actor, player_ids=frozenset(players.values_list("player_id", flat=True)))

    def client(self, role: str, *, number: int = 1) -> Client:
        """Return a browser signed in as the role; tablets carry their credential, players come by link alone."""
        client = Client()
        if role in self.staff:
            client.force_login(self.staff[role])
        elif role == "device":
            client.defaults["HTTP_AUTHORIZATION"] = f"Device {self.credential}"
        return client

    def registration(self, number: int) -> Registration:
        """Return the player's row on the list."""
        row = self.tournament.registrations.select_related("player").get(number=number)
        row.tournament = row.player.tournament = self.tournament
        return row

    def link(self, number: int) -> str:
        """Return the player's private link."""
        return link_of(self.registration(number))

    def session(self, number: int) -> Session:
        """Return a session with this tournament at hand."""
        row = self.tournament.sessions.get(number=number)
        row.tournament = self.tournament
        return row

    def table(self, session: int, number: int) -> Table:
        """Return a table with its session at hand."""
        rows = Table.objects.select_related("session__tournament", "protocol")
        return rows.get(session__tournament=self.tournament, session__number=session, number=number)

    def protocol(self, session: int, table: int) -> Protocol:
        """Return the protocol of a table."""
        rows = Protocol.objects.select_related("table__session__tournament")
        return rows.get(
            table__session__tournament=self.tournament, table__session__number=session, table__number=table
        )

    def player_at(self, session: int, table: int, wind: str) -> Registration:
        """Return who was seated there first."""
        seat = self.table(session, table).seats.get(wind=wind)
        row = Registration.objects.get(player_id=seat.kept_for_id or seat.player_id)
        return self.registration(row.number)

    def appeal(self, number: int) -> Appeal:
        """Return an appeal with this tournament at hand."""
        row = self.tournament.appeals.get(number=number)
        row.tournament = self.tournament
        return row

    def refresh(self) -> None:
        """Read the tournament anew."""
        self.tournament = Tournament.objects.get(pk=self.tournament.pk)


@dataclass
class Words:
    """What people type into free text in this world."""

    event: str = "Cup of the Four Winds"
    city: str = "Samara"
    text: str = "The referee counted the third claim twice."
    reason: str = REASON
    club: str = "Bamboo"
    team: str = "Cranes"
    name: str = "{bird}"
    account: str = ""


@dataclass
class World:
    """The event in which people act, and the neighbour that must not feel it."""

    ours: Event
    theirs: Event
    stranger: User
    done: dict[str, Any] = field(default_factory=dict)


def make_world(words: Words | None = None) -> World:
    """Make both events: the neighbour first, so that a query without its filter finds the neighbour's row first."""
    words = words or Words()
    theirs = make_event("theirs", words)
    ours = make_event("ours", words)
    add_one_more(theirs)
    stranger, operator = make.user("stranger"), make.operator()
    for event in (ours, theirs):
        event.staff |= {"stranger": stranger, "operator": operator}
        event.refresh()
    return World(ours, theirs, stranger)


def make_event(which: str, words: Words) -> Event:
    """Make an event in its second session of four: one behind it, one in play, one seated, one with a draft."""
    event = _announced(which, words)
    _register(event, words)
    _play_the_first(event)
    _play_the_second(event)
    _seat_the_third(event)
    _draft_the_fourth(event)
    _admit_tablets(event)
    _take_appeals(event)
    audits.draw_sample(event.tournament, seed="dice", size=100, by=event.by("organizer"))
    _ask_and_report(event, words)
    recompute.recompute(event.tournament.pk, waits=True)
    event.refresh()
    return event


def _announced(which: str, words: Words) -> Event:
    prefix = "n" if which == "theirs" else "s"
    names = (*STAFF, "referee 2", "committee 2", "committee 3")
    people = {role: _account(f"{prefix}-{role.replace(' ', '-')}", words) for role in names}
    announcement = replace(
        make.announcement(),
        name=words.event,
        slug=SLUGS[which],
        city=words.city,
        venue=words.city,
        description=words.text,
        currency="€",
    )
    organizer = people["organizer"]
    made = events.create_tournament(
        announcement, preset="sbr", by=make.actor(organizer), changes=regulation()
    )
    event = Event(made, people, words=words)
    by = event.by("organizer")
    for role in names[1:]:
        events.grant_role(made, people[role], role.partition(" ")[0], by=by)
    event.tournament = events.announce_tournament(made, by=by)
    return event


def _account(name: str, words: Words) -> User:
    user = make.user(name)
    if words.account:
        user.first_name = words.account[:100]
        user.save()
    return user


def regulation() -> dict[str, Any]:
    """Return what differs from the preset: places for eight, teams, a cut to a second stage that all pass."""
    return {
        "sessions": 4,
        "max_players": PLAYERS,
        "team_size": 4,
        "group_tables": [{"by": "team", "mode": "sum", "best": None, "ranking": ["tournament_points"]}],
        "entry_fee": "10",
        "stages": [{"from_session": 3, "carry": "full", "cut": None}],
    }


def details(number: int, words: Words) -> registration.Details:
    """Return what the player of a number says of themselves."""
    bird = make.BIRDS[number - 1]
    return registration.Details(
        name=words.name.format(bird=bird)[:100],
        country="RU" if number % 2 else "GB",
        city=words.city,
        region=words.city,
        club=words.club,
        team=f"{words.team} {1 + number % 2}"[:100],
        email=f"bird{number}@example.org",
        comment=words.text[:500],
    )


def _register(event: Event, words: Words) -> None:
    """Put eight on the list, one on the waiting list and one who cancelled; eight come."""
    of, by = event.tournament, event.by("organizer")
    for number in range(1, PLAYERS + 1):
        row = registration.register_player(of, details(number, words), by=by)
        registration.check_in(row, by=event.by("scorer"))
    registration.register_player(of, replace(details(9, words), team=""), by=by)
    cancelled = registration.register_player(of, replace(details(10, words), team=""), by=by)
    registration.withdraw(cancelled, by=by, reason=words.reason)
    for name in ("Мира", "Rooks"):
        registration.name_substitute(of, registration.Details(name=words.name.format(bird=name)[:100]), by=by)


def publish(event: Event, number: int) -> Session:
    """Seat a session at random from a seed that is the same in both events."""
    by = event.by("organizer")
    draw = draws.propose_random(event.tournament, event.session(number), by=by, seed=f"world {number}")
    draws.publish(draw, by=by)
    event.drafts[f"published {number}"] = draw.pk
    return event.session(number)


def _play_the_first(event: Event) -> None:
    """Play the first session to its end, with judgements of every kind and a substitute from the second hand on."""
    publish(event, 1)
    by = event.by("organizer")
    play.start_session(event.session(1), by=by)
    for table in (1, 2):
        for _ in range(3):
            make.record(event.protocol(1, table), by=event.by("scorer"))
    _judge_the_first(event)
    replaced = event.player_at(1, 2, "W").player
    substitute = event.tournament.substitutes.first()
    substitutes.seat_substitute(
        replaced, substitute, [event.session(1)], by=by, reason=event.words.reason, from_hand=2
    )
    for table in (1, 2):
        settle_table(event, 1, table)
    play.close_session(event.session(1), by=by)
    entry = adjustments.Entry(
        player=event.player_at(1, 1, "E").player,
        session=event.session(1),
        game_points=8,
        timing="after",
        reason=event.words.reason,
    )
    adjustments.post(event.tournament, entry, by=event.by("chief_referee"))


def _judge_the_first(event: Event) -> None:
    """Give a penalty of each state: in force, proposed, revoked; one of them a dead hand; and note a late player."""
    session, referee, chief = event.session(1), event.by("referee 2"), event.by("chief_referee")
    east, south = event.player_at(1, 1, "E").player, event.player_at(1, 2, "S").player
    north, west = event.player_at(1, 2, "N").player, event.player_at(1, 1, "W").player
    said = {"reason": event.words.text}
    judge.give(east, "touching", session, by=referee, **said)
    judge.give(south, "touching", session, by=chief, **said)
    until = timezone.localdate() + timedelta(days=400)
    judge.give(
        north,
        "disobedience",
        session,
        by=referee,
        effect="disqualification",
        until=until,
        clause="SBR 2.8.5",
        **said,
    )
    revoked = judge.give(west, "touching", session, by=referee, **said)
    penal.revoke(revoked, by=chief, reason=event.words.reason)
    judge.give(south, "wrong_count", session, by=chief, effect="dead_hand", hand=2, **said)
    lateness_operations.mark_late(session, [north], by=referee)
    lateness_operations.note_arrival(session.latenesses.get(player=north), by=referee)


def settle_table(event: Event, session: int, table: int) -> None:
    """End a table and let everybody at it confirm."""
    end_table(event, session, table)
    for wind in totals_of(event, session, table):
        confirm(event, session, table, wind)


def end_table(event: Event, session: int, table: int) -> None:
    """Say that a table has played its last hand."""
    protocol = event.protocol(session, table)
    protocols.end_protocol(protocol, intent=make.intent(protocol), by=event.by("scorer"))


def confirm(event: Event, session: int, table: int, wind: str) -> None:
    """Let one player at a table confirm its result."""
    protocol, totals = event.protocol(session, table), totals_of(event, session, table)
    by = event.by("scorer")
    protocols.confirm_seat(protocol, wind, totals=totals, intent=make.intent(protocol), by=by)


def totals_of(event: Event, session: int, table: int) -> dict[str, int]:
    """Return what a table shows to be confirmed."""
    seats = event.table(session, table).seats.filter(player__isnull=False)
    return {seat.wind: seat.hand_points for seat in seats}


def _play_the_second(event: Event) -> None:
    """Bring the second session into play: table 1 has hands, table 2 has ended, two are late, some staff play too."""
    publish(event, 2)
    play.start_session(event.session(2), by=event.by("organizer"))
    for table in (1, 2):
        for _ in range(2):
            make.record(event.protocol(2, table), by=event.by("scorer"))
    late = [event.player_at(2, 2, wind).player for wind in "SW"]
    lateness_operations.mark_late(event.session(2), late, by=event.by("referee 2"))
    lateness_operations.note_arrival(
        event.session(2).latenesses.get(player=late[1]), by=event.by("referee 2")
    )
    end_table(event, 2, 2)
    confirm(event, 2, 2, "E")
    play.call_referee(event.table(2, 1), by=event.by("scorer"))
    for role, (session, table, wind) in PLAYING_STAFF.items():
        player = event.player_at(session, table, wind).player
        kind = role.partition(" ")[0]
        events.grant_role(event.tournament, event.staff[role], kind, by=event.by("organizer"), player=player)


def _seat_the_third(event: Event) -> None:
    """Publish the third session, which has not begun."""
    publish(event, 3)


def _draft_the_fourth(event: Event) -> None:
    """Propose the fourth session twice, so that one proposal is set aside, and promise a secret."""
    by = event.by("organizer")
    for number, name in enumerate(("aside", "draft")):
        draw = draws.propose_random(event.tournament, event.session(4), by=by, seed=f"proposal {number}")
        event.drafts[name] = draw.pk
    draws.commit(event.tournament, by=by)


def _admit_tablets(event: Event) -> None:
    """Admit one tablet for both tables, sign another off, and leave an invitation open."""
    by, of = event.by("organizer"), event.tournament
    name = event.words.club[:60]
    one = devices.invite_device(of, name=name, tables=[1, 2], by=by)
    _, event.credential = devices.admit_device(of, secret=one.secret)
    other, _ = devices.admit_device(of, secret=devices.invite_device(of, name=name, tables=[1], by=by).secret)
    devices.revoke_device(other, by=by)
    invitation = devices.invite_device(of, name=name, tables=[1], by=by)
    event.secret, event.code = invitation.secret, invitation.code
    row, event.invitation = invitations.invite(of, "scorer", by=by, name=event.words.club)
    event.rows["invitation"] = row.pk
    steer_hall(
        of,
        Steering(parts=["seating", "standings", "hands"], seconds=10, message=event.words.text[:190]),
        by=by,
    )


def _take_appeals(event: Event) -> None:
    """File four appeals: before the chief referee with a file, before the committee, dismissed, upheld and paid."""
    of, chief, text = event.tournament, event.by("chief_referee"), event.words.text
    first, second = of.penalties.get(number=1), of.penalties.get(number=2)
    for penalty in (first, second):
        penalty.tournament = penalty.player.tournament = of
    name = f"{event.words.club[:80]}.png"
    judge.appeal(first, text=text, files=[(name, judge.png())])
    session = event.session(1)
    grounds = appeals_operations.Grounds(
        session=session,
        player=event.player_at(1, 2, "E").player,
        text=text,
        table=event.table(1, 2),
        hand=1,
    )
    other = appeals_operations.file_appeal(of, grounds, by=event.by("organizer"), key=uuid4().hex)
    appeals_operations.classify(other, "other", by=chief)
    judge.appeal(second, text=text)
    upheld = replace(grounds, player=event.player_at(1, 1, "S").player, table=event.table(1, 1))
    appeals_operations.file_appeal(of, upheld, by=event.by("organizer"), key=uuid4().hex)
    for number, verdict in ((3, "dismissed"), (4, "upheld")):
        appeals_operations.take_deposit(event.appeal(number), by=event.by("organizer"))
        appeals_operations.decide(event.appeal(number), verdict, text, body="chief_referee", by=chief)
    appeals_operations.add_statement(event.appeal(1), text, by=event.by("organizer"), key=uuid4().hex)
    appeals_operations.set_hearing(
        event.appeal(2),
        at=timezone.now() + timedelta(hours=1),
        place=event.words.city,
        by=event.by("organizer"),
    )


def _ask_and_report(event: Event, words: Words) -> None:
    """Have a player ask to be erased, and a visitor report the event."""
    erasure = privacy.request_erasure(event.registration(1), by=event.by("organizer"))
    report = AbuseReport.objects.create(tournament=event.tournament, kind="spam", text=words.text)
    event.rows |= {"request_number": erasure.pk if erasure else 0, "report": report.pk}


def parts(event: Event) -> dict[str, Any]:
    """Return what can stand in the parts of an address of the event, whatever it shows."""
    return {
        "session": 1,
        "table": 1,
        "number": 1,
        "other": 2,
        "file": 1,
        "sheet": "standings",
        "form": "csv",
        "account": event.staff["scorer"].pk,
        "event": event.tournament.pk,
        "person": event.registration(10).player_id,
        **event.rows,
    }


def add_one_more(event: Event) -> None:
    """Add one row of each kind that the other event has not, under the next number."""
    of, by, words = event.tournament, event.by("organizer"), event.words
    events.change_regulation(of, {"sessions": 5}, by=by, reason=words.reason, is_sure=True)
    event.refresh()
    of = event.tournament
    registration.register_player(of, replace(details(11, words), team=""), by=by)
    registration.name_substitute(of, registration.Details(name="Зяблик"), by=by)
    session = event.session(1)
    player = event.player_at(1, 1, "N").player
    extra = judge.give(player, "touching", session, by=event.by("chief_referee"), reason=words.text)
    extra.tournament = extra.player.tournament = of
    judge.appeal(extra, text=words.text, files=[("one.png", judge.png())])
    table = Table.objects.create(session=event.session(2), number=3)
    Protocol.objects.create(table=table, mode=of.regulation["protocol"])
    entry = adjustments.Entry(player=player, game_points=4, timing="after", reason=words.reason)
    adjustments.post(of, entry, by=event.by("chief_referee"))


# What a page shows


MARK = "Zanzibar"
"""A word that nobody writes but `mark`."""


def mark(event: Event) -> None:
    """Write a word into every text of an event that people could read."""
    Tournament.objects.filter(pk=event.tournament.pk).update(
        name=MARK, city=MARK, venue=MARK, description=MARK, currency=MARK, state="draft"
    )
    for model, path in MODELS:
        names = [one.name for one in model._meta.concrete_fields if is_free(one)]
        if names and model is not Tournament:
            for row in model._default_manager.filter(**{path: event.tournament.pk}):
                model._default_manager.filter(pk=row.pk).update(**dict.fromkeys(names, f"{MARK} {row.pk}"))


def is_free(one: models.Field) -> bool:
    """Return whether people write what they like into a column."""
    return one.name in FREE and isinstance(one, models.CharField | models.TextField)


FREE = {
    "name",
    "city",
    "club",
    "region",
    "group",
    "reason",
    "text",
    "comment",
    "message",
    "reasons",
    "hearing_place",
    "clause",
}


def body_of(response: Any) -> bytes:
    """Return what a response holds; a workbook unpacked."""
    content = b"".join(response.streaming_content) if response.streaming else response.content
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            return b"".join(book.read(part) for part in book.namelist())
    return content


# What a request changes


def rows_of(event: Event) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row that belongs to the event, so that two moments can be compared."""
    found = {}
    for model, path in MODELS:
        rows = model._default_manager.filter(**{path: event.tournament.pk}).order_by("pk")
        names = [one.attname for one in model._meta.concrete_fields if one.attname not in DERIVED]
        found[model.__name__] = list(rows.values_list(*names))
    return found


def _path_to_tournament(model: type[models.Model], seen: tuple[type[models.Model], ...] = ()) -> str:
    """Return by which lookup a model's rows belong to a tournament, or nothing."""
    if model is Tournament:
        return "pk"
    ways = []
    for one in model._meta.concrete_fields:
        target = one.related_model
        if isinstance(one, models.ForeignKey) and target not in (*seen, model) and target is not User:
            rest = _path_to_tournament(target, (*seen, model))
            if rest:
                ways.append(one.name if rest == "pk" else f"{one.name}__{rest}")
    return min(ways, key=lambda way: (way.count("__"), way), default="")


OF_NO_EVENT = {"User", "Permission", "Group", "ContentType"}
DERIVED: set[str] = set()
MODELS = [
    (model, path)
    for app in ("tournaments", "seating", "penalties")
    for model in apps.get_app_config(app).get_models()
    if (path := _path_to_tournament(model))
]


@contextmanager
def undone() -> Iterator[None]:
    """Undo whatever is written inside; what insists on a transaction of its own takes this one for the test's."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        yield
        transaction.set_rollback(True)


@contextmanager
def writes() -> Iterator[list[str]]:
    """Note every statement that changes a row of the applications."""
    seen: list[str] = []

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE", "DELETE")) and any(f'"{table}"' in sql for table in TABLES):
            seen.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen


TABLES = frozenset(model._meta.db_table for model, _ in MODELS)


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the names of the models whose rows differ between two moments."""
    return [name for name in before if before[name] != after[name]]
