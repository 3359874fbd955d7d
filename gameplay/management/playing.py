"""A hand of cards at a terminal: a person, or nobody, among bots."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from core.lots import Lots
from core.refusal import Refusal
from gameplay.management.prompting import Choice
from gameplay.management.tables import table_of
from gameplay.management.talking import say, why_not
from gameplay.rules.bots import choose
from gameplay.rules.deals import deal_from
from gameplay.rules.games import Game
from gameplay.rules.moves import AUCTIONEER, Move
from gameplay.rules.records import Record

Ask = Callable[[str], str]
"""Shows a prompt and gives what was typed. EOFError at the end."""


class LeftError(Exception):
    """The person got up."""


class Company(NamedTuple):
    """Who plays: the seat of the person, None where bots play among themselves; how good the bots are, 1 to 3."""

    person: int | None
    level: int
    ask: Ask


class Round:
    """A hand of cards in progress. `record` is what was played so far; the person sees views and never the state."""

    def __init__(self, game: Game, options: Any, dealer: int, seed: bytes, company: Company) -> None:
        self._game, self._company = game, company
        self.record = Record(game.NAME, options, dealer, seed, ())
        self._seats = game.seats(options)
        self._first = (dealer + 1) % self._seats
        self._state = game.new_hand(deal_from(seed, game.DECK), dealer, options)
        # They follow from the seed, so that a hand can be had again; nothing leads from them back to the cards.
        thoughts = sha256(b"thoughts of bots" + seed).digest()
        self._lots = [Lots(thoughts, f"seat {seat}") for seat in range(self._seats)]
        self._table = table_of(self._view())

    def _view(self) -> Any:
        return self._game.view_for(self._state, self._company.person)

    def play(self) -> Any:
        """The outcome, once everything has been played. Raises `LeftError`."""
        while (outcome := self._game.outcome(self._state)) is None:
            self._make(self._next())
        say("", *self._table.closing(self._view()))
        return outcome

    def _next(self) -> Move:
        """What whoever may move does. Where several may, they are asked in turn, and the auctioneer knocks if all are
        silent."""
        lawful = self._game.legal_moves(self._state)
        seats = {move.seat for move in lawful}
        for at in range(self._seats):
            seat = (self._first + at) % self._seats
            if seat in seats:
                move = self._ask(seat, AUCTIONEER in seats) if seat == self._company.person else self._choose(seat)
                if move is not None:
                    return move
        return next(move for move in lawful if move.seat == AUCTIONEER)

    def _choose(self, seat: int) -> Move | None:
        return choose(self._game.view_for(self._state, seat), self._company.level, self._lots[seat])

    def _ask(self, seat: int, may_be_silent: bool) -> Move | None:
        """The move that the person wants, asked until it is lawful; None: silence, where it is possible."""
        view = self._view()
        choice = Choice(seat, view.moves, self._game)
        say("", *self._table.lines(view), *choice.lines())
        while True:
            typed = self._typed(may_be_silent)
            if not typed and may_be_silent:
                return None
            if typed == "?":
                say(*self._table.rules(view), _("Type a number or a card; q leaves the table."))
                continue
            move = choice.meant(typed)
            if move is None:
                say(_("That is none of your moves. Type one of the numbers above, or ? for help."))
                continue
            try:
                self._game.apply(self._state, move)
            except Refusal as refusal:
                say(why_not(refusal))
                continue
            return move

    def _typed(self, may_be_silent: bool) -> str:
        prompt = _("Your bid (Enter: silent)") if may_be_silent else _("Your move")
        try:
            typed = self._company.ask(f"{prompt} > ").strip()
        except EOFError:
            say("")
            raise LeftError from None
        if typed.casefold() == "q":
            raise LeftError
        return typed

    def _make(self, move: Move) -> None:
        before = self._view()
        self._state = self._game.apply(self._state, move)
        self.record = self.record._replace(moves=(*self.record.moves, move))
        self._first = self._first if move.seat == AUCTIONEER else (move.seat + 1) % self._seats
        say(*self._table.told(move, before, self._view()))
