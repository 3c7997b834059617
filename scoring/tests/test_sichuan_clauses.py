"""What people read at a payment of Sichuan mahjong cites a clause that is listed."""

from scoring.systems.sichuan.clauses import CLAUSES
from scoring.systems.sichuan.fans import FANS
from scoring.systems.sichuan.law import LAWS


def test_lines_and_problems_cite_listed_clauses():
    """What people read at a payment is in the list."""
    named = {tag for law in LAWS.values() for tag in law.clauses.values()}
    named |= {fan.clause(law) for fan in FANS for law in LAWS.values()}
    assert named <= {clause.tag for clause in CLAUSES}
