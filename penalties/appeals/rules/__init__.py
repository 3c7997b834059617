"""Pure rules of appeals."""
