"""Tags of the whole site."""
