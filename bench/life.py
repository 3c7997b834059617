"""The life of a small event, a step for each operation that writes: for `kills.py`, which interrupts every one of them.

A step finds what it needs in the database, and what it sends has the same key each time: done again it is what a person, a page or
a tablet sends again after an answer that never came.
"""

from base64 import b64decode
from collections.abc import Callable
from fractions import Fraction
from typing import Any

SLUG = "life"
BESIDE = "beside"
LIKE_IT = "like-it"
REASON = "For the length of a measurement, no longer."
SECRET = "a-secret-of-an-invited-tablet-0001"
LINK = "a-secret-of-an-invited-scorer-0001"
HANDED = "a-secret-of-whom-the-event-is-handed-to"
LONG = "The referee counted the third claim twice, and nobody looked."
OF_TEAMS = {"by": "team", "mode": "sum", "best": None, "ranking": ["tournament_points", "game_points"]}
PICTURE = b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNoaGBoaAAABgYCASzBUNcAAAAASUVORK5CYII="
)
"""A photo of two dots by two."""
Step = Callable[["Event"], object]


class Event:
    """The event and what is in it, read afresh each time."""

    @property
    def of(self) -> Any:
        """The tournament."""
        from tournaments.models import Tournament

        return Tournament.objects.get(slug=SLUG)

    @property
    def user(self) -> Any:
        """Whoever runs it."""
        from tournaments.models import User

        return User.objects.get(username="bench")

    @property
    def by(self) -> Any:
        """The same as an actor, in all roles of the desk."""
        from tournaments.record.actors import Actor, ActorKind

        roles = {"organizer", "chief_referee", "referee", "committee", "signed_in"}
        return Actor(ActorKind.USER, self.user.pk, frozenset(roles))

    @property
    def beside(self) -> Any:
        """Another event of the same account, small and full: whoever is late waits for a place."""
        from tournaments.models import Tournament

        return Tournament.objects.get(slug=BESIDE)

    def registration(self, number: int, of: Any = None) -> Any:
        """Somebody on the list."""
        of = of or self.of
        row = of.registrations.select_related("player").get(number=number)
        row.tournament = row.player.tournament = of
        return row

    def session(self, number: int = 1) -> Any:
        """A session."""
        row = self.of.sessions.get(number=number)
        row.tournament = self.of
        return row

    def protocol(self, table: int = 1, session: int = 1) -> Any:
        """The protocol of a table."""
        from tournaments.models import Protocol

        rows = Protocol.objects.select_related("table__session__tournament")
        return rows.get(table__session=self.session(session), table__number=table)

    def player(self, wind: str, table: int = 1) -> Any:
        """Who sits at a table."""
        row = self.session().seats.select_related("player").get(table__number=table, wind=wind).player
        row.tournament = self.of
        return row

    @property
    def last_hand(self) -> int:
        """The last hand of the first table."""
        return int(self.protocol().hands.filter(status="in_force").latest("number").pk)

    @property
    def referee(self) -> Any:
        """Another referee, who is neither the chief nor of the committee."""
        from tournaments.models import User
        from tournaments.record.actors import Actor, ActorKind

        user = User.objects.get(username="referee")
        return Actor(ActorKind.USER, user.pk, frozenset({"referee", "signed_in"}))

    @property
    def committee(self) -> Any:
        """A member of the committee, who has nothing else to do with any case."""
        from tournaments.record.actors import Actor, ActorKind

        return Actor(ActorKind.USER, self.guest.pk, frozenset({"committee", "signed_in"}))

    @property
    def late(self) -> Any:
        """Whoever came too late."""
        from penalties.models import Lateness

        return Lateness.objects.get(session=self.session())

    def lateness(self, wind: str) -> Any:
        """The lateness of somebody at the second table."""
        from penalties.models import Lateness

        return Lateness.objects.get(session=self.session(), player=self.player(wind, 2))

    @property
    def operator(self) -> Any:
        """Whoever runs the site."""
        from tournaments.models import User
        from tournaments.record.actors import Actor, ActorKind

        user = User.objects.get(username="operator")
        return Actor(ActorKind.USER, user.pk, frozenset({"operator", "signed_in"}))

    @property
    def member(self) -> Any:
        """Another account, of the staff and later an organizer."""
        from tournaments.models import User

        return User.objects.get(last_name="Member")

    @property
    def guest(self) -> Any:
        """A third account, whose owner leaves in the end."""
        from tournaments.models import User

        return User.objects.get(last_name="Guest")

    @property
    def like_it(self) -> Any:
        """An event that began from a template of the first."""
        from tournaments.models import Tournament

        return Tournament.objects.get(slug=LIKE_IT)

    @property
    def link(self) -> str:
        """The link to a new password, as it was made while the referee had none yet."""
        from tournaments.models import User
        from tournaments.people.operations.passwords import link_for

        return link_for(self.of, User(pk=self.referee.id), self.user.pk)

    @property
    def struck(self) -> int:
        """A hand that was voided."""
        from tournaments.models import Hand

        return int(
            Hand.objects.filter(protocol=self.protocol(), status="voided", replaced_by=None).latest("pk").pk
        )

    def own(self, player: Any) -> Any:
        """A player by private link."""
        from tournaments.record.actors import Actor, ActorKind

        return Actor(ActorKind.PLAYER, player.pk, frozenset({"player"}), player_ids=frozenset({player.pk}))

    @property
    def sheet(self) -> Any:
        """A paper of the sample that was drawn."""
        from tournaments.models import PaperSheet

        return PaperSheet.objects.select_related("audit__tournament").filter(audit=self.newest_audit).first()

    @property
    def newest_audit(self) -> Any:
        """The last sample."""
        return self.of.paper_audits.last()

    def intent(self, key: str, table: int = 1, session: int = 1, **body: object) -> Any:
        """What a device sends about a table: the same key and body each time, and how much it has seen."""
        from tournaments.tables.operations.recording import Intent

        return Intent(seen=self.protocol(table, session).version, key=f"{key}-{'k' * 16}", body=body)

    def draft(self) -> Any:
        """The draft of a draw, with the ids of two who sit in it."""
        from seating.models import Draw

        draw = self.newest(Draw)
        first, second = draw.plan["1"]["tables"][0][:2]
        return draw, first, second

    def newest_request(self) -> Any:
        """The last wish to be forgotten."""
        from tournaments.models import ErasureRequest

        return ErasureRequest.objects.filter(player__tournament=self.of).latest("pk")

    def newest(self, model: Any) -> Any:
        """The newest row of something."""
        return model.objects.filter(tournament=self.of).latest("pk")


