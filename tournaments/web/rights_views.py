"""Who has which role on the house, a club, a tournament or a table: given, taken, invited."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from players.actor import Actor
from players.models import Club, Scope, User
from players.queries import above, invitations, roles_on
from players.rules.names import fold_letters, search_key
from players.rules.rights import GIVE_ROLES
from players.services import NAME_LENGTH, revoke_role, roles_given
from players.services.links import invite, revoke_link
from players.web.asking import actor_of, refusals_as_pages, sentence, status_of
from players.web.showing import shown
from tournaments.models import Tournament
from tournaments.queries.people import people_found
from tournaments.services.rights import give_role, new_password_link, resettable
from tournaments.web.page import page

PROPOSED = 20  # people that a search proposes
ROLE_WORDS: dict[str, str | Promise] = {
    "admin": gettext_lazy("administrator of the house"),
    "club_organiser": gettext_lazy("organiser of the club"),
    "organiser": gettext_lazy("organiser"),
    "referee": gettext_lazy("referee"),
    "clock_keeper": gettext_lazy("keeper of the clock"),
    "council": gettext_lazy("member of the Council"),
}
FROM_ABOVE: dict[str, str | Promise] = {
    "house": gettext_lazy("for the whole house"),
    "club": gettext_lazy("for the whole club"),
    "tournament": gettext_lazy("for the whole tournament"),
}


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def scope_staff(request: HttpRequest, scope: UUID) -> HttpResponse:
    """Roles on a scope, for whoever may give some there; `q` looks for people.

    POST do=give (person, role), new (name, role), take (person, role), reset (person) or unlink (link). A link that
    was made is shown in the answer, and never again.
    """
    row = Scope.objects.filter(pk=scope).first()
    if row is None:
        raise Refusal("scope_unknown")
    actor = actor_of(request)
    if not roles_given(actor, row):
        raise Refusal("not_allowed")
    made: dict[str, Any] = {}
    refused, status = "", 200
    if request.method == "POST":
        try:
            made = _do(actor, row, request)
        except Refusal as refusal:
            if refusal.code not in ("bad_name", "last_administrator", "person_gone", "no_user_name"):
                raise
            refused, status = sentence(refusal), status_of(refusal)
        else:
            if not made:
                messages.success(request, _("Saved."))
                return HttpResponseRedirect(request.path)
    context = _page(row, refused=refused, made=made, name_length=NAME_LENGTH, **_shown(actor, row, request))
    return render(request, "tournaments/scope_staff.html", context, status=status)


def staffed_by(actor: Actor) -> list[dict[str, str]]:
    """{title, href} of the pages of roles that are for somebody, the highest first. Three queries for who has any."""
    held = actor.scopes_of(GIVE_ROLES)
    if not held:
        return []
    house = [(pk, _("House")) for pk in Scope.objects.filter(pk__in=held, kind="house").values_list("pk", flat=True)]
    clubs = Club.objects.filter(scope__in=held).order_by("sort_key").values_list("scope", "name")
    tournaments = Tournament.objects.filter(scope__in=held).order_by("name", "pk").values_list("scope", "name")
    rows = [*house, *clubs, *tournaments[:PROPOSED]]
    return [{"title": name, "href": reverse("scope_staff", args=[scope])} for scope, name in rows]


def _do(actor: Actor, scope: Scope, request: HttpRequest) -> dict[str, Any]:
    """What the form asks for; for a link that was made: {kind, name, link, qr}."""
    told = request.POST
    wanted, role = told.get("do", ""), told.get("role", "")
    if wanted == "new":
        token = invite(actor, scope=scope.pk, role=role, name=told.get("name", ""))
        return {"kind": "invite", "name": told["name"].strip(), **shown(request, reverse("join"), token)}
    if wanted == "unlink":
        revoke_link(actor, link=_uuid(told.get("link", ""), "link_unknown"))
        return {}
    person = _uuid(told.get("person", ""), "person_unknown")
    if wanted == "take":
        revoke_role(actor, person=person, scope=scope.pk, role=role)
        return {}
    reset = wanted == "reset"
    if reset:
        made: str | None = new_password_link(actor, person=person)
    else:
        made = give_role(actor, scope=scope.pk, role=role, person=person)
    if made is None:
        return {}
    name = User.objects.get(pk=person).display_name
    return {"kind": "reset" if reset else "invite", "name": name, **shown(request, reverse("join"), made)}


def _shown(actor: Actor, scope: Scope, request: HttpRequest) -> dict[str, Any]:
    given = roles_given(actor, scope)
    rows = roles_on(above(scope.pk))
    may_reset = resettable(actor, {row.person for row in rows})
    held = [
        {
            "person": row.person,
            "name": row.name,
            "username": row.username,
            "role": row.role,
            "words": ROLE_WORDS[row.role],
            "whence": "" if row.scope == scope.pk else FROM_ABOVE[row.kind],
            "take": row.scope == scope.pk and row.role in given,
            "reset": bool(row.username) and row.person in may_reset,
        }
        for row in rows
    ]
    asked = [
        {"link": row.link, "name": row.name, "words": ROLE_WORDS[row.role], "take": row.role in given}
        for row in invitations(scope.pk)
    ]
    text = request.GET.get("q", "").strip()[:NAME_LENGTH]
    found = list(_people(text)[: PROPOSED + 1]) if search_key(text) else []
    roles = [{"role": role, "words": ROLE_WORDS[role]} for role in given]
    proposed = {"q": text, "found": found[:PROPOSED], "more": len(found) > PROPOSED}
    return {"held": held, "asked": asked, "roles": roles, **proposed}


def _people(text: str) -> QuerySet[User]:
    """Who has this user name, or has the words in his name and plays or can sign in."""
    staff = Q(username__isnull=False)
    for word in search_key(text).split():
        staff &= Q(search_key__contains=word)
    known = Q(username=fold_letters(text)) | staff | Q(pk__in=people_found(text).values("pk"))
    return User.objects.filter(known, is_active=True, merged_into=None).order_by("sort_key", "pk")


def _page(scope: Scope, **context: Any) -> dict[str, Any]:
    """With the way back to what the scope belongs to."""
    crumbs = [(_("Tournaments"), reverse("home"))]
    title = _("House")
    if scope.kind == Scope.Kind.CLUB:
        club = Club.objects.get(scope=scope)
        crumbs += [(_("Clubs"), reverse("clubs")), (club.name, reverse("club", args=[club.slug]))]
        title = club.name
    elif scope.kind == Scope.Kind.TOURNAMENT:
        tournament = Tournament.objects.get(scope=scope)
        crumbs.append((tournament.name, reverse("tournament", args=[tournament.slug])))
        title = tournament.name
    elif scope.kind == Scope.Kind.TABLE:
        title = _("Friendly match")
    return page(*crumbs, (_("Roles"), ""), scope=scope, title=title, **context)


def _uuid(text: str, code: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Refusal(code) from None
