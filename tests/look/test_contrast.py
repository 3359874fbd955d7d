"""Colours: those of the design, legible in both themes, and no colour anywhere that is not one of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CSS = Path(__file__).parents[2] / "static" / "css"
BASE = (CSS / "base.css").read_text(encoding="utf-8")

DESIGN = {
    "light": {
        "paper": "#FBF7EF",
        "ink": "#1D1B18",
        "felt": "#0F5B3E",
        "gold": "#B8860B",
        "red": "#A8202C",
        "blue": "#1F4E99",
        "green": "#2B7A3F",
    },
    "dark": {"paper": "#15171A", "ink": "#EDE7DB", "felt": "#0C4630"},
}
PAPERS = ("paper", "sheet", "shade", "wash-gold", "wash-red", "wash-blue", "wash-green")
# Every text colour and the surfaces it stands on somewhere in the style sheets.
TEXT = {
    "ink": PAPERS,
    "ink-soft": ("paper", "sheet", "shade", "wash-gold"),
    "on-felt": ("felt", "felt-deep"),
    "on-felt-soft": ("felt", "felt-deep"),
    "felt-deep": ("on-felt",),
    "text-gold": ("paper", "sheet", "wash-gold"),
    "text-red": ("paper", "sheet", "wash-red"),
    "text-blue": ("paper", "sheet", "wash-blue"),
    "text-green": ("paper", "sheet", "wash-green"),
}
# Glyphs, borders of controls and rings: 3:1 (WCAG 1.4.11).
GRAPHIC = {
    "gold": ("paper", "sheet"),
    "red": ("paper", "sheet"),
    "blue": ("paper", "sheet"),
    "green": ("paper", "sheet"),
    "line-strong": ("paper", "sheet"),
    "focus": ("paper", "sheet", "shade"),
}


def block_after(selector: str) -> dict[str, str]:
    """Colour properties of the first block behind a selector."""
    start = BASE.index(selector) + len(selector)
    body = BASE[start : BASE.index("}", start)]
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9A-Fa-f]{6})(?:[0-9A-Fa-f]{2})?;", body))


THEMES = {"light": block_after(":root {"), "dark": block_after(':root[data-theme="dark"] {')}


def luminance(colour: str) -> float:
    """Relative luminance of WCAG 2, 0..1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_formula_is_that_of_wcag():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_colours_are_those_of_the_design(theme):
    assert {name: THEMES[theme][name].upper() for name in DESIGN[theme]} == DESIGN[theme]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("text", "surface"), [(t, s) for t, surfaces in TEXT.items() for s in surfaces])
def test_text_is_legible(theme, text, surface):
    assert contrast(THEMES[theme][text], THEMES[theme][surface]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("line", "surface"), [(g, s) for g, surfaces in GRAPHIC.items() for s in surfaces])
def test_glyphs_and_borders_are_visible(theme, line, surface):
    assert contrast(THEMES[theme][line], THEMES[theme][surface]) >= 3


def test_the_dark_theme_of_the_device_is_the_dark_theme_chosen_by_hand():
    assert block_after(':root:not([data-theme="light"]) {') == THEMES["dark"]
    assert set(THEMES["dark"]) == set(THEMES["light"])


def declarations(pattern: str) -> list[tuple[str, str]]:
    """(file, value) of every declaration of a property, print left out: it is black on white."""
    return [
        (path.name, value.strip())
        for path in sorted(CSS.glob("*.css"))
        if path.name != "print.css"
        for value in re.findall(pattern, path.read_text(encoding="utf-8"))
    ]


def test_text_takes_its_colour_from_the_table_above():
    # glyphs may wear an accent: their rule is about .icon or a suit
    accents = {f"var(--{name})" for name in ("gold", "red", "blue", "green", "accent", "line-strong")}
    allowed = {f"var(--{name})" for name in TEXT} | {"inherit"}
    used = declarations(r"(?<![\w-])color:\s*([^;}]+)")
    assert used
    strangers = {(file, value) for file, value in used if value not in allowed | accents}
    assert not strangers
    rules = re.findall(
        r"([^{}]+)\{[^{}]*(?<![\w-])color:\s*var\(--(?:gold|red|blue|green|accent|line-strong)\)",
        "".join(p.read_text(encoding="utf-8") for p in sorted(CSS.glob("*.css")) if p.name != "print.css"),
    )
    assert all(".icon" in rule or ".suit-" in rule or "::before" in rule for rule in rules), rules


def test_no_colour_is_written_outside_the_table():
    for path in sorted(CSS.glob("*.css")):
        text = path.read_text(encoding="utf-8")
        if path.name == "base.css":
            text = text[text.index("/* space: 4 px steps */") :]
        if path.name != "print.css":
            assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", text), path.name
