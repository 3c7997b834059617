"""Pages for those who run the event."""
