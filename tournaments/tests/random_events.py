"""Random events for the second opinion: every preset, regulations that differ, and all that goes wrong in a hall."""

from collections.abc import Sequence
from random import Random
from typing import Any

from scoring import criteria
from scoring.presets import PRESETS
from scoring.record.hands import read_hand
from scoring.seats import Seat
from scoring.systems import SYSTEMS, ruleset
from tournaments.tests.random_hands import random_facts

Json = dict[str, Any]

WINDS = "ESWN"
FIELDS = {
    "country": ("DE", "FR", "RU"),
    "club": ("Ёлка", "Бета", "Zed"),
    "team": ("A", "B", "C", "D"),
    "group": ("x", "y"),
}
OWN_OFFENCES = ("phone", "shouting")
ONLY_FOUR = ("MCR", "RIICHI")


def random_declared(preset: str, chance: Random, *, slug: str = "random-event", in_play: bool = True) -> Json:
    """Make up all that was declared about a tournament of a preset; its last session may be in play."""
    return _Making(preset, chance, slug, in_play=in_play).declared()


class _Making:
    """One tournament while it is made up."""

    def __init__(self, preset: str, chance: Random, slug: str, *, in_play: bool) -> None:
        self.chance, self.preset, self.slug, self.in_play = chance, preset, slug, in_play
        self.system = PRESETS[preset].system
        self.regulation = PRESETS[preset].regulation.to_json()
        if chance.random() < 0.75:
            self.regulation |= random_regulation(self.system, self.regulation, chance)
        self.closed = chance.choice([0, 1, 1, 2, 3, 4, 6])
        self.regulation["stages"] = random_stages(
            self.regulation, self.closed, Random(f"stages {preset} {slug}")
        )
        self.lateness: list[Json] = []

    def maybe(self, probability: float) -> bool:
        return self.chance.random() < probability

    def declared(self) -> Json:
        self._people()
        sessions = [self._session(number) for number in range(1, self.closed + 1)]
        if self.maybe(0.2) and self.in_play:
            sessions.append(self._session(self.closed + 1, state="open"))
        appeals: list[Json] = []
        penalties = self._penalties(sessions, appeals)
        return {
            "tournament": {
                "slug": self.slug,
                "name": "Случайный турнир",
                "system": self.system,
                "preset": self.preset,
                "time_zone": "Europe/Samara",
                "first_day": "2025-05-10",
                "last_day": "2025-05-11",
                "state": "running",
            },
            "regulation": self.regulation,
            "players": self.players,
            "registrations": self.registrations,
            "substitutes": [{"player": name, "assistant": self.maybe(0.3)} for name in self.substitutes],
            "officials": [],
            "sessions": sessions,
            "lateness": self.lateness,
            "penalties": penalties,
            "adjustments": self._adjustments(sessions),
            "appeals": appeals,
        }

    # People

    def _people(self) -> None:
        chance = self.chance
        count = chance.choice([3, 4, 4, 5, 6, 7, 8, 8, 9, 10, 12, 13])
        names = [f"p{number}" for number in range(1, count + 1)]
        self.substitutes = [f"s{number}" for number in range(1, chance.randint(0, 4) + 1)]
        self.regulation["assistants_substitute"] = True
        self.players = [self._player(name) for name in [*names, *self.substitutes]]
        numbers = list(range(1, count + 1))
        if self.maybe(0.1):
            chance.shuffle(numbers)
        lots = chance.sample(range(1, 3 * count), count)
        self.registrations = []
        for name, number, lot in zip(names, numbers, lots, strict=True):
            status = chance.choice(
                ["active"] * 9
                + ["withdrawn", "removed", "disqualified"]
                + chance.choice([[], ["waiting", "cancelled"]])
            )
            line: Json = {"player": name, "number": number, "status": status, "checked_in": self.maybe(0.9)}
            if self.maybe(0.1):
                line["first_session"] = 2
            if status in ("withdrawn", "removed", "disqualified") and self.maybe(0.7):
                line["last_session"] = chance.randint(1, 3)
            if self.maybe(0.6):
                line["lot"] = lot if self.maybe(0.8) else 7
            self.registrations.append(line)

    def _player(self, name: str) -> Json:
        chosen = {field: self.chance.choice(values) for field, values in FIELDS.items() if self.maybe(0.8)}
        return {"id": name, "name": None if self.maybe(0.03) else name.upper()} | chosen

    # Sessions

    def _session(self, number: int, state: str = "closed") -> Json:
        chance = self.chance
        rules = self.regulation
        session: Json = {
            "number": number,
            "state": state,
            "seating": {"mode": "random", "seed": str(chance.random())},
        }
        session["started_at"] = f"2025-05-10T{number:02}:00:00Z"
        if state == "closed":
            session["ended_at"] = f"2025-05-10T{number:02}:55:00Z"
        if self.maybe(0.15):
            changed = random_regulation(self.system, rules, chance)
            changed["penalties"] = rules["penalties"] | {"timing": chance.choice(["before", "after"])}
            own = {
                name: value
                for name, value in changed.items()
                if name in OF_A_SESSION and rules[name] != value
            }
            if own:
                session["regulation"] = own
                rules = rules | own
        session["tables"] = self._tables(number, rules, state)
        return session

    def _tables(self, number: int, rules: Json, state: str) -> list[Json]:
        chance = self.chance
        present = [
            line["player"]
            for line in self.registrations
            if line["status"] not in ("waiting", "cancelled")
            and line.get("first_session", 1) <= number <= line.get("last_session", 99)
        ]
        chance.shuffle(present)
        free = list(self.substitutes)
        chance.shuffle(free)
        tables = []
        size = rules["table_size"]
        while present:
            who, present = present[:size], present[size:]
            winds = sorted(
                chance.sample(WINDS[: max(size, len(who))] if size > 2 else WINDS, len(who)), key=WINDS.index
            )
            if self.system == "SIAM":
                winds = list(WINDS[: len(who)])
            seats = [
                self._seat(wind, name, number, rules, free) for wind, name in zip(winds, who, strict=True)
            ]
            if len(who) < size and free and self.maybe(0.5):
                wind = next(wind for wind in WINDS if wind not in winds)
                seats = sorted(
                    [*seats, {"wind": wind, "player": free.pop()}], key=lambda seat: WINDS.index(seat["wind"])
                )
            tables.append(
                {"number": len(tables) + 1, "seats": seats, "protocol": self._protocol(seats, rules, state)}
            )
        return tables

    def _seat(self, wind: str, name: str, number: int, rules: Json, free: list[str]) -> Json:
        """Somebody sits, or is late, or is replaced, or missing."""
        chance = self.chance
        lately = rules["lateness"] is not None and self.maybe(0.12)
        limit = (
            None
            if rules["lateness"] is None
            else max(band.get("below", band.get("up_to")) for band in rules["lateness"]["bands"])
        )
        if self.maybe(0.1):
            if lately:
                self.lateness.append(
                    {"session": number, "player": name, "seconds": chance.randint(0, 2 * (limit or 0))}
                )
            if free:
                seat: Json = {"wind": wind, "player": free.pop(), "for": name}
                return seat | ({"from_hand": chance.randint(2, 4)} if self.maybe(0.4) else {})
            return {"wind": wind, "player": None, "for": name}
        if lately and limit:
            edges = [band.get("below", band.get("up_to")) for band in rules["lateness"]["bands"]]
            seconds = chance.choice(
                [0, 1, 59, 60, 61, *edges, *(edge - 1 for edge in edges), chance.randint(1, limit)]
            )
            late: Json = {"session": number, "player": name, "seconds": seconds}
            fits = any(
                seconds < band["below"] if "below" in band else seconds <= band["up_to"]
                for band in rules["lateness"]["bands"]
            )
            if self.maybe(0.2) or not fits:
                late |= {"waived": True, "reason": "the tram was late, all of it"}
            self.lateness.append(late)
        return {"wind": wind, "player": name}

    def _protocol(self, seats: Sequence[Json], rules: Json, state: str) -> Json | None:
        occupied = [seat["wind"] for seat in seats if seat["player"] is not None]
        if len(occupied) < rules["smallest_table"]:
            return None
        mode = rules["protocol"] if self.maybe(0.9) else "final_result"
        confirmed = occupied if state == "closed" else []
        if mode == "final_result":
            return {"mode": mode, **self._final(occupied, rules), "superseded": [], "confirmed": confirmed}
        hands = random_hands(self.system, occupied, rules, self.chance)
        superseded = [
            {**hand, "how": "corrected", "reason": "written down wrongly"}
            for hand in hands[:1]
            if self.maybe(0.2)
        ]
        return {"mode": mode, "hands": hands, "superseded": superseded, "confirmed": confirmed}

    def _final(self, occupied: Sequence[str], rules: Json) -> Json:
        """Final points that add up to what was handed out; often with equals."""
        chance, unit, start = self.chance, rules["points_unit"], rules["start_points"]
        left = unit * chance.randint(0, 7) if self.maybe(0.3) else 0
        left *= SYSTEMS[self.system].recorded.has_bets
        start_units, rest = divmod(start * len(occupied), unit)
        assert not rest
        spread = chance.choice([1, 3, 100])
        final = {
            wind: unit * (start_units // len(occupied) + chance.randint(-spread, spread)) for wind in occupied
        }
        final[occupied[-1]] += start * len(occupied) - left - sum(final.values())
        return {"final": final, "left_on_table": left}

    # Judging

    def _sitting(self, sessions: Sequence[Json]) -> list[tuple[int | None, Json | None, Json | None]]:
        return [
            (session["number"], table, seat)
            for session in sessions
            for table in session["tables"]
            for seat in table["seats"]
        ]

    def _whom(self, sessions: Sequence[Json]) -> tuple[int | None, str, Json | None]:
        """A session and somebody who has a seat in it, or the whole tournament and anybody."""
        places = self._sitting(sessions)
        if not places or self.maybe(0.1):
            return None, self.chance.choice(self.players)["id"], None
        number, table, seat = self.chance.choice(places)
        assert seat is not None
        names = [name for name in (seat["player"], seat.get("for")) if name is not None]
        return number, self.chance.choice(names), table

    def _penalties(self, sessions: Sequence[Json], appeals: list[Json]) -> list[Json]:
        chance = self.chance
        penalties: list[Json] = []
        favourite: tuple[int | None, str, Json | None] | None = None
        for index in range(chance.choice([0, 0, 2, 5, 12, 25])):
            whom = self._whom(sessions)
            favourite = favourite or whom
            number, player, table = favourite if self.maybe(0.4) else whom
            own = next((one.get("regulation", {}) for one in sessions if one["number"] == number), {})
            penalty = self._penalty(number, player, table, (self.regulation | own)["penalties"])
            if penalty is None:
                continue
            penalty = {
                "id": f"n{index}",
                "session": number,
                "player": player,
                **penalty,
                "clause": "by the rules",
                "decided_by": "referee",
            }
            if (
                number is not None
                and self.regulation["appeals"]
                and "appeals" not in own
                and self.maybe(0.15)
            ):
                closed = next(one for one in sessions if one["number"] == number)
                appeal = self._appeal(f"q{index}", closed, player, penalty["id"])
                appeals.append(appeal)
                if appeal["rulings"][0]["verdict"] == "upheld":
                    penalty["revoked_by"] = appeal["id"]
            penalties.append(penalty)
        return penalties

    def _penalty(self, number: int | None, player: str, table: Json | None, policy: Json) -> Json | None:
        chance = self.chance
        kinds = ["decision"] + ["ladder"] * 2 * bool(policy["ladders"]) + ["fixed"] * bool(policy["fixed"])
        kind = chance.choice(kinds)
        if kind == "ladder":
            ladder = chance.choice(policy["ladders"])
            if ladder["scope"] == "round" and number is None:
                return None
            said: Json = {"offence": chance.choice(ladder["offences"]), "kind": kind, "effect": "game_points"}
            if ladder["scope"] == "round" or self.maybe(0.3):
                said["hand"] = chance.randint(1, 16)
        elif kind == "fixed":
            said = {"offence": chance.choice(list(policy["fixed"])), "kind": kind, "effect": "game_points"}
        else:
            effects = (
                ["game_points"] * 4 + ["tournament_points"] * 2 + ["warning", "removal", "disqualification"]
            )
            offence = chance.choice([*OWN_OFFENCES, *(name for name in policy["decision"] if name != "*")])
            said = {"offence": offence, "kind": kind, "effect": chance.choice(effects)}
            if said["effect"] == "game_points":
                said["points"] = self._decided(policy["decision"].get(offence, policy["decision"].get("*")))
            elif said["effect"] == "tournament_points":
                said["points"] = chance.choice(["1", "1/2", "2/3", "5/4"])
        if said["effect"] == "game_points" and table is not None and self.maybe(0.25):
            others = [
                seat["player"]
                for seat in table["seats"]
                if player not in (seat["player"], seat.get("for")) and seat["player"]
            ]
            said["to"] = chance.choice([*others, "table"])
        if self.maybe(0.2):
            said["timing"] = chance.choice(["before", "after"])
        return said

    def _decided(self, bounds: Json | None) -> int:
        if bounds is None:
            return self.chance.randint(1, 60)
        return int(
            self.chance.choice(bounds["amounts"])
            if "amounts" in bounds
            else self.chance.randint(bounds["from"], bounds["up_to"])
        )

    def _appeal(self, name: str, session: Json, player: str, penalty: str) -> Json:
        verdict = self.chance.choice(["upheld", "dismissed"])
        at = session["started_at"]
        return {
            "id": name,
            "session": session["number"],
            "player": player,
            "by": "player",
            "matter": "rules",
            "against": {"penalty": penalty},
            "filed_at": at,
            "deposit": "0",
            "deposit_returned": verdict == "upheld",
            "rulings": [{"by": "chief_referee", "at": at, "verdict": verdict}],
        }

    def _adjustments(self, sessions: Sequence[Json]) -> list[Json]:
        chance = self.chance
        lines: list[Json] = []
        for index in range(chance.choice([0, 0, 0, 1, 3, 6])):
            number, player, _ = self._whom(sessions)
            if lines and self.maybe(0.3):
                number, player = lines[-1]["session"], lines[-1]["player"]
            line: Json = {
                "id": f"a{index}",
                "session": number,
                "player": player,
                "reason": "decided at the desk",
            }
            what = chance.choice(["game_points", "tournament_points", "result"])
            if what == "result" and (number is None or player in self.substitutes):
                continue
            if what == "game_points":
                line[what] = chance.choice([-100, -7, 1, 30, 5000])
                if self.maybe(0.4):
                    line["timing"] = chance.choice(["before", "after"])
            elif what == "tournament_points":
                line[what] = chance.choice(["1", "-1", "1/2", "-2/3"])
            else:
                line[what] = random_result(chance)
            lines.append(line)
        return lines


# Hands


def random_hands(system: str, occupied: Sequence[str], rules: Json, chance: Random) -> list[Json]:
    """Make up the hands of a table, each possible after those before it."""
    laws = ruleset(system, rules["system_rules"])
    at = laws.start(tuple(Seat(wind) for wind in occupied))
    hands: list[Json] = []
    wanted = chance.choice([0, 1, 2, 4, 8, 16])
    counted = 0
    for _ in range(40 * wanted):
        if (
            len(hands) == wanted
            or at.is_over
            or (rules["hands_limit"] is not None and counted >= rules["hands_limit"])
        ):
            break
        facts = {"number": at.number, **varied(system, random_facts(system, at, chance), chance)}
        hand = read_hand(facts)
        if laws.check(hand, at):
            continue
        hands.append(facts)
        counted += not any(event["type"] == "chombo" for event in facts["events"])
        at = laws.following(hand, at)
    return hands


def varied(system: str, facts: Json, chance: Random) -> Json:
    """Add what happens seldom: kongs robbed by a false win, nagashi mangan, dead hands in riichi."""
    if system in ("SBR", "WMSG") and chance.random() < 0.1:
        seat, other = chance.sample(WINDS, 2)
        facts["events"] += [
            {"type": "kong", "seat": other, "kind": chance.choice(["added", "delayed"]), "robbed": True},
            {"type": "false_win", "seat": seat, "kind": "waiting", "from": other, "robbing_kong": True},
        ]
        if len(facts["events"]) > 2 and chance.random() < 0.5:
            facts["events"] = facts["events"][-2:] + facts["events"][:-2]
    if (
        system == "RIICHI"
        and chance.random() < 0.1
        and "end" not in facts
        and facts["events"][0]["type"] == "win"
    ):
        win = facts["events"][0]
        if len(win["winners"]) == 1:
            win.pop("from", None)
            win["winners"] = [{"seat": win["winners"][0]["seat"], "limit": "mangan", "nagashi": True}]
    if system == "RIICHI" and chance.random() < 0.1:
        facts["events"].insert(0, {"type": "dead_hand", "seat": chance.choice(WINDS)})
    return facts


# Regulations

OF_A_SESSION = (
    "tournament_points",
    "tie_rule",
    "place_rule",
    "uma",
    "fixed_result",
    "awarded_result",
    "start_points",
    "points_unit",
    "lateness",
    "smallest_table",
    "penalties",
    "system_rules",
)
"""Fields in which a session may have been played otherwise; the ladders stay, for some count through all sessions."""


def random_result(chance: Random) -> Json:
    return {
        "tournament_points": chance.choice(["0", "1", "3", "5/2", None]),
        "game_points": chance.choice([0, 0, -30, 15]),
        "place": chance.choice([1, 2, 3, 4, None]),
    }


def random_regulation(system: str, rules: Json, chance: Random) -> Json:
    """Change some values of a regulation; what belongs together stays together."""
    size = rules["table_size"]
    changes: Json = {
        "tie_rule": chance.choice(["split", "best", "seat_order"]),
        "place_rule": chance.choice(["average", "best", "seat_order"]),
        "uma": chance.choice(
            [None, ["15", "5", "-5", "-15"], ["30", "10", "-10", "-30"], ["7/3", "1", "0", "-10/3"]]
        ),
        "tournament_points": _random_points(rules, chance),
        "fixed_result": random_result(chance),
        "awarded_result": random_result(chance),
        "points_unit": chance.choice([100, 1000]) if system == "RIICHI" else 1,
        "start_points": chance.choice([30000, 25000]) if system == "RIICHI" else chance.choice([0, 800, 790]),
        "protocol": chance.choice(["hands", "hands", "hands", "final_result"]),
        "hands_limit": chance.choice([None, rules["hands_limit"], 5]),
        "lateness": _random_lateness(chance),
        "penalties": _random_penalties(rules["penalties"], chance),
        "system_rules": _random_system_rules(system, rules["system_rules"], chance),
    }
    if system not in ONLY_FOUR:
        changes["smallest_table"] = chance.randint(2, size)
    changes |= _random_ranking(chance)
    return {
        name: value for name, value in changes.items() if name == "group_tables" or chance.random() < 0.6
    } | {name: changes[name] for name in ("ranking", "group_tables", "tournament_points")}


def random_stages(rules: Json, played: int, chance: Random) -> list[Json]:
    """Make up stages for half of all events, most of them begun; the cuts let ever fewer play on. [RULES 9.7]"""
    firsts = range(2, min(played + 1, rules["sessions"]) + 1)
    if chance.random() < 0.5 or not firsts:
        return []
    begins = sorted(chance.sample(firsts, min(len(firsts), chance.choice([1, 1, 2, 3]))))
    cuts = sorted(chance.sample(range(1, 13), len(begins)), reverse=True)
    carries = ("full", "half", "half", "none")
    return [
        {
            "from_session": begin,
            "carry": chance.choice(carries),
            "cut": cut if chance.random() < 0.7 else None,
        }
        for begin, cut in zip(begins, cuts, strict=True)
    ]


def _random_points(rules: Json, chance: Random) -> Json | None:
    if chance.random() < 0.15:
        return None
    values = ["10", "6", "5", "4", "7/2", "3", "2", "5/3", "1", "1/2", "0", "-1"]
    rows = {}
    for size in ("2", "3", "4"):
        row = sorted(chance.sample(values, int(size)), key=values.index)
        rows[size] = row if chance.random() < 0.9 else chance.sample(row, len(row))
    return rows


def _random_ranking(chance: Random) -> Json:
    codes = list(criteria.CRITERIA)
    ranking = chance.sample(codes, chance.randint(1, len(codes)))
    tables = []
    for _ in range(chance.choice([0, 1, 2])):
        mode = chance.choice(["sum", "average", "best"])
        tables.append(
            {
                "by": chance.choice(list(FIELDS)),
                "mode": mode,
                "best": chance.randint(1, 3) if mode == "best" else None,
                "ranking": chance.sample(ranking, chance.randint(1, len(ranking))),
            }
        )
    return {"ranking": ranking, "group_tables": tables}


def _random_lateness(chance: Random) -> Json | None:
    bands: list[Json] = []
    edge = 0
    for _ in range(chance.choice([0, 1, 2, 3])):
        edge += chance.randint(30, 600)
        cost = (
            {"points": chance.randint(0, 30)}
            if chance.random() < 0.5
            else {"per_minute": chance.choice([1, 7, 1000])}
        )
        bands.append({chance.choice(["below", "up_to"]): edge} | cost)
    return {"bands": bands} if bands else None


def _random_penalties(policy: Json, chance: Random) -> Json:
    offences = [f"offence_{number}" for number in range(1, 9)]
    chance.shuffle(offences)
    ladders = []
    for _ in range(chance.choice([0, 1, 2, 3])):
        mine, offences = offences[: chance.randint(1, 3)], offences[3:]
        if not mine:
            break
        steps = sorted(chance.choices([0, 0, 1, 2, 5, 8, 10, 20, 48, 60], k=chance.randint(1, 6)))
        ladders.append(
            {
                "offences": mine,
                "mode": chance.choice(["total", "each"]),
                "scope": chance.choice(["session", "round", "tournament"]),
                "steps": steps,
            }
        )
    decision = chance.choice(
        [{}, policy["decision"], {"phone": {"amounts": [3, 7]}, "*": {"from": 2, "up_to": 9}}]
    )
    return {
        "timing": chance.choice(["before", "after"]),
        "ladders": ladders or policy["ladders"],
        "fixed": chance.choice([{}, {"smoking": 11, "sleeping": 4}]),
        "decision": decision,
    }


def _random_system_rules(system: str, rules: Json, chance: Random) -> Json:
    if system == "RED":
        return rules | {
            "limit": chance.choice([100, 300, 64]),
            "two_players_no_win": chance.choice(["passes", "stays"]),
            "minimum": chance.choice([0, 3]),
        }
    if system == "RIICHI":
        limits = [
            rules["limits"],
            {"4": "mangan", "6": "haneman", "9": "baiman", "11": "sanbaiman", "13": "yakuman"},
            {"5": "mangan", "6": "haneman", "8": "baiman", "11": "sanbaiman"},
        ]
        return {"limits": chance.choice(limits), "nagashi_mangan": True}
    if system in ("MCR", "SIAM"):
        return {"minimum": chance.choice([0, 6, 8])}
    if system in ("SBR", "WMSG"):
        return chance.choice([rules, {"false_winner": "plays_on"}, {}])
    return rules
