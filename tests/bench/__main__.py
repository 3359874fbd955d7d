"""`manage.py bench`: how long the parts take, and how the time grows with the size.

First the pure rules, then what needs rows, with a PostgreSQL and a Valkey of its own, then bells with the real processes;
`bench pure` stops after the rules, `bench cards` measures the card games alone, `bench bells` the bells. `bench bots`
lets the bots play thousands of hands, which takes some twenty minutes and is part of no other.

Every figure is the median of several runs in this process. The exponent is log10(time of 10N / time of N): 1 is
linear growth. Targets are those the project set itself; a bench prints and never fails.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from config.memory import settle
from config.testing import ThrowawayServers
from core.lots import Lots
from tests.bench import bells, bots_gin, bots_tricks, trick_games
from tests.bench.engines import install_rlcard
from tests.bench.timing import RUNS, Bench
from tournaments.exchange.generator import generate_tournament
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.rules.draw import draw_heats
from tournaments.rules.heats import MatchResult, SeatResult, rank_heat
from tournaments.rules.qualification import open_stage
from tournaments.rules.replay import replay
from tournaments.rules.ruleset import TIE_STEPS
from tournaments.rules.series import Edition, SeriesRules, series_table


def six_editions(entrants: int) -> list[Edition]:
    """Six results for each of `entrants` players, many of them level on points."""
    players = [f"p{number}" for number in range(entrants)]
    lots = Lots(b"bench", "editions")
    return [Edition(number, tuple(lots.shuffled(players))) for number in range(6)]


def heats_of(entrants: int) -> list[MatchResult]:
    """`entrants` players in heats of five, with ties inside heats and between them."""
    lots = Lots(b"bench", "heats")
    heats = []
    for heat in range(entrants // 5):
        seats = tuple(
            SeatResult(f"p{heat * 5 + seat}", 10 * lots.below(60), lots.below(12), 61 + lots.below(40))
            for seat in range(5)
        )
        heats.append(MatchResult(f"Heat {heat}", seats, 20 + lots.below(5)))
    return heats


def rank_stage(heats: list[MatchResult]) -> Any:
    """Every heat ranked with its tie chain, the repechage, and the overall order of everybody."""
    lots = {seat.player: at for at, seat in enumerate(seat for match in heats for seat in match.seats)}
    ranked = [rank_heat(match, TIE_STEPS, {}, lots, at) for at, match in enumerate(heats)]
    stage = open_stage(ranked, {}, lots)
    return stage.chain.order(stage.by_player.values())


def archive(hands: int) -> bytes:
    """A tournament file of about so many hands, 30 a match."""
    return json.dumps(generate_tournament(3, max(hands // 33, 1), hands=30)).encode()


def replay_archive(data: bytes) -> str:
    """What `replay_tournament` does for one file."""
    return json.dumps(result_of(replay(record_from_file(read_tournament(data)))))


SERIES = SeriesRules((15, 12, 10, 8, 6, 5, 4, 3, 2, 1), 6)
BENCHES = (
    Bench("P4 pure: a series table, entrants with six results each", six_editions, lambda e: series_table(e, SERIES, None), (1000, 10_000), (60, 400)),
    Bench("P4 pure: heats ranked and overall order, entrants", heats_of, rank_stage, (1000, 10_000), (60, 400)),
    Bench("P5 pure: draw with seeds and reserves, entrants", lambda n: [f"p{k}" for k in range(n)], lambda e: draw_heats(e, {p: k for k, p in enumerate(e[:200], 1)}, 1, b"bench"), (1000, 10_000), (20, 200)),
    Bench("P9 part: replay of a tournament file, hands", archive, replay_archive, (300, 3000), (None, 1000)),
)  # fmt: skip


def main(args: list[str]) -> None:
    """Print one line for each bench and size."""
    if args[:1] == ["bots"]:
        bots_gin.main([])
        bots_tricks.main(args[1:])
        return
    if args == ["bells"]:
        bells.main()
        return
    print(f"Python {sys.version.split()[0]}, median of {RUNS} runs")
    install_rlcard()
    from tests.bench import gin_rummy, melds

    for cards in (gin_rummy, melds, trick_games):
        cards.main([])
    if args == ["cards"]:
        return
    for bench in BENCHES:
        bench.tell()
    if args != ["pure"]:
        with servers():
            import django

            django.setup()
            from tests.bench import house

            house.migrate()
            settle()  # as a web process does
            house.main()
        bells.main()


@contextlib.contextmanager
def servers() -> Iterator[None]:
    """Servers of this run alone, as a test run has them."""
    throwaway = ThrowawayServers()
    os.environ.update(throwaway.environment)
    throwaway.start()
    try:
        yield
    finally:
        throwaway.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
