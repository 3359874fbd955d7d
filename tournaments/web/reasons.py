"""Why a place is what it is: the rules' reasons put into a sentence and the article behind it."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.templatetags.look import percent, signed
from scoring.rules.penalties import Effect
from tournaments.rules.gaps import Gap
from tournaments.rules.heats import Placed
from tournaments.rules.qualification import Qualification, Substitution
from tournaments.rules.replay import FINAL, HEATS, SECOND_FINAL, FinalPlace
from tournaments.rules.series import SeriesLine, Standing
from tournaments.rules.ties import UNPLACED


class Reason(NamedTuple):
    """A sentence in the active language and the ids of its articles, e.g. `S7 D13`."""

    text: str
    article: str


def gap_in_words(gap: Gap) -> str:
    """`7.67%` in the reader's way of writing, or words for an infinite gap."""
    return _("an infinite gap") if gap.infinite else percent(gap.size)


def tie_reason(decided_by: str | None, values: tuple[Any, Any] | None, ahead: str) -> Reason | None:
    """Why somebody stands behind `ahead`, with whom he is level in what counts first."""
    if decided_by is None or values is None:
        return None
    theirs, own = values
    numbers = {"ahead": ahead, "theirs": theirs, "own": own}
    if decided_by == "hands_won":
        return Reason(_("Level with %(ahead)s, who won more hands: %(theirs)s to %(own)s.") % numbers, "D15")
    if decided_by == "golden_call":
        if own == 0:
            return Reason(_("Level with %(ahead)s, who won a call at %(theirs)s.") % numbers, "D15 D4")
        return Reason(_("Level with %(ahead)s, who won a higher call: %(theirs)s to %(own)s.") % numbers, "D15 D4")
    if decided_by == "agp":
        if own == UNPLACED:
            return Reason(_("Level with %(ahead)s, who is number %(theirs)s of the A.G.P. ranking.") % numbers, "D15")
        text = _("Level with %(ahead)s, who stands higher in the A.G.P. ranking: number %(theirs)s against %(own)s.")
        return Reason(text % numbers, "D15")
    if decided_by == "points_per_hand":
        return Reason(_("Level with %(ahead)s, who made more points a hand.") % numbers, "D15")
    return Reason(_("Level with %(ahead)s, whose lot was drawn first.") % numbers, "D15")


def direct_reason(qualification: Qualification) -> Reason:
    """Why a place in the heat leads on directly."""
    count = qualification.plan.direct_per_heat
    text = ngettext(
        "Winner of the heat: a direct place.", "Among the first %(count)s of the heat: a direct place.", count
    )
    return Reason(text % {"count": count}, "D20")


def repechage_reason(placed: Placed, qualification: Qualification, *, qualified: bool) -> Reason:
    """Why a player of the next position goes on by percentage gap, or does not."""
    values = {"position": placed.order, "gap": gap_in_words(placed.gap)}
    if qualified:
        text = ngettext(
            "One seat was left; among those placed number %(position)s this is the smallest gap, %(gap)s.",
            "%(seats)s seats were left; among those placed number %(position)s %(gap)s is one of the smallest gaps.",
            qualification.plan.repechage,
        )
        return Reason(text % {**values, "seats": qualification.plan.repechage}, "S7")
    return Reason(
        _("Number %(position)s of the heat like the others, but %(gap)s behind its winner: too far.") % values, "S7"
    )


def substitution_reason(swap: Substitution, names: dict[str, str]) -> Reason:
    """Who moves up for whom, and by which rule."""
    values = {"out": names[swap.out], "into": names.get(swap.into or "", "")}
    if swap.into is None:
        return Reason(_("%(out)s renounced; fewer than five remain, so no second final.") % values, swap.article)
    if swap.role == "direct":
        text = _("%(out)s renounced; %(into)s, the next of the same heat, takes the direct place.")
    elif swap.article == "D14":
        text = _("%(out)s moved up; the freed repechage place goes to %(into)s, the best excluded of another heat.")
    elif swap.role == "repechage":
        text = _("%(out)s renounced; %(into)s is the best excluded of another heat.")
    else:
        text = _("%(out)s renounced the second final; %(into)s is next in the overall order.")
    return Reason(text % values, swap.article)


def final_place_reason(place: FinalPlace) -> Reason:
    """Where a place of the final ranking comes from."""
    placed = place.decided.item
    if place.source == FINAL:
        if placed.order == 1:
            return Reason(_("Winner of the final: champion."), "S8")
        return Reason(_("Number %(order)s of the final.") % {"order": placed.order}, "S8")
    if place.source == SECOND_FINAL:
        return Reason(_("Number %(order)s of the second final.") % {"order": placed.order}, "S8")
    assert place.source == HEATS
    values = {"order": placed.order, "gap": gap_in_words(placed.gap), "stage": place.stage}
    return Reason(
        _("Eliminated in stage %(stage)s as number %(order)s of the heat, %(gap)s behind its winner.") % values, "S8"
    )


def series_reason(standing: Standing) -> Reason:
    """The editions that make up the points, line by line."""
    lines = " · ".join(_series_line(line) for line in standing.lines)
    return Reason(lines, "D15" if standing.decided_by else "S6")


def _series_line(line: SeriesLine) -> str:
    if line.place is None:
        return _("edition %(edition)s: %(points)s") % {"edition": line.edition, "points": signed(line.adjustment)}
    place = {"edition": line.edition, "place": line.place, "points": signed(line.points - line.adjustment)}
    text = _("edition %(edition)s: number %(place)s, %(points)s") % place
    return f"{text} {signed(line.adjustment)}" if line.adjustment else text


def effect_reason(effect: Effect, name: str, lost: int) -> Reason:
    """What a ruling costs and what becomes of the hand."""
    values = {"name": name, "points": signed(effect.points), "lost": lost, "offence": effect.offence or 0}
    if effect.kind == "suicidal_call":
        return Reason(
            _("Suicidal call of %(name)s: %(points)s, of which %(lost)s lost in the hand; voided.") % values, "S17"
        )
    if effect.kind == "award":
        return Reason(_("Ruling on %(name)s: %(points)s.") % values, effect.article)
    if effect.admitted:
        text = _("Disloyal raise admitted by %(name)s, offence %(offence)s: %(points)s; voided and repeated.")
    else:
        text = _(
            "Disloyal raise of %(name)s, offence %(offence)s: %(points)s, of which %(lost)s lost; voided and repeated."
        )
    return Reason(text % values, "S18")
