"""`manage.py generate_tournament --seed N --heats H`: an invented tournament file, without a database."""

from __future__ import annotations

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.exchange.generator import generate_tournament
from tournaments.management.output import write_line


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError("a whole number of at least 1")
    return int(text)


class Command(BaseCommand):
    """The same arguments print the same file."""

    help = "Print an invented tournament file that obeys the rules."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, required=True)
        parser.add_argument("--heats", type=_at_least_one, required=True, help="heats of the first stage")
        parser.add_argument("--hands", type=_at_least_one, default=20, help="about so many hands a match (20)")

    def handle(self, *, seed: int, heats: int, hands: int, **options: Any) -> None:
        write_line(json.dumps(generate_tournament(seed, heats, hands), ensure_ascii=False, indent=1))
