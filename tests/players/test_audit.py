"""The audit trail: chained per scope, append-only, and whoever meddles with it is found."""

import random
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from uuid import UUID

import pytest
from django.db import DatabaseError, connection, transaction

from core.audit import Head, first_fault
from core.models import AuditRow
from players.actor import SYSTEM
from players.models import Scope
from players.services import create_club, house_scope, lock_scopes, write_audit


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


def tamper(rng, scope, count):
    """One random change by somebody with full rights on the database."""
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE core_auditrow DISABLE TRIGGER append_only")
        number = rng.randrange(1, count + 1)
        rows = AuditRow.objects.filter(scope=scope.pk)
        match rng.randrange(9):
            case 0:
                rows.filter(number=number).update(verb=f"other_{rng.randrange(99)}")
            case 1:
                rows.filter(number=number).update(payload={"n": rng.randrange(1000, 9999)})
            case 2:
                rows.filter(number=number).update(actor="person:somebody-else")
            case 3:
                row = rows.get(number=number)
                rows.filter(number=number).update(at=row.at.replace(microsecond=(row.at.microsecond + 1) % 1_000_000))
            case 4:
                rows.filter(number=number).delete()
            case 5:  # the end is cut off
                rows.filter(number__gte=number).delete()
            case 6:
                rows.filter(number=number).update(hash=f"{rng.getrandbits(256):064x}")
            case 7:
                rows.filter(number=number).update(previous=f"{rng.getrandbits(256):064x}")
            case _:  # a row is slipped in at the end, with the right hash
                from core.audit import append

                head = Head(scope.audit_count, scope.audit_head)
                append(scope.pk, head, at=rows.get(number=count).at, actor="system", verb="forged", payload={})
        cursor.execute("ALTER TABLE core_auditrow ENABLE TRIGGER append_only")
    return number


@pytest.mark.django_db
def test_200_random_tamperings_are_found():
    scope = trail(30)
    rng = random.Random(20261130)
    for turn in range(200):
        point = transaction.savepoint()
        tamper(rng, scope, 30)
        assert fault(scope) is not None, turn
        transaction.savepoint_rollback(point)
        assert fault(scope) is None


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
