"""Browsers before the pages of a match."""

from django.test import Client
from django.urls import reverse

from gameplay.queries import match_for_page
from players.models import User
from tests.gameplay.rows import key

HAND = {"caller": "0", "called": "1", "bid": "75", "made": "80"}
QUEUE = {"accept": "application/json"}


def browser(who=None, *, csrf=False):
    """A browser in English; `who`: an Actor or a User that is signed in."""
    client = Client(enforce_csrf_checks=csrf, headers={"accept-language": "en"})
    if who is not None:
        client.force_login(who if isinstance(who, User) else User.objects.get(pk=who.person))
    return client


def at(name, hall, *rest):
    return reverse(name, args=[hall.match, *rest])


def record(client, hall, hand=1, *, send=None, **changed):
    """A hand as the form sends it; `send`: more headers."""
    given = {"action": "save", "hand": str(hand), "key": key(), **HAND, **changed}
    return client.post(at("record_hand", hall), given, headers=send or {})


def entries(hall):
    return list(match_for_page(hall.referee, hall.match).entries)
