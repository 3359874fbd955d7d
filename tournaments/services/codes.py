"""Codes of players in the editions that a tournament keeps of those before it."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from tournaments.models import EditionBefore


def recode(editions: QuerySet[EditionBefore], told: str, code: str) -> list[EditionBefore]:
    """`code` stands for `told` in these editions from now on, ranked or adjusted; those that were changed."""
    changed = list(editions.filter(Q(ranking__contains=[told]) | Q(adjustments__has_key=told)))
    for edition in changed:
        edition.ranking = [code if known == told else known for known in edition.ranking]
        if edition.adjustments:
            edition.adjustments = {code if key == told else key: value for key, value in edition.adjustments.items()}
        edition.save(update_fields=["ranking", "adjustments"])
    return changed
