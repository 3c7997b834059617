"""Sichuan mahjong in its two editions: SBR (MPL-2025) and WMSG (Sichuan Bloody)."""
