"""Both decks: complete, distinct, clean drawings; spoken names in three languages; a face-down card is nobody."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from gameplay.web import cards
from tools.italian_deck import draw

CARDS = Path(__file__).parents[2] / "static" / "cards"
SVG = "{http://www.w3.org/2000/svg}"
FILES = sorted(CARDS.rglob("*.svg"))


@pytest.mark.parametrize(("deck", "size"), [("italian", 40), ("french", 52)])
def test_a_deck_is_complete_and_no_two_cards_are_alike(deck, size):
    codes = cards.codes(deck)
    files = {path.name for path in (CARDS / deck).iterdir()}
    assert len(codes) == len(set(codes)) == size
    assert files == {f"{code}.svg" for code in codes} | {"back.svg"}
    drawings = {(CARDS / deck / name).read_bytes() for name in files}
    assert len(drawings) == size + 1


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_drawing_is_clean(path):
    text = path.read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox")
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "g", "defs", "use", "symbol", "path", "circle", "ellipse", "rect", "pattern", "clipPath"}
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text))
    assert {one or other for one, other in used} <= set(ids)
    assert not re.search(r"\bclass=|\bstyle=|https?://(?!www\.w3\.org/2000/svg)", text)


def test_the_italian_deck_is_what_the_script_draws():
    assert {path.name: path.read_text(encoding="utf-8") for path in (CARDS / "italian").iterdir()} == draw.deck()


def test_the_italian_deck_is_small():
    assert sum(path.stat().st_size for path in (CARDS / "italian").iterdir()) <= 150_000


def test_suits_differ_in_shape_and_not_only_in_colour():
    """Without any colour the four cards of a rank are still four drawings."""
    for rank in cards.RANKS["italian"]:
        bare = {
            re.sub(r"#[0-9a-f]{6}", "", (CARDS / "italian" / f"{suit}-{rank}.svg").read_text(encoding="utf-8"))
            for suit in cards.SUITS["italian"]
        }
        assert len(bare) == 4


EXAMPLES = {
    "en": {
        "cups-k": "king of cups",
        "swords-c": "knight of swords",
        "hearts-q": "queen of hearts",
        "spades-10": "ten of spades",
    },
    "it": {
        "cups-k": "re di coppe",
        "coins-a": "asso di denari",
        "batons-j": "fante di bastoni",
        "hearts-q": "donna di cuori",
    },
    "tr": {"cups-k": "kadeh kralı", "coins-a": "altın ası", "swords-7": "kılıç yedilisi", "hearts-q": "kupa kızı"},
}


@pytest.mark.parametrize("language", EXAMPLES)
def test_every_card_has_a_spoken_name(language):
    with translation.override(language):
        for deck in cards.SUITS:
            names = [cards.face(deck, code).name for code in cards.codes(deck)]
            assert len(set(names)) == len(names)
            assert not any("%" in name or "-" in name for name in names)
        for code, name in EXAMPLES[language].items():
            deck = "french" if code.startswith(("hearts", "spades")) else "italian"
            assert cards.face(deck, code).name == name


@pytest.mark.parametrize("code", ["cups-q", "cups-8", "hearts-k", "cups", "", "../back"])
def test_a_card_that_the_deck_does_not_have_is_refused(code):
    with pytest.raises(KeyError):
        cards.face("italian", code)


def test_a_face_down_card_has_no_identity_in_the_page():
    pages = {
        render_to_string("components/card.html", {"deck": "italian", "card": face, "down": True, "button": "play"})
        for face in (cards.face("italian", code) for code in cards.codes("italian"))
    }
    assert len(pages) == 1
    assert not re.search("|".join(cards.SUITS["italian"]), pages.pop())
