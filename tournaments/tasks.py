"""Celery tasks of tournaments: each calls a service that is safe to run twice."""

from __future__ import annotations

from celery import shared_task

from tournaments.services import uploads
from tournaments.web import prints_kept


# The soft limit lets the service say that it took too long, the hard one ends a worker that does not hear it.
@shared_task(name="heavy.preview_tournament", soft_time_limit=uploads.READING, time_limit=2 * uploads.READING)
def preview_tournament(token: str) -> None:
    """Reads an uploaded file and leaves what it gives."""
    uploads.preview_upload(token)


@shared_task(name="heavy.import_tournament", soft_time_limit=uploads.IMPORTING, time_limit=2 * uploads.IMPORTING)
def import_tournament(token: str) -> None:
    """Imports an uploaded file as it was ordered."""
    uploads.import_upload(token)


@shared_task(name=prints_kept.TASK, soft_time_limit=prints_kept.MAKING - 30, time_limit=prints_kept.MAKING - 10)
def make_print(slug: str, word: str, kind: str, language: str, stamp: str, origin: str = "") -> None:
    """Makes a print that somebody waits for."""
    prints_kept.make_print(slug, word, kind, language, stamp, origin)
