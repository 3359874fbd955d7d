"""The difference between two versions of a tournament: what was corrected, said once, and all that follows."""

import json
from collections import Counter
from copy import deepcopy

import pytest

from core.lots import Lots
from tests.tournaments.changes import CHANGES, changed_once
from tests.tournaments.files import by_place, hands_heat, outcome, result, stage, totals_heat, tournament_file
from tournaments.exchange.generator import generate_tournament
from tournaments.rules.differences import (
    HandChanged,
    LineChanged,
    ListChanged,
    RuleChanged,
    ValueChanged,
    differences,
)
from tournaments.rules.qualification import Substitution

RESULTS = {"final_ranking", "tournament_points", "agp", "ranking", "repechage"}
FOLLOWS = {"hands_played", "golden_call", "to", "places", "direct_per_heat", "qualification"}
FOLLOWS |= {"direct", "qualified", "second_final", "substitutions", "excluded"} | RESULTS


def is_correction(difference):
    return not isinstance(difference, LineChanged) and getattr(difference, "part", "") not in FOLLOWS


def between(old, new):
    return differences(old, result(old), new, result(new))


def corrections(old, new):
    """Those of two files, whatever their results are."""
    same = result(tournament_file(stage(by_place("A", "abcde"))))
    return differences(old, same, new, same)


def hand(caller="a", called="b", bid=80, made=90, **more):
    return {"caller": caller, "called": called, "bid": bid, "made": made, **more}


def small(**more):
    return tournament_file(stage(hands_heat("A", "abcde", [hand(), hand("c", "d")])), **more)


# One correction after the other


def test_one_hand_and_what_follows_from_it():
    old, new = small(), small()
    new["stages"][0]["heats"][0]["hands"][1] = hand("c", "d", made=120, bid=100)
    line = {"gap": "0", "gap_percent": "0.00", "decided_by": None}
    assert between(old, new) == (
        HandChanged(1, "A", 2, hand("c", "d"), hand("c", "d", made=120, bid=100)),
        ValueChanged(
            "golden_call",
            1,
            "A",
            {"player": "a", "bid": 80, "solo": False},
            {"player": "c", "bid": 100, "solo": False},
        ),
        *(
            LineChanged("ranking", 1, "A", player, before, after)
            for player, before, after in [
                (
                    "c",
                    {"order": 2, "place": 1, "points": 80, **line, "decided_by": "lot"},
                    {"order": 1, "place": 1, "points": 100, **line},
                ),
                (
                    "d",
                    {"order": 4, "place": 1, "points": 80, **line, "decided_by": "lot"},
                    {"order": 2, "place": 1, "points": 100, **line, "decided_by": "golden_call"},
                ),
                (
                    "a",
                    {"order": 1, "place": 1, "points": 80, **line},
                    {"order": 3, "place": 3, "points": 80, "gap": "1/5", "gap_percent": "20.00", "decided_by": None},
                ),
                (
                    "b",
                    {"order": 3, "place": 1, "points": 80, **line, "decided_by": "golden_call"},
                    {
                        "order": 4,
                        "place": 3,
                        "points": 80,
                        "gap": "1/5",
                        "gap_percent": "20.00",
                        "decided_by": "golden_call",
                    },
                ),
            ]
        ),
        ListChanged("direct", 1, ("a", "c", "b", "d", "e"), ("c", "d", "a", "b", "e")),
        ListChanged("qualified", 1, ("a", "c", "b", "d", "e"), ("c", "d", "a", "b", "e")),
    )


@pytest.mark.parametrize(
    ("fact", "value"), [("name", "Other"), ("venue", "Hall"), ("date", "2026-01-02"), ("edition", 7)]
)
def test_a_fact(fact, value):
    old = small()
    new = deepcopy(old)
    new["tournament"][fact] = value
    assert corrections(old, new) == (ValueChanged(fact, None, None, old["tournament"].get(fact), value),)


def test_rules_by_name():
    old, new = small(rules={"min_bid": 70, "knock_ms": 900}), small(rules={"knock_ms": 700, "second_final": False})
    assert corrections(old, new) == (
        RuleChanged("knock_ms", 900, 700),
        RuleChanged("min_bid", 70, None),
        RuleChanged("second_final", None, False),
    )


def test_entrants_and_lots():
    old, new = small(), small()
    new["players"].append({"id": "f", "name": "F"})
    new["entries"][:] = ["b", "a", "c", "d", "f"]
    del new["lots"]
    players, entries, lots = corrections(old, new)
    assert players == ListChanged("players", None, tuple("abcde"), tuple("abcdef"))
    assert (players.added, players.removed, players.reordered) == (("f",), (), False)
    assert entries == ListChanged("entries", None, tuple("abcde"), ("b", "a", "c", "d", "f"))
    assert (entries.added, entries.removed, entries.reordered) == (("f",), ("e",), True)
    assert lots == ListChanged("lots", None, tuple("abcde"), ())


