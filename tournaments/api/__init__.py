"""The documented API."""
