"""Pages of the draw, a module for each audience."""
