"""Reads of tables."""
