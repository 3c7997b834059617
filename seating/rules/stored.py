"""Plans that are hard to find, kept as they were found: every number once a round, no pair twice."""

from collections.abc import Iterator
from dataclasses import dataclass

from seating.rules.algebra import group
from seating.rules.classplan import Rounds
from seating.rules.found import FOR_PARTS, FOR_TEAMS, FOUND, FOUND_LATER, IN_PARTS
from seating.rules.turned import TABLE, Shape, turned

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Turnable:
    """One round to be turned; number p below positions x orbits is orbit p // positions, position p % positions."""

    players: int
    cycles: tuple[int, ...]
    base: str
    perfect_tables: bool = False
    teams: bool = False

    def rounds(self) -> Rounds:
        """Turn the round through all positions."""
        turns = len(group(*self.cycles))
        shape = Shape(self.cycles, self.players // turns, self.players % turns)
        return turned(shape, _tables(self.base), list(range(turns)))


def _tables(text: str) -> list[list[int]]:
    """Read tables, a digit for each number, or decimal numbers with hyphens between them."""
    return [
        [int(part) for part in table.split("-")] if "-" in table else [DIGITS.index(digit) for digit in table]
        for table in text.split()
    ]


TURNABLE = (
    Turnable(28, (3, 3), "J7AD LIE4 KCOP 015N B63M 9HG8 RQ2F"),
    Turnable(36, (11,), "5G07 PL6Z 1ENX WRF9 4VO3 CS2Q IHDA BJUT MY8K"),
    Turnable(40, (13,), "d0DQ XCTB YAZ7 b4R8 16GH 35MP 92EN VcKF SaLJ WUOI"),
    Turnable(44, (14,), "g0ES h1Nd 3MQY RUcC X46O eVTG AD9W KJP8 FHaZ bf27 B5IL"),
    Turnable(48, (15,), "3iO0 IEdF XT9U 4AR2 JPgH YeCW Nfba cB76 8QML G5hk VKDl 1ZSj"),
    Turnable(52, (15,), "icFa EIXh eMAp mgQ4 R7dj bkK2 JNGH 0BL8 WPn1 TD3C Y6VU Ol9Z S5fo"),
    Turnable(56, (15,), "fl9J ph0Q iStE IMGN mbP6 DKXn dq2F coRC ajL3 5kTY 1sZH OU7r VgeW A84B"),
    Turnable(40, (8,), "O5Aa EN3c Sb8J M6dQ UFWK IC0V P4XH 9GR1 TZD7 YLB2", perfect_tables=True),
    Turnable(
        60,
        (12,),
        "Tr5c GZ2v Xe3M a1tU RLw8 l4EO nbDA Ii6q 7FxW JkYo sVj9 QHBd fPpC SmKh Nug0",
        perfect_tables=True,
    ),
    Turnable(28, (7,), "FG05 REMI PQ62 J8BH CODL NK1A 9374", teams=True),
)

CLASSES_OF_TWELVE = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
    (0, 4, 3, 9, 6, 11, 1, 8, 5, 10, 2, 7),
    (0, 2, 5, 10, 9, 4, 8, 1, 7, 11, 6, 3),
    (0, 6, 10, 8, 5, 3, 11, 4, 2, 1, 7, 9),
)

IN_FULL = {
    (32, 10): """
        04QU 26OS 15RV 37PT 9BDF 8ACE GJKN HILM | 3DMV 79IR 5BGP 68JQ 2CNU 1FKT 4AHO 0ELS
        1247 0356 BEIN 8DHK AFJM 9CGL OQTV PRSU | 0FNV 78GO 5AIQ 4BJR 2DLT 3CKS 69HP 1EMU
        28MR 1BLO 39NQ 0AKP 6FGU 5CJT 7EHV 4DIS | 6CIV 5FHS 7DJU 4EGT 2BKQ 18NP 3ALR 09MO
        2AGV 08IT 3BHU 19JS 57KM 46LN DEPQ CFOR | 6EKR 4CMP 7FLQ 5DNO 13GI 02HJ 9ATU 8BSV
        07BC 16AD 58LU 49KV 3EJO 2FIP HNRT GMQS | 348F 259E 1CHQ 0DGR 7ANS 6BMT JLPV IKOU
    """,
    (24, 7): """
        NF59 L4HA 7026 BKM1 8CGD JEI3 | 8130 CEM2 L5IB 9DH7 KFJ4 NG6A | L6JC A7I8 DFM3 EGK5 NH0B 9241
        7GM4 B8J9 FHE6 NI1C A352 L0KD | NJ2D GIF0 C9KA B463 L1E7 8HM5 | DAEB NK37 HJG1 L2F8 9IM6 C504
        IKH2 D615 NE48 AJM0 L3G9 7BFC
    """,
    (24, 5): """
        HBN6 1E2C LG08 F3K5 MA7J DI49 | 2A3D MB8F ICN7 LH19 G4K6 EJ05 | MC9G H0K7 3B4E JDN8 LI25 AF16
        I1K8 LJ36 MD5H 4C0A FEN9 BG27 | LF47 GAN5 J2K9 ME6I 0D1B CH38
    """,
}


