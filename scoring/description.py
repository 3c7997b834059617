"""A regulation in plain sentences, in either language, and what sets it apart from another."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from scoring.problems import gettext_noop
from scoring.regulation import (
    FIELDS,
    Bounds,
    Carry,
    GivenResult,
    GroupMode,
    Ladder,
    LadderMode,
    LadderScope,
    LastHand,
    LatenessBand,
    PlaceRule,
    PlayerField,
    ProtocolMode,
    Regulation,
    SeatingMode,
    SeatWinds,
    Stage,
    TieRule,
    Timing,
    differences,
    money,
)
from scoring.systems import SYSTEMS
from scoring.systems.system import System
from scoring.terms import speaking
from scoring.words import counted, fill, translate

DECIMAL_MARKS = {"ru": ","}


class Said(NamedTuple):
    """A sentence with its details: plain values, or lists of names that are translated one by one."""

    sentence: str
    details: Mapping[str, object] = {}

    def told(self, language: str = "en") -> str:
        """Return the sentence in the language."""
        details = {name: _in_words(detail, language) for name, detail in self.details.items()}
        return fill(self.sentence, details, language)


class OneOf(tuple[Fraction | int, ...]):
    """Amounts of which one is chosen."""

    def told(self, language: str) -> str:
        """Return the amounts, the last one after an “or”."""
        if len(self) < 2:
            return "".join(_number(each, language) for each in self)
        *others, last = (_number(each, language) for each in self)
        return fill(
            gettext_noop("%(amounts)s or %(last)s"), {"amounts": ", ".join(others), "last": last}, language
        )


@dataclass(frozen=True)
class Difference:
    """A field in which two regulations differ: its name for people, what it says here, and what it says there."""

    field: str
    label: str
    clause: str
    here: tuple[str, ...]
    there: tuple[str, ...]


def describe(
    regulation: Regulation,
    system: str,
    language: str = "en",
    *,
    house_rules: Iterable[str] = (),
    currency: str = "",
) -> list[str]:
    """Tell the regulation of a system in whole sentences, in the order of its fields, and the house rules last. [RULES 1.1]"""
    with speaking(SYSTEMS[system].terms):
        said = (one for name in FIELDS for one in sentences(name, regulation, system, currency=currency))
        told = [one.told(language) for one in said]
        return told + [translate(rule, language) for rule in house_rules]


def describe_house_rules(rules: Mapping[str, Any], system: str, language: str = "en") -> list[str]:
    """Tell the settings that are played otherwise than the rulebook has it, as far as those at the table must know them.

    [RULES 9.33] [RULES 9.34] [RULES 9.35]
    """
    known = SYSTEMS[system]
    settings = [(known.settings[name], rules.get(name)) for name in known.blank.house_rules]
    with speaking(known.terms):
        return [
            Said(*sentence).told(language)
            for setting, value in settings
            if value and value != setting.unsaid
            for sentence in setting.told(value)
        ]


def sentences(name: str, regulation: Regulation, system: str, *, currency: str = "") -> Iterable[Said]:
    """Tell one field of a regulation; what depends on the system is told in its words, and the fee in its currency."""
    if name == "entry_fee" and regulation.entry_fee and currency:
        said = {"fee": regulation.entry_fee, "currency": currency}
        return [Said(gettext_noop("The entry fee is %(fee)s %(currency)s."), said)]
    if name in OF_THE_SYSTEM:
        return OF_THE_SYSTEM[name](regulation, SYSTEMS[system])
    return OF_ALL[name](regulation)


def describe_stages(regulation: Regulation, language: str = "en", *, until: int) -> list[str]:
    """Tell of the stages that have begun by a session, so that totals that carry only a part explain themselves.

    [RULES 9.7]
    """
    begun = (stage for stage in regulation.stages if stage.from_session <= until)
    return [said.told(language) for stage in begun for said in _stage(stage)]


def describe_differences(
    here: Regulation, there: Regulation, system: str, language: str = "en"
) -> list[Difference]:
    """Tell in what a regulation differs from another of its system, for example from its preset. [RULES 1.1]"""
    with speaking(SYSTEMS[system].terms):
        return [
            Difference(
                name,
                translate(FIELDS[name].label, language),
                FIELDS[name].clause,
                tuple(said.told(language) for said in sentences(name, here, system)),
                tuple(said.told(language) for said in sentences(name, there, system)),
            )
            for name in differences(here, there)
        ]


def describe_change(
    here: Regulation, system: str, there: Regulation, other: str, language: str = "en"
) -> list[Difference]:
    """Tell what changes where an event is played again by another system: each side in its own system's words. [RULES 1.1]"""

    def told(name: str, regulation: Regulation, code: str) -> tuple[str, ...]:
        with speaking(SYSTEMS[code].terms):
            return tuple(said.told(language) for said in sentences(name, regulation, code))

    sides = ((name, told(name, here, system), told(name, there, other)) for name in FIELDS)
    return [
        Difference(name, translate(FIELDS[name].label, language), FIELDS[name].clause, one, two)
        for name, one, two in sides
        if one != two
    ]


