"""Court cards: king, knight on horse, knave. Each suit dresses them in its own way."""

from __future__ import annotations

from typing import Final, NamedTuple

from tools.italian_deck import suits
from tools.italian_deck.pen import BLUE, BROWN, CREAM, GOLD, GREEN, INK, RED, SKIN, at, circle, ellipse, limb, path


class Dress(NamedTuple):
    """Colours and cut of one suit's court."""

    main: str
    second: str
    third: str
    hair: str
    horse: str
    mane: str
    hat: str


DRESS: Final[dict[str, Dress]] = {
    "coins": Dress(RED, BLUE, CREAM, "#7a4a24", "#a5653a", "#5d3519", "flat"),
    "cups": Dress(BLUE, RED, CREAM, "#d8c9a3", "#ece6da", "#b9ae9c", "plume"),
    "swords": Dress("#6b2f57", BLUE, CREAM, "#2b2320", "#4b4441", "#1d1b18", "helm"),
    "batons": Dress(GREEN, RED, CREAM, "#a5582a", "#c79a5d", "#7a5527", "hood"),
}


def figure(suit: str, rank: str) -> str:
    """The whole figure between the corners."""
    body = {"k": _king, "c": _knight, "j": _knave}[rank](suit, DRESS[suit])
    return f'<g transform="translate(-2 14)scale(.92)">{body}</g>'  # clear of the lower corner


def _floor(colour: str) -> str:
    """A strip of tiles to stand on, clear of the lower corner."""
    tiles = "".join(f"M{x} 181h6v3.5h-6zM{x + 6} 184.5h6v3.5h-6z".replace("3.5", "3.5") for x in range(22, 88, 12))
    return path("M22 181H94V188H22Z", CREAM, INK, 1) + path(tiles, colour, "none")


def _face(x: float, y: float, hair: str, beard: str = "") -> str:
    """A head looking a little to its right; `beard` is full, point or nothing."""
    back = path("M-12-4C-14 6-14 12-11 16-7 17-5 14-6 8H6C5 14 7 17 11 16 14 12 14 6 12-4Z", hair, INK, 1.1)
    face = path("M-9.5-6C-10 4-7 12 0 14 7 12 10 4 9.5-6 5-10-5-10-9.5-6Z", SKIN, INK, 1.2)
    eyes = circle(-4, -0.5, 1.1, INK, "none") + circle(3.6, -0.5, 1.1, INK, "none")
    lines = path(
        "M-6.2-3.3C-5-4.4-3.2-4.3-2.3-3.5M2-3.5C3-4.3 4.8-4.4 6-3.3M0-1C-1.2 2-1.5 3.2-.2 3.8", "none", INK, 0.9
    )
    cheeks = circle(-5.8, 3.4, 1.7, "#e8a184", "none") + circle(5.6, 3.4, 1.7, "#e8a184", "none")
    mouth = path("M-2.6 7.2C-1 8.2 1 8.2 2.6 7.2", "none", RED, 1.2)
    whiskers = ""
    if beard == "full":
        whiskers = (
            path(
                "M-9.5 2C-11 12-8 20-5 22-3 25-1 24 0 27 1 24 3 25 5 22 8 20 11 12 9.5 2 7 5 5 4.5 0 5.5-5 4.5-7 5-9.5 2Z",
                hair,
                INK,
                1.1,
            )
            + path("M-6 5.5C-4 3.5-1.5 4 0 5.5 1.5 4 4 3.5 6 5.5 3 8 1 7.5 0 7-1 7.5-3 8-6 5.5Z", hair, INK, 0.8)
            + path("M-4 12C-4 16-3 19-2 21M4 12C4 16 3 19 2 21M0 13V22", "none", INK, 0.6)
        )
        mouth = path("M-2 8.6C-1 9.6 1 9.6 2 8.6", "none", RED, 1.3)
    elif beard == "point":
        whiskers = path("M-3 10.5C-2 16-1 18 0 19 1 18 2 16 3 10.5 1 11.5-1 11.5-3 10.5Z", hair, INK, 0.8) + path(
            "M-5 6C-3 4.6-1 5 0 5.8 1 5 3 4.6 5 6", "none", hair, 1.5
        )
    return at(x, y, back + face + cheeks + whiskers + eyes + lines + mouth)


def _hand(x: float, y: float) -> str:
    return circle(x, y, 4, SKIN, INK, 1.1)


