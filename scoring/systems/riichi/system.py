"""Riichi by EMA as the rest of the program asks for it."""

from collections.abc import Iterable, Mapping
from typing import Any

from scoring import parsers
from scoring.problems import gettext_noop
from scoring.systems.riichi import explanation
from scoring.systems.riichi.cases import answer
from scoring.systems.riichi.clauses import CLAUSES
from scoring.systems.riichi.examples import EXAMPLES
from scoring.systems.riichi.legality import legality
from scoring.systems.riichi.limits import BASES, MOST_HAN, TITLES, Limits, YakumanCount
from scoring.systems.riichi.offences import OFFENCES
from scoring.systems.riichi.payments import REASONS, price
from scoring.systems.riichi.play import Riichi
from scoring.systems.riichi.replay.reading import replayed
from scoring.systems.riichi.terms import TERMS
from scoring.systems.riichi.view import FLAGS
from scoring.systems.settings import Sentence, Setting, any_of, either, one_of
from scoring.systems.system import CHANGE, FROM, TOTAL, WHO, Blank, RecordedHand, System, TileValue, Worth


def _worth(winner: Mapping[str, Any], rules: Mapping[str, Any], is_dealer: bool, is_self_draw: bool) -> int:
    """Return what a recorded win is paid. Counters, bets and liability say nothing about the hand. [RIICHI 4.1.2]"""
    limits = Limits.of(rules)
    limit = winner.get("limit")
    base = (
        BASES[limit] * winner.get("yakuman", 1)
        if limit
        else limits.base(winner.get("han", 0), winner.get("fu", 0))
    )
    paid = price(base, is_dealer=is_dealer)
    if not is_self_draw:
        return int(paid.discarder)
    return int(3 * paid.other if is_dealer else paid.dealer + 2 * paid.other)


def _limits(limits: Mapping[str, str]) -> Iterable[Sentence]:
    """Tell from how many han which limit is paid. [RULES 8.27]"""
    sentence = gettext_noop("From %(han)s han: %(limit)s.")
    return [(sentence, {"han": han, "limit": IN_SENTENCES[limit]}) for han, limit in limits.items()]


def _west_round(points: int) -> Iterable[Sentence]:
    """Tell when a game goes on after the south round. [RIICHI 3.5] [RULES 9.35]"""
    if points:
        return [(WEST_ROUND, {"points": points})]
    return [(gettext_noop("A game is an east and a south round; no further rounds are played."), {})]


WEST_ROUND = gettext_noop(
    "A game is an east and a south round. While nobody has won at least %(points)s points, a west round follows; it ends when the deal passes and somebody has, at the latest after its four deals."
)
MOST_WEST = 100_000
ABORTS = {str(abort): reason for abort, reason in REASONS.items()}
IN_SENTENCES = {
    "mangan": gettext_noop("mangan"),
    "haneman": gettext_noop("haneman"),
    "baiman": gettext_noop("baiman"),
    "sanbaiman": gettext_noop("sanbaiman"),
    "counted_yakuman": gettext_noop("counted yakuman"),
    "yakuman": gettext_noop("yakuman"),
}

RIICHI = System(
    code="RIICHI",
    name=gettext_noop("Riichi (EMA)"),
    short_name="Riichi",
    ruleset=Riichi.from_rules,
    recorded=RecordedHand(
        events={
            "win": frozenset({"winners", "from"}),
            "chombo": frozenset({"seat"}),
            "dead_hand": frozenset({"seat", "offence"}),
        },
        winner_needs=frozenset({"seat"}),
        winner_may=frozenset({"han", "fu", "limit", "yakuman", "liable", "nagashi", "yaku", "tiles"}),
        end_states=frozenset({"waiting", "no_wait"}),
        has_bets=True,
        aborts=ABORTS,
        tells_round=True,
        dead_hand_state="no_wait",
    ),
    tiles=TileValue(
        explain=explanation.explain,
        facts=explanation.facts,
        fans=explanation.TITLES,
        flags=FLAGS,
        asks=("dora_indicators", "ura_indicators"),
    ),
    worth=Worth(_worth, counts_times=False, in_payment=True),
    blank=Blank(
        (gettext_noop("Round"), gettext_noop("Counters"), WHO, FROM, gettext_noop("Han"), gettext_noop("Fu")),
        (gettext_noop("Mark"), CHANGE, TOTAL),
        (
            gettext_noop(
                "Mark: R who declared riichi (a bet of 1000), W who was waiting at an exhausted wall, C a chombo."
            ),
            gettext_noop(
                "A counter adds 300. Exhausted wall: 3000 in all from those who are not waiting to those who are."
            ),
        ),
        is_wide=True,
        house_rules=("counters_to", "bets_to", "yakuman", "abortive_draws", "west_round"),
    ),
    offences=OFFENCES,
    clauses=CLAUSES,
    examples=EXAMPLES,
    terms=TERMS,
    always=(gettext_noop("Bets left on the table at the end go to the winner; equal winners share them."),),
    settings={
        "limits": Setting(
            parsers.by_key(parsers.text(1, 2, r"[1-9]|1[0-3]"), parsers.choice(tuple(IN_SENTENCES))),
            _limits,
            gettext_noop("%(name)s, from how many han"),
            bounds=(1, MOST_HAN),
            rows=TITLES,
        ),
        "nagashi_mangan": either(
            gettext_noop("Nagashi mangan counts."),
            gettext_noop("Nagashi mangan does not count."),
            gettext_noop("Nagashi mangan"),
        ),
        "counters_to": one_of(
            {
                "each": gettext_noop("Of several winners on one discard each is paid the counters."),
                "nearest": gettext_noop(
                    "Of several winners on one discard only the nearest to the discarder's right is paid the counters."
                ),
            },
            gettext_noop("Counters, several winners"),
            unsaid="each",
        ),
        "bets_to": one_of(
            {
                "own": gettext_noop(
                    "Of several winners on one discard each gets the own bet back; the nearest takes the others."
                ),
                "nearest": gettext_noop(
                    "Of several winners on one discard the nearest to the discarder's right takes all bets."
                ),
            },
            gettext_noop("Bets, several winners"),
            unsaid="own",
        ),
        "yakuman": one_of(
            {
                YakumanCount.ONE: gettext_noop("Yakuman do not add up: a hand is paid as one."),
                YakumanCount.SEVERAL: gettext_noop(
                    "Yakuman add up: a hand of several is paid as often as it has them."
                ),
                YakumanCount.DOUBLE: gettext_noop(
                    "Yakuman add up, and these count twice: four concealed pungs waiting for the pair, thirteen orphans waiting for all thirteen tiles, nine gates waiting for all nine, big four winds."
                ),
            },
            gettext_noop("Hands of several yakuman"),
            unsaid=YakumanCount.ONE,
        ),
        "abortive_draws": any_of(
            ABORTS,
            gettext_noop(
                "A hand is broken off without payments, the dealer deals again with one counter more, and bets stay on the table: %(parts)s."
            ),
            gettext_noop("No hand is broken off: there are no abortive draws."),
            gettext_noop("Abortive draws"),
        ),
        "west_round": Setting(
            parsers.whole(0, MOST_WEST),
            _west_round,
            gettext_noop("West round while nobody has won so many points; 0 for none"),
            bounds=(0, MOST_WEST),
            unsaid=0,
        ),
    },
    legality=legality,
    doors={"riichi_ema2016": answer},
    limits=TITLES,
    replay=replayed,
    lateness_clause="RIICHI 5.7",
    has_uma=True,
    final_referee_clause="RIICHI reg. 5.4",
)
