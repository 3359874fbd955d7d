"""Checks every audit trail and published version: exit 1 if anything was changed, taken out or slipped in."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError

from tournaments.queries.trails import check_trails


class Command(BaseCommand):
    help = "Checks the audit trail of every scope, and every published version against it."

    def handle(self, *args: Any, **options: Any) -> None:
        found = check_trails()
        for fault in found.faults:
            self.stderr.write(fault)
        looked_at = f"{found.scopes} trails, {found.rows} rows, {found.versions} published versions"
        if found.faults:
            raise CommandError(f"{looked_at}: {len(found.faults)} faults")
        self.stdout.write(f"{looked_at}, all sound")
