"""What needs no database about tables: audits of their papers."""
