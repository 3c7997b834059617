"""What addresses.txt says of every address holds: in the code, and on the running site as every role.

The file is read like a schema: whoever opens an address to one role more, drops a reason or another entry of the history
changes its line as well. What a line should be is printed where it is missing.
"""

import inspect
import json
import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

import penalties
import seating
import tournaments
from config.tests.deeds import DEEDS, address_of, number_at, phone_at, send
from config.tests.scene import ours, parts_of
from config.tests.world import MARK, REASON, STAFF, Event, World, body_of, mark, parts, undone, writes
from penalties.lateness import operations as lateness_operations
from tournaments.models import HistoryEntry, Role
from tournaments.privacy import operations as privacy
from tournaments.sessions.operations.templates import save_template
from tournaments.tables.operations import substitutes
from tournaments.web.access import CAPABILITIES

pytestmark = pytest.mark.django_db

FILE = Path(__file__).parent / "addresses.txt"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
NOTHING = "-"
NOWHERE = {"tournaments:api_nowhere", "tournaments:public_api_nowhere"}
OF_AN_ACCOUNT = {
    "tournaments:begin_from_template",
    "tournaments:rename_template",
    "tournaments:delete_template",
    "tournaments:directory_person",
    "tournaments:merge_people",
    "tournaments:take_people_apart",
}
"""Templates and the directory are their owner's alone, whatever roles there are: their own tests ask as somebody else."""
CONFLICT = "conflict_of_interest"
MAY_BE_DONE_AGAIN = {
    "tournaments:allow_new_password",
    "tournaments:hand_over",
    "tournaments:invite_staff",
    "tournaments:tablets",
}
"""Deeds that bring an entry each time: whoever did not see the link, or the code, is given another one."""


@dataclass(frozen=True)
class Line:
    """What the file says of one address."""

    name: str
    methods: tuple[str, ...]
    capability: str
    own_case: str
    reason: str
    history: tuple[str, ...]

    @property
    def kinds(self) -> list[str]:
        """Return the kinds of entries that the address may write."""
        return [kind.rstrip("*") for kind in self.history]

    @property
    def with_reason(self) -> list[str]:
        """Return the kinds whose entries carry the reason that was typed."""
        return [kind.rstrip("*") for kind in self.history if kind.endswith("*")]


def read_file() -> tuple[dict[str, frozenset[str]], dict[str, Line]]:
    """Return the roles of each capability and the line of each address."""
    roles, lines = {}, {}
    for text in FILE.read_text(encoding="utf-8").splitlines():
        if not text or text.startswith("#"):
            continue
        parts = [part.strip() for part in text.split("|")]
        if parts[0].startswith("capability "):
            roles[parts[0].removeprefix("capability ")] = frozenset(parts[1].split())
        else:
            name, methods, capability, own_case, reason, history = parts
            kinds = () if history == NOTHING else tuple(history.split())
            lines[name] = Line(name, tuple(methods.split()), capability, own_case, reason, kinds)
    return roles, lines


ROLES, LINES = read_file()


# The file and the code


def test_every_address_has_its_line():
    """The message is the line to add, to be completed by hand."""
    known = {name: entry.callback.access for name, entry in ours()}
    missing = [
        f"{name} | {' '.join(access.methods)} | {access.capability} | - | - | -"
        for name, access in known.items()
        if name not in LINES
    ]
    gone = sorted(LINES.keys() - known.keys())
    assert not missing, "Add to config/tests/addresses.txt:\n" + "\n".join(missing)
    assert not gone, "No such address any more: " + ", ".join(gone)


def test_the_code_asks_for_what_the_file_says():
    said = {name: (line.methods, line.capability) for name, line in LINES.items()}
    assert {
        name: (entry.callback.access.methods, entry.callback.access.capability) for name, entry in ours()
    } == said


def test_capabilities_belong_to_the_roles_that_the_file_names():
    assert dict(CAPABILITIES) == ROLES


def test_every_address_that_takes_what_is_sent_has_a_deed():
    """Add a row to config/tests/deeds.py: what the address is sent so that it does what it is for.

    What the site's operator does is kept in a log of its own, which tournaments/operator/tests read.
    """
    writing = {name for name, line in LINES.items() if "POST" in line.methods}
    lacking = writing - {address_of(name) for name in DEEDS} - NOWHERE - WITHOUT_DEED.keys()
    assert {name for name in lacking if LINES[name].capability != "operate_site"} == set()


