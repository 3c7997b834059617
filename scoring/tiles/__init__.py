"""Tiles: their numbers and names, the ways to read a hand of them, and hands checked before they are valued."""
