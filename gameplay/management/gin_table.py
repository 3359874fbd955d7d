"""Gin rummy at a terminal: views in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from gameplay.management.talking import cards, hand_lines, seat_name, short
from gameplay.rules.cards import FRENCH, Hand, cards_in
from gameplay.rules.gin import GinView
from gameplay.rules.gin_melds import VALUES, Laid, best_arrangement
from gameplay.rules.moves import Move


class GinTable:
    """The table of two to four players."""

    def lines(self, view: GinView) -> list[str]:
        """The others, what lies on the table, and the viewer's hand as it is best laid."""
        lines = [_held(view, seat) for seat in range(view.players) if seat != view.seat]
        if view.melds:
            lines.append(_("On the table: %(melds)s") % {"melds": _melds(view.melds)})
        elif view.discards:
            values = {"card": short(view.discards[-1], FRENCH), "count": view.stock}
            lines.append(_("Face up: %(card)s. Cards in the stock: %(count)s.") % values)
        if view.hand:
            lines += [f"  {_spread(best_arrangement(view.hand, 0), view.hand)}", *hand_lines(view.hand, FRENCH)]
        return lines

    def told(self, move: Move, before: GinView, after: GinView) -> list[str]:
        """A move that was made, and what lies on the table now."""
        lines = [f"{seat_name(move.seat, after.seat)}: {_move(move, before, after)}"]
        if after.stock > before.stock:
            count = {"count": after.stock}
            lines.append(_("The discards are shuffled: %(count)s cards in the stock again.") % count)
        if move.verb == "draw" and move.seat == after.seat:
            card = short((after.hand ^ before.hand).bit_length() - 1, FRENCH)
            lines.append(_("It is %(card)s.") % {"card": card})
        return lines

    def closing(self, view: GinView) -> list[str]:
        """What came out, once it is over."""
        if view.knocker is None:
            return [_("The hand is void: nobody went out.")]
        lines = [f"{seat_name(view.knocker, view.seat)}: {_spread(view.melds, view.shown[view.knocker])}"]
        for seat, laid in enumerate(view.laid):
            if laid is not None:
                lines.append(f"{seat_name(seat, view.seat)}: {_laid(laid, view.shown[seat])}")
        return lines

    def rules(self, view: GinView) -> list[str]:
        """The game in a few lines."""
        return [
            _("Melds: three or four of a rank, or three and more of a suit in sequence, the ace low."),
            _("All other cards are deadwood: court cards 10, an ace 1, others their number."),
            _("In your turn take the top of the stock or of the discards, then discard one card."),
            _("With %(limit)s deadwood or less you may knock: discard, and put all cards down.")
            % {"limit": view.knock_limit},
            _("The others lay off on your melds. Who then has as little deadwood as you, or less, undercuts you."),
            _("Without deadwood it is gin: a bonus, and nobody lays off."),
            _("The program lays out all cards at their best."),
        ]


def _held(view: GinView, seat: int) -> str:
    values = {"seat": seat_name(seat, view.seat), "count": view.counts[seat]}
    line = _("%(seat)s: %(count)s cards") % values
    known = cards(cards_in(view.known[seat]), FRENCH)
    return f"{line}, {_('among them %(cards)s') % {'cards': known}}" if known else line


def _move(move: Move, before: GinView, after: GinView) -> str:
    if move.verb in ("take", "pick"):
        return _("%(card)s from the discards") % {"card": short(before.discards[-1], FRENCH)}
    if move.verb == "draw":
        return _("a card from the stock")
    if move.verb == "pass":
        return _("pass")
    if move.verb == "discard":
        return _("discard %(card)s") % {"card": short(move.value, FRENCH)}
    if move.verb == "lay":
        laid = after.laid[move.seat]
        assert laid is not None
        return _laid(laid, after.shown[move.seat])
    told = _spread(after.melds, after.shown[move.seat])
    if move.verb == "knock":
        return f"{_('knock with %(card)s') % {'card': short(move.value, FRENCH)}}: {told}"
    return f"{_('big gin')}: {told}"


def _spread(melds: tuple[Hand, ...], hand: Hand, laid: Hand = 0) -> str:
    """`4♠ 5♠ 6♠ | K♣ K♦ K♥ | deadwood 5: A♠ 4♥`. `laid`: cards of the hand that lie on melds of another."""
    rest = hand & ~laid
    for meld in melds:
        rest &= ~meld
    parts = [_melds(melds)] if melds else []
    if laid:
        parts.append(_("laid off %(cards)s") % {"cards": cards(cards_in(laid), FRENCH)})
    count = _("deadwood %(count)s") % {"count": sum(VALUES[card] for card in cards_in(rest))}
    parts.append(f"{count}: {cards(cards_in(rest), FRENCH)}" if rest else count)
    return " | ".join(parts)


def _laid(laid: Laid, hand: Hand) -> str:
    return _spread(laid.melds, hand, laid.laid)


def _melds(melds: tuple[Hand, ...]) -> str:
    return " | ".join(cards(cards_in(meld), FRENCH) for meld in melds)
