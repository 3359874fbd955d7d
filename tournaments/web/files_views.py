"""A tournament to carry away: its file, and its prints as PDF and CSV."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from redis import RedisError

from core import heartbeat
from core.refusal import Refusal
from core.web.address import absolute
from core.web.fragments import build_of_the_house
from core.web.health import SILENCE
from players.web.asking import actor_of, refusals_as_pages
from tournaments.exchange.writing import text_of
from tournaments.queries.tournament import TournamentView, file_for_export, stamp_of, view_at
from tournaments.web import prints, prints_day
from tournaments.web.page import page
from tournaments.web.presenting import Row, stage_title
from tournaments.web.printing import csv_of, disposition
from tournaments.web.prints import Print
from tournaments.web.prints_kept import Kept, file_title, kept_print, key_of, order_print
from tournaments.web.tournament_page import paged, shown_pages, stamp_for

TYPES = {"pdf": "application/pdf", "csv": "text/csv; charset=utf-8"}
SMALL = 200
"""A CSV of so many rows is made at once; that takes less than 50 ms."""
PATIENCE = 0.8  # seconds that a reader waits before he sees a page that says so
# Seconds between two looks of the waiting page. Whoever saw all of them is told that the print does not come; after
# the first ones also whoever waits for a worker that is not heard of.
LOOKS = (1, 1, 2, 2, 3, 3, *(5 for _ in range(6)), *(10 for _ in range(10)))
SOON = 6
_LOOK = re.compile(r"[0-9]{1,2}", re.ASCII)
_UNPACKS = re.compile(r"(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)
_OURS = cache_control(private=True, no_cache=True)


@require_safe
@_OURS
@refusals_as_pages
def tournament_file(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The tournament file, as an import reads it: hands, corrections, withdrawals and all."""
    actor = actor_of(request)
    stamp = stamp_of(actor, slug)
    # While it is played, a name for its state would change with whatever its staff does (S9): nothing is named.
    etag = _etag(stamp.key)
    if not stamp.playing and (known := _known(request, etag)):
        return known
    file = file_for_export(actor, slug)
    response = HttpResponse(text_of(file), content_type="application/json")
    response["Content-Disposition"] = disposition("attachment", file["tournament"]["name"], "json")
    if not stamp.playing:
        response["ETag"] = etag
    return response