def _in_words(detail: object, language: str) -> object:
    if isinstance(detail, Said | OneOf):
        return detail.told(language)
    if isinstance(detail, tuple):
        return ", ".join(str(_in_words(part, language)) for part in detail)
    if isinstance(detail, str):
        return translate(detail, language)
    if isinstance(detail, Decimal):
        return money(detail).replace(".", DECIMAL_MARKS.get(language, "."))
    return _number(detail, language) if isinstance(detail, int | Fraction) else detail


def _number(value: int | Fraction, language: str) -> str:
    """Write a number as people do: with a minus sign, and a whole one with its thousands separated."""
    return counted(value, language) if isinstance(value, int) else str(value).replace("-", "−")


def _time(seconds: int) -> str:
    """Write so many seconds as minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02d}"


# One function a field


def _sessions(rules: Regulation) -> Iterator[Said]:
    yield Said(gettext_noop("Sessions: %(count)s."), {"count": rules.sessions})


def _session_minutes(rules: Regulation) -> Iterator[Said]:
    yield Said(gettext_noop("A session lasts %(minutes)s min."), {"minutes": rules.session_minutes})


def _warning_minutes(rules: Regulation) -> Iterator[Said]:
    if rules.warning_minutes:
        sentence = gettext_noop("The end is announced %(minutes)s min before.")
        yield Said(sentence, {"minutes": rules.warning_minutes})
    else:
        yield Said(gettext_noop("The end is not announced beforehand."))


def _last_hand(rules: Regulation) -> Iterator[Said]:
    yield Said(LAST_HANDS[rules.last_hand])


def _hands_limit(rules: Regulation) -> Iterator[Said]:
    if rules.hands_limit is None:
        yield Said(gettext_noop("The number of hands in a session is not limited."))
    else:
        yield Said(gettext_noop("Hands in a session, at most: %(count)s."), {"count": rules.hands_limit})


def _table_size(rules: Regulation) -> Iterator[Said]:
    yield Said(gettext_noop("Players at a table: %(count)s."), {"count": rules.table_size})


def _smallest_table(rules: Regulation) -> Iterator[Said]:
    if rules.smallest_table == rules.table_size:
        yield Said(gettext_noop("Only full tables play."))
    else:
        sentence = gettext_noop("An incomplete table plays with %(count)s players or more.")
        yield Said(sentence, {"count": rules.smallest_table})


def _seating(rules: Regulation) -> Iterator[Said]:
    yield Said(SEATINGS[rules.seating])


def _seat_winds(rules: Regulation) -> Iterator[Said]:
    yield Said(WINDS[rules.seat_winds])


def _keep_apart(rules: Regulation) -> Iterator[Said]:
    if rules.keep_apart:
        sentence = gettext_noop("Players are kept from one table when they have in common: %(fields)s.")
        yield Said(sentence, {"fields": tuple(PLAYER_FIELDS[field] for field in rules.keep_apart)})
    else:
        yield Said(gettext_noop("The draw ignores clubs and countries."))


def _max_players(rules: Regulation) -> Iterator[Said]:
    if rules.max_players is None:
        yield Said(gettext_noop("The number of players is not limited."))
    else:
        yield Said(gettext_noop("Players, at most: %(count)s."), {"count": rules.max_players})


def _assistants_substitute(rules: Regulation) -> Iterator[Said]:
    """Tell who of the referees may play: the chief referee never. [RIICHI reg. 5.5] [RIICHI reg. 5.6]"""
    yield Said(gettext_noop("The chief referee does not play."))
    if rules.assistants_substitute:
        yield Said(gettext_noop("Assistants of the chief referee may sit as substitutes."))
    else:
        yield Said(gettext_noop("Assistants of the chief referee may not sit as substitutes."))


def _entry_fee(rules: Regulation) -> Iterator[Said]:
    if rules.entry_fee:
        yield Said(gettext_noop("The entry fee is %(fee)s."), {"fee": rules.entry_fee})
    else:
        yield Said(gettext_noop("There is no entry fee."))


def _team_size(rules: Regulation) -> Iterator[Said]:
    if rules.team_size is None:
        yield Said(gettext_noop("The size of teams is not limited."))
    else:
        yield Said(gettext_noop("Players in a team: %(count)s."), {"count": rules.team_size})


def _protocol(rules: Regulation) -> Iterator[Said]:
    yield Said(PROTOCOLS[rules.protocol])


def _start_points(rules: Regulation) -> Iterator[Said]:
    if rules.start_points:
        sentence = gettext_noop("Points at the start of a session: %(points)s each.")
        yield Said(sentence, {"points": rules.start_points})
    else:
        yield Said(gettext_noop("Every session begins from zero."))


def _points_unit(rules: Regulation) -> Iterator[Said]:
    if rules.points_unit > 1:
        yield Said(gettext_noop("All amounts are multiples of %(unit)s."), {"unit": rules.points_unit})
    else:
        yield Said(gettext_noop("Amounts are whole numbers."))


def _tournament_points(rules: Regulation) -> Iterator[Said]:
    if rules.tournament_points is None:
        yield Said(gettext_noop("No tournament points are given."))
    sentence = gettext_noop("Tournament points by place, %(players)s at the table: %(points)s.")
    for players, row in sorted((rules.tournament_points or {}).items(), reverse=True):
        yield Said(sentence, {"players": players, "points": row})


def _tie_rule(rules: Regulation) -> Iterator[Said]:
    """Tell how equal players share; where places bring nothing, there is nothing to share."""
    if rules.tournament_points is not None or rules.uma is not None:
        yield Said(TIES[rules.tie_rule])


def _place_rule(rules: Regulation) -> Iterator[Said]:
    yield Said(PLACES[rules.place_rule])


def _uma(rules: Regulation, system: System) -> Iterator[Said]:
    """Tell the uma; where the system knows none, nothing is said of it."""
    if rules.uma is None and system.has_uma:
        yield Said(gettext_noop("There is no uma."))
    elif rules.uma is not None:
        yield Said(gettext_noop("Uma by place, in thousands: %(points)s."), {"points": rules.uma})


def _return_points(rules: Regulation) -> Iterator[Said]:
    """Tell the oka with what it makes of the uma; where no points are returned, nothing is said of it. [RULES 9.31]"""
    if rules.return_points is not None:
        details = {"points": rules.return_points, "uma": rules.uma_of(rules.table_size) or ()}
        yield Said(OKA, details)


def _fixed_result(rules: Regulation) -> Iterator[Said]:
    sentence = gettext_noop("Who is replaced or absent gets: %(result)s.")
    yield Said(sentence, {"result": _given(rules.fixed_result, rules)})


def _awarded_result(rules: Regulation) -> Iterator[Said]:
    sentence = gettext_noop("A player without a table gets: %(result)s.")
    yield Said(sentence, {"result": _given(rules.awarded_result, rules)})


def _given(result: GivenResult, rules: Regulation) -> tuple[Said, ...]:
    """Tell a given result; where no TP are given, none are told."""
    parts = [Said(gettext_noop("%(points)s GP"), {"points": result.game_points})]
    if result.tournament_points is not None and rules.tournament_points is not None:
        parts.insert(0, Said(gettext_noop("%(points)s TP"), {"points": result.tournament_points}))
    if result.place is None:
        return (*parts, Said(gettext_noop("no place")))
    return (*parts, Said(gettext_noop("place %(place)s"), {"place": result.place}))


def _ranking(rules: Regulation) -> Iterator[Said]:
    sentence = gettext_noop("Places in the standings are decided in this order: %(criteria)s.")
    yield Said(sentence, {"criteria": tuple(criterion.name for criterion in rules.ranking)})


def _group_tables(rules: Regulation) -> Iterator[Said]:
    for table in rules.group_tables:
        details = {
            "field": PLAYER_FIELDS[table.by],
            "count": table.best or 0,
            "criteria": tuple(criterion.name for criterion in table.ranking),
        }
        yield Said(GROUPS[table.mode], details)
    if not rules.group_tables:
        yield Said(gettext_noop("There are no team or group tables."))


def _penalties(rules: Regulation, system: System) -> Iterator[Said]:
    policy = rules.penalties
    yield Said(TIMINGS[policy.timing])
    for ladder in policy.ladders:
        yield _ladder(ladder, system)
    for offence, points in policy.fixed.items():
        sentence = gettext_noop("“%(offence)s” costs %(points)s points.")
        yield Said(sentence, {"offence": _offence(offence, system), "points": points})
    for offence, bounds in policy.decision.items():
        yield _bounds(_offence(offence, system), bounds)


def _ladder(ladder: Ladder, system: System) -> Said:
    details = {
        "offences": tuple(_offence(code, system) for code in ladder.offences),
        "steps": ladder.steps,
        "scope": SCOPES[ladder.scope],
    }
    return Said(LADDERS[ladder.mode], details)


def _bounds(offence: str, bounds: Bounds) -> Said:
    details = {
        "offence": offence,
        "amounts": OneOf(bounds.amounts),
        "least": bounds.least or 0,
        "most": bounds.most or 0,
    }
    if bounds.least is None:
        return Said(gettext_noop("“%(offence)s”: the referee decides: %(amounts)s."), details)
    return Said(gettext_noop("“%(offence)s”: the referee decides: from %(least)s to %(most)s."), details)


def _offence(code: str, system: System) -> str:
    """Name an offence as its system does within a sentence, else as another system does; an organizer's own by its code."""
    if code == "*":
        return ANY_OTHER
    named = (offence for one in (system, *SYSTEMS.values()) for offence in one.offences)
    return next((offence.within for offence in named if offence.code == code and offence.within), code)