WITHOUT_DEED = {
    "tournaments:name_own_account": "of no event: the pages of the own account do it; penalties/tests",
    "tournaments:merge_people": "a directory belongs to an account and no event; test_directory does it",
    "tournaments:take_people_apart": "a directory belongs to an account and no event; test_directory does it",
    "tournaments:save_template": "a template belongs to an account and no event; test_event_templates does it",
    "tournaments:begin_from_template": "a template belongs to an account and no event; test_event_templates does it",
    "tournaments:rename_template": "a template belongs to an account and no event; test_event_templates does it",
    "tournaments:delete_template": "a template belongs to an account and no event; test_event_templates does it",
    "tournaments:delete_own_account": "of no event: the pages of the own account do it; tournaments/privacy/tests",
    "tournaments:delete_draft": "a draft in which nobody plays is another world; tournaments/privacy/tests do it",
    "rehearsal:turn": "a rehearsal is an event of its own; test_rehearsal plays it on",
    "rehearsal:wipe": "a rehearsal is an event of its own; test_rehearsal wipes it",
    "tournaments:import_players": "a list is imported before anything is seated; test_bad_files and test_desk_pages do it",
}


# The running site


PEOPLE = ("anyone", "stranger", *STAFF, "neighbour's organizer", "operator", "device", "player")


def client_of(world: World, who: str) -> tuple[Client, frozenset[str]]:
    """Return a browser of somebody, and the roles that count in our event."""
    if who == "neighbour's organizer":
        return world.theirs.client("organizer"), frozenset({"anyone", "signed_in"})
    held = {"anyone"}
    if who in (*STAFF, "device", "operator"):
        held.add(who)
    if who in (*STAFF, "stranger", "operator"):
        held.add("signed_in")
    return world.ours.client(who), frozenset(held)


def place_of(name: str, event: Event) -> str:
    """Return an address of the event at which there is something."""
    return reverse(name, kwargs=place(name, event))


def place(name: str, event: Event) -> dict[str, Any]:
    """Return the parts of an address of the event at which there is something."""
    deed = next((deed for key, deed in DEEDS.items() if address_of(key) == name), None)
    known = {"slug": event.slug} | parts(event)
    wanted = parts_of(name)
    if name.startswith("seating:"):
        known["number"] = event.drafts["draft"]
    if "book" in wanted:
        known["book"] = "SBR"
    if "rules" in wanted:
        known["rules"] = "sbr"
    if "guide" in wanted:
        known["guide"] = "organizer"
    if "template" in wanted:
        known["template"] = template_of(event)
    if name in OF_AN_ACCOUNT:
        known |= {
            "player": event.player_at(1, 1, "E").player_id,
            "other": event.player_at(1, 1, "S").player_id,
            "merge": 1,
        }
    if "link" in wanted:
        known["link"] = event.link(event.player_at(1, 1, "E").number)
    if name == "tournaments:table_phone":
        known |= phone_at(2, 1, "W")(event)
    if name == "penalties:lateness_slip":
        known |= number_at(2, 2, "S")(event)
    known |= deed.at(event) if deed else {}
    return {part: known[part] for part in wanted}


def template_of(event: Event) -> int:
    """Return a template that the organizer of the event has made of it."""
    owner = event.tournament.created_by
    row = owner.event_templates.first() or save_template(
        event.tournament, event.tournament.name[:100], owner=owner
    )
    return row.pk


def was_let_in(response: Any) -> bool:
    """Refusals for want of a role answer 401, 403 or 404, or lead to the sign-in."""
    if response.status_code == 302:
        return "/accounts/login/" not in response["Location"]
    if response.status_code == 403:
        return b"not_seated" in response.content
    return response.status_code not in {401, 404}


def request(client: Client, method: str, url: str) -> Any:
    """Send nothing at all: enough to be let in or turned away."""
    ask = getattr(client, method.lower())
    with undone():
        if method in {"GET", "HEAD"}:
            return ask(url)
        return ask(url, data=b"", content_type="application/json")


ON_EVERY_DATABASE = {"anyone", "organizer", "operator", "device", "player"}
"""Who opens every page that there is; a role more opens some of them, and is let in by the same rule on any database."""
SEE_MORE = {"operator": "runs the whole site", "neighbour's organizer": "is at home there"}


