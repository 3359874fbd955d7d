"""Brings a house to the present before it serves: migrations, static files under hashed names, the demonstration."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

DEMO = "GINGODROME_DEMO"  # "1": load the demonstration into a house that has no tournament yet


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    if settings.STATIC_ROOT:
        collect_static(settings.STATIC_ROOT, settings.STATICFILES_DIRS[0])
    if os.environ.get(DEMO) == "1":
        from tournaments.services.demo import load_demo

        load_demo()


def collect_static(target: Path, source: Path) -> None:
    """Hash and compress the files of `source` into `target`, unless they are those of the last time."""
    stamp = target / ".stamp"
    state = hashlib.sha256()
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        found = file.stat()
        state.update(f"{file}|{found.st_mtime_ns}|{found.st_size}\n".encode())
    if stamp.exists() and stamp.read_text() == state.hexdigest():
        return
    shutil.rmtree(target, ignore_errors=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(state.hexdigest())


if __name__ == "__main__":
    main()
