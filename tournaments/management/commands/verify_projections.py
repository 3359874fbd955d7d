"""Computes anew whatever is kept although it follows from something else; exit 1 where anything differs."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError

from tournaments.services.rebuilding import drifted


class Command(BaseCommand):
    help = "Compares every stored total, place and ranking with a rebuild."

    def handle(self, *args: Any, **options: Any) -> None:
        found = list(drifted())
        for what in found:
            self.stderr.write(what)
        if found:
            raise CommandError(f"{len(found)} differ")
        self.stdout.write("every stored figure equals its rebuild")
