"""What lies in static/ has a licence, nothing is inline, nothing comes from elsewhere, nothing is heavy."""

from __future__ import annotations

import gzip
import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "static"
LICENCES = (STATIC / "LICENSES.md").read_text(encoding="utf-8")
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def covered() -> list[str]:
    """Path patterns of the first column of the licence table."""
    rows = [line.split("|") for line in LICENCES.splitlines() if line.startswith("| `")]
    return [f"{path}*" if path.endswith("/") else path for row in rows for path in re.findall(r"`([^`]+)`", row[1])]


def test_every_asset_has_a_licence():
    patterns = covered()
    files = [p.relative_to(STATIC).as_posix() for p in STATIC.rglob("*") if p.is_file() and p.name != "LICENSES.md"]
    assert len(files) > 100
    assert not [name for name in files if not any(fnmatch(name, pattern) for pattern in patterns)]


def test_every_licensed_path_exists():
    for pattern in covered():
        assert list(STATIC.glob(f"{pattern}*" if pattern.endswith("/") else pattern)), pattern


@pytest.mark.parametrize(
    "words",
    [
        "SIL OPEN FONT LICENSE Version 1.1",
        "Neither the Font Software nor any of its individual components",
        "Permission to use, copy, modify, and/or distribute this software for\nany purpose",
        "CC0 1.0 Universal",
        "Affirmer understands and acknowledges that Creative Commons is not a",
    ],
)
def test_the_texts_of_foreign_licences_are_there(words):
    assert " ".join(words.split()) in " ".join(LICENCES.split())


def test_fonts_are_two_small_woff2_files():
    fonts = sorted((STATIC / "fonts").iterdir())
    assert [font.name for font in fonts] == ["vollkorn-500.woff2", "vollkorn-700.woff2"]
    for font in fonts:
        data = font.read_bytes()
        assert data[:4] == b"wOF2"
        assert len(data) < 30_000


def test_scripts_are_light():
    weight = sum(len(gzip.compress(path.read_bytes())) for path in STATIC.rglob("*.js"))
    assert weight <= 150_000


def test_styles_are_light():
    """All of them together; a page links what it needs."""
    assert sum(len(gzip.compress(path.read_bytes())) for path in STATIC.rglob("*.css")) <= 26_000


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.relative_to(ROOT / "templates").as_posix())
def test_templates_hold_nothing_inline(path):
    text = re.sub(r"\{% comment %\}.*?\{% endcomment %\}", "", path.read_text(encoding="utf-8"), flags=re.S)
    assert not re.search(r"<style|\sstyle=|\son\w+=|hx-on|javascript:|['\"]js:", text)
    for script in re.findall(r"<script\b[^>]*>", text):
        assert " src=" in script
    assert not re.search(r"hx-trigger=\"[^\"]*\[", text), "a filter in a trigger needs eval"
    assert not re.search(r"(?:src|href|action)=\"(?:https?:)?//", text)


@pytest.mark.parametrize("path", sorted((ROOT / "templates" / "components").glob("*.html")), ids=lambda p: p.stem)
def test_components_explain_their_parameters_at_the_top(path):
    assert path.read_text(encoding="utf-8").startswith("{% comment %}")


@pytest.mark.parametrize("path", sorted((STATIC / "css").glob("*.css")), ids=lambda p: p.stem)
def test_styles_fetch_only_our_own_files(path):
    text = path.read_text(encoding="utf-8")
    assert "@import" not in text
    for url in re.findall(r"url\(\s*[\"']?([^\"')]+)", text):
        assert (path.parent / url).resolve().is_file(), url


@pytest.mark.parametrize("path", sorted((STATIC / "css").glob("*.css")), ids=lambda p: p.stem)
def test_styles_use_logical_properties(path):
    physical = r"(?<![\w-])(?:margin|padding|border)-(?:left|right|top|bottom)\b|(?<![\w-])(?:left|right|top|bottom):"
    text = re.sub(r"@page \{.*?\n    \}", "", path.read_text(encoding="utf-8"), flags=re.S)
    assert not re.findall(physical, text)


def test_the_htmx_file_is_the_released_one():
    text = (STATIC / "vendor" / "htmx-4.0.1.min.js").read_text(encoding="utf-8")
    assert text.startswith("var htmx=")
    assert 'version="4.0.1"' in text


def test_no_own_script_evaluates_text_or_writes_a_style():
    for path in (STATIC / "js").glob("*.js"):
        assert not re.search(
            r"\beval\(|new Function|innerHTML|\.style\b|insertAdjacentHTML", path.read_text(encoding="utf-8")
        )
