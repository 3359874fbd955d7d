"""What a person does with his own account."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from core.live import revoke
from players.actor import Actor, session_digest
from players.models import SeatPass, Session, User
from players.services import check_present, lock_people, sign_out_everywhere
from players.services.links import choose_password
from players.services.passes import revoke_pass


@transaction.atomic
def change_password(person: UUID, password: str) -> User:
    """Another password; all sessions end, also the one that asks. Refusals: `bad_password`, `person_gone`."""
    row = lock_people(person)[person]
    check_present(row)
    choose_password(row, password)
    row.save(update_fields=["password"])
    sign_out_everywhere(person)
    return row


@transaction.atomic
def close_door(actor: Actor, *, key: str) -> None:
    """Ends one of the sessions or seats of `actor` (players.queries.open_doors); what is no more is not missed."""
    for row in Session.objects.filter(person=actor.person):
        if session_digest(row.session_key) == key:
            row.delete()
            revoke(session=key)
    for taken in SeatPass.objects.filter(person=actor.person, revoked=False):
        if str(taken.pk) == key:
            revoke_pass(place=taken.place, number=taken.number)
