"""Where the figures of a tournament come from: what its source published, and what was invented around it.

An archive says so in its `record`: `source`, and lists of JSON Pointers `published` and `invented`. Other records say
nothing, and then nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.queries.tournament import TournamentView
from tournaments.web.presenting import Row

PUBLISHED, ORDER, TOTALS, INVENTED, SILENT = "published", "order", "totals", "invented", ""


def origin_of(view: TournamentView) -> Row | None:
    """What is to be said of the whole tournament: `kind` (invented, mixed, source) and `source`; None for nothing."""
    source = view.record.get("source")
    if not isinstance(source, str) or not source:
        return None
    if "" in _pointers(view.record, "invented"):
        return {"kind": "invented", "source": source}
    mixed = bool(_pointers(view.record, "published") or _pointers(view.record, "invented"))
    return {"kind": "mixed" if mixed else "source", "source": source}


def match_origin(view: TournamentView, stage: int, heat: int) -> str:
    """`published`, `order` (points invented), `totals` (hands invented), `invented`, or "" where nothing is said."""
    at = f"/stages/{stage - 1}/heats/{heat - 1}"
    published, invented = _pointers(view.record, "published"), _pointers(view.record, "invented")
    if _covers(published, at):
        if _covers(invented, at) or f"{at}/totals" in invented:
            return ORDER
        return TOTALS if f"{at}/hands" in invented else PUBLISHED
    return INVENTED if _covers(invented, at) or f"{at}/hands" in invented else SILENT


def origin_tag(origin: str) -> Row | None:
    """Kind and word of the tag for `match_origin`."""
    words = {
        PUBLISHED: ("direct", _("published")),
        TOTALS: ("direct", _("totals published, hands invented")),
        ORDER: ("corrected", _("order published, points invented")),
        INVENTED: ("corrected", _("invented")),
    }
    if origin not in words:
        return None
    kind, text = words[origin]
    return {"kind": kind, "text": text}


def hands_are_invented(view: TournamentView, stage: int, heat: int) -> bool:
    """The sheet was made up; where totals were published it adds up to them."""
    return match_origin(view, stage, heat) in (TOTALS, ORDER, INVENTED)


def ranking_tags(view: TournamentView) -> list[Row]:
    """What of the final ranking was published: all of it, or who became champion."""
    published = view.record.get("ranking_published")
    if published == "all":
        return [{"kind": "direct", "text": _("published")}]
    if published == "champion":
        return [
            {"kind": "direct", "text": _("champion published")},
            {"kind": "corrected", "text": _("the rest invented")},
        ]
    return []


def _pointers(record: Mapping[str, Any], key: str) -> frozenset[str]:
    given = record.get(key)
    return frozenset(each for each in given if isinstance(each, str)) if isinstance(given, list) else frozenset()


def _covers(pointers: frozenset[str], at: str) -> bool:
    """One of the pointers is this place or holds it."""
    return any(at == pointer or at.startswith(f"{pointer}/") for pointer in pointers)
