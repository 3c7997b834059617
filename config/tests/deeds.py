"""What each address that writes is sent in the world of two events, so that it really does what it is for.

An address that takes what is sent has its row in `DEEDS`. `body` and `at` are made from the event: where the two events
give different values, the value is an id of that event's own row, and the tests send the neighbour's instead. `beyond` names
what only the neighbour has under a number: its fifth session, its sixth penalty.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from fractions import Fraction
from html.parser import HTMLParser
from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.server.whole_form import FIELD
from config.tests.world import REASON, Event, confirm, end_table, settle_table, totals_of
from penalties.appeals import operations as appeals_operations
from penalties.ladder.operations import penalties
from penalties.lateness import operations as lateness_operations
from penalties.models import Appeal
from penalties.paper.operations import ask_for_print
from seating.drafts import operations as draws
from seating.models import Draw
from tournaments.models import Device, Hand, HandCheck, Mail, Protocol, Role, Session, Team, Tournament, User
from tournaments.people.operations import passwords, push_messages, registration, wishes
from tournaments.sessions.operations import play
from tournaments.sessions.operations import tournaments as events
from tournaments.standings.operations import freezing, recompute, team_lines
from tournaments.standings.operations.team_lines import TeamEntry
from tournaments.tables.operations import moves, protocols, substitutes
from tournaments.tests import factories as make
from tournaments.web.access import table_code_of

Made = Callable[[Event], Any]
LONG = "The referee counted the third claim twice, and the table agreed."


def nothing(event: Event) -> None:
    """Leave the event as it is."""


def empty(event: Event) -> dict[str, Any]:
    """Name and send nothing."""
    return {}


def ask_something(event: Event) -> None:
    """Ask players one question of the organizer's own."""
    by = make.organizer_of(event.tournament)
    wishes.add_question(event.tournament, sort="text", label="What do you not eat?", by=by)


@dataclass(frozen=True)
class Deed:
    """One write: who does it, where, with what, and what must be so before."""

    by: str
    body: Made = empty
    at: Made = empty
    before: Made = nothing
    beyond: dict[str, Any] = field(default_factory=dict)
    beyond_at: dict[str, Any] = field(default_factory=dict)
    is_json: bool = False
    makes_no_row: bool = False
    reason_was_given: bool = False

    def has_reason(self, event: Event) -> bool:
        """Return whether the reason is sent, or was given with what the deed is about."""
        return self.reason_was_given or REASON in map(str, self.body(event).values())


def send(client: Client, name: str, event: Event, deed: Deed, **other: Any) -> Any:
    """Send a deed to an event; `at` and `body` may be exchanged for others, `slug` for another address."""
    name = address_of(name)
    at = {"slug": other.get("slug", event.slug)} | (other["at"] if "at" in other else deed.at(event))
    if name in WITHOUT_SLUG:
        at.pop("slug")
    url, body = reverse(name, kwargs=at), other["body"] if "body" in other else deed.body(event)
    if deed.is_json:
        return client.post(
            url,
            body,
            content_type="application/json",
            headers={"Idempotency-Key": other.get("key", uuid4().hex)},
        )
    return client.post(url, body)


def address_of(name: str) -> str:
    """Return the address of a deed: its name without what tells it from others at the same address."""
    return name.partition(" ")[0]


def fixed(**values: Any) -> Made:
    """Name or send the same in both events."""
    return lambda event: dict(values)


def keyed(**values: Any) -> Made:
    """Send the same in both events, under a key of its own."""
    return lambda event: {**values, "key": uuid4().hex}


def link(number: int) -> Made:
    """Name the private link of a player by number."""
    return lambda event: {"link": event.link(number)}


def link_at(session: int, table: int, wind: str, **more: Any) -> Made:
    """Name the private link of whoever was seated there."""
    return lambda event: {"link": event.link(event.player_at(session, table, wind).number), **more}


def drawn(name: str) -> Made:
    """Name a draw by its row."""
    return lambda event: {"number": event.drafts[name]}


def number_at(session: int, table: int, wind: str) -> Made:
    """Name the number of whoever was seated there, and the session."""
    return lambda event: {"session": session, "number": event.player_at(session, table, wind).number}


def player_at(event: Event, session: int, table: int, wind: str) -> int:
    """Return the row of whoever was seated there."""
    return event.player_at(session, table, wind).player_id


def winds_turned(event: Event) -> dict[str, Any]:
    """Say by player which winds a table of the third session drew: two are the other way round."""
    drawn = {"E": "S", "S": "E", "W": "W", "N": "N"}
    return {"table": "1", **{f"drawn_{player_at(event, 3, 1, wind)}": drawn[wind] for wind in drawn}}


def seen(event: Event, session: int = 2, table: int = 1, **more: Any) -> dict[str, Any]:
    """Send how many entries of a protocol were seen."""
    return {"seen": event.protocol(session, table).version, **more}


def on_form(event: Event, session: int, table: int, **more: Any) -> dict[str, Any]:
    """The same from a page, under a key of its own."""
    return {**seen(event, session, table), "key": uuid4().hex, **more}


def state(event: Event, state: str) -> None:
    """Put the event into a state."""
    Tournament.objects.filter(pk=event.tournament.pk).update(state=state)
    event.refresh()


def struck(event: Event) -> None:
    """Strike the first hand of the first table in play."""
    protocol = event.protocol(2, 1)
    protocols.void_hand(
        protocol, number=1, intent=make.intent(protocol), by=event.by("referee 2"), reason=REASON
    )


def _struck_in(event: Event) -> Hand:
    """Return the struck hand, or where nothing is struck yet any hand of the table."""
    hands = event.protocol(2, 1).hands.order_by("-status")
    found = hands.filter(status="voided").first() or hands.first()
    assert found is not None
    return found


