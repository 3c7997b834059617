"""Pure rules about sessions."""
