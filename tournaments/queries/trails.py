"""Whether anything was meddled with: the audit trails, and the published versions that hold them fast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.models import AuditRow
from players.queries import audit_faults
from tournaments.models import Publication, Tournament
from tournaments.queries.publications import is_sound


class Trails(NamedTuple):
    """What was looked at, and what is wrong, one line for each fault."""

    scopes: int
    rows: int
    versions: int
    faults: tuple[str, ...]


def check_trails() -> Trails:
    """Looks at every trail and every published version.

    A chain alone would be sound again if all of it were taken away, or written anew. Published versions stand
    elsewhere, on paper and in files of others too, and each says which row the trail had reached.
    """
    scopes, rows, broken = audit_faults()
    faults = [f"{scope}: row {number} is not as it was written" for scope, number in broken]
    for tournament in Tournament.objects.select_related("scope").order_by("pk"):
        faults += [f"{tournament.scope_id}: {what}" for what in _not_held(tournament)]
    return Trails(scopes, rows, Publication.objects.count(), tuple(faults))


def _not_held(tournament: Tournament) -> Iterator[str]:
    if not tournament.scope.audit_count:
        yield "a tournament without a trail"
    trail = {row.number: row for row in AuditRow.objects.filter(scope=tournament.scope_id, verb="publish")}
    versions = Publication.objects.filter(tournament=tournament).order_by("version")
    for number, version in enumerate(versions, start=1):
        row = trail.pop(version.audit_number, None)
        said = {"version": number, "content_hash": version.content_hash}
        if row is None or row.hash != version.audit_hash or row.payload != said or not is_sound(version):
            yield f"version {version.version} is not what the trail says was published"
    if trail or len(versions) != tournament.published:
        yield "a published version is missing"