def end_session(event: Event) -> None:
    """Close the session in play, and have none in play."""
    settle_all(event)
    play.close_session(event.session(2), by=event.by("organizer"), reason=REASON)


def settle_all(event: Event) -> None:
    """Have both tables of the session in play confirmed, and the third of the neighbour out of the way."""
    Protocol.objects.filter(table__session=event.session(2), table__number=3).delete()
    for late in event.session(2).latenesses.filter(state="running"):
        lateness_operations.note_arrival(late, by=event.by("referee 2"), at=begun(event.session(2)))
    settle_table(event, 2, 1)
    for wind in "SWN":
        confirm(event, 2, 2, wind)


def play_after_a_freeze(event: Event) -> None:
    """Freeze the standings before the session in play, close it, and have none in play."""
    freezing.freeze(event.tournament, by=event.by("organizer"))
    end_session(event)
    recompute.recompute(event.tournament.pk, waits=True)


CONCERNS = ["out_of_order", "gone", "absent", "left_over", "unsent"]
"""What is asked before a session is started or closed, all of it looked at."""


def start_third(event: Event) -> None:
    """Have the third session in play, without a hand."""
    end_session(event)
    play.start_session(event.session(3), by=event.by("organizer"))


def withdrawn(event: Event) -> None:
    """Have a player off the list."""
    registration.withdraw(event.registration(2), by=event.by("organizer"))


def not_come(event: Event) -> None:
    """Have a player on the list who is not checked in."""
    registration.undo_check_in(event.registration(1), by=event.by("organizer"))


def paid(event: Event) -> None:
    """Have a player who has paid the fee."""
    registration.note_payment(event.registration(1), by=event.by("organizer"))


def offered(event: Event) -> None:
    """Have a place offered to a player who waited."""
    state(event, "announced")
    rows = event.tournament.registrations.filter(number=9)
    rows.update(status="waiting", offered_until=timezone.now() + timedelta(hours=1))


def failed_mail(event: Event) -> None:
    """Have a mail that could not be sent."""
    Mail.objects.create(
        tournament=event.tournament,
        registration=event.registration(1),
        kind="registered",
        key=f"failed-{event.slug}",
        language="en",
        state="failed",
        due_at=timezone.now(),
    )


def settle_under_appeal(event: Event) -> None:
    """Have both tables confirmed, and an appeal about the session open."""
    settle_all(event)
    grounds = appeals_operations.Grounds(
        session=event.session(2), player=event.player_at(2, 1, "W").player, text=LONG, table=event.table(2, 1)
    )
    appeals_operations.file_appeal(event.tournament, grounds, by=event.by("organizer"), key=uuid4().hex)


def end_quietly(event: Event) -> None:
    """Have all sessions that were played closed, and no appeal open."""
    end_session(event)
    for number in event.tournament.appeals.filter(state__in=Appeal.OPEN).values_list("number", flat=True):
        appeals_operations.withdraw_appeal(event.appeal(number), by=event.by("organizer"))


def begun(session: Session) -> datetime:
    """Return when a session began: whoever came then came in time, however long ago the world was made. [SBR 2.8.4.5]"""
    assert session.started_at is not None
    return session.started_at


def begun_just_now(event: Event) -> None:
    """Have the session in play begun a moment ago: beyond the limit of lateness the seat would be kept empty."""
    Session.objects.filter(pk=event.session(2).pk).update(started_at=timezone.now())


def recorded_just_now(event: Event) -> None:
    """Have the hands of table 1 recorded a moment ago, however long the world took to make."""
    Hand.objects.filter(protocol=event.protocol(2, 1)).update(recorded_at=timezone.now())


def invited_just_now(event: Event) -> None:
    """Have the open invitation made a moment ago."""
    event.tournament.admissions.filter(used_at=None).update(expires_at=timezone.now() + timedelta(minutes=5))


def recorded_earlier(event: Event) -> None:
    """Have the hands of table 1 recorded too long ago to be taken back without a word."""
    early = timezone.now() - timedelta(minutes=5)
    Hand.objects.filter(protocol=event.protocol(2, 1)).update(recorded_at=early)


def repaired(event: Event) -> None:
    """Have a draft that replaces the seating of the third session, with its reason."""
    draws.propose_repair(event.tournament, by=event.by("organizer"), reason=REASON)


def newest_draft(event: Event) -> dict[str, Any]:
    """Name the draft, whichever it is."""
    return {"number": event.tournament.draws.get(state=Draw.State.DRAFT).pk}


def no_promise(event: Event) -> None:
    """Have no secret promised."""
    event.tournament.commitments.all().delete()


def run_draft(event: Event) -> None:
    """Have the draft still being drawn."""
    Draw.objects.filter(pk=event.drafts["draft"]).update(state=Draw.State.RUNNING)


def swap_two(event: Event) -> None:
    """Have two players of the draft changed by hand."""
    draft = event.tournament.draws.get(pk=event.drafts["draft"])
    draft.tournament = event.tournament
    draws.swap_in_draft(draft, 1, 2, session=4, by=event.by("organizer"), key=uuid4().hex)


def keep_seat_empty(event: Event) -> None:
    """Have a seat of the third session kept empty."""
    player = event.player_at(3, 1, "E").player
    substitutes.leave_empty(player, event.session(3), by=event.by("organizer"), reason=REASON)


def leave_a_gap(event: Event) -> None:
    """Have a table of the third session without its North."""
    event.table(3, 2).seats.filter(wind="N").delete()


def pay(number: int) -> Made:
    """Have the deposit of an appeal paid."""
    return lambda event: appeals_operations.take_deposit(event.appeal(number), by=event.by("organizer"))


def take_out_the_dead(event: Event) -> None:
    """Have the dead hand of penalty 5 recorded as if it were none."""
    protocol = event.protocol(1, 2)
    protocols.correct_hand(
        protocol,
        make.east_from_south(),
        number=2,
        intent=make.intent(protocol),
        by=event.by("chief_referee"),
        reason=REASON,
    )


