"""Brings a house to the present before it serves: migrations, static files under hashed names, the demonstration.

Makes the one-time link of the first administrator, too, where nobody is one, and tells its code to whoever started
this: through a pipe, since it is kept nowhere.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command

DEMO = "GINGODROME_DEMO"  # "1": load the demonstration into a house that has no tournament yet
TELL = "GINGODROME_TELL"  # the file descriptor that hears the code of the first link
log = logging.getLogger("config.prepare")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    if settings.STATIC_ROOT:
        collect_static(settings.STATIC_ROOT, settings.STATICFILES_DIRS[0])
    if os.environ.get(DEMO) == "1":
        from core.refusal import Refusal
        from tournaments.services.demo import load_demo
        from tournaments.services.demo_day import begin_day

        load_demo()
        try:
            begin_day()
        except Refusal as refusal:  # visitors may have done anything with it, and a house starts all the same
            log.warning("the live demonstration stays as it is", extra={"code": refusal.code})
    from players.services.links import first_link, forget_what_is_over

    forget_what_is_over()
    if TELL in os.environ:
        os.write(int(os.environ[TELL]), (first_link() or "").encode())


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
