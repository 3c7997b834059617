"""Other people's engines, asked about random hands; every disagreement is listed with its clause."""
