"""The shipped set-up, read from the files that ship it, started, used, broken and brought back."""
