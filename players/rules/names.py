"""How names are compared: search and order for Italian, Turkish and everybody else, without a locale.

The database knows no languages here (builtin C.UTF-8), so both keys are made in Python, stored, and compared byte by
byte: the club's laptop and the federation's server find and sort alike.
"""

from __future__ import annotations

import re
import unicodedata

# Letters that no decomposition takes apart. The four i's of Turkish are one letter to whoever searches.
_LETTERS = str.maketrans(
    {
        "ı": "i",
        "İ": "i",
        "I": "i",
        "ø": "o",
        "Ø": "o",
        "ł": "l",
        "Ł": "l",
        "đ": "d",
        "Đ": "d",
        "ð": "d",
        "Ð": "d",
        "þ": "th",
        "Þ": "th",
        "æ": "ae",
        "Æ": "ae",
        "œ": "oe",
        "Œ": "oe",
        "ə": "e",
        "Ə": "e",
    }
)
_APOSTROPHES = re.compile(r"['’‘ʼ`´]")
_NO_LETTER = re.compile(r"[\W_]+")


def fold_letters(text: str) -> str:
    """`text` in plain small letters: case, accents and the dot of the i are gone; everything else stays."""
    apart = unicodedata.normalize("NFKD", text).translate(_LETTERS).casefold()
    return "".join(ch for ch in unicodedata.normalize("NFKD", apart) if not unicodedata.combining(ch))


def search_key(name: str) -> str:
    """What a search compares: words of plain letters and digits with one space between them.

    "D'Angelo" is one word, "Anna-Maria" two: `dangelo`, `anna maria`.
    """
    bare = fold_letters(_APOSTROPHES.sub("", name))
    return _NO_LETTER.sub(" ", bare).strip()


def sort_key(name: str) -> str:
    """What lists are ordered by, byte by byte: first the plain letters, then the accents, then capitals.

    One order for all languages: "Çelik" stands with "Celik", after it. The parts are divided by U+0001, which sorts
    before every letter and space, so that "Rossi" comes before "Rossi Anna" whatever follows.
    """
    accents = unicodedata.normalize("NFD", name).lower()
    return "\x01".join((search_key(name), accents, name))
