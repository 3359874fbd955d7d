"""Who can be seated at a new table, and where somebody may open one."""

from __future__ import annotations

from collections.abc import Callable

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, When

from players.actor import Actor
from players.models import Club, Grant, User
from players.queries import scopes_below
from players.rules.names import search_key
from players.rules.rights import RECORD_MATCHES
from scoring.models import Seat

Known = Callable[[str], QuerySet[User]]
"""Whom everybody may find by name: what that is, the room above knows."""


def people_named(actor: Actor, known: Known, text: str, rows: int = 8) -> list[User]:
    """Who has all these words in his name, in any order; who has exactly this name comes first. Nobody for no word.

    Found are those whom everybody finds, and those who sit or have a role in what `actor` keeps. Who was erased or
    turned out to be somebody else is left out.
    """
    words = search_key(text).split()
    if not words:
        return []
    named = Q(*(Q(search_key__contains=word) for word in words))
    scopes = scopes_below(actor.scopes_of(RECORD_MATCHES))
    sits = Exists(Seat.objects.filter(person=OuterRef("pk"), sheet__scope__in=scopes))
    serves = Exists(Grant.objects.filter(person=OuterRef("pk"), scope__in=scopes))
    found = User.objects.filter(named, Q(pk__in=known(text).order_by().values("pk")) | sits | serves)
    exact = Case(When(search_key=" ".join(words), then=0), default=1)
    return list(found.filter(merged_into=None, erased=False).order_by(exact, "sort_key", "pk")[:rows])


def clubs_to_play_in(actor: Actor) -> list[Club]:
    """The clubs in which somebody may open a match, by rights on the club or on the house; by name."""
    scopes = actor.scopes_of(RECORD_MATCHES)
    return list(Club.objects.filter(Q(scope__in=scopes) | Q(scope__parent__in=scopes)).order_by("sort_key"))
