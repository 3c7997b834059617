"""Who pays whom in Sichuan: wins, kongs and their returns, false wins, and the check at the end of a hand.

Points are worked out event by event. A `Deal` is what stands so far: who has won, which kongs have earned what, and
whose kongs earn nothing. Each function takes a deal and gives the next one with the lines of its event.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from scoring.hands import Check, DeadHand, Event, FalseWin, Hand, Kong, KongKind, Win, Winner
from scoring.problems import gettext_noop
from scoring.seats import Seat
from scoring.systems.base import PaymentLine, Payments, add_up
from scoring.systems.sichuan.law import KONG_POINTS, PIG_FINE, Law

WIN_BY_DISCARD = gettext_noop("Win on a discard, %(fans)s fans: the discarder pays %(points)s.")
WIN_BY_SELF_DRAW = gettext_noop(
    "Self-draw, %(fans)s fans: %(points)s from each player who had not declared a win, "
    "1 more than the base points."
)
WIN_BY_DISCARD_OF_ONE = gettext_noop("Win on a discard, 1 fan: the discarder pays %(points)s.")
WIN_BY_SELF_DRAW_OF_ONE = gettext_noop(
    "Self-draw, 1 fan: %(points)s from each player who had not declared a win, 1 more than the base points."
)
WIN_BY_DISCARD_CAPPED = gettext_noop(
    "Win on a discard, %(fans)s fans held at the cap of %(cap)s: the discarder pays %(points)s."
)
WIN_BY_SELF_DRAW_CAPPED = gettext_noop(
    "Self-draw, %(fans)s fans held at the cap of %(cap)s: %(points)s from each player who had not declared a win, "
    "1 more than the base points."
)
KONG_LINES: Mapping[KongKind, str] = {
    KongKind.OPEN: gettext_noop("Open kong: 2 from the discarder."),
    KongKind.CONCEALED: gettext_noop("Concealed kong: 2 from each player who had not declared a win."),
    KongKind.ADDED: gettext_noop("Added kong: 1 from each player who had not declared a win."),
    KongKind.DELAYED: gettext_noop("Delayed kong: it earns nothing."),
}
KONG_ROBBED = gettext_noop("Robbed kong: it is void and earns nothing.")
KONG_FORFEITED = gettext_noop("Kong after a false win or with a dead hand: it earns nothing.")
RETURNED_AFTER_DISCARD = gettext_noop("The discard after the kong was won: its points are returned.")
RETURNED_AFTER_FALSE_WIN = gettext_noop("False win: the points for the player's own kongs are returned.")
RETURNED_BY_DEAD_HAND = gettext_noop("Dead hand: the points for the player's kongs are returned.")
RETURNED_NOT_WAITING = gettext_noop(
    "Neither won nor waiting at the end: the points for the kongs are returned."
)
FALSE_WIN_WAITING = gettext_noop("False win with a waiting hand: %(points)s to each player still in play.")
FALSE_WIN_NO_WAIT = gettext_noop(
    "False win with a hand that was not waiting: %(points)s to each player still in play."
)
PIG = gettext_noop("Tiles of the forbidden suit at the check: a fine of %(points)s that nobody receives.")
NOT_WAITING = gettext_noop(
    "Waiting at the end: %(points)s, the highest base points the hand could reach, from each who was not."
)

Points = Mapping[Seat, int]
GivenTile = tuple[Seat | None, bool, bool]
"""Who gave a tile, and whether it was discarded after a kong or added to one."""


@dataclass(frozen=True)
class PaidKong:
    """A kong and what it moved; nothing any more once its points are returned."""

    seat: Seat
    points: Points


@dataclass(frozen=True)
class Moment:
    """A tile that somebody gave, who was in play when it came, and whether a win on it is recorded. [RULES 8.45]"""

    tile: GivenTile
    in_play: tuple[Seat, ...]
    is_won: bool = False


@dataclass(frozen=True)
class Deal:
    """What stands in a hand so far.

    `false_winners` lists those whom a false win took out of the hand, none where they play on; `forfeited` names the
    clause by which a seat's kongs earn nothing.
    """

    seats: tuple[Seat, ...]
    winners: tuple[Seat, ...] = ()
    false_winners: tuple[Seat, ...] = ()
    kongs: tuple[PaidKong, ...] = ()
    forfeited: Mapping[Seat, str] = field(default_factory=dict)
    moment: Moment | None = None
    declared: tuple[Kong, ...] = ()

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """List who has not declared a win yet. Where false winners play on, they have not. [SBR 2.6.2.2] [WMSG 7.2] [RULES 8.44]"""
        return tuple(seat for seat in self.seats if seat not in (*self.winners, *self.false_winners))

    @property
    def is_won_out(self) -> bool:
        """Return whether only one player is left: three of four have declared a win, two of three.

        [SBR 2.5.8.1] [SBR 2.6.2.1] [SBR 3.1.3] [WMSG 4.1] [WMSG 4.2] [RULES 8.44]
        """
        return len(self.in_play) <= 1

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """List the others who have not declared a win yet."""
        return tuple(other for other in self.in_play if other != seat)

    def stake(self, seat: Seat) -> int:
        """Return how many kong points the seat holds that could still be returned. [SBR 2.7.2.4]"""
        return sum(kong.points.get(seat, 0) for kong in self.kongs if kong.seat == seat)


Step = tuple[Deal, list[PaymentLine]]


def transfer(to: Seat, payers: Iterable[Seat], points: int) -> dict[Seat, int]:
    """Move so many points from each payer to one seat."""
    payers = tuple(payers)
    return dict.fromkeys(payers, -points) | {to: points * len(payers)}


def declare_kong(deal: Deal, kong: Kong, law: Law) -> Step:
    """Earn 2 from the discarder, 2 or 1 from each who had not won, or nothing.

    A delayed kong earns nothing, a robbed one is void, and one of a seat that has lost its kong points stays unpaid.
    [SBR 2.5.3] [SBR 2.7.2.1] [SBR 2.7.2.2] [SBR 2.7.2.3] [SBR App. 1] [WMSG 8.1] [WMSG 8.2] [WMSG 8.3] [RULES 8.13] [RULES 8.14]
    """
    deal = replace(deal, moment=None, declared=(*deal.declared, kong))
    if kong.robbed:
        return deal, [PaymentLine(KONG_ROBBED, {}, law.clauses["robbed"])]
    if kong.seat in deal.forfeited:
        line = PaymentLine(KONG_FORFEITED, {}, deal.forfeited[kong.seat])
        return replace(deal, kongs=(*deal.kongs, PaidKong(kong.seat, {}))), [line]
    payers = (kong.discarder,) if kong.discarder else deal.opponents(kong.seat)
    points = transfer(kong.seat, payers, KONG_POINTS[kong.kind]) if KONG_POINTS[kong.kind] else {}
    line = PaymentLine(KONG_LINES[kong.kind], points, law.clauses[kong.kind])
    return replace(deal, kongs=(*deal.kongs, PaidKong(kong.seat, points))), [line]


def pay_win(deal: Deal, win: Win, law: Law) -> Step:
    """Pay each winner: base from the discarder, or base + 1 from each who had not won.

    Several winners on one discard are paid in full. When the discard followed a kong, that kong is returned.
    [SBR 2.6.2.3] [SBR 2.7.2.5] [SBR 2.7.3.4] [SBR 2.7.3.5] [WMSG 3.3] [WMSG 8.4] [WMSG 9.4] [WMSG 9.5]
    """
    deal = at_moment(deal, win, law)
    lines = [_win_line(deal, win, winner, law) for winner in win.winners]
    won = replace(deal, winners=deal.winners + tuple(winner.seat for winner in win.winners))
    return _with_spoiled_kong(won, lines, win, law)


def _win_line(deal: Deal, win: Win, winner: Winner, law: Law) -> PaymentLine:
    """Say what a win is paid, and cite the cap where it takes fans away. [SBR 2.7.3.3] [WMSG 9.3]"""
    fans, is_discard = winner.fans or 0, win.discarder is not None
    points = law.base(fans) + (0 if is_discard else 1)
    payers = (win.discarder,) if win.discarder else deal.opponents(winner.seat)
    clause = law.clauses["discard" if is_discard else "self_draw"]
    if fans > law.cap:
        clause += f", {law.clauses['cap']}"
    told = {"fans": fans, "cap": law.cap, "points": points}
    return PaymentLine(
        _sentence(fans, law, is_discard=is_discard), transfer(winner.seat, payers, points), clause, told
    )


def _sentence(fans: int, law: Law, *, is_discard: bool) -> str:
    if fans > law.cap:
        return WIN_BY_DISCARD_CAPPED if is_discard else WIN_BY_SELF_DRAW_CAPPED
    if fans == 1:
        return WIN_BY_DISCARD_OF_ONE if is_discard else WIN_BY_SELF_DRAW_OF_ONE
    return WIN_BY_DISCARD if is_discard else WIN_BY_SELF_DRAW


def pay_false_win(deal: Deal, false_win: FalseWin, law: Law, *, returns_kongs: bool) -> Step:
    """Pay each player still in play 8, or in SBR 16 when the hand was not waiting; own kongs may be lost.

    In play is who was so before the tile came: who wins on the same tile is among them, in whatever order that is told.
    Only SBR takes the offender's own kongs; a kong before a discard that was won wrongly stays spoiled in both. The
    offender plays no more, or plays on, as the regulation says.
    [SBR 2.6.1.5] [SBR 2.6.2.2] [SBR 2.8.4.2] [SBR 2.8.4.3] [WMSG 3.4] [WMSG 7.2] [WMSG 11.5]
    [RULES 8.11] [RULES 8.13] [RULES 8.40] [RULES 8.44] [RULES 8.45]
    """
    deal = at_moment(deal, false_win, law)
    seat, points = false_win.seat, law.false_win[false_win.kind]
    in_play = deal.moment.in_play if deal.moment else deal.in_play
    moved = {other: points for other in in_play if other != seat}
    moved[seat] = -points * len(moved)
    sentence = FALSE_WIN_WAITING if false_win.kind == "waiting" else FALSE_WIN_NO_WAIT
    lines = [PaymentLine(sentence, moved, law.clauses["false_win"], {"points": points})]
    if law.false_winner_is_out:
        deal = replace(deal, false_winners=(*deal.false_winners, seat))
    if returns_kongs:
        deal, returned = forfeit(deal, seat, RETURNED_AFTER_FALSE_WIN, law.clauses["false_win_kongs"])
        lines += returned
    return _with_spoiled_kong(deal, lines, false_win, law)


def given_tile(event: Win | FalseWin) -> GivenTile:
    """Return which tile a win or false win was declared on, as far as it is told."""
    return event.discarder, event.discard_after_kong, event.robbing_kong


def at_moment(deal: Deal, event: Win | FalseWin, law: Law) -> Deal:
    """Return the deal at the moment of a declaration: that of the events just before if they are on the same tile.

    One tile has one event for all who win on it; a second one from the same discarder is on a later tile. By the first
    reading every event was a moment of its own. [RULES 8.45]
    """
    if event.discarder is None or law.is_first_reading:
        return replace(deal, moment=None)
    tile, is_win, last = given_tile(event), isinstance(event, Win), deal.moment
    if last is None or last.tile != tile or (is_win and last.is_won):
        return replace(deal, moment=Moment(tile, deal.in_play, is_win))
    return replace(deal, moment=replace(last, is_won=last.is_won or is_win))


def bury(deal: Deal, dead: DeadHand, law: Law) -> Step:
    """Return all kong points of a dead hand; later kongs of it earn nothing. [SBR 2.8.3] [RULES 8.40]"""
    return forfeit(deal, dead.seat, RETURNED_BY_DEAD_HAND, law.clauses["dead_hand"])


def check_hands(deal: Deal, end: Mapping[Seat, Check], law: Law) -> Step:
    """Settle what the check at the end showed: kongs that are returned, fines for pigs, payments for not waiting.

    [SBR 2.4.10.3] [SBR 2.5.8.3] [SBR 2.7.4.1] [SBR 2.7.4.3] [SBR 2.8.4.1] [WMSG 5.4] [WMSG 11.1] [WMSG 11.2]
    """
    deal, lines = _return_kongs(deal, end, law)
    lines += [
        PaymentLine(PIG, {seat: -PIG_FINE}, law.clauses["pig"], {"points": PIG_FINE})
        for seat in _in_state(end, *law.fined_pigs)
    ]
    return deal, lines + pay_waiting(end, law)


def pay_waiting(end: Mapping[Seat, Check], law: Law) -> list[PaymentLine]:
    """Pay each waiting hand the most it could be worth, base points only, from each who is not waiting.

    In SBR pigs pay too, in WMSG they do not. When all are alike and none is a pig, nothing is paid.
    [SBR 2.7.4.3] [SBR 2.7.4.4] [SBR 2.7.4.5] [WMSG 11.3] [WMSG 11.4] [RULES 8.12] [RULES 8.13]
    """
    payers = _in_state(end, "no_wait", *(law.pigs if law.pigs_pay_waiting else ()))
    return [
        PaymentLine(
            NOT_WAITING,
            transfer(seat, payers, end[seat].max_base or 0),
            law.clauses["no_wait"],
            {"points": end[seat].max_base},
        )
        for seat in _in_state(end, "waiting")
        if payers
    ]


def forfeit(deal: Deal, seat: Seat, sentence: str, clause: str) -> Step:
    """Return all kong points of a seat, and let it earn none in the rest of the hand."""
    deal, lines = _give_back(deal, lambda kong: kong.seat == seat, sentence, clause)
    return replace(deal, forfeited={**deal.forfeited, seat: clause}), lines


def lines_by_event(hand: Hand, seats: tuple[Seat, ...], law: Law) -> list[list[PaymentLine]]:
    """Work out the lines of each event in order, and last those of the check at the end. [SBR 2.7.1] [WMSG 7.1]"""
    deal, by_event = Deal(seats), []
    for event in hand.events:
        deal, lines = step(deal, event, law)
        by_event.append(lines)
    _, lines = check_hands(deal, hand.end, law)
    return [*by_event, lines]


def payments(hand: Hand, seats: tuple[Seat, ...], law: Law) -> Payments:
    """Add the lines of a hand up; only the fine of a pig is paid to nobody. [SBR 2.7.1] [WMSG 7.1]"""
    return add_up(seats, [line for lines in lines_by_event(hand, seats, law) for line in lines])


def step(deal: Deal, event: Event, law: Law) -> Step:
    """Take one event of a hand; those of other systems move nothing."""
    if isinstance(event, Kong):
        return declare_kong(deal, event, law)
    if isinstance(event, Win):
        return pay_win(deal, event, law)
    if isinstance(event, FalseWin):
        return pay_false_win(deal, event, law, returns_kongs=law.false_win_returns_kongs)
    return bury(deal, event, law) if isinstance(event, DeadHand) else (deal, [])


def _with_spoiled_kong(deal: Deal, lines: list[PaymentLine], won: Win | FalseWin, law: Law) -> Step:
    """Return the discarder's last kong of the turn when its discard was won. [SBR 2.7.2.5] [SBR 2.8.4.3] [WMSG 8.4]"""
    if not won.discard_after_kong:
        return deal, lines
    last = next((kong for kong in reversed(deal.kongs) if kong.seat == won.discarder), None)
    clause = law.clauses["discard_after_kong"]
    deal, returned = _give_back(deal, lambda kong: kong is last, RETURNED_AFTER_DISCARD, clause)
    return deal, lines + returned