def bar(event: Event) -> None:
    """Have a player disqualified beyond this event."""
    penalty = event.tournament.penalties.get(number=3)
    penalty.tournament = event.tournament
    penalties.approve(penalty, by=event.by("chief_referee"))


def put_into_team(event: Event) -> None:
    """Have the first player in a team without a captain."""
    team = Team.objects.create(tournament=event.tournament, name="Azure Herons")
    player = event.registration(1).player
    type(player).objects.filter(pk=player.pk).update(team=team)


def bar_namesake(event: Event) -> None:
    """Have somebody of a player's name disqualified at a third event, without an end; who is so already bars both."""
    if namesake_bar(event):
        return
    player = event.registration(1).player
    other = make.tournament("sbr")
    row = make.players(other, 1)[0]
    type(player).objects.filter(pk=row.player_id).update(name=player.name, search_key=player.search_key)
    type(row).objects.filter(pk=row.pk).update(status="disqualified")


def namesake_bar(event: Event) -> int:
    """Return the number of that disqualification, or one that is none."""
    rows = type(event.registration(1)).objects.filter(status="disqualified", disqualified_until=None)
    return max(rows.values_list("pk", flat=True), default=0)


def barred_person(event: Event) -> dict[str, Any]:
    """Send somebody who is disqualified, with the reason why they may play all the same."""
    player = event.tournament.penalties.get(number=3).player
    return {
        "name": player.name,
        "city": player.city,
        "country": player.country,
        "override": REASON,
        "is_another": "on",
        "key": uuid4().hex,
    }


def penalise(event: Event) -> dict[str, Any]:
    """Send a warning to somebody of the whole event."""
    return {
        "seat": player_at(event, 1, 1, "E"),
        "offence": "phone",
        "effect": "warning",
        "reason": LONG,
        "key": uuid4().hex,
    }


def appeal_of(event: Event, *, table: str = "table-1-1") -> dict[str, Any]:
    """Send an appeal of South at table 1 of the first session."""
    return {
        "player": player_at(event, 1, 1, "W"),
        "by": "player",
        "against": table,
        "matter": "rules",
        "text": LONG,
        "key": uuid4().hex,
    }


def settings(event: Event) -> dict[str, Any]:
    """Send what is said about the event, in another city."""
    of = event.tournament
    return {
        "name": of.name,
        "slug": of.slug,
        "first_day": of.first_day.isoformat(),
        "last_day": of.last_day.isoformat(),
        "time_zone": of.time_zone,
        "city": "Kazan",
    }


def fresh_event(event: Event) -> dict[str, Any]:
    """Send what is said about another event."""
    return {**settings(event), "name": "Another Cup", "slug": "another-cup", "preset": "sbr"}


