"""The example of the rulebook's footnote, and one of ours for each fan: how often each fan is counted."""

from scoring.examples import Example

EXAMPLES: tuple[Example, ...] = (
    Example(
        "RED fan 10",
        "123s 123s 456s 789s 8s 8s",
        {"2": 1, "5": 2, "7": 1, "9": 1, "10": 2, "18": 1},
        is_printed=True,
        beyond=("2", "5"),
        decision="RULES 8.23",
    ),
    Example("RED fan 2", "(234m) 67899p 12345s 3s", {"2": 1}),
    Example("RED fan 3", "2334m 234p 999s 111z 3m", {"3": 1, "6": 1}),
    Example("RED fan 4", "2223m 222p 789s 111z 3m", {"4": 1, "6": 1}),
    Example("RED fan 5", "1233789m 222p 111z 3m", {"5": 1, "6": 1}),
    Example("RED fan 6", "3456m 678p 111777z 3m", {"6": 2}),
    Example("RED fan 7", "2345m 678p 999s 111z 5m", {"6": 1, "7": 1}),
    Example("RED fan 8", "111333m 555p 7779s 9s", {"8": 1}),
    Example("RED fan 9", "223344m 999p 3s 111z 3s", {"6": 1, "9": 1}),
    Example("RED fan 10", "123456789m 3s 111z 3s", {"5": 1, "6": 1, "10": 1}),
    Example("RED fan 11", "147m 258p 369s 1234z 5z", {"11": 1}),
    Example("RED fan 12", "1233456888m 111z 3m", {"6": 1, "12": 1}),
    Example("RED fan 13", "123m 456p 888s 1115z 5z", {"6": 1, "13": 1}),
    Example("RED fan 14", "123444m 345p 1113s 3s", {"14": 1}),
    Example("RED fan 15", "567999m 789p 6667s 7s", {"15": 1}),
    Example("RED fan 16", "111333777m 9p 777z 9p", {"6": 1, "8": 1, "16": 1}),
    Example("RED fan 17", "123m 9p 555666777z 9p", {"6": 3, "17": 1}),
    Example("RED fan 18", "1233456777888m 3m", {"18": 1}),
)
