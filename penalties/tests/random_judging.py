"""A machine of random referees, players, replacements, reopenings and rulings: one event, one seed, so many steps.

After every step it holds the event against what was promised: a decision in force has the effect that it was shown with,
nothing is undone but by somebody who asked for it, and accounts follow from decisions alone. At the end every appeal is
brought to its end by the buttons of its own page, pressed by those to whom they are offered. [RULES 8.51]
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from html import unescape
from random import Random
from uuid import uuid4

from django.test import Client

from penalties.appeals import operations as appeals
from penalties.appeals.forms import INSTEAD
from penalties.appeals.operations import Grounds, Instead, Order
from penalties.appeals.queries import Replacement, contestable, courses_of
from penalties.ladder.operations import penalties
from penalties.ladder.operations.penalties import OUT, Case
from penalties.ladder.queries.outlook import Course, Outlook, outlook_of, side_by_side
from penalties.ladder.queries.penalties import JudgedEvent, effects, penalty_rows, sitting
from penalties.ladder.rules.offences import offences
from penalties.lateness import operations as lateness
from penalties.models import Appeal, Penalty
from penalties.substitutes import operations as substitutes
from penalties.tests import factories as judge
from scoring.standings.stages import account
from tournaments.models import Player, Protocol, Registration, Role, Session, Tournament, User
from tournaments.record.actors import Actor
from tournaments.record.refusal import Refused
from tournaments.sessions.operations import play
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import protocols
from tournaments.tables.queries.events import event_of
from tournaments.tables.queries.sheets import sheet_of
from tournaments.tests import factories as make
from tournaments.tests.random_hands import random_facts

PRESETS = ("sbr", "wmsg", "mcr", "siamese", "red", "riichi_ema", "riichi_festival")
REASON = "Decided by the machine of random referees."
EFFECTS = Penalty.Effect
BUTTON = re.compile(r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'<(?:input|button)[^>]*name="([^"]+)"[^>]*value="([^"]*)"')
MOST_ROUNDS = 12


@dataclass
class Decision:
    """A penalty in force with what it was shown to take and to lead to."""

    row: Penalty
    status: str = ""


@dataclass
class Walk:
    """One random event."""

    seed: str
    preset: str
    steps: int = 25
    told: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Lay out the event: some with a committee, some of whose members play, some with a deposit."""
        self.chance = Random(f"{self.seed} {self.preset}")
        size = 6 if self.preset == "siamese" else 8
        self.of = make.tournament(self.preset, entry_fee=self.chance.choice(["0", "10"]))
        make.players(self.of, size)
        self.pool = [judge.substitute(self.of, name) for name in ("Mira", "Nora")]
        self.session = make.in_play(self.of)
        self.people = list(Player.objects.filter(tournament=self.of, registration__isnull=False))
        self.users: dict[int, tuple[User, set[str]]] = {}
        self.chief = self._staff("chief_referee")
        self.referees = [self._staff("referee") for _ in range(2)]
        members = self.chance.choice([0, 0, 1, 2, 3])
        self.committee = [self._staff("committee", plays=self.chance.random() < 0.3) for _ in range(members)]
        self.desk = make.organizer_of(self.of)
        self.users[self.of.created_by.pk] = (self.of.created_by, {"organizer"})
        self.in_force: dict[int, Decision] = {}

    def _staff(self, kind: str, *, plays: bool = False) -> Actor:
        user = make.staff(self.of, kind)
        self.users[user.pk] = (user, {kind})
        if not plays:
            return make.actor(user, kind)
        player = self.chance.choice(self.people)
        Role.objects.filter(tournament=self.of, user=user).update(player=player)
        actor = make.actor(user, kind)
        return Actor(actor.kind, actor.id, actor.roles, player_ids=frozenset({player.pk}))

    def run(self) -> None:
        """Take all steps, then bring what is open to its end."""
        actions: list[tuple[int, Callable[[], object]]] = [
            (6, self.hand), (6, self.give), (2, self.revoke), (2, self.give_and_revoke), (2, self.late), (3, self.arrived),
            (1, self.waive), (2, self.substitute), (1, self.leave), (2, self.come_back), (2, self.close), (1, self.reopen),
            (4, self.appeal), (2, self.classify), (2, self.deposit), (3, self.rule), (1, self.further), (1, self.withdraw),
            (1, self.approve), (1, self.void), (1, self.restore),
        ]  # fmt: skip
        weights = [weight for weight, _ in actions]
        for _ in range(self.steps):
            ((_, action),) = self.chance.choices(actions, weights)
            self.told.append(action.__name__)
            with suppress(Refused):
                action()
                self.told[-1] += " ✓"
            self.check()
        self.end_appeals()
        self.check()
        assert verify(self.of) == [], self.told

    # What happens

    def tables(self) -> list[Protocol]:
        self.session = Session.objects.get(pk=self.session.pk)
        self.session.tournament = self.of = Tournament.objects.get(pk=self.of.pk)
        rows = Protocol.objects.select_related("table__session__tournament")
        return list(rows.filter(table__session=self.session).order_by("table__number"))

    def table(self) -> Protocol:
        return self._one(self.tables())

    def _one(self, rows):
        rows = list(rows)
        if not rows:
            raise Refused
        return self.chance.choice(rows)

    def player(self) -> Player:
        self.tables()
        player = self._one(self.people if self.chance.random() < 0.9 else [one.player for one in self.pool])
        player = Player.objects.get(pk=player.pk)
        player.tournament = self.of
        return player

    def referee(self) -> Actor:
        return self._one([self.chief, *self.referees])

    def hand(self) -> None:
        protocol = self.table()
        if protocol.mode != Protocol.Mode.HANDS:
            start = self.session.regulation["start_points"]
            winds = [seat.wind for seat in sheet_of(protocol).seats if seat.player_id]
            final = dict.fromkeys(winds, start)
            final[winds[0]], final[winds[1]] = start + 4000, start - 4000
            intent = make.intent(protocol)
            protocols.record_final_result(protocol, final, intent=intent, by=self.desk, reason=REASON)
            return
        at = sheet_of(protocol).play().situation
        for _ in range(6):
            with suppress(Refused):
                make.record(protocol, random_facts(self.of.system, at, self.chance))
                return

    def case(self) -> Case:
        player = self.player()
        session = self.session if self.chance.random() < 0.8 else None
        rules = JudgedEvent(self.of).rules_of(session.number if session else None).penalties
        offence = self._one(offences(self.of.system, rules))
        effect = self.chance.choice([EFFECTS.GAME_POINTS] * 5 + list(EFFECTS))
        points = None
        if self.chance.random() < 0.4:
            is_riichi = self.of.system == "RIICHI"
            points = Fraction(self.chance.choice([8000, 12000] if is_riichi else [2, 8, 10, 20]))
            if effect == EFFECTS.TOURNAMENT_POINTS:
                points = Fraction(1, 2)
        return Case(
            player=player,
            offence=offence.code,
            session=session,
            hand=self.chance.choice([None, 1, 2]) if session else None,
            effect=effect,
            points=points,
            clause=offence.clause or "RULES 1.8",
            reason=REASON,
            to=self.chance.choice(["", "", "table"]) if session and effect == EFFECTS.GAME_POINTS else "",
        )

    def give(self) -> Penalty:
        """Give what was looked at before: the table and the standings are then as they were shown."""
        case, by = self.case(), self.referee()
        seat = self.seat_of(case)
        shown = outlook_of(self.of, seat, penalties.wanted_by(self.of, case))
        row = penalties.give(self.of, case, by=by, key=uuid4().hex, is_sure=True)
        self.follow(row)
        if row.effect in {EFFECTS.GAME_POINTS, EFFECTS.TOURNAMENT_POINTS, EFFECTS.DEAD_HAND}:
            assert not shown.is_nothing, (self.told, case)
            self.compare(shown, row)
        return row

    def seat_of(self, case: Case):
        seats = self.session.seats.select_related("table__protocol", "player", "kept_for")
        found = [one for one in seats if case.session and case.player.pk in (one.player_id, one.kept_for_id)]
        for one in found:
            one.session = one.table.session = self.session
        return found[0] if found and hasattr(found[0].table, "protocol") else None

    def compare(self, shown: Outlook, row: Penalty) -> None:
        """Hold the event against what was shown before the decision."""
        event = event_of(self.of)
        places = {one.player: one.place for one in account(event).standings}
        assert [(move.player.pk, places[move.player.pk]) for move in shown.standings] == [
            (move.player.pk, move.then) for move in shown.standings
        ], (self.told, row)
        if shown.table:
            table = shown.table[0].seat.table
            now = [one.before for one in effects(table, [])]
            assert now == [one.after for one in shown.table], (self.told, row)

    def follow(self, row: Penalty) -> None:
        self.in_force[row.pk] = Decision(row)

    def revoke(self) -> None:
        row = self._one(self.of.penalties.filter(state=Penalty.State.IN_FORCE))
        penalties.revoke(row, by=self._one([self.chief, self.chief, *self.referees]), reason=REASON)
        self.in_force.pop(row.pk, None)

    def give_and_revoke(self) -> None:
        """Adding and revoking leaves the standings as they were."""
        self.tables()
        before = self.standings()
        row = penalties.give(self.of, self.case(), by=self.chief, key=uuid4().hex, is_sure=True)
        penalties.revoke(row, by=self.chief, reason=REASON)
        assert self.standings() == before, (self.told, row)

    def standings(self):
        rows = account(event_of(self.of)).standings
        seats = self.session.seats.values_list("pk", "player", "kept_for", "left_after", "hand_points")
        return [(row.player, row.place, row.values) for row in rows], sorted(seats)

    def late(self) -> None:
        lateness.mark_late(self.session, [self.player()], by=self.referee())

    def arrived(self) -> None:
        row = self._one(self.session.latenesses.select_related("player", "session"))
        row.session.tournament = self.of
        seconds = self.chance.choice([30, 300, 700, 1000])
        if self.chance.random() < 0.5:
            lateness.note_arrival(row, by=self.referee())
        else:
            lateness.change_lateness(row, seconds=seconds, by=self.referee(), reason=REASON)

    def waive(self) -> None:
        row = self._one(self.session.latenesses.select_related("player", "session"))
        row.session.tournament = self.of
        lateness.waive(row, by=self.chief, reason=REASON, is_waived=self.chance.random() < 0.5)

    def substitute(self) -> None:
        player, one = self.player(), self._one(self.pool)
        substitutes.seat_substitute(player, one, [self.session], by=self.chief, reason=REASON)

    def leave(self) -> None:
        substitutes.leave_empty(self.player(), self.session, by=self.chief, reason=REASON)

    def come_back(self) -> None:
        substitutes.return_player(self.player(), [self.session], by=self.chief, reason=REASON)

    def close(self) -> None:
        """End every table, sign it off and close the session; sometimes the next one begins."""
        for protocol in self.tables():
            with suppress(Refused):
                protocols.end_protocol(protocol, intent=make.intent(protocol), by=self.desk)
            with suppress(Refused):
                protocols.sign_off(protocol, intent=make.intent(protocol), by=self.chief, reason=REASON)
        play.close_session(self.session, by=self.desk, reason=REASON)

    def reopen(self) -> None:
        self.tables()
        play.reopen_session(self.session, by=self.desk, reason=REASON)

    def appeal(self) -> None:
        self.tables()
        one = self._one(contestable(self.of))
        about = one.penalty or one.lateness
        player = Player.objects.get(pk=about.player_id) if about else self.player()
        player.tournament = self.of
        if not Registration.objects.filter(player=player).exists():
            raise Refused
        grounds = Grounds(
            session=one.session, player=player, text=judge.LONG, penalty=one.penalty, lateness=one.lateness,
            table=one.table, hand=1 if one.table and self.chance.random() < 0.5 else None,
        )  # fmt: skip
        by = self.desk if self.chance.random() < 0.5 else judge.link_actor(player.registration)
        appeals.file_appeal(self.of, grounds, by=by, key=uuid4().hex)

    def open_appeal(self) -> Appeal:
        self.tables()
        row = self._one(self.of.appeals.select_related("session", "table", "penalty", "lateness"))
        row.tournament = row.session.tournament = self.of
        return row

    def classify(self) -> None:
        appeals.classify(self.open_appeal(), self.chance.choice(["rules", "other"]), by=self.chief)

    def deposit(self) -> None:
        self._one([appeals.take_deposit, appeals.close_unpaid, appeals.return_deposit])(
            self.open_appeal(), by=self.desk
        )

    def rule(self) -> None:
        row = self.open_appeal()
        verdict = self.chance.choice(["upheld", "dismissed", "recommended"])
        body = str(appeals.body_of(row))
        if body == "committee":
            for member in self.committee:
                with suppress(Refused):
                    appeals.vote(row, verdict, by=member)
        by = self.chief if body == "chief_referee" else self._one(self.committee)
        order = self.order(row) if verdict == "upheld" else Order()
        shown = self.column(row, verdict, order)
        ruling = appeals.decide(row, verdict, judge.LONG, body=body, by=by, order=order)
        if verdict == "upheld" and row.penalty_id:
            self.in_force.pop(row.penalty_id, None)
        if "instead" in ruling.effect:
            self.follow(self.of.penalties.get(number=ruling.effect["instead"]))
        if shown and verdict != "recommended":
            assert sorted(self.stands(row)) == sorted(shown), (self.told, row, verdict, order)

    def order(self, row: Appeal) -> Order:
        """Write into a ruling what may take the place of a penalty, or points for two players of the table."""
        if row.penalty_id and self.chance.random() < 0.5:
            effect = self.chance.choice(INSTEAD)
            large = 8000 if self.of.system == "RIICHI" else 8
            points = {EFFECTS.GAME_POINTS: Fraction(large), EFFECTS.TOURNAMENT_POINTS: Fraction(1, 2)}
            return Order(instead=Instead(effect, points.get(effect)))
        if row.table is None or self.chance.random() < 0.5:
            return Order()
        seats = [seat.kept_for_id or seat.player_id for seat in row.table.seats.in_order()]
        first, second = self.chance.sample(seats, 2)
        return Order(points={first: 4, second: -4} if first and second else {})

    def column(self, row: Appeal, verdict: str, order: Order) -> list[tuple[int, object]]:
        """Return what the form of a ruling shows of the standings under it: the last column, or the first."""
        effect, points = (order.instead.effect, order.instead.points) if order.instead else ("", None)
        _names, rows = courses_of(row, Replacement(effect, points, order.points))
        return [(one.player.pk, one.cells[-1 if verdict == "upheld" else 0][:2]) for one in rows]

    def stands(self, row: Appeal) -> list[tuple[int, object]]:
        """Return how the same players stand now, in the order in which they were shown."""
        self.tables()
        row = Appeal.objects.select_related("table", "penalty__table").get(pk=row.pk)
        row.tournament = self.of
        table = row.table or (row.penalty.table if row.penalty else None)
        seats = sitting(table) if table else []
        rows = side_by_side(self.of, seats, [row.player_id], [Course("now")])
        return [(one.player.pk, one.cells[0][:2]) for one in rows]

    def further(self) -> None:
        appeals.take_further(self.open_appeal(), by=self.desk)

    def withdraw(self) -> None:
        appeals.withdraw_appeal(self.open_appeal(), by=self.desk)

    def approve(self) -> None:
        row = self._one(self.of.penalties.filter(state=Penalty.State.PROPOSED))
        penalties.approve(row, by=self._one([self.chief, *self.referees]))
        self.follow(Penalty.objects.get(pk=row.pk))

    def void(self) -> None:
        protocol = self.table()
        number = self.chance.randint(1, 3)
        protocols.void_hand(
            protocol, number=number, intent=make.intent(protocol), by=self.chief, reason=REASON
        )

    def restore(self) -> None:
        protocol = self.table()
        hand = self._one(protocol.hands.filter(status="voided", replaced_by=None))
        protocols.restore_hand(
            protocol, hand=hand.pk, intent=make.intent(protocol), by=self.chief, reason=REASON
        )

    # What must hold

    def check(self) -> None:
        """Hold decisions against accounts, lists and protocols."""
        states = dict(self.of.penalties.values_list("pk", "state"))
        for pk in self.in_force:
            assert states[pk] != Penalty.State.REVOKED, (self.told, pk)
        for row in penalty_rows(self.of):
            lines = row.penalty.lines.filter(adjustment__reversed_at=None, appeal=None)
            own = lines.filter(adjustment__player=row.penalty.player)
            taken = sum(line.adjustment.game_points or 0 for line in own)
            assert taken == row.game_points, (self.told, row.penalty)
            if not row.penalty.is_in_force:
                assert not lines.exists(), (self.told, row.penalty)
        self.check_people()

    def check_people(self) -> None:
        """Who was removed is out as long as the decision stands, and plays no hand after it. [RULES 8.55]"""
        standing = self.of.penalties.filter(state=Penalty.State.IN_FORCE, effect__in=OUT)
        out = set(standing.values_list("player_id", flat=True))
        gone = (Registration.Status.REMOVED, Registration.Status.DISQUALIFIED)
        listed = Registration.objects.filter(tournament=self.of, status__in=gone)
        registered = set(Registration.objects.filter(tournament=self.of).values_list("player_id", flat=True))
        assert set(listed.values_list("player_id", flat=True)) == out & registered, self.told
        for protocol in self.tables():
            sheet = sheet_of(protocol)
            for seat in sheet.seats:
                played = [row.number for row in sheet.rows if seat.wind in row.payments]
                assert not any(seat.is_empty_in(number) for number in played), (self.told, seat)

    # How appeals end

    def end_appeals(self) -> None:
        """Press the buttons of each open appeal, as its page offers them to somebody, until it is decided."""
        for row in self.of.appeals.order_by("number"):
            for _ in range(MOST_ROUNDS):
                row.refresh_from_db()
                if not row.is_open:
                    break
                self.told.append(f"page of {row.number}: {row.state}")
                self.press(row)
            assert not row.is_open, (self.told, row.state)

    def press(self, row: Appeal) -> None:
        """Let everybody who works here look at the page and press what is offered to them."""
        for user, _ in self.users.values():
            client = Client()
            client.force_login(user)
            address = f"/{self.of.slug}/desk/appeals/{row.number}/"
            answer = client.get(address)
            if answer.status_code != 200:
                continue
            page = answer.content.decode()
            offered = {
                unescape(action): dict(FIELD.findall(inside)) for action, inside in BUTTON.findall(page)
            }
            pay = [one for one in offered if one.endswith(("/deposit/", "/not-accepted/"))]
            if pay:
                client.post(self.chance.choice(sorted(pay)), {"form_end": "1"})
                return
            for action in offered:
                if action.endswith("/vote/"):
                    client.post(action, {"verdict": "dismissed", "form_end": "1"})
            if f"{address}decide/" in page:
                self.decide(client, row, f"{address}decide/")
                return

    def decide(self, client: Client, row: Appeal, address: str) -> None:
        """Rule as the form offers it, sometimes with something in the place of the decision; what it showed is what comes."""
        page = client.get(address).content.decode()
        verdicts = re.findall(r'name="verdict"[^>]*value="([^"]+)"|value="([^"]+)"[^>]*name="verdict"', page)
        found = [one or other for one, other in verdicts]
        body = re.search(r'name="body"[^>]*value="([^"]*)"', page)
        verdict = "dismissed" if body and body[1] == "committee" else self.chance.choice(found)
        said = {"body": body[1] if body else "", "verdict": verdict, "reasons": judge.LONG, "form_end": "1"}
        row = Appeal.objects.select_related("session", "table", "penalty__table", "lateness").get(pk=row.pk)
        row.tournament = row.session.tournament = self.of
        order = self.order(row) if verdict == "upheld" else Order()
        if order.instead:
            said |= {"instead": order.instead.effect, "instead_points": str(order.instead.points or "")}
        winds = (
            {one.kept_for_id or one.player_id: one.wind for one in row.table.seats.all()} if row.table else {}
        )
        said |= {f"points_{winds[player]}": str(points) for player, points in order.points.items()}
        shown = self.column(row, verdict, order)
        answer = client.post(address, said)
        self.told.append(f"ruled {verdict}: {answer.status_code}")
        if shown and answer.status_code == 302 and verdict != "recommended":
            assert sorted(self.stands(row)) == sorted(shown), (self.told, row, verdict, order)
        self.in_force = {
            pk: one
            for pk, one in self.in_force.items()
            if Penalty.objects.filter(pk=pk).exclude(state=Penalty.State.REVOKED).exists()
            or not one.row.appeals.exists()
        }
