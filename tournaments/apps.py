"""The tournaments application."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """What Django knows of this application."""

    name = "tournaments"
