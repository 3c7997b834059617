"""Who shall sit where: players and a seed in, seats and notes out."""
