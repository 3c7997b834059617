"""Writes of penalties, of the lines they post, and of dead hands."""
