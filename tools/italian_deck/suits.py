"""Pips and aces of the four suits.

Coins are rosettes, cups are chalices, swords are curved and interlaced, batons are straight and crossed: the
outline alone tells the suit, without any colour.
"""

from __future__ import annotations

from math import atan2, degrees, hypot, sqrt
from typing import Final

from tools.italian_deck import pen
from tools.italian_deck.pen import (
    BLUE,
    CREAM,
    DARK_GOLD,
    DARK_GREEN,
    GOLD,
    GREEN,
    INK,
    LEAF,
    RED,
    SHADE,
    STEEL,
    at,
    circle,
    ellipse,
    limb,
    n,
    path,
)

LEFT, MIDDLE, RIGHT = 38, 60, 82
SPOTS: Final[dict[int, list[tuple[float, float]]]] = {
    2: [(MIDDLE, 58), (MIDDLE, 142)],
    3: [(MIDDLE, 44), (MIDDLE, 100), (MIDDLE, 156)],
    4: [(LEFT, 62), (RIGHT, 62), (LEFT, 138), (RIGHT, 138)],
    5: [(LEFT, 56), (RIGHT, 56), (MIDDLE, 100), (LEFT, 144), (RIGHT, 144)],
    6: [(LEFT + 2, 50), (RIGHT, 50), (LEFT, 100), (RIGHT, 100), (LEFT, 150), (RIGHT - 2, 150)],
    7: [(LEFT + 4, 44), (RIGHT, 44), (MIDDLE, 72), (LEFT, 100), (RIGHT, 100), (LEFT, 154), (RIGHT - 4, 154)],
}
PIP_SCALE: Final = {2: 1.35, 3: 1.15, 4: 1.2, 5: 1.1, 6: 1.0, 7: 0.94}


def corner(suit: str) -> str:
    """The suit in the corner, about 13 x 17 units around the origin: bold and plain."""
    return {
        "coins": circle(0, 0, 6.3, GOLD, INK, 1.4) + circle(0, 0, 3, RED, INK, 1) + circle(0, 0, 1, GOLD, "none"),
        "cups": path("M-6-7.5H6C6-2 4 1.5 1.3 2.5V5L4.5 7.5H-4.5L-1.3 5V2.5C-4 1.5-6-2-6-7.5Z", RED, INK, 1.2),
        "swords": path("M-1.6 3V-6L0-9 1.6-6V3Z", STEEL, INK, 1.1)
        + path("M-5 3H5M0 3V8", "none", INK, 2.6)
        + path("M-4.5 3H4.5M0 4V7.5", "none", BLUE, 1.2),
        "batons": limb("M-2.5 7.5 2.5-7.5", 3.4, GREEN, 1.1) + path("M-.5 1.5-4-1M1-3 4.6-2", "none", INK, 1.8),
    }[suit]


def coin() -> str:
    """A rosette of eight petals in a beaded ring, radius 15."""
    petal = f'<path d="M0-1C-3.4-4-3.4-7 0-9.6 3.4-7 3.4-4 0-1Z" fill="{GOLD}" stroke-width=".7"/>'
    beads = circle(0, 0, 12.9, "none", INK, 1.3, ' stroke-dasharray=".1 2.6"')
    return (
        circle(0, 0, 15, GOLD)
        + beads
        + circle(0, 0, 10.8, RED, INK, 1)
        + pen.ring(8, petal, "a")
        + circle(0, 0, 2.6, BLUE, INK, 0.8)
    )


def cup() -> str:
    """A chalice, 26 x 34."""
    return (
        path(
            "M-12-14H12C12-3 8 3 2.6 4.6V9.5C5.5 10.5 8.5 12.5 9.5 16H-9.5C-8.5 12.5-5.5 10.5-2.6 9.5V4.6C-8 3-12-3-12-14Z",
            GOLD,
        )
        + path("M-11.7-9.5C-4-6.5 4-6.5 11.7-9.5 11-5 10-2.5 8.2 0 3 2-3 2-8.2 0-10-2.5-11-5-11.7-9.5Z", RED, INK, 0.9)
        + circle(0, -4, 1.9, STEEL, INK, 0.7)
        + circle(-5, -4.4, 1.1, GOLD, "none")
        + circle(5, -4.4, 1.1, GOLD, "none")
        + ellipse(0, -14, 12, 2.9, "#7d1720")
        + ellipse(0, 7, 4.2, 2.1, BLUE, INK, 0.9)
    )


def _hilt(grip: str) -> str:
    """Guard, grip and pommel below the origin, pointing down."""
    return (
        path("M0 1V11", "none", INK, 5)
        + path("M0 1V11", "none", grip, 2.6)
        + path("M-6.5 2.5C-5-1 5-1 6.5 2.5 3.5 1.2-3.5 1.2-6.5 2.5Z", GOLD, INK, 1)
        + circle(0, 12.4, 2.5, GOLD, INK, 1)
    )


