"""A second opinion: what follows from a tournament record, worked out in the plainest way.

Written from RULES and RECORD alone, by a reader who had not seen the rest of the program, and importing nothing of it:
`computed_of(declared)` gives what `computed` of the same record has to be. Slow on purpose, and never used but in tests.
"""

from fractions import Fraction

WINDS = ["E", "S", "W", "N"]

# ----------------------------------------------------------------------------------------------------------------------
# A hand: dealer and payments
# ----------------------------------------------------------------------------------------------------------------------


def in_turn_after(seat, seats):
    """The other seats of the table in turn order, from the one after this seat. [RECORD 1]"""
    start = WINDS.index(seat)
    around = [WINDS[(start + step) % 4] for step in (1, 2, 3)]
    return [wind for wind in around if wind in seats]


def move(payments, payer, receiver, points):
    payments[payer] -= points
    payments[receiver] += points


def sichuan_payments(system, hand, seats, false_winner="plays_on"):
    """Wins, kongs kept, false wins, and the check at the end of a hand.

    [SBR 2.7] [SBR 2.8.4] [WMSG 8] [WMSG 11] [RULES 8.40] [RULES 8.44] [RULES 8.45]
    """
    payments = dict.fromkeys(seats, 0)
    won = []  # also who declared wrongly, where that closes the hand like any declaration
    kongs = []  # each: seat, transfers [(payer, points)], kept
    returns_all = set()  # whoever gives back the points of all own kongs
    cap = 4 if system == "SBR" else 3

    def last_kong_of(seat):
        return [kong for kong in kongs if kong["seat"] == seat][-1]

    moment = (
        None  # the tile on which somebody declared last, who was in play when it came, and whether it was won
    )

    for event in hand["events"]:
        still_in = [seat for seat in seats if seat not in won]
        tile = [event.get(name) for name in ("from", "discard_after_kong", "robbing_kong")]
        by_itself = "from" not in event or hand.get("first_reading")
        if event["type"] == "kong" or (event["type"] in ("win", "false_win") and by_itself):
            moment = None
        elif event["type"] in ("win", "false_win"):
            is_new = moment is None or moment[0] != tile or (moment[2] and event["type"] == "win")
            moment = (
                tile,
                still_in if is_new else moment[1],
                event["type"] == "win" or (not is_new and moment[2]),
            )
        if event["type"] == "kong":
            seat = event["seat"]
            others = [other for other in still_in if other != seat]
            transfers = {
                "open": [(event.get("from"), 2)],
                "concealed": [(other, 2) for other in others],
                "added": [(other, 1) for other in others],
                "delayed": [],
            }[event["kind"]]
            kongs.append({"seat": seat, "transfers": transfers, "kept": not event.get("robbed", False)})
        elif event["type"] == "win":
            for winner in event["winners"]:
                base = 2 ** min(winner["fans"], cap)
                if "from" in event:
                    move(payments, event["from"], winner["seat"], base)
                else:
                    for other in still_in:
                        if other != winner["seat"]:
                            move(payments, other, winner["seat"], base + 1)
            if event.get("discard_after_kong"):
                last_kong_of(event["from"])["kept"] = False
            won += [winner["seat"] for winner in event["winners"]]
        elif event["type"] == "false_win":
            seat = event["seat"]
            price = 16 if system == "SBR" and event["kind"] == "no_wait" else 8
            for other in moment[1] if moment else still_in:  # also who wins on the same tile [RULES 8.45]
                if other != seat:
                    move(payments, seat, other, price)
            if event.get("discard_after_kong"):
                last_kong_of(event["from"])["kept"] = False
            if system == "SBR":  # in WMSG the own kongs stay [RULES 8.13]
                returns_all.add(seat)
            if false_winner == "out":
                won.append(seat)
        elif event["type"] == "dead_hand":
            returns_all.add(event["seat"])

    exhausted = len(won) < len(seats) - 1
    end = hand.get("end", {})
    for seat, check in end.items():
        state = check["state"]
        if state != "waiting" and (exhausted or system == "SBR"):
            returns_all.add(seat)
        if state in ("pig", "pig_active"):
            payments[seat] -= 48
        if exhausted and state in ("no_wait", "pig_active", "pig_passive"):
            for other, other_check in end.items():
                if other_check["state"] == "waiting":
                    move(payments, seat, other, other_check["max_base"])

    for kong in kongs:
        if kong["kept"] and kong["seat"] not in returns_all:
            for payer, points in kong["transfers"]:
                move(payments, payer, kong["seat"], points)
    return payments


def sichuan_next_dealer(dealer, hand):
    """No win: the same; one first winner: that player; several on one discard: the discarder. [SBR 2.6.2.6]"""
    for event in hand["events"]:
        if event["type"] == "win":
            return event["winners"][0]["seat"] if len(event["winners"]) == 1 else event["from"]
    return dealer


def mcr_false_wins(payments, hand, seats):
    """Under the minimum 10, a wrong claim 20, tiles shown 10, to each other player. [RULES 4] [RULES 8.21] [RULES 8.41]"""
    for event in hand["events"]:
        price = 0
        if event["type"] == "false_win":
            price = {"below_minimum": 10, "wrong_claim": 20}[event["kind"]]
        if event["type"] == "exposure":
            price = 10
        if price:
            for other in seats:
                if other != event["seat"]:
                    move(payments, event["seat"], other, price)


