"""Forms of the desk."""
