"""Sessions: timetable, clock, seats, start and close, and the event that holds them."""
