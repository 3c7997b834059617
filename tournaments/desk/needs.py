"""What needs the desk now: one ranked list of everything that waits, each with the press that answers it. [RULES 9.18]"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from statistics import median

from django.utils import timezone

from scoring.problems import gettext_noop
from tournaments.models import (
    HistoryEntry,
    Mail,
    Protocol,
    Registration,
    Seat,
    Session,
    Table,
    Tournament,
)
from tournaments.people.queries.places import Places, in_line
from tournaments.people.queries.shared import in_the_same_hall, next_free, shared_people
from tournaments.privacy.queries import open_requests
from tournaments.record import judges
from tournaments.record.history import Kind
from tournaments.record.needs import Need, Remedy, Urgency, ranked
from tournaments.sessions.queries import seats_of_the_gone
from tournaments.table_numbers import shown_number
from tournaments.tables.queries.rounds import Round, TabletThere, with_rounds

OVERTIME = timedelta(minutes=10)
"""So long after the end signal a table may still play its last hand."""
FAR_BEHIND = 3
"""So many hands fewer than the others have a table is looked at."""
MOST_NAMED = 8


def needs_of(tournament: Tournament, session: Session | None, tables: Sequence[Table]) -> list[Need]:
    """List what waits for somebody, the most urgent first; the tables come with their hands counted."""
    found = [*_of_people(tournament)]
    if not tournament.is_finished:
        found += [*judges.needs(tournament), *_elsewhere(tournament), *_numbers(tournament)]
    if session is not None and session.state != Session.State.CLOSED:
        found += [*_of_tables(session, tables), *_of_seats(session)]
    return ranked(found)


def _of_tables(session: Session, tables: Sequence[Table]) -> Iterator[Need]:
    """Look at each table: calls, objections, tablets, silence, sums, confirmations."""
    now = timezone.now()
    played = [table.hand_count for table in tables]  # type: ignore[attr-defined]
    usual, disputed = median(played) if played else 0, _disputed(tables)
    for table, its in with_rounds(session, tables, now=now):
        here = (session.tournament.slug, session.number, table.number)
        yield from _calls(table, here)
        yield from _tablets(table, its, here)
        if session.state != Session.State.OPEN:
            continue
        yield from _disputes(table, its, here)
        if table.protocol.state == Protocol.State.ENDED:
            yield from _unconfirmed(table, its, here, is_disputed=table.protocol.pk in disputed)
        yield from _play(session, table, its, here, usual=usual, now=now)


def _calls(table: Table, here: tuple[object, ...]) -> Iterator[Need]:
    if table.waits_for_referee:
        remedy = Remedy(
            gettext_noop("On the way"),
            "tournaments:answer_call",
            here,
            "record_hands",
            sends={"back": "desk"},
        )
        yield Need(
            "calling", Urgency.NOW, CALLING, remedy, {"n": shown_number(table.number)}, since=table.called_at
        )


def _disputes(table: Table, its: Round, here: tuple[object, ...]) -> Iterator[Need]:
    """Name the hands that players find wrong on their phones. [RULES 9.24]"""
    for one in its.disputes:
        details = {"table": shown_number(table.number), "name": str(one.player), "hand": one.hand.number}
        yield Need("disputed_hand", Urgency.SOON, DISPUTED_HAND, _look(here), details, since=one.said_at)


def _tablets(table: Table, its: Round, here: tuple[object, ...]) -> Iterator[Need]:
    """Name hands that a tablet holds, and tablets that are out of reach with something unsent."""
    look = _look(here)
    for one in its.set_aside:
        details = {"tablet": one.device.name, "table": shown_number(table.number)}
        yield Need("held", Urgency.NOW, HELD, look, details, since=one.device.seen_at)
    for there in its.tablets:
        if there.needs_a_look:
            yield _lost(table, there, here)


def _lost(table: Table, there: TabletThere, here: tuple[object, ...]) -> Need:
    remedy = Remedy(gettext_noop("Tablets"), "tournaments:tablets", here[:1], "admit_devices")
    details = {"tablet": there.device.name, "table": shown_number(table.number), "n": there.device.unsent}
    return Need("unsent", Urgency.SOON, UNSENT, remedy, details, since=there.device.seen_at)


def _play(
    session: Session, table: Table, its: Round, here: tuple[object, ...], *, usual: float, now: datetime
) -> Iterator[Need]:
    """Look at how a table in play gets on."""
    protocol, details = table.protocol, {"n": shown_number(table.number)}
    if not _adds_up(table):
        yield Need("unbalanced", Urgency.NOW, UNBALANCED, _look(here), details, since=protocol.changed_at)
    if protocol.is_settled or protocol.state == Protocol.State.ENDED:
        return
    ends_at = session.ends_at
    if ends_at and session.paused_at is None and now > ends_at + OVERTIME:
        enter = Remedy(gettext_noop("Protocol"), "tournaments:tablet_table", here, "record_hands")
        yield Need("late_table", Urgency.SOON, LATE_TABLE, enter, details, since=ends_at)
    elif its.is_silent:
        yield Need("silent", Urgency.SOON, SILENT, _look(here), details, since=protocol.changed_at)
    elif usual - table.hand_count >= FAR_BEHIND:  # type: ignore[attr-defined]
        more = {**details, "played": table.hand_count, "usual": int(usual)}  # type: ignore[attr-defined]
        yield Need("behind", Urgency.LATER, BEHIND, _look(here), more)


def _disputed(tables: Sequence[Table]) -> set[int]:
    """Find the protocols to which a player objected after whatever was corrected last."""
    waiting = [table.protocol.pk for table in tables if table.protocol.state == Protocol.State.ENDED]
    if not waiting:
        return set()
    rows = HistoryEntry.objects.filter(protocol__in=waiting, kind__in=(Kind.OBJECTION_NOTED, *ANSWERS))
    last = dict(rows.order_by("number").values_list("protocol", "kind"))
    return {protocol for protocol, kind in last.items() if kind == Kind.OBJECTION_NOTED}


ANSWERS = (Kind.HAND_CORRECTED, Kind.HAND_UNDONE, Kind.HAND_VOIDED, Kind.FINAL_RESULT_RECORDED)
"""What a referee does about an objection, besides signing the protocol off."""


def _unconfirmed(table: Table, its: Round, here: tuple[object, ...], *, is_disputed: bool) -> Iterator[Need]:
    """Name who has not confirmed; an objection comes first, for only a referee goes on from there."""
    since = table.protocol.changed_at
    if is_disputed:
        details: dict[str, object] = {"n": shown_number(table.number)}
        yield Need("disputed", Urgency.NOW, DISPUTED, _look(here), details, since=since)
    elif its.missing:
        details = {
            "n": shown_number(table.number),
            "names": ", ".join(str(seat.player) for seat in its.missing),
        }
        yield Need("unconfirmed", Urgency.SOON, UNCONFIRMED, _look(here), details, since=since)


def _adds_up(table: Table) -> bool:
    """Return whether a table's points come to nothing, but for what nobody received: a fine, or bets that lie on the table. [SBR 2.7.4]"""
    total = sum(seat.hand_points for seat in table.seats.all())
    if not total:
        return True
    final = table.protocol.final_results.filter(status="in_force").first()
    if final is not None:
        return -final.left_on_table <= total < 0
    hands = list(table.protocol.hands.filter(status="in_force").order_by("number"))
    lies_there = bool(hands) and hands[-1].bets_left > 0
    return lies_there or total + sum(hand.unpaid for hand in hands) == 0


