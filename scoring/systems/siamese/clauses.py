"""The clauses of Siamese sport mahjong that touch the points of a deal; 1, 10, 11 and 18 to 22 are about play alone."""

from scoring.clauses import Clause
from scoring.problems import gettext_noop as _

CLAUSES: tuple[Clause, ...] = (
    Clause("SIAM 2", _("the aim: more points than the others")),
    Clause("SIAM 3", _("the deal ends at a player's second win or with the wall")),
    Clause("SIAM 4", _("the golden rule: the second win is worth at least the first")),
    Clause("SIAM 5", _("two wins in one turn")),
    Clause("SIAM 6", _("deals 4, 8, 12 and 16 are not played")),
    Clause("SIAM 7", _("no flowers and seasons")),
    Clause("SIAM 8", _("East, South and West, the dealer being East")),
    Clause("SIAM 9", _("the turn goes on after a first win")),
    Clause("SIAM 12", _("a hand is counted at its most")),
    Clause("SIAM 13", _("wins that lapse when another has won twice")),
    Clause("SIAM 14", _("all wins count when the wall is out")),
    Clause("SIAM 15", _("what a self-draw is paid")),
    Clause("SIAM 16", _("what a win on a discard is paid")),
    Clause("SIAM 17", _("a first win without the drawn tile")),
    Clause("SIAM 23", _("payment between two players")),
    Clause("SIAM 24", _("two players deal in turn")),
    Clause("RULES 8.22", _("two players move the bare value; which fans are barred")),
    Clause("RULES 8.49", _("hands of two, one drawn tile, four copies of a tile")),
    Clause("RULES 8.41", _("hands 1 to 12, false wins, seats that stay")),
)
