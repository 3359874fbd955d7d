"""Two worlds that differ only in what a viewer must not learn: everything that he can get is compared byte by byte."""

import hashlib
import re
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta

import time_machine
from django.db import transaction
from django.test import Client

from core.clock import ahead, database_now
from core.entropy import injected
from core.live import CHANNEL
from core.valkey import client as valkey
from players.models import User
from tournaments.queries.tournament import view_at

# What is equal after this is equal. At most five fields, each with its reason; a leak beside each is still seen.
NORMALISED = {
    # Django masks the token against BREACH anew in every answer, from a source of its own.
    "csrf": (
        re.compile(rb'(name="csrfmiddlewaretoken" value="|"X-CSRFToken":\s*"|csrf-token" content=")[^"]+'),
        rb"\1",
    ),
    "csrf cookie": (re.compile(rb"csrftoken=[A-Za-z0-9]+"), rb"csrftoken="),
    # The session was opened before the day began; its key is drawn by Django.
    "session cookie": (re.compile(rb"sessionid=[a-z0-9]+"), rb"sessionid="),
}


def source(name):
    """Randomness that is the same in both worlds."""
    count = 0

    def draw(length):
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{name} {count}".encode()).digest(length)

    return draw


def normal(raw):
    for pattern, instead in NORMALISED.values():
        raw = pattern.sub(instead, raw)
    return raw


class Viewer:
    """A browser, and everything that it was ever given."""

    def __init__(self, name, person=None):
        self.name = name
        self.client = Client(headers={"accept-language": "en"})
        if person is not None:
            self.client.force_login(User.objects.get(pk=person))
        self.got = []

    def get(self, step, path):
        answer = self.client.get(path)
        body = b"".join(answer.streaming_content) if answer.streaming else answer.content
        headers = b"\n".join(f"{key}: {value}".encode() for key, value in sorted(answer.items()))
        cookies = b"\n".join(str(cookie).encode() for _, cookie in sorted(answer.cookies.items()))
        whole = normal(b"\n\n".join((str(answer.status_code).encode(), headers, cookies, body)))
        self.got.append((step, path, whole))


class Wire:
    """What the live bus tells, in order: topic and version, as the hub of a web process hears it."""

    def __init__(self):
        self._heard = valkey().pubsub(ignore_subscribe_messages=True)
        self._heard.psubscribe(f"{CHANNEL}*")
        self._heard.get_message(timeout=1)

    def hear(self):
        told = []
        while (message := self._heard.get_message(timeout=0.02)) is not None:
            told.append((str(message["channel"]), str(message["data"])))
        return told

    def close(self):
        self._heard.close()


class Time:
    """The time of a world: `pass_` lets it go on, for the database and for Python alike."""

    def __init__(self, stack):
        self._stack = stack
        self._traveller = None
        self.passed = timedelta()

    def pass_(self, by):
        self.passed += by
        self._stack.enter_context(ahead(by))
        if self._traveller is None:
            self._traveller = self._stack.enter_context(time_machine.travel(datetime.now(UTC), tick=True))
        self._traveller.shift(by)


@contextmanager
def world():
    """An empty world that is gone afterwards: the same entropy, no memory of another."""
    valkey().flushdb()
    view_at.cache_clear()
    with ExitStack() as stack:
        stack.enter_context(transaction.atomic())
        stack.callback(transaction.set_rollback, True)
        stack.enter_context(injected(source("the same day")))
        yield Time(stack)


def differences(one, other):
    """Where two logs (step, path, bytes) are not the same: the first hundred characters around the first difference."""
    found = []
    if [row[:2] for row in one] != [row[:2] for row in other]:
        found.append("not the same steps")
    for (step, path, mine), (_, _, his) in zip(one, other, strict=False):
        if mine != his:
            at = next((i for i, (a, b) in enumerate(zip(mine, his, strict=False)) if a != b), min(len(mine), len(his)))
            found.append(f"{step} {path}: {mine[max(0, at - 60) : at + 40]!r} / {his[max(0, at - 60) : at + 40]!r}")
    return found


__all__ = ["NORMALISED", "Time", "Viewer", "Wire", "database_now", "differences", "world"]
