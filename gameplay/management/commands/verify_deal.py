"""`manage.py verify_deal`: from a hand's seed to its cards, and through its moves to what came out."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from core.refusal import Refusal
from gameplay.management.matches import points_of
from gameplay.management.options import add_options, options_of
from gameplay.management.tables import TABLES
from gameplay.management.talking import add_language, at_terminal, by_seat, say
from gameplay.rules.cards import cards_in
from gameplay.rules.deals import commitment, deal_from
from gameplay.rules.games import GAMES, game
from gameplay.rules.records import Record, from_json, replay, seed_from


class Command(BaseCommand):
    """Exit status 1, with a sentence on standard error, for whatever does not agree."""

    help = "Deal a hand again from its record (or its seed), check the commitment, and replay its moves."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", nargs="?", metavar="FILE", help="the record of a hand; - reads standard input")
        parser.add_argument("--seed", metavar="HEX", help="64 hexadecimal digits, where there is no record")
        parser.add_argument("--game", choices=sorted(GAMES), default="gingo")
        parser.add_argument("--dealer", type=int, default=0, metavar="SEAT")
        add_options(parser)
        parser.add_argument("--commitment", metavar="HEX", help="what was published before the first move")
        add_language(parser)

    def handle(self, *, language: str, commitment: str | None, **given: Any) -> None:
        with at_terminal(language):
            verify(_record(**given), commitment)


def _record(*, file: str | None, seed: str | None, dealer: int, **given: Any) -> Record:
    """The record in a file, or one without moves."""
    if file is not None:
        return from_json(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    played = game(given["game"])
    return Record(played.NAME, options_of(played, given["option"], given["players"]), dealer, seed_from(seed), ())


def verify(record: Record, published: str | None) -> None:
    """Says what follows from the record. Refusals: `bad_commitment`, those of `replay`."""
    played = game(record.game)
    deal = deal_from(record.seed, played.DECK)
    found = commitment(record.seed)
    say(_("Commitment: %(commitment)s") % {"commitment": found})
    if published is not None and published.strip().lower() != found:
        raise Refusal("bad_commitment", {"commitment": found})
    dealt = played.new_hand(deal, record.dealer, record.options)
    codes = played.DECK.codes
    for seat in range(played.seats(record.options)):
        held = " ".join(codes[card] for card in cards_in(played.view_for(dealt, seat).hand))
        say(_("Seat %(seat)s: %(cards)s") % {"seat": seat, "cards": held})
    say(_("The deck: %(cards)s") % {"cards": " ".join(codes[card] for card in deal.deck)})
    state = replay(record)
    if not record.moves:
        return
    say(_("Moves: %(count)s, all lawful.") % {"count": len(record.moves)})
    outcome, view = played.outcome(state), played.view_for(state, None)
    if outcome is None:
        say(_("The hand was not played to its end."))
        return
    if type(view) in TABLES:
        say(*TABLES[type(view)].closing(view))
    if (points := points_of(outcome, record.options)) is not None:
        say(_("Points: %(points)s") % {"points": by_seat(points, None)})
