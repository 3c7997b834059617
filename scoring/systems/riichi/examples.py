"""An example for each yaku, ours, and the two of the rulebook's overview: what is counted, with its han."""

from scoring.examples import Example

EXAMPLES: tuple[Example, ...] = (
    Example(
        "RIICHI 4.2",
        "234m 234p 34s 66s 678m 2s",
        {"menzen_tsumo": 1, "pinfu": 1, "tanyao": 1, "sanshoku_doujun": 2},
        {"self_draw": True, "seat_wind": "S"},
        is_printed=True,
    ),
    Example(
        "RIICHI 4.2",
        "(234m) 234p 34s 66s 678m 2s",
        {"tanyao": 1, "sanshoku_doujun": 1},
        {"self_draw": True, "seat_wind": "S"},
        is_printed=True,
    ),
    Example(
        "RIICHI 4.2.1",
        "234567m 345p 99s 11z 1z",
        {"riichi": 1, "round_wind": 1},
        {"seat_wind": "S", "round_wind": "E", "riichi": True},
    ),
    Example(
        "RIICHI 4.2.1",
        "234567m 345p 99s 33z 3z",
        {"double_riichi": 2},
        {"seat_wind": "S", "round_wind": "E", "double_riichi": True},
    ),
    Example(
        "RIICHI 4.2.1",
        "234567m 345p 99s 33z 3z",
        {"riichi": 1, "ippatsu": 1},
        {"seat_wind": "S", "round_wind": "E", "ippatsu": True, "riichi": True},
    ),
    Example(
        "RIICHI 4.2.1",
        "234567m 345p 99s 33z 3z",
        {"menzen_tsumo": 1},
        {"self_draw": True, "seat_wind": "S", "round_wind": "E"},
    ),
    Example("RIICHI 4.2.1", "234567m 345p 6799s 8s", {"pinfu": 1}, {"seat_wind": "S", "round_wind": "E"}),
    Example("RIICHI 4.2.1", "223344m 34599p 99s 9s", {"iipeikou": 1}, {"seat_wind": "S", "round_wind": "E"}),
    Example("RIICHI 4.2.1", "234567m 34588p 66s 6s", {"tanyao": 1}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.1", "234999m 11234p 34s 2s", {"sanshoku_doujun": 2}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example("RIICHI 4.2.1", "567m 34588p 99s 555z 9s", {"haku": 1}, {"seat_wind": "S", "round_wind": "E"}),
    Example("RIICHI 4.2.1", "(666z) 567m 34588p 99s 9s", {"hatsu": 1}, {"seat_wind": "S", "round_wind": "E"}),
    Example("RIICHI 4.2.1", "[7777z] 567m 34588p 99s 9s", {"chun": 1}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.1", "567m 34588p 99s 222z 9s", {"seat_wind": 1}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example(
        "RIICHI 4.2.1", "567m 34588p 99s 111z 9s", {"round_wind": 1}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example("RIICHI 4.2.1", "123m 789p 23999s 11z 1s", {"chanta": 2}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.1",
        "(1111s) 567m 34588p 99s 9s",
        {"rinshan": 1},
        {"self_draw": True, "seat_wind": "S", "round_wind": "E", "rinshan": True},
    ),
    Example(
        "RIICHI 4.2.1",
        "(111s) 567m 46p 34599s 5p",
        {"chankan": 1},
        {"seat_wind": "S", "round_wind": "E", "chankan": True},
    ),
    Example(
        "RIICHI 4.2.1",
        "(111s) 567m 34588p 99s 9s",
        {"haitei": 1},
        {"self_draw": True, "seat_wind": "S", "round_wind": "E", "haitei": True},
    ),
    Example(
        "RIICHI 4.2.1",
        "(111s) 567m 34588p 99s 9s",
        {"houtei": 1},
        {"seat_wind": "S", "round_wind": "E", "houtei": True},
    ),
    Example(
        "RIICHI 4.2.2", "1188m 22p 5566s 335z 5z", {"chiitoitsu": 2}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example(
        "RIICHI 4.2.2",
        "(222m) 567m 222p 2299s 2s",
        {"sanshoku_doukou": 2},
        {"seat_wind": "S", "round_wind": "E"},
    ),
    Example("RIICHI 4.2.2", "23555m 222p 33399s 1m", {"sanankou": 2}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.2",
        "(2222p) (3333s) [5555m] 23m 99s 1m",
        {"sankantsu": 2},
        {"seat_wind": "S", "round_wind": "E"},
    ),
    Example(
        "RIICHI 4.2.2", "(333s) (777p) 55m 222p 99s 9s", {"toitoi": 2}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example("RIICHI 4.2.2", "1234567799p 333z 9p", {"honitsu": 3}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.2",
        "123m 34s 55566677z 5s",
        {"haku": 1, "hatsu": 1, "shousangen": 2},
        {"seat_wind": "S", "round_wind": "E"},
    ),
    Example(
        "RIICHI 4.2.2",
        "(999s) (333z) 111m 99p 11z 1z",
        {"seat_wind": 1, "toitoi": 2, "honroutou": 2},
        {"seat_wind": "W", "round_wind": "S"},
    ),
    Example("RIICHI 4.2.2", "123m 789p 1123999s 1s", {"junchan": 3}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.3", "223344m 667788p 9s 9s", {"ryanpeikou": 3}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example("RIICHI 4.2.4", "1234445677999p 7p", {"chinitsu": 6}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.4",
        "234567m 345p 99s 33z 3z",
        {"renhou": 5},
        {"seat_wind": "S", "round_wind": "E", "renhou": True},
    ),
    Example("RULES 8.26", "123456789m 55p 99s 9s", {"ittsu": 2}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.5", "119m 19p 19s 123456z 7z", {"kokushi": 13}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example("RIICHI 4.2.5", "1112345678999s 5s", {"chuuren": 13}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.5",
        "234567m 345p 99s 33z 3z",
        {"tenhou": 13},
        {"self_draw": True, "seat_wind": "E", "round_wind": "E", "tenhou": True},
    ),
    Example(
        "RIICHI 4.2.5",
        "234567m 345p 99s 33z 3z",
        {"chiihou": 13},
        {"self_draw": True, "seat_wind": "S", "round_wind": "E", "chiihou": True},
    ),
    Example(
        "RIICHI 4.2.5",
        "222m 444p 66688s 11z 1z",
        {"suuankou": 13},
        {"self_draw": True, "seat_wind": "S", "round_wind": "E"},
    ),
    Example(
        "RIICHI 4.2.5",
        "(2222m) (4444p) [6666s] (8888s) 1z 1z",
        {"suukantsu": 13},
        {"seat_wind": "S", "round_wind": "E"},
    ),
    Example(
        "RIICHI 4.2.5", "(234s) 2346688s 666z 8s", {"ryuuiisou": 13}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example(
        "RIICHI 4.2.5",
        "(999m) (111p) 111m 99p 11s 9p",
        {"chinroutou": 13},
        {"seat_wind": "S", "round_wind": "E"},
    ),
    Example("RIICHI 4.2.5", "1122334455667z 7z", {"tsuuiisou": 13}, {"seat_wind": "S", "round_wind": "E"}),
    Example(
        "RIICHI 4.2.5",
        "(666z) (777z) 123m 88p 55z 5z",
        {"daisangen": 13},
        {"seat_wind": "S", "round_wind": "E"},
    ),
    Example(
        "RIICHI 4.2.5", "(333z) 123m 1112244z 2z", {"shousuushii": 13}, {"seat_wind": "S", "round_wind": "E"}
    ),
    Example(
        "RIICHI 4.2.5",
        "(222z) (333z) (444z) 55m 11z 1z",
        {"daisuushii": 13},
        {"seat_wind": "S", "round_wind": "E"},
    ),
)
