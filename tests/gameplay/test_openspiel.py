"""The same hands of gin rummy here and in OpenSpiel 2.0.2: the same cards, lawful moves, deadwood and points.

Their chance nodes are fed with our deck, and every move is made on both sides; some melds and lay-offs are chosen there
and laid out by hand here, others the other way round. `GIN_HANDS=20000` plays more hands than the usual 2,000, and tells
what they were. Five things are known to be otherwise there, each of them is expected exactly where it must happen:

- `upcard_returned`: the card just taken may be discarded again (here RD2);
- `tie_unpaid`: as much deadwood as the knocker has is paid with nothing (R8);
- `wall`: with two cards of the stock the hand ends, after a last chance to knock (RD3; ours is told to end there, too);
- `seat_0_first`: player 0 always begins, here the player after the dealer (R3);
- `eleven_cards`: the least deadwood of eleven cards is not always found, so some lawful knocks are not offered (RD7).

They also end a hand at the fiftieth card from the discards: nobody here takes so many.
"""

import os
from collections import Counter
from typing import NamedTuple

import pyspiel

from core.lots import Lots
from core.refusal import Refusal
from gameplay.rules import gin
from gameplay.rules.cards import cards_in, mask
from gameplay.rules.deals import deal_from
from gameplay.rules.gin_melds import best_discards, best_layoff, deadwood
from gameplay.rules.moves import Move
from scoring.rules.gin import gin_points

HANDS = int(os.environ.get("GIN_HANDS", "2000"))
MOST_PICKS = 48
PICK, DRAW, PASS, KNOCK, MELDS = 52, 53, 54, 55, 56
ACTIONS = {"take": PICK, "pick": PICK, "draw": DRAW, "pass": PASS}
OPTIONS = gin.options({"stock_end": "void"})
LIMIT = OPTIONS.knock_limit
GAME = pyspiel.load_game("gin_rummy", {"undercut_bonus": OPTIONS.undercut_bonus})
NOTHING_DEALT = GAME.new_initial_state()  # it takes them longer to make one than to play the hand
UTILS = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
KNOWN = {"upcard_returned", "tie_unpaid", "wall", "seat_0_first", "eleven_cards", "(gin)", "(knock)"}
MELD_OF = {number: mask(meld) for number, meld in UTILS.int_to_meld.items()}
NUMBER_OF = {meld: number for number, meld in MELD_OF.items()}


