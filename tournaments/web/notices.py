"""Notices in the page, for who is signed in or sits by a seat pass (UX-28)."""

from __future__ import annotations

from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from core.refusal import Refusal
from players.web.asking import actor_of
from tournaments.queries.notices import RulingNotice, SwapNotice, TableNotice, notices_for_person
from tournaments.web.presenting import Row
from tournaments.web.reasons import moved_up_reason, substitution_reason


def notices(request: HttpRequest) -> dict[str, Any]:
    """Context processor: `notices` for components/notices.html. Nothing is read for a page that does not show them,
    nor for a browser that brings no session. On the page of his match it does not say where he sits."""

    @cache
    def found() -> list[Row]:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES:
            return []
        match = request.resolver_match
        return notice_rows(request, match.kwargs["match"] if match and match.url_name == "match" else None)

    return {"notices": found}


def notice_rows(request: HttpRequest, here: UUID | None) -> list[Row]:
    """Rows of components/notices.html; `here`: the match whose page this is."""
    try:
        told = notices_for_person(actor_of(request))
    except Refusal:  # a tournament that he may not see any more
        return []
    rows = [_cancelled(one) for one in told.tables if one.cancelled]
    rows += [_table(one) for one in told.tables if one.match != here]
    rows += [_swap(one) for one in told.swaps]
    rows += [_ruling(one) for one in told.rulings]
    return rows


def _table(one: TableNotice) -> Row:
    told = {"tournament": one.tournament, "table": one.table, "seat": one.seat}
    text = (
        _("%(tournament)s: you play at %(table)s; the seats are drawn there.")
        if one.seat is None
        else _("%(tournament)s: you play at %(table)s, seat %(seat)s.")
    )
    return {
        "kind": "good",
        "title": _("Your table"),
        "text": text % told,
        "article": "S4" if one.seat is None else "",
        "href": reverse("match", args=[one.match]),
        "label": _("To your table"),
    }


def _cancelled(one: TableNotice) -> Row:
    text = _("%(table)s was started by mistake, and starts again: %(reason)s")
    return {
        "kind": "warning",
        "title": _("The start of your match was cancelled"),
        "text": text % {"table": one.table, "reason": one.cancelled},
        "article": "S9",
        "href": "",
        "label": "",
    }


def _swap(one: SwapNotice) -> Row:
    view, name = one.tournament, one.tournament.name_of
    reason = moved_up_reason(one.swap, name) if one.up else substitution_reason(one.swap, name)
    return {
        "kind": "good" if one.up else "info",
        "title": _("You move up") if one.up else _("You were substituted"),
        "text": f"{view.name}: {reason.text}",
        "article": reason.article,
        "href": reverse("repechage", args=[view.slug, one.stage]),
        "label": _("Who goes on"),
    }


def _ruling(one: RulingNotice) -> Row:
    return {
        "kind": "info",
        "title": _("A ruling about you") if one.mine else _("A ruling at your table"),
        "text": f"{one.table}: {one.reason}",
        "article": one.article,
        "href": reverse("ruling", args=[one.match, one.ruling]),
        "label": _("The ruling"),
    }
