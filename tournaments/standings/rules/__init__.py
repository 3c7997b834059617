"""Pure rules about standings and figures."""