def _curved(foot: float, belly: float, width: float, grip: str) -> str:
    """A curved sword that bends left; hilt and tip stand `foot` right of the middle, the bend `belly` left of it."""
    x, low, high = 60 + foot, 170, 20
    bend = 60 - 2 * belly - foot
    near, far = bend + width, bend - width * 0.9
    outline = f"M{n(x + width / 2)} {low}Q{n(near)} 104 {n(x)} {high}Q{n(far)} 92 {n(x - width / 2)} {low}Z"
    ridge = f"M{n(x)} {low}Q{n((near + far) / 2)} 98 {n(x - 1)} {high + 6}"
    lean = degrees(atan2(bend - x, low - 98))
    return path(outline, STEEL, INK, 1.1) + path(ridge, "none", SHADE, 0.7) + at(x, low, _hilt(grip), -lean, 0.82)


def swords(count: int) -> str:
    """Pairs of curved swords that interlace above and below; an odd one stands straight between them."""
    pairs = count // 2
    feet = {1: [19.0], 2: [12.0, 23.0], 3: [9.0, 18.0, 27.0]}[pairs]
    bellies = {1: [33.0], 2: [36.0, 20.0], 3: [39.0, 27.0, 15.5]}[pairs]
    width = {1: 9.0, 2: 7.6, 3: 6.2}[pairs]
    bent = "".join(_curved(foot, belly, width, RED) for foot, belly in zip(feet, bellies, strict=True))
    mirror = f' transform="matrix(-1 0 0 1 {pen.WIDTH} 0)"'
    # the right ones pass under the left ones below, and over them above
    woven = (
        f'<defs><g id="s">{bent}</g><clipPath id="u"><path d="M0 0H120V98H0Z"/></clipPath></defs>'
        f'<use href="#s"{mirror}/><use href="#s"/><g clip-path="url(#u)"><use href="#s"{mirror}/></g>'
    )
    if count % 2:
        foot, belly = feet[-1], bellies[-1]
        gap = 150 * (1 - sqrt(1 - 2 * foot / (2 * foot + 2 * belly))) / 2
        woven += _straight(20 + gap + 10, 170 - gap - 9)
    return woven


def _straight(top: float, bottom: float, scale: float = 0.9) -> str:
    """An upright sword between two heights."""
    guard = bottom - 13 * scale
    blade = path(f"M56.8 {n(guard)}V{n(top + 8)}L60 {n(top)} 63.2 {n(top + 8)}V{n(guard)}Z", STEEL, INK, 1)
    return blade + path(f"M60 {n(guard)}V{n(top + 6)}", "none", SHADE, 0.7) + at(60, guard, _hilt(RED), 0, scale)


def _wood(d: str, width: float, extra: str = "") -> str:
    """A length of stave: outline, bark, light."""
    return (
        path(d, "none", INK, width + 2.6, extra)
        + path(d, "none", GREEN, width, extra)
        + path(d, "none", LEAF, width / 3.4, extra)
    )


def _stave(x0: float, x1: float, width: float, reach: float) -> str:
    """A stave from x0 at the foot to x1 at the head, `reach` below and above the middle, with gold ends."""
    d = f"M{n(x0)} {n(100 + reach)} {n(x1)} {n(100 - reach)}"
    far = hypot(x1 - x0, 2 * reach)
    caps = path(d, "none", INK, width + 4.4, f' stroke-dasharray="3 {n(far - 6)}"') + path(
        d, "none", GOLD, width + 1.8, f' stroke-dasharray="3 {n(far - 6)}"'
    )
    return _wood(d, width) + caps


def batons(count: int) -> str:
    """Staves crossed in a lattice, woven over and under; an odd one stands upright behind them."""
    pairs = count // 2
    width = {1: 9.0, 2: 7.6, 3: 6.6}[pairs]
    reach = {1: 76.0, 2: 62.0, 3: 56.0}[pairs]
    lean, step = {1: (28.0, 0.0), 2: (20.5, 23.0), 3: (19.0, 13.5)}[pairs]
    shifts = [step * (i - (pairs - 1) / 2) for i in range(pairs)]
    rising = [(60 + s - lean, 60 + s + lean) for s in shifts]
    falling = [(60 + s + lean, 60 + s - lean) for s in shifts]
    parts = [_stave(60, 60, width, 76)] if count % 2 else []
    parts += [_stave(*ends, width, reach) for ends in rising] + [_stave(*ends, width, reach) for ends in falling]
    for i, (a0, a1) in enumerate(rising):
        for j, (b0, b1) in enumerate(falling):
            t = (b0 - a0) / ((a1 - a0) - (b1 - b0))
            if (i + j) % 2 and 0 < t < 1:
                parts.append(_over(a0, a1, t, width, reach))
    return "".join(parts)


