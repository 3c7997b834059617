"""SQLite as this site uses it: settings of each connection, checkpoints, private files."""
