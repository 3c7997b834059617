"""The nine examples of SBR's rulebook, and one of ours for each other fan of either edition: what each fan adds."""

from scoring.examples import Example

SBR_EXAMPLES: tuple[Example, ...] = (
    Example("SBR 2.7.3.7", "(1111m) (5555p) 23478m 66p 9m", {"kong": 2}, is_printed=True),
    Example("SBR 2.7.3.7", "(222m) (777p) 23455m 78p 9p", {"quad": 2}, is_printed=True),
    Example("SBR 2.7.3.7", "11113355m 22446p 6p", {"quad": 1, "seven_pairs": 1}, is_printed=True),
    Example("SBR 2.7.3.7", "(222m) (555m) (777p) 3m 999p 3m", {"all_pungs": 1}, is_printed=True),
    Example(
        "SBR 2.7.3.7",
        "(2222m) (555m) (777p) (999p) 3m 3m",
        {"kong": 1, "all_pungs": 1, "golden_wait": 1},
        is_printed=True,
    ),
    Example("SBR 2.7.3.7", "(2222p) 1134567899p 1p", {"kong": 1, "pure_suit": 1}, is_printed=True),
    Example("SBR 2.7.3.7", "(222p) (444p) 6668899p 8p", {"all_pungs": 1, "pure_suit": 1}, is_printed=True),
    Example("SBR 2.7.3.7", "1122335566889s 9s", {"pure_suit": 1, "seven_pairs": 1}, is_printed=True),
    Example("SBR 2.7.3.7", "66889m 11223355s 9m", {"seven_pairs": 1}, is_printed=True),
    Example(
        "SBR 2.7.3.6 (7)",
        "(1111s) 123m 456m 55s 23s 4s",
        {"kong": 1, "replacement_win": 1},
        {"self_draw": True, "replacement_win": True},
    ),
    Example(
        "SBR 2.7.3.6 (8)",
        "123m 456m 789m 456s 1s 1s",
        {"discard_after_kong": 1},
        {"discard_after_kong": True},
    ),
    Example("SBR 2.7.3.6 (9)", "123m 456m 789m 46s 11s 5s", {"robbing_kong": 1}, {"robbing_kong": True}),
    Example("SBR 2.7.3.6 (10)", "123m 456m 789m 456s 1s 1s", {"last_tile": 1}, {"last_tile": True}),
)

WMSG_EXAMPLES: tuple[Example, ...] = (
    Example("WMSG 10.1", "(2222m) 1456789m 456p 1m", {"quad": 1}),
    Example("WMSG 10.2", "111222333m 4445p 5p", {"all_pungs": 1}),
    Example("WMSG 10.3", "(222m) (555m) (777p) (999p) 3m 3m", {"all_pungs": 1, "golden_wait": 1}),
    Example("WMSG 10.4", "1122334556789m 5m", {"pure_suit": 1}),
    Example("WMSG 10.5", "66889m 11223355s 9m", {"seven_pairs": 1}),
    Example(
        "WMSG 10.6",
        "(1111s) 123m 456m 55s 23s 4s",
        {"quad": 1, "replacement_win": 1},
        {"self_draw": True, "replacement_win": True},
    ),
    Example(
        "WMSG 10.7", "123m 456m 789m 456s 1s 1s", {"discard_after_kong": 1}, {"discard_after_kong": True}
    ),
    Example("WMSG 10.8", "123m 456m 789m 46s 11s 5s", {"robbing_kong": 1}, {"robbing_kong": True}),
    Example("WMSG 10.9", "123m 456m 789m 456s 1s 1s", {"last_tile": 1}, {"last_tile": True}),
)
