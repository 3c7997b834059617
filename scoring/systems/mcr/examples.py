"""Every example hand that the rulebook of sport mahjong prints, with the fans that it prints.

An example leaves open which sets were declared and how the hand was won; where that matters, `Printed.manner` holds the fans of
the way that was chosen here. Printed lists of combining fans are not always whole: what they leave out stands in `unlisted`
with its reason, and what the clauses forbid of what they print in `overruled`.
"""

from dataclasses import dataclass, field

from scoring.examples import Example
from scoring.systems.mcr.fans import clause_of

LIST_NOT_WHOLE = "the printed list leaves it out, and no clause excludes it"


@dataclass(frozen=True)
class Printed:
    """A printed example: its number, the hand, the fan itself with those printed beside it."""

    name: str
    hand: str
    printed: dict[int, int]
    flags: tuple[str, ...] = ()
    seat: str = "S"
    round_: str = "W"
    manner: dict[int, int] = field(default_factory=dict)
    unlisted: dict[int, tuple[int, str]] = field(default_factory=dict)
    overruled: dict[int, str] = field(default_factory=dict)

    @property
    def expected(self) -> dict[int, int]:
        """Return the fans that must come out."""
        kept = {number: count for number, count in self.printed.items() if number not in self.overruled}
        more = {number: count for number, (count, _) in self.unlisted.items()}
        return dict(sorted((kept | self.manner | more).items()))


def once(*numbers: int) -> dict[int, int]:
    """Count each of the fans once."""
    return dict.fromkeys(numbers, 1)


SELF_DRAW = ("self_drawn",)

