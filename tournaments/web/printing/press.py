"""The press: a document's data as JSON on standard input, its PDF on standard output. Runs alone, see `pdf.py`.

Its argument is the folder where Typst is.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> None:
    """One print. Fonts are ours alone, so a document gives the same bytes on every machine; nothing is fetched."""
    sys.path.append(sys.argv[1])
    import typst

    made = typst.compile(
        HERE / "print.typ",
        # This folder is all that a template could read, and the only place to look for packages.
        root=HERE,
        package_path=HERE,
        package_cache_path=HERE,
        font_paths=typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[HERE / "fonts"]),
        format="pdf",
        pdf_standards=["ua-1"],
        sys_inputs={"document": sys.stdin.buffer.read().decode("ascii")},
    )
    sys.stdout.buffer.write(made)


if __name__ == "__main__":
    main()
