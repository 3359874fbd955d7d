"""P1: random games of gin rummy for two, with the public rules and with two other engines.

A game is: shuffle and deal, then one of the lawful moves at random, as the engine lists them, until it says that the hand
is over, then the points. All stop when two cards of the stock are left (here `stock_end` void), and every engine checks
each move in its own way; ours in full. A move is a decision of a player: their chance nodes and our deal are none. The
engines take turns in one process, so that a busy machine is as busy for all of them; a ratio is the median over rounds.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pyspiel
import rlcard
from rlcard.games.gin_rummy import Game as RawGame

from gameplay.rules import gin
from gameplay.rules.deals import SEED_BYTES, deal_from
from scoring.rules.gin import gin_points

ROUNDS = 15


class Engine(NamedTuple):
    """`play`: one game to its end; how many moves it had. `games`: in a round, so that all take about as long.
    `target`: how many times slower than ours it should be, at least."""

    name: str
    play: Callable[[], int]
    games: int
    target: float | None


def ours(rng: random.Random) -> Callable[[], int]:
    """A shuffled deck from a fresh seed, every move as `legal_moves` lists it through `apply`, points at the end."""
    options = gin.options({"stock_end": "void"})
    new_hand, legal_moves, apply = gin.new_hand, gin.legal_moves, gin.apply
    pick = rng.random

    def play() -> int:
        state = new_hand(deal_from(rng.randbytes(SEED_BYTES), gin.DECK), int(2 * pick()), options)
        played = 0
        while moves := legal_moves(state):
            state = apply(state, moves[int(pick() * len(moves))])
            played += 1
        gin_points(gin.outcome(state), options)
        return played

    return play


def open_spiel(rng: random.Random, *, cloned: bool = False) -> Callable[[], int]:
    """Its loop in Python; its deck is drawn card by card at chance nodes. `apply_action` checks what it must.

    `cloned`: more than half of a game is its `new_initial_state`; this copies one that was made before instead.
    """
    game = pyspiel.load_game("gin_rummy")
    new_state = game.new_initial_state().clone if cloned else game.new_initial_state
    pick = rng.random

    def play() -> int:
        state = new_state()
        played = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions = state.legal_actions()
                played += 1
            state.apply_action(actions[int(pick() * len(actions))])
        state.returns()
        return played

    return play


def rlcard_raw(rng: random.Random) -> Callable[[], int]:
    """The game under its environment. It has no first round: the first player is dealt eleven cards."""
    game = RawGame()
    pick = rng.random

    def play() -> int:
        game.init_game()
        played = 0
        while not game.is_over():
            actions = game.judge.get_legal_actions()
            game.step(actions[int(pick() * len(actions))])
            played += 1
        game.judge.scorer.get_payoffs(game=game)
        return played

    return play


class Agent:
    """Any lawful move, by numbers. (RLCard's own random agent asks numpy and takes longer.)"""

    use_raw = False

    def __init__(self, rng: random.Random) -> None:
        self._pick = rng.random
        self.moves = 0

    def eval_step(self, state: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """A move, and nothing to tell about it."""
        self.moves += 1
        actions = list(state["legal_actions"])
        return actions[int(self._pick() * len(actions))], {}


def rlcard_env(rng: random.Random) -> Callable[[], int]:
    """The same game through its environment, as it is used to teach players."""
    env = rlcard.make("gin-rummy")
    agent = Agent(rng)
    env.set_agents([agent, agent])

    def play() -> int:
        before = agent.moves
        env.run(is_training=False)
        return agent.moves - before

    return play


def main(args: list[str]) -> None:
    """Games and moves a second of each engine, and the median ratios. `args`: the number of rounds, if another."""
    rounds = int(args[0]) if args else ROUNDS
    rng = random.Random(1)
    engines = (
        Engine("ours", ours(rng), 200, None),
        Engine("OpenSpiel 2.0.2, Python loop", open_spiel(rng), 25, 8),
        Engine("OpenSpiel, first state copied", open_spiel(rng, cloned=True), 60, None),
        Engine("RLCard 1.2.0, raw game", rlcard_raw(rng), 20, 9),
        Engine("RLCard 1.2.0, environment", rlcard_env(rng), 8, 25),
    )
    for engine in engines:  # once unmeasured: imports happen
        engine.play()
    taken: dict[str, list[float]] = {engine.name: [] for engine in engines}  # seconds a game, by round
    moves = dict.fromkeys(taken, 0)
    for _ in range(rounds):
        for engine in engines:
            start = time.perf_counter()
            moves[engine.name] += sum(engine.play() for _ in range(engine.games))
            taken[engine.name].append((time.perf_counter() - start) / engine.games)
    print(f"\nP1: random games of gin rummy for two, {rounds} rounds, engines in turns")
    our_moves = moves["ours"] / engines[0].games
    for engine in engines:
        times, played = taken[engine.name], moves[engine.name] / engine.games
        by_game = statistics.median(theirs / own for theirs, own in zip(times, taken["ours"], strict=True))
        speed = 1 / statistics.median(times)
        goal = "" if engine.target is None else f"   at least {engine.target:g}x"
        speeds = f"{speed:8.1f} games/s {speed * played / rounds:9.0f} moves/s"
        ratios = f"{by_game:6.1f}x a game {by_game * our_moves / played:6.1f}x a move"
        print(f"  {engine.name:<30}{speeds}{ratios}{goal}", flush=True)