def _diaper(colour: str, x0: int, x1: int, y0: int, y1: int) -> str:
    """Small dots woven into a cloth, every other row shifted."""
    rows = "".join(f"M{x0 + (row % 2) * 5} {y}H{x1}" for row, y in enumerate(range(y0, y1, 8)))
    return path(rows, "none", colour, 2.6, ' stroke-dasharray=".1 10"')


def _king(suit: str, dress: Dress) -> str:
    """Enthroned rank: crown of five points, ermine, long robe, the suit in one hand and the orb in the other."""
    ermine = "M32 86C26 116 25 150 27 181H37C35 150 36 118 44 92ZM88 86C94 116 95 150 93 181H83C85 150 84 118 76 92Z"
    ticks = "M32 108v4M30.5 122v4M30 137v4M31 152v4M31 167v4M88 108v4M89.5 122v4M90 137v4M89 152v4M89 167v4"
    robe = path("M42 84C38 116 36 150 37 181H83C84 150 82 116 78 84Z", dress.second, INK, 1.3)
    band = path("M53 86C52 120 51 150 51 181H69C69 150 68 120 67 86Z", CREAM, INK, 1)
    jewels = "".join(
        path(f"M60 {y - 5}l4.5 5-4.5 5-4.5-5z", dress.main, INK, 0.7) + circle(60, y + 9, 1.3, GOLD, INK, 0.6)
        for y in range(124, 176, 18)
    )
    cape = path("M40 82C26 96 20 140 22 181H98C100 140 94 96 80 82 68 78 52 78 40 82Z", dress.main, INK, 1.4)
    collar = path("M38 84C44 76 76 76 82 84 84 92 78 100 60 102 42 100 36 92 38 84Z", CREAM, INK, 1.2) + path(
        "M44 88v4M51 93v4M60 95v4M69 93v4M76 88v4", "none", INK, 1.5
    )
    chain = (
        path("M46 98C50 112 70 112 74 98", "none", INK, 3.4)
        + path("M46 98C50 112 70 112 74 98", "none", GOLD, 1.8)
        + circle(60, 109, 3.6, dress.main, INK, 1)
        + circle(60, 109, 1.4, GOLD, "none")
    )
    left = limb("M34 100C30 116 34 126 46 128", 9.5, dress.main) + path("M40 124 43 133", "none", GOLD, 3)
    right = limb("M84 98C94 104 97 98 95 86", 9.5, dress.main) + path("M91 89 100 88", "none", GOLD, 3)
    orb = circle(49, 121, 7.5, GOLD, INK, 1.2) + path("M41.5 121H56.5M49 113.5V103M45.5 107H52.5", "none", INK, 1.5)
    crown = at(
        0,
        5,
        (
            path("M46 42 42.5 24 50 31 53.5 19 60 30 66.5 19 70 31 77.5 24 74 42C66 38 54 38 46 42Z", GOLD, INK, 1.3)
            + path("M46 42C54 38 66 38 74 42V46.5C66 42.5 54 42.5 46 46.5Z", dress.main, INK, 1)
            + "".join(
                circle(x, y, 1.7, CREAM, INK, 0.7) for x, y in ((42.5, 23.5), (53.5, 18.5), (66.5, 18.5), (77.5, 23.5))
            )
            + circle(60, 35, 2, RED if dress.main != RED else BLUE, INK, 0.7)
        ),
    )
    feet = path("M44 181C42 177 48 176 52 181ZM76 181C78 177 72 176 68 181Z", INK, "none")
    return (
        _floor(dress.main)
        + cape
        + _diaper(_tint(dress.main), 27, 96, 112, 180)
        + path(ermine, CREAM, INK, 1)
        + path(ticks, "none", INK, 1.7)
        + robe
        + band
        + jewels
        + feet
        + collar
        + chain
        + right
        + at(95, 80, suits.held(suit), 0, 0.98)
        + _hand(95, 81)
        + left
        + orb
        + _hand(47, 128)
        + _face(60, 58, dress.hair, "full" if suit != "swords" else "point")
        + crown
    )


def _tint(colour: str) -> str:
    """The thread of a woven pattern on a cloth of this colour."""
    return {RED: "#d2555b", BLUE: "#5f86c6", GREEN: "#5fa873"}.get(colour, "#96597f")


