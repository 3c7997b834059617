"""Pages for everybody, and the hall's screens."""
