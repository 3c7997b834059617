"""Hypothesis strategies that tests of several systems share: random tiles, hands and tables."""

from dataclasses import replace

from hypothesis import strategies as st

from scoring.hands import Check, DeadHand, FalseWin, Hand, Kong, KongKind, Win, Winner
from scoring.seats import SEATS, in_turn_from
from scoring.systems.sichuan.checks import too_many_kongs
from scoring.systems.sichuan.law import Law
from scoring.systems.sichuan.payments import Deal
from scoring.systems.sichuan.possible import possible_bases, possible_fans, shown_by
from scoring.tiles.readings import CHOWS, SetKind
from scoring.tiles.tile import KINDS, SUITED, counts
from scoring.tiles.tile_hands import Declared, TileHand


def tiles(kinds=range(KINDS), *, min_size=0, max_size=14):
    """Draw tiles of which there are at most four of a kind."""
    wall = [tile for tile in kinds for _ in range(4)]
    indices = st.lists(st.sampled_from(range(len(wall))), min_size=min_size, max_size=max_size, unique=True)
    return indices.map(lambda chosen: [wall[index] for index in chosen])


@st.composite
def regular_tiles(draw, kinds=range(KINDS), sets=4):
    """Draw the tiles of some sets and a pair, at most four of a kind."""
    held = []
    chows = [tile for tile in CHOWS if {tile, tile + 1, tile + 2} <= set(kinds)]
    for _ in range(sets):
        is_chow = draw(st.booleans()) and chows
        low = draw(st.sampled_from(chows if is_chow else list(kinds)))
        held += [low, low + 1, low + 2] if is_chow else [low] * 3
    held += [draw(st.sampled_from(list(kinds)))] * 2
    return held if max(counts(held)) <= 4 else draw(regular_tiles(kinds, sets))


@st.composite
def sichuan_hands(draw):
    """Draw a winning Sichuan hand: two suits, declared pungs and kongs, a winning tile."""
    suits = draw(st.sampled_from([(0, 9), (9, 18), (0, 18), (0, 9)]))
    kinds = [tile for start in suits for tile in range(start, start + 9)]
    in_hand = draw(st.integers(0, 4))
    declared = [draw(_declared(kinds)) for _ in range(4 - in_hand)]
    is_pairs = in_hand == 4 and draw(st.booleans())
    held = draw(_pairs(kinds)) if is_pairs else draw(regular_tiles(kinds, in_hand))
    everything = held + [tile for meld in declared for tile in meld.tiles]
    if max(counts(everything)) > 4:
        return draw(sichuan_hands())
    held = draw(st.permutations(held))
    return TileHand(tuple(held[1:]), tuple(declared), held[0])


def _pairs(kinds):
    return st.lists(st.sampled_from(kinds), min_size=7, max_size=7).map(lambda chosen: chosen * 2)


def _declared(kinds):
    kong_kinds = st.sampled_from(["", "concealed", "open", "added", "delayed"])
    return st.tuples(st.sampled_from(kinds), kong_kinds).map(
        lambda drawn: Declared(
            SetKind.KONG if drawn[1] else SetKind.PUNG,
            (drawn[0],) * (4 if drawn[1] else 3),
            drawn[1] != "concealed",
            drawn[1],
        )
    )


@st.composite
def sichuan_deals(draw, law: Law):
    """Draw a possible hand at the table: events while it goes on, then the check of who is left."""
    seats = draw(st.sampled_from([SEATS, SEATS[:3], SEATS[1:]]))
    deal, events, dead = Deal(seats), [], set()
    for _ in range(draw(st.integers(0, 8))):
        drawn = draw(_sichuan_turn(deal, dead, events))
        if any(too_many_kongs([*events, *drawn], seat) for seat in seats):
            continue
        for event in drawn:
            if isinstance(event, Win):
                deal = replace(deal, winners=deal.winners + tuple(winner.seat for winner in event.winners))
            if isinstance(event, FalseWin) and law.false_winner_is_out:
                deal = replace(deal, false_winners=(*deal.false_winners, event.seat))
            if isinstance(event, DeadHand):
                dead.add(event.seat)
        events += drawn
        if deal.is_won_out:
            break
    end = {seat: draw(_sichuan_check(law, shown_by(events, seat), seat in dead)) for seat in deal.in_play}
    return seats, Hand(1, tuple(events), end)


@st.composite
def _sichuan_turn(draw, deal, dead, events):
    """Draw what happens next: a kong, a win that may follow it, a false win or a dead hand."""
    seat = draw(st.sampled_from(deal.in_play))
    others = deal.opponents(seat)
    living = [other for other in in_turn_from(seat, deal.seats) if other in others and other not in dead]
    what = draw(st.sampled_from(["kong", "kong_won", "robbed", "draw", "discard", "false", "dead"]))
    kong = draw(_sichuan_kong(seat, others, seat in dead))

    def won(of, by_tile=0, *, robs=False):
        possible = possible_fans(shown_by(events, of), robs=robs, by_tile=by_tile)
        return [Winner(of, fans=draw(st.sampled_from(possible)))] if possible else []

    if what == "false":
        return [FalseWin(seat, draw(st.sampled_from(["waiting", "no_wait"])))]
    if what == "dead" and seat not in dead:
        return [DeadHand(seat)]
    if what == "draw" and seat not in dead:
        return [Win(tuple(won(seat)))]
    chosen = [other for other in living if draw(st.booleans())]
    if what == "discard" and chosen:
        return [Win(tuple(winner for other in chosen for winner in won(other)), seat)]
    if what == "kong_won" and chosen:
        winners = tuple(winner for other in chosen for winner in won(other, 1))
        return [kong, Win(winners, seat, discard_after_kong=True)]
    if what == "robbed" and chosen and (winners := won(chosen[0], 1, robs=True)):
        return [Kong(seat, KongKind.ADDED, robbed=True), Win(tuple(winners), seat, robbing_kong=True)]
    return [kong]


def _sichuan_kong(seat, others, is_dead):
    kinds = [kind for kind in KongKind if not (is_dead and kind is KongKind.OPEN)]
    return st.tuples(st.sampled_from(kinds), st.sampled_from(others)).map(
        lambda drawn: Kong(seat, drawn[0], drawn[1] if drawn[0] is KongKind.OPEN else None)
    )


def _sichuan_check(law, shown, is_dead):
    states = law.states[1:] if is_dead else law.states
    return st.tuples(st.sampled_from(states), st.sampled_from(possible_bases(shown, law))).map(
        lambda drawn: Check(drawn[0], drawn[1] if drawn[0] == "waiting" else None)
    )


SUITED_KINDS = sorted(SUITED)
