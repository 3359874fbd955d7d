"""Figures and components as templates get them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django import forms
from django.template.loader import render_to_string
from django.utils import translation

from core.templatetags import look


@pytest.mark.parametrize(("value", "shown"), [(0, "0"), (7, "7"), (-7, "−7"), (-1204, "−1204"), ("", ""), ("–", "–")])
def test_score_has_a_true_minus(value, shown):
    assert look.score(value) == shown


@pytest.mark.parametrize(("value", "shown"), [(0, "0"), (91, "+91"), (-20, "−20")])
def test_signed_points(value, shown):
    assert look.signed(value) == shown


@pytest.mark.parametrize(
    ("value", "language", "shown"),
    [
        (Fraction(217, 1204), "en", "18.02%"),
        (Fraction(217, 1204), "it", "18,02%"),
        (Fraction(217, 1204), "tr", "%18,02"),
        (Fraction(0), "it", "0,00%"),
        (0, "en", "0.00%"),
        (Fraction(1264, 1204), "en", "104.98%"),
        (Fraction(1, 20000), "en", "0.01%"),  # half goes up, exactly
        (Fraction(1, 20001), "en", "0.00%"),
        (Fraction(1, 3), "it", "33,33%"),
        (None, "tr", "∞"),
    ],
)
def test_percentages_in_the_reader_s_language(value, language, shown):
    with translation.override(language):
        assert look.percent(value) == shown


def test_figures_of_a_table_cell():
    with translation.override("en"):
        assert [look.figure(v) for v in (-3, Fraction(1, 4), None, "S7")] == ["−3", "25.00%", "–", "S7"]


def render(name: str, **context: object) -> str:
    with translation.override("en"):
        return " ".join(render_to_string(f"components/{name}.html", context).split())


def test_reason_line_links_each_article_to_its_rule():
    html = render("reason", text="Smallest gap <b>", article="S7 D13", rules="/rules/")
    assert "Smallest gap &lt;b&gt;" in html
    assert 'href="/rules/#S7"' in html
    assert 'href="/rules/#D13"' in html


def test_reason_line_without_article_has_no_link():
    assert "<a" not in render("reason", text="Drawn by lot.")


def test_ranking_shows_shared_places_reasons_and_figures():
    rows = [
        {"place": 1, "name": "A", "cells": [-5, Fraction(1, 2)], "state": "first", "tag": "direct"},
        {"place": 2, "name": "B", "cells": [None, "x"], "reason": "Why B.", "article": "D15"},
    ]
    html = render("ranking", id="r", caption="C", columns=["Points", "Gap"], rows=rows)
    assert html.count('scope="row"') == 2
    assert "−5" in html
    assert "50.00%" in html
    assert html.count('class="reason"') == 1
    assert 'aria-labelledby="r-caption"' in html


def test_scoresheet_keeps_the_old_value_and_marks_the_roles():
    cell = {"points": 144, "total": 131, "old": 142, "dealer": True, "caller": True, "called": True}
    sheet = {
        "id": "s",
        "title": "T",
        "players": [{"name": "A"}],
        "hands": [{"number": 1, "bid": 72, "made": 88, "state": "corrected", "cells": [cell], "reason": "R"}],
        "totals": [-131],
    }
    html = render("scoresheet", sheet=sheet)
    assert "<del>" in html
    assert "+142</del>" in html
    assert "+144" in html
    assert "−131" in html
    assert all(f"#{mark}" in html for mark in ("dealer", "caller", "called"))
    assert "corrected" in html


def test_a_hand_without_old_value_has_no_deletion():
    cell = {"points": 0, "total": 0, "old": None}
    sheet = {
        "id": "s",
        "title": "T",
        "players": [{"name": "A"}],
        "hands": [{"number": 1, "bid": 61, "made": 61, "cells": [cell]}],
        "totals": [0],
    }
    assert "<del>" not in render("scoresheet", sheet=sheet)
    cell.pop("old")
    assert "<del>" not in render("scoresheet", sheet=sheet)


def test_a_field_names_itself_and_its_rule_in_the_error():
    class Form(forms.Form):
        bid = forms.IntegerField(label="Bid", min_value=61)

    html = render("field", field=Form({"bid": "58"})["bid"], article="S12")
    assert "Bid: Ensure this value is greater than or equal to 61." in html
    assert 'href="#S12"' in html
    assert 'aria-invalid="true"' in html
    assert 'id="id_bid_error"' in html
    assert 'aria-describedby="id_bid_error"' in html
