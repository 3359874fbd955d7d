"""The audit trail: chained per scope, append-only, and whoever meddles with it is found."""

import json
import random
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from threading import Barrier
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.db.models import F

from core.audit import START, Head, append, first_fault
from core.canonical import canonical, digest
from core.models import AuditRow
from players.actor import SYSTEM
from players.models import Scope
from players.services import create_club, house_scope, lock_scopes, write_audit
from tests.tournaments.rows import first_hand, generated, imported, other_hand, unlock
from tournaments.exchange.generator import generate_tournament
from tournaments.models import Publication
from tournaments.queries.trails import check_trails
from tournaments.services.results import correct_result


def fault(scope):
    scope.refresh_from_db()
    return first_fault(
        AuditRow.objects.filter(scope=scope.pk).order_by("number"), Head(scope.audit_count, scope.audit_head)
    )


def trail(count):
    scope = house_scope()
    with transaction.atomic():
        locked = lock_scopes(scope.pk)[scope.pk]
        for number in range(count):
            write_audit(locked, SYSTEM, f"verb_{number % 3}", {"n": number, "who": str(UUID(int=number))})
    return scope


@pytest.mark.django_db
def test_a_trail_is_sound_and_an_empty_one_too():
    assert fault(house_scope()) is None
    assert fault(trail(20)) is None


@pytest.mark.django_db
def test_what_services_do_is_in_the_trail():
    create_club(SYSTEM, slug="a-club", name="A club")
    row = AuditRow.objects.get()
    assert (row.verb, row.actor, row.scope) == ("create_club", "system", house_scope().pk)
    assert fault(house_scope()) is None


@pytest.mark.django_db
@pytest.mark.parametrize("statement", ["UPDATE core_auditrow SET verb = 'x'", "DELETE FROM core_auditrow"])
def test_the_database_refuses_to_change_or_delete_a_row(statement):
    trail(2)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def reset(scopes, rows):
    """The trails of these scopes begin anew, as if nothing had ever been done in them."""
    rows.delete()
    scopes.update(audit_count=0, audit_head=START)


def cut_off(scope, rows, number):
    """The end of a trail is taken off, and its head is told."""
    rows.filter(number__gte=number).delete()
    last = rows.order_by("-number").first()
    Scope.objects.filter(pk=scope.pk).update(audit_count=number - 1, audit_head=last.hash if last else START)


def written_anew(scope, rows, number):
    """A row says something else, and it and all after it are chained again; whoever does it knows the head too."""
    told = list(rows.order_by("number"))
    told[number - 1].actor = "person:somebody-else"
    head = Head(0, START)
    reset(Scope.objects.filter(pk=scope.pk), rows)
    for row in told:
        head = append(scope.pk, head, at=row.at, actor=row.actor, verb=row.verb, payload=row.payload)
    Scope.objects.filter(pk=scope.pk).update(audit_count=head.number, audit_head=head.hash)


def slip_in(scope, rows):
    """A row at the end, with the right hash; the head stays."""
    last = rows.order_by("-number").first()
    append(scope.pk, Head(last.number, last.hash), at=last.at, actor="system", verb="forged", payload={})


def other_facts(rng, versions, *, with_hash):
    """A version says that somebody made another bid; whoever does it knows how to hash."""
    told = json.loads(versions.get().facts)
    hand = rng.choice(next(heat["hands"] for heat in told["stages"][0]["heats"] if heat.get("hands")))
    hand["bid"] = 61 if hand.get("bid") != 61 else 62
    versions.update(facts=canonical(told), **({"content_hash": digest(told)} if with_hash else {}))


