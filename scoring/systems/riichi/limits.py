"""From han and minipoints to the base that opponents pay: the formula below five han, the limits above."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.problems import Problem, Refusal, gettext_noop

MOST_HAN = 13
"""A hand counts no more, whatever its yaku add up to. [RIICHI 4.2]"""

BASES: dict[str, int] = {
    "mangan": 2000,
    "haneman": 3000,
    "baiman": 4000,
    "sanbaiman": 6000,
    "counted_yakuman": 8000,
    "yakuman": 8000,
}
"""What each opponent who is not East pays a winner from the wall who is not East. [RIICHI 4.1.3]"""

TITLES: dict[str, str] = {
    "mangan": gettext_noop("Mangan"),
    "haneman": gettext_noop("Haneman"),
    "baiman": gettext_noop("Baiman"),
    "sanbaiman": gettext_noop("Sanbaiman"),
    "counted_yakuman": gettext_noop("Counted yakuman"),
    "yakuman": gettext_noop("Yakuman"),
}

TIMES: dict[int, str] = {
    2: gettext_noop("Double yakuman"),
    3: gettext_noop("Triple yakuman"),
    4: gettext_noop("Fourfold yakuman"),
    5: gettext_noop("Fivefold yakuman"),
    6: gettext_noop("Sixfold yakuman"),
}
"""What a hand of several yakuman is called, where they add up. [RULES 9.33]"""


class YakumanCount(StrEnum):
    """How many yakuman a hand of several is paid for. [RIICHI 4.2] [RULES 9.33]"""

    ONE = "one"
    SEVERAL = "several"
    DOUBLE = "double"


LIMIT_UNKNOWN = gettext_noop("There is no limit “%(limit)s” that %(han)s han could lead to.")


@dataclass(frozen=True)
class Limits:
    """From how many han on a hand has which limit, and whether yakuman add up. [RULES 8.27] [RULES 9.33]"""

    least_han: tuple[tuple[int, str], ...]
    yakuman: YakumanCount = YakumanCount.ONE

    @classmethod
    def of(cls, rules: Mapping[str, object]) -> "Limits":
        """Take the limits of a regulation; what it leaves out is as in EMA 2016."""
        written = rules.get("limits")
        limits = cls.read(written) if isinstance(written, Mapping) else EMA_LIMITS
        return replace(limits, yakuman=YakumanCount(str(rules.get("yakuman", YakumanCount.ONE))))

    @classmethod
    def read(cls, least_han: Mapping[str, str]) -> "Limits":
        """Take the limits as a regulation writes them, or refuse what is none."""
        wrong = [
            Problem("limits", LIMIT_UNKNOWN, field="limits", clause="RULES 8.27", details=_shown(han, name))
            for han, name in least_han.items()
            if not _is_step(han, name)
        ]
        if wrong:
            raise Refusal(*wrong)
        return cls(tuple(sorted(((int(han), name) for han, name in least_han.items()), reverse=True)))

    @property
    def names(self) -> tuple[str, ...]:
        """List the limits a hand can reach: by han, the mangan that caps the formula, and the yakuman."""
        return tuple(name for name in BASES if name in ("mangan", "yakuman", *dict(self.least_han).values()))

    def by_han(self, han: int) -> str:
        """Name the limit that the han alone make, or nothing."""
        for least, name in self.least_han:
            if han >= least:
                return name
        return ""

    def name(self, han: int, fu: int) -> str:
        """Name the limit of a hand: by its han, or mangan when the formula gives more than that. [RIICHI 4.1.2]"""
        return self.by_han(han) or ("mangan" if formula(han, fu) > BASES["mangan"] else "")

    def base(self, han: int, fu: int) -> int:
        """Return the base of a hand; nothing is rounded up to mangan. [RIICHI 4.1.2] [RULES 8.27]"""
        name = self.name(han, fu)
        return BASES[name] if name else formula(han, fu)


def title_of(name: str, times: int) -> str:
    """Name a limit, or how many yakuman it is."""
    return TIMES[times] if times > 1 else TITLES[name]


def clause_of_limit(name: str, han: int, limits: Limits) -> str:
    """Cite by which clause a hand has its limit: by its han, or the mangan that caps the formula. [RIICHI 4.1.2] [RIICHI 4.1.3]"""
    if not name:
        return ""
    return "RIICHI 4.1.3, RULES 8.27" if limits.by_han(han) == name else BY_NAME.get(name, "RIICHI 4.1.3")


BY_NAME = {"mangan": "RIICHI 4.1.2", "yakuman": "RIICHI 4.2.5"}
"""Clauses of the limits that the number of han does not give."""


def formula(han: int, fu: int) -> int:
    """Double the minipoints as often as there are han, and twice more. [RIICHI 4.1.2]"""
    return fu << (han + 2)


def _is_step(han: object, name: object) -> bool:
    is_han = isinstance(han, str) and han.isdecimal() and 1 <= int(han) <= MOST_HAN
    return is_han and name in BASES


def _shown(han: object, name: object) -> dict[str, object]:
    return {"han": han, "limit": name}


EMA_LIMITS = Limits.read(
    {"5": "mangan", "6": "haneman", "8": "baiman", "11": "sanbaiman", "13": "counted_yakuman"}
)
"""The limits unless an organizer chooses others. [RULES 8.27]"""
