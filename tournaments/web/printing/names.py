"""Names of files that every system can store. No time in them: when something was printed is nobody's business."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote

LONGEST = 80
# Letters that do not fall apart into an ASCII letter and a mark.
_LETTERS = str.maketrans(
    {"ı": "i", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "œ": "oe", "đ": "d", "þ": "th"}
)
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
_UNSAFE = frozenset('\\/:*?"<>|%')


def file_name(title: str, suffix: str) -> str:
    """`file_name("Verbale – Manche 2", "pdf")` -> `verbale-manche-2.pdf`: lower-case ASCII letters, digits, hyphens."""
    plain = unicodedata.normalize("NFKD", title.translate(_LETTERS)).encode("ascii", "ignore").decode("ascii")
    stem = re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:LONGEST].rstrip("-")
    if not stem or _RESERVED.fullmatch(stem):
        stem = f"gingodrome-{stem}".rstrip("-")
    return f"{stem}.{suffix}"


def disposition(kind: str, title: str, suffix: str) -> str:
    """A Content-Disposition (`inline` or `attachment`): a name for every system, the title for those that can."""
    safe = "".join(
        "-" if letter in _UNSAFE else " " if unicodedata.category(letter)[0] in "CZ" else letter for letter in title
    )
    name = " ".join(safe.split()).strip(". -")[:LONGEST].strip(". -")
    header = f'{kind}; filename="{file_name(title, suffix)}"'
    return f"{header}; filename*=UTF-8''{quote(f'{name}.{suffix}', safe='')}" if name else header
