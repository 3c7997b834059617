"""Changes of the record: each a verb, one transaction, one history entry, the actor named."""
