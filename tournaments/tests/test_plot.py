"""Places as a drawing: nothing outside it, nothing on top of another, the better place higher."""

import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from tournaments.standings.rules.plot import NAME_GAP, NARROW, TOP, WIDE, Course, dodged, plot, ticks

PLACES = st.lists(st.one_of(st.none(), st.integers(1, 200)), min_size=5, max_size=5)


def points(path):
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)]


@given(
    rows=st.lists(PLACES, min_size=1, max_size=7),
    size=st.sampled_from([NARROW, WIDE]),
    is_open=st.booleans(),
)
def test_everything_stands_within_the_drawing(rows, size, is_open):
    courses = [Course(number, f"Player {number}", row) for number, row in enumerate(rows)]
    drawn = plot(list("12345"), courses, size, is_last_open=is_open)
    for line in drawn.lines:
        for x, y in points(line.path + line.open_path + line.lead):
            assert 0 <= x <= size.width
            assert TOP <= y <= drawn.floor
        assert TOP <= float(line.name_y) <= drawn.floor
    names = sorted(float(line.name_y) for line in drawn.lines)
    assert all(other - one >= NAME_GAP - 0.11 for one, other in itertools.pairwise(names))


@given(one=st.integers(1, 99), other=st.integers(1, 99))
def test_the_better_place_stands_higher(one, other):
    courses = [Course(1, "One", [one, one]), Course(2, "Other", [other, other])]
    first, second = (points(line.path)[0][1] for line in plot(["1", "2"], courses, WIDE).lines)
    assert (first < second) == (one < other)


@given(wanted=st.lists(st.floats(0, 100), max_size=6))
def test_dodging_keeps_order_and_distance(wanted):
    found = dodged(wanted, least=0, most=100, gap=15)
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    assert [found[at] for at in order] == sorted(found)
    assert all(b - a >= 14.8 for a, b in zip(sorted(found), sorted(found)[1:], strict=False))


def test_what_stands_apart_is_left_where_it_is():
    assert dodged([10, 50, 90], least=0, most=100, gap=15) == [10, 50, 90]


def test_a_missing_place_breaks_the_line():
    (line,) = plot(list("1234"), [Course(1, "Wren", [1, None, 2, 3])], WIDE).lines
    assert line.path.count("M") == 2
    assert line.path.count("L") == 1


def test_the_session_in_play_is_drawn_apart():
    (line,) = plot(list("123"), [Course(1, "Wren", [1, 2, 3])], WIDE, is_last_open=True).lines
    assert (len(points(line.path)), len(points(line.open_path))) == (2, 2)
    assert points(line.path)[-1] == points(line.open_path)[0]


def test_the_axis_names_the_first_place_and_round_ones():
    assert ticks(4) == [1, 2, 3, 4]
    assert ticks(16) == [1, 5, 10, 15]
    assert ticks(200) == [1, 50, 100, 150, 200]


def test_long_names_are_cut_and_own_lines_have_their_own_look():
    courses = [Course(1, "A" * 60, [1, 1]), Course(2, "Wren", [2, 2], is_own=True), Course(3, "Kite", [3, 3])]
    lines = plot(["1", "2"], courses, NARROW).lines
    assert [line.look for line in lines] == [1, 0, 2]
    assert lines[0].name == f"1 {'A' * 12}…"
