"""A system and a criterion that nobody ships: made and registered as docs/CONTRIBUTING.md tells, then played."""
