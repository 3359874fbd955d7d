"""A thousand invented tournaments: invariants, and a second, independently written reckoning of each."""

import json
from collections import Counter
from fractions import Fraction

import pytest

from core.lots import Lots
from tests.checker import check
from tests.tournaments.files import outcome
from tournaments.exchange.generator import generate_tournament

TOURNAMENTS = 1000
BATCH = 100


def generated(seed):
    return generate_tournament(seed, heats=1 + seed % 13, hands=12)


def assert_invariants(file, replayed):
    seated = [p for heat in file["stages"][0]["heats"] for p in heat["seats"]]
    assert len(seated) == len(set(seated))
    ranked = [entry["player"] for entry in replayed["final_ranking"]]
    excluded = replayed["excluded"]
    if any(stage["kind"] == "final" for stage in file["stages"]):
        # Everyone seated in stage 1 is ranked once or excluded
        assert sorted(ranked + excluded) == sorted(seated)
        assert [entry["place"] for entry in replayed["final_ranking"]] == list(range(1, len(ranked) + 1))
    else:
        assert ranked == []
    for stage, row in zip(file["stages"], replayed["qualification"], strict=False):
        assert len(row["qualified"]) == len(set(row["qualified"])) == row["seats"]
        assert row["seats"] >= len(stage["heats"])
        assert len(row["second_final"]) in (0, 5)
        assert not set(row["qualified"]) & set(row["second_final"])
        targets = (row["to"], "second_final" if row["to"] == "final" else row["to"])
        gone = {entry["player"] for entry in file["withdrawals"] if entry["from"] in targets}
        assert not (set(row["qualified"]) | set(row["second_final"])) & gone
        assert {swap["out"] for swap in row["substitutions"]} >= gone
        per_heat = Counter(heat_of(stage, player) for player in row["direct"])
        assert set(per_heat.values()) == {row["direct_per_heat"]}
        gaps = [entry["gap"] for entry in row["repechage"] if entry["gap"] != "inf"]
        assert gaps == sorted(gaps, key=Fraction)
    for heat, (stage, source) in zip(replayed["heats"], heats_of(file), strict=True):
        ranking = heat["ranking"]
        assert {row["player"] for row in ranking} == set(source["seats"])
        assert [row["order"] for row in ranking] == [1, 2, 3, 4, 5]
        points = [row["points"] for row in ranking]
        assert points == sorted(points, reverse=True)
        assert [row["place"] for row in ranking] == [points.index(value) + 1 for value in points]
        assert sum(points) == expected_sum(source, stage, file)


def heat_of(stage, player):
    return next(heat["name"] for heat in stage["heats"] if player in heat["seats"])


def heats_of(file):
    return [(stage, heat) for stage in file["stages"] for heat in stage["heats"]]


def expected_sum(heat, stage, file):
    """The sums of the regulation: won 2 bid, lost in a pair 360-2 bid-made, lost alone 480-bid-3 made, penalties."""
    if "totals" in heat:
        return sum(heat["totals"].values())
    rules = file["tournament"].get("rules", {})
    offences = earlier_offences(file, stage) if rules.get("offence_scope") == "tournament" else Counter()
    amounts = rules.get("disloyal_points", [50, 70, 100])
    total = 0
    for hand in heat["hands"]:
        kind = hand.get("ruling", {}).get("kind")
        bid, made = hand.get("bid", 0), hand.get("made", 120)
        if kind == "award":
            total += hand["ruling"]["points"]
        elif kind == "suicidal_call":
            total -= rules.get("suicidal_points", 200) + bid - made
        elif kind == "disloyal_raise":
            total -= amounts[min(offences[hand["caller"]], len(amounts) - 1)] + max(bid - made, 0)
            offences[hand["caller"]] += 1
        elif made >= bid:
            total += 2 * bid
        else:
            total += 480 - bid - 3 * made if hand["caller"] == hand["called"] else 360 - 2 * bid - made
    return total


