"""Lateness: minutes, and what follows from them."""
