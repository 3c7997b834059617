"""The demo world: three events, and one of them always in play."""

import random

import pytest

from config import demo
from tournaments.models import Hand, Tournament, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def in_play():
    """The demo's event in play, made as the world makes it."""
    demo._in_play(User.objects.create_user("demo", password="tiles"), random.Random(1))
    return Tournament.objects.get(state="running")


def test_a_hand_comes_to_the_event_in_play(in_play):
    before = Hand.objects.count()
    for _ in range(5):
        demo.keep_alive(random.Random(2))
    assert Hand.objects.count() > before


def test_another_event_begins_when_the_last_one_is_closed(in_play):
    Tournament.objects.filter(pk=in_play.pk).update(state="closed")
    demo.keep_alive(random.Random(3))
    assert list(Tournament.objects.order_by("id").values_list("slug", "state")) == [
        ("bamboo-grove-cup", "closed"),
        ("bamboo-grove-cup-2", "running"),
    ]