def earlier_offences(file, stage):
    return Counter(
        hand["caller"]
        for earlier in file["stages"][: file["stages"].index(stage)]
        for heat in earlier["heats"]
        for hand in heat.get("hands", [])
        if hand.get("ruling", {}).get("kind") == "disloyal_raise"
    )


@pytest.mark.parametrize("first", range(0, TOURNAMENTS, BATCH))
def test_random_tournaments_hold_and_agree_with_the_checker(first):
    seen = Counter()
    for seed in range(first, first + BATCH):
        file = generated(seed)
        data = json.dumps(file).encode()
        code, replayed = outcome(data)
        assert code == 0, (seed, replayed)
        assert_invariants(file, replayed)
        checked = check(data)
        assert checked.exit == 0, (seed, checked)
        assert replayed == checked.result, seed
        seen.update(features(file, replayed))
    assert {"several stages", "withdrawal", "totals only", "tie in a heat", "tie between heats", "penalty"} <= set(seen)


def features(file, replayed):
    if len(replayed["qualification"]) > 1:
        yield "several stages"
    if file["withdrawals"]:
        yield "withdrawal"
    if any("totals" in heat for _, heat in heats_of(file)):
        yield "totals only"
    if any("ruling" in hand for _, heat in heats_of(file) for hand in heat.get("hands", [])):
        yield "penalty"
    if any(row["decided_by"] for heat in replayed["heats"] for row in heat["ranking"]):
        yield "tie in a heat"
    if any(entry["decided_by"] for row in replayed["qualification"] for entry in row["repechage"]):
        yield "tie between heats"


def drop_lots(lots, file):
    file["lots"] = file["lots"][: lots.below(len(file["lots"]) + 1)]


def swap_seats(lots, file):
    stages = file["stages"][1:]
    if stages:
        heat = lots.choice(lots.choice(stages)["heats"])
        heat["seats"][lots.below(5)] = lots.choice(file["players"])["id"]


def leave(lots, file):
    target = lots.choice(["final", "second_final", "heats:2", "heats:3"])
    file["withdrawals"].append({"player": lots.choice(file["players"])["id"], "from": target})


def cut(lots, file):
    del file["stages"][1 + lots.below(len(file["stages"])) :]


def spoil_hand(lots, file):
    hands = [hand for _, heat in heats_of(file) for hand in heat.get("hands", []) if "made" in hand]
    if hands:
        lots.choice(hands)[lots.choice(["bid", "made"])] = lots.choice([0, 60, 72, 73, 120, 121, -1])


def spoil_rules(lots, file):
    rules = file["tournament"].setdefault("rules", {})
    rules |= lots.choice(
        [{"tie_chain": ["agp"]}, {"min_bid": 0}, {"second_final": False}, {"second_final_minutes": 59}, {"min_bid": 80}]
    )


def drop_edition_number(lots, file):
    file["tournament"]["series"] = "other"
    file["tournament"].pop("edition", None)


SPOILERS = (drop_lots, swap_seats, leave, cut, spoil_hand, spoil_rules, drop_edition_number)


@pytest.mark.parametrize("first", range(0, 600, BATCH))
def test_spoiled_tournaments_are_refused_for_the_same_reason(first):
    codes = Counter()
    for seed in range(first, first + BATCH):
        lots = Lots(seed.to_bytes(4, "big"), "spoil")
        file = generated(seed)
        spoilers = lots.shuffled(SPOILERS)[: 1 + lots.below(2)]
        for spoil in spoilers:
            spoil(lots, file)
        data = json.dumps(file).encode()
        code, found = outcome(data)
        checked = check(data)
        assert code == checked.exit, (seed, found, checked)
        if code == 0:
            assert found == checked.result, seed
        elif code == 3 and len(spoilers) == 1:  # of several faults any may be told
            assert found.pointer.startswith(checked.pointer), (seed, found, checked)
        codes[code] += 1
    assert min(codes[0], codes[3]) > 10
