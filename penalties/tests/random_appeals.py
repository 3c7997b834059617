"""Appeals that go at random through the pages of those who are entitled, and come to an end by what these pages offer.

One event has one system, one committee and one conflict of interest; in it an appeal of every kind is filed with every fate
of its deposit. Nothing is pressed but what a page offers to its reader, and nothing that is offered may be refused. [RULES 8.53] [RULES 9.40]
"""

from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from itertools import product
from random import Random
from typing import Any

from django.test import Client
from django.urls import reverse

from penalties.ladder.rules.offences import offences
from penalties.lateness import operations as lateness
from penalties.models import Appeal, Penalty
from penalties.tests import factories as judge
from scoring.regulation import Regulation
from scoring.systems.offences import Mode
from tournaments.models import Protocol, Role, Tournament
from tournaments.record.refusal import Refused
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tests import factories as make
from tournaments.tests.random_hands import random_facts
from tournaments.web.access import link_of

PRESETS = ("sbr", "wmsg", "mcr", "siamese", "red", "riichi_festival")
COMMITTEES = ("none", "one", "two agree", "two part", "three agree", "three part", "all are parties")
CONFLICTS = ("none", "chief gave it", "chief declares", "member plays", "member declares", "all declare")
DEPOSITS = ("none", "paid", "unpaid", "late")
KINDS = ("penalty", "chombo", "lateness", "hand", "other")
SIZES = {"none": 0, "one": 1, "two": 2, "three": 3, "all": 2}
MOST_ROUNDS = 25
PRICES = {"RIICHI": (8000, 8500, 9000, 9500), "MCR": (5, 10, 20, 40), "SIAM": (5, 10, 20, 40)}
OF_OTHERS = (8, 9, 10, 11)
"""What a decision of each turn takes: sums that the regulation allows. [MCR penalties 1] [RIICHI 5.5]"""
EVENTS = list(product(PRESETS, COMMITTEES, CONFLICTS))


@dataclass
class Form:
    """A form of a page: where it is sent, what it sends as it stands, and what can be chosen in it."""

    action: str
    sends: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)


