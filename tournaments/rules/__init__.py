"""Rules of registration, check-in and play that are not points; pure functions."""
