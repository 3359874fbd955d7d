"""Who hears that something happened at a table."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from core.live import HALL
from players.models import Scope
from scoring.models import Sheet


def topics_of(sheets: Iterable[UUID]) -> list[str]:
    """The topics of these tables: their players, the staff of their scope, and for a tournament the whole hall."""
    rows = Sheet.objects.filter(pk__in=list(sheets)).select_related("scope").order_by("pk")
    topics: dict[str, None] = {}
    for sheet in rows:
        topics |= dict.fromkeys(table_topics(sheet.pk, sheet.scope))
    return list(topics)


def table_topics(sheet: UUID, scope: Scope) -> list[str]:
    """The same for one table whose scope is at hand."""
    told = [f"sheet:{sheet}", f"scope:{scope.pk}"]
    return [*told, HALL] if scope.kind == Scope.Kind.TOURNAMENT else told
