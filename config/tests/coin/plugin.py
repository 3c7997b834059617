"""A plugin of pytest that makes the coin known before Django starts, as a site of its own would."""

from config.tests.coin.system import COIN, SESSIONS_WON, TOSSES
from scoring import criteria, presets, systems

systems.register(COIN)
criteria.register(SESSIONS_WON)
presets.register(TOSSES)