@require_safe
@refusals_as_pages
def prints_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything that can be printed, in the order of the tournament."""
    return shown_pages(request, stamp_for(request, slug), "prints", "", _prints)


def _prints(view: TournamentView, number: int) -> Row:
    found = list(prints.prints_of(view))
    pages, first, last = paged(len(found), number)
    return {
        "title": f"{_('Prints')} · {view.name}",
        "trail": ((_("Prints"), ""),),
        "tab": "prints",
        "pages": pages,
        "groups": list(_groups(view, found[first:last])),
        "has_file": not view.stamp.running,
    }


def _groups(view: TournamentView, found: list[Print]) -> Iterator[Row]:
    """Prints of the whole tournament, then of each stage."""
    for stage in dict.fromkeys(each.stage for each in found):
        yield {
            "stage": stage,
            "title": stage_title(view, stage) if stage else _("The whole tournament"),
            "rows": [_row(view, each) for each in found if each.stage == stage],
        }


def _row(view: TournamentView, asked: Print) -> Row:
    about = {
        "everything": _("every ranking, every repechage and every scoresheet, to be kept or signed"),
        "heats": _("all heats with their rankings, repechage and substitutions"),
        "heat": _("ranking and scoresheet"),
    }
    return {
        "title": prints.title_of(view, asked),
        "about": about.get(asked.kind, ""),
        **{kind: reverse("print", args=[view.slug, asked.word, kind]) for kind in TYPES},
    }


@require_safe
@_OURS
@refusals_as_pages
def one_print(request: HttpRequest, slug: str, what: str, kind: str) -> HttpResponseBase:
    """A print in the reader's language.

    Long ones come from the heavy worker: until then 202 and a page that looks again. 503 where too many wait, where
    nobody makes prints, and where this one could not be made.
    """
    stamp = stamp_for(request, slug)
    if kind not in TYPES:
        raise Refusal("print_unknown")
    view = view_at(stamp)
    asked = prints.print_of(view, what)
    if asked.kind in prints_day.KINDS and not (stamp.staff and kind == "pdf"):
        raise Refusal("print_unknown")
    language = get_language() or "en"
    origin = absolute(request, "/").removesuffix("/") if asked.kind == prints_day.BADGES else ""
    key = key_of(stamp.key, asked.word, kind, language, origin)
    etag = "" if stamp.playing else _etag(key)
    if etag and (known := _known(request, etag)):
        return known
    if kind == "csv" and prints.weight(view, asked) <= SMALL:
        document = prints.document_of(view, asked, language)
        packed = gzip.compress(csv_of(document), mtime=0)
        return _file(request, Kept(file_title(view.name, document), packed), kind, etag)
    try:
        kept = kept_print(key)
        if kept is None:
            order_print(slug, asked.word, kind, language, stamp.key, origin)
            kept = kept_print(key, PATIENCE)
    except Refusal as refusal:
        return _waiting(request, view, asked, kind, refusal.code)
    if kept is None:
        return _waiting(request, view, asked, kind)
    return _file(request, kept, kind, etag) if kept.packed else _waiting(request, view, asked, kind, "failed")


def _file(request: HttpRequest, kept: Kept, kind: str, etag: str) -> HttpResponse:
    """The print as it is kept, or unpacked for who cannot do that himself."""
    packs = _UNPACKS.search(request.headers.get("Accept-Encoding", ""))
    response = HttpResponse(kept.packed if packs else gzip.decompress(kept.packed), content_type=TYPES[kind])
    if packs:
        response["Content-Encoding"] = "gzip"
    # A PDF opens where it was asked for, to be read or printed; a table is for another program.
    response["Content-Disposition"] = disposition("inline" if kind == "pdf" else "attachment", kept.title, kind)
    if etag:
        response["ETag"] = etag
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


def _waiting(request: HttpRequest, view: TournamentView, asked: Print, kind: str, trouble: str = "") -> HttpResponse:
    """A page that looks again by itself, less and less often, and in the end says that there is no print."""
    here = reverse("print", args=[view.slug, asked.word, kind])
    told = request.GET.get("look", "")
    look = int(told) if _LOOK.fullmatch(told) else 0
    if not trouble and (look >= len(LOOKS) or (look >= SOON and not _press_lives())):
        trouble = "late"
    title = prints.title_of(view, asked)
    back = reverse("prints", args=[view.slug])
    context: dict[str, Any] = page(
        (_("Tournaments"), reverse("home")),
        (view.name, reverse("tournament", args=[view.slug])),
        (_("Prints"), back),
        (title, here),
        title=title,
        name=view.name,
        trouble=trouble,
        again=here if trouble else f"{here}?look={look + 1}",
        back=back,
    )
    response = render(request, "tournaments/print_waiting.html", context, status=503 if trouble else 202)
    if trouble:
        response["Retry-After"] = "60"
    else:
        response["Refresh"] = f"{LOOKS[look]}; url={context['again']}"
    return response


def _press_lives() -> bool:
    try:
        age = heartbeat.ages(["heavy"])["heavy"]
    except RedisError:
        return False
    return age is not None and age <= SILENCE["heavy"]


def _known(request: HttpRequest, etag: str) -> HttpResponseBase | None:
    """304 for who has it already, 412 for who asks for another, else None."""
    response = get_conditional_response(request, etag=etag)
    if response is not None:
        response["ETag"] = etag
    return response


def _etag(state: str) -> str:
    """Weak: packed or not, it is the same content."""
    return "W/" + quote_etag(sha256(f"{build_of_the_house()}|{state}".encode()).hexdigest()[:32])