def _over(x0: float, x1: float, t: float, width: float, reach: float) -> str:
    """A short piece of a rising stave laid over a falling one; t is the way along it, from the foot."""
    half = 7.5 / reach
    xs = [x0 + (x1 - x0) * (t + k) for k in (-half, half)]
    ys = [100 + reach - 2 * reach * (t + k) for k in (-half, half)]
    return _wood(f"M{n(xs[0])} {n(ys[0])} {n(xs[1])} {n(ys[1])}", width, ' stroke-linecap="butt"')


def pips(suit: str, count: int) -> str:
    """Everything between the corners of a card from two to seven."""
    if suit == "swords":
        return swords(count)
    if suit == "batons":
        return batons(count)
    scale = PIP_SCALE[count]
    body = coin() if suit == "coins" else cup()
    return pen.named(f'<g transform="scale({scale})">{body}</g>') + pen.use(SPOTS[count])


def held(suit: str) -> str:
    """The suit as a court figure carries it: origin in the hand."""
    if suit == "coins":
        return at(0, -15, coin(), 0, 1.05)
    if suit == "cups":
        return at(0, -15, cup(), 0, 1.05)
    if suit == "swords":
        blade = path("M-3-6C-4-26-3-40 2-54 4-40 4-24 3-6Z", STEEL, INK, 1.1) + path(
            "M0-7C0-26 0-38 2-49", "none", SHADE, 0.7
        )
        return blade + at(0, -6, _hilt(RED), 0, 0.95)
    return (
        path("M-3 14C-4-8-7-28-5-46Q0-53 6-46C7-28 4-8 3 14Z", GREEN, INK, 1.2)
        + path("M-1 8C-2-10-3-26-2-40", "none", LEAF, 1.6)
        + path("M-5.5-22-10-26M5.5-30 10-35M-6-36-10-41", "none", INK, 3.4)
        + path("M-5.5-22-9.6-25.6M5.5-30 9.6-34.6M-6-36-9.6-40.6", "none", GREEN, 1.4)
        + ellipse(0.5, -47.5, 4, 2, GOLD, INK, 0.9)
    )


def _laurel(x: float, y: float, turn: float) -> str:
    return at(
        x,
        y,
        path("M0 0C-5-4-5-11 0-16 5-11 5-4 0 0Z", GREEN, INK, 0.9) + path("M0-2V-12", "none", DARK_GREEN, 0.7),
        turn,
    )


def ace(suit: str) -> str:
    """The ace: one great emblem."""
    if suit == "coins":
        rays = pen.ring(16, f'<path d="M-4.5-33 0-43 4.5-33Z" fill="{RED}"/>', "r")
        petal = f'<path d="M0-8C-7-13-7-20 0-26 7-20 7-13 0-8Z" fill="{GOLD}"/>'
        dots = pen.ring(8, circle(0, -24.5, 1.5, CREAM, INK, 0.6), "d", 22.5)
        heart = pen.ring(5, f'<path d="M0 0C-3-3-3-5 0-7 3-5 3-3 0 0Z" fill="{CREAM}" stroke-width=".7"/>', "e")
        rosette = (
            rays
            + circle(0, 0, 35, GOLD, INK, 1.5)
            + circle(0, 0, 31.5, "none", INK, 1.6, ' stroke-dasharray=".1 4.4"')
            + circle(0, 0, 28, RED, INK, 1.2)
            + pen.ring(8, petal, "b")
            + dots
            + circle(0, 0, 9, BLUE, INK, 1.2)
            + heart
            + circle(0, 0, 1.6, RED, INK, 0.6)
        )
        return at(60, 100, rosette, 0, 1.14)
    if suit == "cups":
        return _great_cup()
    if suit == "swords":
        return _great_sword()
    return _great_baton()


def _great_cup() -> str:
    handle = path("M88 74C108 68 110 96 84 106", "none", INK, 6.2) + path(
        "M88 74C108 68 110 96 84 106", "none", GOLD, 3.4
    )
    return (
        pen.mirrored(handle, "h")
        + path(
            "M30 66H90C92 96 82 118 66 124V140C76 143 86 150 88 162H32C34 150 44 143 54 140V124C38 118 28 96 30 66Z",
            GOLD,
            INK,
            1.6,
        )
        + path(
            "M30.5 78C50 86 70 86 89.5 78 88 92 86 98 82 105 68 112 52 112 38 105 34 98 32 92 30.5 78Z", RED, INK, 1.2
        )
        + "".join(
            circle(x, y, 3.2, BLUE if i % 2 else CREAM, INK, 0.9)
            for i, (x, y) in enumerate(((42, 93), (51, 96), (60, 97), (69, 96), (78, 93)))
        )
        + ellipse(60, 132, 10, 5, BLUE, INK, 1.2)
        + path("M32 162C34 153 42 148 60 148S86 153 88 162Z", RED, INK, 1.2)
        + ellipse(60, 66, 30, 6.5, "#7d1720", INK, 1.5)
        + path("M33 63C36 46 48 42 60 42S84 46 87 63C76 58 44 58 33 63Z", GOLD, INK, 1.5)
        + path("M38 57C46 52 74 52 82 57", "none", DARK_GOLD, 1.4)
        + path("M60 42C52 38 52 30 60 24 68 30 68 38 60 42Z", RED, INK, 1.2)
        + circle(60, 34, 2.2, CREAM, INK, 0.8)
        + path("M38 84C40 96 44 104 50 110", "none", "#f5d98a", 1.8)
    )