class Hand:
    """One hand on both sides. `differs`: how often something was otherwise in a known way."""

    def __init__(self, number, differs):
        self.lots = Lots(number.to_bytes(4, "big"), "differential")
        self.differs = differs
        self.dealer = number % 2
        self.first = 1 - self.dealer
        self.skill = self.lots.below(5)
        self.patient = not self.lots.below(4)
        self.picks = 0
        self.ours = gin.new_hand(deal_from(number.to_bytes(32, "big"), gin.DECK), self.dealer, OPTIONS)
        self.theirs = NOTHING_DEALT.clone()
        for seat in (self.first, self.dealer):
            for card in cards_in(self.ours.hands[seat]):
                self.theirs.apply_action(card)
        self.theirs.apply_action(self.ours.discards[0])
        differs["seat_0_first"] += self.first

    def play(self):
        """To the end; the points of both sides are the same."""
        while self.ours.phase in ("upcard", "draw", "discard"):
            if self.ours.phase == "discard":
                self.discard()
            else:
                self.compare_cards()
                self.draw()
        self.compare_points()

    def of_seats(self, by_player):
        """Values by their player as values by our seat."""
        return tuple(by_player) if self.first == 0 else tuple(by_player[::-1])

    def compare_cards(self):
        """Before every draw: whose turn it is, every card, and the deadwood. (Eleven cards are all lawful discards.)"""
        ours, theirs = self.ours, self.theirs
        assert theirs.current_player() == (ours.turn != self.first)
        assert self.of_seats([mask(hand) for hand in theirs.hands()]) == ours.hands
        assert theirs.stock_size() == ours.left
        upcard = theirs.upcard()
        assert (*theirs.discard_pile(), *([] if upcard is None else [upcard])) == ours.discards
        for hand, left in zip(ours.hands, self.of_seats(theirs.deadwood()), strict=True):
            assert left == deadwood(hand)

    def draw(self):
        """A card from the stock or the discards, or the first card passed."""
        moves = gin.legal_moves(self.ours)
        assert sorted(ACTIONS[move.verb] for move in moves) == self.theirs.legal_actions()
        if self.picks == MOST_PICKS:
            moves = moves[:1]
        elif self.lots.below(4) < self.skill:
            hand, upcard = self.ours.hands[self.ours.turn], 1 << self.ours.discards[-1]
            better = min(left for _, left in best_discards(hand | upcard)) < deadwood(hand)
            moves = moves[:1] if better == (self.ours.phase == "upcard") else moves[-1:]
        move = self.lots.choice(moves)
        self.picks += move.verb == "pick"
        self.ours = gin.apply(self.ours, move)
        self.theirs.apply_action(ACTIONS[move.verb])
        if move.verb == "draw":
            drawn = self.ours.table.stock[self.ours.left]
            assert {card for card, _ in self.theirs.chance_outcomes()} == {
                *self.ours.table.stock[: self.ours.left],
                drawn,
            }
            self.theirs.apply_action(drawn)

    def discard(self):
        """A discard, or a knock if there is one on both sides."""
        knocks = self.compare_discards()
        hand = self.ours.hands[self.ours.turn]
        if self.patient:
            knocks = [card for card in knocks if not deadwood(hand ^ 1 << card)]
        if knocks and self.lots.below(4):
            self.knock(self.lots.choice(knocks))
            return
        moves = [move for move in gin.legal_moves(self.ours) if move.verb == "discard"]
        if self.lots.below(4) < self.skill:
            kept = dict(best_discards(hand))
            move = min(moves, key=lambda move: kept[move.value])
        else:
            move = self.lots.choice(moves)
        self.ours = gin.apply(self.ours, move)
        self.theirs.apply_action(move.value)
        if self.ours.phase == "over":
            assert self.theirs.current_phase() == pyspiel.gin_rummy.Phase.WALL
            self.differs["wall"] += 1
            self.theirs.apply_action(PASS)

    def compare_discards(self):
        """Lawful discards and knocks; the knocks that can be made on both sides."""
        hand, picked = self.ours.hands[self.ours.turn], self.ours.picked
        returned = set() if picked is None else {picked}
        moves = gin.legal_moves(self.ours)
        discards = {move.value for move in moves if move.verb == "discard"}
        knocks = {move.value for move in moves if move.verb == "knock"}
        assert discards.isdisjoint(returned)
        *cards, last = self.theirs.legal_actions()
        offered = last == KNOCK
        if not offered:
            cards.append(last)
        assert set(cards) == discards | returned
        self.differs["upcard_returned"] += bool(returned)
        held = list(cards_in(hand))
        theirs = set(UTILS.legal_discards(held, LIMIT))
        assert knocks == theirs - returned
        if knocks and not offered:
            assert UTILS.min_deadwood(held) > LIMIT
            self.differs["eleven_cards"] += 1
            return ()
        assert offered == bool(theirs)
        return sorted(knocks)

    def knock(self, card):
        """Knocker's melds: the program's, or any that they offer. Then the opponent."""
        seat, opponent = self.ours.turn, 1 - self.ours.turn
        move = Move(seat, "knock", card)
        returned = set() if self.ours.picked is None else {self.ours.picked}
        knocks = {each.value for each in gin.legal_moves(self.ours) if each.verb == "knock"}
        self.theirs.apply_action(KNOCK)
        assert set(self.theirs.legal_actions()) - returned == knocks
        self.theirs.apply_action(card)
        if self.lots.below(2):
            self.ours = gin.apply(self.ours, move)
            self.lay_there(self.ours.table.down.melds)
        else:
            self.ours = gin.apply(self.ours, move._replace(melds=self.chosen_there()))
        assert self.of_seats(self.theirs.deadwood())[seat] == self.ours.table.down.deadwood
        if self.ours.phase == "over":
            self.differs["(gin)"] += 1
            self.lay_there(self.ours.table.down.laid[opponent].melds)
        else:
            self.differs["(knock)"] += 1
            self.lay_off(opponent)

    def lay_off(self, seat):
        """The opponent's cards: as the program has it, or any that they offer."""
        hand, melds = self.ours.hands[seat], self.ours.table.down.melds
        offered = {action for action in self.theirs.legal_actions() if action != PASS}
        assert offered == {card for card in cards_in(hand) if self.fits(seat, card)}
        best = best_layoff(hand, melds)
        if self.lots.below(2):
            self.ours = gin.apply(self.ours, Move(seat, "lay"))
            assert self.ours.table.down.laid[seat] == best
            rest = set(cards_in(best.laid))
            while rest:
                card = min(rest.intersection(self.theirs.legal_actions()))
                self.theirs.apply_action(card)
                rest.remove(card)
            self.theirs.apply_action(PASS)
            self.lay_there(best.melds)
        else:
            laid = self.laid_there(bool(UTILS.legal_melds(list(cards_in(hand)), 1000)))
            move = Move(seat, "lay", laid, self.chosen_there(needed=not laid))
            self.ours = gin.apply(self.ours, move)
            assert self.ours.table.down.laid[seat].deadwood >= best.deadwood

    def fits(self, seat, card):
        """May this one card be laid off?"""
        try:
            gin.apply(self.ours, Move(seat, "lay", 1 << card))
        except Refusal as refusal:
            if refusal.code != "no_layoff":
                raise
            return False
        return True

    def lay_there(self, melds):
        """These melds on their side. They know runs of at most five: longer ones are two."""
        for meld in melds:
            for part in (meld,) if meld in NUMBER_OF else halves(meld):
                self.theirs.apply_action(MELDS + NUMBER_OF[part])
        self.theirs.apply_action(PASS)

    def laid_there(self, has_melds):
        """Any cards laid off on their side, as a set; at least one of a hand that has no melds: nothing at all means
        here that the program is to choose."""
        laid = 0
        while True:
            cards = [action for action in self.theirs.legal_actions() if action != PASS]
            if not cards or ((laid or has_melds) and not self.lots.below(3)):
                self.theirs.apply_action(PASS)
                return laid
            card = self.lots.choice(cards)
            laid |= 1 << card
            self.theirs.apply_action(card)

    def chosen_there(self, needed=True):
        """Any melds laid on their side, at least one if there are any and one is `needed`."""
        melds = []
        while True:
            actions = self.theirs.legal_actions()
            melding = [action for action in actions if action != PASS]
            if not melding or (PASS in actions and (melds or not needed) and not self.lots.below(4)):
                self.theirs.apply_action(PASS)
                return tuple(melds)
            action = self.lots.choice(melding)
            melds.append(MELD_OF[action - MELDS])
            self.theirs.apply_action(action)

    def compare_points(self):
        """Deadwood after lay-offs, and what is paid."""
        found = gin.outcome(self.ours)
        points = gin_points(found, OPTIONS)
        assert self.theirs.is_terminal()
        theirs = self.of_seats(self.theirs.returns())
        if found.kind == "void":
            assert points == theirs == (0, 0)
            return
        assert found.deadwood == self.of_seats(self.theirs.deadwood())
        if found.kind == "knock" and found.deadwood[0] == found.deadwood[1]:
            self.differs["tie_unpaid"] += 1
            assert theirs == (0, 0)
            assert points[1 - found.knocker] == OPTIONS.undercut_bonus
        else:
            assert points == theirs


def halves(run):
    """A run of six and more as two."""
    cards = list(cards_in(run))
    return mask(cards[: len(cards) // 2]), mask(cards[len(cards) // 2 :])


class Told(NamedTuple):
    """The hands that agree, and how often something was otherwise in a known way."""

    hands: int
    differs: Counter


def play_all(hands):
    """An AssertionError that names its hand at the first difference that is not known."""
    differs = Counter()
    for number in range(hands):
        try:
            Hand(number, differs).play()
        except AssertionError as error:
            raise AssertionError(f"hand {number} differs") from error
    return Told(hands, differs)


def test_no_hand_differs_from_openspiel_in_an_unknown_way(capsys):
    told = play_all(HANDS)
    differs = told.differs
    assert differs["(gin)"] + differs["(knock)"] + differs["wall"] == HANDS
    assert set(differs) == KNOWN or HANDS < 2000
    if HANDS > 2000:
        with capsys.disabled():
            print(f"\n{told.hands} hands agree; {dict(sorted(differs.items()))}")