def _lateness(rules: Regulation) -> Iterator[Said]:
    if rules.lateness is None:
        yield Said(gettext_noop("Lateness costs nothing by itself."))
        return
    for band in rules.lateness.bands:
        yield _band(band)
    yield Said(gettext_noop("Anyone later is replaced."))


def _band(band: LatenessBand) -> Said:
    limit = band.below if band.below is not None else band.up_to or 0
    details = {"limit": _time(limit), "points": band.points or band.per_minute or 0}
    return Said(BANDS[band.below is not None, band.per_minute is not None], details)


def _appeals(rules: Regulation, system: System) -> Iterator[Said]:
    """Tell who may appeal; where the chief referee is final, an assistant's decision goes no further. [RIICHI reg. 5.4] [RULES 8.53]"""
    policy = rules.appeals
    if policy is None:
        yield Said(CHIEF_IS_FINAL if system.final_referee_clause else NO_APPEALS)
        return
    sentence = gettext_noop("Appeals are filed within %(minutes)s min after the session, without a deposit.")
    if policy.deposit_fees:
        sentence = gettext_noop(
            "Appeals are filed within %(minutes)s min after the session; the deposit is %(fees)s × the entry fee."
        )
    yield Said(sentence, {"minutes": policy.minutes, "fees": policy.deposit_fees})
    if policy.committee:
        yield Said(
            gettext_noop(
                "The chief referee decides on rules, then the committee; others go to the committee."
            )
        )
    else:
        yield Said(gettext_noop("There is no committee: the chief referee decides all appeals."))


