"""Cards in templates: codes become faces for components/card.html."""

from __future__ import annotations

from django import template

from gameplay.web import cards

register = template.Library()


@register.filter
def card(deck: str, code: str) -> cards.Face:
    """`{% with face="italian"|card:"cups-k" %}`."""
    return cards.face(deck, code)


@register.filter
def cards_of(deck: str) -> list[cards.Face]:
    """`{% for face in "french"|cards_of %}`: a whole deck."""
    return [cards.face(deck, code) for code in cards.codes(deck)]