def test_names_and_clubs_of_people_are_no_part_of_a_version():
    old, new = small(), small()
    new["players"][0] |= {"name": "Erased", "club": "None"}
    assert between(old, new) == ()


def test_editions_before():
    first, second = {"edition": 1, "ranking": ["a"]}, {"edition": 2, "ranking": ["b"], "series": "cup"}
    third, longer = {"edition": 3, "ranking": ["c"]}, {"edition": 1, "ranking": ["a", "b"]}
    assert corrections(small(editions=[first, second]), small(editions=[longer, third])) == (
        ValueChanged("edition_before", None, None, first, longer),
        ValueChanged("edition_before", None, None, None, third),
        ValueChanged("edition_before", None, None, second, None),
    )
    assert corrections(small(editions=[first, third, second]), small(editions=[second, first])) == (
        ListChanged("editions_before", None, (("world", 1), ("world", 3), ("cup", 2)), (("cup", 2), ("world", 1))),
        ValueChanged("edition_before", None, None, third, None),
    )


def test_withdrawals():
    heats = [stage(by_place("A", "abcde"), by_place("B", "fghij"))]
    old = tournament_file(*heats, withdrawals=[("a", "final")])
    new = tournament_file(*heats, withdrawals=[("f", "final")])
    said = between(old, new)
    assert said[0] == ListChanged("withdrawals", None, (("a", "final"),), (("f", "final"),))
    swaps = next(part for part in said if getattr(part, "part", "") == "substitutions")
    assert swaps.stage == 1
    assert Substitution("f", "h", "direct", "S8") in swaps.added
    assert Substitution("a", "c", "direct", "S8") in swaps.removed
    assert ListChanged("excluded", None, ("a",), ("f",)) in said


def test_heats_that_come_go_and_change_places():
    a, b, c = by_place("A", "abcde"), by_place("B", "fghij"), by_place("C", "klmno")
    assert corrections(tournament_file(stage(a)), tournament_file(stage(a, b)))[-1] == (
        ValueChanged("seats", 1, "B", None, list("fghij"))
    )
    old, new = tournament_file(stage(a, b, c)), tournament_file(stage(c, a))
    new |= {part: old[part] for part in ("players", "entries", "lots")}
    assert corrections(old, new) == (
        ListChanged("heats", 1, ("A", "B", "C"), ("C", "A")),
        ValueChanged("seats", 1, "B", list("fghij"), None),
    )


def test_a_heat_that_is_new_is_told_with_its_table_as_one():
    a, b = by_place("A", "abcde"), by_place("B", "fghij")
    said = between(tournament_file(stage(a)), tournament_file(stage(a, b)))
    assert ValueChanged("hands_played", 1, "B", None, 20) in said
    assert ValueChanged("ranking", 1, "B", None, 5) in said
    assert not [part for part in said if isinstance(part, LineChanged) and part.heat == "B"]


def test_a_final_played_since():
    heats = stage(by_place("A", "abcde"), by_place("B", "fghij"))
    old = tournament_file(heats)
    new = tournament_file(heats, stage(by_place("Final", "abfgc"), kind="final"))
    assert between(old, new) == (
        ValueChanged("kind", 2, None, None, "final"),
        ValueChanged("seats", 2, "Final", None, list("abfgc")),
        ValueChanged("hands_played", 2, "Final", None, 20),
        ValueChanged("ranking", 2, "Final", None, 5),
        ValueChanged("final_ranking", None, None, None, 10),
        ValueChanged("tournament_points", None, None, None, 10),
        ValueChanged("agp", None, None, None, 10),
    )


def test_an_intermediate_stage_played_since():
    fields = [by_place(str(at), [f"{at}{seat}" for seat in "abcde"]) for at in range(6)]
    winners = [f"{at}a" for at in range(6)] + [f"{at}b" for at in range(4)]
    old = tournament_file(stage(*fields))
    new = tournament_file(stage(*fields), stage(by_place("X", winners[:5]), by_place("Y", winners[5:])))
    said = between(old, new)
    row = result(new)["qualification"][1]
    assert ValueChanged("qualification", 2, None, None, row) in said
    assert ValueChanged("qualification", 2, None, row, None) in between(new, old)


def test_another_number_of_heats_gives_another_plan():
    a, b, c = by_place("A", "abcde"), by_place("B", "fghij"), by_place("C", "klmno")
    said = between(tournament_file(stage(a, b)), tournament_file(stage(a, b, c)))
    assert ValueChanged("direct_per_heat", 1, None, 2, 1) in said
    assert not [part for part in said if getattr(part, "part", "") in ("to", "places")]