def _return_kongs(deal: Deal, end: Mapping[Seat, Check], law: Law) -> Step:
    """Return the kong points of who neither won nor waits; in WMSG only at an exhausted wall.

    [SBR 2.7.2.4] [WMSG 8.5] [RULES 8.9] [RULES 8.40]
    """
    if deal.is_won_out and not law.last_win_returns_kongs:
        return deal, []
    losing = _in_state(end, "no_wait", *law.pigs)
    return _give_back(
        deal, lambda kong: kong.seat in losing, RETURNED_NOT_WAITING, law.clauses["no_wait_kongs"]
    )


def _give_back(deal: Deal, is_lost: Callable[[PaidKong], bool], sentence: str, clause: str) -> Step:
    """Reverse the points of the lost kongs, and keep the kongs in their order."""
    lines = [
        PaymentLine(sentence, {seat: -points for seat, points in kong.points.items()}, clause)
        for kong in deal.kongs
        if kong.points and is_lost(kong)
    ]
    kongs = tuple(replace(kong, points={}) if is_lost(kong) else kong for kong in deal.kongs)
    return replace(deal, kongs=kongs), lines


def _in_state(end: Mapping[Seat, Check], *states: str) -> tuple[Seat, ...]:
    return tuple(seat for seat, check in end.items() if check.state in states)
