"""The Sichuan cases of docs/HANDS.md: a JSON case in, exactly the promised fields out, or a refusal."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

from scoring.fields import Fields
from scoring.hands import Check, FalseWin, Kong, KongKind, Win, Winner
from scoring.problems import gettext_noop
from scoring.seats import SEATS, Seat
from scoring.systems.base import PaymentLine
from scoring.systems.sichuan.checks import (
    CHECK_OF_WINNER,
    DISCARDER_IS_SELF,
    DISCARDER_UNEXPECTED,
    HAND_IS_OVER,
    KONG_NOT_ROBBED,
    MAX_BASE_NEEDED,
    MAX_BASE_UNEXPECTED,
    NO_WINNER,
    ONE_DRAWS,
    ONLY_ADDED_ROBBED,
    OUT_OF_PLAY,
    TOO_MANY_KONGS,
    WINNER_DISCARDED,
    WINS_TWICE,
)
from scoring.systems.sichuan.fans import Circumstances
from scoring.systems.sichuan.hand import (
    EITHER_KONG,
    KIT,
    Value,
    contradicting_ways,
    contradictions,
    value,
    waiting_value,
)
from scoring.systems.sichuan.law import LAWS, FalseWinner, Law, law_of
from scoring.systems.sichuan.payments import (
    Deal,
    Step,
    check_hands,
    declare_kong,
    pay_false_win,
    pay_win,
    transfer,
)
from scoring.systems.sichuan.possible import MOST_SETS, possible_bases, shown_by
from scoring.tiles.tile import write
from scoring.tiles.tile_hands import read_tile_hand

Answer = dict[str, object]

DISCARDER_NEEDED = gettext_noop("Choose who discarded.")
SELF_DRAW_HAS_DISCARDER = gettext_noop("Remove the discarder for a self-draw.")
NOT_IN_PLAY = gettext_noop("%(seat)s is not among the players still in play.")
NOBODY_PAYS = gettext_noop("A self-draw needs another player still in play.")
NUMBER_OF_PLAYERS = gettext_noop("Sichuan mahjong is played by four, or by three at an incomplete table.")
REFUND_OF_ANOTHER = gettext_noop("Only a kong of the discarder is returned when the discard is won.")
NO_KONG_TO_REFUND = gettext_noop("%(seat)s has declared no kong before.")
BASE_UNKNOWN = gettext_noop("There are no %(value)s base points; there are: %(options)s.")
KONGS_ARE_WORTH_MORE = gettext_noop("With its kongs the hand of %(seat)s has at least %(least)s base points.")
AMOUNT_UNKNOWN = gettext_noop("A false win costs one of: %(amounts)s.")

SUIT_LETTERS = ("m", "p", "s")
SYSTEMS: Mapping[str, str] = {"sichuan_sbr": "SBR", "sichuan_wmsg": "WMSG"}


def answer(case: Mapping[str, object]) -> Answer:
    """Answer one case, or refuse it with all its problems."""
    fields = Fields(case)
    fields.ignore("id")
    system = fields.choice("ruleset", SYSTEMS)
    kind = fields.choice("kind", ANSWERS, default="hand")
    fields.refuse()
    return ANSWERS[kind](fields, LAWS[SYSTEMS[system]])


def answer_hand(fields: Fields, law: Law) -> Answer:
    """Value a hand and say who pays the winner. [SBR 2.7.3] [WMSG 9]"""
    hand = read_tile_hand(fields.inner("hand"), KIT)
    forbidden = _forbidden_suit(fields)
    winner = fields.seat("winner", SEATS)
    in_play = fields.seats("still_in_play", SEATS)
    win = fields.inner("win")
    discarder = _discarder(win, in_play, winner)
    came = _circumstances(win, law)
    fields.finish()
    if winner and not fields.problems and discarder is None and not set(in_play) - {winner}:
        fields.problem("outcome_conflict", NOBODY_PAYS, "still_in_play", clause=law.clauses["self_draw"])
    if hand:
        fields.problems.extend(contradictions(hand, came, law))
    fields.refuse()
    assert hand is not None
    assert winner is not None
    return _hand_answer(value(hand, law, came=came, forbidden_suit=forbidden), winner, discarder, in_play)


def answer_waiting_value(fields: Fields, law: Law) -> Answer:
    """Return what a hand waits for and the most it could be worth. [SBR 2.7.4.2] [SBR 2.7.4.4] [WMSG 11.3]"""
    hand = read_tile_hand(fields.inner("hand"), KIT, is_waiting=True)
    forbidden = _forbidden_suit(fields)
    fields.finish()
    fields.refuse()
    assert hand is not None
    found = waiting_value(hand, law, forbidden_suit=forbidden)
    return {
        "waiting": found.is_waiting,
        "waits": [write(tile) for tile in found.waits],
        "max_fans": found.best.fan_sum if found.best else 0,
        "max_base": found.best.base if found.best else 0,
    }


def answer_deal(fields: Fields, law: Law) -> Answer:
    """Settle a deal event by event, and the check at its end. [SBR 2.7.1] [WMSG 7.1] [RULES 8.44]"""
    players = _players(fields)
    law = _with_false_winner(fields, law)
    events, end = fields.objects("events"), fields.inner("end", needed=False)
    fields.finish()
    deal, lines_by_event = Deal(players), []
    for event in events:
        deal, lines = _event(event, deal, law)
        lines_by_event.append(lines)
    _check_kongs(events, law, is_checked=fields.has("end"))
    states = _states(end, deal, law)
    fields.refuse()
    if fields.has("end"):
        lines_by_event.append(check_hands(deal, states, law)[1])
    deltas = [_delta(lines, players) for lines in lines_by_event]
    return {"per_event": deltas, "final": {seat: sum(delta[seat] for delta in deltas) for seat in players}}


ANSWERS: Mapping[str, Callable[[Fields, Law], Answer]] = {
    "hand": answer_hand,
    "waiting_value": answer_waiting_value,
    "deal": answer_deal,
}


def _with_false_winner(fields: Fields, law: Law) -> Law:
    """Read whether a false winner is out of the deal or plays on. [RULES 8.44]"""
    chosen = fields.choice("false_winner", list(FalseWinner), default=FalseWinner.OUT)
    return law_of(law.system, FalseWinner(chosen or FalseWinner.OUT))


def _forbidden_suit(fields: Fields) -> int | None:
    letter = fields.choice("forbidden_suit", SUIT_LETTERS, default="")
    return SUIT_LETTERS.index(letter) if letter else None


def _discarder(win: Fields, in_play: Sequence[Seat], winner: Seat | None) -> Seat | None:
    """Read who gave the winning tile, and hold that against how the win came."""
    by = win.choice("by", ("discard", "self_draw"))
    discarder = win.seat("discarder", SEATS, needed=False)
    if by == "self_draw" and discarder:
        win.problem("discarder_unexpected", SELF_DRAW_HAS_DISCARDER, "discarder")
    if by == "discard" and not win.has("discarder"):
        win.problem("discarder_needed", DISCARDER_NEEDED, "discarder")
    if discarder and discarder == winner:
        win.problem("winner_is_discarder", WINNER_DISCARDED, "discarder")
    elif discarder and discarder not in in_play:
        win.problem("outcome_conflict", NOT_IN_PLAY, "discarder", seat=discarder)
    return discarder


def _circumstances(win: Fields, law: Law) -> Circumstances:
    """Read how the winning tile came, and refuse what cannot be. [SBR 2.7.3.6 (7)] [SBR 2.7.3.6 (8)]"""
    came = Circumstances(
        replacement_win=win.flag("replacement_win"),
        discard_after_kong=win.flag("discard_after_kong"),
        robbing_kong=win.flag("robbing_kong"),
        last_tile=win.flag("wall_empty"),
    )
    win.finish()
    is_drawn = {"self_draw": True, "discard": False}.get(str(win.raw.get("by")))
    win.problems.extend(contradicting_ways(came, law, self_drawn=is_drawn))
    return came


def _hand_answer(
    found: Value | None, winner: Seat, discarder: Seat | None, in_play: Sequence[Seat]
) -> Answer:
    """Write the value out, with a number for each seat that the case names."""
    payments = {seat: 0 for seat in SEATS if seat == winner or seat in in_play}
    if found is None:
        return {"valid_win": False, "fans": {}, "fan_sum": 0, "base": 0, "payments": payments}
    payers = [discarder] if discarder else [seat for seat in in_play if seat != winner]
    payments |= transfer(winner, payers, found.base + (discarder is None))
    return {
        "valid_win": True,
        "fans": found.by_name,
        "fan_sum": found.fan_sum,
        "base": found.base,
        "payments": payments,
    }


def _players(fields: Fields) -> tuple[Seat, ...]:
    """Read who plays: four, or three at an incomplete table. [SBR 2.4.2] [SBR 3.1.3]"""
    named = fields.seats("players", SEATS)
    if len(named) not in (3, 4):
        fields.problem("wrong_players", NUMBER_OF_PLAYERS, "players", clause="SBR 2.4.2")
    return tuple(seat for seat in SEATS if seat in named)


def _event(event: Fields, deal: Deal, law: Law) -> Step:
    kind = event.choice("type", EVENTS)
    if not kind:
        return deal, []
    if deal.is_won_out:
        event.problem("outcome_conflict", HAND_IS_OVER, "type", clause=law.clauses["after_end"])
    result = EVENTS[kind](event, deal, law)
    event.finish()
    return result


def _kong(event: Fields, deal: Deal, law: Law) -> Step:
    """Read a kong: who, of which kind, on whose tile, and whether it was robbed. [SBR 2.7.2] [WMSG 8] [RULES 8.14]"""
    player = _in_play(event, "player", deal, law)
    kind = event.choice("kong", [str(kind) for kind in KongKind])
    discarder = None
    if kind == KongKind.OPEN:
        discarder = _in_play(event, "from", deal, law)
        _check_different(event, player, discarder)
    elif event.has("from"):
        event.problem("discarder_unexpected", DISCARDER_UNEXPECTED, "from", clause=law.clauses["open"])
    robbed = event.flag("robbed")
    if robbed and kind in (KongKind.OPEN, KongKind.CONCEALED):
        event.problem("outcome_conflict", ONLY_ADDED_ROBBED, "robbed", clause=law.clauses["robbed"])
    if not player or not kind:
        return deal, []
    return declare_kong(deal, Kong(player, KongKind(kind), discarder, robbed), law)


def _check_kongs(events: Sequence[Fields], law: Law, *, is_checked: bool) -> None:
    """Check that nobody declares more kongs than a hand has sets, and a robbed one is followed by the win that robs it.

    The robbed tile is no discard: the win returns no kong besides. A list that breaks off with a robbed kong, before
    any check of hands, is only unfinished. [SBR 2.6.1.1] [SBR 2.7.3.6 (9)] [WMSG 3.1] [RULES 8.13]
    """
    declared: Counter[str] = Counter()
    for event, following in zip_longest(events, events[1:]):
        seat = str(event.raw.get("player"))
        if event.raw.get("type") != "kong":
            continue
        declared[seat] += 1
        if declared[seat] > MOST_SETS:
            event.problem("outcome_conflict", TOO_MANY_KONGS, clause=law.clauses["shape"], seat=seat)
        is_added = event.raw.get("kong") in (KongKind.ADDED, KongKind.DELAYED)
        if not is_added or event.raw.get("robbed") is not True:
            continue
        if following is None:
            is_robbed = not is_checked
        else:
            is_robbed = _robs(following, seat)
            if is_robbed and following.has("refund_last_kong_of"):
                clause = law.clauses["robbed"]
                following.problem("outcome_conflict", EITHER_KONG, "refund_last_kong_of", clause=clause)
        if not is_robbed:
            event.problem("outcome_conflict", KONG_NOT_ROBBED, "robbed", clause=law.clauses["robbed"])


def _robs(event: Fields, seat: str) -> bool:
    """Return whether an event takes the tile of a robbed kong: a win on it, or a false win, of which cases say no more."""
    is_other = event.raw.get("player") != seat
    is_win = event.raw.get("type") == "win" and event.raw.get("from") == seat
    return is_win or (event.raw.get("type") == "false_win" and is_other)


def _win(event: Fields, deal: Deal, law: Law) -> Step:
    """Read a win: its winners with their base points, the discarder, and a kong that is returned.

    [SBR 2.6.2.3] [SBR 2.7.2.5] [WMSG 3.3] [WMSG 8.4]
    """
    by = event.choice("by", ("discard", "self_draw"))
    discarder = _in_play(event, "from", deal, law) if by == "discard" else None
    if by == "self_draw" and event.has("from"):
        event.problem("discarder_unexpected", SELF_DRAW_HAS_DISCARDER, "from")
    winners = tuple(_winners(event, deal, law, discarder))
    if by == "self_draw" and len(winners) > 1:
        event.problem("multi_win", ONE_DRAWS, "winners", clause=law.clauses["self_draw"])
    refunds = _refund(event, deal, discarder, law)
    return pay_win(deal, Win(winners, discarder, discard_after_kong=refunds), law)


def _winners(event: Fields, deal: Deal, law: Law, discarder: Seat | None) -> list[Winner]:
    found: list[Winner] = []
    for entry in event.objects("winners"):
        seat = _in_play(entry, "player", deal, law)
        base = entry.number("base", low=1)
        if base not in law.bases:
            shown = {"value": base, "options": ", ".join(map(str, law.bases))}
            entry.problem("out_of_range", BASE_UNKNOWN, "base", clause=law.clauses["base"], **shown)
        elif seat:
            _check_base(entry, "base", base, deal, seat, law)
        entry.finish()
        if seat and seat == discarder:
            entry.problem("winner_is_discarder", WINNER_DISCARDED, "player")
        if seat in [winner.seat for winner in found]:
            entry.problem("multi_win", WINS_TWICE, "player", seat=seat)
        if seat:
            found.append(Winner(seat, fans=base.bit_length() - 1))
    if event.raw.get("winners") == []:
        event.problem("outcome_conflict", NO_WINNER, "winners")
    return found


def _check_base(fields: Fields, name: str, base: int, deal: Deal, seat: Seat, law: Law) -> None:
    """Hold base points against the kongs that a seat declared. [SBR 2.7.3.6 (1)] [WMSG 10.1] [RULES 8.46]"""
    least = min(possible_bases(shown_by(deal.declared, seat), law), default=0)
    if base < least:
        shown = {"seat": seat, "least": least}
        fields.problem("out_of_range", KONGS_ARE_WORTH_MORE, name, clause=law.clauses["kongs"], **shown)


def _refund(event: Fields, deal: Deal, discarder: Seat | None, law: Law) -> bool:
    """Return whether the discarder's last kong is returned. [SBR 2.7.2.5] [WMSG 8.4]"""
    seat = event.seat("refund_last_kong_of", deal.seats, needed=False)
    clause = law.clauses["discard_after_kong"]
    if seat and seat != discarder:
        event.problem("outcome_conflict", REFUND_OF_ANOTHER, "refund_last_kong_of", clause=clause)
    elif seat and all(kong.seat != seat for kong in deal.kongs):
        event.problem("outcome_conflict", NO_KONG_TO_REFUND, "refund_last_kong_of", clause=clause, seat=seat)
    return seat is not None


