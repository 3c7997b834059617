"""The seating application."""

from django.apps import AppConfig


class SeatingConfig(AppConfig):
    """What Django knows of this application."""

    name = "seating"
