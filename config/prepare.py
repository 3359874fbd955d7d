"""Brings the database to the present: migrations, then whatever the house loads at a start."""

from __future__ import annotations

import os

import django
from django.core.management import call_command, get_commands

# Each is a management command that may be run at every start. One that no app provides is passed over.
LOADS = ("load_demo",)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    for load in LOADS:
        if load in get_commands():
            call_command(load)


if __name__ == "__main__":
    main()
