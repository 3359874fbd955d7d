"""What costs a database: standings from rows, lists, the public page, imports. Real PostgreSQL and Valkey, thrown away.

Imported only after Django was set up against them (see `__main__`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.lots import Lots
from core.valkey import client as valkey
from players.actor import SYSTEM
from players.models import Scope, User
from players.services import house_scope
from tests.bench.timing import Bench, milliseconds
from tournaments.exchange.generator import generate_tournament
from tournaments.exchange.records import record_from_file
from tournaments.exchange.result import result_of
from tournaments.models import Edition, Entrant, Series, Tournament
from tournaments.queries.series import ranking_after
from tournaments.queries.tournament import file_for_export, stamp_of, view_at
from tournaments.rules.replay import replay
from tournaments.services.importing import import_tournament

ROUTES = ("/tournaments/", "/players/", "/clubs/", "/rankings/", "/rankings/world/")


def migrate() -> None:
    """The tables, in an empty database."""
    call_command("migrate", interactive=False, verbosity=0)


def club_series(entrants: int) -> Series:
    """A series of six editions in which each of `entrants` people has a place, its window six."""
    house = house_scope()
    series = Series.objects.create(name="world", points=[15, 12, 10, 8, 6, 5, 4, 3, 2, 1], window=6)
    people = User.objects.bulk_create(
        [User(display_name=f"Player {number}", password="!") for number in range(entrants)], batch_size=2000
    )
    lots = Lots(b"bench", "editions")
    for number in range(6):
        scope = Scope.objects.create(kind="tournament", parent=house)
        tournament = Tournament.objects.create(scope=scope, slug=f"edition-{number}", name="Edition", published=1)
        Entrant.objects.bulk_create(
            [
                Entrant(
                    tournament=tournament,
                    person=person,
                    position=at,
                    code=str(at),
                    name=str(at),
                    place=at + 1,
                    points=0,
                )
                for at, person in enumerate(lots.shuffled(people))
            ],
            batch_size=5000,
        )
        Edition.objects.create(series=series, number=number, tournament=tournament)
    return series


def whole_tournament(entrants: int) -> str:
    """The address of an imported tournament of `entrants` players with all its stages and finals."""
    file = generate_tournament(3, entrants // 5, hands=2)
    return import_tournament(SYSTEM, json.dumps(file).encode()).slug


def standings(slug: str) -> Any:
    """Rows of a tournament to every place of it, without any memory of an earlier reckoning."""
    view_at.cache_clear()
    return view_at(stamp_of(SYSTEM, slug)).outcome.final_ranking


def archive(hands: int) -> bytes:
    """A file of at least 500 players with about so many hands."""
    return json.dumps(generate_tournament(5, 100, hands=max(hands // 124, 1))).encode()


def bring_in(data: bytes) -> Callable[[], str]:
    """Imports the file anew each time: a copy with another record is another file."""
    file = json.loads(data)
    number = iter(range(1 << 30))

    def run() -> str:
        copy = {**file, "record": {"copy": next(number)}}
        return import_tournament(SYSTEM, json.dumps(copy).encode()).slug

    return run


def world_edition(number: int) -> dict[str, Any]:
    """A small world championship with its final."""
    seed = number * 10
    while True:
        file = generate_tournament(seed, 1, hands=1)
        if file["stages"][-1]["kind"] != "heats":
            file["tournament"] |= {"name": f"Edition {number}", "series": "world", "edition": number + 30}
            return file
        seed += 1


def replay_export(slug: str) -> str:
    """What a federation does ten years later: export, and work everything out anew."""
    return json.dumps(result_of(replay(record_from_file(file_for_export(SYSTEM, slug)))))


BENCHES = (
    Bench("P4 a series, entrants with six results each, rows to ranked table", club_series, ranking_after, (1000, 10_000), (60, 400)),
    Bench("P4 a tournament, entrants, rows to every place", whole_tournament, standings, (1000, 10_000), (60, 400)),
    Bench("P9 import of an archive, 500 players, hands", lambda n: bring_in(archive(n)), lambda run: run(), (300, 3000), (None, 5000)),
    Bench("P9 export and replay of it, hands", lambda n: bring_in(archive(n))(), replay_export, (300, 3000), (None, 1000)),
)  # fmt: skip


def flush() -> None:
    """Empty tables and an empty cache."""
    call_command("flush", interactive=False, verbosity=0)
    valkey().flushdb()


def page_times() -> Iterator[str]:
    """P7: the public standings page of 1,000 entrants, warm, and cold without any cache or memory."""
    flush()
    path = f"/tournaments/{whole_tournament(1000)}/ranking/"
    client = Client(SERVER_NAME="localhost")

    def cold(_: None) -> Any:
        valkey().flushdb()
        view_at.cache_clear()
        return client.get(path)

    client.get(path)
    yield f"    warm: {milliseconds(lambda _: client.get(path), None):9.1f} ms   at most 15 ms"
    yield f"    cold: {milliseconds(cold, None):9.1f} ms   at most 150 ms"
    yield f"    size: {len(client.get(path).content) / 1024:9.1f} KiB  at most 100 KiB"


def list_queries() -> Iterator[str]:
    """P6: queries of every list page with 1, 3 and 300 tournaments (and all their people)."""
    client = Client(SERVER_NAME="localhost")
    counted: dict[str, list[int]] = {route: [] for route in ROUTES}
    flush()
    for number in range(1, 301):
        import_tournament(SYSTEM, json.dumps(world_edition(number)).encode())
        if number in (1, 3, 300):
            for route in ROUTES:
                valkey().flushdb()
                with CaptureQueriesContext(connection) as captured:
                    client.get(route)
                counted[route].append(len(captured))
    for route, counts in counted.items():
        yield f"  {route:<20} {' / '.join(map(str, counts))}"


def main() -> None:
    """Print everything."""
    for bench in BENCHES:
        flush()
        bench.tell(between=flush)
    print("\nP7 public standings page, 1,000 entrants")
    for line in page_times():
        print(line, flush=True)
    began = time.monotonic()
    print("\nP6 queries of the list pages with 1 / 3 / 300 tournaments")
    for line in list_queries():
        print(line, flush=True)
    print(f"  ({time.monotonic() - began:.0f} s to fill them)")