def mcr_payments(hand, seats):
    """The hand and 8 from the discarder or from all, 8 from those who did not discard. [RULES 4]"""
    payments = dict.fromkeys(seats, 0)
    mcr_false_wins(payments, hand, seats)
    for event in hand["events"]:
        if event["type"] == "win":
            for winner in event["winners"]:
                value = winner["fans"] + winner.get("flowers", 0)
                for other in seats:
                    if other == winner["seat"]:
                        continue
                    pays_value = "from" not in event or event["from"] == other
                    move(payments, other, winner["seat"], 8 + (value if pays_value else 0))
    return payments


def siamese_payments(hand, seats):
    """Whoever wins twice alone is paid; else all wins are. Two play for the bare value. [RULES 5] [RULES 8.22]"""
    payments = dict.fromkeys(seats, 0)
    mcr_false_wins(payments, hand, seats)
    wins = []
    for event in hand["events"]:
        if event["type"] == "win":
            for winner in event["winners"]:
                wins.append((winner["seat"], winner["fans"], event.get("from")))
    winners = [seat for seat, _, _ in wins]
    twice = [seat for seat in seats if winners.count(seat) >= 2]
    for seat, value, discarder in wins:
        if twice and seat not in twice:
            continue
        for other in seats:
            if other == seat:
                continue
            if len(seats) == 2:
                move(payments, other, seat, value)
            elif discarder is None or discarder == other:
                move(payments, other, seat, value + 8)
            else:
                move(payments, other, seat, 8)
    return payments


def red_payments(hand, seats, limit):
    """The discarder alone, or each on a self-draw, pays the value up to the limit; a false win 9 to each. [RULES 6]"""
    payments = dict.fromkeys(seats, 0)
    for event in hand["events"]:
        if event["type"] == "false_win":
            for other in seats:
                if other != event["seat"]:
                    move(payments, event["seat"], other, 9)
        if event["type"] == "win":
            for winner in event["winners"]:
                value = min(limit, winner["fans"] + 3 * winner.get("flowers", 0))
                for other in seats:
                    if other != winner["seat"] and event.get("from", other) == other:
                        move(payments, other, winner["seat"], value)
    return payments


def red_next_dealer(dealer, hand, seats, two_players_no_win):
    """The dealer stays after an own win and after none; of two players, after none as the rules say. [RULES 8.24]"""
    winners = [
        winner["seat"] for event in hand["events"] if event["type"] == "win" for winner in event["winners"]
    ]
    stays = dealer in winners
    if not winners:
        stays = len(seats) > 2 or two_players_no_win == "stays"
    return dealer if stays else in_turn_after(dealer, seats)[0]


LIMIT_BASE = {
    "mangan": 2000,
    "haneman": 3000,
    "baiman": 4000,
    "sanbaiman": 6000,
    "counted_yakuman": 8000,
    "yakuman": 8000,
}


def riichi_base(winner, limits):
    """A limit by name or by han; else minipoints doubled han + 2 times, a mangan at most. [RULES 7] [RULES 8.27]"""
    if "limit" in winner:
        return LIMIT_BASE[winner["limit"]]
    reached = [int(least) for least in limits if int(least) <= winner["han"]]
    if reached:
        return LIMIT_BASE[limits[str(max(reached))]]
    return min(2000, winner["fu"] * 2 ** (winner["han"] + 2))


