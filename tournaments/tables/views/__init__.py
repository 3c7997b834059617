"""The tablet's API and shell, and paper for the tables."""
