"""Random tournament records that say whatever docs/RECORD.md lets them say, in every system and under every preset."""

from collections.abc import Iterator
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from scoring import criteria
from scoring.presets import PRESETS
from scoring.protocol import play
from scoring.record.computed import compute
from scoring.record.hands import read_hand
from scoring.regulation import Regulation
from scoring.seats import Seat
from scoring.systems import SYSTEMS, ruleset
from tournaments.tests.random_hands import random_facts

Json = dict[str, Any]
WINDS = "ESWN"
CODES = ["untidy_tiles", "touching", "empty_claim", "late_claim", "rude_words", "phone", "a"]
NAMES = [
    "Ё",
    "李",
    "Ли Си",
    "O’Neil-Бэкхем",
    "Ñandú Ürümçi",
    "ﷺ",
    "مَها",
    "Żółć",
    "x",
    "Anna  Maria",
    "Å",
    "🀄",
]
FRACTIONS = ["0", "1", "2", "7/2", "-1/3", "4", "5/2", "-2", "22/7", "10"]
REASONS = [
    "Решение судьи по апелляции",
    "Протокол переписан с бумаги",
    "x" * 10,
    "Ошибка записи ‒ «исправлено»",
]
BEGIN = datetime(2025, 3, 29, 22, 30, tzinfo=UTC)
ZONES = ["Europe/Samara", "UTC", "America/St_Johns", "Asia/Kathmandu", "Pacific/Kiritimati", "Europe/Lisbon"]


def random_record(preset: str, seed: int) -> Json:
    """Make up a record that is valid, with all that follows from it."""
    declared = Maker(preset, seed).declared()
    digest = f"{seed:064x}"
    return {
        "format": "four-winds-record",
        "version": 2,
        "declared": declared,
        "computed": compute(declared),
        "history": {"tournament": {"entries": 1, "head": digest}, "protocols": [], "checkpoints": []},
    }