@pytest.mark.parametrize(
    "who", [who if who in ON_EVERY_DATABASE else pytest.param(who, marks=pytest.mark.once) for who in PEOPLE]
)
def test_who_is_let_in_is_what_the_file_says_and_is_shown_nothing_of_the_neighbour(world, who):
    """Every address and every method; a method that an address does not take is answered 405 with Allow.

    Meanwhile the neighbour is a draft full of one word, which no page and no file of ours may show.
    """
    client, held = client_of(world, who)
    wrong = []
    with undone():
        mark(world.theirs)
        DEEDS["tournaments:question"].before(world.ours)
        for name, line in LINES.items():
            if name in NOWHERE | OF_AN_ACCOUNT:
                continue
            url = place_of(name, world.ours)
            capable = held | {"player"} if "/me/" in url else held
            may = bool(capable & ROLES[line.capability])
            for method in METHODS if who == "anyone" else ("GET", "POST"):
                response = request(client, method, url)
                if method not in (*line.methods, *(["HEAD"] if "GET" in line.methods else [])):
                    if response.status_code != 405 or "Allow" not in response:
                        wrong.append((name, method, response.status_code, "should answer 405"))
                elif was_let_in(response) != may:
                    wrong.append((name, method, response.status_code, "may" if may else "may not"))
                if method == "GET" and who not in SEE_MORE and MARK.encode() in body_of(response):
                    wrong.append((name, method, response.status_code, "shows the neighbour"))
    world.theirs.refresh()
    assert wrong == []


OF_ROLES = [
    name for name in DEEDS if address_of(name) in LINES and LINES[address_of(name)].capability != "own_page"
]


@pytest.mark.parametrize("name", OF_ROLES)
def test_a_write_is_refused_to_whoever_may_not(world, name):
    """The same that is accepted from one who may; nothing is written."""
    line, deed = LINES[address_of(name)], DEEDS[name]
    allowed = ROLES[line.capability]
    wrong = []
    with undone():
        deed.before(world.ours)
        for who in PEOPLE:
            client, held = client_of(world, who)
            if held & allowed:
                continue
            with writes() as written:
                response = send(client, name, world.ours, deed)
            if was_let_in(response) or written:
                wrong.append((who, response.status_code, written))
    world.ours.refresh()
    assert wrong == []


@dataclass(frozen=True)
class Done:
    """What a deed came to: the answer, the entries of the history, the statements that wrote, what heard the reason.

    `again` are the entries that the very same request brought when it was sent a second time.
    """

    response: Any
    entries: list[dict[str, Any]]
    written: list[str]
    heard: frozenset[Any] = frozenset()
    again: frozenset[str] = frozenset()

    @property
    def said(self) -> str:
        """Return what the answer tells the person."""
        told = [str(message) for message in getattr(self.response.wsgi_request, "_messages", [])]
        page = self.response.content.decode().rpartition("<main")[2]
        return " ".join([*told, *re.sub("<[^>]*>", " ", page).split()])


def do(event: Event, name: str, is_sent_again: bool = False, **other: Any) -> Done:
    """Do a deed, and undo it; `first` is done before it, and `typed` stands in place of the reason."""
    deed = DEEDS[name]
    client = event.client(deed.by)
    with undone():
        deed.before(event)
        other.pop("first", lambda: None)()
        if (typed := other.pop("typed", None)) is not None:
            sent = deed.body(event).items()
            other["body"] = {part: typed if value == REASON else value for part, value in sent}
        if is_sent_again:
            other |= {"at": deed.at(event), "body": deed.body(event), "key": uuid4().hex}
        last = last_entry()
        with writes() as written:
            response = send(client, name, event, deed, **other)
        entries, last = entries_after(last), last_entry()
        if is_sent_again:
            send(client, name, event, deed, **other)
        again = frozenset(entry["kind"] for entry in entries_after(last))
        done = Done(response, entries, list(written), again=again)
    event.refresh()
    return done


def last_entry() -> int:
    """Return the number of the newest entry of all histories."""
    return HistoryEntry.objects.order_by("-pk").values_list("pk", flat=True)[0]


def entries_after(last: int) -> list[dict[str, Any]]:
    """Return the entries that were written since."""
    found = HistoryEntry.objects.filter(pk__gt=last).order_by("pk")
    return [json.loads(content) for content in found.values_list("content", flat=True)]


def done_once(world: World, name: str) -> Done:
    """Do a deed in our event, or remember how it was done."""
    if name not in world.done:
        if DEEDS[name].has_reason(world.ours):
            with heard_reasons() as heard:
                done = do(world.ours, name, is_sent_again=True)
            world.done[name] = replace(done, heard=frozenset(heard))
        else:
            world.done[name] = do(world.ours, name, is_sent_again=True)
    return world.done[name]


