"""Celery tasks of the room everything stands on."""

from __future__ import annotations

from celery import shared_task

from core.heartbeat import beat


@shared_task(name="core.worker_lives")
def worker_lives() -> None:
    """The short-task worker took a task: it is alive."""
    beat("worker")


@shared_task(name="heavy.lives")
def heavy_lives() -> None:
    """The heavy worker took a task: it is alive."""
    beat("heavy")