def _system_rules(rules: Regulation, system: System) -> Iterator[Said]:
    """Tell the settings of the ruleset, and what those mean that are not said. [RULES 8.23] [RULES 8.24] [RULES 8.25] [RULES 8.27] [RULES 8.44]"""
    for name, setting in system.settings.items():
        value = rules.system_rules.get(name, setting.unsaid)
        yield from (Said(*sentence) for sentence in setting.told(value))
    yield from (Said(sentence) for sentence in system.always)


def _stages(rules: Regulation) -> Iterator[Said]:
    """Tell where a stage begins, what it carries over, and who plays on. [RULES 9.7]"""
    for stage in rules.stages:
        yield from _stage(stage)


def _stage(stage: Stage) -> Iterator[Said]:
    sentence = gettext_noop("A new stage begins with session %(session)s.")
    yield Said(sentence, {"session": stage.from_session})
    yield Said(CARRIES[stage.carry])
    if stage.cut is not None:
        yield Said(gettext_noop("The first %(players)s of the standings play on."), {"players": stage.cut})


OF_THE_SYSTEM: Mapping[str, Callable[[Regulation, System], Iterable[Said]]] = {
    "appeals": _appeals,
    "penalties": _penalties,
    "system_rules": _system_rules,
    "uma": _uma,
}
"""Fields in which the words of a system stand, or on which its rulebook has a word of its own."""

