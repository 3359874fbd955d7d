"""`manage.py export_tournament SLUG [-o FILE]`: a tournament of this house as its file."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation

from core.refusal import Refusal
from players.actor import SYSTEM
from tournaments.exchange.writing import text_of
from tournaments.management.output import NOT_WRITTEN, REFUSED, complain, plain, write_line
from tournaments.queries.tournament import file_for_export


class Command(BaseCommand):
    """Built from the rows: equal, as JSON, to what was imported and corrected since. Exit 3: no such address."""

    help = "Print a tournament as its file."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="its address: the last word of /tournaments/SLUG/")
        parser.add_argument("-o", "--output", default="-", metavar="FILE", help="where to (- is standard output)")
        parser.add_argument("--language", default="en", choices=["it", "tr", "en"], help="of the sentences on stderr")

    def handle(self, *, slug: str, output: str, language: str, **options: Any) -> None:
        with translation.override(language):
            try:
                text = text_of(file_for_export(SYSTEM, slug))
            except Refusal as refusal:
                complain([refusal])
                sys.exit(REFUSED)
        if output == "-":
            write_line(text.removesuffix("\n"))
            return
        try:
            Path(output).write_bytes(text.encode())
        except OSError as error:
            print(plain(f"{output}: {error.strerror}"), file=sys.stderr)
            sys.exit(NOT_WRITTEN)
