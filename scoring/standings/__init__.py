"""From the results of sessions to places: tournament points, stages, ranking criteria, groups."""
