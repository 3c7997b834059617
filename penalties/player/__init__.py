"""What players see of their judgements, and the appeals they file themselves."""
