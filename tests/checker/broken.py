"""Files that must be turned away, with what must be said about each.

`broken()` gives them all. `exit` 2 is a bad file, 3 a file the rules refuse. At least one pointer named must start
with `prefix`: it is the smallest part of the file that the documents let one point at. `article` is None for a bad
file and wherever the documents name no article.
"""

import json
from collections.abc import Iterator

from . import samples
from .bending import HAND, TOTALS, Broken, drop, edited, put
from .broken_shapes import raw, shapes
from .samples import (
    award,
    dump,
    final,
    hand,
    hands_heat,
    ordered_heat,
    second_final,
    totals_heat,
    tournament,
    two_heats,
)


def _references() -> Iterator[Broken]:
    """Strangers, doubles and stages out of place."""
    both = [samples.complete()["players"][0]]
    for where, value in [
        ("/entries/0", "zz"),
        ("/entries/1", "a"),
        ("/lots/0", "zz"),
        ("/lots/1", "j"),
        ("/withdrawals", [{"player": "zz", "from": "final"}]),
        ("/players/1/id", "a"),
        ("/editions_before/0/ranking", ["a", "x", "a"]),
        ("/stages/0/heats/0/seats/0", "zz"),
        ("/stages/0/heats/0/seats/1", "a"),
        ("/stages/0/heats/1/seats/0", "a"),
        ("/stages/1/heats/0/seats/0", "zz"),
        (f"{HAND}/0/caller", "zz"),
        (f"{HAND}/0/caller", "f"),
        (f"{HAND}/0/called", "f"),
        (f"{HAND}/4/caller", "f"),
        (f"{HAND}/5/ruling/player", "f"),
        (f"{TOTALS}/totals/zz", 5),
        (f"{TOTALS}/totals/a", 5),
        (f"{TOTALS}/adjustments", {"a": -1}),
    ]:
        # A stranger in a seat leaves his hands and totals behind too: only the start of the pointer is asked.
        prefix = where.rpartition("/seats")[0] or where
        if where in ("/entries/1", "/lots/1", "/players/1/id"):  # a double may be told of the list
            prefix = "/" + where.split("/")[1]
        yield edited(f"{where} = {json.dumps(value)}", 2, prefix, put(where, value))
    yield edited("a player twice", 2, "/players", lambda file: file["players"].extend(both))
    yield edited("a seat without total", 2, f"{TOTALS}/totals", drop(f"{TOTALS}/totals/j"))
    yield edited("final first", 2, "/stages", lambda file: file["stages"].pop(0))
    yield edited("second final without final", 2, "/stages", lambda file: file["stages"].pop(1))
    yield edited("second final before the final", 2, "/stages", _swap)
    yield edited("two finals", 2, "/stages", lambda file: file["stages"].insert(1, file["stages"][1]))
    yield edited("two second finals", 2, "/stages", lambda file: file["stages"].append(file["stages"][2]))
    yield edited("heats after the final", 2, "/stages", lambda file: file["stages"].append(file["stages"][0]))
    yield edited(
        "a final of two matches",
        2,
        "/stages/1",
        lambda file: file["stages"][1]["heats"].append(file["stages"][2]["heats"][0]),
    )


def _swap(file: dict) -> None:
    file["stages"][1], file["stages"][2] = file["stages"][2], file["stages"][1]


def _refusals() -> Iterator[Broken]:
    """Well-formed files the rules refuse."""
    for where, value, article in [
        (f"{HAND}/0/bid", 60, "S12"),
        (f"{HAND}/0/bid", 121, "S12"),
        (f"{HAND}/0/bid", 0, "S12"),
        (f"{HAND}/0/bid", -75, "S12"),
        (f"{HAND}/0/bid", 2**63 - 1, "S12"),
        (f"{HAND}/4/bid", 121, "S12"),
        (f"{HAND}/0/made", 121, "S15"),
        (f"{HAND}/0/made", -1, "S15"),
        (f"{HAND}/3/made", 121, "S15"),
    ]:
        yield edited(f"{where} = {value}", 3, where, put(where, value), article)
    yield edited("suicidal on a won hand", 3, f"{HAND}/2", put(f"{HAND}/2/made", 110), "S17")
    yield edited("disloyal at 72", 3, f"{HAND}/3", put(f"{HAND}/3/bid", 72), "S18")
    yield edited("admitted at 72", 3, f"{HAND}/4", put(f"{HAND}/4/bid", 72), "S18")
    for name, value in [
        ("match_minutes", 9),
        ("match_minutes", 601),
        ("second_final_minutes", 59),
        ("second_final_minutes", 121),
        ("bell_120", "ring"),
        ("knock_ms", 499),
        ("knock_ms", 10001),
        ("min_bid", 0),
        ("min_bid", 121),
        ("disloyal_above", -1),
        ("disloyal_above", 120),
        ("disloyal_points", []),
        ("suicidal_points", -1),
        ("suicidal_ledger", 1),
        ("offence_scope", "year"),
        ("judge_mode", "crowd"),
        ("recorders", "nobody"),
        ("seeds_per_heat", -1),
        ("seeds_per_heat", 6),
        ("tie_chain", []),
        ("tie_chain", ["hands_won", "golden_call", "agp"]),
        ("tie_chain", ["lot", "hands_won"]),
        ("tie_chain", ["hands_won", "hands_won", "lot"]),
        ("tie_chain", ["age", "lot"]),
        ("final_size", 6),
        ("table_size", 4),
    ]:
        where = f"/tournament/rules/{name}"
        yield edited(f"{where} = {json.dumps(value)}", 3, where, put(where, value))
    yield edited("wrong finalists", 3, "/stages/1", put("/stages/1/heats", [ordered_heat("F", "c f g a b")]))
    yield edited("wrong second finalists", 3, "/stages/2", put("/stages/2/heats", [ordered_heat("S", "b e d i h")]))
    yield edited("second final against the rules", 3, "/stages/2", put("/tournament/rules/second_final", False))
    yield edited("finalist who withdrew", 3, "/stages/1", put("/withdrawals", [{"player": "c", "from": "final"}]))
    for name, withdrawals, article in [
        ("never qualified", [("b", "final")], "S8"),
        ("finalist withdrawing from the second final", [("c", "second_final")], "D16"),
        ("second finalist withdrawing from the final", [("j", "final")], "S8"),
        ("no such stage", [("c", "heats:2")], "S8"),
        ("withdrawing twice", [("b", "second_final"), ("b", "second_final")], None),
    ]:
        entries = [{"player": player, "from": source} for player, source in withdrawals]
        yield edited(f"withdrawal: {name}", 3, "/withdrawals", put("/withdrawals", entries), article)
    yield from _refused_tournaments()


