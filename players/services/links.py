"""One-time links: an invitation, a new password, the first administrator.

Who makes one sees its token once; kept is only a hash. A link is used by one POST, whoever comes first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from core.clock import database_now
from core.entropy import new_token
from core.refusal import Refusal
from players.actor import SYSTEM, Actor, actor_for
from players.models import Link, SeatPass, Session, User
from players.rules.names import fold_letters
from players.rules.rights import ADMIN
from players.services import (
    administrators,
    check_present,
    checked_name,
    grant_role,
    house_scope,
    lock_people,
    lock_scopes,
    roles_given,
    sign_out_everywhere,
    write_audit,
)

LIFE = timedelta(hours=24)
USER_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{1,39}")  # as the constraint of the row says


@dataclass(frozen=True, slots=True)
class LinkView:
    """What a link says to whoever has it: `username` is "" where he will choose one, `name` is "" for the first."""

    kind: str
    name: str
    username: str
    role: str
    scope: UUID | None


def hash_of(token: str) -> str:
    """What is kept of a token: nobody can make the token from it, and 128 bits cannot be tried."""
    return sha256(token.encode()).hexdigest()


@transaction.atomic
def invite(actor: Actor, *, scope: UUID, role: str, person: UUID | None = None, name: str = "") -> str:
    """A link that gives a role on a scope to somebody known (`person`) or new (`name`); its token.

    That `actor` may let somebody become this known person is for the caller to check. Earlier links for him are over.
    Refusals: `not_allowed`, `bad_name`, `person_unknown`, `person_gone`, `has_user_name` (give the role instead).
    """
    row = lock_scopes(scope)[scope]
    if role not in roles_given(actor, row):
        raise Refusal("not_allowed")
    known = lock_people(person)[person] if person else None
    if known:
        check_present(known)
        if known.username is not None:
            raise Refusal("has_user_name")
    told = "" if known else checked_name(name)
    token = _make(actor, kind=Link.Kind.INVITE, person=known, name=told, scope=row, role=role)
    write_audit(row, actor, "invite", {"person": str(person) if person else None, "role": role})
    return token


@transaction.atomic
def reset_password(actor: Actor, *, person: UUID) -> str:
    """A link by which a person chooses a new password; its token. That `actor` may is for the caller to check.

    Earlier links for him are over. Refusals: `person_unknown`, `person_gone`, `no_user_name`.
    """
    house = lock_scopes(house_scope().pk).popitem()[1]
    known = lock_people(person)[person]
    check_present(known)
    if known.username is None or known.is_demo:
        raise Refusal("no_user_name")
    token = _make(actor, kind=Link.Kind.RESET, person=known)
    write_audit(house, actor, "reset_password", {"person": str(person)})
    return token


@transaction.atomic
def first_link() -> str | None:
    """The token of a new link for the first administrator; None where there is one. Earlier such links are over."""
    house = lock_scopes(house_scope().pk).popitem()[1]
    Link.objects.filter(kind=Link.Kind.FIRST, used_at=None).update(revoked=True)
    if administrators().exists():
        return None
    token = _make(SYSTEM, kind=Link.Kind.FIRST)
    write_audit(house, SYSTEM, "first_link", {})
    return token


@transaction.atomic
def revoke_link(actor: Actor, *, link: UUID) -> None:
    """An open invitation is over; whoever could make it may say so. Refusals: `not_allowed`, `link_unknown`."""
    row = Link.objects.filter(pk=link, kind=Link.Kind.INVITE, used_at=None, revoked=False).first()
    if row is None or row.scope_id is None:
        raise Refusal("link_unknown")
    scope = lock_scopes(row.scope_id)[row.scope_id]
    if row.role not in roles_given(actor, scope):
        raise Refusal("not_allowed")
    if Link.objects.filter(pk=link, used_at=None, revoked=False).update(revoked=True):
        write_audit(scope, actor, "revoke_link", {"link": str(link)})


def look_at_link(token: str) -> LinkView:
    """What a link would do; nothing is used up. Refusal `link_over`: wrong, used, revoked or too old."""
    row = _open(token)
    person = row.person
    name = person.display_name if person else row.name
    return LinkView(row.kind, name, (person and person.username) or "", row.role, row.scope_id)


@transaction.atomic
def use_link(token: str, *, username: str, password: str, name: str = "") -> User:
    """Does what the link is for, once, and returns who may sign in now.

    An invitation or the first link takes a user name and a password (the first one a `name`, too), a reset a password
    only; a reset ends all sessions. Refusals, after which the link is as good as before: `bad_name`,
    `bad_user_name`, `user_name_taken`, `bad_password` (params why), each with its pointer; and `link_over`.
    """
    seen = _open(token)
    scope = seen.scope_id or house_scope().pk
    locked = lock_scopes(scope)[scope]
    people = lock_people(seen.person_id) if seen.person_id else {}  # before the link, as everywhere
    row = _open(token, lock=True)
    giver = actor_for(row.made_by_id) if row.made_by_id else SYSTEM
    if row.kind == Link.Kind.INVITE and row.role not in roles_given(giver, locked):
        raise Refusal("link_over")
    person = people[row.person_id] if row.person_id else User(display_name=row.name)
    if not person.is_active or bool(person.username) != (row.kind == Link.Kind.RESET):
        raise Refusal("link_over")
    if row.kind == Link.Kind.FIRST:
        try:
            person.display_name = checked_name(name)
        except Refusal as refusal:
            raise refusal.at("/name") from None
    if row.kind != Link.Kind.RESET:
        person.username = _checked_user_name(username)
    choose_password(person, password)
    person.version += int(row.person_id is not None)
    try:
        with transaction.atomic():
            person.save()
    except IntegrityError:  # somebody else took the name in the same instant
        raise Refusal("user_name_taken", {"name": person.username or ""}, pointer="/username") from None
    sign_out_everywhere(person.pk)
    row.used_at = database_now()
    if row.kind == Link.Kind.INVITE:
        row.person, row.name = person, ""
    row.save(update_fields=["used_at", "person", "name"])
    himself = Actor(person=person.pk, came="session")
    write_audit(locked, himself, "use_link", {"kind": row.kind, "link": str(row.pk)})
    if row.kind != Link.Kind.RESET:
        grant_role(giver, person=person.pk, scope=scope, role=row.role or ADMIN)
    return person


def choose_password(person: User, password: str) -> None:
    """Another password, not saved yet. Refusal `bad_password` with its reasons (`why`), in the active language."""
    try:
        validate_password(password, person)
    except ValidationError as error:
        raise Refusal("bad_password", {"why": " ".join(error.messages)}, pointer="/password") from None
    person.set_password(password)


def forget_what_is_over() -> None:
    """Takes away links and passes that nobody used in time, and sessions that ended: nobody needs them again."""
    now = database_now()
    Link.objects.filter(used_at=None, expires_at__lt=now).delete()
    SeatPass.objects.filter(used_at=None, expires_at__lt=now).delete()
    Session.objects.filter(expire_date__lt=now).delete()


def _make(actor: Actor, *, kind: Link.Kind, person: User | None = None, **told: Any) -> str:
    if person:
        Link.objects.filter(person=person, used_at=None).update(revoked=True)
    token = new_token()
    Link.objects.create(
        kind=kind,
        person=person,
        token_hash=hash_of(token),
        expires_at=database_now() + LIFE,
        made_by_id=actor.person,
        **told,
    )
    return token


def _open(token: str, *, lock: bool = False) -> Link:
    """The link of a token if it is still good. Refusal `link_over`."""
    rows = Link.objects.select_for_update(no_key=True, of=("self",)) if lock else Link.objects
    row = rows.filter(token_hash=hash_of(token), used_at=None, revoked=False, expires_at__gt=database_now()).first()
    if row is None or (row.kind == Link.Kind.FIRST and administrators().exists()):
        raise Refusal("link_over")
    return row


def _checked_user_name(username: str) -> str:
    """A user name that nobody has, in plain small letters. Refusals: `bad_user_name`, `user_name_taken`."""
    plain = fold_letters(username.strip())
    if not USER_NAME.fullmatch(plain):
        raise Refusal("bad_user_name", pointer="/username")
    if User.objects.filter(username=plain).exists():
        raise Refusal("user_name_taken", {"name": plain}, pointer="/username")
    return plain
