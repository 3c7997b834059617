"""Writes about people."""
