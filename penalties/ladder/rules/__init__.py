"""Pure rules of penalties."""
