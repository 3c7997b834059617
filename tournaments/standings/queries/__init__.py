"""Reads of standings."""
