"""What waits for a judge, for the list of the desk: minutes of lateness that run, appeals with their clocks, disqualifications that a second person decides on."""

from collections.abc import Iterator

from penalties.appeals import operations
from penalties.appeals.queries import all_appeals
from penalties.appeals.rules.appeals import Body
from penalties.ladder.queries.penalties import all_penalties
from penalties.lateness.queries import Late, awaited_now
from penalties.models import Appeal, Lateness, Penalty
from scoring.problems import gettext_noop
from tournaments.models import Session, Tournament
from tournaments.record.needs import Need, Remedy, Urgency
from tournaments.sessions.queries import absent_seats
from tournaments.table_numbers import shown_number


def needs_of(tournament: Tournament) -> Iterator[Need]:
    """List what waits for a judge. [RULES 8.54] [SBR 2.9] [RULES 9.18]"""
    yield from (_lateness(tournament, one) for one in awaited_now(tournament))
    yield from _absent(tournament)
    yield from (_appeal(tournament, row) for row in all_appeals(tournament) if row.is_open)
    yield from (_proposed(tournament, row) for row in all_penalties(tournament).filter(state=PROPOSED))


def _lateness(tournament: Tournament, one: Late) -> Need:
    """Somebody is still awaited; once the table has played, that is asked first."""
    place = (tournament.slug, one.row.session.number, one.row.player.registration.number)
    has_played = one.first_hand_at is not None
    return Need(
        "late",
        Urgency.NOW if has_played else Urgency.SOON,
        HAS_PLAYED if has_played else LATENESS_RUNS,
        Remedy(gettext_noop("Here now"), "penalties:arrived", place, "judge", sends={"back": "desk"})
        if not one.row.session.ended_at
        else Remedy(gettext_noop("To the judges"), "penalties:judging", (tournament.slug,), "see_judging"),
        {"name": str(one.row.player), "table": shown_number(one.seat.table.number) if one.seat else "—"},
        since=one.row.session.started_at,
    )


def _absent(tournament: Tournament) -> Iterator[Need]:
    """Name who has a seat in the session in play, is not checked in, and whose minutes nobody has started. [SBR 2.4.5] [RULES 9.12]"""
    session = tournament.sessions.filter(state=Session.State.OPEN).first()
    if session is None:
        return
    known = session.latenesses.exclude(state=Lateness.State.MISTAKE)
    noted = set(known.values_list("player", flat=True))
    names = [str(seat.player) for seat in absent_seats(session) if seat.player_id not in noted]
    if names:
        yield Need(
            "absent",
            Urgency.SOON,
            ABSENT,
            Remedy(
                gettext_noop("Check-in"),
                "tournaments:check_in",
                (tournament.slug,),
                "check_in",
                query="show=missing",
            ),
            {"names": ", ".join(names[:MOST_NAMED])},
            since=session.started_at,
        )


def _appeal(tournament: Tournament, row: Appeal) -> Need:
    """An appeal that nobody has decided: before whom it is, and for how long."""
    owed = bool(row.deposit) and row.deposit_paid_at is None
    row.tournament = row.session.tournament = tournament
    return Need(
        "appeal",
        Urgency.SOON,
        DEPOSIT_OWED if owed else SENTENCES[_before(row)],
        Remedy(
            gettext_noop("To the appeal"), "penalties:appeal", (tournament.slug, row.number), "see_judging"
        ),
        {"n": row.number, "name": str(row.player), "session": row.session.number},
        since=row.filed_at,
        until=row.hearing_at,
    )


def _before(row: Appeal) -> Appeal.State:
    """Return before whom an appeal lies now: the other body where nobody is free of the case in the one it was brought to. [RULES 9.40]"""
    if row.state == Appeal.State.RECOMMENDED and operations.body_of(row) == Body.CHIEF_REFEREE:
        return Appeal.State.RECOMMENDED
    return Appeal.State(str(operations.body_of(row)))


def _proposed(tournament: Tournament, row: Penalty) -> Need:
    """A disqualification takes two people, and the second has not decided yet. [SBR 2.8.5]"""
    return Need(
        "proposed",
        Urgency.SOON,
        SECOND_DECIDES,
        Remedy(gettext_noop("Look"), "penalties:penalty", (tournament.slug, row.number), "see_judging"),
        {"name": str(row.player)},
        since=row.given_at,
    )


PROPOSED = Penalty.State.PROPOSED
SECOND_DECIDES = gettext_noop("%(name)s: a second person decides on the disqualification.")
ABSENT = gettext_noop(
    "Seated and in play, but not checked in: %(names)s. Who is not there is noted by a referee, and the minutes run."
)
MOST_NAMED = 8
LATENESS_RUNS = gettext_noop("%(name)s is awaited at table %(table)s, and the minutes run.")
HAS_PLAYED = gettext_noop("Table %(table)s has recorded a hand: has %(name)s come?")
DEPOSIT_OWED = gettext_noop("Appeal no. %(n)s of %(name)s (session %(session)s): the deposit is not paid.")
SENTENCES = {
    Appeal.State.CHIEF_REFEREE: gettext_noop(
        "Appeal no. %(n)s of %(name)s (session %(session)s) waits for the chief referee."
    ),
    Appeal.State.COMMITTEE: gettext_noop(
        "Appeal no. %(n)s of %(name)s (session %(session)s) waits for the committee."
    ),
    Appeal.State.RECOMMENDED: gettext_noop(
        "Appeal no. %(n)s of %(name)s (session %(session)s): the committee has advised, the chief referee decides."
    ),
}
