"""Why a line of a scoresheet is what it is: what the rules decided, as a sentence with the article behind it."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from core.templatetags.look import score, signed
from scoring.rules.penalties import Effect

ARTICLES = frozenset({*(f"S{number}" for number in range(1, 20)), *(f"D{number}" for number in range(1, 22)), "AGP"})
"""Every article that the page of the rules explains."""


class Reason(NamedTuple):
    """A sentence in the active language and the ids of its articles, e.g. `S7 D13`."""

    text: str
    article: str


def joined(*found: Reason | None) -> Reason | None:
    """Several reasons as one, each article once; None where there is none."""
    given = [reason for reason in found if reason]
    if not given:
        return None
    articles = dict.fromkeys(article for reason in given for article in reason.article.split())
    return Reason(" ".join(reason.text for reason in given), " ".join(articles))


def void_reason(effect: Effect, name: str) -> Reason:
    """Why a hand is struck through, and who deals next."""
    if effect.kind == "suicidal_call":
        return Reason(
            gettext("Suicidal call of %(name)s: the hand is voided and the deal moves on.") % {"name": name}, "S17 D18"
        )
    if effect.admitted:
        text = gettext("Disloyal raise admitted by %(name)s before play: the hand is voided and repeated.")
    else:
        text = gettext("Disloyal raise of %(name)s, judged after the hand: it is voided and repeated.")
    return Reason(text % {"name": name}, "S18")


def effect_reason(effect: Effect, name: str, lost: int, why: str = "") -> Reason:
    """What a ruling costs. `lost`: points lost in the hand; `why`: what an award says for itself."""
    values = {
        "name": name,
        "points": signed(effect.points),
        "lost": lost,
        "offence": effect.offence or 0,
        "ledger": signed(effect.ledger),
    }
    if effect.kind == "suicidal_call":
        text = gettext(
            "%(name)s: %(points)s, of which %(lost)s lost in the hand, "
            "and %(ledger)s in the standings of the tournament."
        )
        return Reason(text % values, "S17 D18")
    if effect.kind == "award":
        return award_reason(effect, name, why)
    if effect.admitted:
        text = gettext("%(name)s, offence %(offence)s: %(points)s.")
    else:
        text = gettext("%(name)s, offence %(offence)s: %(points)s, of which %(lost)s lost in the hand.")
    return Reason(text % values, "S18 D10")


def award_reason(effect: Effect, name: str, why: str) -> Reason:
    """Points by a ruling. Its article may be one of a club's own rules, which no page of ours explains."""
    words = effect.article.split()
    known = all(word in ARTICLES for word in words)
    values = {"name": name, "points": signed(effect.points), "why": why, "article": effect.article}
    if known:
        text = (
            gettext("Ruling on %(name)s: %(points)s. “%(why)s”") if why else gettext("Ruling on %(name)s: %(points)s.")
        )
        return Reason(text % values, " ".join(words))
    text = gettext("Ruling on %(name)s by “%(article)s”: %(points)s. “%(why)s”")
    return Reason(text % values, "S19")


def points_in_words(points: int) -> str:
    """`−270 points`."""
    return ngettext("%(points)s point", "%(points)s points", abs(points)) % {"points": score(points)}