class Forms(HTMLParser):
    """Reads the forms of a page as a browser does, and where its links lead."""

    def __init__(self, page: str) -> None:
        """Read it all."""
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.form: Form | None = None
        self.select = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take a field into the form that is open."""
        said = {name: value or "" for name, value in attrs}
        if tag == "a":
            self.links.append(said.get("href", ""))
        if tag == "form":
            self.form = Form(said.get("action", ""))
            self.forms.append(self.form)
        if self.form is None:
            return
        name, value = said.get("name", ""), said.get("value", "")
        if tag == "select":
            self.select = name
        elif tag == "option":
            self.form.choices.setdefault(self.select, []).append(value)
        elif tag == "textarea":
            self.form.sends[name] = ""
        elif tag == "input" and said.get("type") == "radio":
            self.form.choices.setdefault(name, []).append(value)
        elif tag in {"input", "button"} and name and said.get("type") not in {"checkbox", "file"}:
            self.form.sends[name] = value

    def handle_endtag(self, tag: str) -> None:
        """Close the form."""
        if tag == "form":
            self.form = None


class Hearings:
    """One event with its judges, in which appeals are filed and heard."""

    def __init__(self, preset: str, committee: str, conflict: str, seed: int = 0) -> None:
        """Lay out a session in play with one hand at the first table."""
        self.chance = Random(f"{preset} {committee} {conflict} {seed}")
        self.committee, self.conflict = committee, conflict
        self.of = make.tournament(preset)
        make.players(self.of, 6 if preset == "siamese" else 8)
        self.session = make.in_play(self.of)
        self.session.tournament = self.of
        self.table = self.session.tables.get(number=1)
        self.seats = list(self.table.seats.select_related("player__registration").in_order())
        self.people: dict[str, Client] = {}
        self.stances: dict[str, bool] = {}
        self._enter("organizer", self.of.created_by)
        self.chief = self._judge("chief", "chief_referee")
        self.referee = self._judge("referee", "referee")
        for number in range(SIZES[committee.split()[0]]):
            plays = committee == "all are parties" or (conflict == "member plays" and number == 0)
            self._judge(f"member {number}", "committee", plays=plays)
            self.stances[f"member {number}"] = "part" not in committee.split() or number == 0
        if not self._is_given_apart():
            self._deal()

    def _enter(self, name: str, user: Any) -> None:
        self.people[name] = Client()
        self.people[name].force_login(user)

    def _judge(self, name: str, kind: str, *, plays: bool = False) -> Any:
        user = make.staff(self.of, kind)
        if plays:
            Role.objects.filter(tournament=self.of, user=user).update(player=self.seats[-1].player)
        self._enter(name, user)
        return make.actor(user, kind)

    def _deal(self) -> None:
        protocol = Protocol.objects.select_related("table__session__tournament").get(table=self.table)
        for _ in range(200):
            at = sheet_of(protocol).play().situation
            try:
                make.record(protocol, random_facts(self.of.system, at, self.chance))
            except Refused:
                continue
            return

    # What is appealed against

    def against(self, kind: str, player: Any, turn: int) -> tuple[str, str]:
        """Make a decision of a kind about a player; return how the form names it, and the hand."""
        by = self.chief if self.conflict == "chief gave it" else self.referee
        if kind == "hand":
            return "table-1-1", "1"
        if kind == "lateness":
            (row,) = lateness.mark_late(self.session, [player], by=by)
            row.session.tournament = self.of
            lateness.change_lateness(row, seconds=300, by=by, reason="Came five minutes late.")
            return f"lateness-1-{player.registration.number}", ""
        if kind == "chombo" and not self._is_given_apart():
            return "table-1-1", ""
        price = PRICES.get(self.of.system, OF_OTHERS)[turn % len(DEPOSITS)]
        row = judge.give(
            player,
            self._offence(kind),
            None if kind == "other" else self.session,
            by=self.chief if kind == "other" else by,
            effect=Penalty.Effect.WARNING if kind == "chombo" else Penalty.Effect.GAME_POINTS,
            kind=Penalty.Kind.DECISION,
            points=None if kind == "chombo" else Fraction(price),
            clause="RULES 1.8",
            reason="Decided for an appeal.",
        )
        return f"penalty-{row.number}", ""

    def _is_given_apart(self) -> bool:
        """Return whether a chombo is a penalty of its own: where hands are recorded it stands in the protocol."""
        return self.of.regulation["protocol"] == Protocol.Mode.FINAL_RESULT

    def _offence(self, kind: str) -> str:
        if kind != "chombo":
            return "other"
        rules = Regulation.from_json(self.of.regulation, system=self.of.system).penalties
        found = [one.code for one in offences(self.of.system, rules) if one.mode is Mode.IN_HAND]
        return found[-1] if found else "other"

    def hear(self, kind: str, deposit: str, turn: int = 0) -> str:
        """File an appeal of a kind and bring it to its end; return how it ended, or nothing where it is none."""
        fee = "0" if deposit == "none" else "10"
        regulation = {**self.of.regulation, "entry_fee": fee}
        Tournament.objects.filter(pk=self.of.pk).update(regulation=regulation)
        self.of.refresh_from_db()
        self.session.tournament = self.of
        player = self.seats[turn % (len(self.seats) - 1)].player
        player.tournament = self.of
        code, hand = self.against(kind, player, turn)
        url = reverse("penalties:file_own", args=[self.of.slug, link_of(player.registration)])
        page = Forms(Client().get(url).content.decode())
        form = next((one for one in page.forms if "against" in one.choices), None)
        if form is None or code not in form.choices["against"]:
            assert self.of.system == "RIICHI", (kind, code)
            return ""
        chosen = form.choices["player"][-1] if "player" in form.choices else str(player.pk)
        said = {"player": chosen, "against": code, "hand": hand, "text": judge.LONG}
        answer = Client().post(url, whole(form, said))
        assert answer.status_code == 302, (kind, deposit, answer.content.decode()[-3000:])
        row = self.of.appeals.order_by("number").last()
        assert row is not None
        return Case(self, row, player, deposit).run()


class Case:
    """One appeal on its way."""

    def __init__(self, event: Hearings, row: Appeal, player: Any, deposit: str) -> None:
        """Know who may look at it where."""
        self.event, self.row, self.deposit, self.chance = event, row, deposit, event.chance
        self.desk = reverse("penalties:appeal", args=[event.of.slug, row.number])
        link = link_of(player.registration)
        self.own = reverse("penalties:own_appeal", args=[event.of.slug, link, row.number])
        self.told: list[str] = []
        self.voted: set[tuple[str, int]] = set()
        self.declared: set[str] = set()
        self.may_go_further = self.chance.random() < 0.7

    def run(self) -> str:
        """Wander a little, then go straight to the end."""
        for _ in range(self.chance.choice([0, 0, 2, 4])):
            if self.is_over():
                break
            self.wander()
        for _ in range(MOST_ROUNDS):
            if self.is_over() and not self.went_further():
                return str(self.row.state)
            assert any(self.step(who) for who in self.who()), (self.told, self.row.state, "nobody can go on")
        raise AssertionError((self.told, self.row.state, "it goes on and on"))

    def who(self) -> list[str]:
        """Return everybody who looks at it, in any order, but whose turn it seems to be before the others."""
        people = [*self.event.people, "player"]
        likely: tuple[str, ...] = ("chief", "named")
        if self.row.state == Appeal.State.COMMITTEE:
            likely = ("member", "named")
        if self.row.deposit and (self.row.deposit_paid_at is None or not self.row.is_open):
            likely = ("organizer",)
        return sorted(self.chance.sample(people, len(people)), key=lambda one: not one.startswith(likely))

    def went_further(self) -> bool:
        """Take an appeal that the chief referee dismissed to the committee, once, where its page offers that."""
        if self.row.state != Appeal.State.DISMISSED or not self.may_go_further:
            return False
        self.may_go_further = False
        who = self.chance.choice(["player", "organizer"])
        client, address, page = self.page(who)
        found = [one for one in page.forms if one.action.startswith(address) and end_of(one) == "further"]
        return bool(found) and self.press(who, client, found[0])

    def is_over(self) -> bool:
        """Return whether it is decided, and its deposit where it belongs."""
        self.row.refresh_from_db()
        row, states = self.row, Appeal.State
        goes_back = row.state in {states.UPHELD, states.WITHDRAWN} and row.deposit_paid_at is not None
        comes_late = row.state == states.NOT_ACCEPTED and self.deposit == "late"
        return not row.is_open and not comes_late and not (goes_back and row.deposit_returned_at is None)

    def page(self, who: str) -> tuple[Client, str, Forms]:
        """Open the page of the appeal as somebody, and read what it offers."""
        client = Client() if who == "player" else self.event.people[who]
        address = self.own if who == "player" else self.desk
        answer = client.get(address)
        assert answer.status_code == 200, (self.told, who)
        return client, address, Forms(answer.content.decode())

    def press(self, who: str, client: Client, form: Form, /, **said: str) -> bool:
        """Send a form that was offered: it is never refused."""
        answer = client.post(form.action, whole(form, said))
        self.told.append(f"{who}: {form.action.rstrip('/').rpartition('/')[2]} {said}"[:90])
        assert answer.status_code == 302, (self.told, answer.status_code, answer.content.decode()[-2500:])
        return True

    def wander(self) -> None:
        """Press something that is offered and brings no end."""
        who = self.chance.choice(self.who())
        client, address, page = self.page(who)
        wishes: dict[str, dict[str, str]] = {
            "matter": {},
            "hearing": {"at": "2026-11-20T18:00", "place": "Room 2", "heard": "Both players"},
            "add": {"text": judge.LONG},
        }
        if self.chance.random() < 0.15:
            wishes["withdraw"] = {}
        found = [one for one in page.forms if one.action.startswith(address) and end_of(one) in wishes]
        if found:
            form = self.chance.choice(found)
            self.press(who, client, form, **wishes[end_of(form)])

    def step(self, who: str) -> bool:
        """Press what brings the appeal nearer to its end, if this reader is offered anything."""
        client, address, page = self.page(who)
        offered = {end_of(one): one for one in page.forms if one.action.startswith(address)}
        paid = self.deposit == "paid" or self.row.state == Appeal.State.NOT_ACCEPTED
        money = "deposit" if paid else "not-accepted"
        for name in (money, "return"):
            if name in offered and not (self.deposit == "unpaid" and name == "deposit"):
                return self.press(who, client, offered[name])
        if "conflict" in offered and who not in self.declared and self.declares(who):
            self.declared.add(who)
            return self.press(who, client, offered["conflict"])
        turn = (who, self.row.rulings.count())
        if "vote" in offered and turn not in self.voted:
            self.voted.add(turn)
            return self.press(who, client, offered["vote"], verdict=self.opinion(who, offered["vote"]))
        if f"{address}decide/" in page.links:
            return self.rule(who, client, f"{address}decide/")
        return self.name_somebody(client, page)

    def declares(self, who: str) -> bool:
        """Return whether somebody declares a conflict of interest in this event."""
        conflict = self.event.conflict
        mine = {"chief declares": who == "chief", "member declares": who == "member 0"}
        return mine.get(conflict, conflict == "all declare" and not who.startswith("named"))

    def opinion(self, who: str, form: Form) -> str:
        """Return how a member votes: for a change where they are for one, else for the decision."""
        wanted = [one for one in form.choices["verdict"] if one != "dismissed"]
        return wanted[0] if self.event.stances.get(who) and wanted else "dismissed"

    def rule(self, who: str, client: Client, address: str) -> bool:
        """Rule as the form offers it."""
        page = Forms(client.get(address).content.decode())
        form = next(one for one in page.forms if "reasons" in one.sends)
        form.action = address
        form.sends.pop("look", None)
        verdict = self.chance.choice(form.choices["verdict"])
        return self.press(who, client, form, verdict=verdict, reasons=judge.LONG)

    def name_somebody(self, client: Client, page: Forms) -> bool:
        """Follow the way to the staff where nobody is free, and name a chief referee there."""
        staff = reverse("tournaments:staff", args=[self.event.of.slug])
        if client is not self.event.people["organizer"] or staff not in page.links[-60:]:
            return False
        if "nobody-free" not in client.get(self.desk).content.decode():
            return False
        form = next(one for one in Forms(client.get(staff).content.decode()).forms if "username" in one.sends)
        user, name = make.user(), f"named {len(self.event.people)}"
        form.action = staff
        self.press("organizer", client, form, username=user.username, kind="chief_referee")
        self.event._enter(name, user)
        return True


def whole(form: Form, said: dict[str, str]) -> dict[str, str]:
    """Return what a form sends with what was written in it; its end comes last."""
    sends = {**form.sends, **said}
    return {**{name: value for name, value in sends.items() if name != "form_end"}, "form_end": "1"}


def end_of(form: Form) -> str:
    """Return the last word of the address to which a form is sent."""
    return form.action.rstrip("/").rpartition("/")[2]


def hear_all(preset: str, committee: str, conflict: str, *, seed: int = 0, fates: int = 4) -> list[str]:
    """Hear an appeal of every kind with every fate of the deposit, or with so many of them in turn; return how they ended."""
    event = Hearings(preset, committee, conflict, seed)
    first = EVENTS.index((preset, committee, conflict))
    ends = []
    for turn in range(fates):
        for number, kind in enumerate(KINDS):
            if may(event, kind, turn):
                ends.append(event.hear(kind, DEPOSITS[(first + number + turn) % len(DEPOSITS)], turn))
    return [one for one in ends if one]


def may(event: Hearings, kind: str, turn: int) -> bool:
    """Return whether there is still somebody at the table who was not late yet."""
    return kind != "lateness" or turn < len(event.seats) - 1
