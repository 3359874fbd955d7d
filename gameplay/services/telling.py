"""Who hears that something happened at a table."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from core.live import HALL
from players.models import Scope
from scoring.models import Sheet


def topics_of(sheets: Iterable[UUID]) -> list[str]:
    """The topics of these tables: their players, the staff of their scopes, and for a tournament the whole hall.

    One query for any number.
    """
    columns = ("pk", "scope", "scope__parent", "scope__parent__parent", "scope__kind")
    topics: dict[str, None] = {}
    for sheet, *scopes, kind in Sheet.objects.filter(pk__in=list(sheets)).order_by("pk").values_list(*columns):
        told = [f"sheet:{sheet}", *(f"scope:{scope}" for scope in scopes if scope)]
        topics |= dict.fromkeys([*told, HALL] if kind == Scope.Kind.TOURNAMENT else told)
    return list(topics)


def table_topics(sheet: UUID, scope: Scope) -> list[str]:
    """The same for one table. Staff hears of a scope on which it has a role, be it the table's or one above."""
    told = [f"sheet:{sheet}", *staff_topics(scope)]
    return [*told, HALL] if scope.kind == Scope.Kind.TOURNAMENT else told


def staff_topics(scope: Scope) -> list[str]:
    """The topics of a scope and of those above it."""
    told = []
    step: Scope | None = scope
    while step is not None:
        told.append(f"scope:{step.pk}")
        step = step.parent
    return told
