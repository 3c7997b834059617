"""Tests of what becomes of personal data."""