def _refused_tournaments() -> Iterator[Broken]:
    """Refusals that need tournaments of their own."""

    def refused(name: str, prefix: str, article: str | None, *stages, **more) -> Broken:
        return Broken(name, dump(tournament(*stages, **more)), 3, prefix, article)

    gone = [{"player": f"a{number}", "from": "final"} for number in (1, 2, 3, 4)]
    yield refused("no substitute left in the heat", "/withdrawals/3", "S8", two_heats(), withdrawals=gone)
    alone = [ordered_heat("A", "a1 a2 a3 a4 a5")]
    yield refused("no substitute in a single heat", "/withdrawals/0", "S8", alone, withdrawals=gone[:1])
    # B's third is repeched; once a1..a4 cannot be asked any more nobody of another heat is left for his place.
    calls = [*("b3", "a3", "b4", "a4", "b5", "a5")]
    repeched = [{"player": player, "from": "final"} for player in calls]
    yield refused("no substitute of another heat", "/withdrawals", "S8", two_heats(), withdrawals=repeched)
    level = totals_heat("A", {"a": 500, "b": 500, "c": 300, "d": 200, "e": 100})
    yield refused("tie without lots", "", "D15", [level])
    yield refused("tie with one of the two drawn", "", "D15", [level], lots=["b", "c"])
    hands = [hand("a", "b", 75, 80), award("a", 1), award("b", 1)]
    yield refused(
        "tie with hands", "", "D15", [hands_heat("A", "abcde", hands)], lots=list("abcd"), rules={"tie_chain": ["lot"]}
    )
    same = [ordered_heat("A", "a1 a2 a3 a4 a5"), ordered_heat("B", "b1 b2 b3 b4 b5")]
    yield refused("equal gaps of repechage without lots", "", "D15", same)
    lots = ["a3", "b3"]
    yield refused("equal gaps of the second final without lots", "", "D15", same, lots=lots, withdrawals=[])
    six = [ordered_heat(f"H{number}", [f"{number}{seat}" for seat in "abcde"], 500 + number) for number in range(1, 7)]
    five = "6a 5a 4a 3a 2a"
    yield refused("final where an intermediate stage is due", "/stages/1", "D20", six, final(ordered_heat("F", five)))
    ten = [ordered_heat("X", "1a 2a 3a 4a 5a"), ordered_heat("Y", "6a 6b 5b 4b 2b", 700)]
    yield refused("wrong intermediate stage", "/stages/1", "D20", six, ten)
    yield refused(
        "withdrawal from a final not yet due", "/withdrawals/0", "S8", six, withdrawals=[_leave("6a", "final")]
    )
    yield refused(
        "withdrawal from the stage after next", "/withdrawals/0", "S8", six, withdrawals=[_leave("6a", "heats:3")]
    )
    yield refused(
        "withdrawal from a second final not yet due",
        "/withdrawals/0",
        "D16",
        six,
        withdrawals=[_leave("1b", "second_final")],
    )
    # Four are left after one withdrawal, so there is no second final to hold.
    left = ordered_heat("S", "a3 a4 a5 b4 b1")
    yield refused(
        "second final with fewer than five left",
        "/stages/2",
        None,
        two_heats(),
        final(ordered_heat("F", "a1 a2 b2 b3 a3")),
        second_final(left),
        withdrawals=[_leave("b1", "final")],
    )


def _leave(player: str, source: str) -> dict:
    return {"player": player, "from": source}


# Unknown words and lengths in the rules may be told by a schema (2) or by the rules (3); calendar days, marks and
# doubles that no sentence names may be let through.
OPEN = (
    "byte order mark",
    "record huge integer",
    '/tournament/date = "15/12/2007"',
    '/tournament/date = "2007-02-30"',
    '/tournament/rules/bell_120 = "ring"',
    '/tournament/rules/offence_scope = "year"',
    '/tournament/rules/judge_mode = "crowd"',
    '/tournament/rules/recorders = "nobody"',
    '/tournament/rules/tie_chain = ["age", "lot"]',
    '/tournament/rules/tie_chain = ["hands_won", "hands_won", "lot"]',
    "/tournament/rules/tie_chain = []",
    "/tournament/rules/disloyal_points = []",
    "withdrawal: withdrawing twice",
)


def broken() -> list[Broken]:
    """All of them; names do not repeat."""
    cases = [*raw(), *shapes(), *_references(), *_refusals()]
    return [case._replace(open_reading=case.name in OPEN) for case in cases]
