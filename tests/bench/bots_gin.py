"""What the gin bot is worth against the usual simple player, and how long it thinks.

Two players, games to 100, every hand through the real rules and their points (RD5, RD6). Deals and so all figures but
the times are the same in every run. Points are zero-sum, so a game lasts until one is ahead by 100.
"""

from __future__ import annotations

import multiprocessing
import statistics
import time
from collections import Counter
from typing import NamedTuple

from core.lots import Lots
from gameplay.rules import gin
from gameplay.rules.bots.gin import choose
from gameplay.rules.cards import FRENCH, Hand, cards_in
from gameplay.rules.deals import deal_from
from gameplay.rules.gin_melds import VALUES, arrangements, deadwood
from gameplay.rules.moves import Move
from scoring.rules.gin import gin_points, match_winners, next_dealer
from tests.bench.bots_tricks import wilson

HANDS = 8000
PROCESSES = 2
BOT = 3
"""The level that has a goal; the lower ones play a quarter of the hands, to show what a level is worth."""
OPTIONS = gin.options({"players": 2, "target_score": 100})


class Stretch(NamedTuple):
    """One process's share: games the bot won and all games, its points by hand, how hands ended, seconds by move."""

    won: int
    games: int
    points: list[int]
    ends: Counter[str]
    seconds: list[float]


def loose(hand: Hand) -> Hand:
    """The cards outside the melds of a hand."""
    return hand & ~sum(arrangements(hand)[0])


def simple(view: gin.GinView) -> Move:
    """The usual simple player: knocks as soon as he may, discards his highest loose card, picks only what melds."""
    moves = view.moves
    if len(moves) == 1:
        return moves[0]
    if view.phase != "discard":
        card = view.discards[-1]
        hand = view.hand | 1 << card
        left = min(deadwood(hand ^ 1 << other) for other in cards_in(view.hand))
        helps = not loose(hand) >> card & 1 and left < deadwood(view.hand)
        return next(move for move in moves if (move.verb in ("take", "pick")) is helps)
    if knocks := [move for move in moves if move.verb == "knock"]:
        return min(knocks, key=lambda move: deadwood(view.hand ^ 1 << move.value))
    free = loose(view.hand)
    discards = [move for move in moves if free >> move.value & 1] or moves
    return max(discards, key=lambda move: VALUES[move.value])


def stretch(level: int, first: int, hands: int) -> Stretch:
    """So many hands in a row, cut into games; the bot has seat 0 in one game and seat 1 in the next."""
    won, games, bot, dealer = 0, 0, 0, 0
    totals, points, ends, seconds = (0, 0), [], Counter(), []
    lots = Lots(first.to_bytes(32, "big"), "bots")
    for number in range(first, first + hands):
        state = gin.new_hand(deal_from(number.to_bytes(32, "big"), FRENCH), dealer, OPTIONS)
        while (outcome := gin.outcome(state)) is None:
            view = gin.view_for(state, state.turn)
            if state.turn != bot:
                move = simple(view)
            else:
                start = time.perf_counter()
                move = choose(view, level, lots)
                if len(view.moves) > 1:
                    seconds.append(time.perf_counter() - start)
            state = gin.apply(state, move)
        paid = gin_points(outcome, OPTIONS)
        points.append(paid[bot])
        ends[how(outcome, paid, bot)] += 1
        totals = (totals[0] + paid[0], totals[1] + paid[1])
        dealer = next_dealer(outcome, paid, dealer)
        if winners := match_winners(totals, len(points), OPTIONS):
            won, games = won + (bot in winners), games + 1
            totals, bot, dealer = (0, 0), 1 - bot, games % 4 // 2
    return Stretch(won, games, points, ends, seconds)


def how(outcome: gin.GinOutcome, paid: tuple[int, ...], bot: int) -> str:
    """In words: how a hand ended and by whom."""
    if outcome.knocker is None:
        return "void"
    knocker, other = ("bot", "simple") if outcome.knocker == bot else ("simple", "bot")
    if outcome.kind == "knock":
        return f"{other} undercuts" if paid[outcome.knocker] < 0 else f"{knocker} knocks"
    return f"{knocker} gins"


def tell(level: int, parts: list[Stretch], goal: str) -> None:
    """What a level came to: its games with the 95 % interval, points, ends of hands and times."""
    won, games = sum(part.won for part in parts), sum(part.games for part in parts)
    points = [paid for part in parts for paid in part.points]
    ends = sum((part.ends for part in parts), Counter())
    seconds = sorted(second for part in parts for second in part.seconds)
    low, high = wilson(won, games)
    error = 1.96 * statistics.pstdev(points) / len(points) ** 0.5
    took = "   ".join(f"p{part} {1000 * seconds[len(seconds) * part // 100]:.2f} ms" for part in (50, 99))
    print(f"  level {level}: {100 * won / games:.1f} % of {games} games [{low:.1f}, {high:.1f}]{goal}")
    print(f"    {statistics.mean(points):+.2f} points a hand [±{error:.2f}] in {len(points)} hands; a move {took}")
    print(
        "    " + ", ".join(f"{end} {100 * count / len(points):.1f} %" for end, count in ends.most_common()), flush=True
    )


def main(args: list[str]) -> None:
    """Each level against the simple player. `args`: how many hands, if others, and the number of the first one."""
    hands, first = int(args[0]) if args else HANDS, int(args[1]) if len(args) > 1 else 0
    print(f"\nBot of gin rummy against a simple player: games to {OPTIONS.target_score} won, and times of a bot's move")
    with multiprocessing.Pool(PROCESSES) as pool:
        for level in range(1, BOT + 1):
            share = hands // PROCESSES if level == BOT else hands // PROCESSES // 4
            parts = pool.starmap(stretch, [(level, first + at * share, share) for at in range(PROCESSES)])
            tell(level, parts, "   at least 60 %, lower bound above 57 %" if level == BOT else "")