@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_writes_the_entries_that_the_file_names(world, name):
    """Every one of them, by whoever did it, and with the reason that was typed where the file says so."""
    deed, line = DEEDS[name], LINES[address_of(name)]
    done = done_once(world, name)
    assert done.response.status_code in {200, 201, 302}, done.said
    assert bool(done.written) is not deed.makes_no_row, done.said
    kinds = sorted({entry["kind"] for entry in done.entries})
    assert set(kinds) <= set(line.kinds), f"The line of {name} should name {' '.join(kinds)}"
    assert bool(kinds) == bool(line.kinds), done.said
    if deed.has_reason(world.ours):
        said = {entry["kind"] for entry in done.entries if entry["reason"] == REASON}
        assert said == set(kinds) & set(line.with_reason), (
            f"{name}: with the reason are {' '.join(sorted(said))}"
        )


@pytest.mark.parametrize("name", DEEDS)
def test_a_deed_sent_again_brings_no_second_entry(world, name):
    """What is sent once more because no answer came is done once. [INTEGRITY 2]"""
    assert bool(done_once(world, name).again) is (name in MAY_BE_DONE_AGAIN), done_once(world, name).again


def test_every_kind_that_the_file_names_is_written_by_a_deed(world):
    """A line that promises an entry which nothing shows is a wish."""
    seen: dict[str, set[str]] = {}
    for name in DEEDS:
        kinds = {entry["kind"] for entry in done_once(world, name).entries}
        seen.setdefault(address_of(name), set()).update(kinds)
    promised = {name: set(line.kinds) for name, line in LINES.items() if name in seen}
    assert {name: kinds - seen[name] for name, kinds in promised.items() if kinds - seen[name]} == {}


@pytest.mark.parametrize("address", [name for name, line in LINES.items() if line.reason == "required"])
def test_without_a_reason_nothing_is_done(world, address):
    """Neither with nothing typed nor with too little."""
    deeds = [name for name in DEEDS if address_of(name) == address]
    reasoned = [name for name in deeds if DEEDS[name].has_reason(world.ours)]
    assert reasoned != []
    for name in reasoned:
        for typed in ("", "   ", "short"):
            done = do(world.ours, name, typed=typed)
            assert (done.entries, done.written) == ([], []), f"{name} with {typed!r}: {done.said}"


# The own case


OWN_CASES = [name for name in DEEDS if LINES[address_of(name)].own_case != NOTHING]


def playing(event: Event, role: str, player_id: int) -> Callable[[], None]:
    """Return what makes whoever holds a role the player."""
    rows = Role.objects.filter(tournament=event.tournament, user=event.staff[role])
    return lambda: rows.update(player=player_id)


def parties_of(event: Event, name: str) -> list[tuple[str, Callable[[], None]]]:
    """Return in which ways the doer of a deed can be a party to it."""
    deed, rule = DEEDS[name], LINES[address_of(name)].own_case
    at = deed.at(event)
    if rule == "second":
        penalty = event.tournament.penalties.get(number=at["number"])
        return [
            (
                "gave it",
                lambda: type(penalty).objects.filter(pk=penalty.pk).update(given_by=event.staff[deed.by]),
            )
        ]
    table = table_of(event, name)
    seats = list(event.table(*table).seats.all())
    ways = [("sits there", playing(event, deed.by, next(seat.player_id for seat in seats if seat.player_id)))]
    kept = [seat.kept_for_id for seat in seats if seat.kept_for_id]
    if rule == "party":
        ways += [("the seat is kept", playing(event, deed.by, kept[0]))] if kept else []
        player = event.appeal(at["number"]).player_id
        ways += [("appealed", playing(event, deed.by, player))]
    return ways


def table_of(event: Event, name: str) -> tuple[int, int]:
    """Return at which table of which session a deed has its effect."""
    at = DEEDS[name].at(event)
    if "table" in at:
        return at["session"], at["table"]
    if name.startswith("penalties:") and "appeal" not in name and "session" in at:
        return 2, 2
    row = {
        "penalties:mark_dead_hand": event.tournament.penalties,
        "penalties:vote": event.tournament.appeals,
        "penalties:decide": event.tournament.appeals,
    }[name].get(number=at["number"])
    table = row.table or row.penalty.table
    return table.session.number, table.number