OF_ALL: Mapping[str, Callable[[Regulation], Iterable[Said]]] = {
    name: globals()[f"_{name}"] for name in FIELDS if name not in OF_THE_SYSTEM
}
"""How every other field of the regulation is told."""

OKA = gettext_noop(
    "Oka: at the end everybody returns %(points)s points, and the first takes what is above the start. With uma the places bring, in thousands: %(uma)s."
)
NO_APPEALS = gettext_noop("Decisions cannot be appealed.")
CHIEF_IS_FINAL = gettext_noop(
    "The chief referee's decisions are final; a decision of an assistant can be taken to the chief referee, without a deposit."
)
ANY_OTHER = gettext_noop("any other offence")
CARRIES = {
    Carry.FULL: gettext_noop("All points gathered so far are carried over."),
    Carry.HALF: gettext_noop("Half of the points gathered so far are carried over."),
    Carry.NONE: gettext_noop("Everybody begins it without points."),
}
LAST_HANDS = {
    LastHand.FINISH_BEGUN: gettext_noop("A hand that has begun is played out."),
    LastHand.ONE_MORE: gettext_noop(
        "The hand in play at the warning is the last; one more if the dice have just been thrown."
    ),
    LastHand.RED_ZONE: gettext_noop("After the warning only hands that have begun are finished."),
}
AT_WARNING = {
    LastHand.FINISH_BEGUN: gettext_noop("The session ends soon."),
    LastHand.ONE_MORE: gettext_noop(
        "The hand in play is the last one. If its dice had only just been thrown, one more is played."
    ),
    LastHand.RED_ZONE: gettext_noop("Red zone: hands that have begun are finished, no new hand begins."),
}
"""What is called out when the warning sounds. [RULES 1.4] [RIICHI 5.9] [RIICHI reg. 6.1.2]"""
AT_END = {
    LastHand.FINISH_BEGUN: gettext_noop("Time is over. The hand in play is finished, no new hand begins."),
    LastHand.ONE_MORE: gettext_noop("Time is over. The last hand is finished, no new hand begins."),
    LastHand.RED_ZONE: gettext_noop("Time is over. A hand still in play is finished in the break."),
}
"""What is called out at the end. [RULES 1.4] [RIICHI reg. 6.1.2]"""
SEATINGS = {
    SeatingMode.FIXED: gettext_noop("All sessions are seated in advance."),
    SeatingMode.PROGRAMMED: gettext_noop("A program draws the seats before each session."),
    SeatingMode.SWISS: gettext_noop("Players are seated by their standing before each session."),
    SeatingMode.RANDOM: gettext_noop("Seats are drawn by lot before each session."),
}
WINDS = {
    SeatWinds.SCHEDULE: gettext_noop("The schedule gives the winds at the table."),
    SeatWinds.DRAW: gettext_noop("The winds at the table are drawn."),
}
PROTOCOLS = {
    ProtocolMode.HANDS: gettext_noop("Every hand is recorded."),
    ProtocolMode.FINAL_RESULT: gettext_noop("Only the final points of each player are recorded."),
}
TIES = {
    TieRule.SPLIT: gettext_noop("Players with equal points split what their places bring."),
    TieRule.BEST: gettext_noop("Players with equal points each get what the best of their places brings."),
    TieRule.SEAT_ORDER: gettext_noop(
        "Of players with equal points the one nearest to the first dealer in turn gets what the better place brings."
    ),
}
PLACES = {
    PlaceRule.AVERAGE: gettext_noop("The place of players with equal points is the average of their places."),
    PlaceRule.BEST: gettext_noop("The place of players with equal points is the best of their places."),
    PlaceRule.SEAT_ORDER: gettext_noop(
        "Of players with equal points the one nearest to the first dealer in turn has the better place."
    ),
}
TIMINGS = {
    Timing.BEFORE: gettext_noop("Penalties count before the places at the table are given."),
    Timing.AFTER: gettext_noop("Penalties are taken after the game; places at the table stay."),
}
SCOPES = {
    LadderScope.SESSION: gettext_noop("in a session"),
    LadderScope.ROUND: gettext_noop("in a round"),
    LadderScope.TOURNAMENT: gettext_noop("in the tournament"),
}
LADDERS = {
    LadderMode.TOTAL: gettext_noop(
        "Counted together %(scope)s: %(offences)s. What all of them cost, from the first on: %(steps)s."
    ),
    LadderMode.EACH: gettext_noop(
        "Counted together %(scope)s: %(offences)s. What each of them costs, from the first on: %(steps)s."
    ),
}
GROUPS = {
    GroupMode.SUM: gettext_noop("Table by %(field)s: the sum of all members, by %(criteria)s."),
    GroupMode.AVERAGE: gettext_noop("Table by %(field)s: the average of all members, by %(criteria)s."),
    GroupMode.BEST: gettext_noop(
        "Table by %(field)s: the sum of the best members (%(count)s), by %(criteria)s."
    ),
}
BANDS = {
    (True, False): gettext_noop("Late by less than %(limit)s: %(points)s points."),
    (False, False): gettext_noop("Late by up to %(limit)s: %(points)s points."),
    (True, True): gettext_noop("Late by less than %(limit)s: %(points)s points for every begun minute."),
    (False, True): gettext_noop("Late by up to %(limit)s: %(points)s points for every begun minute."),
}
PLAYER_FIELDS = {
    PlayerField.TEAM: gettext_noop("team"),
    PlayerField.CLUB: gettext_noop("club"),
    PlayerField.COUNTRY: gettext_noop("country"),
    PlayerField.REGION: gettext_noop("region"),
    PlayerField.CITY: gettext_noop("city"),
    PlayerField.GROUP: gettext_noop("group"),
}