def _false_win(event: Fields, deal: Deal, law: Law) -> Step:
    """Read a false win and what it costs. [SBR 2.8.4.2] [SBR 2.8.4.3] [WMSG 11.5]"""
    player = _in_play(event, "player", deal, law)
    amount = event.number("amount")
    kinds = {points: kind for kind, points in law.false_win.items()}
    returns = event.flag("return_kongs")
    if amount not in kinds:
        shown = {"amounts": ", ".join(map(str, kinds))}
        event.problem("out_of_range", AMOUNT_UNKNOWN, "amount", clause=law.clauses["false_win"], **shown)
    if not player or amount not in kinds:
        return deal, []
    return pay_false_win(deal, FalseWin(player, kinds[amount]), law, returns_kongs=returns)


EVENTS: Mapping[str, Callable[[Fields, Deal, Law], Step]] = {
    "kong": _kong,
    "win": _win,
    "false_win": _false_win,
}


def _in_play(event: Fields, name: str, deal: Deal, law: Law) -> Seat | None:
    """Read a seat that has not declared a win yet. [SBR 2.6.2.2] [WMSG 7.2] [RULES 8.44]"""
    seat = event.seat(name, deal.seats)
    if seat and seat not in deal.in_play:
        key = "out_of_play" if seat in deal.winners else "false_winner"
        event.problem("outcome_conflict", OUT_OF_PLAY, name, clause=law.clauses[key], seat=seat)
    return seat