def _of_seats(session: Session) -> Iterator[Need]:
    """Name who sits here and is gone, and who is here and sits nowhere."""
    slug, number = session.tournament.slug, session.number
    for seat in seats_of_the_gone(session):
        protocol = getattr(seat.table, "protocol", None)
        if protocol is None or protocol.state == Protocol.State.OPEN:
            yield _gone(seat, slug, number)
    if names := _without_seat(session):
        details = {"n": number, "names": ", ".join(names[:MOST_NAMED])}
        if session.state == Session.State.PLANNED:
            remedy = Remedy(gettext_noop("To the draw"), "seating:draw", (slug,), "draw")
            yield Need("no_seat", Urgency.SOON, NO_SEAT, remedy, details)
        else:
            yield _came_late(session, details)


def _came_late(session: Session, details: dict[str, object]) -> Need:
    """Say of those who came while a session is in play when they play: a substitute's seat or an empty one is nobody's to give them."""
    remedy = Remedy(gettext_noop("Sessions"), "tournaments:sessions", (session.tournament.slug,), "see_desk")
    is_last = not session.tournament.sessions.filter(published_at=None).exists()
    return Need("no_seat", Urgency.LATER, NO_SEAT_LEFT if is_last else NEXT_DRAW, remedy, details)


def _gone(seat: Seat, slug: str, number: int) -> Need:
    details = {"name": str(seat.player), "table": shown_number(seat.table.number), "n": seat.left_after}
    remedy = Remedy(
        gettext_noop("Substitutes"),
        "penalties:substitutes_session",
        (slug, number),
        "seat_substitutes",
        query=f"player={seat.player_id}",
    )
    return Need("gone", Urgency.NOW, LEFT_TABLE if seat.has_left else STILL_SEATED, remedy, details)


def _without_seat(session: Session) -> list[str]:
    """Name who takes part in a session, is here, and has no seat in it; whom a cut of a stage left out has none."""
    tournament = session.tournament
    if any(stage["cut"] for stage in tournament.regulation["stages"]):
        return []
    rows = tournament.registrations.filter(
        status=Registration.Status.ACTIVE, first_session__lte=session.number, checked_in_at__isnull=False
    )
    rows = rows.exclude(player__seats__session=session).exclude(player__kept_seats__session=session)
    return [str(row.player) for row in rows.select_related("player").order_by("number")]


