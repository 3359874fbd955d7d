"""Rows every room stands on: commands that were done once, and the chained audit trail of each scope."""

from __future__ import annotations

from django.db import models

KEY_LENGTH = 200


class CommandKey(models.Model):
    """A write that was committed: whoever sends the same key again gets the same answer and no second effect."""

    actor = models.CharField(max_length=60, db_collation="C")
    verb = models.CharField(max_length=40, db_collation="C")
    key = models.CharField(max_length=KEY_LENGTH, db_collation="C")
    body_hash = models.CharField(max_length=64, db_collation="C")
    answer = models.JSONField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["actor", "verb", "key"], name="command_once")]

    def __str__(self) -> str:
        return f"{self.actor} {self.verb} {self.key}"


class AuditRow(models.Model):
    """One thing done in a scope, chained to the one before by its hash. Never changed, never deleted (a trigger).

    `payload` holds ids and numbers, never names: a person can be erased without touching the chain.
    """

    scope = models.UUIDField()
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=60, db_collation="C")
    verb = models.CharField(max_length=40, db_collation="C")
    payload = models.JSONField()
    previous = models.CharField(max_length=64, db_collation="C")
    hash = models.CharField(max_length=64, db_collation="C")

    class Meta:
        ordering = ["scope", "number"]
        constraints = [
            models.UniqueConstraint(fields=["scope", "number"], name="audit_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="audit_from_one"),
            models.CheckConstraint(condition=models.Q(hash__regex=r"^[0-9a-f]{64}$"), name="audit_hash_is_sha256"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.number} {self.verb}"
