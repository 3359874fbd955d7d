"""Makes a club, which then keeps its archive and its series here."""

from __future__ import annotations

from typing import Any

from django.core.management import BaseCommand, CommandError, CommandParser

from core.refusal import Refusal
from players.actor import SYSTEM
from players.services import create_club


class Command(BaseCommand):
    help = "Makes a club: an address (small letters, digits, dashes) and a name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            club = create_club(SYSTEM, slug=options["slug"], name=options["name"])
        except Refusal as refusal:
            raise CommandError(f"{refusal.code} {refusal.pointer}") from None
        self.stdout.write(f"/clubs/{club.slug}/")