def _of_people(tournament: Tournament) -> Iterator[Need]:
    """Look at the waiting list, requests to be erased, and mails that did not go out."""
    slug = (tournament.slug,)
    if not tournament.is_finished:
        yield from _waiting(tournament)
    if n := open_requests(tournament).count():
        remedy = Remedy(gettext_noop("Requests"), "tournaments:erasure_requests", slug, "manage_people")
        yield Need("erasure", Urgency.LATER, ERASURE, remedy, {"n": n})
    if n := tournament.mails.filter(state=Mail.State.FAILED).count():
        again = Remedy(
            gettext_noop("Try again"), "tournaments:send_mails_again", slug, "manage_people", sends={}
        )
        yield Need("mails", Urgency.LATER, MAILS, again, {"n": n})


def _elsewhere(tournament: Tournament) -> Iterator[Need]:
    """Name who is in another event on the same days. [RULES 9.39]"""
    look = Remedy(gettext_noop("People"), "tournaments:people", (tournament.slug,), "manage_people")
    for one in shared_people(tournament)[:MOST_NAMED]:
        sentence = WORKS_ELSEWHERE if one.works else PLAYS_ELSEWHERE
        yield Need("elsewhere", Urgency.LATER, sentence, look, {"name": one.name, "event": one.event})


def _numbers(tournament: Tournament) -> Iterator[Need]:
    """Name events in the same hall some of whose tables bear the same numbers as here. [RULES 9.41]"""
    change = Remedy(gettext_noop("Settings"), "tournaments:settings", (tournament.slug,), "change_tournament")
    beside = in_the_same_hall(tournament)
    for one in beside:
        if one.clashes:
            details = {"event": one.event.name, "n": next_free(beside)}
            yield Need("same_numbers", Urgency.LATER, SAME_NUMBERS, change, details)


def _waiting(tournament: Tournament) -> Iterator[Need]:
    """Name who is offered a place, and whether one is free that nobody has been given."""
    look = Remedy(
        gettext_noop("Waiting list"),
        "tournaments:people",
        (tournament.slug,),
        "manage_people",
        "status=waiting",
    )
    line = in_line(tournament).select_related("player")
    for row in line.filter(offered_until__isnull=False)[:MOST_NAMED]:
        details = {"name": str(row.player)}
        yield Need("offered", Urgency.LATER, OFFERED, look, details, until=row.offered_until)
    if not tournament.sessions.filter(published_at=None).exists():
        return
    places = Places(tournament)
    waiting = sum(not places.why_not(row.player) for row in line.filter(offered_until=None))
    if waiting:
        yield Need("free_place", Urgency.LATER, FREE_PLACE, look, {"n": waiting})


def _look(here: tuple[object, ...]) -> Remedy:
    return Remedy(gettext_noop("To the table"), "tournaments:table_desk", here, "see_desk")


SAME_NUMBERS = gettext_noop(
    "Tables of %(event)s in the same hall bear the same numbers; the next free one is %(n)s."
)
CALLING = gettext_noop("Table %(n)s calls the referee.")
DISPUTED_HAND = gettext_noop("Table %(table)s: %(name)s finds hand %(hand)s wrong.")
DISPUTED = gettext_noop("Table %(n)s: a player says that the protocol is wrong.")
UNBALANCED = gettext_noop("Table %(n)s: the points do not add up.")
HELD = gettext_noop("%(tablet)s holds a hand of table %(table)s that is not sent.")
UNSENT = gettext_noop("%(tablet)s (table %(table)s) has no connection and holds entries: %(n)s.")
LATE_TABLE = gettext_noop("Table %(n)s plays on after the end of the session.")
SILENT = gettext_noop("Table %(n)s has entered nothing for a while.")
BEHIND = gettext_noop("Table %(n)s is behind: hands played %(played)s, elsewhere %(usual)s.")
UNCONFIRMED = gettext_noop("Table %(n)s waits for confirmation by %(names)s.")
LEFT_TABLE = gettext_noop("%(name)s left table %(table)s after hand %(n)s; nobody plays in that seat.")
STILL_SEATED = gettext_noop("%(name)s has left the event and is still seated at table %(table)s.")
NO_SEAT = gettext_noop("Here, but without a seat in session %(n)s: %(names)s.")
NEXT_DRAW = gettext_noop("Came after session %(n)s was drawn: %(names)s. The next draw seats them.")
NO_SEAT_LEFT = gettext_noop("Came after the last draw and have no seat: %(names)s.")
ERASURE = gettext_noop("Players ask for their data to be erased: %(n)s.")
MAILS = gettext_noop("Mails that could not be sent: %(n)s.")
OFFERED = gettext_noop("%(name)s is offered a place from the waiting list.")
PLAYS_ELSEWHERE = gettext_noop("%(name)s is also on the list of “%(event)s” on the same days.")
WORKS_ELSEWHERE = gettext_noop("%(name)s also works at “%(event)s” on the same days.")
FREE_PLACE = gettext_noop("A place is free; on the waiting list: %(n)s.")
