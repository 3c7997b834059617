"""What judges print: slips, lists, files and receipts, and the printer's page at the desk."""
