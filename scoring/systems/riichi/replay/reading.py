"""Which of the two forms a log has, and its game."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.systems.base import ReplayedLog
from scoring.systems.riichi.play import Riichi
from scoring.systems.riichi.replay import mjlog, tenhou
from scoring.systems.riichi.replay.log import LoggedGame, refuse
from scoring.systems.riichi.replay.played import told
from scoring.systems.riichi.replay.protocol import protocol_of


def read_log(raw: bytes) -> LoggedGame:
    """Read a log in XML, packed or not, or in JSON; refuse whatever is neither."""
    from scoring.door import read_json

    text = mjlog.unpacked(raw)
    if len(text) > mjlog.MOST_BYTES:
        raise refuse("log_form", mjlog.TOO_LARGE, most=mjlog.MOST_BYTES)
    if text.lstrip().startswith(b"<"):
        return mjlog.read(text)
    log = read_json(text)
    if not isinstance(log, dict):
        raise refuse("log_form", tenhou.NO_LOG)
    return tenhou.read(log)


def replayed(raw: bytes, rules: Mapping[str, Any]) -> ReplayedLog:
    """Play a log again by the settings of a regulation."""
    game, ruleset = read_log(raw), Riichi.from_rules("RIICHI", rules)
    hands, against = protocol_of(game, ruleset)
    return replace(told(game, ruleset), hands=hands, against=against)