class Maker:
    """One tournament while it is made up; whatever is not likely is still possible."""

    def __init__(self, preset: str, seed: int) -> None:
        self.chance = Random(f"{preset} {seed}")
        self.preset, self.seed = PRESETS[preset], seed
        self.system = self.preset.system
        self.penalties: list[Json] = []

    def likely(self, share: float) -> bool:
        return self.chance.random() < share

    def some(self, among: list[Any], least: int = 0, most: int | None = None) -> list[Any]:
        """Return some of them, in their order."""
        most = len(among) if most is None else min(most, len(among))
        chosen = self.chance.sample(range(len(among)), self.chance.randint(min(least, most), most))
        return [among[place] for place in sorted(chosen)]

    def declared(self) -> Json:
        self.regulation = self._regulation()
        self._people()
        sessions = [*self._sessions()]
        said = {
            "tournament": self._tournament(sessions),
            "regulation": self.regulation,
            "players": self.players,
            "registrations": self.registrations,
            "substitutes": self.substitutes,
            "officials": self.officials,
            "sessions": sessions,
        }
        said["lateness"] = [*self._lateness(sessions)]
        said["penalties"] = self.penalties = [*self._penalties(sessions)]
        said["appeals"] = [*self._appeals(sessions)]
        said["adjustments"] = [*self._adjustments(sessions, said["appeals"])]
        self._revoke(said["penalties"], said["appeals"])
        return said

    def _tournament(self, sessions: list[Json]) -> Json:
        said = {
            "slug": f"random-{self.preset.code.replace('_', '-')}-{self.seed}",
            "name": self.chance.choice(NAMES),
            "system": self.system,
            "preset": self.preset.code,
            "time_zone": self.chance.choice(ZONES),
            "first_day": "2024-02-29",
            "last_day": self.chance.choice(["2024-02-29", "2025-12-31"]),
            "state": self.chance.choice(["announced", "running", "closed"]),
        }
        return said | self._maybe(city="Самара", venue="ул. Ленина, 1 — зал «Б»")

    def _maybe(self, **parts: Any) -> Json:
        return {name: value for name, value in parts.items() if self.likely(0.4)}

    # The regulation

    def _regulation(self) -> Json:
        rules = self.preset.regulation.to_json()
        own = self._values(rules)
        chosen = {name: own[name] for name in own if self.likely(0.35)}
        changed = rules | chosen | {"sessions": self.chance.randint(1, 4)}
        return self._fitting(changed)

    def _values(self, rules: Json) -> Json:
        """Return another value for nearly every field."""
        chance = self.chance
        whole = {
            "session_minutes": chance.randint(1, 300),
            "warning_minutes": chance.randint(0, 30),
            "max_players": chance.choice([None, 1, 1000]),
            "team_size": chance.choice([None, 4]),
            "hands_limit": chance.choice([None, 2, 3, 12]),
            "points_unit": chance.choice([1, 1, 100, 1000]),
            "start_points": chance.choice([0, 800, 25000, 30000]),
            "entry_fee": chance.choice(["0", "500", "12.50", "0.01", "99999999999999999.99"]),
        }
        choices = {
            "last_hand": chance.choice(["finish_begun", "one_more", "red_zone"]),
            "seating": chance.choice(["fixed", "programmed", "swiss", "random"]),
            "seat_winds": chance.choice(["schedule", "draw"]),
            "keep_apart": self.some(["country", "club", "team", "region", "city", "group"]),
            "tie_rule": chance.choice(["split", "best", "seat_order"]),
            "place_rule": chance.choice(["average", "best", "seat_order"]),
            "protocol": chance.choice(["hands", "final_result"]),
            "assistants_substitute": True,
        }
        tables = {
            "tournament_points": self._points_table(),
            "uma": chance.choice([None, [chance.choice(FRACTIONS) for _ in range(4)]]),
            "fixed_result": self._result(),
            "awarded_result": self._result(),
            "ranking": chance.sample([str(one) for one in criteria.CRITERIA.values()], chance.randint(1, 12)),
            "penalties": self._penalty_rules(),
            "lateness": self._lateness_rules(),
            "appeals": chance.choice(
                [None, {"minutes": chance.randint(0, 90), "deposit_fees": 0, "committee": True}]
            ),
            "system_rules": self._system_rules(rules["system_rules"]),
        }
        if self.system != "RIICHI":
            whole["smallest_table"] = chance.randint(2, rules["table_size"])
        return whole | choices | tables

    def _fitting(self, rules: Json) -> Json:
        """Make the values fit one another."""
        criteria = rules["ranking"]
        fields = ["country", "club", "team", "region", "city", "group"]
        rules["group_tables"] = [
            {
                "by": self.chance.choice(fields),
                "mode": mode,
                "best": self.chance.randint(1, 3) if mode == "best" else None,
                "ranking": self.chance.sample(criteria, self.chance.randint(1, len(criteria))),
            }
            for mode in self.some(["sum", "average", "best", "best"], most=3)
        ]
        if rules["tournament_points"] is not None:
            rows = {str(size): ["4", "3", "2", "1"][:size] for size in (2, 3, 4)}
            rules["tournament_points"] = rows | rules["tournament_points"]
        if self.system == "RIICHI":
            rules["points_unit"] = self.chance.choice([100, 500, 1000])
        Regulation.from_json(rules, system=self.system)
        return rules

    def _points_table(self) -> Json | None:
        if self.likely(0.2):
            return None
        return {str(size): [self.chance.choice(FRACTIONS) for _ in range(size)] for size in (2, 3, 4)}

    def _result(self) -> Json:
        return {
            "tournament_points": self.chance.choice([None, *FRACTIONS]),
            "game_points": self.chance.choice([0, -300, 12, 100_000]),
            "place": self.chance.choice([None, 1, 2, 3, 4]),
        }

    def _penalty_rules(self) -> Json:
        codes = self.some(CODES)
        self.chance.shuffle(codes)
        ladders = []
        while codes and self.likely(0.7):
            mine, codes = codes[:2], codes[2:]
            ladders.append(
                {
                    "offences": mine,
                    "mode": self.chance.choice(["total", "each"]),
                    "scope": self.chance.choice(["session", "round", "tournament"]),
                    "steps": sorted(self.chance.choices([0, 2, 5, 10, 20, 60], k=self.chance.randint(1, 4))),
                }
            )
        bounds = [{"amounts": [5, 10, 1000]}, {"from": 1, "up_to": 20}]
        return {
            "timing": self.chance.choice(["before", "after"]),
            "ladders": ladders,
            "fixed": {code: self.chance.randint(1, 100) for code in self.some(CODES, most=2)},
            "decision": {code: self.chance.choice(bounds) for code in self.some([*CODES, "*"], most=3)},
        }

    def _lateness_rules(self) -> Json | None:
        if self.likely(0.3):
            return None
        limits = sorted(self.chance.sample(range(1, 1200), self.chance.randint(1, 3)))
        return {
            "bands": [
                {
                    self.chance.choice(["below", "up_to"]): limit,
                    self.chance.choice(["points", "per_minute"]): self.chance.choice([0, 8, 1000]),
                }
                for limit in limits
            ]
        }

    def _system_rules(self, rules: Json) -> Json:
        chance = self.chance
        if self.system in ("MCR", "SIAM"):
            return {"minimum": chance.choice([0, 1, 8])}
        if self.system == "RED":
            return {
                "minimum": chance.choice([0, 3]),
                "special_pair": chance.choice([2, 3]),
                "chaotic_hand": chance.choice([3, 12]),
                "jokers": chance.choice([True, False]),
                "limit": chance.choice([300, 100]),
                "two_players_no_win": chance.choice(["passes", "stays"]),
            }
        if self.system == "RIICHI":
            return rules | {"nagashi_mangan": chance.choice([True, False])}
        if self.system in ("SBR", "WMSG"):
            return chance.choice([rules, {"false_winner": "plays_on"}, {}])
        return rules

    # People

    def _people(self) -> None:
        ids = [f"p{number}" for number in range(1, self.chance.randint(4, 14))]
        extra = ["s1", "S-2", "0_s", "u1"]
        judges = ["x1", "X" * 64]
        self.players = [self._player(one) for one in [*ids, *extra, *judges]]
        number, self.registrations = 0, []
        for one in ids:
            number += self.chance.choice([1, 1, 1, 5])
            self.registrations.append(self._registration(one, number))
        if self.likely(0.3):
            self.registrations.append(self._registration("u1", number + 1) | {"status": "cancelled"})
        self.substitutes = [{"player": one, "assistant": self.likely(0.5)} for one in self.some(extra)]
        if not self.regulation["assistants_substitute"]:
            self.substitutes = [one | {"assistant": False} for one in self.substitutes]
        self.officials = [
            {"player": self.chance.choice(judges), "role": role}
            for role in self.chance.choices(
                ["organizer", "chief_referee", "referee", "scorer", "committee"], k=self.chance.randint(0, 4)
            )
        ]

    def _player(self, code: str) -> Json:
        name = (
            None if self.likely(0.1) else f"{self.chance.choice(NAMES)}{self.chance.choice(['', ' ' + code])}"
        )
        places = {
            "country": self.chance.choice(["RU", "CN", "NO"]),
            "region": self.chance.choice(["Самарская область", "r"]),
            "city": self.chance.choice(["Самара", "Tromsø"]),
            "club": self.chance.choice(["Four Winds", "Дракон", "-"]),
            "team": self.chance.choice(["A", "Б", "B"]),
            "group": self.chance.choice(["новички", "1"]),
            "federation_ids": self.chance.choice([{"EMA": "04010001"}, {"WRC": "№ 7", "RMCR": "x"}]),
        }
        return {"id": code, "name": name} | self._maybe(**places)

    def _registration(self, code: str, number: int) -> Json:
        statuses = ["active"] * 8 + ["waiting", "cancelled", "withdrawn", "removed", "disqualified"]
        said: Json = {
            "player": code,
            "number": number,
            "status": self.chance.choice(statuses),
            "checked_in": self.likely(0.8),
        }
        return said | self._maybe(first_session=2, last_session=9, lot=self.chance.randint(1, 40))

    # Sessions

    def _sessions(self) -> Iterator[Json]:
        count = self.chance.randint(0, 4)
        states = sorted(self.chance.choices(["closed", "closed", "closed", "open", "planned"], k=count))
        for number, state in enumerate(states, start=1):
            yield self._session(number, state)

    def _session(self, number: int, state: str) -> Json:
        begin = BEGIN + timedelta(days=number)
        said: Json = {
            "number": number,
            "state": state,
            "seating": {
                "mode": self.chance.choice(["fixed", "programmed", "swiss", "random"]),
                "seed": f"№{number}",
            }
            | self._maybe(method="draw 2"),
            "tables": [],
        }
        own = self._own_regulation() if self.likely(0.3) else {}
        rules = self.regulation | own
        if own:
            said["regulation"] = own
        if state == "closed" or (state == "open" and self.likely(0.7)):
            said["started_at"] = instant(begin)
        if state == "closed" or ("started_at" in said and self.likely(0.3)):
            said["ended_at"] = instant(begin + timedelta(minutes=90))
        if state != "planned" or self.likely(0.7):
            said["tables"] = [*self._tables(rules, state)]
        return said

    def _own_regulation(self) -> Json:
        """Return some values of a session's own; that one of them is the tournament's too may happen."""
        values = self._values(self.regulation)
        fixed = (
            "system_rules",
            "start_points",
            "points_unit",
            "ranking",
            "tournament_points",
            "smallest_table",
        )
        own = {name: values[name] for name in values if name not in fixed and self.likely(0.15)}
        return own if self.likely(0.9) else {}

    def _tables(self, rules: Json, state: str) -> Iterator[Json]:
        """Seat everybody who takes part: who is left over gets a table too."""
        here = [one["player"] for one in self.registrations if one["status"] not in ("waiting", "cancelled")]
        self.chance.shuffle(here)
        spare = [one["player"] for one in self.substitutes]
        self.chance.shuffle(spare)
        number = 0
        while here:
            number += 1
            size = rules["table_size"]
            mine, here = here[:size], here[size:]
            seats = [
                self._seat(wind, who, spare)
                for wind, who in zip(self._winds(len(mine), size), mine, strict=True)
            ]
            free = [wind for wind in WINDS[:size] if wind not in [seat["wind"] for seat in seats]]
            if free and spare and self.likely(0.5):
                seats.append({"wind": free[0], "player": spare.pop()})
            seats.sort(key=lambda seat: WINDS.index(seat["wind"]))
            yield {"number": number, "seats": seats, "protocol": self._protocol(seats, rules, state)}

    def _winds(self, count: int, size: int) -> list[str]:
        return self.some(list(WINDS[:size]), least=count, most=count)

    def _seat(self, wind: str, who: str, spare: list[str]) -> Json:
        if spare and self.likely(0.15):
            later = {"from_hand": self.chance.randint(2, 9)} if self.likely(0.5) else {}
            return {"wind": wind, "player": spare.pop(), "for": who} | later
        if self.likely(0.06):
            return {"wind": wind, "player": None, "for": who}
        return {"wind": wind, "player": who}

    def _protocol(self, seats: list[Json], rules: Json, state: str) -> Json | None:
        taken = [seat["wind"] for seat in seats if seat["player"]]
        if len(taken) < rules["smallest_table"] or (state != "closed" and self.likely(0.2)):
            return None
        is_final = rules["protocol"] == "final_result" or (len(taken) != 4 and self.system == "RIICHI")
        said = self._final(taken, rules) if is_final else self._hands(taken, rules)
        if state == "closed" and self.likely(0.7):
            return said | {"confirmed": taken}
        confirmed = self.some(taken)
        return said | {"confirmed": confirmed} | ({"signed_off": True} if state == "closed" else {})

    def _hands(self, taken: list[str], rules: Json) -> Json:
        system_rules = ruleset(self.system, rules["system_rules"])
        seats = tuple(Seat(wind) for wind in taken)
        at, hands, replaced = system_rules.start(seats), [], []
        for _ in range(self.chance.choice([0, 1, 2, 3, 5])):
            if at.is_over or len(hands) >= (rules["hands_limit"] or 99):
                break
            for _ in range(40):
                facts = {"number": at.number} | random_facts(self.system, at, self.chance)
                if not system_rules.check(read_hand(facts), at):
                    break
            else:
                break
            if self.likely(0.2):
                how = self.chance.choice(["corrected", "undone", "voided"])
                replaced.append(facts | {"how": how, "reason": self.chance.choice(REASONS)})
                continue
            hands.append(facts)
            at = system_rules.following(read_hand(facts), at)
        play(system_rules, seats, [read_hand(hand) for hand in hands], hands_limit=rules["hands_limit"])
        return {"mode": "hands", "hands": hands, "superseded": replaced}

    def _final(self, taken: list[str], rules: Json) -> Json:
        current = self._points(taken, rules)
        old = [
            self._points(self.some(taken, least=1), rules)
            | {
                "how": self.chance.choice(["corrected", "undone", "voided"]),
                "reason": self.chance.choice(REASONS),
            }
            for _ in range(self.chance.choice([0, 0, 1, 2]))
        ]
        return {"mode": "final_result", **current, "superseded": old}

    def _points(self, taken: list[str], rules: Json) -> Json:
        unit, start = rules["points_unit"], rules["start_points"]
        left = unit * self.chance.choice([0, 0, 0, 1, 10]) * SYSTEMS[self.system].recorded.has_bets
        moved = [unit * self.chance.choice([-40, -3, -1, 0, 0, 1, 2, 500]) for _ in taken[1:]]
        points = [start + one for one in [*moved, -sum(moved) - left]]
        return {"final": dict(zip(taken, points, strict=True)), "left_on_table": left}

    # Judging

    def _rules(self, session: Json | None) -> Json:
        return self.regulation | (session.get("regulation", {}) if session else {})

    def _lateness(self, sessions: list[Json]) -> Iterator[Json]:
        for session in sessions:
            rules = Regulation.from_json(self._rules(session), system=self.system).lateness
            sitting = {seat["player"] for table in session["tables"] for seat in table["seats"]}
            for one in self.some([seat["player"] for seat in self.registrations], most=3):
                seconds = self.chance.choice([1, 59, 60, 61, 599, 600, 601, 900, 901, 5000])
                said: Json = {"session": session["number"], "player": one, "seconds": seconds}
                is_beyond = rules is not None and rules.band(seconds) is None
                if self.likely(0.2) or (is_beyond and one in sitting):
                    said["waived"] = True
                yield said | self._maybe(reason=self.chance.choice(REASONS))

    def _penalties(self, sessions: list[Json]) -> Iterator[Json]:
        everybody = [one["player"] for one in [*self.registrations, *self.substitutes]]
        for number in range(self.chance.choice([0, 2, 5, 9])):
            session = self.chance.choice([None, *sessions, *sessions]) if sessions else None
            said = {
                "id": f"n{number}",
                "session": session["number"] if session else None,
                "player": self.chance.choice(everybody),
                "clause": self.chance.choice(["SBR 2.8.2", "§ 7", "Длинное описание " * 20]),
                "decided_by": self.chance.choice(["referee", "chief_referee", "committee"]),
            }
            yield from self._priced(said, self._rules(session), everybody)

    def _priced(self, said: Json, rules: Json, everybody: list[str]) -> Iterator[Json]:
        """Give the penalty a price that the regulation knows."""
        policy, kind = rules["penalties"], self.chance.choice(["ladder", "fixed", "decision"])
        ladders = [(ladder, code) for ladder in policy["ladders"] for code in ladder["offences"]]
        offence = self.chance.choice(CODES)
        more: Json = self._maybe(
            hand=self.chance.randint(1, 9), timing=self.chance.choice(["before", "after"])
        )
        if kind == "ladder":
            if not ladders:
                return
            ladder, offence = self.chance.choice(ladders)
            if ladder["scope"] == "round":
                if said["session"] is None:
                    return
                more["hand"] = self.chance.randint(1, 9)
        elif kind == "fixed":
            if not policy["fixed"]:
                return
            offence = self.chance.choice(list(policy["fixed"]))
        effect = "game_points"
        if kind == "decision":
            effect = self.chance.choice(
                ["game_points", "game_points", "tournament_points", "warning", "removal", "disqualification"]
            )
            if effect == "game_points":
                bounds = policy["decision"].get(
                    offence, policy["decision"].get("*", {"from": 1, "up_to": 900})
                )
                more["points"] = self.chance.choice(
                    bounds.get("amounts") or [bounds["from"], bounds["up_to"]]
                )
            elif effect == "tournament_points":
                more["points"] = self.chance.choice(["1", "7/2", "1/3"])
            elif effect == "disqualification":
                more |= self._maybe(until="2027-01-31")
        if effect == "game_points" and self.likely(0.3):
            others = [one for one in everybody if one != said["player"]]
            receivers = [*others, *(["table"] * 6 if said["session"] else [])]
            more["to"] = self.chance.choice(receivers)
        yield said | {"offence": offence, "kind": kind, "effect": effect} | more

    def _appeals(self, sessions: list[Json]) -> Iterator[Json]:
        number = 0
        for session in sessions:
            policy = self._rules(session)["appeals"]
            for _ in range(self.chance.choice([0, 0, 1, 2])):
                against = self._against(session)
                if policy is None or not against:
                    continue
                number += 1
                ended = session.get("ended_at", session.get("started_at", instant(BEGIN)))
                filed = datetime.strptime(ended, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
                filed += timedelta(minutes=policy["minutes"])
                yield {
                    "id": f"q{number}",
                    "session": session["number"],
                    "player": self.chance.choice(self.registrations)["player"],
                    "by": self.chance.choice(["player", "team_leader"]),
                    "matter": self.chance.choice(["rules", "other"]),
                    "against": against,
                    "filed_at": instant(filed),
                    "deposit": self.chance.choice(["0", "1000", "12.50", "0.99", "999999999999.99"]),
                    "deposit_returned": self.likely(0.5),
                    "rulings": [*self._rulings(filed)],
                }

    def _against(self, session: Json) -> Json:
        choices: list[Json] = [{"penalty": one["id"]} for one in self.penalties]
        choices += [{"table": one["number"], "hand": 1} for one in session["tables"]]
        choices += [{"table": one["number"]} for one in session["tables"]]
        return self.chance.choice(choices) if choices else {}

    def _rulings(self, filed: datetime) -> Iterator[Json]:
        bodies = self.some(["chief_referee", "committee"])
        for place, body in enumerate(bodies):
            verdict = self.chance.choice(["upheld", "dismissed", "recommended"])
            yield {"by": body, "at": instant(filed + timedelta(hours=place + 1)), "verdict": verdict}

    def _revoke(self, penalties: list[Json], appeals: list[Json]) -> None:
        upheld = [
            one["id"] for one in appeals if any(ruling["verdict"] == "upheld" for ruling in one["rulings"])
        ]
        for one in penalties:
            if upheld and self.likely(0.4):
                one["revoked_by"] = self.chance.choice(upheld)

    def _adjustments(self, sessions: list[Json], appeals: list[Json]) -> Iterator[Json]:
        people = [one["player"] for one in self.registrations]
        for number in range(self.chance.choice([0, 0, 2, 4])):
            session = self.chance.choice([None, *sessions])
            seated = people
            if session and session["state"] == "closed":
                seats = [seat for table in session["tables"] for seat in table["seats"]]
                seated = [
                    one for one in people if any(one in (seat["player"], seat.get("for")) for seat in seats)
                ]
            if not seated:
                continue
            said: Json = {
                "id": self.chance.choice([f"d{number + 1}", f"Adj_{number}"]),
                "session": session["number"] if session else None,
                "player": self.chance.choice(seated),
                "reason": self.chance.choice(REASONS),
            }
            change = self.chance.choice(
                ["game_points", "tournament_points", "result" if session else "game_points"]
            )
            if change == "game_points":
                said |= {"game_points": self.chance.choice([-8, 0, 12, 999_999_999])}
                said |= self._maybe(timing=self.chance.choice(["before", "after"]))
            elif change == "tournament_points":
                said["tournament_points"] = self.chance.choice(FRACTIONS)
            else:
                said["result"] = self._result()
            if appeals and self.likely(0.4):
                said["appeal"] = self.chance.choice(appeals)["id"]
            yield said


def instant(moment: datetime) -> str:
    """Write an instant as records do."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def moved(record: Json, slug: str) -> Json:
    """Return the same record under another address."""
    other = deepcopy(record)
    other["declared"]["tournament"]["slug"] = slug
    return other
