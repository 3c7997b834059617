"""The offences that can be given in a tournament: those of its system as its regulation answers them, and its own."""

from collections.abc import Iterator, Mapping

from scoring.regulation import PenaltyRules
from scoring.systems import SYSTEMS
from scoring.systems.offences import OTHER, Mode, Offence


def offences(system: str, rules: PenaltyRules) -> list[Offence]:
    """List what can be given: the system's own offences as the regulation answers them, then the organizer's."""
    named = {offence.code: offence for offence in SYSTEMS[system].offences}
    own = [Offence(code, code.replace("_", " ").capitalize(), "RULES 1.1") for code in _added(rules, named)]
    return [*(_as_regulated(offence, rules) for offence in (*named.values(), *own)), OTHER]


def offence(system: str, rules: PenaltyRules, code: str) -> Offence | None:
    """Find an offence by its code."""
    return next((one for one in offences(system, rules) if one.code == code), None)


def _added(rules: PenaltyRules, named: Mapping[str, Offence]) -> Iterator[str]:
    """Name the codes that only the regulation knows."""
    known = [
        *(code for ladder in rules.ladders for code in ladder.offences),
        *rules.fixed,
        *(code for code in rules.decision if code != "*"),
    ]
    yield from (code for code in dict.fromkeys(known) if code not in named)


def _as_regulated(offence: Offence, rules: PenaltyRules) -> Offence:
    """Answer an offence as the regulation does: by its ladder, at its price, else as the rulebook says."""
    if rules.ladder_of(offence.code):
        mode = Mode.LADDER
    elif offence.code in rules.fixed:
        mode = Mode.FIXED
    elif offence.mode in {Mode.LADDER, Mode.FIXED}:
        mode = Mode.DECISION
    else:
        mode = offence.mode
    return Offence(offence.code, offence.name, offence.clause, mode, offence.to)
