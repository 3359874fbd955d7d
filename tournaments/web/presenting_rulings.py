"""The case list of a tournament: every ruling and every correction, with what it cost and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from gameplay.web.presenting_judging import decided_by_words
from scoring.rules.scoresheet import Award
from scoring.web.reasons import joined, void_reason
from scoring.web.sheet import content_in_words, correction_reasons, effect_of
from tournaments.queries.publications import Ruling
from tournaments.queries.tournament import TournamentView
from tournaments.web.presenting import Row, match_title, stage_title


def articles_of(ruling: Ruling) -> tuple[str, ...]:
    """The articles under which a case is found, as its tags show them."""
    seats = ruling.seats
    found = [effect_of(ruling.line, seats), *correction_reasons(ruling.line, seats)]
    if ruling.effect and ruling.effect.kind != "award":
        found.insert(0, void_reason(ruling.effect, ""))
    reason = joined(*found)
    return tuple(reason.article.split()) if reason else ()


def articles_counted(rulings: Sequence[Ruling]) -> list[tuple[str, int]]:
    """Articles with the number of their cases, the most frequent first."""
    counted = Counter(article for ruling in rulings for article in articles_of(ruling))
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def case_rows(view: TournamentView, rulings: Sequence[Ruling]) -> list[Row]:
    """Cases in the order played: where, who, what, what it costs, and the reasons behind it."""
    return [_case(view, ruling) for ruling in rulings]


def _case(view: TournamentView, ruling: Ruling) -> Row:
    line = ruling.line
    names = [view.name_of(code) for code in ruling.seats]
    effect = ruling.effect
    void = void_reason(effect, names[effect.offender]) if effect and effect.kind != "award" else None
    reason = joined(void, effect_of(line, names), *correction_reasons(line, names))
    kinds = {"suicidal_call": _("Suicidal call"), "disloyal_raise": _("Disloyal raise"), "award": _("Ruling")}
    where = _("hand %(number)s") % {"number": line.hand} if line.hand else _("between hands")
    return {
        "title": kinds[effect.kind] if effect else _("Correction"),
        "kind": "penalty" if effect else "corrected",
        "corrected": bool(line.replaced),
        "who": names[effect.offender] if effect else "",
        "points": effect.points if effect else None,
        "where": f"{stage_title(view, ruling.stage)} · {match_title(view, ruling.stage, ruling.heat)} · {where}",
        "href": f"{reverse('heat', args=[view.slug, ruling.stage, ruling.heat])}#line-{line.number}",
        "hand": "" if isinstance(line.content, Award) else content_in_words(line.content, names),
        "reason": reason.text if reason else "",
        "article": reason.article if reason else "",
        "by": decided_by_words(ruling.decided_by, ruling.by) if ruling.decided_by else "",
    }
