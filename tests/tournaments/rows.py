"""Tournaments in the database for tests."""

import json
from pathlib import Path

from django.db import connection

from players.actor import SYSTEM
from scoring.models import Entry as EntryRow
from scoring.rules.hands import HandOutcome
from scoring.rules.scoresheet import Entry, Played
from tournaments.exchange.generator import generate_tournament
from tournaments.models import Tournament
from tournaments.queries.tournament import heat_of, tournament_for_page
from tournaments.services.importing import import_tournament

FOLDER = Path(__file__).parents[2] / "tournaments"
WORLD_2001 = FOLDER / "championships" / "world-2001.json"
WORLD_2007 = FOLDER / "championships" / "world-2007.json"
CUP = FOLDER / "demo" / "coppa-adriatica.json"


def imported(file, **options):
    """The row of an imported file (a dict, bytes or a path)."""
    data = file.read_bytes() if isinstance(file, Path) else file if isinstance(file, bytes) else json.dumps(file)
    done = import_tournament(SYSTEM, data if isinstance(data, bytes) else data.encode(), **options)
    return Tournament.objects.get(slug=done.slug)


def generated(seed, heats, hands=6, **options):
    return imported(generate_tournament(seed, heats, hands=hands), **options)


def first_hand(tournament, stage=1, heat=1):
    """The first played hand of a heat that no ruling touches."""
    return (
        EntryRow.objects.filter(
            sheet__heat__stage__tournament=tournament,
            sheet__heat__stage__number=stage,
            sheet__heat__number=heat,
            kind="played",
            ruling=None,
        )
        .order_by("number")
        .first()
    )


def other_hand(row, reason="misread", **changed):
    """A correction of that hand: one card point more or less, unless told otherwise."""
    made = changed.pop("made", row.made - 1 if row.made else 1)
    hand = HandOutcome(**({"caller": row.caller, "called": row.called, "bid": row.bid, "made": made} | changed))
    return Entry(Played(hand), row.number, reason)


def heat_for_page(actor, slug, stage, heat):
    """One match of a tournament, hand by hand, as its page reads it."""
    return heat_of(tournament_for_page(actor, slug), stage, heat)


def unlock(*tables):
    """What somebody with full rights on the database does first."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER append_only")