@pytest.mark.parametrize("name", OWN_CASES)
def test_nobody_decides_the_own_case(world, name):
    """As a player of the table, as one whose seat is kept there, as the one who appealed, as the one who gave it."""
    event = world.ours
    for way, become in parties_of(event, name):
        done = do(event, name, first=become)
        assert (done.entries, done.written) == ([], []), f"{way}: {done.said}"
        assert any(word in done.said for word in OWN_WORDS), f"{way}: {done.said}"


OWN_WORDS = (CONFLICT, "You play at this table", "You are a party to this case", "needs a second approval")


# Reasons reach the history, whatever takes them


WORDS_FOR_IT = ("reason", "override")
NOT_BY_ITSELF = {
    "need_reason": "refuses, and writes nothing",
    "own_up_to_appeals": "says whether a reason is needed",
    "record": "writes the entry",
    "follow_struck_hand": "follows a hand that was struck, in whose entry the reason is",
    "log": "writes the log of the site's operator, which is no history of an event",
    "delete_draft": "deletes the draft with its history; the reason is in the operator's log",
    "delete_account": "of no event: its reason is in the operator's log",
    "follow_regulation": "follows a regulation that was changed, in whose entry the reason is",
    "settle": "posts what a judgement brings, in whose entry the reason is",
    "propose_plan": "the reason is kept with the draft until it is published",
    "propose": "the reason is kept with the draft until it is published",
    "propose_repair": "the reason is kept with the draft until it is published",
}
DIRECTLY: dict[str, Callable[[Event], Any]] = {
    "erase_player": lambda event: privacy.erase_player(
        event.registration(10).player, by=event.by("organizer"), reason=REASON
    ),
    "waive": lambda event: lateness_operations.waive(
        event.session(1).latenesses.get(), by=event.by("chief_referee"), reason=REASON
    ),
    "leave_table": lambda event: substitutes.leave_table(
        event.player_at(2, 1, "W").player, event.session(2), by=event.by("organizer"), reason=REASON
    ),
    "clear_seats": lambda event: [
        work(event.player_at(2, 1, "W").player, by=event.by("organizer"), reason=REASON, penalty=1)
        for work in (substitutes.clear_seats, substitutes.give_back_seats)
    ],
}


@cache
def operations_with_a_reason() -> dict[Any, tuple[str, str]]:
    """Return the code of every operation that takes a reason, with its module and name."""
    found = {}
    for package in (tournaments, penalties, seating):
        parts = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        rooms = [part.name.split(".") for part in parts]
        # The operator's deeds are of no event: their reasons are in the operator's own log, see test_operator.
        own = [".".join(room) for room in rooms if "operations" in room and "operator" not in room]
        for module in map(import_module, own):
            for name, value in vars(module).items():
                work = inspect.unwrap(value) if callable(value) else None
                is_own = inspect.isfunction(work) and work.__module__ == module.__name__
                if is_own and not name.startswith("_"):
                    words = [word for word in WORDS_FOR_IT if word in inspect.signature(work).parameters]
                    if words and name not in NOT_BY_ITSELF:
                        found[work.__code__] = (module.__name__, name)
    return found


@contextmanager
def heard_reasons() -> Iterator[set[Any]]:
    """Note which operations are called with the reason."""
    wanted, heard = operations_with_a_reason(), set()

    def note(frame: Any, happening: str, argument: Any) -> None:
        if happening == "call" and frame.f_code in wanted:
            told = frame.f_locals  # made anew each time it is asked for
            if any(told.get(word) == REASON for word in WORDS_FOR_IT):
                heard.add(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield heard
    finally:
        sys.setprofile(before)


@pytest.mark.once
def test_every_operation_that_takes_a_reason_puts_it_into_its_entry(world):
    event, heard_of, silent = world.ours, set(), []
    for name, deed in DEEDS.items():
        if not deed.has_reason(event):
            continue
        done = done_once(world, name)
        heard_of |= done.heard
        if done.heard and REASON not in {entry["reason"] for entry in done.entries}:
            silent.append(name)
    for name, work in DIRECTLY.items():
        with undone(), heard_reasons() as heard:
            last = HistoryEntry.objects.order_by("-pk")[0].pk
            work(event)
            entries = HistoryEntry.objects.filter(pk__gt=last)
            if REASON not in {json.loads(entry.content)["reason"] for entry in entries}:
                silent.append(name)
        heard_of |= heard
    assert silent == []
    unheard = [said for code, said in operations_with_a_reason().items() if code not in heard_of]
    assert unheard == [], "No deed shows that these keep their reason"
