"""A machine of two organizers who press whatever their pages offer, undo included: one event, one seed, so many presses.

Each of them keeps the pages that they opened, so that many presses come from a page that the other has overtaken. After every
press the event is held against what was promised: nobody who has left is given a seat, there are never more players than places, and
whatever a press did or refused to do is said on the page that answers it. At the end one organizer goes on by the large button of
the desk and the presses of its list alone, until the event is closed: there is no dead end. [RULES 9.11] [RULES 9.17] [RULES 9.18]
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from typing import Any
from urllib.parse import urlsplit

from django.contrib.messages import constants
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import resolve, reverse

from tournaments.models import HistoryEntry, Protocol, Registration, Role, Session, Tournament
from tournaments.people.operations import registration
from tournaments.people.operations.registration import places_taken
from tournaments.record.refusal import Refused
from tournaments.standings.operations.verification import verify
from tournaments.tables.operations import devices, protocols
from tournaments.tests import factories as make
from tournaments.tests.presses import Button, Form, forms_on, links_on, send
from tournaments.web.access import pin_of

PRESETS = ("sbr", "mcr", "siamese", "red", "riichi_ema")
REASON = "Pressed by the machine of random desks."
PAGES = (
    "tournaments:desk", "tournaments:desk", "tournaments:people", "tournaments:check_in", "tournaments:sessions",
    "tournaments:sessions", "seating:draw", "seating:draw", "seating:redraw", "tournaments:add_player",
    "penalties:substitutes", "penalties:judging", "tournaments:tables", "tournaments:mails",
)  # fmt: skip
"""Where an organizer looks most of the time; every other page is reached by the links of these."""
SELDOM = (
    "tournaments:settings", "tournaments:edit_regulation", "tournaments:quotas", "tournaments:questions", "tournaments:staff",
    "tournaments:tablets", "tournaments:hall_desk", "tournaments:broadcast_desk", "tournaments:import_players",
    "tournaments:paste_players", "tournaments:edit_timetable", "tournaments:clone", "tournaments:paper_audit",
    "tournaments:erasure_requests", "seating:paste", "penalties:lateness",
)  # fmt: skip
LEFT_ALONE = (
    "/settings/delete/", "/rehearsal/", "/appeals/", "/penalties/", "/adjustments/", "/desk/teams/", "/printer/", "/desk/close/",
)  # fmt: skip
"""The event itself deleted, what walks of its own press, and the end of the event, which the last organizer presses."""
PAGELESS = re.compile(r"\.\w{2,4}(\?|$)|/print|/slip/|/sheets/|/code\.svg|/progress/|/compare/")
"""Links to files and papers, which have no presses of the desk."""
MOST_STEPS = 60
FEW_CHOICES = 8
"""Of a form with more lists and ticks than this only a few are changed at once, as a person would."""


@dataclass
class Desk:
    """One organizer: a browser, and the forms of the pages that were opened last."""

    client: Client
    user: Any
    seen: list[tuple[Form, Button]] = field(default_factory=list)
    near: list[str] = field(default_factory=list)


@dataclass
class Walk:
    """One random event."""

    seed: str
    preset: str
    presses: int = 25
    told: list[str] = field(default_factory=list)
    pressed: Counter[str] = field(default_factory=Counter)
    come: int = 0

    def __post_init__(self) -> None:
        """Announce an event with too many or too few players for its tables, some of whom have to wait."""
        self.chance = Random(f"{self.seed} {self.preset}")
        size = self.chance.randint(6, 13)
        limit = self.chance.choice([None, None, size - 1, size])
        self.of = make.tournament(
            self.preset, sessions=self.chance.choice([1, 2, 2, 3]), max_players=limit,
            seating=self.chance.choice(["random", "swiss"]), entry_fee=self.chance.choice(["0", "10"]),
        )  # fmt: skip
        self.limit = limit
        if self.chance.random() < 0.5:
            Tournament.objects.filter(pk=self.of.pk).update(mails_players=True, offer_hours=24)
            self.of.refresh_from_db()
        make.players(self.of, size)
        if self.chance.random() < 0.3:
            self._beside()
        self.desks = [self._desk(self.of.created_by), self._desk(make.staff(self.of, "organizer"))]
        self.organizer = make.organizer_of(self.of)
        if self.chance.random() < 0.5:
            self._begun()

    def _begun(self) -> None:
        """Begin with the first session in play, most of whose players have come."""
        for row in self.of.registrations.filter(status=Registration.Status.ACTIVE):
            row.tournament = self.of
            if self.chance.random() < 0.8:
                registration.check_in(row, by=self.organizer)
        with suppress(Refused):
            make.in_play_short(self.of) if self.chance.random() < 0.5 else make.in_play_with_absent(self.of)
        self.of.refresh_from_db()

    def _beside(self) -> None:
        """Let a tablet into the hall, and another event of the same organizer, to which it can go on."""
        other = make.tournament(self.preset, by=self.of.created_by)
        Tournament.objects.filter(pk=other.pk).update(first_table=51)
        by = make.organizer_of(self.of)
        invited = devices.invite_device(self.of, name="Tablet 1", tables=[], by=by)
        devices.admit_device(self.of, secret=invited.secret)

    def _desk(self, user: Any) -> Desk:
        Role.objects.get_or_create(tournament=self.of, user=user, kind="chief_referee")
        client = Client(raise_request_exception=True)
        client.force_login(user)
        return Desk(client, user)

    def run(self) -> None:
        """Press so often, then go on to the end."""
        for _ in range(self.presses):
            if self.chance.random() < 0.2:
                self.chance.choice([self.plays, self.plays, self.leaves, self.registers])()
            else:
                self.presses_something()
            self.check()
        self.finish()
        assert verify(self.of) == [], self.told

    # What happens beside the desk

    def plays(self) -> None:
        """Let a table of the session in play record a hand, or end its game with all confirmations."""
        rows = Protocol.objects.filter(
            table__session__tournament=self.of, table__session__state="open", state="open"
        )
        if not (found := list(rows.select_related("table__session__tournament"))):
            return
        protocol = self.chance.choice(found)
        with suppress(Refused):
            if self.chance.random() < 0.3:
                make.record(protocol)
            settle(protocol, self.organizer)
            self.told.append(f"{protocol.table} is settled")

    def leaves(self) -> None:
        """Let a player withdraw, by the chief referee's word once the event has begun."""
        row = self.chance.choice(list(self.of.registrations.select_related("player")))
        row.tournament = self.of
        with suppress(Refused):
            registration.withdraw(row, by=self.organizer)
            self.told.append(f"{row.player} leaves")

    def registers(self) -> None:
        """Let one more register."""
        with suppress(Refused):
            self.more(1)

    def more(self, number: int) -> None:
        """Put so many new players on the list; where it is full, they wait."""
        for _ in range(number):
            self.come += 1
            details = registration.Details(
                name=f"Bird {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[self.come % 26]}{'abcdefghij'[self.come // 26]}"
            )
            registration.register_player(self.of, details, by=self.organizer)
            self.told.append(f"{details.name} registers")

    # What is pressed

    def presses_something(self) -> None:
        """Press a button of a page that one of the two has open; open another page first, or not."""
        desk = self.chance.choice(self.desks)
        if not desk.seen or self.chance.random() < 0.6:
            self.look(desk, desk.client.get(self.page(desk)))
        if desk.seen:
            form, button = self.chosen(desk.seen)
            answer = self.press(desk.client, form, button, self.typed(form, button))
            self.look(desk, answer)

    def look(self, desk: Desk, page: Any) -> None:
        """Remember what a page offers: its buttons, and where it leads."""
        desk.seen = [*desk.seen[-20:], *self.offered(page)]
        if page.status_code == HTTPStatus.OK and "html" in page["content-type"]:
            ours = f"/{self.of.slug}/desk/"
            links = {link.partition("#")[0] for link, _text in links_on(page)}
            left_alone = (*LEFT_ALONE, f"{ours}appeals", f"{ours}penalties")
            desk.near = sorted(
                link
                for link in links
                if ours in link and not PAGELESS.search(link) and not any(one in link for one in left_alone)
            )

    def chosen(self, seen: list[tuple[Form, Button]]) -> tuple[Form, Button]:
        """Choose any button, or an address first and then one of its buttons: a list of forty players is one thing to press, too."""
        if self.chance.random() < 0.5:
            return self.chance.choice(seen)
        kinds: dict[str, list[tuple[Form, Button]]] = {}
        for pair in seen:
            kinds.setdefault(address_of(pair[1]), []).append(pair)
        return self.chance.choice(kinds[self.chance.choice(sorted(kinds))])

    def page(self, desk: Desk) -> str:
        """Choose a page: where a link of the last one leads, one of the desk's, a player's card, or a session's seats."""
        if desk.near and self.chance.random() < 0.3:
            return self.chance.choice(desk.near)
        if self.chance.random() < 0.1:
            return reverse(self.chance.choice(SELDOM), args=[self.of.slug])
        if self.chance.random() < 0.2:
            row = self.chance.choice(list(self.of.registrations.all()))
            return reverse("tournaments:edit_player", args=[self.of.slug, row.number])
        if self.chance.random() < 0.2:
            return reverse("penalties:substitutes_session", args=[self.of.slug, 1])
        return reverse(self.chance.choice(PAGES), args=[self.of.slug])

    def offered(self, page: Any) -> list[tuple[Form, Button]]:
        """List the buttons of a page that belong to the desk of this event."""
        if page.status_code != 200 and page.status_code not in (409, 422):
            return []
        ours = f"/{self.of.slug}/desk/"
        return [
            (form, button)
            for form in forms_on(page)
            for button in form.buttons
            if ours in button.action
            and not button.is_disabled
            and not is_beyond_the_maximum(form)
            and not any(part in button.action for part in LEFT_ALONE)
            and not self.ends_a_walker(button)
        ]

    def ends_a_walker(self, button: Button) -> bool:
        """Return whether a press ends the work of one of the two, who could press nothing any more."""
        found = re.search(r"/staff/(\d+)/end/", button.action)
        walkers = [desk.user.pk for desk in self.desks]
        return found is not None and Role.objects.filter(pk=found[1], user__in=walkers).exists()

    def typed(self, form: Form, button: Button) -> dict[str, Any]:
        """Choose anew in some of the lists, and write where something must be written."""
        names = [name for name, values in form.choices.items() if values and self.chance.random() < 0.3]
        if len(form.choices) > FEW_CHOICES:
            names = self.chance.sample(names, k=min(len(names), 2))
        said: dict[str, Any] = {name: self.chance.choice(form.choices[name]) for name in names}
        empty = {name for name, value in form.fields if not value and name not in said}
        for name in (form.needed & empty) | (empty & {"reason"}) | (form.needed & {"file"}):
            offered = [value for value in form.choices.get(name, ()) if value]
            said[name] = self.chance.choice(offered) if offered else self.words(name, button)
        if (empty & {"seed"}) and self.chance.random() < 0.5:
            said["seed"] = "4711"
        if "text" in form.needed | empty:
            said["text"] = self.lines(button)
        return said

    def words(self, name: str, button: Button) -> Any:
        """Return something plausible for a line that must be filled in."""
        if name == "file":
            return SimpleUploadedFile(
                "players.csv", ("name;city;country\n" + self.people()).encode(), "text/csv"
            )
        if name == "name" and "/people/" in button.action:
            return f"Bird {self.chance.choice('ABCDEFGHIKLMNOPQRSTUVWXYZ')}"
        letter = self.chance.choice("ABCDEFGHIKLMNOPQRSTUVWXYZ")
        known = {
            "first_day": "2031-05-03", "username": self.of.created_by.username, "typed": self.of.name, "seconds": "20",
            "minutes": str(self.chance.randint(1, 20)), "label": f"Question {letter}?", "name": f"Something {letter}",
        }  # fmt: skip
        return known.get(name, REASON)

    def people(self) -> str:
        """Write a list of new people, one of whom now and then has no name or an unknown country."""
        self.come += 1
        rows = [
            f"Guest {self.come} {letter};Riga;{self.chance.choice(['LV', 'EE', '', '??'])}" for letter in "AB"
        ]
        return "\n".join([*rows, ";Riga;LV"] if self.chance.random() < 0.3 else rows)

    def lines(self, button: Button) -> str:
        """Write the lines of a list of people, or of a plan by numbers."""
        if "/draw/" not in button.action:
            return self.people()
        rows = self.of.registrations.filter(status=Registration.Status.ACTIVE)
        numbers = self.chance.sample(sorted(rows.values_list("number", flat=True)), k=rows.count())
        fours = [numbers[at : at + 4] for at in range(0, len(numbers), 4)]
        return "\n".join("-".join(map(str, [*four, 0, 0, 0][:4])) for four in fours)

    def press(self, client: Client, form: Form, button: Button, typed: dict[str, Any]) -> Any:
        """Press, and hold the answer against what was done."""
        before = self.moment()
        self.pressed[address_of(button)] += 1
        answer = send(client, form, button, **typed)
        self.told.append(f"{urlsplit(button.action).path} [{button.text}] {typed}")
        has_changed = self.moment() != before
        levels, said = said_by(answer)
        self.told.append(f"= {answer.status_code} {' '.join(said)}")
        assert answer.status_code in (200, 403, 404, 409, 422, 429), (answer.status_code, self.told)
        if constants.SUCCESS in levels and not has_changed:
            self.pressed[f"told of success, nothing changed: {address_of(button)} {said}"] += 1
        if has_changed:
            is_said = (
                constants.SUCCESS in levels or is_answered_in_place(answer) or SEEN.search(button.action)
            )
            assert is_said, ("something changed and nothing was said", said, self.told[-5:])
        elif not is_answered_in_place(answer) and not self.is_seen(button):
            assert said, ("nothing changed and nothing was said", self.told[-5:])
        return answer

    def is_seen(self, button: Button) -> bool:
        """Return whether the tile itself shows what the tap came to: at the door, and beside the fee."""
        found = SEEN.search(button.action)
        return found is not None and self.of.registrations.filter(number=found[1], status="active").exists()

    def moment(self) -> tuple[Any, ...]:
        """Return what a press may change: the history, and the draws, which leave none until they are published."""
        draws = tuple(self.of.draws.order_by("pk").values_list("pk", "state"))
        return HistoryEntry.objects.filter(tournament=self.of).count(), draws

    # What must hold

    def check(self) -> None:
        """Hold the event against its promises."""
        if self.limit is not None:
            assert places_taken(self.of) <= self.limit, ("more players than places", self.told)
        for session in Session.objects.filter(
            tournament=self.of, published_at__isnull=False, state="planned"
        ):
            gone = session.seats.filter(
                kept_for=None, player__registration__withdrawn_at__lt=session.published_at
            ).exclude(player__registration__status="active")
            names = [str(seat.player) for seat in gone.exclude(player__substitute__isnull=False)]
            assert not names, (f"{names} left before session {session.number} was seated", self.told)

    # To the end

    def finish(self) -> None:
        """Go on by what the desk offers until the event is closed."""
        client, desk = self.desks[0].client, reverse("tournaments:desk", args=[self.of.slug])
        for _ in range(MOST_STEPS):
            self.of.refresh_from_db()
            if self.of.state == Tournament.State.CLOSED:
                return
            self.step(client, client.get(desk))
            self.check()
        raise AssertionError(("no way out", self.told))

    def step(self, client: Client, page: Any) -> None:
        """Do what the desk says comes next."""
        step = str(page.context["step"])
        self.told.append(f"next: {step}")
        if step == "play":
            self.settle_all(client, page)
            return
        if step == "gather":
            self.more(4)
            return
        if step == "reveal":
            broadcast = client.get(reverse("tournaments:broadcast_desk", args=[self.of.slug]))
            self._press(client, broadcast, "/show/")
            return
        if step == "cancelled":
            self._press(client, page, "take_back")
            return
        self._go(client, page, step)

    def _go(self, client: Client, page: Any, step: str) -> None:
        """Press the large button; where it is a link, the large button of the page that it leads to."""
        for form, button in self.offered(page) + ending(page):
            if any(word in button.action for word in WORDS[step]):
                self._through(client, self.press(client, form, button, self.typed_needed(form)))
                return
        address = next((link for link, _text in links_on(page) if link.endswith(LINKS.get(step, "\0"))), None)
        assert address, (f"no way on at {step}", self.told)
        page = client.get(address)
        for form, button in self.offered(page):
            if any(word in button.action for word in WORDS[step]):
                self._through(client, self.press(client, form, button, self.typed_needed(form)))
                return
        anew = next((link for link, _text in links_on(page) if link.endswith("?anew")), None)
        assert anew, (f"no press on the page of {step}", self.told)
        for form, button in self.offered(client.get(anew)):  # what the draft was drawn from has changed
            if button.action.split("?")[0].endswith("/draw/"):
                self._through(client, self.press(client, form, button, self.typed_needed(form)))
                return

    def _through(self, client: Client, answer: Any) -> None:
        """Press on where a gate asks."""
        if answer.status_code == 409:
            found = [
                pair for pair in self.offered(answer) if any(name == "knowing" for name, _ in pair[0].fields)
            ]
            if found:
                self.press(client, *found[-1], {})
        elif answer.status_code == 422 or constants.ERROR in said_by(answer)[0]:
            self.mend(client)
            self.wishes_less(client, answer)

    def wishes_less(self, client: Client, answer: Any) -> None:
        """Where a wish cannot be fulfilled, draw without it, on the page that says so."""
        for form, button in self.offered(answer):
            if button.action.split("?")[0].endswith("/draw/") and ("no_repeats", "on") in form.fields:
                self.press(client, form, button, {**self.typed_needed(form), "no_repeats": ""})
                return

    def mend(self, client: Client) -> None:
        """Where a draw was refused because too few are here, check everybody in, and let more come if they are too few as well."""
        page = client.get(reverse("tournaments:check_in", args=[self.of.slug]))
        for form, button in self.offered(page):
            if button.action.endswith("/check-in/all/"):
                self.press(client, form, button, {})
                return
        if self.of.registrations.filter(status=Registration.Status.ACTIVE).count() < 4:
            with suppress(Refused):
                self.more(4)

    def typed_needed(self, form: Form) -> dict[str, str]:
        """Write a reason where one must be given, and the digits that a promised draw waits for."""
        said = {name: REASON for name in form.needed if name == "reason"}
        return said | ({"seed": "4711"} if any(name == "seed" for name, _value in form.fields) else {})

    def _press(self, client: Client, page: Any, word: str) -> None:
        form, button = next(
            pair for pair in self.offered(page) + ending(page) if word.replace("_", "-") in pair[1].action
        )
        self.press(client, form, button, {})

    def settle_all(self, client: Client, page: Any) -> None:
        """Let every table end, press what the list of the desk offers, and seat nobody in what is left."""
        rows = Protocol.objects.filter(table__session__tournament=self.of, table__session__state="open")
        for protocol in rows.select_related("table__session__tournament"):
            if not protocol.is_settled:
                with suppress(Refused):
                    settle(protocol, self.organizer)
        for form, button in self.offered(page):
            if "/arrived/" in button.action:
                self.press(client, form, button, {})


