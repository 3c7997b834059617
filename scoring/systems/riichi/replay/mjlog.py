"""Logs in Tenhou's XML (mjlog): a stream of elements, of which rounds, bets, wins and draws are read."""

import zlib
from collections.abc import Mapping
from urllib.parse import unquote
from xml.parsers import expat

from scoring.problems import gettext_noop
from scoring.systems.riichi.replay.log import (
    BY_ID,
    FOUR_PLAY,
    LAST_ROUND,
    NO_YAKU,
    PLAYERS,
    YAKUMAN,
    LoggedGame,
    LoggedRound,
    LoggedTiles,
    LoggedWin,
    four,
    refuse,
)
from scoring.systems.riichi.replay.tiles import tiles_of

MOST_BYTES = 4 * 1024 * 1024
"""More than any log of a game has, packed or not."""

MOST_ELEMENTS = 50_000
PACKED = b"\x1f\x8b"
NO_RED_FIVES, THREE_PLAY = 0x02, 0x10
"""Bits of the type of a game."""

DRAWS: Mapping[str, str] = {
    "yao9": "nine_kinds",
    "reach4": "four_riichi",
    "ron3": "three_wins",
    "kan4": "four_kongs",
    "kaze4": "four_winds",
    "nm": "nagashi",
}
DOUBLE_YAKUMAN = frozenset({"suuankou_tanki", "chuuren_nine_waits", "kokushi_thirteen_waits", "daisuushii"})

Element = tuple[str, dict[str, str]]


def unpacked(raw: bytes) -> bytes:
    """Unpack a file that is packed by gzip, up to its limit."""
    if not raw.startswith(PACKED):
        return raw
    stream = zlib.decompressobj(wbits=31)
    try:
        text = stream.decompress(raw, MOST_BYTES + 1)
    except zlib.error as error:
        raise refuse("log_form", NO_XML) from error
    return text


def elements(raw: bytes) -> list[Element]:
    """Parse within limits; a document type, and with it every entity, is refused before anything is made of it."""
    if len(raw) > MOST_BYTES:
        raise refuse("log_form", TOO_LARGE, most=MOST_BYTES)
    found: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(found) >= MOST_ELEMENTS:
            raise refuse("log_form", TOO_LARGE, most=MOST_BYTES)
        found.append((name, attributes))

    def doctype(*_ignored: object) -> None:
        raise refuse("log_form", NO_DOCTYPE)

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(raw, True)
    except expat.ExpatError as error:
        raise refuse("log_form", NO_XML) from error
    return found


def read(raw: bytes) -> LoggedGame:
    """Read a whole game."""
    game = _Reader()
    for name, attributes in elements(raw):
        game.take(name, attributes)
    return game.told()


