"""When Python looks for what nobody needs any more."""

from __future__ import annotations

import gc

# Objects made between two looks at the young ones. Python's own 700 are passed thirty times while one large tournament
# is worked out, and each look walks over what has just been made; cycles are rare here and wait.
YOUNG = 50_000


def settle() -> None:
    """What is loaded by now stays and is not looked at again; from here on the collector is asked less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, 20, 20)
