"""How a bench is run and told: N, 10 N, and the exponent of the growth."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from math import log10
from typing import Any, NamedTuple

RUNS = 7


class Bench(NamedTuple):
    """`prepare(size)` gives the argument of `run`; targets in milliseconds for the two sizes, None where none is set."""

    name: str
    prepare: Callable[[int], Any]
    run: Callable[[Any], Any]
    sizes: tuple[int, int]
    targets: tuple[float | None, float | None]

    def tell(self, between: Callable[[], None] = lambda: None) -> None:
        """Run it at both sizes and print one line for each; `between` cleans up after the first."""
        print(f"\n{self.name}")
        taken = []
        for size, target in zip(self.sizes, self.targets, strict=True):
            if taken:
                between()
            taken.append(milliseconds(self.run, self.prepare(size)))
            goal = "" if target is None else f"   at most {target:g} ms"
            print(f"  {size:>6}: {taken[-1]:9.1f} ms{goal}", flush=True)
        print(f"  exponent: {log10(taken[1] / taken[0]):.2f}", flush=True)


def milliseconds(run: Callable[[Any], Any], argument: Any) -> float:
    """Median of `RUNS` runs."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run(argument)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)
