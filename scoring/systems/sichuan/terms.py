"""The words of the two Sichuan rulebooks."""

from scoring.terms import Terms

_NEVER_EN = (r"\bhonba", r"\btenpai", r"\bnoten")
_NEVER_RU = (
    r"\bплит[ок]",
    r"\bтайл",
    r"\bкомбинаци",
    r"\bраздач",
    r"\bничь",
    r"ложн\w+ побед",
    r"побед\w+ (?:со|объявлен)",
)

SBR_TERMS = Terms(
    contexts=("SBR",),
    forbidden={"en": _NEVER_EN, "ru": (*_NEVER_RU, r"\bнабросивш", r"\bтемпай", r"\bкан(?:а|у|ов|ы)?\b")},
)
WMSG_TERMS = Terms(contexts=("WMSG", "SBR"), forbidden={"en": _NEVER_EN, "ru": _NEVER_RU})
