"""What becomes of personal data: told, exported, erased, and forgotten after a time."""
