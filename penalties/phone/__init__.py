"""The referee's phone: tables, players and offences under one thumb, and what waits for a judge."""
