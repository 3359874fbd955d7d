"""`manage.py bench start`: from a clean clone to a served page, the second start and the stop, in seconds.

For this account and, where this is root, for an ordinary one too. Each gets a clone of what is committed here, a home
without any cache and data of its own; all of it is thrown away. The packages come from wherever pip and uv get them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from config import house
from config.house import Account
from tests.e2e.house import BASE_PYTHON, clean_environ, python_for

SECOND_AT_MOST = 3.0  # seconds; the first start depends on the line to the packages


class Start:
    """One `manage.py up` in the clone at `base`/clone; `seconds` is how long its first page took to come."""

    def __init__(self, base: Path, python: str, account: Account | None) -> None:
        kept = {name: value for name, value in clean_environ().items() if not name.startswith(("PYTHON", "VIRTUAL_"))}
        began = time.monotonic()
        self.process = subprocess.Popen(
            [python, str(base / "clone/manage.py"), "up", "--port", "0"],
            env=kept | {"HOME": str(base), "GINGODROME_DATA": str(base / "house")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            start_new_session=True,
            **(account.popen() if account else {}),
        )
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"is ready:\s+(http\S+)", line):
                break
        else:
            raise SystemExit("The house did not start; the reason is above.")
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(found[1]) as page:
            page.read()
        self.seconds = time.monotonic() - began

    def stop(self) -> float:
        """Ctrl-C; the seconds until the last process is gone."""
        began = time.monotonic()
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.communicate()
        return time.monotonic() - began


def measure(python: str, account: Account | None) -> dict[str, float]:
    """Seconds of the first start, the second start, and the stop between them."""
    base = Path(tempfile.mkdtemp(prefix="gingodrome-bench-"))
    clone = base / "clone"
    try:
        subprocess.run(["git", "clone", "-q", str(house.ROOT), str(clone)], check=True)
        base.chmod(0o755)
        if account:
            for path in (base, clone, *clone.rglob("*")):
                os.chown(path, account.uid, account.gid, follow_symlinks=False)
        first = Start(base, python, account)
        stop = first.stop()
        second = Start(base, python, account)
        second.stop()
        return {"first": first.seconds, "second": second.seconds, "stop": stop}
    finally:
        shutil.rmtree(base, ignore_errors=True)
        if os.geteuid() == 0 and not account:
            shutil.rmtree(house.root_home(clone), ignore_errors=True)


def main() -> None:
    """Print one line for each account and figure."""
    pythons = {None: BASE_PYTHON}
    if ordinary := house.unprivileged_account():
        pythons |= {ordinary: python} if (python := python_for(ordinary)) else {}
    for account, python in pythons.items():
        name = account.name if account else "root" if ordinary else "this account"
        print(f"\n{name}, {python}", flush=True)
        for what, seconds in measure(python, account).items():
            goal = f"   at most {SECOND_AT_MOST:g} s" if what == "second" else ""
            print(f"  {what:>6}: {seconds:6.1f} s{goal}", flush=True)
    if ordinary and len(pythons) == 1:
        print("\nNo Python here that an ordinary account can use: measured for root alone.", file=sys.stderr)


if __name__ == "__main__":
    main()
