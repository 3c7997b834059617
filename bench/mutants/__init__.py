"""Small faults, planted one at a time: how they are made, which tests could see them, and running those."""
