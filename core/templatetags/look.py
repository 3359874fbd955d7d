"""Figures and small marks for every page: true minus, signs, exact percentages, icons, links to the rules."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache

from babel import Locale
from babel.dates import format_date
from babel.numbers import NumberPattern, parse_pattern
from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import get_language

register = template.Library()

MINUS = "−"
INFINITE = "∞"
_ARTICLE = re.compile(r"[SD][0-9]{1,2}|AGP")


@register.filter
def score(value: int) -> str:
    """A score with a true minus sign (U+2212); anything that is no int is printed as it is."""
    if isinstance(value, int) and value < 0:
        return f"{MINUS}{-value}"
    return str(value)


@register.filter
def signed(value: int) -> str:
    """Points of one hand: `+91`, `−20`, `0`."""
    if isinstance(value, int) and value > 0:
        return f"+{value}"
    return score(value)


@register.filter
def percent(value: Fraction | int | None) -> str:
    """An exact ratio as a percentage with two decimals in the reader's language; None is infinite (D13)."""
    if value is None:
        return INFINITE
    hundredths = Decimal(value.numerator * 100) / Decimal(value.denominator)
    rounded = hundredths.quantize(Decimal("0.01"), ROUND_HALF_UP) / 100
    locale, pattern = _two_decimals(get_language() or "en")
    return pattern.apply(rounded, locale).replace("-", MINUS)


@cache
def _two_decimals(language: str) -> tuple[Locale, NumberPattern]:
    """The language's own percent pattern (18,42% or %18,42) with exactly two decimals."""
    locale = Locale.parse(language, sep="-")
    return locale, parse_pattern(locale.percent_formats[None].pattern.replace("#,##0", "#,##0.00"))


@register.filter
def day(value: date) -> str:
    """A day as people write it: `16 maggio 2026`, `16 Mayıs 2026`, `May 16, 2026`."""
    return format_date(value, "long", locale=get_language() or "en")


@register.filter
def moment(value: datetime) -> str:
    """A day and a time of the house's own time zone: `16 maggio 2026, 18:05`."""
    local = localtime(value)
    return f"{format_date(local, 'long', locale=get_language() or 'en')}, {local:%H:%M}"


@register.filter
def figure(value: object) -> str:
    """A table cell: ints as scores, fractions as percentages, None as a dash, text as it is."""
    if value is None:
        return "–"
    if isinstance(value, Fraction):
        return percent(value)
    return score(value) if isinstance(value, int) else str(value)


@register.filter
def articles(value: str | None) -> list[str]:
    """The articles of a reason: `"S7 D13"` -> `["S7", "D13"]`. None for the rule of a club, which no page explains."""
    words = (value or "").split()
    return words if all(map(_ARTICLE.fullmatch, words)) else []


@register.simple_tag
def icon(name: str, css: str = "") -> SafeString:
    """One glyph of the sprite, hidden from screen readers: a word stands beside it."""
    return format_html(
        '<svg class="icon {}" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><use href="{}#{}"/></svg>',
        css,
        static("icons/sprite.svg"),
        name,
    )