def in_full(players: int, rounds: int) -> Rounds:
    """Read a plan that is stored round by round."""
    return _rounds(IN_FULL[players, rounds])


def found(players: int, rounds: int, size: int, *, later: bool = True) -> Rounds | None:
    """Return the plan a long search found for exactly this size, its tables in their order."""
    if later and (text := FOUND_LATER.get((players, rounds, size))):
        return _rounds(text)
    if text := FOUND.get((players, rounds, size)):
        return _rounds(text)
    if size == TABLE and players % TABLE == TABLE - 1 and (text := FOUND.get((players + 1, rounds, size))):
        return [[[n for n in table if n < players] for table in tables] for tables in _rounds(text)]
    return None


def _rounds(text: str) -> Rounds:
    lines = text.strip().splitlines()
    return [_tables(part) for line in lines for part in line.split("|") if part.strip()]


def classes_of_twelve() -> Rounds:
    """Turn the stored classes of 48 players through Z2 x Z2 x Z3; tables are perfect for twelve rounds."""
    add = group(2, 2, 3)
    return [
        [
            [12 * place + add[positions[table]][step] for place, positions in enumerate(CLASSES_OF_TWELVE)]
            for table in range(12)
        ]
        for step in range(12)
    ]


def _for_teams(players: int) -> list[Turnable]:
    """Return the round made for so many players in teams of four: equal positions of the four orbits never meet."""
    base = FOR_TEAMS.get(players // TABLE) if players % TABLE == 0 else None
    return [Turnable(players, (players // TABLE,), base, teams=True)] if base else []


def parted_base(shape: Shape) -> list[list[int]] | None:
    """Return the round kept for a shape whose parts never meet inside, where a short search finds none."""
    text = FOR_PARTS.get((shape.cycles, shape.orbits, shape.still)) if shape.size == TABLE else None
    return _tables(text) if text else None


def in_parts(players: int, rounds: int, size: int) -> Iterator[tuple[tuple[int, ...], Rounds]]:
    """List plans kept for clubs that fit no turned round, each with the sizes of its parts."""
    for (count, seats, parts), text in IN_PARTS.items():
        plan = _rounds(text) if (count, seats) == (players, size) else []
        if len(plan) >= rounds:
            yield parts, plan[:rounds]


def stored(players: int, rounds: int, *, teams: bool = False) -> list[Rounds]:
    """List the stored plans of so many players with at least so many rounds, perfect tables first."""
    if teams:
        made = [
            plan.rounds()
            for plan in (*TURNABLE, *_for_teams(players))
            if plan.players == players and plan.teams
        ]
        return [plan for plan in made if len(plan) >= rounds]
    kept: list[tuple[bool, Rounds]] = []
    if players == 48:
        kept.append((True, classes_of_twelve()))
    for (size, length), _ in sorted(IN_FULL.items(), key=lambda item: item[0][1]):
        if size == players:
            kept.append((length <= size // 4, in_full(size, length)))
    made_for_all = [plan for plan in TURNABLE if plan.players == players and not plan.teams]
    kept.extend((plan.perfect_tables, plan.rounds()) for plan in made_for_all)
    enough = [(perfect, plan) for perfect, plan in kept if len(plan) >= rounds]
    return [plan for _, plan in sorted(enough, key=lambda pair: not pair[0])]