def _knave(suit: str, dress: Dress) -> str:
    """A page in parti-coloured hose, hand on the hip, lifting the suit."""
    legs = (
        limb("M53 128C52 146 51 160 50 176", 9, dress.main)
        + limb("M67 128C70 146 72 160 74 176", 9, dress.third)
        + path("M69.5 136 72.5 172", "none", dress.second, 2.2)
        + path("M45 181C44 176 48 173 54 174L55 181ZM45 181H34C35 178 40 177 46 176Z", INK, "none")
        + path("M69 181C69 176 72 173 78 174L80 178C84 178 88 179 90 181Z", INK, "none")
    )
    tunic = path(
        "M45 86C50 82 70 82 75 86L79 112 84 138C76 144 68 140 60 144 52 140 44 144 36 138L41 112Z",
        dress.second,
        INK,
        1.4,
    )
    half = path("M60 84C66 83 72 84 75 86L79 112 84 138C76 144 68 140 60 144Z", dress.main, INK, 1)
    hem = path("M36.5 136C44 141 52 137 60 141 68 137 76 141 83.5 136", "none", GOLD, 2.2)
    belt = path("M40 112C52 116 68 116 80 112L80.5 117C68 121 52 121 39.5 117Z", INK, "none") + path(
        "M57 114.5H63V120H57Z", GOLD, INK, 1
    )
    purse = path("M44 119H52L54 130C50 133 46 133 43 130Z", BROWN, INK, 1) + path("M44 123H52", "none", GOLD, 1.2)
    buttons = "".join(circle(60, y, 1.5, GOLD, INK, 0.7) for y in (92, 99, 106))
    akimbo = limb("M47 90C32 96 28 108 42 116", 9, dress.main) + path("M36 109 42 118", "none", GOLD, 2.6)
    lifted = limb("M73 90C86 96 94 92 95 82", 9, dress.second) + path("M91 85 100 84", "none", GOLD, 2.6)
    puff = ellipse(46, 91, 7, 6, dress.third, INK, 1.1) + path("M42 88 45 95M47 86 49 96", "none", dress.main, 1.2)
    puff2 = ellipse(75, 91, 7, 6, dress.third, INK, 1.1) + path("M72 87 73 96M77 86 79 94", "none", dress.second, 1.2)
    collar = path("M50 82C54 90 66 90 70 82 66 79 54 79 50 82Z", CREAM, INK, 1)
    return (
        _floor(dress.main)
        + legs
        + akimbo
        + tunic
        + half
        + hem
        + _diaper(_tint(dress.second), 46, 58, 126, 138)
        + belt
        + purse
        + buttons
        + lifted
        + puff
        + puff2
        + at(95, 77, suits.held(suit), 0, 0.98)
        + _hand(95, 78)
        + _hand(42, 116)
        + collar
        + _face(60, 63, dress.hair)
        + _cap(dress, 60, 63)
    )


def _cap(dress: Dress, x: float, y: float) -> str:
    """Four kinds of headgear, one to a suit."""
    feather = path("M8-12C18-26 26-18 22-8 20-13 14-13 8-12Z", CREAM, INK, 1) + path(
        "M9-12C15-18 19-16 21-11", "none", INK, 0.7
    )
    if dress.hat == "flat":
        hat = (
            path("M-14-7C-16-16-4-22 6-20 16-18 17-10 13-6 6-9-6-10-14-7Z", dress.second, INK, 1.2)
            + path("M-13.5-6C-6-9 6-8.5 13-5", "none", GOLD, 2)
            + circle(-5, -13, 2, GOLD, INK, 0.8)
        )
    elif dress.hat == "plume":
        hat = (
            feather
            + path("M-15-6C-8-11 8-11 16-5L12-9C11-18 6-22 0-22-6-22-11-18-12-9Z", dress.second, INK, 1.2)
            + path("M-12-9.5C-5-12 5-12 12-9", "none", GOLD, 2)
        )
    elif dress.hat == "helm":
        hat = (
            path("M-11-2C-14-18-6-23 0-23S14-18 11-2L8-7C4-10-4-10-8-7Z", "#aebccb", INK, 1.2)
            + path("M0-23V-9", "none", INK, 1)
            + path("M-10-8C-4-11 4-11 10-8", "none", GOLD, 1.6)
            + path("M0-22C-2-30 6-33 14-29 10-28 6-26 4-22Z", RED, INK, 1)
        )
    else:
        hat = path(
            "M-12 4C-15-10-10-21 2-21 12-24 20-19 24-8 19-12 15-12 12-9L12 4C10-4 8-7 0-8-8-7-10-4-12 4Z",
            dress.second,
            INK,
            1.2,
        ) + path("M-10-3C-6-8.5 6-8.5 10-3", "none", GOLD, 1.4)
    return at(x, y, hat)


