"""The tournaments application."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """What Django knows of this application."""

    name = "tournaments"

    def ready(self) -> None:
        """Let sentences be said in the words of an event's system."""
        from tournaments.web.terms import install

        install()