def address_of(button: Button) -> str:
    """Return the name of the address to which a button sends."""
    return resolve(urlsplit(button.action).path).view_name


SEEN = re.compile(r"/check-in/(\d+)/(?:paid/)?$")
"""Taps that a tile answers, where nobody reads sentences."""
WORDS = {
    "announce": ("/announce/",),
    "check_in": ("/check-in/all/",),
    "draw": ("/go-on/", "/draw/"),
    "wait_for_draw": ("/draw/",),
    "publish_draw": ("/publish/",),
    "start": ("/start/",),
    "close_session": ("/go-on/", "/close/"),
    "close_event": ("/desk/close/",),
}
"""Which addresses the large button of each step has, or that of the page to which it leads."""
LINKS = {"check_in": "/check-in/", "draw": "/draw/", "publish_draw": "/draw/", "wait_for_draw": "/draw/"}


def is_beyond_the_maximum(form: Form) -> bool:
    """Return whether the form puts somebody on a full list all the same: that is asked and answered before."""
    return "/admit/" in form.action and any(name == "is_sure" for name, _value in form.fields)


def ending(page: Any) -> Iterator[Any] | list[Any]:
    """List the presses that end the event, which are nobody else's."""
    return [
        (form, button)
        for form in forms_on(page)
        for button in form.buttons
        if button.action.endswith(("/desk/close/", "/cancel/take-back/"))
    ]


