"""Writes at a table."""
