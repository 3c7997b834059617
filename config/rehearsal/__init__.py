"""The rehearsal of an event: the same regulation, hall and tablets with invented players, wiped with one press."""
