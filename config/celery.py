"""Celery: `celery -A config.celery worker -B --pool=threads` and `celery -A config.celery worker -Q heavy`.

A task whose name begins with `heavy.` goes to the heavy worker, every other one to the worker with threads.
"""

from __future__ import annotations

import os
from typing import Any

import celery.beat
from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

BEAT = 3.0  # seconds between two signs of life
SWEEP = 1.0  # seconds between two looks for bells that are near (gameplay.tasks)

app = Celery("gingodrome")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.set_default()  # in every thread: pages send tasks from theirs
app.conf.beat_schedule = {
    name: {"task": name, "schedule": every, "options": {"expires": every}}
    for name, every in {"core.worker_lives": BEAT, "heavy.lives": BEAT, "gameplay.sweep": SWEEP}.items()
}


class MemoryScheduler(celery.beat.Scheduler):
    """Beat without a file: all that is scheduled is in this module, and nothing is due while nobody runs."""

    def setup_schedule(self) -> None:
        self.install_default_entries(self.data)
        self.merge_inplace(self.app.conf.beat_schedule)


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Django's settings have set the logs up; a receiver here keeps Celery from doing it again."""
