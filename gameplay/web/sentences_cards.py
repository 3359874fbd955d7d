"""Sentences of refusals that belong to cards and card games."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

CARDS = {
    # All games
    "no_such_card": _("“%(card)s” is no card of the deck."),
    "bad_seed": _("A deal needs a seed of %(count)s bytes."),
    "move_malformed": _("This is no move: it needs a seat, a verb and a number."),
    "hand_over": _("The hand is over."),
    "wrong_phase": _("That cannot be done now."),
    "not_your_turn": _("It is not this seat's turn."),
    "no_such_seat": _("There is no such seat at this table."),
    "bad_dealer": _("The dealer must be one of the seats of this table."),
    "card_not_held": _("This card is not in your hand."),
    # Gingo and briscola a cinque
    "own_bid": _("Nobody raises his own bid."),
    "bid_too_low": _("A bid of %(bid)s is too low: the next is %(low)s or more."),
    "not_auctioneer": _("Only the auctioneer knocks."),
    "card_not_callable": _("Call the highest card of a suit that you do not hold, or one of your own."),
    # Gin rummy
    "must_draw": _("Everybody passed the first card: the first player draws from the stock."),
    "may_not_return": _("The card just taken from the discards may not be discarded in the same turn."),
    "too_much_deadwood": _("Deadwood %(deadwood)s: to knock, at most %(limit)s may be left."),
    "no_big_gin": _("This table plays without big gin."),
    "not_a_meld": _("A meld is three or four cards of a rank, or three and more of a suit in sequence."),
    "meld_card_twice": _("A card can be in one meld only."),
    "no_layoff": _("Only cards that fit the knocker's own melds can be laid off."),
    # Records
    "game_unknown": _("There is no game of this name. There are: %(games)s."),
    "record_malformed": _("This is no record of a hand (%(format)s)."),
    "bad_commitment": _("The commitment is another one. That of this seed is %(commitment)s."),
    "no_bot": _("There are no bots for this game."),
    "no_table": _("This game cannot be shown in a terminal."),
}
