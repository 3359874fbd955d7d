"""Makes the tournament files of the demonstration, into tournaments/demo/.

    python -m tools.demo_files.make [folder]

An invented season of three world championships and a club's cup of sixty players. The files are committed; a test
makes them again and compares, so change what happens here and never in the JSON.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tools.demo_files.coppa import coppa
from tools.demo_files.season import season
from tools.demo_files.writing import text_of

FOLDER = Path(__file__).parents[2] / "tournaments" / "demo"


def files() -> dict[str, str]:
    """Text by file name."""
    worlds, editions = season()
    made = {f"mondiale-{at}.json": text_of(file) for at, file in enumerate(worlds, start=1)}
    return made | {"coppa-adriatica.json": text_of(coppa(editions[1:]))}


def main(folder: Path) -> None:
    """Write them all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
