"""The A.G.P. table and other series: three editions, fifteen points for the first, explained line by line."""

import pytest

from core.refusal import Refusal
from tournaments.rules.series import WORLD, Edition, SeriesLine, SeriesRules, moved, ranks, series_table


def test_ten_places_give_points_and_later_ones_none():
    players = tuple(f"p{n:02d}" for n in range(1, 13))
    table = series_table([Edition(1, players)])
    assert [standing.points for standing in table] == [15, 12, 10, 8, 6, 5, 4, 3, 2, 1, 0, 0]
    assert [standing.player for standing in table] == list(players)
    assert table[11].decided_by == "best_place"


def test_three_editions_count_and_each_line_says_what_it_gave():
    editions = [
        Edition(1, ("a", "b")),
        Edition(2, ("b", "a")),
        Edition(3, ()),
        Edition(4, ("c", "a"), {"a": -1, "d": -1}),
    ]
    table = series_table(editions)
    assert {s.player: s.points for s in table} == {"a": 12 + 11, "b": 15, "c": 15, "d": -1}
    first = table[0]
    assert (first.player, first.best_place) == ("a", 2)
    assert first.lines == (SeriesLine(2, 2, 12, 0), SeriesLine(4, 2, 11, -1))
    assert table[-1].lines == (SeriesLine(4, None, -1, -1),)


def test_equal_points_go_by_best_place_then_by_the_more_recent():
    table = series_table([Edition(1, ("a", "b")), Edition(2, ("b", "a"))])
    assert [(s.player, s.decided_by) for s in table] == [("b", None), ("a", "recent_best_place")]
    fillers = tuple(f"f{n}" for n in range(8))
    best_first = series_table([Edition(1, ("a", "b", *fillers)), Edition(2, ("x", *fillers[:5], "b", "y", "z", "a"))])
    a_and_b = [(s.player, s.points, s.decided_by) for s in best_first if s.player in "ab"]
    assert a_and_b == [("a", 16, None), ("b", 16, "best_place")]


def test_who_has_no_place_comes_after_who_has():
    fillers = tuple(f"f{n:02d}" for n in range(10))
    table = series_table([Edition(1, (*fillers, "placed"), {"none": 0})])
    assert [(s.player, s.decided_by) for s in table[-2:]] == [("placed", None), ("none", "best_place")]


def test_two_without_any_place_need_a_lot_to_stand_in_order():
    editions = [Edition(1, ("a",), {"y": -1, "z": -1})]
    assert ranks(series_table(editions)) == {"a": 1, "y": 2, "z": 2}
    with pytest.raises(Refusal, match="lot_missing"):
        series_table(editions, WORLD, {"y": 1})
    drawn = series_table(editions, WORLD, {"y": 1, "z": 0})
    assert [(s.player, s.rank, s.shared, s.decided_by) for s in drawn[1:]] == [("z", 2, 2, None), ("y", 3, 2, None)]


def test_a_club_series_has_its_own_points_and_window():
    rules = SeriesRules((3, 1), 2)
    table = series_table([Edition(1, ("c", "b")), Edition(2, ("a", "b", "c")), Edition(3, ("b", "a"))], rules)
    assert [(s.player, s.points) for s in table] == [("b", 4), ("a", 4), ("c", 0)]


def test_movement_since_the_table_before():
    before = series_table([Edition(1, ("a", "b"))])
    after = series_table([Edition(1, ("a", "b")), Edition(2, ("b", "c", "a"))])
    assert [s.player for s in after] == ["b", "a", "c"]
    assert moved(before, after) == {"b": 1, "a": -1, "c": None}
