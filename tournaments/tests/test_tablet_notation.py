"""The tablet reads a hand as the engine does, and understands what people write, paste and say beside it."""

import random

import pytest

from scoring.explanation import read_text, write_text
from scoring.tiles.tile import NAMES
from tournaments.tests import node

pytestmark = pytest.mark.node

READER = """
import { readFileSync } from "node:fs";
import { load } from "./device.mjs";
const { readHand, writeHand } = await load("tablet/notation.js");
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((text) => ({ ...readHand(text), written: writeHand(readHand(text)) }))));
"""
SAID = {
    "234m 55p 678s EEE": "234m 55p 678s EEE",
    "2–3–4 man": "234m",
    "2-3-4 man, 5 5 pin 6 7 8 sou east east east": "234m 55p 678s EEE",
    "two three four characters and three east winds": "234m EEE",
    "два три четыре символа, пять пять точек, три востока": "234m 55p EEE",
    "234м 55п 678с": "234m 55p 678s",
    "ВВВ Ю З С": "EEESWN",
    "Пон красных драконов, чи 2-3-4 бамбука, закрытый конг 5 символов, пара белых": "(RRR)(234s)[5555m] WhWh",
    "pung of green dragon, chow 2 3 4 dots, 99 bam": "(GGG)(234p) 99s",
    "🀀🀀🀀🀇🀈🀉🀐🀙": "EEE123m1s1p",
    "🀀": "E",
    "nine nine bamboo north": "99sN",
    "S 3s 3 S": "S33s",
    "WEST 99sN EEE5p 2man": "W99sNEEE5p2m",
}
"""What people write and say, and how the engine would have it written."""
NOT_UNDERSTOOD = {
    "foo 12m": ["foo"],
    "340m": ["340m"],
    "8z": ["8z"],
    "1 2 3": ["1 2 3"],
    "9 north": ["9"],
    "(12m)": ["m1 m2"],
    "chow 5 dots": ["chow p5"],
}


def read(texts):
    return node.answers(READER, list(texts))


def random_hand(chance):
    tiles = chance.choices(NAMES[:35], k=chance.randint(1, 14))
    melds = [
        chance.choice(
            [
                {"type": "pung", "tiles": ["E"] * 3, "open": True},
                {"type": "chow", "tiles": ["s3", "s4", "s5"], "open": True},
                {"type": "kong", "tiles": ["p7"] * 4, "open": False},
                {"type": "kong", "tiles": ["Wh"] * 4, "open": True, "kong": "delayed"},
            ]
        )
        for _ in range(chance.randint(0, 3))
    ]
    return {"concealed": tiles[:-1], "melds": melds, "winning_tile": tiles[-1]}


def test_the_notation_of_the_engine_is_read_as_the_engine_reads_it():
    chance = random.Random("notation")
    hands = [random_hand(chance) for _ in range(200)]
    texts = [write_text(hand) for hand in hands]
    texts += ["".join([*hand["concealed"], hand["winning_tile"]]) for hand in hands]
    for text, found in zip(texts, read(texts), strict=True):
        wanted = read_text(text, kong_kinds=True)
        melds = [{"kong": "open" if one["open"] else "concealed", **one} if one["type"] == "kong" else one for one in found["melds"]]  # fmt: skip
        assert found["unknown"] == []
        assert (melds, found["tiles"]) == (wanted["melds"], [*wanted["concealed"], wanted["winning_tile"]])
        again = read_text(found["written"], kong_kinds=True)
        assert again == wanted, "what the tablet writes for the engine"


def test_what_people_write_and_say_is_understood():
    for (said, wanted), found, other in zip(SAID.items(), read(SAID), read(SAID.values()), strict=True):
        assert found["unknown"] == [], said
        assert (found["tiles"], found["melds"]) == (other["tiles"], other["melds"]), f"{said} is {wanted}"


def test_what_is_not_understood_is_named_and_not_guessed():
    assert [one["unknown"] for one in read(NOT_UNDERSTOOD)] == list(NOT_UNDERSTOOD.values())
