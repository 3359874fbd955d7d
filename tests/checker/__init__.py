"""A second, independent replay of the tournament file, written from the rules alone to check the product against.

Plain and slow on purpose, standard library only, and it shares no code with the product.
"""

from .outcome import Outcome
from .replay import check

__all__ = ["Outcome", "check"]
