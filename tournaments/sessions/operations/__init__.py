"""Writes about sessions."""
