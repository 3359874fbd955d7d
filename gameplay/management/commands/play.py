"""`manage.py play gin`: a person against bots in a terminal, from the deal to the points. Needs no database."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from core.entropy import new_seed
from gameplay.management.matches import points_of, standing_after
from gameplay.management.options import add_options, options_of
from gameplay.management.playing import Company, LeftError, Round
from gameplay.management.talking import add_language, at_terminal, by_seat, say, seat_name
from gameplay.rules import games
from gameplay.rules.deals import commitment
from gameplay.rules.records import seed_from, to_json


def _at_least_one(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 10_000:
        raise ArgumentTypeError("a whole number of at least 1")
    return int(text)


class Command(BaseCommand):
    """The person has seat 0. Exit status 0, also for who leaves; 1, with a sentence, where nothing can be played."""

    help = "Play Gingo, briscola a cinque or gin rummy in the terminal, against bots."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("game", choices=sorted(games.GAMES))
        parser.add_argument("--level", type=int, choices=(1, 2, 3), default=2, help="of the bots (2)")
        parser.add_argument("--seed", metavar="HEX", help="64 digits: of the first hand; those after it follow from it")
        parser.add_argument("--record", metavar="FILE", help="write the record of the hand; of a second one to FILE-2")
        parser.add_argument("--hands", type=_at_least_one, metavar="N", help="at most so many (Gingo: 1)")
        parser.add_argument("--watch", action="store_true", help="bots play at all seats, you see what everybody sees")
        add_options(parser)
        add_language(parser)

    def handle(
        self, *, language: str, seed: str | None, hands: int | None, record: str | None, watch: bool, **given: Any
    ) -> None:
        with at_terminal(language):
            game = games.game(given["game"])
            options = options_of(game, given["option"], given["players"])
            company = Company(None if watch else 0, given["level"], input)
            hands = hands or (1 if game.NAME == "gingo" else None)
            try:
                _play(game, options, company, _seeds(seed), hands, record)
            except (LeftError, KeyboardInterrupt):
                say(_("You leave the table."))


def _play(
    game: games.Game, options: Any, company: Company, seeds: Iterator[bytes], hands: int | None, record: str | None
) -> None:
    """A match, hand by hand, until it is won or so many `hands` were played. The last seat deals first."""
    seats, person = game.seats(options), company.person
    outcomes: list[Any] = []
    standing = standing_after((), options, seats, seats - 1)
    while not standing.winners and (hands is None or len(outcomes) < hands):
        hand = Round(game, options, standing.dealer, next(seeds), company)
        outcomes.append(_hand(hand, person, record and _numbered(record, len(outcomes) + 1)))
        standing = standing_after(outcomes, options, seats, seats - 1)
        if (points := points_of(outcomes[-1], options)) is not None:
            say(_("Points: %(points)s") % {"points": by_seat(points, person)})
        if len(outcomes) > 1:
            say(_("The match so far: %(points)s") % {"points": by_seat(standing.totals, person)})
    if standing.winners:
        names = ", ".join(seat_name(seat, person) for seat in standing.winners)
        say(_("First in the match: %(seats)s") % {"seats": names})


def _hand(hand: Round, person: int | None, file: str | None) -> Any:
    """One hand, with the commitment before it and the seed after it, also where the person leaves in the middle."""
    say("", _("Dealer: %(seat)s. Commitment:") % {"seat": seat_name(hand.record.dealer, person)})
    say(commitment(hand.record.seed))
    try:
        return hand.play()
    finally:
        say(_("Seed:"), hand.record.seed.hex())
        if file:
            Path(file).write_text(to_json(hand.record))
            say(_("The record is in %(file)s") % {"file": file})


def _seeds(first: str | None) -> Iterator[bytes]:
    """Seeds nobody can guess; after a given one those that follow from it, for who wants a match again."""
    if first is None:
        while True:
            yield new_seed()
    seed = seed_from(first)
    while True:
        yield seed
        seed = sha256(b"next hand" + seed).digest()


def _numbered(name: str, number: int) -> str:
    """`hand.json`, then `hand-2.json`."""
    path = Path(name)
    return name if number == 1 else str(path.with_stem(f"{path.stem}-{number}"))