def said_by(answer: Any) -> tuple[set[int], list[str]]:
    """Return what the page that answers a press says at its top, with its levels."""
    context = answer.context or {}
    said = list(context["messages"]) if "messages" in context else []
    return {one.level for one in said}, [str(one) for one in said]


def is_answered_in_place(answer: Any) -> bool:
    """Return whether the press is answered by the page itself: a refusal beside its field, a question, or something gone."""
    return answer.status_code in (403, 404, 409, 422) or not answer.redirect_chain


def settle(protocol: Protocol, by: Any) -> None:
    """End and confirm the game of a table; where final points alone are written down, everybody has those of the start."""
    if protocol.mode == Protocol.Mode.FINAL_RESULT and not protocol.final_results.exists():
        regulation = protocol.table.session.regulation or protocol.table.session.tournament.regulation
        seats = protocol.table.seats.filter(player__isnull=False)
        final = {seat.wind: regulation["start_points"] for seat in seats}
        protocols.record_final_result(protocol, final, intent=make.intent(protocol), by=by)
        protocol = Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk)
    if protocol.state == Protocol.State.OPEN:
        protocols.end_protocol(protocol, intent=make.intent(protocol), by=by)
    asks_pin = protocol.table.session.tournament.asks_pin
    seats = [seat for seat in protocol.table.seats.select_related("player") if seat.player_id]
    totals = {seat.wind: seat.hand_points for seat in seats}
    for seat in seats:
        pin = pin_of(seat.player) if asks_pin else ""
        protocols.confirm_seat(
            protocol, seat.wind, totals=totals, intent=make.intent(protocol), by=by, pin=pin
        )
