"""The words of sport mahjong, which its Siamese form shares."""

from scoring.terms import Terms

TERMS = Terms(
    contexts=("MCR",),
    stems={
        "ru": {
            "кости": "плитки",
            "костей": "плиток",
            "костям": "плиткам",
            "костях": "плитках",
            "костью": "плиткой",
        }
    },
    forbidden={
        "en": (r"\bhonba", r"\bfalse mahjong", r"\btenpai"),
        "ru": (
            r"\bкост(?:ь|и|ей|ям|ях|ью)",
            r"\bтайл",
            r"\bтемпай",
            r"\bнотен",
            r"\bсет(?:а|у|ом|е|ы|ов|ам|ами|ах)?\b",
            r"\bраздач",
            r"\bнаброс(?!ил)",
            r"ложн\w+ маджонг",
            r"маджонг (?:со|объявлен)",
        ),
    },
)
