"""The settings of production, with other addresses."""

from config.settings.production import *  # noqa: F403

ROOT_URLCONF = "bench.bare.urls"
