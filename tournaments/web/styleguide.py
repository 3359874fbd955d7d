"""`/styleguide/`: every component in all its states, for eyes and for the screenshot test. Debug houses only."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

NAMES = ("Ada Bonetti", "Bruno De Santis", "Çiğdem Işık", "Dario Lo Verso", "Elif Özgür-Montefiori")


class BidForm(forms.Form):
    """A form with one mistake in it."""

    bid = forms.IntegerField(label=_("Bid"), min_value=61, max_value=120, help_text=_("From 61 to 120."))
    made = forms.IntegerField(label=_("Points made"), min_value=0, max_value=120)


@require_safe
def styleguide(request: HttpRequest) -> HttpResponse:
    """The page. Its names and results are invented."""
    return render(request, "styleguide/index.html", context())


def context() -> dict[str, Any]:
    """Example data for every component, in the shapes the components document."""
    return {
        "blank": BidForm(),
        "broken": BidForm({"bid": "58", "made": "71"}),
        "ranking_columns": [_("Points"), _("Hands won"), _("Gap")],
        "ranking": _ranking(),
        "gaps": _gaps(),
        "sheet": _sheet(),
        "crumbs": [
            {"label": _("Championships"), "href": "#championships"},
            {"label": "2007", "href": "#2007"},
            {"label": _("Heat %(number)s") % {"number": 2}},
        ],
        "tabs": [
            {"label": _("Heats"), "href": "#tabs", "current": True},
            {"label": _("Repechage"), "href": "#gaps", "current": False},
            {"label": _("Ranking"), "href": "#ranking", "current": False},
        ],
        "page_obj": Paginator(range(100), 10).page(3),
        "bids": [
            {"amount": 70, "state": "passed"},
            {"amount": 75, "state": "leading"},
            {"amount": 76, "state": ""},
            {"amount": 80, "state": ""},
            {"amount": 90, "state": ""},
            {"amount": 120, "state": "closed"},
        ],
        "tags": [
            "direct",
            "repechage",
            "substitute",
            "out",
            "excluded",
            "reserve",
            "seed",
            "winner",
            "penalty",
            "voided",
            "corrected",
            "sub_iudice",
        ],
        "states": ["open", "closed", "frozen"],
        "hand_of_cards": ["coins-a", "coins-3", "cups-k", "cups-5", "swords-c", "swords-7", "batons-j", "batons-2"],
        "swatches": {
            "surface": ["paper", "sheet", "shade", "felt", "wash-gold", "wash-red", "wash-blue", "wash-green"],
            "accent": ["gold", "red", "blue", "green"],
        },
    }


def _ranking() -> list[dict[str, Any]]:
    return [
        {
            "place": 1,
            "name": NAMES[0],
            "href": "#ranking",
            "sub": _("Heat %(number)s") % {"number": 1},
            "cells": [1204, 9, Fraction(0)],
            "tag": "direct",
            "state": "first",
        },
        {
            "place": 2,
            "name": NAMES[2],
            "cells": [987, 7, Fraction(217, 1204)],
            "tag": "repechage",
            "state": "repeched",
            "reason": _("Smallest gap among the second places of different heats."),
            "article": "S7 D20",
        },
        {
            "place": 2,
            "name": NAMES[4],
            "cells": [987, 6, Fraction(217, 1204)],
            "tag": "out",
            "state": "out",
            "reason": _("Equal points share the place; seven hands won come before six."),
            "article": "D15",
        },
        {"place": 4, "name": NAMES[1], "cells": [312, 4, Fraction(892, 1204)], "tag": "reserve", "state": ""},
        {
            "place": "",
            "name": NAMES[3],
            "cells": [-60, None, Fraction(1264, 1204)],
            "tag": "excluded",
            "state": "out",
            "reason": _("Renounced the final and is out of the final ranking; those behind move up."),
            "article": "S8",
        },
    ]


def _gaps() -> list[dict[str, Any]]:
    heat = _("Heat %(number)s")
    return [
        {
            "order": 1,
            "name": NAMES[0],
            "heat": heat % {"number": 3},
            "points": 910,
            "winner_points": 980,
            "gap": Fraction(70, 980),
            "exact": "1/14",
            "decision": "repechage",
            "reason": _("Two places were left and this gap is the smallest."),
            "article": "S7",
        },
        {
            "order": 2,
            "name": NAMES[4],
            "heat": heat % {"number": 1},
            "points": 987,
            "winner_points": 1204,
            "gap": Fraction(217, 1204),
            "exact": "31/172",
            "decision": "substitute",
            "reason": _("Takes the place of a repeched player of another heat who renounced."),
            "article": "S8 D14",
        },
        {
            "order": 3,
            "name": NAMES[1],
            "heat": heat % {"number": 2},
            "points": -60,
            "winner_points": 0,
            "gap": None,
            "decision": "out",
            "reason": _("The winner of the heat has no positive score, so the gap is infinite."),
            "article": "D13",
        },
    ]


def _cell(points: int | None, total: int | None, **marks: Any) -> dict[str, Any]:
    return {"points": points, "total": total, "old": None, **marks}


def _sheet() -> dict[str, Any]:
    dealer, caller, called = {"dealer": True}, {"caller": True}, {"called": True}
    return {
        "id": "verbale",
        "title": _("Heat %(number)s") % {"number": 2},
        "subtitle": "Centrale",
        "state": "closed",
        "players": [{"name": name} for name in NAMES],
        "hands": [
            {
                "number": 1,
                "bid": 81,
                "made": 92,
                "outcome": _("won"),
                "cells": [
                    _cell(0, 0, **dealer),
                    _cell(81, 81, **caller),
                    _cell(0, 0),
                    _cell(81, 81, **called),
                    _cell(0, 0),
                ],
            },
            {
                "number": 2,
                "bid": 90,
                "made": 70,
                "outcome": _("lost"),
                "cells": [
                    _cell(-20, -20, **caller),
                    _cell(50, 131, **dealer),
                    _cell(50, 50),
                    _cell(50, 131),
                    _cell(-20, -20, **called),
                ],
            },
            {
                "number": 3,
                "bid": 74,
                "made": 61,
                "outcome": _("lost"),
                "state": "voided",
                "cells": [
                    _cell(59, None),
                    _cell(59, None),
                    _cell(-13, None, **caller, **dealer),
                    _cell(59, None, **called),
                    _cell(59, None),
                ],
                "reason": _("Disloyal raise, judged by the table after the hand: it is voided and repeated."),
                "article": "S18",
            },
            {
                "number": "",
                "label": _("penalty"),
                "bid": None,
                "made": None,
                "cells": [
                    _cell(None, -20),
                    _cell(None, 131),
                    _cell(-63, -13),
                    _cell(None, 131),
                    _cell(None, -20),
                ],
                "reason": _("First offence: 50 points, and the 13 points lost in the hand."),
                "article": "S18",
            },
            {
                "number": 4,
                "bid": 72,
                "made": 88,
                "old_bid": 71,
                "old_made": 88,
                "outcome": _("alone and won"),
                "state": "corrected",
                "cells": [
                    _cell(0, -20),
                    _cell(0, 131),
                    {**_cell(144, 131, **caller, **called, **dealer), "old": 142},
                    _cell(0, 131),
                    _cell(0, -20),
                ],
                "reason": _("The bid was 72, not 71: corrected by the referee before signing."),
                "article": "S11",
            },
        ],
        "totals": [-20, 131, 131, 131, -20],
    }
