"""A demo world: one event open for registration, one in play with hands arriving, one finished; all invented by dice."""

import logging
import random
import threading
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.db import close_old_connections
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from seating import operations as draws
from tournaments.actors import Actor, ActorKind
from tournaments.models import Protocol, Role, Session, Tournament, User
from tournaments.models.protocol import InForce
from tournaments.operations import entering, play, protocols, registration
from tournaments.operations import tournaments as events
from tournaments.operations.recording import Intent
from tournaments.queries import protocol_state
from tournaments.refusal import Refused

logger = logging.getLogger(__name__)

EVERY = 6.0
_stop = threading.Event()
HANDS = 12
ONWARD = "The demo goes on by itself."
"""Said where a visitor has filed an appeal: the demo waits for nobody's ruling."""
PLAYERS = (
    ("Белый Журавль", "RU", "Самара"), ("Зимородок", "RU", "Казань"), ("Золотая Иволга", "RU", "Самара"),
    ("Кулик", "RU", "Саратов"), ("Синяя Сойка", "RU", "Москва"), ("Чёрный Стриж", "RU", "Москва"),
    ("Grey Heron", "GB", "London"), ("Kingfisher", "NL", "Utrecht"), ("Golden Plover", "SE", "Lund"),
    ("Снегирь", "KZ", "Алматы"), ("Свиристель", "RU", "Пермь"), ("Пустельга", "RU", "Уфа"),
    ("Zaunkönig", "DE", "Berlin"), ("Rouge-gorge", "FR", "Lyon"), ("Mésange bleue", "FR", "Lyon"),
    ("Rödhake", "SE", "Lund"), ("Дятел", "RU", "Казань"), ("Клёст", "RU", "Пермь"),
    ("Pettirosso", "IT", "Torino"), ("Wren", "GB", "London"), ("Иволга-Младшая", "RU", "Самара"),
    ("Сапсан", "RU", "Уфа"), ("Козодой", "KZ", "Астана"), ("Ласточка", "RU", "Саратов"),
)  # fmt: skip
NAMES = {
    "mcr": gettext_noop("Autumn Tiles"),
    "sbr": gettext_noop("Bamboo Grove Cup"),
    "riichi_ema": gettext_noop("Winter Winds"),
}


def make_world(*, organizer: str, password: str) -> None:
    """Make the three events and the organizer's account."""
    user = User.objects.create_user(organizer, password=password)
    dice = random.Random(1)
    _finished(user, dice)
    _in_play(user, dice)
    _in_registration(user)


def organizer_of(tournament: Tournament) -> Actor:
    """Act as the event's creator, in the roles the demo gave."""
    roles = Role.objects.filter(tournament=tournament, user=tournament.created_by).values_list(
        "kind", flat=True
    )
    return Actor(ActorKind.USER, tournament.created_by_id, frozenset(roles) | {"signed_in"})


def play_a_hand(tournament: Tournament, dice: random.Random) -> None:
    """Let one table of the event record a hand, or take the next step of the event when all are done."""
    by = organizer_of(tournament)
    session = tournament.sessions.filter(state=Session.State.OPEN).first()
    if session is None:
        _next_session(tournament, by, dice)
        return
    hands = Count("hands", filter=Q(hands__status=InForce.IN_FORCE))
    tables = Protocol.objects.filter(table__session=session).annotate(hand_count=hands)
    open_tables = [row for row in tables if not row.is_settled]
    if not open_tables:
        play.close_session(session, by=by, reason=ONWARD)
        return
    protocol = dice.choice(open_tables)
    limit = tournament.regulation["hands_limit"] or HANDS
    if protocol.hand_count < min(limit, HANDS):
        _record(protocol, by, dice)
    else:
        _settle(protocol, by)


def keep_alive(dice: random.Random) -> None:
    """Play a hand of the event in play; where the last one has been closed, begin another."""
    demo = Tournament.objects.filter(is_demo=True)
    tournament = demo.filter(state=Tournament.State.RUNNING).first()
    if tournament is not None:
        play_a_hand(tournament, dice)
    elif (closed := demo.filter(state=Tournament.State.CLOSED).first()) is not None:
        _in_play(closed.created_by, dice)


