"""Why a place is what it is: the rules' reasons put into a sentence and the article behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from core.templatetags.look import MINUS, percent, signed
from scoring.web.reasons import Reason
from tournaments.queries.series import RankedPerson
from tournaments.rules.gaps import Gap
from tournaments.rules.heats import Placed
from tournaments.rules.qualification import Plan, Qualification, Substitution
from tournaments.rules.replay import FINAL, SECOND_FINAL, FinalPlace
from tournaments.rules.series import SeriesLine, Standing
from tournaments.rules.ties import UNPLACED

Names = Callable[[str], str]
"""The name behind a code."""

ORDINALS = {1: _("first"), 2: _("second"), 3: _("third"), 4: _("fourth"), 5: _("fifth")}
# Repechage is among these two only: heats send one or two on directly whenever seats are left over (D20).
POSITIONS = {2: _("the seconds of the heats"), 3: _("the thirds of the heats")}


def gap_in_words(gap: Gap) -> str:
    """`7.67%` in the reader's way of writing, or words for an infinite gap."""
    return gettext("an infinite gap") if gap.infinite else percent(gap.size)


def exact(value: Fraction) -> str:
    """`41/887` with a true minus, a whole number as it is."""
    return str(value).replace("-", MINUS)


def exact_and_decimal(value: Fraction) -> str:
    """`223/7 (31.86)`: exact, and for the eye."""
    if value.denominator == 1:
        return exact(value)
    hundredths = int(abs(value) * 100 + Fraction(1, 2))
    shown = number_format(f"{hundredths // 100}.{hundredths % 100:02d}", decimal_pos=2)
    return f"{exact(value)} ({MINUS if value < 0 else ''}{shown})"


def tie_reason(
    decided_by: str | None,
    values: tuple[Any, Any] | None,
    ahead: str,
    per_hand: tuple[Fraction, Fraction] | None = None,
) -> Reason | None:
    """Why somebody stands behind `ahead`, with whom he is level in what counts first.

    `per_hand`: points per hand of the two, where that can decide.
    """
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
            text = gettext(
                "Level with %(ahead)s, who is number %(theirs)s of the A.G.P. ranking; who is unranked comes after."
            )
        else:
            text = gettext(
                "Level with %(ahead)s, who stands higher in the A.G.P. ranking: number %(theirs)s against %(own)s."
            )
        return Reason(text % numbers, "D15")
    if decided_by == "points_per_hand" and per_hand:
        told = {"ahead": ahead, "theirs": exact_and_decimal(per_hand[0]), "own": exact_and_decimal(per_hand[1])}
        return Reason(
            gettext("Level with %(ahead)s, who made more points a hand: %(theirs)s to %(own)s.") % told, "D15"
        )
    return Reason(
        gettext("Level with %(ahead)s, whose lot was drawn earlier: number %(theirs)s against %(own)s.") % numbers,
        "D15",
    )


def plan_reason(heats: int, plan: Plan) -> Reason:
    """How many seats the next stage has, who takes them directly, and how many are left over."""
    values = {"heats": heats, "seats": plan.seats, "count": plan.direct_per_heat}
    if plan.final:
        seats = ngettext("%(heats)s heat: the final seats five.", "%(heats)s heats: the final seats five.", heats)
    else:
        seats = gettext(
            "%(heats)s heats: their winners are too many for one table, so the next stage has %(seats)s seats, "
            "the smallest multiple of five that seats them all."
        )
    direct = ngettext(
        "The winner of each heat goes on directly.",
        "The first %(count)s of each heat go on directly.",
        plan.direct_per_heat,
    )
    left = gettext("No seat is left over: there is no repechage.")
    if plan.repechage:
        left = ngettext(
            "One seat is left for the repechage among %(whom)s.",
            "%(count)s seats are left for the repechage among %(whom)s.",
            plan.repechage,
        ) % {"count": plan.repechage, "whom": POSITIONS[plan.direct_per_heat + 1]}
    return Reason(f"{seats % values} {direct % values} {left}", "D20")


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
    if not placed.gap.infinite:
        return Reason(text % values, "S7")
    behind = gettext("The winner of the heat has no points to measure by: %(points)s points behind him.") % {
        "points": placed.gap.size
    }
    return Reason(f"{text % values} {behind}", "S7 D13")


def eliminated_reason(placed: Placed) -> Reason:
    """Why a place in the heat leads nowhere."""
    return Reason(gettext("Eliminated: %(ordinal)s of the heat.") % {"ordinal": ORDINALS[placed.order]}, "D20")


def withdrawal_reason(target: str) -> Reason:
    """Why somebody who had qualified is in no ranking: he renounced `final`, `second_final` or `heats:K`."""
    if target == FINAL:
        return Reason(gettext("Renounced the final: not ranked, and those behind move up."), "S8")
    if target == SECOND_FINAL:
        return Reason(gettext("Renounced the second final: not ranked, and those behind move up."), "D16")
    return Reason(gettext("Renounced the next stage: not ranked, and those behind move up."), "D16")


def moved_up_reason(swap: Substitution, name: Names) -> Reason:
    """Why somebody who had not qualified goes on after all."""
    return Reason(gettext("Goes on in place of %(out)s.") % {"out": name(swap.out)}, swap.article)


def substitution_reason(swap: Substitution, name: Names) -> Reason:
    """Who moves up for whom, and by which rule."""
    values = {"out": name(swap.out), "into": name(swap.into) if swap.into else ""}
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
    elif placed.gap.infinite:
        values["points"] = str(placed.gap.size)
        text = gettext(
            "Eliminated in stage %(stage)s: %(ordinal)s of a heat whose winner had no points, "
            "%(points)s points behind him."
        )
        return Reason(text % values, "S8 D13")
    else:
        text = gettext("Eliminated in stage %(stage)s: %(ordinal)s of the heat, %(gap)s behind its winner.")
    return Reason(text % values, "S8")


def ledger_reason(points: int) -> Reason:
    """What a suicidal call costs in the standings of the tournament (D18)."""
    return Reason(gettext("In the standings ledger: %(points)s.") % {"points": signed(points)}, "D18")


def series_reason(standing: Standing | RankedPerson, ahead: str) -> Reason:
    """The editions that make up the points, line by line, and what decided against `ahead` at equal points."""
    text = " · ".join(_series_line(line) for line in standing.lines)
    told: Mapping[str, object] = {"ahead": ahead, "shared": standing.shared}
    if standing.decided_by == "best_place":
        text += ". " + gettext("Level with %(ahead)s, who has a better best place.") % told
    elif standing.decided_by == "recent_best_place":
        text += ". " + gettext("Level with %(ahead)s, who reached the same best place later.") % told
    elif standing.shared != standing.rank:
        text += ". " + gettext("Level with %(ahead)s in everything: both count as number %(shared)s.") % told
    return Reason(text, "AGP")


def _series_line(line: SeriesLine) -> str:
    if line.place is None:
        return gettext("edition %(edition)s: %(points)s") % {"edition": line.edition, "points": signed(line.adjustment)}
    place = {"edition": line.edition, "place": line.place, "points": signed(line.points - line.adjustment)}
    text = gettext("edition %(edition)s: number %(place)s, %(points)s") % place
    return f"{text} {signed(line.adjustment)}" if line.adjustment else text


def moved_words(gained: int | None) -> str:
    """Ranks won or lost, in words."""
    if gained is None:
        return gettext("new")
    if gained > 0:
        return ngettext("up %(count)s", "up %(count)s", gained) % {"count": gained}
    if gained < 0:
        return ngettext("down %(count)s", "down %(count)s", -gained) % {"count": -gained}
    return gettext("same")
