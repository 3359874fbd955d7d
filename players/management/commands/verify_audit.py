"""Checks the audit trail of every scope: exit 1 if a row was changed, taken out or slipped in."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError

from players.queries import audit_faults


class Command(BaseCommand):
    help = "Checks the audit trail of every scope."

    def handle(self, *args: Any, **options: Any) -> None:
        scopes, rows, faults = audit_faults()
        for scope, number in faults:
            self.stderr.write(f"{scope}: row {number} is not as it was written")
        if faults:
            raise CommandError(f"{len(faults)} of {scopes} trails are broken")
        self.stdout.write(f"{scopes} trails, {rows} rows, all sound")
