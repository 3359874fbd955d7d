"""Why a place is what it is: the rules' reasons put into a sentence and the article behind it."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.templatetags.look import percent, signed
from scoring.rules.penalties import Effect
from tournaments.rules.gaps import Gap
from tournaments.rules.heats import Placed
from tournaments.rules.qualification import Qualification, Substitution
from tournaments.rules.replay import FINAL, SECOND_FINAL, FinalPlace
from tournaments.rules.series import SeriesLine, Standing
from tournaments.rules.ties import UNPLACED


class Reason(NamedTuple):
    """A sentence in the active language and the ids of its articles, e.g. `S7 D13`."""

    text: str
    article: str


ORDINALS = {1: _("first"), 2: _("second"), 3: _("third"), 4: _("fourth"), 5: _("fifth")}
# Repechage is among these two only: heats send one or two on directly whenever seats are left over (D20).
POSITIONS = {2: _("the seconds of the heats"), 3: _("the thirds of the heats")}


def gap_in_words(gap: Gap) -> str:
    """`7.67%` in the reader's way of writing, or words for an infinite gap."""
    return gettext("an infinite gap") if gap.infinite else percent(gap.size)


def tie_reason(decided_by: str | None, values: tuple[Any, Any] | None, ahead: str) -> Reason | None:
    """Why somebody stands behind `ahead`, with whom he is level in what counts first."""
    if decided_by is None or values is None:
        return None
    theirs, own = values
    numbers = {"ahead": ahead, "theirs": theirs, "own": own}
    if decided_by == "hands_won":
        return Reason(gettext("Level with %(ahead)s, who won more hands: %(theirs)s to %(own)s.") % numbers, "D15")
    if decided_by == "golden_call":
        if own == 0:
            return Reason(gettext("Level with %(ahead)s, who won a call at %(theirs)s.") % numbers, "D15 D4")
        return Reason(
            gettext("Level with %(ahead)s, who won a higher call: %(theirs)s to %(own)s.") % numbers, "D15 D4"
        )
    if decided_by == "agp":
        if own == UNPLACED:
            return Reason(
                gettext("Level with %(ahead)s, who is number %(theirs)s of the A.G.P. ranking.") % numbers, "D15"
            )
        text = gettext(
            "Level with %(ahead)s, who stands higher in the A.G.P. ranking: number %(theirs)s against %(own)s."
        )
        return Reason(text % numbers, "D15")
    if decided_by == "points_per_hand":
        return Reason(gettext("Level with %(ahead)s, who made more points a hand.") % numbers, "D15")
    return Reason(gettext("Level with %(ahead)s, whose lot was drawn first.") % numbers, "D15")


def direct_reason(qualification: Qualification) -> Reason:
    """Why a place in the heat leads on directly."""
    count = qualification.plan.direct_per_heat
    text = ngettext(
        "Winner of the heat: a direct place.", "Among the first %(count)s of the heat: a direct place.", count
    )
    return Reason(text % {"count": count}, "D20")


def repechage_reason(placed: Placed, qualification: Qualification, *, qualified: bool) -> Reason:
    """Why a player of the next position goes on by percentage gap, or does not."""
    seats = qualification.plan.repechage
    values = {"whom": POSITIONS[placed.order], "gap": gap_in_words(placed.gap), "seats": seats}
    if qualified:
        text = ngettext(
            "One seat was left: of %(whom)s nobody has a smaller gap than %(gap)s.",
            "%(seats)s seats were left: of %(whom)s this is one of the smallest gaps, %(gap)s.",
            seats,
        )
    else:
        text = gettext("One of %(whom)s too, but others have a smaller gap than %(gap)s.")
    return Reason(text % values, "S7")


def eliminated_reason(placed: Placed) -> Reason:
    """Why a place in the heat leads nowhere."""
    return Reason(gettext("Eliminated: %(ordinal)s of the heat.") % {"ordinal": ORDINALS[placed.order]}, "D20")


def moved_up_reason(swap: Substitution, names: dict[str, str]) -> Reason:
    """Why somebody who had not qualified goes on after all."""
    return Reason(gettext("Goes on in place of %(out)s.") % {"out": names[swap.out]}, swap.article)


def substitution_reason(swap: Substitution, names: dict[str, str]) -> Reason:
    """Who moves up for whom, and by which rule."""
    values = {"out": names[swap.out], "into": names.get(swap.into or "", "")}
    if swap.into is None:
        return Reason(gettext("%(out)s renounced; fewer than five remain, so no second final.") % values, swap.article)
    if swap.role == "direct":
        text = gettext("%(out)s renounced; %(into)s, the next of the same heat, takes the direct place.")
    elif swap.article == "D14":
        text = gettext(
            "%(out)s moved up; the freed repechage place goes to %(into)s, the best excluded of another heat."
        )
    elif swap.role == "repechage":
        text = gettext("%(out)s renounced; %(into)s is the best excluded of another heat.")
    else:
        text = gettext("%(out)s renounced the second final; %(into)s is next in the overall order.")
    return Reason(text % values, swap.article)


def final_place_reason(place: FinalPlace) -> Reason:
    """Where a place of the final ranking comes from."""
    placed = place.decided.item
    if place.source == FINAL and placed.order == 1:
        return Reason(gettext("Winner of the final: champion."), "S8")
    values = {"ordinal": ORDINALS[placed.order], "gap": gap_in_words(placed.gap), "stage": place.stage}
    if place.source == FINAL:
        text = gettext("In the final: %(ordinal)s.")
    elif place.source == SECOND_FINAL:
        text = gettext("In the second final: %(ordinal)s.")
    else:
        text = gettext("Eliminated in stage %(stage)s: %(ordinal)s of the heat, %(gap)s behind its winner.")
    return Reason(text % values, "S8")


def series_reason(standing: Standing, ahead: str) -> Reason:
    """The editions that make up the points, line by line, and what decided against `ahead` at equal points."""
    text = " · ".join(_series_line(line) for line in standing.lines)
    if standing.decided_by == "best_place":
        text += ". " + gettext("Level with %(ahead)s, who has a better best place.") % {"ahead": ahead}
    elif standing.decided_by == "recent_best_place":
        text += ". " + gettext("Level with %(ahead)s, who reached the same best place later.") % {"ahead": ahead}
    return Reason(text, "AGP")


def _series_line(line: SeriesLine) -> str:
    if line.place is None:
        return gettext("edition %(edition)s: %(points)s") % {"edition": line.edition, "points": signed(line.adjustment)}
    place = {"edition": line.edition, "place": line.place, "points": signed(line.points - line.adjustment)}
    text = gettext("edition %(edition)s: number %(place)s, %(points)s") % place
    return f"{text} {signed(line.adjustment)}" if line.adjustment else text


def effect_reason(effect: Effect, name: str, lost: int) -> Reason:
    """What a ruling costs and what becomes of the hand."""
    values = {"name": name, "points": signed(effect.points), "lost": lost, "offence": effect.offence or 0}
    if effect.kind == "suicidal_call":
        return Reason(
            gettext("Suicidal call of %(name)s: %(points)s, of which %(lost)s lost in the hand; voided.") % values,
            "S17",
        )
    if effect.kind == "award":
        return Reason(gettext("Ruling on %(name)s: %(points)s.") % values, effect.article)
    if effect.admitted:
        text = gettext("Disloyal raise admitted by %(name)s, offence %(offence)s: %(points)s; voided and repeated.")
    else:
        text = gettext(
            "Disloyal raise of %(name)s, offence %(offence)s: %(points)s, of which %(lost)s lost; voided and repeated."
        )
    return Reason(text % values, "S18")
