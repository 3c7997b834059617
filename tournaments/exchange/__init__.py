"""Tournaments leave and come back: the record of docs/RECORD.md, and tables for spreadsheets."""