def _check_different(event: Fields, player: Seat | None, discarder: Seat | None) -> None:
    if player and player == discarder:
        event.problem("outcome_conflict", DISCARDER_IS_SELF, "from")


def _states(end: Fields, deal: Deal, law: Law) -> dict[Seat, Check]:
    """Read what the check at the end showed. [SBR 2.7.4.1] [WMSG 11.1]"""
    states = end.inner("states", needed=False)
    end.finish()
    found: dict[Seat, Check] = {}
    for seat in deal.seats:
        if states.has(seat):
            entry = states.raw[seat]
            inner = Fields(
                {"state": entry} if isinstance(entry, str) else entry, states.place(seat), states.problems
            )
            found[seat] = _state(inner, law)
            if found[seat].max_base in law.bases:
                _check_base(inner, "max_base", found[seat].max_base or 0, deal, seat, law)
            if seat not in deal.in_play:
                clause = law.clauses["states" if seat in deal.winners else "false_winner"]
                states.problem("outcome_conflict", CHECK_OF_WINNER, seat, clause=clause, seat=seat)
    states.finish()
    return found


def _state(fields: Fields, law: Law) -> Check:
    state = fields.choice("state", law.states)
    max_base = fields.number("max_base") if fields.has("max_base") else None
    fields.finish()
    clause = law.clauses["no_wait"]
    if state == "waiting" and max_base not in law.bases:
        shown = {"bases": ", ".join(map(str, law.bases))}
        fields.problem("out_of_range", MAX_BASE_NEEDED, "max_base", clause=clause, **shown)
    if state and state != "waiting":
        if max_base:
            fields.problem("outcome_conflict", MAX_BASE_UNEXPECTED, "max_base", clause=clause)
        max_base = None
    return Check(state, max_base)


def _delta(lines: Sequence[PaymentLine], players: Sequence[Seat]) -> dict[Seat, int]:
    return {seat: sum(line.payments.get(seat, 0) for line in lines) for seat in players}
