"""Gingo and briscola a cinque at a terminal: views in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from gameplay.management.talking import by_seat, hand_lines, seat_name, short
from gameplay.rules.cards import ITALIAN
from gameplay.rules.moves import AUCTIONEER, Move
from gameplay.rules.tricks import TrickView
from gameplay.web.cards import suit_name


class TrickTable:
    """The table of both games: their views are of one type."""

    def lines(self, view: TrickView) -> list[str]:
        """What has been bid or called, what lies on the table, and the viewer's hand."""
        if view.phase in ("auction", "call"):
            return [_auction(view), *hand_lines(view.hand, ITALIAN)]
        seats = len(view.counts)
        table = [
            f"{seat_name((view.leader + at) % seats, view.seat)} {short(card, ITALIAN)}"
            for at, card in enumerate(view.trick)
        ]
        return [
            _call(view),
            _("Points taken: %(points)s") % {"points": by_seat(view.points, view.seat)},
            _("On the table: %(cards)s") % {"cards": ", ".join(table) or "-"},
            *hand_lines(view.hand, ITALIAN),
        ]

    def told(self, move: Move, before: TrickView, after: TrickView) -> list[str]:
        """A move that was made, and who took the trick."""
        lines = [_move(move, after)]
        if len(after.tricks) > len(before.tricks):
            winner = after.tricks[-1].winner
            points = after.points[winner] - before.points[winner]
            values = {"seat": seat_name(winner, after.seat), "points": points}
            lines.append(_("Trick: %(seat)s, %(points)s points.") % values)
        return lines

    def closing(self, view: TrickView) -> list[str]:
        """What came out, once it is over."""
        if view.caller is None:
            return [_("Nobody has bid: it is dealt again.")]
        return [_call(view), _("Points taken: %(points)s") % {"points": by_seat(view.points, view.seat)}]

    def rules(self, view: TrickView) -> list[str]:
        """The game in a few lines."""
        of_each = {
            "gingo": _("Anybody bids until the third knock. Called is the highest trump that one lacks, or one held."),
            "briscola": _("Bids go round and a pass is final. Any card is called; the dealer's right leads."),
        }
        return [
            _("Eight cards each. Ace 11, three 10, king 4, knight 3, knave 2 points: 120 in all."),
            _("The highest trump takes a trick, else the highest card of the suit led. Nobody has to follow suit."),
            _("A beats 3, then K C J 7 6 5 4 2."),
            _("Who bids most calls a card. Its suit is trump; its holder is the partner, and says nothing."),
            _("Together they need the points that were bid. Who calls a card of his own is alone."),
            of_each[view.game],
        ]


def _auction(view: TrickView) -> str:
    if view.holder is None:
        return _("Nobody has bid. The least is %(bid)s.") % {"bid": view.min_bid}
    values = {"bid": view.high, "seat": seat_name(view.holder, view.seat)}
    return _("The highest bid: %(bid)s (%(seat)s).") % values


def _call(view: TrickView) -> str:
    assert view.caller is not None
    assert view.called_card is not None
    values = {
        "seat": seat_name(view.caller, view.seat),
        "bid": view.bid,
        "card": short(view.called_card, ITALIAN),
    }
    line = _("Caller: %(seat)s, %(bid)s. Called: %(card)s.") % values
    if view.partner is None:
        return line
    if view.partner == view.caller:
        return f"{line} {_('The caller is alone.')}"
    return f"{line} {_('Partner: %(seat)s.') % {'seat': seat_name(view.partner, view.seat)}}"


def _move(move: Move, after: TrickView) -> str:
    if move.seat == AUCTIONEER:
        return _("The auctioneer knocks: %(count)s.") % {"count": after.knocks}
    who = seat_name(move.seat, after.seat)
    if move.verb == "bid":
        return f"{who}: {move.value}"
    if move.verb == "pass":
        return f"{who}: {_('pass')}"
    card = short(move.value, ITALIAN)
    if move.verb == "call":
        suit = suit_name(ITALIAN.suits[move.value // len(ITALIAN.ranks)])
        return f"{who}: {_('I call %(card)s. Trump is %(suit)s.') % {'card': card, 'suit': suit}}"
    return f"{who}: {card}"
