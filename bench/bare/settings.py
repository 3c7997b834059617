"""The settings of production, with other addresses."""

from config.settings.production import *  # noqa: F403

ROOT_URLCONF = "bench.bare.urls"
HAND_BATCHES = False
"""There is no address that takes hands."""
