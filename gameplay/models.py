"""Matches: what is played at one table, and where its clock will hang."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from scoring.models import Sheet


class Match(models.Model):
    """A match that is recorded here. It has the id of its sheet. `rules`: frozen copy of the rules of play."""

    sheet = models.OneToOneField(Sheet, models.PROTECT, primary_key=True, related_name="match")
    table_name = models.CharField(max_length=60)
    rules = models.JSONField()

    class Meta:
        constraints = [models.CheckConstraint(condition=~Q(table_name=""), name="match_table_is_named")]

    def __str__(self) -> str:
        return self.table_name
