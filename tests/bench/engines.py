"""RLCard, to compare with: it comes as source alone, which no set-up builds, so the first bench of cards installs it."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import tempfile

from config.bootstrap import ROOT, pip_for

LOCK = f"{ROOT}/requirements-bench.lock"


def install_rlcard() -> None:
    """Into the environment that runs, unless it is there. CalledProcessError where it cannot be had."""
    if importlib.util.find_spec("rlcard"):
        return
    print("Installing RLCard (once; requirements-bench.lock) ...", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        words = [*pip_for(sys.executable, folder), "install", "-q", "--require-hashes", "-r", LOCK]
        subprocess.run(words, check=True)
    importlib.invalidate_caches()
