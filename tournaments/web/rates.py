"""How often a caller may do something: far more often than people do, far less than a program could. [INTEGRITY 156]

A hall stands behind one address: three hundred spectators look for their seats at one moment, and half of them may register
at the door (`config/tests/test_rates.py`). Whoever works at the desk or a table is known by account or tablet, and is not
slowed in what is typed by hand.
"""

from tournaments.record.limits import Rate

REGISTER = Rate("register", burst=200, every=5)
NOTICES = Rate("notices", burst=60, every=5)
OWN_CHANGE = Rate("own-change", burst=30, every=10)
NEW_EVENT = Rate("new-event", burst=20, every=60)
HAND_CHECK = Rate("hand-check", burst=200, every=1)
APPEAL = Rate("appeal", burst=20, every=30)
REPORT = Rate("report", burst=5, every=720)
UPLOAD = Rate("upload", burst=30, every=10)

SEARCH = Rate("search", burst=600, every=0.1)
PROGRAM = Rate("program", burst=600, every=0.05)
FILE = Rate("file", burst=120, every=1)
