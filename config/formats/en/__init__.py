"""English as the rest of the site writes it."""
