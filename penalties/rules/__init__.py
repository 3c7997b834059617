"""Judging as pure functions: ladders, lateness, appeals, and what may be attached to them."""
