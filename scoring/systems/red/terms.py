"""The words of Red mahjong."""

from scoring.terms import Terms

TERMS = Terms(
    contexts=("RED",),
    forbidden={
        "en": (r"\bhonba", r"\bfalse mahjong", r"\btenpai"),
        "ru": (
            r"\bплит[ок]",
            r"\bтайл",
            r"\bтемпай",
            r"\bнотен",
            r"\bкомбинаци",
            r"ложн\w+ маджонг",
            r"маджонг (?:со|объявлен)",
        ),
    },
)