def filled_form(client: Client, url: str, field: str) -> dict[str, Any]:
    """Return the values with which the form that has a field is shown; the client adds the last field itself."""
    found: list[dict[str, Any]] = []

    class Reader(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.inside, self.values, self.select, self.area = 0, {}, "", ""

        def handle_starttag(self, tag: str, attrs: Any) -> None:
            said = dict(attrs)
            name = said.get("name") or ""
            if tag == "form":
                self.inside, self.values = 1, {}
            if not self.inside:
                return
            if tag == "input" and name and said.get("type") not in {"submit", "file"}:
                if said.get("type") not in {"checkbox", "radio"} or "checked" in said:
                    self.values.setdefault(name, []).append(said.get("value") or "")
            elif tag == "select":
                self.select = name
            elif tag == "option" and "selected" in said and self.select:
                self.values.setdefault(self.select, []).append(said.get("value") or "")
            elif tag == "textarea":
                self.area = name
                self.values[name] = [""]

        def handle_endtag(self, tag: str) -> None:
            if tag == "form" and field in self.values:
                found.append(self.values)
            self.inside = 0 if tag == "form" else self.inside
            self.area = "" if tag == "textarea" else self.area

        def handle_data(self, data: str) -> None:
            if self.inside and self.area:
                self.values[self.area][0] += data

    reader = Reader()
    reader.feed(client.get(url).content.decode())
    return {name: value for name, value in found[0].items() if name != FIELD}


def regulation_form(event: Event) -> dict[str, Any]:
    """Send the form of the regulation as it is shown, with other minutes and a reason."""
    url = reverse("tournaments:edit_regulation", args=[event.slug])
    said = filled_form(event.client("organizer"), url, "session_minutes")
    return {**said, "session_minutes": "75", "reason": REASON, "is_sure": "on"}


def hall_form(event: Event) -> dict[str, Any]:
    """Send what the screens show."""
    return {"parts": ["clock"], "seconds": "15", "message": "Lunch"}


def browser(event: Event) -> dict[str, Any]:
    """Send where a browser takes notifications, the same for every event, and of what it wants to hear."""
    point = push_messages.public_bytes(push_messages.site_key("a browser"))
    keys = {"p256dh": push_messages.encoded(point), "auth": push_messages.encoded(bytes(16))}
    return {"endpoint": "https://push.example.com/a-browser", **keys, "sorts": ["seats"], "step": "on"}


def role_of(kind: str) -> Made:
    """Name a row of the staff."""
    return lambda event: {"role": Role.objects.get(tournament=event.tournament, user=event.staff[kind]).pk}


def password_link(event: Event) -> dict[str, Any]:
    """Name a link by which somebody who works at the event sets a new password, made without an entry of its own."""
    scorer = User.objects.get(
        pk=event.staff["scorer"].pk
    )  # as the row is: a sign-in that was undone is not in it
    return {"link": passwords.link_for(event.tournament, scorer, event.staff["organizer"].pk)}


def invitation(event: Event) -> dict[str, Any]:
    """Name an invitation that nobody has taken."""
    return {"invitation": event.rows["invitation"]}


def invitation_link(event: Event) -> dict[str, Any]:
    """Name the link by which somebody takes a role."""
    return {"link": event.invitation}


def device(event: Event) -> dict[str, Any]:
    """Name the admitted tablet."""
    return {"device": Device.objects.filter(tournament=event.tournament, revoked_at=None).get().pk}


def beside(event: Event) -> Tournament:
    """Return another event of the organizer in the same hall; made the first time somebody asks."""
    by = event.by("organizer")
    kept = Tournament.objects.filter(name="Beside", created_by=by.id).first()
    return kept or events.create_tournament(replace(make.announcement(), name="Beside"), preset="sbr", by=by)


def send_tablet_over(event: Event) -> None:
    """Let the tablet be on its way to the event beside."""
    tablet = Device.objects.get(pk=device(event)["device"])
    moves.send_over(tablet, beside(event), tables=[1], by=event.by("organizer"))


def line(event: Event) -> dict[str, Any]:
    """Name the line that was posted by decision."""
    return {"code": event.tournament.adjustments.get(origin="desk", game_points=8).code}


def a_line_of_a_team(event: Event) -> dict[str, Any]:
    """Take a tournament point from the event's first team."""
    team = event.tournament.teams.order_by("pk").first()
    own = {"team": team.pk if team else 0, "key": uuid4().hex}
    return own | {"tournament_points": "-1", "reason": REASON}


def post_line_of_a_team(event: Event) -> None:
    """Take a tournament point from the event's first team."""
    entry = TeamEntry(event.tournament.teams.order_by("pk")[0], tournament_points=Fraction(-1), reason=REASON)
    team_lines.post(event.tournament, entry, by=event.by("chief_referee"))


def own_totals(event: Event) -> dict[str, Any]:
    """Send the totals of table 2 as its South saw them."""
    points = totals_of(event, 2, 2)
    return {**{f"points-{wind}": value for wind, value in points.items()}, "key": uuid4().hex}


TABLE_OF_SAMPLE = fixed(session=1, table=1)


def hand_at(event: Event, session: int, table: int) -> Hand:
    """Return the last hand in force of a table."""
    of = {"protocol__table__session": event.session(session), "protocol__table__number": table}
    return Hand.objects.filter(**of, status="in_force").latest("number")


def word_on_hand(word: str) -> Made:
    """Say of the last hand of table 1 that it is right, or wrong."""
    return lambda event: {"word": word, "text": "", "hand": hand_at(event, 2, 1).pk, "key": uuid4().hex}


def phone_at(session: int, table: int, wind: str) -> Made:
    """Name a seat by the code that the tablet of its table shows."""

    def made(event: Event) -> dict[str, Any]:
        row = event.session(session).tables.get(number=table)
        return {"session": session, "table": table, "code": table_code_of(row), "wind": wind}

    return made


def disputed(event: Event) -> None:
    """Have West say that the last hand of table 1 is wrong."""
    hand = hand_at(event, 2, 1)
    player = hand.protocol.table.seats.get(wind="W").player
    HandCheck.objects.create(hand=hand, wind="W", player=player, is_right=False, text="It was three fans")


def tomorrow(days: int = 1) -> str:
    """Write a time as the browser's control sends it."""
    return f"{timezone.now() + timedelta(days=days):%Y-%m-%dT12:00}"


def begun_earlier(event: Event) -> None:
    """Have the first session begun in the morning."""
    early = timezone.now() - timedelta(hours=4)
    Session.objects.filter(pk=event.session(1).pk).update(started_at=early)


def planned_later(event: Event) -> None:
    """Have the sessions before begun in the morning, and the third one planned for tomorrow."""
    begun_earlier(event)
    Session.objects.filter(pk=event.session(3).pk).update(planned_at=timezone.now() + timedelta(days=1))


def last_substitute(event: Event) -> int:
    """Return the row of a substitute who sits nowhere."""
    return event.tournament.substitutes.order_by("pk")[1].pk


def ended(event: Event) -> None:
    """Have table 1 of the session in play ended."""
    end_table(event, 2, 1)


def totals_in_json(event: Event) -> dict[str, Any]:
    """Send the confirmation of South at table 2."""
    return {"seen": event.protocol(2, 2).version, "wind": "S", "totals": totals_of(event, 2, 2)}


def queued(event: Event) -> dict[str, Any]:
    """Send one hand of table 1 through the queue."""
    body = seen(event, facts=make.east_from_south(), sure=True)
    one = {"key": uuid4().hex, "session": 2, "table": 1, "operation": "hands", "body": body}
    return {"schema": 1, "operations": [one], "brief": True}


def pressed(event: Event) -> dict[str, Any]:
    """Send one penalty through the queue of a referee's phone."""
    player = player_at(event, 2, 1, "E")
    body = {"session": 2, "player": player, "offence": "touching", "hand": 1}
    one = {"key": uuid4().hex, "session": 2, "table": player, "operation": "give", "body": body}
    return {"schema": 1, "operations": [one]}


def ask_for_a_slip(event: Event) -> None:
    """Let a slip wait for the printer."""
    ask_for_print(event.tournament, "penalty", 5, by=event.by("referee"))


def sheets(event: Event) -> dict[str, Any]:
    """Name the sheets that wait."""
    return {"sheet": [str(row.pk) for row in event.tournament.print_requests.filter(printed_at=None)]}


def in_json(**more: Any) -> Made:
    """Send how many entries of table 1 were seen, and more."""
    return lambda event: seen(event, **more)


DRAFT = {"at": drawn("draft")}
TABLE_1, TABLE_2 = fixed(session=2, table=1), fixed(session=2, table=2)
NEXT_TABLE = {"session": 2, "table": 3}
FACTS = make.east_from_south(2)
TILES = {"concealed": ["m1"] * 3 + ["m2"] * 3 + ["m3"] * 3 + ["m4"] * 3 + ["p1"], "melds": []}
WITHOUT_SLUG = {
    "tournaments:new",
    "tournaments:new_password",
    "tournaments:invitation",
    "tournaments:take_role",
}

DEEDS: dict[str, Deed] = {
    "seating:draw": Deed("organizer", fixed(mode="random", seed="4417", winds="plan")),
    "seating:redraw": Deed("organizer", fixed(mode="random", seed="4417", winds="plan", reason=REASON)),
    "seating:commit": Deed("organizer", before=no_promise),
    "seating:paste": Deed("organizer", fixed(text="1-2-3-4\n5-6-7-8\n")),
    "seating:repair": Deed("organizer", fixed(reason=REASON)),
    "seating:change": Deed(
        "organizer",
        keyed(first="1", second="8", reason=REASON),
        at=fixed(session=3),
        beyond={"second": "11"},
        beyond_at={"session": 5},
    ),
    "seating:take_back": Deed("organizer", at=fixed(session=3), beyond_at={"session": 5}),
    "seating:winds": Deed(
        "scorer",
        winds_turned,
        at=fixed(session=3),
        beyond={"table": "3"},
        beyond_at={"session": 5},
    ),
    "seating:cancel": Deed("organizer", before=run_draft, **DRAFT),
    "seating:swap": Deed(
        "organizer", keyed(first="1", second="2", session="4"), beyond={"second": "11"}, **DRAFT
    ),
    "seating:pin": Deed("organizer", keyed(who="1", session="4"), beyond={"who": "11"}, **DRAFT),
    "seating:undo": Deed("organizer", keyed(), before=swap_two, **DRAFT),
    "seating:discard": Deed("organizer", **DRAFT),
    "seating:take_up": Deed("organizer", at=drawn("aside")),
    "seating:publish": Deed("organizer", **DRAFT),
    "seating:publish anew": Deed("organizer", at=newest_draft, before=repaired, reason_was_given=True),
    "penalties:give_any": Deed("chief_referee", penalise),
    "penalties:give": Deed(
        "referee 2",
        keyed(seat="E", offence="touching", reason=REASON),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
    ),
    "penalties:revoke": Deed(
        "chief_referee", fixed(reason=REASON), at=fixed(number=5), beyond_at={"number": 6}
    ),
    "penalties:mark_dead_hand": Deed(
        "chief_referee", at=fixed(number=5), before=take_out_the_dead, beyond_at={"number": 6}
    ),
    "penalties:approve": Deed("chief_referee", at=fixed(number=3), beyond_at={"number": 6}),
    "penalties:adjustments": Deed(
        "chief_referee",
        lambda event: {
            "player": player_at(event, 1, 1, "E"),
            "session": "1",
            "game_points": "5",
            "timing": "after",
            "reason": REASON,
            "key": uuid4().hex,
        },
    ),
    "penalties:reverse": Deed("chief_referee", fixed(reason=REASON), at=line, beyond_at={"code": "d5"}),
    "penalties:teams": Deed("chief_referee", a_line_of_a_team),
    "penalties:reverse_team": Deed(
        "chief_referee",
        fixed(reason=REASON),
        at=fixed(code="t1"),
        before=post_line_of_a_team,
        beyond_at={"code": "t9"},
    ),
    "penalties:lateness_clock": Deed(
        "referee 2",
        lambda event: {"players": [player_at(event, 2, 2, "N")]},
        at=fixed(session=2),
        beyond_at={"session": 5},
    ),
    "penalties:arrived": Deed(
        "referee 2", at=number_at(2, 2, "S"), before=begun_just_now, beyond_at={"number": 11}
    ),
    "penalties:change_lateness": Deed(
        "referee 2", fixed(minutes="3:00", reason=REASON), at=number_at(2, 2, "W"), beyond_at={"number": 11}
    ),
    "penalties:strike_lateness": Deed(
        "referee 2", fixed(reason=REASON), at=number_at(2, 2, "W"), beyond_at={"number": 11}
    ),
    "penalties:ask_for_print": Deed("organizer", fixed(kind="penalty", number="5")),
    "penalties:tick_off_sheets": Deed("organizer", sheets, before=ask_for_a_slip),
    "penalties:substitutes": Deed(
        "organizer",
        lambda event: {
            "name": "Malachite",
            "city": "Perm",
            "is_assistant": "on",
            "role": role_of("scorer")(event)["role"],
        },
    ),
    "penalties:substitutes who are barred": Deed("organizer", barred_person, before=bar),
    "penalties:substitutes_session": Deed(
        "referee 2",
        lambda event: {
            "player": player_at(event, 3, 1, "E"),
            "substitute": last_substitute(event),
            "sessions": ["3"],
            "reason": REASON,
        },
        at=fixed(session=3),
        beyond={"sessions": ["5"]},
        beyond_at={"session": 5},
    ),
    "penalties:leave_empty": Deed(
        "referee 2",
        lambda event: {"player": player_at(event, 3, 1, "E"), "reason": REASON},
        at=fixed(session=3),
        beyond_at={"session": 5},
    ),
    "penalties:return_player": Deed(
        "referee 2",
        lambda event: {"player": player_at(event, 3, 1, "E"), "reason": REASON},
        at=fixed(session=3),
        before=keep_seat_empty,
        beyond_at={"session": 5},
    ),
    "penalties:fill_seat": Deed(
        "referee 2",
        lambda event: {"table": "2", "wind": "N", "substitute": last_substitute(event), "reason": REASON},
        at=fixed(session=3),
        before=leave_a_gap,
        beyond={"table": "3"},
        beyond_at={"session": 5},
    ),
    "penalties:new_appeal": Deed("organizer", appeal_of, beyond={"against": "penalty-6"}),
    "penalties:add_statement": Deed(
        "organizer", keyed(text=LONG), at=fixed(number=1), beyond_at={"number": 5}
    ),
    "penalties:take_deposit": Deed("organizer", at=fixed(number=1), beyond_at={"number": 5}),
    "penalties:not_accept": Deed("organizer", at=fixed(number=1), beyond_at={"number": 5}),
    "penalties:classify_appeal": Deed(
        "chief_referee", fixed(matter="other"), at=fixed(number=1), beyond_at={"number": 5}
    ),
    "penalties:return_deposit": Deed("organizer", at=fixed(number=4), beyond_at={"number": 5}),
    "penalties:set_hearing": Deed(
        "organizer", fixed(at=tomorrow(), place="Room 2"), at=fixed(number=2), beyond_at={"number": 5}
    ),
    "penalties:declare_conflict": Deed("chief_referee", at=fixed(number=1), beyond_at={"number": 5}),
    "penalties:vote": Deed("committee", fixed(verdict="upheld"), at=fixed(number=2), beyond_at={"number": 5}),
    "penalties:decide": Deed(
        "chief_referee",
        fixed(body="chief_referee", verdict="upheld", reasons=LONG),
        at=fixed(number=1),
        before=pay(1),
        beyond_at={"number": 5},
    ),
    "penalties:withdraw_appeal": Deed("organizer", at=fixed(number=1), beyond_at={"number": 5}),
    "penalties:take_further": Deed("organizer", at=fixed(number=3), beyond_at={"number": 5}),
    "penalties:phone_batch": Deed("referee 2", pressed, is_json=True),
    "penalties:phone_call": Deed(
        "referee 2", fixed(is_over=False), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True
    ),
    "penalties:file_own": Deed("player", appeal_of, at=link_at(1, 1, "W"), beyond={"against": "penalty-6"}),
    "penalties:own_appeal": Deed(
        "player", keyed(text=LONG), at=link_at(1, 1, "E", number=1), beyond_at={"number": 5}
    ),
    "penalties:withdraw_own_appeal": Deed("player", at=link_at(1, 1, "E", number=1), beyond_at={"number": 5}),
    "penalties:take_own_further": Deed("player", at=link_at(1, 2, "S", number=3), beyond_at={"number": 5}),
    "tournaments:new": Deed("organizer", fresh_event),
    "tournaments:register": Deed(
        "anyone",
        keyed(name="Malachite Kingfisher", country="RU", consent="on"),
        before=lambda event: state(event, "announced"),
    ),
    "tournaments:change_own": Deed(
        "player",
        fixed(name="Malachite", country="RU", city="Perm"),
        at=link(1),
        before=lambda event: state(event, "announced"),
    ),
    "tournaments:accept_own": Deed("player", at=link(9), before=offered),
    "tournaments:withdraw_own": Deed("player", at=link(9), before=lambda event: state(event, "announced")),
    "tournaments:confirm_own": Deed("player", own_totals, at=link_at(2, 2, "S")),
    "tournaments:check_own_hand": Deed("player", word_on_hand("right"), at=link_at(2, 1, "S")),
    "tournaments:seat_phone": Deed("anyone", word_on_hand("wrong"), at=phone_at(2, 1, "W")),
    "tournaments:paper_audit": Deed("organizer", fixed(seed="dice 4 2 6 1", size="2")),
    "tournaments:audit_paper": Deed(
        "organizer",
        fixed(paper="8 -8 0 0\n0 0 0 0"),
        at=TABLE_OF_SAMPLE,
        beyond_at=NEXT_TABLE,
    ),
    "tournaments:settle_dispute": Deed(
        "referee 2",
        lambda event: on_form(event, 2, 1, reason=REASON),
        at=lambda event: {"session": 2, "table": 1, "hand": hand_at(event, 2, 1).pk, "wind": "W"},
        before=disputed,
        beyond_at=NEXT_TABLE,
    ),
    "tournaments:settings": Deed("organizer", settings),
    "tournaments:edit_regulation": Deed("organizer", regulation_form),
    "tournaments:announce": Deed("organizer", before=lambda event: state(event, "draft")),
    "tournaments:close": Deed("organizer", before=end_quietly),
    "tournaments:close over an appeal": Deed("organizer", fixed(reason=REASON), before=end_session),
    "tournaments:reopen": Deed(
        "organizer", fixed(reason=REASON), before=lambda event: state(event, "closed")
    ),
    "tournaments:quotas": Deed("organizer", fixed(country_most="3")),
    "tournaments:questions": Deed("organizer", keyed(label="What do you not eat?", sort="text")),
    "tournaments:question": Deed(
        "organizer", fixed(**{"q1-label": "What do you eat?"}), at=fixed(code="q1"), before=ask_something
    ),
    "tournaments:ask_question": Deed(
        "organizer", fixed(asked="0"), at=fixed(code="q1"), before=ask_something
    ),
    "tournaments:cancel_event": Deed("organizer", fixed(reason=REASON), before=end_session),
    "tournaments:take_back_cancellation": Deed("organizer", before=lambda event: state(event, "cancelled")),
    "tournaments:clone": Deed("organizer", fresh_event),
    "rehearsal:rehearsal": Deed("organizer", fixed(players="4", speed="20", own="1")),
    "tournaments:staff": Deed(
        "organizer", fixed(username="stranger", kind="scorer", player="8"), beyond={"player": "11"}
    ),
    "tournaments:name_member": Deed(
        "organizer", fixed(name="Анна Сойка", name_latin="Anna Jay"), at=role_of("scorer")
    ),
    "tournaments:invite_staff": Deed("organizer", fixed(**{"invite-kind": "scorer"})),
    "tournaments:hand_over": Deed("organizer"),
    "tournaments:withdraw_invitation": Deed("organizer", at=invitation),
    "tournaments:end_role": Deed("organizer", at=role_of("scorer")),
    "tournaments:allow_new_password": Deed("organizer", at=role_of("scorer")),
    "tournaments:report_abuse": Deed("anyone", fixed(kind="other", text=LONG)),
    "tournaments:notices": Deed("anyone", browser, at=fixed(number=1)),
    "tournaments:own_notices": Deed("player", browser, at=link(1)),
    "tournaments:own_data": Deed("player", fixed(is_sure="on"), at=link(2)),
    "tournaments:decline_erasure": Deed(
        "organizer", fixed(reason=REASON), at=lambda event: {"request_number": event.rows["request_number"]}
    ),
    "tournaments:erase_player": Deed(
        "organizer",
        lambda event: {"typed": event.registration(10).player.name},
        at=lambda event: {"person": event.registration(10).player_id},
    ),
    "tournaments:send_mails_again": Deed("organizer", before=failed_mail),
    "tournaments:take_role": Deed("stranger", at=invitation_link),
    "tournaments:new_password": Deed(
        "anyone",
        fixed(password1="north wind blows 7", password2="north wind blows 7"),
        at=password_link,
    ),
    "tournaments:hall_desk": Deed("organizer", hall_form),
    "tournaments:freeze_standings": Deed("organizer"),
    "tournaments:show_standings": Deed(
        "organizer", before=lambda event: freezing.freeze(event.tournament, by=event.by("organizer"))
    ),
    "tournaments:reveal_places": Deed("organizer", keyed(hidden="2"), before=play_after_a_freeze),
    "tournaments:allow_frames": Deed("organizer", fixed(sites="https://club.example")),
    "tournaments:steer_hall": Deed("organizer", keyed(step="next")),
    "tournaments:tablets": Deed("organizer", fixed(name="Tablet 9", tables="1, 2")),
    "tournaments:sign_off_tablet": Deed("organizer", at=device),
    "tournaments:send_tablet_over": Deed(
        "organizer", lambda event: {"to": beside(event).slug, "tables": "1"}, at=device, before=beside
    ),
    "tournaments:keep_tablet": Deed("organizer", at=device, before=send_tablet_over),
    "tournaments:add_player": Deed("organizer", fixed(name="Malachite Kingfisher", country="RU")),
    "tournaments:add_player who is barred": Deed("organizer", barred_person, before=bar),
    "tournaments:edit_player into one who is barred": Deed(
        "organizer", barred_person, at=fixed(number=1), before=bar, beyond_at={"number": 11}
    ),
    "tournaments:paste_players": Deed(
        "organizer", keyed(text="Malachite Kingfisher\nAzure Kingfisher\n", confirm="1")
    ),
    "tournaments:edit_player": Deed(
        "organizer",
        fixed(name="Malachite", country="RU", city="Perm"),
        at=fixed(number=1),
        beyond_at={"number": 11},
    ),
    "tournaments:name_captain": Deed(
        "organizer", fixed(captain="1"), at=fixed(number=1), before=put_into_team, beyond_at={"number": 11}
    ),
    "tournaments:answer_bar": Deed(
        "organizer",
        lambda event: {"bar": namesake_bar(event), "reason": REASON},
        at=fixed(number=1),
        before=bar_namesake,
        beyond_at={"number": 11},
    ),
    "tournaments:withdraw_player": Deed(
        "organizer", fixed(reason=REASON), at=fixed(number=2), beyond_at={"number": 11}
    ),
    "tournaments:take_back_withdrawal": Deed(
        "organizer", at=fixed(number=2), before=withdrawn, beyond_at={"number": 11}
    ),
    "tournaments:admit_player": Deed(
        "organizer", fixed(is_sure="on"), at=fixed(number=10), beyond_at={"number": 11}
    ),
    "tournaments:renew_link": Deed("organizer", keyed(), at=fixed(number=1), beyond_at={"number": 11}),
    "tournaments:check_in_all": Deed("scorer", fixed(number=["1"]), before=not_come),
    "tournaments:take_back_check_in_all": Deed(
        "scorer", lambda event: {"moment": event.registration(1).checked_in_at.isoformat()}
    ),
    "tournaments:note_payments": Deed("scorer", fixed(number=["1"])),
    "tournaments:note_payment": Deed("scorer", fixed(paid="1"), at=fixed(number=1), beyond_at={"number": 11}),
    "tournaments:take_back_payments": Deed(
        "scorer",
        lambda event: {
            "moment": event.registration(1).paid_at.isoformat() if event.registration(1).paid_at else ""
        },
        before=paid,
    ),
    "tournaments:check_in_one": Deed("scorer", fixed(came="0"), at=fixed(number=1), beyond_at={"number": 11}),
    "tournaments:edit_timetable": Deed(
        "organizer",
        lambda event: {"session_3": tomorrow(1), "session_4": tomorrow(2)},
        before=begun_earlier,
    ),
    "tournaments:shift_session": Deed(
        "organizer", keyed(minutes="15"), at=fixed(session=3), before=planned_later, beyond_at={"session": 5}
    ),
    "tournaments:start_session": Deed(
        "organizer",
        fixed(knowing=CONCERNS),
        at=fixed(session=3),
        before=end_session,
        beyond_at={"session": 5},
    ),
    "tournaments:take_back_start": Deed(
        "organizer", at=fixed(session=3), before=start_third, beyond_at={"session": 5}
    ),
    "tournaments:change_clock": Deed(
        "organizer", keyed(minutes="5"), at=fixed(session=2), beyond_at={"session": 5}
    ),
    "tournaments:close_session": Deed(
        "organizer", fixed(knowing=CONCERNS), at=fixed(session=2), before=settle_all, beyond_at={"session": 5}
    ),
    "tournaments:close_session over an appeal": Deed(
        "organizer",
        fixed(reason=REASON, knowing=CONCERNS),
        at=fixed(session=2),
        before=settle_under_appeal,
        beyond_at={"session": 5},
    ),
    "tournaments:mail_text": Deed(
        "organizer",
        fixed(subject="{event}", body="{name}: {page}"),
        at=fixed(kind="registered", language="en"),
    ),
    "tournaments:go_on": Deed(
        "organizer", fixed(knowing=CONCERNS), at=fixed(session=2), before=settle_all, beyond_at={"session": 5}
    ),
    "tournaments:go_on over an appeal": Deed(
        "organizer",
        fixed(reason=REASON, knowing=CONCERNS),
        at=fixed(session=2),
        before=settle_under_appeal,
        beyond_at={"session": 5},
    ),
    "tournaments:take_back_close": Deed(
        "organizer", at=fixed(session=2), before=end_session, beyond_at={"session": 5}
    ),
    "tournaments:reopen_session": Deed(
        "organizer", fixed(reason=REASON), at=fixed(session=2), before=end_session, beyond_at={"session": 5}
    ),
    "tournaments:withdraw_seating": Deed(
        "organizer", fixed(reason=REASON), at=fixed(session=3), beyond_at={"session": 5}
    ),
    "tournaments:correct_hand": Deed(
        "referee 2",
        lambda event: on_form(event, 2, 1, reason=REASON),
        at=fixed(session=2, table=1, number=1),
        beyond_at=NEXT_TABLE,
    ),
    "tournaments:import_game": Deed(
        "scorer",
        lambda event: on_form(event, 2, 1, text=json.dumps({"hands": [FACTS]}), sure="1"),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
    ),
    "tournaments:restore_hand": Deed(
        "referee 2",
        lambda event: on_form(event, 2, 1, reason=REASON),
        at=lambda event: {"session": 2, "table": 1, "hand": _struck_in(event).pk},
        before=struck,
        beyond_at=NEXT_TABLE,
    ),
    "tournaments:answer_call": Deed("scorer", at=TABLE_1, beyond_at=NEXT_TABLE),
    "tournaments:end_call": Deed("scorer", at=TABLE_1, beyond_at=NEXT_TABLE),
    "tournaments:sign_off_protocol": Deed(
        "referee 2", lambda event: on_form(event, 2, 2, reason=REASON), at=TABLE_2, beyond_at=NEXT_TABLE
    ),
    "tournaments:api_admission": Deed(
        "anyone", lambda event: {"secret": event.secret}, before=invited_just_now, is_json=True
    ),
    "tournaments:api_batch": Deed("device", queued, is_json=True),
    "tournaments:api_beat": Deed(
        "device",
        lambda event: {
            "unsent": 3,
            "clock": int(timezone.now().timestamp() * 1000),
            "session": 2,
            "table": 1,
        },
        is_json=True,
    ),
    "tournaments:api_hands": Deed(
        "device", in_json(facts=FACTS, sure=True), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True
    ),
    "tournaments:api_preview": Deed(
        "device", fixed(facts=FACTS), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True, makes_no_row=True
    ),
    "tournaments:api_evaluate": Deed(
        "device",
        fixed(text="111222333444m11p", how={}),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
        is_json=True,
        makes_no_row=True,
    ),
    "tournaments:api_near": Deed(
        "device",
        fixed(text="111222333444m", how={}),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
        is_json=True,
        makes_no_row=True,
    ),
    "tournaments:api_waits": Deed(
        "device", fixed(tiles=TILES), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True, makes_no_row=True
    ),
    "tournaments:api_undo": Deed(
        "device",
        in_json(number=2),
        at=TABLE_1,
        before=recorded_just_now,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_undo later": Deed(
        "device",
        in_json(number=2, reason=REASON),
        at=TABLE_1,
        before=recorded_earlier,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_correct": Deed(
        "referee 2",
        in_json(facts=FACTS, number=1, reason=REASON),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_void": Deed(
        "referee 2", in_json(number=1, reason=REASON), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True
    ),
    "tournaments:api_final": Deed(
        "device",
        lambda event: seen(event, points=totals_of(event, 2, 1)),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_end": Deed("device", in_json(), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True),
    "tournaments:api_resume": Deed(
        "device", in_json(), at=TABLE_1, before=ended, beyond_at=NEXT_TABLE, is_json=True
    ),
    "tournaments:api_confirm": Deed("device", totals_in_json, at=TABLE_2, beyond_at=NEXT_TABLE, is_json=True),
    "tournaments:api_confirm for a player": Deed(
        "referee 2",
        lambda event: totals_in_json(event) | {"reason": REASON},
        at=TABLE_2,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_resume once settled": Deed(
        "referee 2",
        lambda event: seen(event, 2, 2, reason=REASON),
        at=TABLE_2,
        before=settle_all,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_final once settled": Deed(
        "referee 2",
        lambda event: seen(event, 2, 2, points={"E": 8, "S": -8, "W": 0, "N": 0}, reason=REASON),
        at=TABLE_2,
        before=settle_all,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_seats": Deed(
        "referee 2",
        in_json(sitting={"E": "S", "S": "E"}, reason=REASON),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_objection": Deed(
        "device", in_json(wind="E", text=REASON), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True
    ),
    "tournaments:api_drop": Deed(
        "device",
        in_json(entry={"operation": "hands"}, reason=REASON),
        at=TABLE_1,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_sign_off": Deed(
        "referee 2",
        lambda event: seen(event, 2, 2, reason=REASON),
        at=TABLE_2,
        beyond_at=NEXT_TABLE,
        is_json=True,
    ),
    "tournaments:api_call": Deed(
        "device", fixed(called=False), at=TABLE_1, beyond_at=NEXT_TABLE, is_json=True
    ),
}
