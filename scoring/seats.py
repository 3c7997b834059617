"""Seats at a table, named by their starting wind for the whole session."""

from enum import StrEnum


class Seat(StrEnum):
    """A place at the table. Its name never changes within a session, also where players change chairs."""

    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    NORTH = "N"


SEATS: tuple[Seat, ...] = (Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH)


def after(seat: Seat, seats: tuple[Seat, ...]) -> Seat:
    """Return the occupied seat whose turn follows."""
    return seats[(seats.index(seat) + 1) % len(seats)]


def in_turn_from(seat: Seat, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """List the other occupied seats in turn order, beginning with the one after the given seat."""
    start = seats.index(seat) + 1 if seat in seats else 0
    turned = seats[start:] + seats[:start]
    return tuple(other for other in turned if other != seat)
