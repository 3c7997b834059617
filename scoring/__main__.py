"""The package at a shell: `evaluate` and `compute` for programs, `rules` and a hand of tiles for people."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring import citations
from scoring.calculator import Question, tell_waits
from scoring.door import compute_record, problems_as_json, read_json, serve
from scoring.explanation import tell
from scoring.presets import PRESETS, Preset
from scoring.problems import Refusal, gettext_noop
from scoring.regulation import Regulation
from scoring.systems import SYSTEMS
from scoring.systems.base import Remark
from scoring.terms import speaking
from scoring.tiles.tile import parse_compact, write
from scoring.words import LANGUAGES, fill, say, translate

REPLAYING = tuple(code for code, preset in PRESETS.items() if SYSTEMS[preset.system].replay)
COMMANDS = ("evaluate", "compute", "rules", "replay", "hand")


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments ask and return the status: 0 done, 1 refused or lacking."""
    options = _parser().parse_args(_command_first(arguments))
    try:
        return int(options.run(options))
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _command_first(arguments: Sequence[str]) -> list[str]:
    """Put the command before its options, wherever it stands; without one a hand is explained."""
    rest = list(arguments)
    at = next((place for place, one in enumerate(rest) if one in COMMANDS), None)
    return ["hand" if at is None else rest.pop(at), *rest]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scoring", description=__doc__)
    parts = parser.add_subparsers(required=True)
    evaluate = parts.add_parser("evaluate", help="answer cases, one JSON a line (docs/HANDS.md)")
    evaluate.set_defaults(run=_evaluate)
    compute = parts.add_parser("compute", help="work out a tournament's record (docs/RECORD.md)")
    compute.add_argument("--check", action="store_true", help="only tell where the record says otherwise")
    compute.set_defaults(run=_compute)
    rules = parts.add_parser("rules", help="list clauses with their functions and tests")
    rules.add_argument("system", nargs="?", default="", choices=["", *SYSTEMS], help="one system")
    rules.set_defaults(run=_rules)
    again = parts.add_parser("replay", help="play a logged game again: Tenhou's JSON or mjlog")
    again.add_argument("file", type=Path, help="the log")
    again.add_argument("--rules", choices=REPLAYING, default=REPLAYING[0], help="whose rules")
    again.add_argument(
        "--settings", default="{}", help='house rules of the regulation as JSON, such as {"west_round": 5000}'
    )
    again.set_defaults(run=_replay)
    hand = parts.add_parser(
        "hand",
        help='explain a hand: "(111z) 123m 456p 789s 55p 5p", the winning tile last; one tile less tells the waits',
    )
    _hand_arguments(hand)
    for one in (evaluate, compute, rules, again, hand):
        one.add_argument("--lang", choices=LANGUAGES, default="en", help="language of the sentences")
    return parser


def _hand_arguments(hand: argparse.ArgumentParser) -> None:
    hand.add_argument("tiles", help="open sets in (), concealed kongs in [], the winning tile last")
    hand.add_argument("--rules", choices=tuple(PRESETS), default="mcr", help="whose rules")
    hand.add_argument("--self-draw", action="store_true", help="drawn from the wall")
    hand.add_argument("--seat", choices="ESWN", default="E", help="the winner's wind")
    hand.add_argument("--round", choices="ESWN", default="E", help="the wind of the round")
    hand.add_argument("--flowers", type=int, default=0, help="flowers and seasons")
    hand.add_argument("--forbidden", choices="mps", default="", help="Sichuan: the forbidden suit")
    hand.add_argument("--dora", default="", help="riichi: dora indicators")
    hand.add_argument("--ura", default="", help="riichi: ura dora indicators")
    hand.add_argument(
        "--how", nargs="*", default=[], metavar="MARK", help="circumstances, such as riichi or robbing_kong"
    )
    hand.set_defaults(run=_hand)


