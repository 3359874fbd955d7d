"""`manage.py messages`: catalogues follow the sources; `--check` only says what is missing."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core import i18n


class Command(BaseCommand):
    help = "Extracts messages, updates locale/*/LC_MESSAGES/django.po and compiles it."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; fail if anything is missing")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["check"]:
            i18n.update()
        found = i18n.problems()
        for problem in found:
            self.stderr.write(problem)
        if found and options["check"]:
            raise CommandError(f"{len(found)} problems with messages")
        self.stdout.write(f"{len(i18n.template_of())} messages, {len(found)} problems")