def facts(fans: int = 0) -> dict[str, Any]:
    """A hand: East wins from South, the wall ends, three wait."""
    return {
        "events": [{"type": "win", "from": "S", "winners": [{"seat": "E", "fans": fans}]}],
        "end": {wind: {"state": "waiting", "max_base": 1} for wind in "SWN"},
    }


def begin() -> None:
    """Make the accounts that people have made for themselves."""
    from tournaments.models import User

    for name in ("bench", "referee"):
        User.objects.get_or_create(username=name)
    User.objects.get_or_create(username="operator", is_superuser=True)
    User.objects.get_or_create(username="member", last_name="Member")
    User.objects.get_or_create(username="guest", last_name="Guest")


def steps() -> dict[str, Step]:
    """Return every step by its name, in the order of an event: a table, and long as one.

    Models can be imported only once the environment is set, so the table is made when it is asked for.
    """
    from dataclasses import replace
    from datetime import date, datetime, timedelta
    from types import SimpleNamespace
    from uuid import NAMESPACE_URL, uuid5

    from django.utils import timezone

    from config.rehearsal import operations as rehearsal
    from penalties.appeals import operations as appeals_operations
    from penalties.appeals.operations import Grounds
    from penalties.ladder.operations import dead_hands, penalties
    from penalties.ladder.operations.penalties import Case
    from penalties.lateness import operations as lateness_operations
    from penalties.models import Appeal, Penalty
    from penalties.paper import operations as paper
    from penalties.phone import operations as phone
    from penalties.substitutes import operations as substitutes_operations
    from seating.desk import following
    from seating.drafts import operations as draws
    from seating.drafts.plans import Options
    from seating.models import Draw
    from tournaments.exchange import intake
    from tournaments.exchange.record import export_record
    from tournaments.models import Adjustment, Device, Role, Substitute, Tournament, User
    from tournaments.operator import operations as site
    from tournaments.people.operations import (
        directory,
        importing,
        mails,
        passwords,
        push,
        push_messages,
        registration,
        wishes,
    )
    from tournaments.people.rules.quotas import Quota
    from tournaments.privacy import operations as privacy
    from tournaments.public import operations as public_operations
    from tournaments.record.rules import Act
    from tournaments.sessions.operations import invitations, play, templates, timetable, undo
    from tournaments.sessions.operations import tournaments as events
    from tournaments.standings.operations import adjustments, chances, freezing, recompute, team_lines
    from tournaments.tables.operations import (
        audits,
        devices,
        entering,
        logs,
        mirrors,
        moves,
        protocols,
        substitutes,
        witnesses,
    )
    from tournaments.tables.queries.logs import Game
    from tournaments.web.rules import Grid, Row

    def announcement(name: str = "A small event") -> Any:
        days = (date(2026, 5, 9), date(2026, 5, 10))
        return events.Announcement(name, SLUG, *days, time_zone="Europe/Samara", city="Samara")

    def person(name: str, **more: Any) -> registration.Details:
        return registration.Details(name=name, **more)

    written = tuple(
        Row(n, (f"Ibis {letter}", f"{letter}@example.org")) for n, letter in enumerate("ABCDEF", start=2)
    )
    waiters = Grid(("name", "email"), written)
    grid = Grid(("name",), tuple(Row(n, (f"Heron {letter}",)) for n, letter in enumerate("ABCDEFG", start=2)))

    key = push_messages.encoded(push_messages.public_bytes(push_messages.site_key("a browser of the bench")))
    browser = push.Browser("https://push.example/sub/1", key, push_messages.encoded(b"a" * 16))

    def at_later_time(module: Any, hours: float) -> None:
        """Let it be later for a part of the program, in the process of this step alone."""
        now = timezone.now
        vars(module)["timezone"] = SimpleNamespace(
            **{**vars(timezone), "now": lambda: now() + timedelta(hours=hours)}
        )

    def opened_beside(e: Event) -> object:
        day = timezone.localdate() + timedelta(days=30)
        said = events.Announcement(
            "The event beside", BESIDE, day, day, "Europe/Samara", offer_hours=1, mails_players=True
        )
        return site.create_event(said, preset="sbr", by=e.by, changes={"max_players": 4})

    def lapsed(e: Event) -> object:
        at_later_time(registration, 1.5)
        return registration.lapse_offers(e.beside, by=e.by)

    def on_both_lists(e: Event) -> object:
        return registration.register_player(e.beside, person(e.player("N").name), by=e.by)

    def answered(e: Event) -> object:
        there = e.player("N").registration
        here = e.beside.registrations.get(player__name=e.player("N").name)
        return registration.answer_bar(here, there.pk, by=e.by, reason=REASON)

    def scorer_invited(e: Event) -> object:
        vars(invitations)["secrets"] = SimpleNamespace(token_urlsafe=lambda _: LINK)
        return invitations.invite(e.of, "scorer", by=e.by)

    def handed_on(e: Event) -> object:
        vars(invitations)["secrets"] = SimpleNamespace(token_urlsafe=lambda _: HANDED)
        return invitations.offer_event(e.like_it, by=e.by)

    def like_it(slug: str) -> Step:
        """Begin an event from the template of the first one."""
        said = replace(announcement("An event like it"), slug=slug)
        return lambda e: site.create_from_template(e.user.event_templates.get(), said, by=e.by)

    def of_a_club(name: str) -> Step:
        return lambda e: registration.register_player(e.like_it, person(name, club="Marsh"), by=e.by)

    def quotas(at_like_it: bool, **most: int) -> Step:
        said = {by: Quota(number) for by, number in most.items()}
        return lambda e: wishes.set_quotas(e.like_it if at_like_it else e.of, said, by=e.by)

    def asked(is_asked: bool) -> Step:
        return lambda e: wishes.ask_question(e.of, "q1", is_asked=is_asked, by=e.by)

    def pair(e: Event) -> tuple[int, int]:
        return e.registration(2).player.pk, e.registration(2, e.beside).player.pk

    def followed(number: int) -> Step:
        wanted = push.Wishes(sorts=("seats", "starts", "result", "place", "appeal"))
        return lambda e: push.subscribe(e.registration(number), browser, wanted, is_own=True)

    def before_start(e: Event) -> object:
        at_later_time(push, (e.session().planned_at - timezone.now()).total_seconds() / 3600 - 0.1)
        return push.queue_starts()

    def days_later(e: Event) -> object:
        at_later_time(push, 24 * 400)
        return push.tidy()

    def planned_elsewhere(e: Event) -> object:
        rounds = [{"tables": [[1, 2, 3, 4], [5, 6, 7, 8]], "off": []}]
        return draws.propose_plan(e.of, [e.session()], rounds, seed="s", by=e.by)

    def taken_from_team(e: Event) -> object:
        entry = team_lines.TeamEntry(e.of.teams.get(name="Storks"), game_points=-8, reason=REASON)
        return team_lines.post(e.of, entry, by=e.by, key="team" + "k" * 16)

    def declared(is_free: bool) -> Step:
        return lambda e: appeals_operations.declare_conflict(
            e.newest(Appeal), by=e.committee, is_free=is_free
        )

    def winds_drawn(e: Event) -> object:
        table = e.protocol().table
        first, *others = sorted(table.seats.values_list("player", flat=True))
        return play.write_winds(table, dict(zip([*others, first], "ESWN", strict=True)), by=e.by)

    def long_draw(e: Event) -> object:
        vars(draws).update(_is_long=lambda _: True, start_drawing=lambda _: None)
        return draws.propose(e.of, [e.session(2)], mode="random", seed="long", by=e.by)

    def drawn_next(e: Event) -> object:
        """Draw from the same seed each time: who sits where says how many are told of a result."""
        vars(draws)["secrets"] = SimpleNamespace(token_hex=lambda _: "5eed")
        return following.draw_next(e.of, by=e.by)

    def declared_dead(e: Event) -> object:
        hand = e.protocol().hands.filter(status="in_force").count() + 1
        case = Case(
            e.player("N"),
            "wrong_count",
            e.session(),
            hand=hand,
            effect=Penalty.Effect.DEAD_HAND,
            reason=REASON,
        )
        return penalties.give(e.of, case, by=e.by, key="dead" + "k" * 16, is_sure=True)

    def batch(e: Event) -> object:
        """Send a hand as a tablet does, together with those of others; what the batch leaves is sent alone."""
        sent = entering.SentHand(facts(4), e.intent("batch", fans=4), is_sure=True)
        together = entering.enter_batch(SLUG, [entering.TableHands((1, 1), [sent], e.by)])
        return together[0] or entering.enter_hands(e.protocol(), [sent], by=e.by)

    def lateness_appealed(e: Event) -> object:
        who = e.player("S", 2)
        grounds = Grounds(session=e.session(), player=who, text=LONG, lateness=e.lateness("S"))
        return appeals_operations.file_appeal(e.of, grounds, by=e.own(who), key="lateness" + "k" * 16)

    def withdrawn(number: int) -> Step:
        """Withdraw somebody after a session: six are left, so that two of them have no game."""
        return lambda e: registration.withdraw(e.registration(number), by=e.by)

    def filled(wind: str, name: str) -> Step:
        """Let somebody of the pool play with the two whom the draw left without a game."""

        def fill(e: Event) -> object:
            table = e.session(2).tables.get(number=2)
            table.session = e.session(2)
            substitute = Substitute.objects.get(tournament=e.of, player__name=name)
            return substitutes_operations.fill_seat(table, wind, substitute, by=e.by, reason=REASON)

        return fill

    def propose(e: Event, session: int = 1) -> object:
        options = Options(leftover="regulation")
        return draws.propose(e.of, [e.session(session)], mode="random", seed="s", options=options, by=e.by)

    def hand(name: str, fans: int, table: int = 1) -> Step:
        return lambda e: entering.record_hand(
            e.protocol(table), facts(fans), intent=e.intent(name, table, fans=fans), by=e.by, is_sure=True
        )

    def confirmed(wind: str, table: int = 1) -> Step:
        def confirm(e: Event) -> object:
            totals = {seat.wind: seat.hand_points for seat in e.protocol(table).table.seats.all()}
            intent = e.intent(f"confirm-{wind}-{table}", table)
            return protocols.confirm_seat(e.protocol(table), wind, totals=totals, intent=intent, by=e.by)

        return confirm

    def seated(name: str, **sitting: str) -> Step:
        return lambda e: protocols.repair_seats(
            e.protocol(), sitting, intent=e.intent(f"seats-{name}"), by=e.by, reason=REASON
        )

    def signed_off(table: int, session: int = 1) -> Step:
        return lambda e: protocols.sign_off(
            e.protocol(table, session),
            intent=e.intent(f"sign-off-{session}-{table}", table, session),
            by=e.by,
            reason=REASON,
        )

    def final_result(session: int = 1) -> Step:
        return lambda e: protocols.record_final_result(
            e.protocol(2, session),
            {"E": 30, "S": -10, "W": -10, "N": -10},
            intent=e.intent(f"final-{session}", 2, session),
            by=e.by,
            reason=REASON,
        )

    def imported(e: Event) -> object:
        intent = e.intent("import", 1, 2)
        intent = replace(intent, seen=0, key=str(uuid5(NAMESPACE_URL, "a game of the bench")))
        return logs.enter_game(e.protocol(1, 2), Game((facts(0), facts(1))), intent=intent, by=e.by)

    def said(wind: str, is_right: bool) -> Step:
        """Say on a phone whether the last hand is right."""
        return lambda e: mirrors.check_hand(
            e.protocol(), e.last_hand, wind, is_right=is_right, text="", by=e.own(e.player(wind)),
            intent=e.intent(f"said-{wind}", is_right=is_right),
        )  # fmt: skip

    def pressed(operation: str, body: Callable[[Event], dict[str, Any]], **read: Any) -> Step:
        """Press on a referee's phone; `read` has what the page reads otherwise than it is sent."""

        def press(e: Event) -> object:
            sent = body(e)
            said = sent | {name: make(sent[name]) for name, make in read.items()}
            key, told = phone_key(operation), {"operation": operation, "press": sent}
            return phone.carry_out(e.of, operation, said, key=key, by=e.by, body=told)

        return press

    def phone_key(operation: str) -> str:
        return f"phone-{operation}-{'k' * 16}"

    def south(e: Event) -> dict[str, Any]:
        return {"session": 1, "player": e.player("S", 2).pk}

    def revealed(hidden: int) -> Step:
        return lambda e: freezing.reveal(e.of, hidden=hidden, by=e.by, key=f"reveal-{hidden}-{'k' * 16}")

    def appealed(name: str, penalty: bool = True, wind: str = "E", photos: int = 0) -> Step:
        def file(e: Event) -> object:
            about = {"penalty": e.newest(Penalty)} if penalty else {"table": e.protocol().table, "hand": 1}
            files = [("photo.png", PICTURE)] * photos
            who, text = e.player(wind), LONG + name
            grounds = Grounds(session=e.session(), player=who, text=text, files=files, **about)
            return appeals_operations.file_appeal(
                e.of, grounds, by=e.own(e.player(wind)), key=f"{name}-{'k' * 16}"
            )

        return file

    def given(name: str, offence: str, wind: str, by_referee: bool = False) -> Step:
        def give(e: Event) -> object:
            case = Case(e.player(wind), offence, e.session(), points=Fraction(10), reason=REASON)
            by = e.referee if by_referee else e.by
            return penalties.give(e.of, case, by=by, key=f"{name}-{'k' * 16}", is_sure=True)

        return give

    def proposed(e: Event) -> object:
        case = Case(
            e.player("N"), "cheating", e.session(), effect=Penalty.Effect.DISQUALIFICATION, reason=REASON
        )
        return penalties.give(e.of, case, by=e.referee, key="proposed" + "k" * 16, is_sure=True)

    def invited(e: Event) -> object:
        vars(devices)["secrets"] = SimpleNamespace(
            token_urlsafe=lambda _: SECRET, choice=lambda letters: letters[0]
        )
        return devices.invite_device(e.of, name="Tablet 1", tables=[1], by=e.by)

    def swapped(e: Event) -> object:
        draw, first, second = e.draft()
        return draws.swap_in_draft(draw, first, second, session=1, by=e.by, key="swap" + "k" * 16)

    def pinned(e: Event) -> object:
        draw, first, _ = e.draft()
        return draws.pin(draw, first, session=1, by=e.by, key="pin" + "k" * 16)

    def cloned(e: Event) -> object:
        return events.clone_tournament(e.of, replace(announcement("The next event"), slug="clone"), by=e.by)

    def taken_in(e: Event) -> object:
        return intake.import_record(export_record(e.of), by=e.by, slug="imported")

    def decided(verdict: str, body: str) -> Step:
        def decide(e: Event) -> object:
            by = e.committee if body == "committee" else e.by
            return appeals_operations.decide(e.newest(Appeal), verdict, LONG, body=body, by=by)

        return decide

    def voted(verdict: str) -> Step:
        return lambda e: appeals_operations.vote(e.newest(Appeal), verdict, by=e.committee)

    return {
        "create event": lambda e: events.create_tournament(
            announcement(), preset="sbr", by=e.by, changes={"sessions": 2}
        ),
        "change event": lambda e: events.change_tournament(e.of, announcement("The same event"), by=e.by),
        "change regulation": lambda e: events.change_regulation(
            e.of,
            {"team_size": 4, "entry_fee": "100", "group_tables": [OF_TEAMS]},
            by=e.by,
            reason=REASON,
        ),
        "announce": lambda e: events.announce_tournament(e.of, by=e.by),
        "grant role": lambda e: events.grant_role(
            e.of, User.objects.get(username="referee"), "referee", by=e.by
        ),
        "take role": lambda e: events.take_role(
            Role.objects.get(tournament=e.of, user__username="referee", kind="referee"), by=e.by
        ),
        "ask a question": lambda e: wishes.add_question(
            e.of,
            sort="choice",
            label="What do you eat?",
            options=("Rice", "Noodles"),
            by=e.by,
            key="question" + "k" * 16,
        ),
        "change a question": lambda e: wishes.change_question(
            e.of, "q1", label="What do you like to eat?", options=("Rice", "Noodles", "Soup"), by=e.by
        ),
        "ask no more": asked(False),
        "ask it again": asked(True),
        "set quotas": quotas(False, country=100, club=1),
        "save template": lambda e: templates.save_template(e.of, "Club evening", owner=e.user),
        "rename template": lambda e: templates.rename_template(e.user.event_templates.get(), "Club night"),
        "begin from template": like_it(LIKE_IT),
        "begin once more from it": like_it("never-held"),
        "delete template": lambda e: templates.delete_template(e.user.event_templates.get()),
        "delete own draft": lambda e: events.delete_draft(
            Tournament.objects.get(slug="never-held"), by=e.by, reason=REASON
        ),
        "register within the quota": of_a_club("Dunlin"),
        "register beyond the quota": of_a_club("Knot"),
        "lift quotas": quotas(True),
        "plan sessions": lambda e: timetable.plan_sessions(
            e.of,
            {1: timezone.now().replace(year=2026, month=5, day=9, hour=9, minute=0, second=0, microsecond=0)},
            by=e.by,
        ),
        "shift session": lambda e: timetable.shift_sessions(
            e.of.sessions.get(number=1), 5, by=e.by, key="shift" + "k" * 16
        ),
        "register": lambda e: registration.register_player(
            e.of, person("Wren"), by=e.by, key="me" + "k" * 16
        ),
        "import list": lambda e: importing.import_table(
            e.of, importing.Wish(grid), key="list" + "k" * 16, by=e.by
        ),
        "change player": lambda e: registration.change_player(
            e.registration(1), person("Wren", city="Oslo", team="Storks"), by=e.by
        ),
        "withdraw": lambda e: registration.withdraw(e.registration(1), by=e.by),
        "take back withdrawal": lambda e: registration.take_back_withdrawal(e.registration(1), by=e.by),
        "withdraw again": lambda e: registration.withdraw(e.registration(1), by=e.by),
        "admit": lambda e: registration.admit(e.registration(1), by=e.by),
        "check in": lambda e: registration.check_in(e.registration(1), by=e.by),
        "undo check-in": lambda e: registration.undo_check_in(e.registration(1), by=e.by),
        "note payment": lambda e: registration.note_payment(e.registration(1), by=e.by),
        "undo payment": lambda e: registration.undo_payment(e.registration(1), by=e.by),
        "note payments": lambda e: registration.note_payments(e.of, list(e.of.registrations.all()), by=e.by),
        "undo payments": lambda e: registration.undo_payments(
            e.of, e.registration(1).paid_at or timezone.now(), by=e.by
        ),
        "cancel event": lambda e: events.cancel_tournament(e.of, by=e.by, reason=REASON),
        "take back cancellation": lambda e: events.take_back_cancellation(e.of, by=e.by),
        "invite member": lambda e: invitations.invite(e.of, "scorer", by=e.by, name="Чижов"),
        "withdraw invitation": lambda e: invitations.withdraw_invitation(
            e.of.invitations.latest("pk"), by=e.by
        ),
        "check in all": lambda e: registration.check_in_all(e.of, list(e.of.registrations.all()), by=e.by),
        "undo check-in of all": lambda e: registration.undo_check_in_all(
            e.of, e.registration(1).checked_in_at or timezone.now(), by=e.by
        ),
        "check in all again": lambda e: registration.check_in_all(
            e.of, list(e.of.registrations.all()), by=e.by
        ),
        "create event beside": opened_beside,
        "announce event beside": lambda e: events.announce_tournament(e.beside, by=e.by),
        "paste a list": lambda e: registration.import_players(
            e.beside, [person("Ruff"), person("Smew")], by=e.by, key="paste" + "k" * 16
        ),
        "import list beside": lambda e: importing.import_table(
            e.beside, importing.Wish(waiters), key="beside" + "k" * 16, by=e.by
        ),
        "free a place": lambda e: registration.withdraw(e.registration(1, e.beside), by=e.by),
        "lapse offers": lapsed,
        "accept place": lambda e: registration.accept_place(e.registration(6, e.beside), by=e.by),
        "call two namesakes": lambda e: directory.keep_apart(e.user, *pair(e)),
        "call two one person": lambda e: directory.merge(e.user, *pair(e)),
        "take them apart": lambda e: directory.take_apart(e.user.same_persons.get()),
        "let in under a name": lambda e: events.let_in(
            e.of, e.guest, "scorer", by=e.by, name="Гость", name_latin="Guest"
        ),
        "offer event": handed_on,
        "take event over": lambda e: invitations.accept(HANDED, e.guest),
        "mails are refused": lambda e: e.beside.mails.exclude(state="failed").update(
            state="failed", attempts=1, error="SMTPRecipientsRefused"
        ),
        "send mails again": lambda e: mails.send_again(e.beside),
        "invite scorer": scorer_invited,
        "accept invitation": lambda e: invitations.accept(LINK, e.member),
        "name account": lambda e: privacy.name_account(User.objects.get(username="referee"), "Robin Teal"),
        "name captain": lambda e: registration.name_captain(e.registration(1), by=e.by, is_captain=True),
        "name member": lambda e: events.name_member(
            e.of, e.user, name="Бенчев", name_latin="Benchev", by=e.by
        ),
        "renew link": lambda e: registration.renew_link(e.registration(1), by=e.by, key="link" + "k" * 16),
        "follow in a browser": followed(1),
        "follow somebody else": followed(2),
        "name substitute": lambda e: substitutes.enrol_substitute(
            e.of, person("Mira"), by=e.by, key="mira" + "k" * 16
        ),
        "invite tablet": invited,
        "admit tablet": lambda e: devices.admit_device(e.of, secret=SECRET),
        "hear from tablet": lambda e: devices.note_device(e.newest(Device).pk, at_table=1, unsent=2),
        "promise draw": lambda e: draws.commit(e.of, by=e.by),
        "take in a plan": planned_elsewhere,
        "draw": propose,
        "publish draw": lambda e: draws.publish(e.newest(Draw), by=e.by),
        "repeat draw": lambda e: draws.repeat(e.newest(Draw).pk),
        "take back draw": lambda e: draws.take_back(e.newest(Draw), by=e.by),
        "publish once more": lambda e: draws.publish(e.newest(Draw), by=e.by),
        "withdraw seating": lambda e: play.withdraw_seating(e.session(), by=e.by, reason=REASON),
        "draw again": propose,
        "publish again": lambda e: draws.publish(e.newest(Draw), by=e.by),
        "change seating": lambda e: draws.change_published(
            e.session(), 1, 2, by=e.by, reason=REASON, key="change" + "k" * 16
        ),
        "propose repair": lambda e: draws.propose_repair(e.of, by=e.by, reason=REASON),
        "swap in draft": swapped,
        "undo edit": lambda e: draws.undo_edit(e.newest(Draw), by=e.by, key="undo" + "k" * 16),
        "pin in draft": pinned,
        "discard draft": lambda e: draws.discard(e.newest(Draw), by=e.by),
        "take up": lambda e: draws.take_up(e.newest(Draw), by=e.by),
        "discard once more": lambda e: draws.discard(e.newest(Draw), by=e.by),
        "propose repair again": lambda e: draws.propose_repair(e.of, by=e.by, reason=REASON),
        "repair seats": lambda e: draws.publish(e.newest(Draw), by=e.by),
        "tell of the start": before_start,
        "write winds": winds_drawn,
        "start session": lambda e: play.start_session(e.session(), by=e.by),
        "take back start": lambda e: undo.take_back_start(e.session(), by=e.by),
        "start again": lambda e: play.start_session(e.session(), by=e.by),
        "change clock": lambda e: play.change_clock(e.session(), by=e.by, key="clock" + "k" * 16, minutes=5),
        "call referee": lambda e: play.call_referee(e.protocol().table, by=e.by),
        "answer call": lambda e: play.answer_call(e.protocol().table),
        "allow frames": lambda e: public_operations.allow_frames(e.of, ["https://club.example"], by=e.by),
        "steer hall": lambda e: public_operations.steer_hall(
            e.of, public_operations.Steering(message="Lunch"), by=e.by, key="hall" + "k" * 16
        ),
        "mark late": lambda e: lateness_operations.mark_late(e.session(), [e.player("N", 2)], by=e.by),
        "note arrival": lambda e: lateness_operations.note_arrival(
            e.late, by=e.by, at=e.session().started_at + timedelta(minutes=7)
        ),
        "change lateness": lambda e: lateness_operations.change_lateness(
            e.late, seconds=400, by=e.by, reason=REASON
        ),
        "waive lateness": lambda e: lateness_operations.waive(e.late, by=e.by, reason=REASON),
        "press: late": pressed("late", south),
        "press: arrived": pressed(
            "arrived",
            lambda e: south(e) | {"at": (e.session().started_at + timedelta(minutes=3)).isoformat()},
            at=datetime.fromisoformat,
        ),
        "mark late by mistake": lambda e: lateness_operations.mark_late(
            e.session(), [e.player("W", 2)], by=e.by
        ),
        "strike lateness": lambda e: lateness_operations.strike(e.lateness("W"), by=e.by, reason=REASON),
        "hand 1": hand("hand-1", 0),
        "hand 2": hand("hand-2", 1),
        "correct hand": lambda e: protocols.correct_hand(
            e.protocol(), facts(3), number=1, intent=e.intent("correct", fans=3), by=e.by, reason=REASON
        ),
        "undo hand": lambda e: protocols.undo_hand(
            e.protocol(), number=2, intent=e.intent("undo"), by=e.by, reason=REASON
        ),
        "hand 3": hand("hand-3", 2),
        "find a hand right": said("S", True),
        "find a hand wrong": said("N", False),
        "settle dispute": lambda e: mirrors.settle_dispute(
            e.protocol(), e.last_hand, "N", reason=REASON, intent=e.intent("settle"), by=e.by
        ),
        "void hand": lambda e: protocols.void_hand(
            e.protocol(), number=1, intent=e.intent("void"), by=e.by, reason=REASON
        ),
        "restore hand": lambda e: protocols.restore_hand(
            e.protocol(), hand=e.struck, intent=e.intent("restore"), by=e.by, reason=REASON
        ),
        "void once more": lambda e: protocols.void_hand(
            e.protocol(), number=1, intent=e.intent("void-again"), by=e.by, reason=REASON
        ),
        "drop entry": lambda e: witnesses.drop_entry(
            e.protocol(), facts(5), intent=e.intent("drop", fans=5), by=e.by, reason=REASON
        ),
        "exchange seats": seated("exchange", E="S", S="E"),
        "exchange them back": seated("back", E="S", S="E"),
        "leave empty": lambda e: substitutes_operations.leave_empty(
            e.player("W", 2), e.session(), by=e.by, reason=REASON
        ),
        "player comes": lambda e: substitutes_operations.return_player(
            e.session().seats.get(table__number=2, wind="W").kept_for, [e.session()], by=e.by, reason=REASON
        ),
        "substitute sits": lambda e: substitutes_operations.seat_substitute(
            e.player("S"), Substitute.objects.get(tournament=e.of), [e.session()], by=e.by, reason=REASON
        ),
        "player returns": lambda e: substitutes_operations.return_player(
            e.session().seats.get(table__number=1, wind="S").kept_for, [e.session()], by=e.by, reason=REASON
        ),
        "leave table": lambda e: substitutes_operations.leave_empty(
            e.player("W"), e.session(), by=e.by, reason=REASON
        ),
        "come back to table": lambda e: substitutes_operations.return_player(
            e.player("W"), [e.session()], by=e.by, reason=REASON
        ),
        "declare hand dead": declared_dead,
        "hand in a batch": batch,
        "mark dead hand": lambda e: dead_hands.mark(
            Penalty.objects.get(tournament=e.of, effect="dead_hand"), by=e.by
        ),
        "give penalty": given("penalty", "phone", "E"),
        "file appeal": appealed("appeal"),
        "add statement": lambda e: appeals_operations.add_statement(
            e.newest(Appeal), LONG, by=e.by, key="statement" + "k" * 16
        ),
        "take deposit": lambda e: appeals_operations.take_deposit(e.newest(Appeal), by=e.by),
        "set hearing": lambda e: appeals_operations.set_hearing(
            e.newest(Appeal), at=e.session().started_at, place="Desk", by=e.by
        ),
        "add photos": lambda e: appeals_operations.add_statement(
            e.newest(Appeal),
            LONG + " Photos.",
            by=e.by,
            key="photos" + "k" * 16,
            files=[("photo.png", PICTURE)] * 2,
        ),
        "write down who was heard": lambda e: appeals_operations.set_hearing(
            e.newest(Appeal), at=e.session().started_at, place="Desk", by=e.by, heard="East and the referee"
        ),
        "decide appeal": lambda e: appeals_operations.decide(
            e.newest(Appeal), "upheld", LONG, body="chief_referee", by=e.by
        ),
        "return deposit": lambda e: appeals_operations.return_deposit(e.newest(Appeal), by=e.by),
        "file appeal against lateness": lateness_appealed,
        "take its deposit": lambda e: appeals_operations.take_deposit(e.newest(Appeal), by=e.by),
        "forgive lateness": decided("upheld", "chief_referee"),
        "name chief referee": lambda e: events.grant_role(e.of, e.user, "chief_referee", by=e.by),
        "name committee": lambda e: events.grant_role(e.of, e.guest, "committee", by=e.by),
        "give a referee's penalty": given("referees", "phone", "S", by_referee=True),
        "grant role again": lambda e: events.grant_role(
            e.of, User.objects.get(username="referee"), "referee", by=e.by
        ),
        "allow new password": lambda e: passwords.allow_new_password(
            e.of, User.objects.get(username="referee"), by=e.by
        ),
        "set new password": lambda e: passwords.set_new_password(e.link, "a password of a bench"),
        "file second appeal": appealed("second", wind="S"),
        "take second deposit": lambda e: appeals_operations.take_deposit(e.newest(Appeal), by=e.by),
        "dismiss appeal": decided("dismissed", "chief_referee"),
        "take further": lambda e: appeals_operations.take_further(e.newest(Appeal), by=e.by),
        "declare conflict": declared(is_free=False),
        "take conflict back": declared(is_free=True),
        "vote": voted("dismissed"),
        "vote otherwise": voted("recommended"),
        "recommend": decided("recommended", "committee"),
        "follow recommendation": decided("upheld", "chief_referee"),
        "file third appeal": appealed("third", penalty=False),
        "classify": lambda e: appeals_operations.classify(e.newest(Appeal), "other", by=e.by),
        "withdraw appeal": lambda e: appeals_operations.withdraw_appeal(e.newest(Appeal), by=e.by),
        "file fourth appeal": appealed("fourth", penalty=False, wind="N", photos=1),
        "close unpaid": lambda e: appeals_operations.close_unpaid(e.newest(Appeal), by=e.by),
        "propose disqualification": proposed,
        "register beside": on_both_lists,
        "approve penalty": lambda e: penalties.approve(e.newest(Penalty), by=e.by),
        "answer bar": answered,
        "revoke disqualification": lambda e: penalties.revoke(e.newest(Penalty), by=e.by, reason=REASON),
        "give another penalty": given("another", "phone", "W"),
        "revoke penalty": lambda e: penalties.revoke(e.newest(Penalty), by=e.by, reason=REASON),
        "press: give": pressed("give", lambda e: south(e) | {"offence": "phone", "sure": True}),
        "press: revoke": pressed("revoke", lambda e: {"given": phone_key("give"), "reason": REASON}),
        "press: print": pressed("print", lambda e: {"kind": "penalty", "number": 1}),
        "post adjustment": lambda e: adjustments.post(
            e.of,
            adjustments.Entry(e.player("E"), e.session(), game_points=7, reason=REASON),
            by=e.by,
            key="adjustment" + "k" * 16,
        ),
        "reverse adjustment": lambda e: adjustments.reverse(e.newest(Adjustment), by=e.by, reason=REASON),
        "take points from a team": taken_from_team,
        "give them back": lambda e: team_lines.reverse(e.of.team_lines.get(), by=e.by, reason=REASON),
        "objection": lambda e: protocols.note_objection(
            e.protocol(), "N", text=LONG, intent=e.intent("objection"), by=e.by
        ),
        "end protocol": lambda e: protocols.end_protocol(e.protocol(), intent=e.intent("end"), by=e.by),
        "resume protocol": lambda e: protocols.resume_protocol(
            e.protocol(), intent=e.intent("resume"), by=e.by, reason=REASON
        ),
        "end protocol again": lambda e: protocols.end_protocol(
            e.protocol(), intent=e.intent("end-again"), by=e.by
        ),
        **{f"confirm {wind}": confirmed(wind) for wind in "ESW"},
        "sign off": signed_off(1),
        "final result": final_result(),
        "sign off the other": signed_off(2),
        "close session": lambda e: play.close_session(e.session(), by=e.by, reason=REASON),
        "take back close": lambda e: undo.take_back_close(e.session(), by=e.by),
        "close anew": lambda e: play.close_session(e.session(), by=e.by, reason=REASON),
        "reopen session": lambda e: play.reopen_session(e.session(), by=e.by, reason=REASON),
        "close again": lambda e: play.close_session(e.session(), by=e.by, reason=REASON),
        "recompute": lambda e: recompute.recompute(e.of.pk, waits=True),
        "work out chances": lambda e: chances.bring_up(e.of.pk, apart=False),
        "freeze standings": lambda e: freezing.freeze(e.of, by=e.by),
        "show standings": lambda e: freezing.show_again(e.of, by=e.by),
        "freeze again": lambda e: freezing.freeze(e.of, by=e.by),
        "draw sample of papers": lambda e: audits.draw_sample(e.of, seed="dice 4 2 6 1", size=2, by=e.by),
        "type paper": lambda e: audits.type_paper(e.sheet, [{"E": 24, "S": -8, "W": -8, "N": -8}], by=e.by),
        "draw behind the promise": lambda e: draws.propose(
            e.of,
            [e.session(2)],
            mode="random",
            seed="dice 4 2 6 1",
            commitment=e.of.commitments.get(),
            by=e.by,
        ),
        "discard it": lambda e: draws.discard(e.newest(Draw), by=e.by),
        "begin long draw": long_draw,
        "cancel draw": lambda e: draws.cancel(e.newest(Draw), by=e.by),
        "begin another long draw": long_draw,
        "work out long draw": lambda e: draws.run_draw(e.newest(Draw).pk),
        "discard long draw": lambda e: draws.discard(e.newest(Draw), by=e.by),
        **{f"withdraw number {n}": withdrawn(n) for n in (7, 8)},
        "draw next": drawn_next,
        "publish next": lambda e: draws.publish(e.newest(Draw), by=e.by),
        "name another substitute": lambda e: substitutes.enrol_substitute(
            e.of, person("Nell"), by=e.by, key="nell" + "k" * 16
        ),
        "fill seat": filled("W", "Mira"),
        "fill another seat": filled("N", "Nell"),
        "start next": lambda e: play.start_session(e.session(2), by=e.by),
        "import game": imported,
        "end imported game": lambda e: protocols.end_protocol(
            e.protocol(1, 2), intent=e.intent("end-import", 1, 2), by=e.by
        ),
        "sign off imported game": signed_off(1, 2),
        "next final result": final_result(2),
        "sign off next": signed_off(2, 2),
        "close next": lambda e: play.close_session(e.session(2), by=e.by, reason=REASON),
        "recompute next": lambda e: recompute.recompute(e.of.pk, waits=True),
        "reveal places": revealed(2),
        "reveal another place": revealed(1),
        "end reveal": lambda e: freezing.show_again(e.of, by=e.by),
        "send tablet over": lambda e: moves.send_over(e.newest(Device), e.beside, tables=[1], by=e.by),
        "keep tablet": lambda e: moves.keep_here(e.newest(Device), by=e.by),
        "revoke tablet": lambda e: (
            devices.revoke_device(e.newest(Device), by=e.by) if e.of.devices.exists() else None
        ),
        "ask to be forgotten": lambda e: privacy.request_erasure(
            e.registration(2), by=e.own(e.registration(2).player)
        ),
        "write words of mails": lambda e: mails.write_text(
            e.of, "registered", "en", subject="Welcome", body="You are in: {page}", by=e.by
        ),
        "ask for print": lambda e: paper.ask_for_print(e.of, "penalty", e.newest(Penalty).number, by=e.by),
        "tick off print": lambda e: paper.tick_off(
            e.of, list(e.of.print_requests.values_list("pk", flat=True))
        ),
        "subscribe browser": lambda e: push.subscribe(
            e.registration(3), browser, push.Wishes(sorts=("seats",)), is_own=True
        ),
        "unsubscribe browser": lambda e: push.unsubscribe(e.registration(3), browser),
        "decline": lambda e: privacy.decline_request(e.newest_request(), by=e.by, reason=REASON),
        "clone event": cloned,
        "clone event with staff": lambda e: site.clone_event(
            e.of,
            replace(announcement("One after it"), slug="one-after"),
            by=e.by,
            staff=list(e.of.roles.values_list("pk", flat=True)),
        ),
        "import record": taken_in,
        "hide event": lambda e: site.set_listing(e.of, "hidden", by=e.operator, reason=REASON),
        "list event": lambda e: site.set_listing(e.of, "listed", by=e.operator),
        "hand over": lambda e: site.hand_over(e.of, e.member, by=e.operator, reason=REASON),
        "delete draft": lambda e: site.delete_draft(
            Tournament.objects.get(name="The next event"), by=e.operator, reason=REASON
        ),
        "begin rehearsal": lambda e: rehearsal.begin(
            e.of, by=e.by, players=8, speed=20, own=1, is_alone=False
        ),
        "change pace of rehearsal": lambda e: rehearsal.change_pace(
            e.of.rehearsals.get(), speed=60, own=0, is_alone=True
        ),
        "wipe rehearsal": lambda e: rehearsal.wipe(e.of.rehearsals.get()),
        "report abuse": lambda e: site.report_abuse(e.of, kind="spam", text=LONG),
        "resolve report": lambda e: site.resolve_report(
            e.of.reports.latest("pk"), by=e.operator, reason=REASON
        ),
        "approve account": lambda e: site.approve_account(e.member, by=e.operator),
        "take approval": lambda e: site.take_approval(e.member, by=e.operator, reason=REASON),
        "block account": lambda e: site.block_account(e.member, by=e.operator, reason=REASON),
        "unblock account": lambda e: site.unblock_account(e.member, by=e.operator, reason=REASON),
        "reset access": lambda e: site.reset_access(e.member, by=e.operator, reason=REASON),
        "delete account": lambda e: site.delete_account(e.member, by=e.operator, reason=REASON),
        "delete own account": lambda e: privacy.delete_account(e.guest, by=e.by, leaves_events=True),
        "close event": lambda e: events.close_tournament(e.of, by=e.by, reason=REASON),
        "reopen event": lambda e: events.reopen_tournament(e.of, by=e.by, reason=REASON),
        "close event again": lambda e: events.close_tournament(e.of, by=e.by, reason=REASON),
        "tidy notices": days_later,
        "erase player": lambda e: privacy.erase_player(e.registration(1).player, by=e.by, reason=REASON),
        "erase persons": lambda e: site.erase_persons(
            [e.registration(number, e.beside).player for number in (1, 3)], by=e.operator, reason=REASON
        ),
        "note export": lambda e: site.note_export(
            Act.PERSON_EXPORTED, f"player:{e.registration(3).player_id}", by=e.operator
        ),
        "forget contacts": lambda e: privacy.forget_contacts(
            1, now=timezone.localdate() + timedelta(days=400)
        ),
    }