def _hand(options: argparse.Namespace) -> int:
    """Print the explained value of a hand, or every reason why it is none."""
    with speaking(SYSTEMS[PRESETS[options.rules].system].terms):
        return _explained(options, PRESETS[options.rules])


def _explained(options: argparse.Namespace, preset: Preset) -> int:
    try:
        asked = Question(preset, options.tiles, _how(options, preset.system))
        hand, lacking = asked.hand()
        if lacking == 1:
            print("\n".join(tell_waits(asked, options.lang)))
            return 0
        found = asked.explained(hand)
    except Refusal as refusal:
        for problem in refusal.problems:
            print(f"{say(problem, options.lang)}" + (f" [{problem.clause}]" if problem.clause else ""))
        return 1
    print("\n".join(tell(found, options.lang)))
    return 1 if found.reasons else 0


def _how(options: argparse.Namespace, system: str) -> dict[str, object]:
    """Return how the hand was won, in the words of its system alone; what was not asked for is left out."""
    how: dict[str, object] = dict.fromkeys(options.how, True) | {"self_draw": options.self_draw}
    if SYSTEMS[system].tiles.knows_winds:
        how |= {"seat_wind": options.seat, "round_wind": options.round}
    if options.flowers:
        how["flowers"] = options.flowers
    if options.forbidden:
        how["forbidden_suit"] = options.forbidden
    for name, text in (("dora_indicators", options.dora), ("ura_indicators", options.ura)):
        if text:
            how[name] = [write(tile) for tile in parse_compact(text, name)]
    return how


def _evaluate(options: argparse.Namespace) -> int:
    serve(sys.stdin.buffer, sys.stdout.buffer, options.lang)
    return 0


def _compute(options: argparse.Namespace) -> int:
    """Print what follows from a record; with --check, print where its own `computed` differs."""
    try:
        computed, differing = compute_record(read_json(sys.stdin.buffer.read()))
    except Refusal as refusal:
        print(
            json.dumps(
                {"problems": problems_as_json(refusal.problems, options.lang)}, ensure_ascii=False, indent=1
            )
        )
        return 1
    if options.check:
        print("\n".join(differing) or translate(SAME, options.lang))
        return 1 if differing else 0
    print(json.dumps(computed, ensure_ascii=False, indent=1))
    return 0


def _replay(options: argparse.Namespace) -> int:
    """Print a logged game round by round with what differs; the status is 1 where something is not explained."""
    preset = PRESETS[options.rules]
    system = SYSTEMS[preset.system]
    assert system.replay is not None
    with speaking(system.terms):
        try:
            found = system.replay(options.file.read_bytes(), _settings(preset, options.settings))
        except OSError as error:
            print(f"{options.file}: {error.strerror}")
            return 1
        except Refusal as refusal:
            for problem in refusal.problems:
                print(say(problem, options.lang) + (f" ({problem.field})" if problem.field else ""))
            return 1
        print(" · ".join(found.names))
        print("\n".join(_remark(line, options.lang) for line in found.lines))
    return 0 if found.is_explained else 1


def _settings(preset: Preset, written: str) -> Mapping[str, Any]:
    """Return the settings of a preset with the house rules that were asked for, or refuse them."""
    rules = preset.regulation.to_json()
    asked = read_json(written.encode())
    settings = {**rules["system_rules"], **asked} if isinstance(asked, dict) else asked
    return Regulation.from_json({**rules, "system_rules": settings}, system=preset.system).system_rules


def _remark(line: Remark, language: str) -> str:
    clause = f" [{line.clause}]" if line.clause else ""
    return f"{'    ' * line.depth}{fill(line.sentence, line.details, language)}{clause}"


def _rules(options: argparse.Namespace) -> int:
    """Print clause → function → test, and what is lacking."""
    root = Path(__file__).parents[1]
    table = citations.rows(citations.listed(options.system), citations.citations(root, ["scoring"]))
    print("\n".join(citations.report(table, options.lang)))
    return 1 if citations.lacking(table) else 0


SAME = gettext_noop("The record says the same as this program.")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
