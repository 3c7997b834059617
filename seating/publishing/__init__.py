"""What is public of a draw, and changes after publication."""
