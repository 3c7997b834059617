"""Pages of the judges: penalties, lateness, substitutes, appeals; and what players see of them."""
