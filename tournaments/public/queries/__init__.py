"""What the public pages ask beyond the rooms below."""