def tamper(kind, rng, scope):
    """One random change by somebody with full rights on the database."""
    rows = AuditRow.objects.filter(scope=scope.pk)
    number = rng.randint(1, scope.audit_count)
    row = rows.get(number=number)
    other = f"{rng.getrandbits(256):064x}"
    at = row.at.replace(microsecond=(row.at.microsecond + 1) % 1_000_000)
    versions = Publication.objects.filter(tournament=scope.tournament, version=rng.randint(1, CORRECTIONS + 1))
    changes = {
        "verb": lambda: rows.filter(number=number).update(verb=f"other_{rng.randrange(99)}"),
        "payload": lambda: rows.filter(number=number).update(payload={"n": rng.randrange(1000, 9999)}),
        "actor": lambda: rows.filter(number=number).update(actor="person:somebody-else"),
        "at": lambda: rows.filter(number=number).update(at=at),
        "one row deleted": lambda: rows.filter(number=number).delete(),
        "end deleted": lambda: rows.filter(number__gte=number).delete(),
        "end deleted, head told": lambda: cut_off(scope, rows, number),
        "hash": lambda: rows.filter(number=number).update(hash=other),
        "previous": lambda: rows.filter(number=number).update(previous=other),
        "row slipped in": lambda: slip_in(scope, rows),
        "written anew": lambda: written_anew(scope, rows, number),
        "one trail reset": lambda: reset(Scope.objects.filter(pk=scope.pk), rows),
        "all trails reset": lambda: reset(Scope.objects.all(), AuditRow.objects.all()),
        "all trails reset, versions too": lambda: (
            reset(Scope.objects.all(), AuditRow.objects.all()),
            Publication.objects.all().delete(),
        ),
        "content_hash": lambda: versions.update(content_hash=other),
        "facts": lambda: other_facts(rng, versions, with_hash=False),
        "facts, hash told": lambda: other_facts(rng, versions, with_hash=True),
        "facts unreadable": lambda: versions.update(facts="{"),
        "audit_hash": lambda: versions.update(audit_hash=other),
        "audit_number": lambda: versions.update(audit_number=F("audit_number") + 1),
        "version deleted": versions.delete,
    }
    changes[kind]()


KINDS = (
    *("verb", "payload", "actor", "at", "hash", "previous", "row slipped in", "written anew"),
    *("one row deleted", "end deleted", "end deleted, head told"),
    *("one trail reset", "all trails reset", "all trails reset, versions too"),
    *("content_hash", "facts", "facts, hash told", "facts unreadable"),
    *("audit_hash", "audit_number", "version deleted"),
)
CORRECTIONS = 4


@pytest.mark.django_db
def test_200_random_tamperings_are_found():
    """Over a tournament that was imported, published and corrected, by what the command uses."""
    file = generate_tournament(4, 8, hands=6)
    tournament = imported(file | {"stages": file["stages"][:1], "withdrawals": []})
    hands = [(heat, hand) for heat in range(1, 20) if (hand := first_hand(tournament, heat=heat))]
    for heat, hand in hands[:CORRECTIONS]:
        tournament.refresh_from_db()
        entry = other_hand(hand)
        correct_result(
            SYSTEM, tournament.pk, stage=1, heat=heat, entry=entry, version=tournament.version, key=f"{heat}"
        )
    scope = Scope.objects.get(pk=tournament.scope_id)
    assert scope.audit_count == 2 + 2 * CORRECTIONS
    assert check_trails() == (2, scope.audit_count, CORRECTIONS + 1, ())
    unlock("core_auditrow", "tournaments_publication")
    rng = random.Random(20261130)
    for turn in range(200):
        kind = KINDS[turn % len(KINDS)]
        point = transaction.savepoint()
        tamper(kind, rng, scope)
        assert check_trails().faults, (turn, kind)
        transaction.savepoint_rollback(point)
    assert check_trails().faults == ()


@pytest.mark.django_db
def test_the_command_tells_what_was_meddled_with():
    tournament = generated(4, 2)
    out = StringIO()
    call_command("verify_audit", stdout=out)
    assert out.getvalue() == "2 trails, 2 rows, 1 published versions, all sound\n"
    reset(Scope.objects.filter(pk=tournament.scope_id), AuditRow.objects.none())
    with pytest.raises(CommandError, match="2 faults"):
        call_command("verify_audit", stderr=out)
    assert f"{tournament.scope_id}: row 1 is not as it was written" in out.getvalue()
    assert f"{tournament.scope_id}: a tournament without a trail" in out.getvalue()


@pytest.mark.django_db
def test_a_draft_without_a_trail_is_found():
    scope = Scope.objects.get(pk=generated(4, 2, publish=False).scope_id)
    assert check_trails().faults == ()
    unlock("core_auditrow")
    reset(Scope.objects.filter(pk=scope.pk), AuditRow.objects.filter(scope=scope.pk))
    assert check_trails().faults == (f"{scope.pk}: a tournament without a trail",)


@pytest.mark.django_db(transaction=True)
def test_writers_at_once_make_one_chain():
    scope = house_scope()
    start = Barrier(8)

    def write(number):
        try:
            start.wait()
            for _ in range(5):
                with transaction.atomic():
                    write_audit(lock_scopes(scope.pk)[scope.pk], SYSTEM, "verb", {"n": number})
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert fault(scope) is None
    assert Scope.objects.get(pk=scope.pk).audit_count == 40
