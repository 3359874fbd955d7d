"""`manage.py import_tournament FILE...`: tournament files become tournaments of this house."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand
from django.utils import translation
from django.utils.translation import gettext as _

from core.entropy import new_token
from core.refusal import Refusal
from players.actor import SYSTEM
from tournaments.exchange.reading import read_tournament
from tournaments.exchange.strict_json import BadFileError
from tournaments.management.output import BAD_FILE, REFUSED, complain, read_file, write_line
from tournaments.services.importing import Import, import_tournament

People = dict[str, UUID]


def _pair(text: str) -> tuple[str, UUID]:
    code, _equals, person = text.rpartition("=")
    try:
        return code, UUID(person)
    except ValueError:
        raise ArgumentTypeError("CODE=UUID: a code of the file and the id of a person") from None


def _pairs(name: str) -> People:
    try:
        told = json.loads(Path(name).read_bytes())
        return {code: UUID(person) for code, person in told.items()}
    except OSError as error:
        raise ArgumentTypeError(f"{name}: {error.strerror}") from None
    except (ValueError, AttributeError, TypeError):
        raise ArgumentTypeError(f"{name}: a JSON object of codes and ids of people") from None


class Command(BaseCommand):
    """One line for each imported file, in order: address, what happened, whether it counts.

    Exit 0, 2 (a bad file) or 3 (refused by the rules or by the house): the highest. Every file is tried, each as a
    whole or not at all.
    """

    help = "Import tournament files (- reads standard input). The same file again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--club", metavar="SLUG", help="the club that keeps it; without one the house does")
        parser.add_argument(
            "--map",
            dest="pairs",
            action="append",
            default=[],
            type=_pair,
            metavar="CODE=UUID",
            help="who this code is; everybody else is a new person",
        )
        parser.add_argument(
            "--map-file", default={}, type=_pairs, metavar="FILE.json", help='the same from {"CODE": "UUID"}'
        )
        parser.add_argument("--draft", action="store_true", help="do not publish: only its staff sees it")
        parser.add_argument("--language", default="en", choices=["it", "tr", "en"], help="of the sentences")

    def handle(
        self,
        *,
        files: list[str],
        club: str | None,
        pairs: list[tuple[str, UUID]],
        map_file: People,
        draft: bool,
        language: str,
        **options: Any,
    ) -> None:
        people = map_file | dict(pairs)
        worst = 0
        with translation.override(language):
            codes = [_codes(name) for name in files]
            # What a bad file would have called its players is unknown: its own faults come first.
            strangers = set() if None in codes else people.keys() - set().union(*filter(None, codes))
            if strangers:
                complain(Refusal("code_unknown", {"name": code}, pointer="/people") for code in sorted(strangers))
                sys.exit(REFUSED)
            for name in files:
                code, complaints = self.import_file(name, club, people, publish=not draft)
                worst = max(worst, code)
                if complaints:
                    complain(complaints, name if len(files) > 1 else "")
        if worst:
            sys.exit(worst)

    def import_file(
        self, name: str, club: str | None, people: People, *, publish: bool
    ) -> tuple[int, tuple[Refusal, ...]]:
        """Import one file and say so, or tell what is wrong with it."""
        try:
            data = read_file(name)
            known = {code: person for code, person in people.items() if code in (_codes(name) or ())}
            # A key of its own each time: the answer is then what happened now, not what happened the first time.
            done = import_tournament(SYSTEM, data, club=club, people=known, publish=publish, key=new_token())
        except BadFileError as error:
            return BAD_FILE, error.faults
        except Refusal as refusal:
            return REFUSED, (refusal,)
        write_line(f"{done.slug}: {_what_happened(done)}")
        return 0, ()


def _codes(name: str) -> set[str] | None:
    """The codes of the players in a file; None for a bad one."""
    try:
        return {player["id"] for player in read_tournament(read_file(name))["players"]}
    except BadFileError:
        return None


def _what_happened(done: Import) -> str:
    if done.created:
        return _("imported, an edition of its series") if done.counts else _("imported, no edition of a series here")
    return _("was here already, an edition of its series") if done.counts else _("was here already")