def run(stop: threading.Event) -> None:
    """Keep the demo event alive: a hand every few seconds, session after session, event after event."""
    dice = random.Random()
    while not stop.wait(EVERY):
        try:
            keep_alive(dice)
        except Refused as refused:
            logger.info("The demo skipped a hand: %s", refused)
        except Exception:
            logger.exception("The demo could not play a hand.")
        finally:
            close_old_connections()


def start() -> None:
    """Start the thread that plays, where a demo was asked for."""
    if settings.DEMO:
        _stop.clear()
        threading.Thread(target=run, args=[_stop], name="demo", daemon=True).start()


def stop() -> None:
    """Let the thread end."""
    _stop.set()


def _event(user: User, preset: str, first_day: date, **changes: Any) -> Tournament:
    """Create one event of the demo with its organizer in every role of the desk."""
    by = Actor(ActorKind.USER, user.pk, frozenset({"signed_in"}))
    before = Tournament.objects.filter(is_demo=True, preset=preset).count()
    name = f"{NAMES[preset]} {before + 1}" if before else NAMES[preset]
    announcement = events.Announcement(
        name=name,
        slug=name.lower().replace(" ", "-"),
        first_day=first_day,
        last_day=first_day + timedelta(days=1),
        time_zone="Europe/Samara",
        city="Самара",
        venue="",
        registration_closes_at=timezone.now() + timedelta(days=10),
        currency="₽",
    )
    tournament = events.create_tournament(announcement, preset=preset, by=by, changes=changes)
    Tournament.objects.filter(pk=tournament.pk).update(is_demo=True)
    for kind in (Role.Kind.CHIEF_REFEREE, Role.Kind.REFEREE):
        events.grant_role(tournament, user, kind, by=by)
    events.announce_tournament(tournament, by=organizer_of(tournament))
    return Tournament.objects.get(pk=tournament.pk)


def _register(tournament: Tournament, number: int, *, is_here: bool = True) -> None:
    by = organizer_of(tournament)
    for name, country, city in PLAYERS[:number]:
        details = registration.Details(name=name, country=country, city=city)
        row = registration.register_player(tournament, details, by=by)
        if is_here:
            registration.check_in(row, by=by)


def _finished(user: User, dice: random.Random) -> None:
    """An MCR event, played to its end."""
    tournament = _event(user, "mcr", timezone.localdate() - timedelta(days=30), sessions=3, hands_limit=4)
    _register(tournament, 12)
    for _ in range(400):
        tournament.refresh_from_db()
        if tournament.state == Tournament.State.CLOSED:
            return
        _step(tournament, dice)


def _in_play(user: User, dice: random.Random) -> None:
    """A Sichuan event with one session behind it and one in play."""
    tournament = _event(user, "sbr", timezone.localdate(), sessions=6)
    _register(tournament, 16)
    for _ in range(400):
        tournament.refresh_from_db()
        closed = tournament.sessions.filter(state=Session.State.CLOSED).count()
        playing = tournament.sessions.filter(state=Session.State.OPEN).exists()
        if closed == 1 and playing:
            break
        _step(tournament, dice)
    for _ in range(6):
        _step(tournament, dice)


def _in_registration(user: User) -> None:
    """A riichi event whose registration is open."""
    tournament = _event(user, "riichi_ema", timezone.localdate() + timedelta(days=14), max_players=32)
    _register(tournament, 18, is_here=False)


def _step(tournament: Tournament, dice: random.Random) -> None:
    """Play one hand of the past; one that the rules refuse is thrown again."""
    try:
        play_a_hand(tournament, dice)
    except Refused as refused:
        logger.debug("Thrown again: %s", refused)


def _next_session(tournament: Tournament, by: Actor, dice: random.Random) -> None:
    """Seat and start the next session, or close an event that has none left."""
    seated = tournament.sessions.filter(state=Session.State.PLANNED, published_at__isnull=False).first()
    if seated is not None:
        play.start_session(seated, by=by)
        return
    following = tournament.sessions.filter(published_at=None).order_by("number").first()
    if following is None:
        events.close_tournament(tournament, by=by, reason=ONWARD)
        return
    following.tournament = tournament
    draw = draws.propose_random(tournament, following, by=by, seed=f"{dice.randrange(10**6):06}")
    draws.publish(draw, by=by)


