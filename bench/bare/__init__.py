"""A site of one view, with the settings and the server of ours: what Django can write at most, beside what we write."""

ADDRESS = "write"
