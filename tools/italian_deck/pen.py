"""The pen: palette, outlined shapes and small numbers. A card is 120 x 200 units."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

WIDTH: Final = 120
HEIGHT: Final = 200
LINE: Final = 1.3  # width of an ordinary outline

INK: Final = "#1d1b18"
PAPER: Final = "#fffdf6"
RED: Final = "#b3262e"
GOLD: Final = "#e6ae2b"
DARK_GOLD: Final = "#b07d10"
BLUE: Final = "#24549f"
GREEN: Final = "#2d7f43"
DARK_GREEN: Final = "#1d5a30"
STEEL: Final = "#dbe6f0"
SHADE: Final = "#8fa6ba"
LEAF: Final = "#55a566"
SKIN: Final = "#f3cfa4"
CREAM: Final = "#f6ecd2"
BROWN: Final = "#8b5731"


def n(value: float) -> str:
    """A coordinate with one decimal at most and no needless zero."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    if text in ("-0", ""):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _look(fill: str, stroke: str, width: float) -> str:
    """Only what differs from the sheet's own ink line of 1.3 units."""
    text = f' fill="{fill}"'
    if stroke == "none":
        return text + ' stroke="none"'
    if stroke != INK:
        text += f' stroke="{stroke}"'
    return text + (f' stroke-width="{n(width)}"' if width != LINE else "")


def path(d: str, fill: str = "none", stroke: str = INK, width: float = LINE, extra: str = "") -> str:
    """A filled, outlined path; joins and ends are round in the whole deck (set once on the sheet)."""
    return f'<path d="{d}"{_look(fill, stroke, width)}{extra}/>'


def circle(x: float, y: float, r: float, fill: str, stroke: str = INK, width: float = LINE, extra: str = "") -> str:
    place = (f' cx="{n(x)}"' if x else "") + (f' cy="{n(y)}"' if y else "")
    return f'<circle{place} r="{n(r)}"{_look(fill, stroke, width)}{extra}/>'


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, stroke: str = INK, width: float = LINE) -> str:
    place = (f' cx="{n(x)}"' if x else "") + (f' cy="{n(y)}"' if y else "")
    return f'<ellipse{place} rx="{n(rx)}" ry="{n(ry)}"{_look(fill, stroke, width)}/>'


def limb(d: str, width: float, colour: str, outline: float = 1.3) -> str:
    """A line with body: an arm, a leg, a stave. Outline first, colour over it."""
    return path(d, "none", INK, width + 2 * outline) + path(d, "none", colour, width)


def at(x: float, y: float, body: str, turn: float = 0, scale: float = 1) -> str:
    """The body moved, turned and scaled, in this order of reading."""
    moves = f"translate({n(x)} {n(y)})" if x or y else ""
    moves += f"rotate({n(turn)})" if turn else ""
    moves += f"scale({scale:g})" if scale != 1 else ""
    return f'<g transform="{moves}">{body}</g>' if moves else body


def mirrored(body: str, name: str) -> str:
    """The body and its mirror image across the upright middle of the card."""
    return f'<g id="{name}">{body}</g><use href="#{name}" transform="matrix(-1 0 0 1 {WIDTH} 0)"/>'


def ring(count: int, body: str, name: str, start: float = 0) -> str:
    """The body repeated around the origin; `name` is its id in the file."""
    turns = [start + 360 * i / count for i in range(count)]
    first = f'<g id="{name}">{body}</g>'
    if start:
        first = f"<defs>{first}</defs>"
    uses = "".join(f'<use href="#{name}" transform="rotate({n(turn)})"/>' for turn in turns if turn)
    return first + uses


def named(body: str) -> str:
    """A part that the card draws more than once: see `use`."""
    return f'<defs><g id="p">{body}</g></defs>'


def use(places: Iterable[tuple[float, float]]) -> str:
    return "".join(f'<use href="#p" x="{n(x)}" y="{n(y)}"/>' for x, y in places)
