"""Random tournaments: what must hold whatever was played (sums, sizes, nobody lost, no order of heats)."""

import copy
import random

import pytest

from . import check
from .samples import admitted, award, dump, hand, hands_heat, result, totals_heat, tournament


def random_heat(rng: random.Random, name: str, seats: list[str]) -> dict:
    """A few hands, or totals out of a small range so that ties abound."""
    if rng.random() < 0.4:
        return totals_heat(name, {seat: 10 * rng.randint(-2, 6) for seat in seats}, rng.choice([10, 20]))
    return hands_heat(name, " ".join(seats), [random_entry(rng, seats) for _ in range(rng.randint(1, 6))])


def random_entry(rng: random.Random, seats: list[str]) -> dict:
    kind = rng.choice([None] * 8 + ["award", "admitted", "disloyal_raise", "suicidal_call"])
    caller, called = rng.choice(seats), rng.choice(seats)
    if kind == "award":
        return award(caller, rng.randint(-60, 60))
    bid = rng.choice([61, 73, 80, 120]) if kind is None else rng.randint(73, 120)
    if kind == "admitted":
        return admitted(caller, bid)
    return hand(caller, called, bid, rng.randint(0, 120 if kind != "suicidal_call" else bid - 1), kind)


def random_tournament(rng: random.Random) -> dict:
    """Everybody in lots. Later stages seat whom the rules call; withdrawals are tried and kept when allowed."""
    people = [f"p{number}" for number in range(5 * rng.choice([1, 2, 2, 3, 4, 5, 6, 7, 11]))]
    tables = [people[at : at + 5] for at in range(0, len(people), 5)]
    file = tournament(
        [random_heat(rng, f"H{number}", seats) for number, seats in enumerate(tables)],
        lots=rng.sample(people, len(people)),
        editions_before=[{"edition": 25, "ranking": rng.sample(people, rng.randint(0, 5))}],
        rules={"offence_scope": rng.choice(["match", "tournament"])},
        withdrawals=[],
    )
    to = ""
    while to != "final":
        to = result(file)["qualification"][-1]["to"]
        for _ in range(rng.choice([0, 1, 4])):
            tried = copy.deepcopy(file)
            source = "second_final" if to == "final" and rng.random() < 0.3 else to
            tried["withdrawals"].append({"player": rng.choice(people), "from": source})
            if check(dump(tried)).exit == 0:
                file = tried
        row = result(file)["qualification"][-1]
        seats = rng.sample(row["qualified"], row["seats"])
        heats = [random_heat(rng, f"{to}.{at}", seats[at : at + 5]) for at in range(0, len(seats), 5)]
        file["stages"].append({"kind": to.partition(":")[0], "heats": heats})
    if row["second_final"] and rng.random() < 0.7:
        file["stages"].append({"kind": "second_final", "heats": [random_heat(rng, "S", row["second_final"])]})
    return file


def sum_of(heat: dict) -> int | None:
    """The sum of a match by the closed forms of S15; None when a penalty or an award stands in it."""
    total = 0
    for played in heat.get("hands", [{"ruling": None}]):
        if "ruling" in played:
            return None
        bid, made = played["bid"], played["made"]
        alone = played["caller"] == played["called"]
        total += 2 * bid if made >= bid else 480 - bid - 3 * made if alone else 360 - 2 * bid - made
    return total


@pytest.mark.parametrize("seed", range(60))
def test_random_tournament(seed):
    rng = random.Random(seed)
    file = random_tournament(rng)
    found = result(file)
    people = [player["id"] for player in file["players"]]

    given = [heat for stage in file["stages"] for heat in stage["heats"]]
    for heat, report in zip(given, found["heats"], strict=True):
        scores = [line["points"] for line in report["ranking"]]
        assert sorted(line["player"] for line in report["ranking"]) == sorted(heat["seats"])
        assert scores == sorted(scores, reverse=True)
        assert sum_of(heat) in (None, sum(scores))
        assert [line["place"] for line in report["ranking"]] == [1 + sum(s > score for s in scores) for score in scores]

    excluded = found["excluded"]
    assert excluded == [withdrawal["player"] for withdrawal in file["withdrawals"]]
    assert sorted([line["player"] for line in found["final_ranking"]] + excluded) == sorted(people)
    for row in found["qualification"]:
        assert (
            len(set(row["qualified"]))
            == row["seats"]
            == len(row["direct"]) + sum(line["qualified"] for line in row["repechage"])
        )
        assert len(row["second_final"]) in (0, 5)
        out = [line["out"] for line in row["substitutions"] if line["article"] != "D14"]
        assert not set(out) & {*row["qualified"], *row["second_final"]}

    # The order of the heats in the file changes no ranking.
    turned = copy.deepcopy(file)
    for stage in turned["stages"]:
        rng.shuffle(stage["heats"])
    again = result(turned)
    for key in ("final_ranking", "excluded", "tournament_points", "agp"):
        assert again[key] == found[key]

    # Without lots there is the same result or none.
    outcome = check(dump({key: value for key, value in file.items() if key != "lots"}))
    assert (outcome.exit == 3 and outcome.article == "D15") or outcome.result == found
