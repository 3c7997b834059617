"""Public pages, a module for each subject."""