def _knight(suit: str, dress: Dress) -> str:
    """Rider on a pacing horse under a patterned caparison, facing left, the suit held high."""
    coat, mane = dress.horse, dress.mane
    tail = path("M95 114C104 117 105 140 100 160 99 165 95 165 96 160 97 146 96 136 92 130Z", mane, INK, 1.1)
    far = (
        limb("M82 146C84 156 80 164 82 176", 6, coat)
        + limb("M44 146C34 150 28 156 32 166", 6, coat)
        + path("M29.5 165 35 164.5 35.5 170 29 171Z", INK, "none")
    )
    near = limb("M92 142C96 154 91 164 94 176", 6.4, coat) + limb("M52 146C54 158 51 166 52 176", 6.4, coat)
    hooves = path("M79 175H86L88 181H78ZM91 175H98L100 181H90ZM49 175H56L57 181H46Z", INK, "none")
    cloth = path(
        "M46 106C54 112 66 110 84 108 94 108 99 116 99 128L101 154C97 158 93 152 89 156 84 160 80 152 75 157 70 160 66 152 61 157 56 160 52 152 47 157 43 158 40 152 37 154L36 130Z",
        dress.main,
        INK,
        1.4,
    )
    trim = path(
        "M37 150C40 148 43 154 47 153 52 148 56 156 61 153 66 148 70 156 75 153 80 148 84 156 89 152 93 148 97 154 100.5 150",
        "none",
        GOLD,
        2,
    )
    neck = path("M30 74C42 70 54 84 58 108 52 118 42 126 36 130 30 122 27 110 27 98Z", dress.main, INK, 1.3)
    crest = path("M33 70C42 68 54 80 59 104L54 101 54 95 50 95 51 88 46 88 46 81 41 81 41 75Z", mane, INK, 1)
    head = path(
        "M37 71C29 71 23 79 16 90 13 94 12 99 15 102 18 105 23 103 26 99 31 97 36 96 39 91 42 84 42 76 37 71Z",
        coat,
        INK,
        1.3,
    )
    ears = path("M33 73 33 63 39 72ZM38 73 41 64 43 75Z", coat, INK, 1)
    features = (
        circle(29.5, 82, 1.4, INK, "none")
        + circle(16.5, 98, 1, INK, "none")
        + path("M17 101.5C19 101 21 100 22 98", "none", INK, 0.9)
    )
    bridle = path(
        "M21 84 27 97M33 74 31 95 26 97M22 96C36 104 44 104 52 102", "none", RED if dress.main != RED else GOLD, 1.6
    )
    saddle = path("M52 108C58 104 78 104 86 108L84 116C74 112 62 112 54 116Z", BROWN, INK, 1.1)
    leg = (
        limb("M64 108C56 118 54 126 57 138", 8.5, dress.second)
        + limb("M56.5 134C57 140 56 144 55 148", 7, BROWN)
        + path("M59 152H46C46 148 52 147 54 145H60Z", BROWN, INK, 1.1)
        + path("M60 149 64 150", "none", GOLD, 1.6)
    )
    skirt = path("M54 98C62 102 74 102 82 98L86 113C74 117 62 117 52 113Z", dress.second, INK, 1.2)
    torso = path("M56 72C62 69 74 69 80 72L82 100C74 104 62 104 54 100Z", dress.second, INK, 1.3)
    sash = path("M56.5 74C64 84 74 94 81.5 98L82 103C72 99 62 90 56 81Z", dress.third, INK, 1)
    mantle = path("M76 70C92 80 98 96 100 112 92 112 86 108 82 100Z", dress.main, INK, 1.2) + path(
        "M98 109C93 109 88 106 84 100", "none", GOLD, 1.6
    )
    rein = limb("M58 77C50 84 46 92 51 100", 7.5, dress.main)
    lifted = limb("M79 76C90 82 95 78 95 68", 7.5, dress.main) + path("M91.5 71 99 70.5", "none", GOLD, 2.4)
    collar = path("M60 69C64 75 72 75 76 69 72 66 64 66 60 69Z", CREAM, INK, 0.9)
    scale = 0.86
    return (
        _floor(dress.main)
        + tail
        + far
        + near
        + hooves
        + cloth
        + _diaper(_tint(dress.main), 44, 98, 122, 150)
        + trim
        + neck
        + _diaper(_tint(dress.main), 34, 54, 98, 122)
        + crest
        + ears
        + head
        + features
        + bridle
        + mantle
        + saddle
        + skirt
        + leg
        + torso
        + sash
        + rein
        + _hand(52, 101)
        + lifted
        + at(95, 63, suits.held(suit), 0, 0.9)
        + _hand(95, 64)
        + collar
        + at(68, 53, _face(0, 0, dress.hair, "point" if suit == "coins" else "") + _cap(dress, 0, 0), 0, scale)
    )
