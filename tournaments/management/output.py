"""What the file commands write: UTF-8 on standard output whatever the terminal, one plain line a complaint."""

from __future__ import annotations

import os
import re
import sys

READER_GONE, NOT_WRITTEN = 141, 1
# Control characters and line separators: in a name they could colour a terminal or forge a line.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


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
