"""Which topics of matches a stream may hear."""

from __future__ import annotations

from django.db.models import Q

from players.actor import Actor
from players.queries import scopes_below
from players.rules.rights import KEEP_CLOCK
from scoring.models import Sheet


def topics_for(actor: Actor) -> list[str]:
    """`sheet:<id>` of the open matches where he sits or is staff (clock keepers, too), `scope:<id>` of the
    scopes on which he is staff.

    One query, none for a stranger. A seat pass hears its own table only.
    """
    if actor.person is None:
        return []
    if actor.came == "seat_pass":
        mine = Q(pk=actor.place.sheet if actor.place else None)
    else:
        mine = Q(seats__person=actor.person)
    scopes = actor.scopes_of(KEEP_CLOCK)
    if scopes:
        mine |= Q(scope__in=scopes_below(scopes))
    sheets = Sheet.objects.filter(mine, state=Sheet.State.OPEN).distinct().order_by("pk").values_list("pk", flat=True)
    return [f"sheet:{sheet}" for sheet in sheets] + [f"scope:{scope}" for scope in sorted(scopes)]
