"""What the judges' pages share."""