def _great_sword() -> str:
    banner = (
        path("M28 128C40 116 52 122 60 126S80 134 94 120L92 136C80 148 68 142 60 138S40 132 30 144Z", RED, INK, 1.3)
        + path("M28 128 20 124 24 134 18 142 30 144ZM94 120 101 114 99 124 104 131 92 136Z", "#8d1c25", INK, 1.2)
        + path("M38 132C46 128 54 131 60 133S76 138 86 132", "none", GOLD, 1.3)
    )
    crown = path("M46 66 42 50 51 57 60 46 69 57 78 50 74 66C66 62 54 62 46 66Z", GOLD, INK, 1.3) + "".join(
        circle(x, y, 1.9, RED, INK, 0.8) for x, y in ((42, 49), (60, 45), (78, 49))
    )
    return (
        path("M53 150 53.5 36 60 16 66.5 36 67 150Z", STEEL, INK, 1.5)
        + path("M60 24V146", "none", SHADE, 1.6)
        + path("M60 24 66.5 36 67 150H60Z", "#b9cbdb", "none")
        + path("M53 150 53.5 36 60 16 66.5 36 67 150Z", "none", INK, 1.5)
        + banner
        + crown
        + path("M60 152V174", "none", INK, 9.6)
        + path("M60 152V174", "none", BLUE, 6.8)
        + path("M56.8 158.5 63.4 155.5M56.8 164 63.4 161M56.8 169.5 63.4 166.5", "none", GOLD, 1.3)
        + path("M36 156C38 148 46 150 60 150S82 148 84 156C76 152 70 156 60 156S44 152 36 156Z", GOLD, INK, 1.3)
        + circle(36, 156, 3, GOLD, INK, 1.1)
        + circle(84, 156, 3, GOLD, INK, 1.1)
        + circle(60, 179, 5.4, GOLD, INK, 1.3)
        + circle(60, 179, 2, RED, INK, 0.8)
    )


def _great_baton() -> str:
    leaves = "".join(
        _laurel(x, y, turn)
        for x, y, turn in ((40, 98, -62), (41, 84, -30), (80, 72, 62), (79, 60, 30), (78, 140, 66), (42, 146, -58))
    )
    stubs = "M48 92 40 96M72 66 80 70M71 134 78 138M49 140 42 144M70 104 79 98"
    ribbon = "M44.5 112C54 120 66 120 75 110L75.5 121C66 131 54 131 45 123Z"
    return (
        path(stubs, "none", INK, 7.4)
        + path(stubs, "none", GREEN, 4.6)
        + leaves
        + path(
            "M51 178C50 150 42 112 44 66 42 54 44 40 50 34Q60 26 70 34C76 40 78 54 76 66 78 112 70 150 69 178Q60 184 51 178Z",
            GREEN,
            INK,
            1.6,
        )
        + path(
            "M66 44C71 60 71 84 69 106M64 120C64 140 63 158 62 172M52 48C49 70 51 90 53 104M55 130C56 148 57 160 57 170",
            "none",
            DARK_GREEN,
            1.5,
        )
        + path("M58 48C56 70 57 86 58 100", "none", LEAF, 2.4)
        + ellipse(60, 36, 11, 5.5, GOLD, INK, 1.3)
        + ellipse(60, 36, 6.5, 3, "none", DARK_GOLD, 1)
        + ellipse(60, 36, 2.6, 1.2, "none", DARK_GOLD, 0.9)
        + path("M56 74C60 69 66 72 65 77 63 82 56 81 56 74Z", DARK_GREEN, INK, 0.9)
        + path(ribbon, RED, INK, 1.2)
        + path("M45 117.5C54 125 66 125 75 115.5", "none", GOLD, 1.2)
        + path(
            "M51 178C50 172 49.5 168 49 164 56 168 64 168 71 164 70.5 168 70 172 69 178Q60 184 51 178Z", GOLD, INK, 1.2
        )
    )