def test_totals_against_hands():
    old = tournament_file(stage(totals_heat("A", dict.fromkeys("abcde", 5), 3)))
    new = tournament_file(stage(hands_heat("A", "abcde", [hand(), hand(bid=90)])))
    totals = {"totals": dict.fromkeys("abcde", 5), "hands_played": 3}
    assert corrections(old, new) == (
        ValueChanged("totals", 1, "A", totals, None),
        HandChanged(1, "A", 1, None, hand()),
        HandChanged(1, "A", 2, None, hand(bid=90)),
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ([1, 2, 3, 4], [1, 2, 9, 3, 4], [(3, None, 9)]),
        ([1, 2, 3, 4], [1, 2, 4], [(3, 3, None)]),
        ([1, 1], [1, 1, 1], [(3, None, 1)]),
        ([1, 2, 3, 4, 5], [1, 8, 3, 9, 5], [(2, 2, 8), (4, 4, 9)]),
        ([1, 2, 3], [4, 3], [(1, 1, 4), (2, 2, None)]),
        ([1], [2, 3], [(1, 1, 2), (2, None, 3)]),
    ],
)
def test_hands_stand_against_each_other(before, after, said):
    def sheet(numbers):
        return tournament_file(stage(hands_heat("A", "abcde", [hand(made=80 + number) for number in numbers])))

    def line(number):
        return number and hand(made=80 + number)

    expected = tuple(HandChanged(1, "A", at, line(gone), line(come)) for at, gone, come in said)
    assert corrections(sheet(before), sheet(after)) == expected


def test_a_line_says_which_of_its_values_changed():
    line = LineChanged("agp", None, None, "a", {"rank": 1, "points": 5}, {"rank": 1, "points": 6})
    assert line.changed == ("points",)
    assert line._replace(after=None).changed == ("rank", "points")


# Any tournament


def generated(seed):
    return generate_tournament(seed, heats=1 + seed % 7, hands=4)


def tables(replayed):
    """Every table of a result: its lines by player."""
    found = {
        "final_ranking": replayed["final_ranking"],
        "tournament_points": [{"player": p, "points": n} for p, n in replayed["tournament_points"].items()],
        "agp": replayed["agp"],
    }
    found = {(name, None, None): rows for name, rows in found.items()}
    for heat in replayed["heats"]:
        found["ranking", heat["stage"], heat["name"]] = heat["ranking"]
    for row in replayed["qualification"]:
        numbered = [{"order": at, **line} for at, line in enumerate(row["repechage"], start=1)]
        found["repechage", row["stage"], None] = numbered
    return {key: {row["player"]: {**row, "player": None} for row in rows} for key, rows in found.items() if rows}


def test_equal_versions_do_not_differ():
    for seed in range(40):
        file = generated(seed)
        assert between(file, json.loads(json.dumps(file))) == ()


def test_any_single_correction_is_said_and_all_that_follows_from_it():
    seen, moved = set(), Counter()
    for seed in range(600):
        old = generated(seed % 60)
        new = deepcopy(old)
        change = changed_once(Lots(seed.to_bytes(4, "big"), "correction"), new)
        code, after = outcome(json.dumps(new).encode())
        before = result(old)
        assert any(map(is_correction, differences(old, before, new, before))), (seed, change)
        seen.add(change)
        if code:
            continue  # the other stages of the file do not go with it
        said = differences(old, before, new, after)
        moved["with consequences"] += not all(map(is_correction, said))
        if change in ("made", "bid", "caller", "award", "change_award", "ruling", "drop_hand"):
            assert Counter(map(type, filter(is_correction, said))) == {HandChanged: 1}, (seed, change)
        assert corrected(before, after, said), (seed, change)
        back = differences(new, after, old, before)
        assert sorted(map(str, back)) == sorted(str(d._replace(before=d.after, after=d.before)) for d in said)
    assert seen == {change.__name__ for change in CHANGES}
    assert moved["with consequences"] > 150


def corrected(before, after, said):
    """The tables of the earlier result with every line that is said to be otherwise are those of the later one."""
    lines, wanted = tables(before), tables(after)
    for part in said:
        if isinstance(part, LineChanged):
            key = (part.table, part.stage, part.heat)
            assert lines[key].get(part.player) == (part.before and {**part.before, "player": None})
            if part.after is None:
                del lines[key][part.player]
            else:
                lines[key][part.player] = {**part.after, "player": None}
        elif getattr(part, "part", None) in RESULTS:
            key = (part.part, part.stage, part.heat)
            assert len(wanted.get(key, ())) == (part.after or 0)
            assert len(lines.pop(key, ())) == (part.before or 0)
            lines |= {key: wanted[key]} if part.after else {}
        elif getattr(part, "part", None) == "qualification":
            key = ("repechage", part.stage, None)
            lines.pop(key, None)
            lines |= {key: wanted[key]} if key in wanted else {}
    return lines == wanted


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, child in value.items():
            yield from leaves(child, (*path, key))
    elif isinstance(value, list):
        for at, child in enumerate(value):
            yield from leaves(child, (*path, at))
    else:
        yield path


def test_no_value_of_a_result_can_be_otherwise_unsaid():
    for seed in range(6):
        file = generated(seed)
        before = result(file)
        assert differences(file, before, file, deepcopy(before)) == ()
        for path in leaves(before):
            after = deepcopy(before)
            place = after
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = 10**6 if isinstance(place[path[-1]], int) else "other"
            assert differences(file, before, file, after), path
