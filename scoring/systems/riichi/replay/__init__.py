"""Games that other programs logged, played again by the rules of riichi known here."""
