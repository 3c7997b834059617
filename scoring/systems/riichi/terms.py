"""The words of riichi: its tiles, deals and sets are called as its regulation calls them."""

from scoring.terms import Terms

TERMS = Terms(
    contexts=("RIICHI",),
    stems={
        "en": {"fans": "yaku"},
        "ru": {
            "сдач": "раздач",
            "со сдач": "с раздач",
            "костей": "тайлов",
            "костям": "тайлам",
            "костях": "тайлах",
            "костью": "тайлом",
            "конги": "каны",
            "конг": "кан",
            "панги": "поны",
            "панг": "пон",
            "чоу": "чи",
        },
    },
    forbidden={
        "en": (r"\bhonba", r"\bfans (?:seen|were|in)", r"\bfalse mahjong"),
        "ru": (
            r"\bкост(?:ь|и|ей|ям|ях|ью)",
            r"\bплит[ок]",
            r"\bсдач",
            r"\bконг",
            r"\bпанг",
            r"\bчоу\b",
            r"\bнаброс(?!ил)",
            r"\bхонб",
            r"\bфу\b",
            r"\bфан(?:у|ов|ы|ом|е)?\b",
            r"ложн\w+ (?:маджонг|побед|«ху»)",
            r"маджонг (?:со|объявлен)",
        ),
    },
)
