"""Writes about people, clubs and scopes. The lock order of the whole house begins here: scopes, the highest first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unicodedata import category
from uuid import UUID

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Case, Q, QuerySet, When

from core.audit import Head, append
from core.clock import database_now
from core.entropy import new_token
from core.live import revoke
from core.refusal import Refusal
from players.actor import Actor
from players.models import Club, Grant, Link, Scope, SeatPass, Session, User
from players.queries import above
from players.rules.names import fold_letters, search_key
from players.rules.rights import ADMIN, MANAGE_CLUBS, ROLES, given_by

NAME_LENGTH = 120
JOINERS = "\u200c\u200d"
_LEVEL = Case(When(kind="house", then=0), When(kind="club", then=1), default=2)


def house_scope() -> Scope:
    """The scope on top of all others; made on first use, once."""
    scope = Scope.objects.filter(kind=Scope.Kind.HOUSE).first()
    if scope is None:
        try:
            with transaction.atomic():
                return Scope.objects.create(kind=Scope.Kind.HOUSE)
        except IntegrityError:  # somebody else was quicker
            scope = Scope.objects.get(kind=Scope.Kind.HOUSE)
    return scope


def lock_scopes(*scopes: UUID) -> dict[UUID, Scope]:
    """Row locks on these scopes until the transaction ends, in one order everywhere: house, clubs, tournaments, ids."""
    locked = Scope.objects.select_for_update(no_key=True).filter(pk__in=set(scopes)).annotate(level=_LEVEL)
    return {scope.pk: scope for scope in locked.order_by("level", "pk")}


def write_audit(scope: Scope, actor: Actor, verb: str, payload: dict[str, Any]) -> None:
    """One more row in the trail of a scope, which the caller has locked. `payload`: ids and numbers, never names."""
    head = Head(scope.audit_count, scope.audit_head)
    head = append(scope.pk, head, at=database_now(), actor=actor.name, verb=verb, payload=payload)
    scope.audit_count, scope.audit_head = head
    scope.save(update_fields=["audit_count", "audit_head"])


def create_club(actor: Actor, *, slug: str, name: str) -> Club:
    """A club with its scope. Refusals: `not_allowed`, `club_exists`, `bad_field` (slug, name)."""
    house = lock_scopes(house_scope().pk).popitem()[1]
    actor.require(MANAGE_CLUBS, [house.pk])
    if Club.objects.filter(slug=slug).exists():
        raise Refusal("club_exists", {"slug": slug}, pointer="/slug")
    scope = Scope.objects.create(kind=Scope.Kind.CLUB, parent=house)
    club = Club(scope=scope, slug=slug, name=name.strip())
    _check(club, exclude=["scope"])
    club.save(force_insert=True)
    write_audit(house, actor, "create_club", {"club": str(scope.pk)})
    return club


@transaction.atomic
def grant_role(actor: Actor, *, person: UUID, scope: UUID, role: str) -> None:
    """Gives a person a role on a scope; giving it twice is giving it once. Refusal: `not_allowed`.

    Links that would make somebody this person are over: who made them could take what he was given now.
    """
    row = lock_scopes(scope)[scope]
    if role not in roles_given(actor, row):
        raise Refusal("not_allowed")
    _, created = Grant.objects.get_or_create(person_id=person, scope=row, role=role)
    if created:
        end_links([person])
        write_audit(row, actor, "grant_role", {"person": str(person), "role": role})
        revoke(person=person)


@transaction.atomic
def revoke_role(actor: Actor, *, person: UUID, scope: UUID, role: str) -> None:
    """Takes a role from a person, and the links that he made. Whoever may give it may take it.

    Refusals: `not_allowed`, `grant_unknown`, `last_administrator` (nobody would be left who can make another).
    """
    row = lock_scopes(scope)[scope]
    if role not in roles_given(actor, row):
        raise Refusal("not_allowed")
    grant = Grant.objects.filter(person=person, scope=row, role=role).first()
    if grant is None:
        raise Refusal("grant_unknown")
    if role == ADMIN and not administrators().exclude(pk=person).exists():
        raise Refusal("last_administrator")
    grant.delete()
    Link.objects.filter(made_by=person, used_at=None).update(revoked=True)
    write_audit(row, actor, "revoke_role", {"person": str(person), "role": role})
    revoke(person=person)


def roles_given(actor: Actor, scope: Scope) -> tuple[str, ...]:
    """The roles that `actor` may give and take on a scope. The house itself gives any anywhere."""
    if actor.came == "system":
        return ROLES
    at = set(above(scope.pk))
    return given_by({right.role for right in actor.grants if right.scope in at}, scope.kind)


def end_links(people: Iterable[UUID]) -> None:
    """Links that would make somebody one of these locked people are over: they are more than when it was made."""
    Link.objects.filter(person__in=list(people), used_at=None).update(revoked=True)


def administrators() -> QuerySet[User]:
    """Administrators of the house who can sign in from anywhere: with a password, and not of the demonstration."""
    held = Grant.objects.filter(role=ADMIN, scope__kind=Scope.Kind.HOUSE)
    people = User.objects.filter(pk__in=held.values("person"), is_active=True, is_demo=False, username__isnull=False)
    return people.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)


@transaction.atomic
def sign_out_everywhere(person: UUID) -> None:
    """Ends all that a person has open: sessions, seat passes that were taken, live streams."""
    Session.objects.filter(person=person).delete()
    SeatPass.objects.filter(person=person, revoked=False).update(revoked=True)
    revoke(person=person)


def create_people(names: Iterable[str]) -> list[User]:
    """New people who cannot sign in, one for each name, in order. Refusal: `bad_name` at `/<index>`."""
    people = []
    for index, name in enumerate(names):
        try:
            people.append(_person(name))
        except Refusal as refusal:
            raise refusal.at(f"/{index}") from None
    return User.objects.bulk_create(people)


def _person(name: str) -> User:
    person = User(display_name=checked_name(name), is_active=True)
    person.set_unusable_password()
    return person


def checked_name(name: str) -> str:
    """A name as it will be kept. Refusal `bad_name` unless it has 1 to 120 characters, at least one letter or digit,
    and none that nobody sees: those would turn the line around it or make two names look like one. The two joiners
    may stay, some scripts are spelled with them.
    """
    bare = name.strip()
    unseen = any(category(sign) in ("Cc", "Cf") for sign in bare if sign not in JOINERS)
    if unseen or not bare or len(bare) > NAME_LENGTH or not search_key(bare):
        raise Refusal("bad_name", {"length": NAME_LENGTH})
    return bare


def lock_people(*people: UUID) -> dict[UUID, User]:
    """Row locks on people, always in the same order. Refusal `person_unknown` where one is not there."""
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=set(people)).order_by("pk")
    found = {row.pk: row for row in rows}
    if len(found) != len(set(people)):
        raise Refusal("person_unknown")
    return found


def rename(person: User, name: str) -> None:
    """Another display name for a locked person. Refusals: `bad_name`, `person_gone`."""
    check_present(person)
    person.display_name = checked_name(name)
    _save(person, "display_name")


def hide_history(person: User, *, hidden: bool) -> None:
    """His own page shows his history, or no longer. Refusal: `person_gone`."""
    check_present(person)
    person.history_hidden = hidden
    _save(person, "history_hidden")


def fold_into(gone: User, stays: User) -> None:
    """`gone` turned out to be `stays`: his grants move, he can never sign in again. Both are locked.

    Who may merge people that have rights is for the caller to check.
    """
    check_present(gone)
    check_present(stays)
    held = Grant.objects.filter(person=stays).values_list("scope", "role")
    for grant in Grant.objects.filter(person=gone):
        if (grant.scope_id, grant.role) in set(held):
            grant.delete()
        else:
            grant.person = stays
            grant.save(update_fields=["person"])
    Link.objects.filter(person=stays, used_at=None).update(revoked=True)
    User.objects.filter(merged_into=gone).update(merged_into=stays)
    gone.merged_into = stays
    _close(gone)
    _save(gone, "merged_into", "username", "password", "is_active")
    _save(stays)


def erase(person: User) -> str:
    """Takes the name of a locked person away for good; the code he has instead. Refusal: `person_gone`.

    Those who turned out to be him lose theirs too.
    """
    check_present(person)
    code = "P-" + fold_letters(new_token(6)).replace("-", "0").replace("_", "1").upper()
    Grant.objects.filter(person=person).delete()
    person.erased = True
    for row in (person, *User.objects.filter(merged_into=person)):
        row.display_name = code
        _close(row)
        _save(row, "display_name", "erased", "username", "password", "is_active")
    return code


def check_present(person: User) -> None:
    """Refusal `person_gone` for who was merged into another or erased."""
    if person.merged_into_id or person.erased:
        raise Refusal("person_gone")


def _close(person: User) -> None:
    """Nobody comes in as him any more, and nothing that he showed or made opens a door."""
    person.username = None
    person.is_active = False
    person.set_unusable_password()
    sign_out_everywhere(person.pk)
    Link.objects.filter(Q(person=person) | Q(made_by=person), used_at=None).update(revoked=True)


def _save(person: User, *fields: str) -> None:
    person.version += 1
    person.save(update_fields=[*fields, "version"])


def _check(row: Club, exclude: list[str]) -> None:
    try:
        row.full_clean(exclude=exclude)
    except ValidationError as error:
        field = next(iter(error.message_dict))
        raise Refusal("bad_field", {"field": field}, pointer=f"/{field}") from None
