"""Makes tournaments/web/printing/fonts/*.ttf. Run once, by hand, where fonttools 4.68.0 is installed and npm may write:

    npm pack @expo-google-fonts/vollkorn@0.4.1 && tar xzf expo-google-fonts-vollkorn-0.4.1.tgz
    mkdir dejavu && npm pack dejavu-fonts-ttf@2.37.3 && tar xzf dejavu-fonts-ttf-2.37.3.tgz -C dejavu
    python tools/print_fonts.py package dejavu/package tournaments/web/printing/fonts

Vollkorn sets everything in Latin, Greek and Cyrillic; DejaVu Sans what it lacks of Hebrew, Arabic, Armenian, Georgian
and signs; a font of one empty box stands for every other letter, so that no name makes a print fail.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import main as subset
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

VOLLKORN = (
    "U+20-7E,U+A0-24F,U+250-36F,U+370-3FF,U+400-52F,U+1E00-1EFF,U+2000-206F,U+20A0-20BF,U+2116,U+2122,U+2190-2193,"
    "U+2212,U+2215,U+221E,U+2248,U+2260,U+2264,U+2265,U+25A1"
)
DEJAVU = "U+531-58F,U+591-5F4,U+600-6FF,U+750-77F,U+10A0-10FF,U+2600-26FF,U+2713-2718,U+1F600-1F64F"
# One fixed moment, so that a second run gives the same bytes.
MADE = 3_000_000_000


def main(vollkorn: Path, dejavu: Path, target: Path) -> None:
    """Three subsets and the box."""
    for weight, name in (("500Medium", "vollkorn-500.ttf"), ("700Bold", "vollkorn-700.ttf")):
        features = "kern,mark,mkmk,liga,locl,tnum,lnum,case,ccmp"
        smaller(vollkorn / weight / f"Vollkorn_{weight}.ttf", VOLLKORN, features, target / name)
    smaller(dejavu / "ttf/DejaVuSans.ttf", DEJAVU, "*", target / "dejavu-sans.ttf")
    box(target / "boxes.ttf")


def smaller(source: Path, letters: str, features: str, target: Path) -> None:
    """The font with these letters only."""
    subset(
        [
            str(source),
            f"--unicodes={letters}",
            f"--layout-features={features}",
            "--no-hinting",
            "--desubroutinize",
            "--name-IDs=0,1,2,3,4,5,6,13,14,16,17",
            f"--output-file={target}",
        ]
    )


def box(target: Path) -> None:
    """A font that has an empty box for every letter there is: one glyph, one range."""
    pen = TTGlyphPen(None)
    for corners in (
        [(60, -60), (60, 760), (640, 760), (640, -60)],
        [(120, 0), (580, 0), (580, 700), (120, 700)],
    ):
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    glyph = pen.glyph()
    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder([".notdef", "box"])
    made.setupCharacterMap({0x25A1: "box"})
    made.setupGlyf({".notdef": glyph, "box": glyph})
    made.setupHorizontalMetrics({".notdef": (700, 60), "box": (700, 60)})
    made.setupHorizontalHeader(ascent=800, descent=-200)
    family = "Gingodrome Boxes"
    made.setupNameTable(
        {
            "familyName": family,
            "styleName": "Regular",
            "uniqueFontIdentifier": f"{family} 1",
            "fullName": family,
            "psName": "GingodromeBoxes-Regular",
        }
    )
    made.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    made.setupPost()
    every = CmapSubtable.newSubtable(13)
    every.platformID, every.platEncID, every.language, every.format = 3, 10, 0, 13
    every.cmap = {letter: "box" for letter in range(0x21, 0x110000) if not 0xD800 <= letter < 0xE000}
    made.font["cmap"].tables = [every]
    made.font["head"].created = made.font["head"].modified = MADE
    made.font.recalcTimestamp = False
    made.save(target)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
