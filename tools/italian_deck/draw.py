"""Draws the Italian deck: 40 cards and a back, into static/cards/italian/.

    python -m tools.italian_deck.draw [folder]

Original drawings in the manner of the northern regional decks. The files are committed; a test draws them again
and compares, so change the art here and never in the SVG.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.italian_deck import courts, pen, suits
from tools.italian_deck.index import OUTLINES
from tools.italian_deck.pen import BLUE, GOLD, GREEN, INK, PAPER, RED, circle

SUITS = {"coins": "#8f6200", "cups": RED, "swords": BLUE, "batons": GREEN}
RANKS = ("a", "2", "3", "4", "5", "6", "7", "j", "c", "k")
# the corner speaks Italian, as the deck does: fante, cavallo, re
FIGURES = {"a": "A", "j": "F", "c": "C", "k": "R"}


def card(suit: str, rank: str) -> str:
    """One card as SVG text."""
    if rank == "a":
        middle = suits.ace(suit)
    elif rank in "jck":
        middle = courts.figure(suit, rank)
    else:
        middle = suits.pips(suit, int(rank))
    figure = f'<path transform="translate(17 28.5)scale(.117)" d="{OUTLINES[FIGURES.get(rank, rank)]}" fill="{SUITS[suit]}" stroke="none"/>'
    corner = f'<g id="c">{figure}{pen.at(17, 42, suits.corner(suit), 0, 1.12)}</g><use href="#c" transform="rotate(180 60 100)"/>'
    return _sheet(PAPER, middle + corner)


def back() -> str:
    """The back, the same whichever way it is turned: a lattice of lozenges around the coin of the house."""
    lozenge = f'<path d="M6 1 10 8 6 15 2 8Z" fill="none" stroke="{GOLD}" stroke-width=".9"/><circle cx="6" cy="8" r="1.1" fill="{GOLD}" stroke="none"/>'
    pattern = f'<defs><pattern id="l" width="12" height="16" x="6" y="4" patternUnits="userSpaceOnUse">{lozenge}</pattern></defs>'
    rim = (
        f'<rect x="9" y="9" width="102" height="182" rx="5" fill="#0f5b3e" stroke="{GOLD}" stroke-width="1.6"/>'
        f'<rect x="12" y="12" width="96" height="176" rx="3" fill="url(#l)" stroke="{GOLD}" stroke-width=".7"/>'
    )
    petal = f'<path d="M0-4C-6-9-6-15 0-19 6-15 6-9 0-4Z" fill="{RED}" stroke-width=".9"/>'
    half = f'<path d="M0-4C-4-8-4-12 0-15 4-12 4-8 0-4Z" fill="{GOLD}" stroke-width=".7"/>'
    coin = (
        circle(0, 0, 30, "#0f5b3e", GOLD, 1.6)
        + circle(0, 0, 25.5, PAPER, INK, 1)
        + circle(0, 0, 22.5, "none", INK, 1.3, ' stroke-dasharray=".1 3.5"')
        + pen.ring(6, petal, "a")
        + pen.ring(6, half, "b", 30)
        + circle(0, 0, 4.5, "#0f5b3e", INK, 0.9)
    )
    return _sheet(PAPER, pattern + rim + pen.at(60, 100, coin))


def _sheet(paper: str, body: str) -> str:
    edge = f'<rect x=".75" y=".75" width="118.5" height="198.5" rx="8.5" fill="{paper}" stroke-width="1"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {pen.WIDTH} {pen.HEIGHT}" width="{pen.WIDTH}" height="{pen.HEIGHT}"'
        f' stroke="{INK}" stroke-width="{pen.LINE}" stroke-linejoin="round" stroke-linecap="round">{edge}{body}</svg>\n'
    )


def deck() -> dict[str, str]:
    """File name -> SVG text."""
    files = {f"{suit}-{rank}.svg": card(suit, rank) for suit in SUITS for rank in RANKS}
    files["back.svg"] = back()
    return files


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in deck().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "static" / "cards" / "italian")
