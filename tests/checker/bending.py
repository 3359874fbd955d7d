"""How broken files are made: the record of one, and edits that bend a good file."""

from collections.abc import Callable
from typing import NamedTuple

from . import samples

HAND = "/stages/0/heats/0/hands"
TOTALS = "/stages/0/heats/1"


class Broken(NamedTuple):
    """One file to turn away."""

    name: str
    data: bytes
    exit: int
    prefix: str
    article: str | None = None
    open_reading: bool = False  # the documents leave room for another exit code; this one is the checker's reading


# An edit bends a fresh copy of samples.complete().
Edit = Callable[[dict], object]


def _member(file: dict, where: str) -> tuple:
    """The container and the key or index a JSON Pointer names."""
    *parents, last = where.split("/")[1:]
    place = file
    for token in parents:
        place = place[int(token)] if isinstance(place, list) else place[token]
    return place, int(last) if isinstance(place, list) else last


def put(where: str, value: object) -> Edit:
    """An edit that sets the member at a JSON Pointer."""

    def edit(file: dict) -> None:
        place, last = _member(file, where)
        place[last] = value

    return edit


def drop(where: str) -> Edit:
    """An edit that removes the member at a JSON Pointer."""

    def edit(file: dict) -> None:
        place, last = _member(file, where)
        del place[last]

    return edit


def edited(name: str, exit_code: int, prefix: str, edit: Edit, article: str | None = None) -> Broken:
    """The complete file, bent."""
    file = samples.complete()
    edit(file)
    return Broken(name, samples.dump(file), exit_code, prefix, article)
