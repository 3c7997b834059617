"""Tournament files: reading, checking and computing what docs/RECORD.md describes."""
