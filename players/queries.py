"""Reads of people and scopes."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from core.audit import Head, first_fault
from core.models import AuditRow
from players.models import Scope, User


def demo_people() -> QuerySet[User]:
    """The people of the demonstration, by name."""
    return User.objects.filter(is_demo=True, is_active=True).order_by("sort_key", "pk")


def audit_faults() -> tuple[int, int, list[tuple[UUID, int]]]:
    """How many trails and rows there are, and for each broken trail its scope and the first bad row.

    A row of a scope that does not exist is a fault too.
    """
    faults = []
    for scope in Scope.objects.order_by("pk"):
        rows = AuditRow.objects.filter(scope=scope.pk).order_by("number").iterator()
        fault = first_fault(rows, Head(scope.audit_count, scope.audit_head))
        if fault is not None:
            faults.append((scope.pk, fault))
    strays = AuditRow.objects.exclude(scope__in=Scope.objects.values("pk"))
    faults += list(strays.values_list("scope", "number"))
    return Scope.objects.count(), AuditRow.objects.count(), faults
