"""Standings: recomputed, kept as a snapshot, shown, explained, verified."""
