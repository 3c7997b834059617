"""Writes of standings."""
