"""The seating application."""

from django.apps import AppConfig


class SeatingConfig(AppConfig):
    """What Django knows of this application."""

    name = "seating"

    def ready(self) -> None:
        """Let the record ask what waits to be published."""
        from seating.draws import Urn
        from tournaments.record import draws

        draws.register(Urn())
