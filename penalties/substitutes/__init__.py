"""Substitutes, empty seats and returns."""