MAY_BE_REPEATED = {
    "invite tablet",
    "recompute",
    "recompute next",
    "draw",
    "draw again",
    "propose repair",
    "propose repair again",
    "call referee",
    "answer call",
    "report abuse",
    "invite member",
    "allow new password",
    "reset access",
    "begin long draw",
    "begin another long draw",
    "take in a plan",
    "offer event",
    "repeat draw",
    "hear from tablet",
    "note export",
}
"""Steps that may be taken twice: each invitation and each draft of a draw is another one, standings are made as often as somebody
likes, a call is only a lamp, several people may report one page, each link is another one; a tablet is heard of again and again,
and each copy that leaves the site is another one."""

LEFT_OUT = {
    "config.rehearsal.operations.turn": "many operations of other names, each in its own transaction; what is left is played by the next turn",
    "tournaments.people.operations.mails.send_due": "claims, sends and settles one after the other: tournaments/tests/test_mails.py kills it",
    "tournaments.people.operations.push.send_due": "the same with notifications: tournaments/tests/test_push.py",
    "tournaments.standings.operations.recompute.recompute_all": "for the command and for restoring; every run ends with it and compares",
    "tournaments.standings.operations.verification.verify": "reads alone, in a transaction that sees one moment",
    "tournaments.tables.operations.devices.counted": "counts a try before it is made, and one that was cut off counts",
}
"""Operations that pages, programs or tasks call and that write, with the reason why no step does them."""
