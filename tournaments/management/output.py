"""What the file commands read and write: UTF-8 whatever the terminal, one plain line a complaint."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from core.refusal import Refusal
from tournaments.exchange.strict_json import BadFileError
from tournaments.web.sentences import sentence_for

BAD_FILE, REFUSED = 2, 3
READER_GONE, NOT_WRITTEN = 141, 1
# Control characters and line separators: in a name they could colour a terminal or forge a line.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@cache
def _standard_input() -> bytes:
    """Read once, however often `-` is named."""
    return sys.stdin.buffer.read()


def read_file(name: str) -> bytes:
    """The bytes of a file; `-` is standard input. Raises `BadFileError` with the fault `unreadable`."""
    try:
        return _standard_input() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise BadFileError([Refusal("unreadable", {"why": error.strerror or str(error)})]) from None


def complain(refusals: Iterable[Refusal], name: str = "") -> None:
    """One line on standard error for each: `code article pointer: sentence`, under the `name` of the file if given."""
    if name:
        print(plain(f"{name}:"), file=sys.stderr)
    for refusal in refusals:
        where = f"{refusal.code} {refusal.article or '-'} {refusal.pointer or '/'}"
        print(plain(f"{where}: {sentence_for(refusal)}"), file=sys.stderr)


def write_line(text: str) -> None:
    """One line to standard output. Ends the program with 141 when the reader is gone, 1 when nothing can be written."""
    try:
        sys.stdout.buffer.write(text.encode() + b"\n")
        sys.stdout.buffer.flush()
    except OSError as error:
        # What is left in the buffer would fail once more when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(READER_GONE)
        print(f"The result cannot be written: {error.strerror}.", file=sys.stderr)
        sys.exit(NOT_WRITTEN)


def plain(text: str) -> str:
    """The text with control characters written out, so that it stays on its line."""
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