def _record(protocol: Protocol, by: Actor, dice: random.Random) -> None:
    protocol = Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk)
    state = protocol_state(protocol)
    facts = random_facts(state["system"], [seat["wind"] for seat in state["seats"] if seat["player"]], dice)
    entering.record_hand(protocol, facts, intent=_intent(protocol, dice), by=by, is_sure=True)


def _settle(protocol: Protocol, by: Actor) -> None:
    """End the table and let everybody confirm."""
    dice = random.Random()
    protocol = Protocol.objects.select_related("table__session__tournament").get(pk=protocol.pk)
    if protocol.state == Protocol.State.OPEN:
        protocols.end_protocol(protocol, intent=_intent(protocol, dice), by=by)
    seats = list(protocol.table.seats.filter(player__isnull=False))
    totals = {seat.wind: seat.hand_points for seat in seats}
    for seat in seats:
        if seat.confirmed_at is None:
            protocol.refresh_from_db()
            protocols.confirm_seat(protocol, seat.wind, totals=totals, intent=_intent(protocol, dice), by=by)


def _intent(protocol: Protocol, dice: random.Random) -> Intent:
    return Intent(seen=protocol.version, key=f"demo-{dice.getrandbits(96):024x}", body={})


# Hands by dice


def random_facts(system: str, seats: Sequence[str], dice: random.Random) -> dict[str, Any]:
    """Throw a hand that could have been played, in the shape of docs/RECORD.md."""
    if system in {"SBR", "WMSG"}:
        return _sichuan(list(seats), dice)
    if dice.random() < 0.08:
        return {"events": []}
    winner, *others = dice.sample(list(seats), len(seats))
    value = dice.choice((8, 8, 9, 10, 12, 13, 16, 20, 24, 28, 33, 48, 64))
    win: dict[str, Any] = {
        "type": "win",
        "winners": [{"seat": winner, "fans": value, "flowers": dice.randrange(3)}],
    }
    if not win["winners"][0]["flowers"]:
        del win["winners"][0]["flowers"]
    if dice.random() < 0.65:
        win["from"] = others[0]
    return {"events": [win]}


def _sichuan(seats: list[str], dice: random.Random) -> dict[str, Any]:
    """One win after another until three have won or the wall is out."""
    playing, happened = list(seats), []
    while len(playing) > 1 and dice.random() < 0.8:
        if dice.random() < 0.15:
            seat = dice.choice(playing)
            kong: dict[str, Any] = {"type": "kong", "seat": seat, "kind": dice.choice(("concealed", "added"))}
            happened.append(kong)
        winner = dice.choice(playing)
        win: dict[str, Any] = {
            "type": "win",
            "winners": [{"seat": winner, "fans": dice.choice((0, 0, 0, 1, 1, 2, 2, 3, 4))}],
        }
        if dice.random() < 0.6:
            win["from"] = dice.choice([seat for seat in playing if seat != winner])
        happened.append(win)
        playing.remove(winner)
        if len(seats) - len(playing) == len(seats) - 1:
            return {"events": happened, **_kong_check(playing, happened)}
    return {"events": happened, "end": {seat: _check(dice) for seat in playing}}


def _kong_check(playing: list[str], happened: list[dict[str, Any]]) -> dict[str, Any]:
    """After the last win only somebody with kong points at stake is checked."""
    with_kongs = {event["seat"] for event in happened if event["type"] == "kong"}
    left = [seat for seat in playing if seat in with_kongs]
    return {"end": {seat: {"state": "waiting", "max_base": 2} for seat in left}} if left else {}


def _check(dice: random.Random) -> dict[str, Any]:
    if dice.random() < 0.6:
        return {"state": "waiting", "max_base": dice.choice((1, 1, 2, 2, 4, 8))}
    return {"state": "no_wait"}
