"""How dates and times are written, where the language alone does not settle it."""
