"""What keeps a site in order from outside: run by hand or by a timetable, never by a request."""
