"""The order that a chain of steps gives, against the same order worked out pair by pair."""

from collections import Counter
from fractions import Fraction

import pytest

from core.lots import Lots
from core.refusal import Refusal
from tournaments.rules.heats import MatchResult, SeatResult, rank_heat
from tournaments.rules.ties import Chain, Decided

STEPS = ("second", "third")


def chain_of(lots, steps=2):
    return Chain(
        lambda item: item[0],
        tuple((STEPS[at], lambda item, at=at: item[1 + at]) for at in range(steps)),
        lambda item: item[3],
        lots,
    )


def ordered(items, lots, steps):
    """Everybody in order; None stands for a group of equals of whom one has no lot, and for all behind it."""
    order = sorted(items, key=lambda item: (item[: 1 + steps], lots.get(item[3], -1)))
    out = []
    for at, item in enumerate(order):
        level = [other[3] for other in items if other[: 1 + steps] == item[: 1 + steps]]
        if len(level) > 1 and not set(level) <= lots.keys():
            return out, level
        ahead = order[at - 1] if at else (None,)
        if ahead[0] != item[0]:
            out.append(Decided(item, None, None))
            continue
        step = next((step for step in range(1, 1 + steps) if ahead[step] != item[step]), None)
        if step is None:
            out.append(Decided(item, "lot", (lots[ahead[3]] + 1, lots[item[3]] + 1)))
        else:
            out.append(Decided(item, STEPS[step - 1], (ahead[step], item[step])))
    return out, None


def test_random_orders_agree_with_one_worked_out_pair_by_pair():
    seen = Counter()
    for seed in range(2000):
        draw = Lots(seed.to_bytes(4, "big"), "ties")
        names = [f"p{number}" for number in range(draw.below(9))]
        spread = 1 + draw.below(4)
        items = [(*(draw.below(spread) for _ in range(3)), name) for name in names]
        lots = {name: at for at, name in enumerate(draw.shuffled(names))}
        if names and draw.below(5) == 0:
            del lots[draw.choice(names)]
        steps = draw.below(3)
        first = draw.choice([None, *range(len(names) + 2)])
        expected, missing = ordered(items, lots, steps)
        chain = chain_of(lots, steps)
        if missing and (first is None or first > len(expected)):
            with pytest.raises(Refusal, match="lot_missing") as refused:
                chain.order(iter(items), first)
            assert refused.value.params["players"] == tuple(missing), seed
            seen["refused"] += 1
        else:
            order = chain.order(iter(items), first)
            assert order == expected[: len(items) if first is None else first], seed
            seen.update(decided.decided_by for decided in order)
    assert min(seen[kind] for kind in ("refused", "second", "third", "lot", None)) > 50


def test_a_step_is_asked_only_of_equals():
    asked = []
    chain = Chain(lambda item: item[0], (("second", lambda item: asked.append(item) or item[1]),), lambda item: "", {})
    chain.order([(1, 0), (2, 1), (3, 0), (2, 0)])
    assert asked == [(2, 1), (2, 0)]


def test_points_per_hand_are_exact_and_nothing_where_no_hand_was_scored():
    seats = tuple(
        SeatResult(player, points, None, None) for player, points in zip("abcde", (7, 5, 3, 1, 0), strict=True)
    )
    for hands, first in ((3, Fraction(7, 3)), (0, Fraction(0))):
        ranking = rank_heat(MatchResult("A", seats, hands), ("lot",), {}, {})
        assert ranking[0].per_hand == first
