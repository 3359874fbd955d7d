"""`python -m config.lint`: every check of the house, two at a time. One line per part, more only where one fails."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from config.env import in_ci, urls_to_nowhere

ROOT = Path(__file__).resolve().parent.parent
CODE = ("config", "core", "players", "scoring", "gameplay", "tournaments", "manage.py")
PARALLEL = 2
IMPORT_LINTER = "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])"
# Checks look at code, never at data. A debug house has every address, the style guide's too.
ENVIRON = {**urls_to_nowhere(), "DJANGO_SETTINGS_MODULE": "config.settings", "GINGODROME_DEBUG": "1"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a part went: faults are printed, a reason for not running it is part of its line."""

    ok: bool
    output: str = ""
    skipped: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One check by its name."""

    name: str
    run: Callable[[], Outcome]


def tool(*command: str) -> Outcome:
    """Runs a module of the virtual environment; it fails when its exit status says so."""
    return python("-m", *command)


def python(*arguments: str) -> Outcome:
    """Runs this Python in the checkout with settings that name no server."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **ENVIRON},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return Outcome(done.returncode == 0, done.stdout)


def print_ours() -> int:
    """In a process of its own, with Django set up: prints what our own checks find, 1 if there is anything."""
    import django

    from config.lint_rules import faults, missing_migrations, url_rooms

    django.setup()
    found = [*map(str, faults(ROOT, url_rooms())), *missing_migrations()]
    print("\n".join(found))
    return int(bool(found))


def messages() -> Outcome:
    """Each sentence in each language, and the compiled catalogues as the sources say."""
    from core.i18n import problems

    found = problems(ROOT)
    return Outcome(not found, "\n".join(found))


def types_of_scripts() -> Outcome:
    """tsc over static/js, from the locked TypeScript; where there is no npm it is skipped, but never in CI."""
    npm = shutil.which("npm") if shutil.which("node") else None
    if npm is None:
        return missing("no node and npm here")
    if not (ROOT / "node_modules/.package-lock.json").exists():
        command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        installed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if installed.returncode:
            return missing("npm ci failed (no network?)", installed.stderr)
    done = subprocess.run([npm, "run", "--silent", "check"], cwd=ROOT, capture_output=True, text=True, check=False)
    return Outcome(done.returncode == 0, done.stdout + done.stderr)


def missing(reason: str, output: str = "") -> Outcome:
    """The machine lacks what a part needs: a club laptop goes on without it, CI does not."""
    return Outcome(False, output or f"CI needs it: {reason}") if in_ci() else Outcome(True, skipped=reason)


PARTS = (
    # The longest first, so that the last to end is not the last to begin.
    Part("mypy", lambda: tool("mypy", *CODE)),
    Part("tsc", types_of_scripts),
    Part("djlint", lambda: tool("djlint", "--lint", "--quiet", "templates")),
    Part("ours", lambda: tool("config.lint", "--ours")),
    Part("import-linter", lambda: python("-c", IMPORT_LINTER)),
    Part("vulture", lambda: tool("vulture")),
    Part("messages", messages),
    Part("ruff check", lambda: tool("ruff", "check", ".")),
    Part("ruff format", lambda: tool("ruff", "format", "--check", ".")),
)


def run(parts: Iterable[Part]) -> int:
    """Runs the parts, prints a line for each as it ends, then the output of those that failed. 0 or 1."""

    def timed(part: Part) -> tuple[Part, Outcome]:
        began = time.monotonic()
        try:
            outcome = part.run()
        except Exception as error:  # a check that breaks is a check that fails
            outcome = Outcome(False, f"{type(error).__name__}: {error}")
        word = "skipped" if outcome.skipped else "ok" if outcome.ok else "FAILED"
        reason = f"  ({outcome.skipped})" if outcome.skipped else ""
        print(f"{part.name:<14} {time.monotonic() - began:5.1f} s  {word}{reason}", flush=True)
        return part, outcome

    with ThreadPoolExecutor(PARALLEL) as pool:
        done = list(pool.map(timed, parts))
    failed = [(part, outcome) for part, outcome in done if not outcome.ok]
    for part, outcome in failed:
        print(f"\n== {part.name}\n{outcome.output.strip()}")
    return int(bool(failed))


def main(arguments: list[str]) -> int:
    """All parts, or only those that are named."""
    if arguments == ["--ours"]:
        return print_ours()
    names = [part.name for part in PARTS]
    if strange := [name for name in arguments if name not in names]:
        print(f"no such part: {', '.join(strange)}; there are {', '.join(names)}", file=sys.stderr)
        return 2
    return run([part for part in PARTS if not arguments or part.name in arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
