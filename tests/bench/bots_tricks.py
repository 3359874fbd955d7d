"""What the bots of Gingo and briscola a cinque are worth against simple players, and how long they think.

Every hand goes through the real rules. In every line-up of a deal the same seat, with the strongest hand by a simple player's estimate, calls the same card at
the same bid; only who plays changes. Deals, lots and so all figures but the times are the same in every run.
"""

from __future__ import annotations

import math
import multiprocessing
import time
from types import ModuleType
from typing import Any, NamedTuple

from core.lots import Lots
from gameplay.rules import briscola, gingo
from gameplay.rules.bots.trick_games import choose, hope
from gameplay.rules.cards import ITALIAN
from gameplay.rules.deals import deal_from
from gameplay.rules.moves import AUCTIONEER, Move
from gameplay.rules.tricks import SEATS

BID = 73
"""With this bid simple players win about 76 % of the deals against simple players."""
DEALS = 2000
PROCESSES = 2
BOT, SIMPLE = 3, 1


class LineUp(NamedTuple):
    """Levels of the calling side and of its opponents; `goal`: what is asked of the calling side's share, in %."""

    name: str
    game: ModuleType
    calling: int
    opposing: int
    share: int
    goal: str


LINE_UPS = (
    LineUp("Gingo: simple against simple", gingo, SIMPLE, SIMPLE, 1, "about 76 %"),
    LineUp("Gingo: bots call, simple players defend", gingo, BOT, SIMPLE, 1, "at least 90 %"),
    LineUp("Gingo: simple players call, bots defend", gingo, SIMPLE, BOT, 1, "at most 65 %"),
    LineUp("briscola: simple against simple", briscola, SIMPLE, SIMPLE, 1, ""),
    LineUp("briscola: bots call, simple players defend", briscola, BOT, SIMPLE, 10, ""),
    LineUp("briscola: simple players call, bots defend", briscola, SIMPLE, BOT, 10, ""),
)


def called(game: ModuleType, number: int) -> Any:
    """The deal of this number, bid for and called, before the first card."""
    state = game.new_hand(deal_from(number.to_bytes(32, "big"), ITALIAN), number % SEATS, game.options({}))
    hands = [game.view_for(state, seat).hand for seat in range(SEATS)]
    _best, caller = max((hope(hand, suit), seat) for seat, hand in enumerate(hands) for suit in range(4))
    while state.phase == "auction":
        view = game.view_for(state, caller)
        if not view.high and view.turn in (None, caller):
            move = Move(caller, "bid", BID)
        else:
            move = Move(AUCTIONEER, "knock") if view.turn is None else Move(view.turn, "pass")
        state = game.apply(state, move)
    call = choose(game.view_for(state, caller), SIMPLE, Lots(b"", ""))
    return game.apply(state, call)


def play(line_up: int, number: int) -> tuple[bool, list[float]]:
    """Has the calling side made its bid, and the seconds of every move of a bot that had a choice."""
    _name, game, calling, opposing, _share, _goal = LINE_UPS[line_up]
    state, lots, times = called(game, number), Lots(number.to_bytes(32, "big"), "bots"), []
    views = [game.view_for(state, seat) for seat in range(SEATS)]
    side = {view.seat for view in views if view.seat in (view.caller, view.partner)}
    while state.phase == "play":
        view = game.view_for(state, state.turn)
        level = calling if view.seat in side else opposing
        start = time.perf_counter()
        move = choose(view, level, lots)
        if level != SIMPLE and len(view.moves) > 1:
            times.append(time.perf_counter() - start)
        state = game.apply(state, move)
    outcome = game.outcome(state)
    return outcome.made >= outcome.bid, times


def wilson(won: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share, in %."""
    z, share = 1.96, won / of
    middle, width = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return 100 * (middle - width) / (1 + z * z / of), 100 * (middle + width) / (1 + z * z / of)


def main(args: list[str]) -> None:
    """One line for each line-up. `args`: how many deals, if others, and the number of the first one."""
    deals, first = int(args[0]) if args else DEALS, int(args[1]) if len(args) > 1 else 0
    print(
        f"\nBots of trick games: hands won by the calling side at {BID}, with 95 % interval, and times of a bot's move"
    )
    with multiprocessing.Pool(PROCESSES) as pool:
        for at, line_up in enumerate(LINE_UPS):
            tasks = [(at, first + number) for number in range(deals // line_up.share)]
            results = pool.starmap(play, tasks, chunksize=10)
            won = sum(made for made, _ in results)
            low, high = wilson(won, len(results))
            times = sorted(second for _, seconds in results for second in seconds)
            took = "".join(f"   p{part} {1000 * times[len(times) * part // 100]:.0f} ms" for part in (50, 99) if times)
            print(
                f"  {line_up.name:<43} {100 * won / len(results):5.1f} % of {len(results)} [{low:.1f}, {high:.1f}]"
                f"   {line_up.goal}{took}",
                flush=True,
            )
