"""The tablet's own logic, tested in its own language by Node's test runner."""

import pytest

from tournaments.tests import node
from tournaments.tests.arithmetic_vectors import written_to

pytestmark = pytest.mark.node
WITH_VECTORS = "arithmetic.test.mjs"


@pytest.mark.parametrize(
    "suite", sorted({path.name for path in node.SUITES.glob("*.test.mjs")} - {WITH_VECTORS})
)
def test_the_scripts_keep_their_promises(suite):
    node.run_suite(suite)


def test_the_tablet_pays_as_the_rulebook_does(tmp_path):
    """In every system, at every number of players, hand by hand as the engine does."""
    node.run_suite(WITH_VECTORS, VECTORS=str(written_to(tmp_path / "vectors.json")))