class _Reader:
    """What was read so far: the round that is open, and those before it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.names: tuple[str, ...] = ()
        self.rounds: list[LoggedRound] = []
        self.final: tuple[int, ...] | None = None
        self.has_red_fives = False

    def take(self, name: str, said: Mapping[str, str]) -> None:
        """Take one element; tiles drawn and discarded are passed over."""
        if name == "GO":
            kind = _number(said, "type")
            if kind & THREE_PLAY:
                raise refuse("wrong_players", FOUR_PLAY)
            self.has_red_fives = not kind & NO_RED_FIVES
        elif name == "UN" and not self.names:
            self.names = tuple(unquote(said.get(f"n{seat}", "")) for seat in range(PLAYERS))
        elif name == "INIT":
            self._begin(said)
        elif name == "REACH" and said.get("step") == "2":
            self._change(riichi=(*self._open().riichi, _seat(said, "who")))
        elif name == "AGARI":
            self._change(wins=(*self._open().wins, _win(said)))
            self._end(said)
        elif name == "RYUUKYOKU":
            self._draw(said)
            self._end(said)

    def told(self) -> LoggedGame:
        """Return the game."""
        if not self.rounds:
            raise refuse("log_form", NO_LOG)
        return LoggedGame(self.names, tuple(self.rounds), self.final, self.has_red_fives)

    def _begin(self, said: Mapping[str, str]) -> None:
        seed = _numbers(said, "seed")
        if len(seed) < 3 or not 0 <= seed[0] <= LAST_ROUND or min(seed[1:3]) < 0:
            raise refuse("log_form", NO_LOG, "INIT.seed")
        scores = four([100 * points for points in _numbers(said, "ten")], "INIT.ten")
        self.rounds.append(LoggedRound(seed[0], seed[1], seed[2], scores))

    def _draw(self, said: Mapping[str, str]) -> None:
        end = DRAWS.get(said.get("type", ""), "exhausted")
        waiting = tuple(seat for seat in range(PLAYERS) if f"hai{seat}" in said)
        changes = four([100 * points for points in _numbers(said, "sc")[1::2]], "RYUUKYOKU.sc")
        self._change(draw=end, waiting=waiting if end == "exhausted" else (), changes=changes)

    def _end(self, said: Mapping[str, str]) -> None:
        if "owari" in said:
            written = said["owari"].split(",")[::2]
            self.final = four([100 * _whole(one) for one in written], "owari")

    def _open(self) -> LoggedRound:
        if not self.rounds:
            raise refuse("log_form", NO_LOG)
        return self.rounds[-1]

    def _change(self, **changes: object) -> None:
        before = self._open()
        self.rounds[-1] = LoggedRound(**{**vars(before), **changes})


def _win(said: Mapping[str, str]) -> LoggedWin:
    fu, *_rest = _numbers(said, "ten") or [0]
    numbers, alone = _numbers(said, "yaku"), _numbers(said, "yakuman")
    yaku: dict[str, int] = {}
    for number, han in zip(numbers[::2], numbers[1::2], strict=False):
        if han:
            yaku[_name(number)] = yaku.get(_name(number), 0) + han
    yakuman = [_name(number) for number in alone]
    winner, discarder = _seat(said, "who"), _seat(said, "fromWho")
    return LoggedWin(
        winner,
        discarder,
        _seat(said, "paoWho") if "paoWho" in said else None,
        fu or None,
        yaku | dict.fromkeys(yakuman, YAKUMAN),
        sum(2 if name in DOUBLE_YAKUMAN else 1 for name in yakuman),
        four([100 * points for points in _numbers(said, "sc")[1::2]], "AGARI.sc"),
        _tiles(said),
    )


def _tiles(said: Mapping[str, str]) -> LoggedTiles | None:
    """Read the tiles of a win where they are told."""
    if "hai" not in said or "machi" not in said:
        return None
    held, sets, dora, ura = (_numbers(said, name) for name in ("hai", "m", "doraHai", "doraHaiUra"))
    return tiles_of(held, sets, _number(said, "machi"), dora, ura)


def _name(number: int) -> str:
    if not 0 <= number < len(BY_ID):
        raise refuse("log_form", NO_YAKU, "AGARI.yaku")
    return BY_ID[number]


def _whole(written: str) -> int:
    try:
        return int(written[:9])
    except ValueError as error:
        raise refuse("log_numbers", NO_NUMBER) from error


def _numbers(said: Mapping[str, str], name: str) -> list[int]:
    return [_whole(one) for one in said[name].split(",")] if said.get(name) else []


def _number(said: Mapping[str, str], name: str) -> int:
    return next(iter(_numbers(said, name)), 0)


def _seat(said: Mapping[str, str], name: str) -> int:
    number = _whole(said.get(name, ""))
    if not 0 <= number < PLAYERS:
        raise refuse("log_numbers", NO_NUMBER)
    return number


NO_XML = gettext_noop("This file cannot be read as a log in XML.")
NO_DOCTYPE = gettext_noop("A log has no document type; this file is not read.")
TOO_LARGE = gettext_noop("A log has %(most)s bytes at most.")
NO_LOG = gettext_noop("This file holds no round of a game.")
NO_NUMBER = gettext_noop("Where a number belongs stands something else.")
