"""People of an event: registration, waiting list, teams, import, check-in."""
