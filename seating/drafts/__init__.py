"""Drafts: proposed, worked out, changed by hand, published."""
