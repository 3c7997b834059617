"""The spine of every write: history, receipts, locks, refusals, news."""
