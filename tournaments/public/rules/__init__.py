"""What public pages work out without a database."""
