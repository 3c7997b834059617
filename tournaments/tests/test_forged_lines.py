"""Lines on a player's account cannot be posted, changed or struck behind the history's back."""

import pytest

from tournaments.models import Adjustment
from tournaments.standings.operations import adjustments
from tournaments.standings.operations.adjustments import Entry
from tournaments.standings.operations.verification import verify
from tournaments.tests import factories as make
from tournaments.tests.remembered import remembered

pytestmark = pytest.mark.django_db
REASON = "The committee decided so"


@pytest.fixture
@remembered
def line():
    """A line that counts, beside one that was reversed."""
    of = make.tournament()
    row, other = make.players(of, 2)
    posted = adjustments.post(
        of, Entry(player=row.player, game_points=-8, reason=REASON), by=make.chief_referee_of(of)
    )
    struck = adjustments.post(
        of, Entry(player=other.player, game_points=16, reason=REASON), by=make.chief_referee_of(of)
    )
    adjustments.reverse(struck, by=make.chief_referee_of(of), reason=REASON)
    return posted


def change_the_points(line):
    Adjustment.objects.filter(pk=line.pk).update(game_points=80)


def change_the_player(line):
    other = line.tournament.registrations.get(number=2).player
    Adjustment.objects.filter(pk=line.pk).update(player=other)


def strike_it(line):
    Adjustment.objects.filter(pk=line.pk).update(reversed_at=line.posted_at)


def delete_it(line):
    line.delete()


def bring_the_other_back(line):
    Adjustment.objects.filter(tournament=line.tournament, code="d2").update(reversed_at=None)


def post_another(line):
    Adjustment.objects.create(
        tournament=line.tournament, code="d9", player=line.player, game_points=100, reason=REASON
    )


FORGERIES = [change_the_points, change_the_player, strike_it, delete_it, bring_the_other_back, post_another]


def test_honest_lines_are_whole(line):
    assert verify(line.tournament) == []


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_forged_line_is_found(line, forge):
    """[INTEGRITY 1]"""
    forge(line)
    assert [fault.chain for fault in verify(line.tournament)] == [f"tournament:{line.tournament_id}"]
