"""Reads of penalties."""
