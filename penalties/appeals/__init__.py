"""Appeals: filed, heard, ruled on, taken further."""
