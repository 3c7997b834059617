"""Judgements given, changed and undone; what they bring reaches the standings as adjustments."""
