"""`manage.py replay_tournament FILE...`: from tournament files to results, without a database."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import translation

from core.refusal import Refusal
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.exchange.strict_json import BadFileError
from tournaments.management.output import BAD_FILE, REFUSED, complain, read_file, write_line
from tournaments.rules.replay import replay


class Command(BaseCommand):
    """One result a line for each file, in order. Exit 0, 2 (a bad file) or 3 (refused by the rules): the highest."""

    help = "Replay tournament files (- reads standard input) and print one result JSON a line."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--language", default="en", choices=["it", "tr", "en"], help="of the sentences on stderr")

    def handle(self, *, files: list[str], language: str, **options: Any) -> None:
        worst = 0
        with translation.override(language):
            for name in files:
                code, complaints = self.replay_file(name)
                worst = max(worst, code)
                if complaints:
                    complain(complaints, name if len(files) > 1 else "")
        if worst:
            sys.exit(worst)

    def replay_file(self, name: str) -> tuple[int, tuple[Refusal, ...]]:
        """Print the result of one file, or tell what is wrong with it."""
        try:
            result = result_of(replay(record_from_file(read_tournament(read_file(name)))))
        except BadFileError as error:
            return BAD_FILE, error.faults
        except Refusal as refusal:
            return REFUSED, (refusal,)
        write_line(json.dumps(result))
        return 0, ()