PRINTED: tuple[Printed, ...] = (
    # Special hands. The source prints 20 and 34 under each other's numbers [RULES 8.15].
    Printed("20", "123z 4z 765z 147m 25p 3s + 9s", once(20)),
    Printed("20 from the wall", "123z 4z 765z 147m 25p 3s + 9s", once(20, 56), SELF_DRAW),
    Printed("35 (1)", "147s 258m 36p 33m (444s) + 9p", once(35, 64, 76)),
    Printed("35 (2)", "47m 258p 369s 66s (123p) + 1m", once(35, 63)),
    Printed("35 (3)", "47p 258s 369m 77z (111z) + 1p", once(35, 52, 73)),
    Printed("19 (1)", "22s 33m 77p 11z 44z 77z 5z + 5z", once(19, 52)),
    Printed(
        "19 (2)",
        "11m 11s 11p 99m 99s 999p + 9p",
        once(19, 8),
        unlisted={64: (1, "four of a kind counts in Seven Pairs [RULES 8.18]")},
    ),
    Printed("19 (3)", "11z 22z 33z 44z 77z 66z 5z + 5z", once(19, 11)),
    Printed("34 (1)", "147m 258s 123z 765z 3p + 6p", once(34)),
    Printed("34 (2)", "147m 258p 123z 765z 3s + 9s", once(34)),
    Printed("34 (3)", "147m 258s 369p 123z 7z + 6z", once(34, 35)),
    Printed("4", "1112345678999m + 1m", once(4, 28, 64)),
    Printed("6", "2233445566778p + 8p", once(6, 68)),
    Printed("7", "19p 19s 19m 1234z 765z + 1p", once(7)),
    # Single elements
    Printed("64", "(777m) (789m) (789s) 78p 33p + 9p", once(64, 41, 76)),
    # Chows
    Printed("23", "(456m) (456m) (456m) 45p 55p + 6p", once(23, 26, 31, 63, 70, 75)),
    Printed("14", "(123m) (123m) 123m 23m 44m + 1m", once(14, 22, 37, 63)),
    Printed("41 (1)", "(345s) (345p) (345m) 56m 44m + 4m", once(41, 63, 68, 64)),
    Printed("41 (2)", "(678m) (678s) (678p) 67p 99s + 8p", once(41, 36, 63, 69)),
    Printed("39 (1)", "(123s) (123s) (456p) 78m 88p + 9m", once(39, 63, 69)),
    Printed("39 (2)", "(123m) (456s) (456p) 78p 77m + 9p", once(39, 63, 70)),
    Printed("28 (1)", "(123m) (456m) (789m) 23m 77m + 1m", once(28, 22, 63, 69)),
    Printed("28 (2)", "(123s) (456s) (777p) 78s 99p + 9s", once(28, 76, 75)),
    Printed("51", "(123s) (234m) (345p) 56s 55m + 4s", once(51, 63, 71)),
    Printed("30 (1)", "(234s) (123p) (234p) 34p 22s + 5p", once(30, 63, 70, 75)),
    Printed("30 (2)", "(123s) (345s) (345s) 67s 22s + 5s", once(30, 22, 63, 69)),
    Printed("30 (3)", "(123m) (345m) (888p) 67m 77s + 5m", once(30, 76)),
    Printed("29", "(123m) (789m) (123p) 78p 55s + 9p", once(29)),
    Printed("16 (1)", "(123m) (234m) (345m) 56m 11m + 4m", once(16, 22, 63)),
    Printed("16 (2)", "(123s) (345s) (567s) 78s 55p + 9s", once(16, 63, 75)),
    Printed("13", "(123s) (123s) (789s) 78s 55s + 9s", once(13)),
    # Pungs and kongs
    Printed("65", "(222m) (555m) (555s) 88p 44p + 8p", once(65, 49, 68)),
    Printed("32 (1)", "(333m) (333s) (333p) 34s 44m + 2s", once(32, 37, 64, 68)),
    Printed(
        "32 (2)",
        "(111m) (111s) (111p) 99p 99s + 9p",
        once(32, 8, 49),
        overruled={49: "fan 8 excludes it by its clause [RULES 8.20]"},
    ),
    Printed("42 (1)", "(222p) (333s) (333p) 44m 22m + 4m", once(42, 37, 49, 65, 68)),
    Printed("42 (2)", "(777m) (888s) (789p) 99p 99m + 9p", once(42, 25, 64, 73)),
    Printed("24", "(222s) (333s) (444s) 33p 22p + 3p", once(24, 37, 49, 68, 65, 75)),
    Printed(
        "15",
        "(111p) (222p) (333p) 44p 22s + 4p",
        once(15, 37, 75, 40, 73),
        overruled={75: "fan 40 excludes it by its clause [RULES 8.20]"},
    ),
    Printed("66", "(789m) [9999p] 999s 12m 55m + 3m", once(66, 65, 67, 72, 76, 77) | {73: 2}),
    Printed("33 (1)", "(999m) 111s 111z 77z 99p + 7z", once(33, 18, 52, 59), SELF_DRAW, manner=once(80)),
    Printed("33 (2)", "(123s) 444s 777s 88s 55s + 8s", once(33, 22), SELF_DRAW, manner=once(80)),
    Printed("12", "222s 222p 333p 44m 33m + 4m", once(12, 37, 42, 65, 68), SELF_DRAW, manner=once(56)),
    Printed("57 (1)", "(4444p) (4444m) (777z) 11m 33m + 1m", once(57, 49, 59, 65, 73, 75)),
    Printed("57 (2)", "[2222p] (5555z) (666s) 35p 44s + 4p", once(57, 67, 40, 59, 78)),
    Printed(
        "48", "[1111s] [1111z] (222z) (789m) 8m + 8m", once(48, 75, 80, 79) | {73: 3}, SELF_DRAW, seat="N"
    ),
    Printed(
        "17",
        "(2222m) (3333m) (4444m) 22s 33s + 2s",
        once(17, 24, 37, 65, 68, 75),
        unlisted={49: (1, LIST_NOT_WHOLE)},
    ),
    Printed("5 (1)", "(2222s) (5555m) (7777p) (1111z) 7z + 7z", once(5, 52, 73), SELF_DRAW, manner=once(80)),
    Printed(
        "5 (2)",
        "(1111m) (2222s) (3333p) (1111s) 4m + 4m",
        once(5, 37, 42, 65) | {73: 2},
        SELF_DRAW,
        manner=once(80),
    ),
    Printed("5 (3)", "(7777z) (6666z) (5555z) (4444z) 1z + 1z", once(5, 2, 11), SELF_DRAW, manner=once(80)),
    # Dragons and winds
    Printed("54", "(123m) (789m) (777z) 66z 88s + 6z", once(54, 72, 75)),
    Printed("10 (1)", "(111p) (999p) (777z) 66z 55z + 6z", once(10, 18, 50)),
    Printed("10 (2)", "(123s) (111p) (777z) 55z 66z + 5z", once(10, 55, 73, 75)),
    Printed("10 (3)", "(111z) (444z) (666z) 55z 77z + 5z", once(10, 11)),
    Printed("2 (1)", "(777z) (666z) (111m) 55z 99p + 5z", once(2, 18, 75)),
    Printed("2 (2)", "(777z) (666z) (111z) 55z 33z + 5z", once(2, 11)),
    Printed("2 (3)", "(777z) (666z) (555z) 45s 55s + 6s", once(2, 50)),
    Printed("38 (1)", "(999m) (111z) (222z) 33z 99s + 3z", once(38, 18, 75), seat="N", round_="N"),
    Printed("38 (2)", "(111z) (333z) (444z) 34m 55m + 2m", once(38, 50), seat="S", round_="S"),
    Printed("38 (3)", "(222z) (333z) (444z) 77z 66z + 7z", once(38, 11, 59), seat="E", round_="E"),
    Printed("9 (1)", "(111z) (333z) (444z) 23s 22z + 1s", once(9, 50, 55), seat="S", round_="S"),
    Printed("9 (2)", "(111z) (333z) (444z) 55z 22z + 5z", once(9, 11, 59), seat="S", round_="S"),
    Printed("1 (1)", "(111z) (222z) (333z) 44z 77z + 4z", once(1, 11)),
    Printed("1 (2)", "(111z) (222z) (333z) 44z 99m + 4z", once(1, 18, 50)),
    Printed("1 (3)", "(111z) (222z) (333z) 44z 33s + 4z", once(1, 50)),
    # The last tile
    Printed("80", "(1111p) (456s) (789s) (456p) 2s + 2s", once(80, 74, 73, 70, 71, 79, 75, 76), SELF_DRAW),
    # The hand as a whole
    Printed(
        "53",
        "(2222m) (456p) (678m) (888s) 5m + 5m",
        once(53),
        unlisted={68: (1, LIST_NOT_WHOLE), 74: (1, LIST_NOT_WHOLE)},
    ),
    Printed(
        "62",
        "234m 567m 345p 67p 66s + 8p",
        once(62, 63, 68, 71),
        unlisted={71: (2, "two pairs of chows make it; the list names it without saying how often")},
    ),
    Printed("56", "234m 345p 678p 68s 44s + 7s", once(56, 63, 68, 71, 70, 78), SELF_DRAW),
    Printed(
        "75",
        "(444m) (222s) (666z) 22z 33z + 2z",
        once(75),
        seat="E",
        unlisted=dict.fromkeys((49, 59, 73), (1, LIST_NOT_WHOLE)),
    ),
    Printed("63", "(234m) (345p) (456s) 78s 77p + 9s", once(63, 51, 71)),
    Printed("68", "(234m) (345p) (777s) 56s 44p + 4s", once(68, 51)),
    Printed("55 (1)", "(789p) (789m) (789s) 78s 99s + 9s", once(55, 25, 41, 64, 63, 69)),
    Printed("55 (2)", "(123m) (123m) (789m) 78m 77z + 9m", once(55, 50, 72) | {69: 2}),
    Printed("55 (3)", "(123m) (123p) (999m) 78p 11z + 9p", once(55, 70, 72, 75, 73)),
    Printed("49", "(888m) (888s) (888p) 55z 11z + 5z", once(49, 32, 52, 59)),
    Printed("50", "(123m) (234m) (345m) 78m 77z + 9m", once(50, 30, 72)),
    Printed("52", "(123m) (456p) (666z) 78s 44z + 9s", once(52, 39, 59)),
    Printed(
        "40 (1)",
        "(345p) (345p) (456s) 56s 55s + 4s",
        once(40, 31, 64) | {69: 2},
        unlisted={63: (1, LIST_NOT_WHOLE)},
    ),
    Printed("40 (2)", "(234p) (456s) (888p) 88s 55z + 8s", once(40, 65)),
    Printed("40 (3)", "(888p) (999s) (999p) 55z 88s + 5z", once(40, 49, 59, 65) | {73: 2}),
    Printed("36 (1)", "(678p) (777p) (789m) 78s 99s + 9s", once(36, 64, 70)),
    Printed("36 (2)", "(789m) (789s) (789p) 78p 66p + 9p", once(36, 41, 63, 69)),
    Printed(
        "36 (3)",
        "55m 66s 66p 77m 88s 88p 9p + 9p",
        once(36, 19),
        overruled={36: "fives are not upper tiles [RULES 8.20]"},
        unlisted={76: (1, "only Upper Four would have excluded it")},
    ),
    Printed("37 (1)", "(123m) (123m) (123s) 23p 44m + 1p", once(37, 41, 63, 69)),
    Printed("37 (2)", "(111s) (222s) (333s) 44s 22m + 4s", once(37, 15, 75, 73)),
    Printed(
        "31 (1)",
        "(456m) (456s) (456p) 45m 66m + 6m",
        once(31, 26, 41, 64, 63, 69),
        overruled={31: "the pair is of sixes [RULES 8.20]"},
    ),
    Printed("31 (2)", "(345m) (567m) (555p) 55s 55m + 5s", once(31, 65, 64)),
    Printed("21 (1)", "(222m) (444s) (666p) 88p 44p + 8p", once(21)),
    Printed("21 (2)", "(222s) (222m) (222p) 44m 44s + 4m", once(21, 32, 37)),
    Printed("21 (3)", "(666m) (666s) (888s) 88m 22s + 8m", once(21, 75) | {65: 2}),
    Printed("22 (1)", "(666m) (777m) (888m) 99m 55m + 9m", once(22, 15, 73)),
    Printed("22 (2)", "11s 22s 44s 55s 66s 77s 9s + 9s", once(22, 19)),
    Printed("22 (3)", "(123p) (456p) (789p) 78p 99p + 9p", once(22, 63, 28, 64, 69)),
    Printed("25 (1)", "(789m) (789s) (789p) 78p 99p + 9p", once(25, 41, 55, 64, 63, 69)),
    Printed("25 (2)", "(777s) (888m) (777p) 99m 88s + 9m", once(25, 49, 65, 73)),
    Printed("25 (3)", "(789m) (789s) (888s) 88p 88m + 8p", once(25, 65, 64, 70)),
    Printed("26 (1)", "(456s) (444s) (555s) 66s 66p + 6s", once(26, 24, 75) | {64: 3}),
    Printed("26 (2)", "44m 44s 55m 55s 55p 66s 6p + 6p", once(26, 19)),
    Printed("27", "(123m) (123s) (123p) 23s 33s + 1s", once(27, 41, 64, 63, 69)),
    Printed("18", "(111z) (111m) (999s) 99p 77z + 9p", once(18, 52, 65)),
    Printed("8", "(111m) (111s) (999m) 99s 11p + 9s", once(8) | {65: 2}),
    Printed("11", "(777z) (555z) (111z) 22z 33z + 2z", once(11, 54), seat="N", round_="N"),
    Printed(
        "3 (1)",
        "22s 33s 44s 66s 8888s 6z + 6z",
        once(3, 19, 50),
        unlisted={64: (1, "four of a kind counts in Seven Pairs [RULES 8.18]")},
    ),
    Printed("3 (2)", "(234s) (234s) (234s) 66z 66s + 6z", once(3, 23, 50, 59)),
    Printed("3 (3)", "(222s) (333s) (444s) 66s 88s + 6s", once(3, 24, 22, 49, 68)),
    Printed("43, waiting for 2", "(123p) (444s) (789m) 34p 77z + 2p", once(43)),
    Printed("43, waiting for 5", "(123p) (444s) (789m) 34p 77z + 5p", once(43)),
)


def example(printed: Printed) -> Example:
    """Return a printed example with what is counted of it, and where that is another list than the printed one. [RULES 8.20]"""
    number = int(printed.name.split()[0].rstrip(","))
    return Example(
        clause_of(number),
        printed.hand.replace("+ ", ""),
        {str(one): count for one, count in printed.expected.items()},
        {
            "self_draw": "self_drawn" in printed.flags,
            "seat_wind": printed.seat,
            "round_wind": printed.round_,
        },
        is_printed=True,
        beyond=tuple(map(str, printed.unlisted)),
        overruled=tuple(map(str, printed.overruled)),
        decision="RULES 8.20",
    )


EXAMPLES: tuple[Example, ...] = tuple(map(example, PRINTED))