def up_to_hundred(points):
    return -(-points // 100) * 100


def riichi_win(payments, event, winner, dealer, counters, limits):
    """One winner's hand with its counters, and who pays them. [RULES 7] [RULES 8.29] [RULES 8.42]"""
    base = riichi_base(winner, limits)
    seat = winner["seat"]
    liable = winner.get("liable")
    if "from" in event:
        discarder = event["from"]
        points = up_to_hundred(base * (6 if seat == dealer else 4))
        if liable is None or liable == discarder:
            move(payments, discarder, seat, points)
        else:
            move(payments, discarder, seat, points // 2)
            move(payments, liable, seat, points // 2)
        move(payments, discarder, seat, 300 * counters)
    else:
        for other in payments:
            if other == seat:
                continue
            points = up_to_hundred(base * (2 if dealer in (seat, other) else 1)) + 100 * counters
            move(payments, liable or other, seat, points)


def riichi_hands(hands, seats, limits):
    """All hands of a table, for counters and bets go on from one to the next. [RULES 7]

    Gives the hands and the bets nobody took.
    """
    first_dealer = next(wind for wind in WINDS if wind in seats)
    dealer, round_number, counters, bets = first_dealer, 0, 0, 0
    computed = []
    for hand in hands:
        if "as_played" in hand:
            kept = hand["as_played"]
            dealer, counters = kept["dealer"], kept.get("counters", 0)
            round_number = WINDS.index(kept["round"])
        payments = dict.fromkeys(seats, 0)
        riichi = hand.get("riichi", [])
        line = {
            "number": hand["number"],
            "dealer": dealer,
            "round": WINDS[round_number % 4],
            "counters": counters,
        }
        wins = [event for event in hand["events"] if event["type"] == "win"]
        chombos = [event for event in hand["events"] if event["type"] == "chombo"]
        dealer_stays = True
        if wins:
            winners = []
            for event in wins:
                for winner in event["winners"]:
                    riichi_win(payments, event, winner, dealer, counters, limits)
                    winners.append(winner["seat"])
            nearest = winners[0]
            if "from" in wins[0]:
                nearest = next(seat for seat in in_turn_after(wins[0]["from"], seats) if seat in winners)
            for seat in riichi:
                payments[seat] -= 1000
                payments[seat if seat in winners else nearest] += 1000
            payments[nearest] += 1000 * bets
            bets = 0
            dealer_stays = dealer in winners
            counters = counters + 1 if dealer_stays else 0
        elif chombos:
            for event in chombos:
                offender = event["seat"]
                for other in seats:
                    if other != offender:
                        move(payments, offender, other, 4000 if dealer in (offender, other) else 2000)
        else:
            for seat in riichi:
                payments[seat] -= 1000
                bets += 1
            waiting = [seat for seat in seats if hand["end"][seat]["state"] == "waiting"]
            if 0 < len(waiting) < len(seats):
                for seat in seats:
                    if seat in waiting:
                        payments[seat] += 3000 // len(waiting)
                    else:
                        payments[seat] -= 3000 // (len(seats) - len(waiting))
            counters += 1
            dealer_stays = dealer in waiting
        if not dealer_stays:
            dealer = in_turn_after(dealer, seats)[0]
            if dealer == first_dealer:
                round_number += 1
        computed.append(line | {"payments": payments, "bets_left": bets})
    return computed, bets


MCR_DEALERS = "ESWN" + "SENW" + "WNSE" + "NWES"


def hands_of(system, hands, seats, regulation):
    """The hands of a protocol with their dealers and payments, and the bets left on the table. [RECORD 4]"""
    rules = regulation["system_rules"]
    if system == "RIICHI":
        return riichi_hands(hands, seats, rules["limits"])
    dealer = next(wind for wind in WINDS if wind in seats)
    mcr_dealers = [wind for wind in MCR_DEALERS if wind in seats]
    computed = []
    place = -1
    for hand in hands:
        place += 1
        if "as_played" in hand:  # a referee kept who dealt it [RULES 9.23]
            dealer = hand["as_played"]["dealer"]
            begin = WINDS.index(hand["as_played"]["round"]) * len(seats)
            turn = mcr_dealers[begin : begin + len(seats)] if system == "MCR" else seats
            place = begin + list(turn).index(dealer)
        if system == "MCR":
            dealer = mcr_dealers[place % len(mcr_dealers)]
            payments = mcr_payments(hand, seats)
        elif system == "SIAM":
            dealer = seats[place % len(seats)]
            payments = siamese_payments(hand, seats)
        elif system == "RED":
            payments = red_payments(hand, seats, rules["limit"])
        else:
            payments = sichuan_payments(system, hand, seats, rules.get("false_winner", "plays_on"))
        computed.append({"number": hand["number"], "dealer": dealer, "payments": payments})
        if system == "RED":
            dealer = red_next_dealer(dealer, hand, seats, rules["two_players_no_win"])
        elif system in ("SBR", "WMSG"):
            dealer = sichuan_next_dealer(dealer, hand)
    return computed, 0


# ----------------------------------------------------------------------------------------------------------------------
# Penalties and lateness
# ----------------------------------------------------------------------------------------------------------------------


class Record:
    """What was declared, with the few questions that everything below asks of it."""

    def __init__(self, declared):
        self.declared = declared
        self.system = declared["tournament"]["system"]
        self.sessions = {session["number"]: session for session in declared["sessions"]}
        took_part = [
            line for line in declared["registrations"] if line["status"] not in ("waiting", "cancelled")
        ]
        self.registered = [line["player"] for line in took_part]

    def regulation(self, number):
        """A session is computed by its own copy, the tournament as a whole by the tournament's. [RULES 8.30]"""
        own = {} if number is None else self.sessions[number].get("regulation", {})
        return {**self.declared["regulation"], **own}

    def place_of(self, number, player):
        """The table and the seat of a player, or of whom they were replaced by, or nothing."""
        for table in self.sessions[number]["tables"]:
            for seat in table["seats"]:
                if player in (seat["player"], seat.get("for")):
                    return table, seat
        return None, None

    def is_replaced(self, number, player):
        """The player did not sit, or not to the end. [RECORD 4] [RULES 8.35]"""
        _, seat = self.place_of(number, player)
        return seat is None or seat["player"] != player


def occupied(table):
    """Seats at which somebody sat, E S W N. [RECORD 2]"""
    return [
        wind
        for wind in WINDS
        for seat in table["seats"]
        if seat["wind"] == wind and seat["player"] is not None
    ]


def ladder_step(record, penalty):
    """Which offence on its ladder this is, and what it costs. [RULES 8.1] [RULES 8.38]"""
    if "revoked_by" in penalty:
        return None, 0
    regulation = record.regulation(penalty["session"])
    ladder = next(
        line for line in regulation["penalties"]["ladders"] if penalty["offence"] in line["offences"]
    )

    def scope(other):
        if ladder["scope"] == "tournament":
            return "tournament"
        if ladder["scope"] == "session":
            return other["session"]
        table, own = record.place_of(other["session"], other["player"])
        players = (
            {own["wind"], *occupied(table)} if table else {other["player"]}
        )  # who offended is one [RULES 9.6]
        return other["session"], (other["hand"] - 1) // len(players)

    count = 0
    for other in record.declared["penalties"]:
        if other["player"] != penalty["player"] or other["kind"] != "ladder" or "revoked_by" in other:
            continue
        if other["offence"] in ladder["offences"] and scope(other) == scope(penalty):
            count += 1
        if other["id"] == penalty["id"]:
            break
    steps = ladder["steps"]
    step = min(count, len(steps))
    cost = steps[step - 1]
    if ladder["mode"] == "total" and count > 1:
        cost -= steps[min(count - 1, len(steps)) - 1]
    return step, cost


def penalty_price(record, penalty):
    """Points that one receiver gets or that nobody gets, before they are multiplied. [RECORD 2]"""
    if "revoked_by" in penalty or penalty["effect"] not in ("game_points", "tournament_points"):
        return 0
    if penalty["kind"] == "ladder":
        return ladder_step(record, penalty)[1]
    if penalty["kind"] == "fixed":
        return record.regulation(penalty["session"])["penalties"]["fixed"][penalty["offence"]]
    return Fraction(penalty["points"])


def receivers(record, penalty):
    """Who receives the points: all others at the table, one player, or nobody. [RULES 8.39]"""
    to = penalty.get("to")
    if to != "table":
        return [to] if to else []
    table, own = record.place_of(penalty["session"], penalty["player"])
    if table is None:
        return []
    return [
        seat["player"]
        for seat in table["seats"]
        if seat["player"] is not None and seat["wind"] != own["wind"]
    ]


def penalty_lines(record):
    """Every penalty as lines on accounts: player, session, game points, tournament points, timing. [RULES 8.39]"""
    lines = []
    for penalty in record.declared["penalties"]:
        price = penalty_price(record, penalty)
        timing = penalty.get("timing", record.regulation(penalty["session"])["penalties"]["timing"])
        if penalty["effect"] == "tournament_points":
            lines.append(line_of(penalty["player"], penalty["session"], 0, -price, timing))
            continue
        others = receivers(record, penalty)
        lines.append(
            line_of(
                penalty["player"], penalty["session"], int(-price * times_paid(record, penalty)), 0, timing
            )
        )
        for other in others:
            lines.append(line_of(other, penalty["session"], int(price), 0, timing))
    return lines


def times_paid(record, penalty):
    """Once for each who receives the points; once where nobody is to receive them. [RULES 8.39]"""
    return len(receivers(record, penalty)) if "to" in penalty else 1


def line_of(player, session, game_points, tournament_points, timing):
    return {
        "player": player,
        "session": session,
        "game_points": game_points,
        "tournament_points": Fraction(tournament_points),
        "timing": timing,
    }


def computed_penalties(record):
    """What every penalty changed on the offender's account. [RECORD 4]"""
    computed = {}
    for penalty in record.declared["penalties"]:
        line = {}
        if penalty["kind"] == "ladder":
            line["step"] = ladder_step(record, penalty)[0]
        price = penalty_price(record, penalty)
        if penalty["effect"] == "tournament_points":
            line["tournament_points"] = str(Fraction(-price))
        else:
            line["game_points"] = int(-price * times_paid(record, penalty))
        computed[penalty["id"]] = line
    return computed


def lateness_price(record, late):
    """The first band that fits; nothing for who is excused or was replaced. [RULES 8.2] [RULES 8.5] [RULES 8.32]"""
    policy = record.regulation(late["session"])["lateness"]
    if late.get("waived") or policy is None or record.is_replaced(late["session"], late["player"]):
        return 0
    for band in policy["bands"]:
        fits = late["seconds"] < band["below"] if "below" in band else late["seconds"] <= band["up_to"]
        if fits:
            begun_minutes = -(-late["seconds"] // 60)
            return band["points"] if "points" in band else band["per_minute"] * begun_minutes
    return 0


def computed_lateness(record):
    return [
        {
            "session": late["session"],
            "player": late["player"],
            "game_points": -lateness_price(record, late),
            "replaced": record.is_replaced(late["session"], late["player"]),
        }
        for late in record.declared["lateness"]
    ]


# ----------------------------------------------------------------------------------------------------------------------
# A table and a session
# ----------------------------------------------------------------------------------------------------------------------


def uma_row(regulation, players):
    """Uma with oka: everybody owes what is returned beyond the start, the first takes it from all. [RULES 9.31]"""
    if regulation["uma"] is None or regulation.get("return_points") is None:
        return regulation["uma"]
    owed = Fraction(regulation["return_points"] - regulation["start_points"], 1000)
    row = [Fraction(points) - owed for points in regulation["uma"]]
    return [row[0] + players * owed, *row[1:]]


def tied_share(values, first, count, best):
    """What players tied from this place on get each: their mean, or the best of them. [RULES 1.6] [RECORD 2]"""
    tied = [Fraction(value) for value in values[first : first + count]]
    return best(tied) if best else sum(tied) / len(tied)


def seat_lines(record, number, table):
    """What counts before the places at each seat: penalties, lateness, adjustments. [RULES 8.36] [RECORD 2]

    Whatever was given to a replaced player stays with the seat, but for adjustments, which are the player's own.
    """
    regulation = record.regulation(number)
    counted = dict.fromkeys(occupied(table), 0)
    for line in penalty_lines(record):
        if line["session"] != number or line["timing"] != "before":
            continue
        for seat in table["seats"]:
            if seat["wind"] in counted and line["player"] in (seat["player"], seat.get("for")):
                counted[seat["wind"]] += line["game_points"]
    for late in record.declared["lateness"]:
        for seat in table["seats"]:
            is_here = late["session"] == number and late["player"] == seat["player"]
            if is_here and regulation["penalties"]["timing"] == "before":
                counted[seat["wind"]] -= lateness_price(record, late)
    for adjustment in record.declared["adjustments"]:
        for seat in table["seats"]:
            is_here = adjustment["session"] == number and adjustment["player"] == seat["player"]
            if is_here and adjustment.get("timing", regulation["penalties"]["timing"]) == "before":
                counted[seat["wind"]] += adjustment.get("game_points", 0)
    return counted


def computed_table(record, number, table):
    """Hands and seats of one table; nothing where too few sat. [RULES 8.33] [RULES 8.34] [RECORD 4]"""
    regulation = record.regulation(number)
    seats = occupied(table)
    if len(seats) < regulation["smallest_table"] or table["protocol"] is None:
        return {"number": table["number"], "hands": [], "seats": {}}
    protocol = table["protocol"]
    if protocol["mode"] == "hands":
        hands, bets = hands_of(record.system, protocol["hands"], seats, regulation)
        left = 1000 * bets
        totals = {wind: sum(hand["payments"][wind] for hand in hands) for wind in seats}
    else:
        hands = []
        left = protocol["left_on_table"]
        totals = {wind: protocol["final"][wind] - regulation["start_points"] for wind in seats}

    leaders = [wind for wind in seats if totals[wind] == max(totals.values())]
    unit = regulation["points_unit"]
    share = left // len(leaders) // unit * unit
    for wind in leaders:
        totals[wind] += share

    before = seat_lines(record, number, table)
    points = {wind: totals[wind] + before[wind] for wind in seats}
    tp_table = regulation["tournament_points"]
    lines = {}
    for wind in seats:
        better = sum(1 for other in seats if points[other] > points[wind])
        equal = sum(1 for other in seats if points[other] == points[wind])
        places = list(range(1, len(seats) + 1))
        sooner = sum(
            1 for other in seats if points[other] == points[wind] and WINDS.index(other) < WINDS.index(wind)
        )

        def of_place(row, rule, best, better=better, equal=equal, sooner=sooner):
            """What the places of equals bring; the seat nearer to the first dealer has the better one. [RULES 9.30]"""
            if rule == "seat_order":
                return str(Fraction(row[better + sooner]))
            return str(tied_share(row, better, equal, best if rule == "best" else None))

        line = {
            "hands": totals[wind],
            "table_points": points[wind],
            "place": of_place(places, regulation["place_rule"], min),
            "tournament_points": None,
        }
        if tp_table is not None:
            line["tournament_points"] = of_place(tp_table[str(len(seats))], regulation["tie_rule"], max)
        if regulation["uma"] is not None:
            line["uma"] = of_place(uma_row(regulation, len(seats)), regulation["tie_rule"], max)
        lines[wind] = line
    return {"number": table["number"], "hands": hands, "seats": lines}


def given_result(regulation, kind, given):
    """A fixed, awarded or adjusted result as a result of the session. [RULES 8.32]"""
    result = {
        "kind": kind,
        "game_points": given["game_points"],
        "tournament_points": given["tournament_points"],
        "place": None if given["place"] is None else str(given["place"]),
    }
    if regulation["tournament_points"] is None and kind != "adjusted":  # [RULES 8.52]
        result["tournament_points"] = None
    if regulation["uma"] is not None:
        uma = uma_row(regulation, regulation["table_size"])
        by_place = given["place"] is not None and given["place"] <= len(uma)
        result["uma"] = str(uma[given["place"] - 1]) if by_place else "0"
    return result


def less_the_penalties(record, number, player, result):
    """TP taken as a penalty are the person's, whatever becomes of the result. [RULES 8.51]"""
    taken = sum(
        line["tournament_points"]
        for line in penalty_lines(record)
        if line["session"] == number and line["player"] == player
    )
    if taken:
        result["tournament_points"] = str(Fraction(result["tournament_points"] or 0) + taken)
    return result


def session_result(record, number, player, tables):
    """The result of a registered player who stands in a seat of the session. [RECORD 4]"""
    regulation = record.regulation(number)
    own_adjustments = [
        line
        for line in record.declared["adjustments"]
        if line["session"] == number and line["player"] == player
    ]
    for adjustment in reversed(own_adjustments):
        if "result" in adjustment:
            result = given_result(regulation, "adjusted", adjustment["result"])
            return less_the_penalties(record, number, player, result)

    table, seat = record.place_of(number, player)
    ledger = tables[table["number"]]["seats"]
    if seat.get("for") == player:
        result = given_result(regulation, "fixed", regulation["fixed_result"])
    elif not ledger:
        result = given_result(regulation, "awarded", regulation["awarded_result"])
    else:
        line = ledger[seat["wind"]]
        result = {"kind": "played", "game_points": line["table_points"]}
        result |= {name: line[name] for name in ("tournament_points", "place", "uma") if name in line}

    already_counted = (
        result["kind"] == "played"
    )  # what counts before the places is in the points of the table
    taken = Fraction(0)
    for line in own_adjustments:
        timing = line.get("timing", regulation["penalties"]["timing"])
        if not (already_counted and timing == "before"):
            result["game_points"] += line.get("game_points", 0)
        taken += Fraction(line.get("tournament_points", 0))
    if result["kind"] != "fixed":
        for line in penalty_lines(record):
            is_own = line["session"] == number and line["player"] == player
            if is_own and not (already_counted and line["timing"] == "before"):
                result["game_points"] += line["game_points"]
        for late in record.declared["lateness"]:
            is_own = late["session"] == number and late["player"] == player
            if is_own and not (already_counted and regulation["penalties"]["timing"] == "before"):
                result["game_points"] -= lateness_price(record, late)
    if taken:  # where none are given, there is something only once something was taken [RULES 9.3]
        result["tournament_points"] = str(Fraction(result["tournament_points"] or 0) + taken)
    return less_the_penalties(record, number, player, result)


def computed_session(record, session):
    number = session["number"]
    tables = {table["number"]: computed_table(record, number, table) for table in session["tables"]}
    seated = [
        name
        for table in session["tables"]
        for seat in table["seats"]
        for name in (seat["player"], seat.get("for"))
    ]
    results = {
        player: session_result(record, number, player, tables)
        for player in record.registered
        if player in seated
    }
    return {"number": number, "tables": list(tables.values()), "results": results}


# ----------------------------------------------------------------------------------------------------------------------
# Standings
# ----------------------------------------------------------------------------------------------------------------------

LESS_IS_BETTER = {"average_place", "place_variance", "points_spread", "lots"}
WHOLE = {
    *(
        "game_points",
        "points",
        "points_spread",
        "best_game",
        "first_places",
        "second_places",
        "third_places",
        "lots",
    ),
    *("stage_game_points", "stage_points"),
}


class Season:
    """The closed sessions of a record, as the criteria look at them."""

    def __init__(self, record, sessions, shares=None, stage_from=1):
        """`shares` says how much of a session's sums is carried over: nothing, half, all; all where it is silent."""
        self.record = record
        self.stage_from = stage_from
        self.shares = shares or {}
        self.sessions = [line for line in sessions if self.share(line["number"])]

    def share(self, number):
        return self.shares.get(number, Fraction(1))

    def results(self, player):
        """Session number and result, of whatever kind. [RECORD 4]"""
        return [
            (line["number"], line["results"][player]) for line in self.sessions if player in line["results"]
        ]

    def games(self, player):
        """Tables at which the player sat to the end: own seat, and the registered players met there. [RULES 8.43]"""
        games = []
        for session in self.sessions:
            for table in session["tables"]:
                declared = next(
                    line
                    for line in self.record.sessions[session["number"]]["tables"]
                    if line["number"] == table["number"]
                )
                sitters = {
                    seat["player"]: seat["wind"]
                    for seat in declared["seats"]
                    if seat["wind"] in table["seats"]
                }
                if player in sitters:
                    others = [
                        other for other in sitters if other != player and other in self.record.registered
                    ]
                    games.append((session, table, table["seats"][sitters[player]], others))
        return games

    def for_the_tournament(self, player):
        """Points taken or given for the tournament as a whole. [RECORD 4]"""
        game_points, tournament_points = 0, Fraction(0)
        for line in penalty_lines(self.record):
            if line["session"] is None and line["player"] == player:
                game_points += line["game_points"]
                tournament_points += line["tournament_points"]
        for line in self.record.declared["adjustments"]:
            if line["session"] is None and line["player"] == player:
                game_points += line.get("game_points", 0)
                tournament_points += Fraction(line.get("tournament_points", 0))
        return game_points, tournament_points

    def tournament_points(self, player):
        total = self.for_the_tournament(player)[1]
        won = [
            self.share(number) * Fraction(result["tournament_points"] or 0)
            for number, result in self.results(player)
        ]
        return total + sum(won)

    def game_points(self, player):
        return self.for_the_tournament(player)[0] + self.session_points(player)

    def session_points(self, player):
        """Game points of the sessions alone. [RECORD 4]"""
        return sum(self.share(number) * result["game_points"] for number, result in self.results(player))

    def points(self, player):
        """The starting points of every session added back. [RULES 8.31]"""
        starts = [
            self.share(number) * self.record.regulation(number)["start_points"]
            for number, _ in self.results(player)
        ]
        return self.game_points(player) + sum(starts)

    def places(self, player):
        return [
            Fraction(result["place"]) for _, result in self.results(player) if result["place"] is not None
        ]

    def average_place(self, player):
        places = self.places(player)
        return sum(places) / len(places) if places else None

    def place_variance(self, player):
        places = self.places(player)
        mean = self.average_place(player)
        return sum((place - mean) ** 2 for place in places) / len(places) if places else None

    def points_spread(self, player):
        points = [result["game_points"] for _, result in self.results(player)]
        return max(points) - min(points) if points else None

    def best_game(self, player):
        points = [result["game_points"] for _, result in self.results(player)]
        return max(points) if points else None

    def ranked(self, player, rank):
        """How often so many less one had more points at the table; equals count whole, unless seats part them. [RULES 8.43]"""
        count = 0
        for session, table, seat, _ in self.games(player):
            if session["results"][player]["kind"] != "played":
                continue
            own = 1 + sum(line["table_points"] > seat["table_points"] for line in table["seats"].values())
            if self.record.regulation(session["number"])["place_rule"] == "seat_order":
                own = int(Fraction(seat["place"]))
            count += own == rank
        return count

    def first_places(self, player):
        return self.ranked(player, 1)

    def second_places(self, player):
        return self.ranked(player, 2)

    def third_places(self, player):
        return self.ranked(player, 3)

    def of_stage(self, player):
        """The results of the sessions since the last stage began. [RULES 9.32]"""
        return [(number, result) for number, result in self.results(player) if number >= self.stage_from]

    def stage_tournament_points(self, player):
        return sum(
            (Fraction(result["tournament_points"] or 0) for _, result in self.of_stage(player)), Fraction(0)
        )

    def stage_game_points(self, player):
        return sum(result["game_points"] for _, result in self.of_stage(player))

    def stage_points(self, player):
        return sum(
            result["game_points"] + self.record.regulation(number)["start_points"]
            for number, result in self.of_stage(player)
        )

    def stage_uma_score(self, player):
        return sum(
            (
                Fraction(result["game_points"], 1000) + Fraction(result.get("uma", 0))
                for _, result in self.of_stage(player)
            ),
            Fraction(0),
        )

    def opponents_points(self, player):
        """The total of each registered opponent, once per meeting. [RULES 8.43]"""
        met = [other for _, _, _, others in self.games(player) for other in others]
        return sum((self.tournament_points(other) for other in met), Fraction(0))

    def uma_score(self, player):
        uma = sum(
            self.share(number) * Fraction(result.get("uma", 0)) for number, result in self.results(player)
        )
        return Fraction(self.game_points(player)) / 1000 + uma

    def lots(self, player):
        line = next(line for line in self.record.declared["registrations"] if line["player"] == player)
        return line.get("lot")

    def head_to_head(self, player, group):
        """Points of the seats at tables where another of the group sat; penalties do not touch them. [RULES 8.39]"""
        total = Fraction(0)
        for _, _, seat, others in self.games(player):
            if any(other in group for other in others):
                total += Fraction(seat["tournament_points"] or 0)
        return total


def is_better(criterion, one, other):
    """Whether one value stands above another; no value is last. [RECORD 4]"""
    if one is None or other is None:
        return other is None and one is not None
    return one < other if criterion in LESS_IS_BETTER else one > other


def split_by(criterion, group, value_of):
    """A group of equals in groups of equals by one more criterion, the best first, order kept within."""
    groups = []
    rest = list(group)
    while rest:
        best = rest[0]
        for name in rest:
            if is_better(criterion, value_of(name), value_of(best)):
                best = name
        groups.append([name for name in rest if value_of(name) == value_of(best)])
        rest = [name for name in rest if value_of(name) != value_of(best)]
    return groups


def ranked(groups):
    """Groups of equals with what decided each, best first, as lines with place, shared and decided_by. [RULES 1.7]"""
    lines = []
    for group, decided_by in groups:
        place = len(lines) + 1
        for name in group:
            lines.append((name, place, len(group) > 1, decided_by))
    return lines


def shown(criterion, value):
    if value is None:
        return None
    is_whole = criterion in WHOLE and Fraction(value).denominator == 1
    return int(value) if is_whole else str(Fraction(value))


def never_came(declared):
    """Who was not checked in and has no seat, nor one kept, in any session, once one has begun. [RULES 8.59]"""
    if all(session["state"] == "planned" for session in declared["sessions"]):
        return []
    sat = set()
    for session in declared["sessions"]:
        for table in session["tables"]:
            for seat in table["seats"]:
                sat.add(seat["player"])
                sat.add(seat.get("for"))
    return [
        line["player"]
        for line in declared["registrations"]
        if not line["checked_in"] and line["player"] not in sat
    ]


def computed_standings(record, season):
    """All who took part, by the criteria in their order; without a place, at the end, who was removed or never came.

    [RULES 8.7] [RULES 8.59]
    """
    criteria = record.declared["regulation"]["ranking"]
    out = [
        line["player"]
        for line in record.declared["registrations"]
        if line["status"] in ("removed", "disqualified")
    ]
    out += never_came(record.declared)
    groups = [([player for player in record.registered if player not in out], None)]
    values = {player: {} for player in record.registered}
    for criterion in criteria:
        next_groups = []
        for group, decided_by in groups:
            for player in group:
                if criterion != "head_to_head":
                    values[player][criterion] = getattr(season, criterion)(player)
                elif len(group) > 1:
                    values[player][criterion] = season.head_to_head(player, group)
                else:
                    values[player][criterion] = None
            parts = split_by(criterion, group, lambda player: values[player][criterion])  # noqa: B023
            for index, part in enumerate(parts):
                next_groups.append((part, decided_by if index == 0 else criterion))
        groups = next_groups
    for player in record.registered:
        if player in out:
            for criterion in criteria:
                values[player][criterion] = (
                    None if criterion == "head_to_head" else getattr(season, criterion)(player)
                )
    lines = ranked(groups) + [(player, None, False, None) for player in record.registered if player in out]
    return [
        {
            "player": player,
            "place": place,
            "shared": shared,
            "decided_by": decided_by,
            "values": {criterion: shown(criterion, values[player][criterion]) for criterion in criteria},
        }
        for player, place, shared, decided_by in lines
    ]


def share_of(number, stages):
    """How much of a session is left when every stage after it has begun: halves of halves are quarters. [RULES 9.7]"""
    share = Fraction(1)
    for stage in stages:
        if number < stage["from_session"]:
            share *= {"full": Fraction(1), "half": Fraction(1, 2), "none": Fraction(0)}[stage["carry"]]
    return share


def standings_by_stages(record, sessions):
    """The standings once a stage has begun: first who plays on, then the others as they stood before it. [RULES 9.7]"""
    numbers = [session["number"] for session in sessions]
    stages = [
        stage
        for stage in record.declared["regulation"].get("stages", [])
        if numbers and max(numbers) >= stage["from_session"]
    ]
    if not stages:
        return computed_standings(record, Season(record, sessions))
    shares = {number: share_of(number, stages) for number in numbers}
    stage, reached = stages[-1], len(stages) + 1
    lines = computed_standings(record, Season(record, sessions, shares, stage["from_session"]))
    if stage["cut"] is None:
        return [{**line, "stage": reached} for line in lines]
    earlier = [session for session in sessions if session["number"] < stage["from_session"]]
    before = standings_by_stages(record, earlier)
    through = {line["player"] for line in before if line["place"] and line["place"] <= stage["cut"]}
    for session in sessions:
        if session["number"] >= stage["from_session"]:
            for table in record.sessions[session["number"]]["tables"]:
                for seat in table["seats"]:
                    through |= {seat["player"], seat.get("for")}
    on = [{**line, "stage": reached} for line in lines if line["place"] and line["player"] in through]
    out = [
        {**line, "stage": line.get("stage", 1)}
        for line in before
        if line["place"] and line["player"] not in through
    ]
    unranked = [line for line in lines if line["place"] is None]
    return placed_anew(on, 0) + placed_anew(out, len(on)) + unranked


def placed_anew(lines, above):
    """Lines in their order with new places; the first owes its place to the cut and to no criterion. [RULES 9.7]"""
    anew = []
    for index, line in enumerate(lines):
        equals = [other for other in lines if other["place"] == line["place"]]
        anew.append(
            {
                **line,
                "place": above + lines.index(equals[0]) + 1,
                "shared": len(equals) > 1,
                "decided_by": line["decided_by"] if index else None,
            }
        )
    return anew


def computed_group_table(record, rule, standings):
    """A group counts its ranked members: their sum, their mean, or its first few. [RECORD 4]"""
    field_of = {player["id"]: player.get(rule["by"]) for player in record.declared["players"]}
    standing = {line["player"]: line for line in standings}
    members = {}
    for line in standings:
        name = field_of[line["player"]]
        if name is not None and line["place"] is not None:
            members.setdefault(name, []).append(line["player"])
    values = {}
    for name, players in members.items():
        counted = players[: rule["best"]] if rule["mode"] == "best" else players
        values[name] = {}
        for criterion in rule["ranking"]:
            given = [standing[player]["values"][criterion] for player in counted]
            known = [Fraction(value) for value in given if value is not None]
            total, number = sum(known, Fraction(0)), len(given)
            if criterion in LESS_IS_BETTER:  # there who has none is not counted [RULES 9.4]
                total, number = total if known else None, len(known)
            values[name][criterion] = total / number if known and rule["mode"] == "average" else total
    groups = [(sorted(members), None)] if members else []
    for criterion in rule["ranking"]:
        next_groups = []
        for group, decided_by in groups:
            for index, part in enumerate(split_by(criterion, group, lambda name: values[name][criterion])):  # noqa: B023
                next_groups.append((part, decided_by if index == 0 else criterion))
        groups = next_groups
    rows = [
        {
            "name": name,
            "place": place,
            "shared": shared,
            "decided_by": decided_by,
            "members": members[name],
            "values": {
                criterion: None if values[name][criterion] is None else str(values[name][criterion])
                for criterion in rule["ranking"]
            },
        }
        for name, place, shared, decided_by in ranked(groups)
    ]
    return {"by": rule["by"], "rows": rows}


def computed_of(declared):
    """What follows from a record. Only closed sessions are computed. [RECORD 4]"""
    record = Record(declared)
    closed = [session for session in declared["sessions"] if session["state"] == "closed"]
    sessions = [computed_session(record, session) for session in closed]
    standings = standings_by_stages(record, sessions)
    return {
        "sessions": sessions,
        "penalties": computed_penalties(record),
        "lateness": computed_lateness(record),
        "standings": standings,
        "group_tables": [
            computed_group_table(record, rule, standings) for rule in declared["regulation"]["group_tables"]
        ],
    }
