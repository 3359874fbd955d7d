"""People who are corrected, merged or erased, with everything that shows them (UX-53)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import F, Q

from core.commands import once
from core.live import PUBLIC, publish
from core.refusal import Refusal
from players.actor import Actor
from players.models import Scope, User
from players.rules.names import search_key
from players.rules.rights import ADMIN, MANAGE_PEOPLE
from players.services import erase, fold_into, hide_history, house_scope, lock_people, lock_scopes, rename, write_audit
from scoring.models import Seat
from scoring.services.sheets import move_seats
from tournaments.models import Edition, EditionBefore, Entrant, Series, Stage, Tournament
from tournaments.services.codes import recode
from tournaments.services.publishing import refresh_series

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def may_manage(actor: Actor, *people: UUID) -> bool:
    """Who may change these people: an administrator of the house, or an organiser of every club they played in.

    Somebody with a user name or a right is changed by an administrator only: else whoever files a tournament under
    his name could take what is his. Five queries.
    """
    house = Scope.objects.filter(kind=Scope.Kind.HOUSE).values_list("pk", flat=True)
    if actor.may({ADMIN}, house):
        return True
    if User.objects.filter(pk__in=people).filter(Q(username__isnull=False) | Q(grants__isnull=False)).exists():
        return False
    played: set[tuple[UUID, UUID | None]] = set(
        Entrant.objects.filter(person__in=people).values_list("person", "tournament__club__scope")
    )
    friendly = Seat.objects.filter(person__in=people, sheet__scope__kind=Scope.Kind.TABLE)
    played |= set(friendly.values_list("person", "sheet__scope__parent"))
    if {person for person, _ in played} != set(people):
        return False
    return all(owner is not None and actor.may(MANAGE_PEOPLE, [owner]) for _, owner in played)


def correct_person(actor: Actor, person: UUID, *, name: str, hidden: bool, version: int, key: str) -> dict[str, Any]:
    """Another display name, and whether his page shows his history.

    Where a tournament has him under the old display name, it has him under the new one afterwards. Refusals:
    `not_allowed`, `person_unknown`, `person_gone`, `bad_name`, `stale_version`, `key_reused`.
    """
    body = {"person": str(person), "name": name, "hidden": hidden, "version": version}

    def work() -> dict[str, Any]:
        house, rows = _lock(actor, person)
        row = rows[person]
        if row.version != version:
            raise Refusal("stale_version", {"version": row.version}, pointer="/version")
        old = row.display_name
        rename(row, name)
        hide_history(row, hidden=hidden)
        entrants = Entrant.objects.filter(person=row)
        entrants.filter(name=old).update(name=row.display_name)
        _touch(entrants.values_list("tournament", flat=True))
        write_audit(house, actor, "correct_person", {"person": str(person), "hidden": hidden})
        publish(PUBLIC)
        return {"person": str(person)}

    return once(actor.name, "correct_person", key, body, work)


def merge_people(actor: Actor, *, gone: UUID, stays: UUID, key: str) -> dict[str, Any]:
    """`gone` turned out to be `stays`: his tournaments, seats and rights are the other's from now on.

    Rankings in which both stood are made anew. Refusals: `not_allowed`, `person_unknown`, `person_gone`,
    `same_person`, `sat_together` (both in one tournament: they cannot be one), `key_reused`.
    """
    body = {"gone": str(gone), "stays": str(stays)}

    def work() -> dict[str, Any]:
        if gone == stays:
            raise Refusal("same_person")
        house, rows = _lock(actor, gone, stays)
        left, kept = rows[gone], rows[stays]
        moved = Entrant.objects.filter(person=left)
        tournaments = list(moved.values_list("tournament", flat=True))
        if Entrant.objects.filter(person=kept, tournament__in=tournaments).exists():
            raise Refusal("sat_together")
        move_seats(left, kept)
        moved.update(person=kept)
        fold_into(left, kept)
        _touch(tournaments)
        for series, number in _first_editions(tournaments):
            refresh_series(series, number)
        write_audit(house, actor, "merge_people", {"gone": str(gone), "stays": str(stays)})
        publish(PUBLIC)
        return {"person": str(stays)}

    return once(actor.name, "merge_people", key, body, work)


def anonymise_person(actor: Actor, person: UUID, *, key: str) -> dict[str, Any]:
    """Takes a person's name out of everything; archives keep a code. It cannot be taken back.

    His code in a tournament file is replaced too where it tells his name. Refusals: `not_allowed`, `person_unknown`,
    `person_gone`, `key_reused`.
    """

    def work() -> dict[str, Any]:
        house, rows = _lock(actor, person)
        row = rows[person]
        names = {row.display_name, *Entrant.objects.filter(person=row).values_list("name", flat=True)}
        names |= set(User.objects.filter(merged_into=row).values_list("display_name", flat=True))
        code = erase(row)
        entrants = Entrant.objects.filter(person=row).select_related("tournament")
        for entrant in entrants:
            _forget(entrant, names, code)
        _touch(entrant.tournament_id for entrant in entrants)
        write_audit(house, actor, "anonymise_person", {"person": str(person)})
        publish(PUBLIC)
        return {"person": str(person)}

    return once(actor.name, "anonymise_person", key, {"person": str(person)}, work)


def _lock(actor: Actor, *people: UUID) -> tuple[Scope, dict[UUID, User]]:
    """Everything that may change, locked in the order of the house: scopes, tournaments, people."""
    house = house_scope().pk
    if not may_manage(actor, *people):
        raise Refusal("not_allowed")
    played = Tournament.objects.filter(entrants__person__in=people)
    scopes = lock_scopes(house, *played.values_list("scope", flat=True))
    ids = played.values("pk")
    list(Tournament.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
    return scopes[house], lock_people(*people)


def _touch(tournaments: Iterable[UUID]) -> None:
    """Their pages are to be built anew."""
    Tournament.objects.filter(pk__in=list(tournaments)).update(version=F("version") + 1)


def _first_editions(tournaments: Iterable[UUID]) -> list[tuple[Series, int]]:
    """Each series in which these tournaments are editions, locked, with the first of them."""
    first: dict[UUID, int] = {}
    for series, number in Edition.objects.filter(tournament__in=list(tournaments)).values_list("series", "number"):
        first[series] = min(number, first.get(series, number))
    rows = Series.objects.select_for_update(no_key=True).filter(pk__in=list(first)).order_by("pk")
    return [(row, first[row.pk]) for row in rows]


def _forget(entrant: Entrant, names: Iterable[str], code: str) -> None:
    """The archive of one tournament without the name: in the entrant, in codes that tell it, in the record, in why
    somebody was moved in a draw. Reasons at the tables are append-only and stay (queries.staff.mentions_of).
    """
    words = {word for name in names for word in search_key(name).split() if len(word) > 2}
    told = entrant.code
    entrant.name, entrant.club = code, None
    if any(word in search_key(told) for word in words):
        entrant.code = code
        # It is replaced in the earlier editions of every tournament.
        _touch(edition.tournament_id for edition in recode(EditionBefore.objects.all(), told, code))
    entrant.save(update_fields=["name", "club", "code"])
    tournament = entrant.tournament
    if tournament.record:
        record = _without(json.loads(tournament.record), names, code)
        tournament.record = json.dumps(record, ensure_ascii=False)
        tournament.save(update_fields=["record"])
    for stage in Stage.objects.filter(tournament=tournament, plan__moves__0__isnull=False):
        for move in (stage.plan or {})["moves"]:
            move["reason"] = _without(move["reason"], names, code)
        stage.save(update_fields=["plan"])


def _without(told: Any, names: Iterable[str], code: str) -> Any:
    """Free text of the archive with the code wherever one of the names stands, however it is spelled and turned."""
    if isinstance(told, dict):
        return {_without(key, names, code): _without(value, names, code) for key, value in told.items()}
    if isinstance(told, list):
        return [_without(item, names, code) for item in told]
    if isinstance(told, str):
        for name in names:
            told = _name_replaced(told, frozenset(search_key(name).split()), code)
    return told


def _name_replaced(text: str, words: frozenset[str], code: str) -> str:
    """`text` with the code for each run of words that has all the words of a name, in any order."""
    spans = [(found.start(), found.end(), search_key(found[0])) for found in _WORD.finditer(text)]
    out, at, first = [], 0, 0
    while first < len(spans):
        last = first
        while last < len(spans) and spans[last][2] in words:
            last += 1
        run = spans[first:last]
        if run and words <= {word for _, _, word in run}:
            out += [text[at : run[0][0]], code]
            at = run[-1][1]
        first = max(last, first + 1)
    return "".join([*out, text[at:]])
