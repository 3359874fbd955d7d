"""Believable hands of Gingo, and matches that come out as a wish wants them.

A match is dealt hand by hand from drawn lots. Where something must happen in it (a tie that only the golden call
decides, a gap of so many points) single hands are dealt anew or nudged, with the product's own scoresheet as the judge,
until the wish is met. Hands stay hands: a nudge never turns a won one into a lost one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.lots import Lots
from scoring.rules.hands import CARD_POINTS, SEATS, HandOutcome
from scoring.rules.ruleset import DEFAULT_SCORING
from scoring.rules.scoresheet import Admitted, Award, Content, Entry, Played, Scoresheet, fold

Wish = Callable[[Scoresheet], int]
"""How far a match is from what is wanted; 0 is there."""

LOWEST_BID, HIGHEST_BID = 61, 95
SURE_BID, FAIR_BID, BOLD_BID = 75, 82, 88
LEAST_POINTS, MOST_POINTS = 300, 1000
STEPS, ATTEMPTS, DEALS = 4000, 12, 200


def _chance_of(bid: int, *, solo: bool, skill: int) -> int:
    """Percent that a bid is made: most modest ones, fewer of the bold. `skill` of the caller is 0..2."""
    chance = 74 if bid <= SURE_BID else 58 if bid <= FAIR_BID else 48 if bid <= BOLD_BID else 36
    return chance + 4 * (skill - 1) - (15 if solo else 0)


def deal(lots: Lots, skill: Sequence[int]) -> Played:
    """One hand. The skilled call more often and make it more often; one hand in sixty is played alone."""
    caller = lots.choice([seat for seat in range(SEATS) for _ in range(3 + skill[seat])])
    solo = lots.below(60) == 0
    called = caller if solo else lots.choice([seat for seat in range(SEATS) if seat != caller])
    bid = LOWEST_BID + lots.below(18) + lots.below(18)
    if lots.below(100) < _chance_of(bid, solo=solo, skill=skill[caller]):
        made = min(bid + min(lots.below(30), lots.below(30)), CARD_POINTS)
    else:
        made = bid - 1 - min(lots.below(45), lots.below(45))
    return Played(HandOutcome(caller, called, bid, made))


def _nudge(lots: Lots, hand: Played) -> Played:
    """The same hand with a slightly different bid or result; won stays won, lost stays lost."""
    outcome = hand.outcome
    by = lots.choice((-4, -3, -2, -1, 1, 2, 3, 4))
    moved = outcome._replace(bid=outcome.bid + by) if lots.below(2) else outcome._replace(made=outcome.made + by)
    lawful = LOWEST_BID <= moved.bid <= HIGHEST_BID and 0 <= moved.made <= CARD_POINTS
    return Played(moved) if lawful and moved.won == outcome.won else hand


def match(lots: Lots, hands: int, skill: Sequence[int], fixed: Mapping[int, Content], wish: Wish) -> list[Content]:
    """A sheet of `hands` lines with the `fixed` ones at their positions, as wished and within believable totals.

    Raises ValueError where a wish cannot be met.
    """
    free = [at for at in range(hands) if at not in fixed]
    for _ in range(ATTEMPTS):
        for _ in range(DEALS):  # rather another match than one that is bent until it just fits
            sheet = [fixed.get(at) or deal(lots, skill) for at in range(hands)]
            if not _beyond(scored(sheet)):
                break
        cost = _cost(sheet, wish)
        for _ in range(STEPS):
            if not cost:
                return sheet
            at = lots.choice(free)
            before = sheet[at]
            assert isinstance(before, Played)
            sheet[at] = deal(lots, skill) if lots.below(4) == 0 else _nudge(lots, before)
            found = _cost(sheet, wish)
            if found <= cost:
                cost = found
            else:
                sheet[at] = before
    raise ValueError("no match comes out as wished")


def _cost(sheet: Sequence[Content], wish: Wish) -> int:
    played = scored(sheet)
    return wish(played) + _beyond(played)


def _beyond(played: Scoresheet) -> int:
    """Points outside of believable totals."""
    return sum(max(0, LEAST_POINTS - total) + max(0, total - MOST_POINTS) for total in played.totals)


def scored(sheet: Sequence[Content]) -> Scoresheet:
    """The sheet as the product adds it up."""
    return fold([Entry(content) for content in sheet], DEFAULT_SCORING)


def in_file(content: Content, seats: Sequence[str]) -> dict[str, Any]:
    """One line of a sheet as a tournament file writes it."""
    match content:
        case Played(outcome, ruling):
            hand = {
                "caller": seats[outcome.caller],
                "called": seats[outcome.called],
                "bid": outcome.bid,
                "made": outcome.made,
            }
            if ruling is None:
                return hand
            return {**hand, "ruling": {"kind": ruling} | ({"admitted": False} if ruling == "disloyal_raise" else {})}
        case Admitted(caller, bid):
            return {"caller": seats[caller], "bid": bid, "ruling": {"kind": "disloyal_raise", "admitted": True}}
        case Award(seat, points, article, reason):
            award = {"kind": "award", "player": seats[seat], "points": points, "article": article, "reason": reason}
            return {"ruling": award}
    raise TypeError(content)
