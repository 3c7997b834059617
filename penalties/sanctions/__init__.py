"""Removals and disqualifications of the whole site, person by person."""
