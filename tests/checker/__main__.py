"""`python -m tests.checker FILE...`: one result JSON line for each file, `-` is standard input."""

import json
import sys
from pathlib import Path

from . import check


def main(names: list[str]) -> int:
    """Try every file; the exit code is the highest."""
    worst = 0
    sys.stderr.reconfigure(errors="backslashreplace")
    for name in names:
        try:
            data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        except OSError as error:
            print(f"{name}: {error}", file=sys.stderr)
            worst = max(worst, 2)
            continue
        outcome = check(data)
        worst = max(worst, outcome.exit)
        if outcome.exit == 0:
            print(json.dumps(outcome.result, ensure_ascii=False))
        elif outcome.exit == 2:
            for where, why in outcome.faults.items():
                print(f"{name}: {where or '(file)'}: {why}", file=sys.stderr)
        else:
            print(f"{name}: {outcome.article} {outcome.pointer}: {outcome.sentence}", file=sys.stderr)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
