"""Sentences of refusals that belong to the card games."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

CARDS = {
    # All games
    "no_such_card": _("There is no card %(card)s in this deck."),
    "bad_seed": _("A deal needs a seed of %(count)s bytes."),
    "move_malformed": _("This is no move: it needs a seat, a verb and a number."),
    # Gingo and briscola a cinque
    # Gin rummy
    "not_a_meld": _("A meld is three or four cards of a rank, or three and more of a suit in sequence."),
    "meld_card_twice": _("A card can be in one meld only."),
    "no_layoff": _("Only cards that fit the knocker's own melds can be laid off."),
    # Records
}
