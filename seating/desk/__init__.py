"""The desk of the draw: wishes, what follows from them, plans from elsewhere."""
