"""Publishes a tournament that was imported as a draft."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from core.entropy import new_token
from players.actor import SYSTEM
from tournaments.models import Tournament
from tournaments.services.publishing import publish_tournament


class Command(BaseCommand):
    help = "Publishes a draft as version 1."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, **options: Any) -> None:
        row = Tournament.objects.filter(slug=options["slug"]).first()
        if row is None:
            raise CommandError(f"there is no tournament {options['slug']}")
        done = publish_tournament(SYSTEM, row.pk, key=new_token())
        counts = "counts in its series" if done["counts"] else "is no edition of a series"
        self.stdout.write(f"/tournaments/{done['slug']}/: version {done['published']}, {counts}")
