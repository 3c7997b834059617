"""Penalties and the ladder of what repeated offences cost."""
