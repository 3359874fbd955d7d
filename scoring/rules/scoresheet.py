"""The scoresheet (verbale): append-only entries folded into lines, totals and what the tie chain needs (S11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from core.refusal import Refusal
from scoring.rules.hands import NO_POINTS, SEATS, HandOutcome, Points, check_bid, check_outcome, hand_points
from scoring.rules.penalties import Effect, Ruling, disloyal_raise, suicidal_call
from scoring.rules.ruleset import ScoringRules


class Played(NamedTuple):
    """A hand played to its end, perhaps with a ruling that was upheld against its caller."""

    outcome: HandOutcome
    ruling: Ruling | None = None


class Admitted(NamedTuple):
    """A disloyal raise admitted before play (S18 a): the hand was not played."""

    caller: int
    bid: int


class Award(NamedTuple):
    """Points plus or minus to one seat by a ruling (S2, S16, S19, D8); not a hand."""

    seat: int
    points: int
    article: str
    reason: str


class Voided(NamedTuple):
    """A hand annulled by a ruling, or an award taken back: nobody scores. `repeated`: the same dealer again."""

    repeated: bool = False


Content = Played | Admitted | Award | Voided


class Entry(NamedTuple):
    """One thing written down, never erased. `replaces`: position of the entry that this one corrects, with why."""

    content: Content
    replaces: int | None = None
    reason: str = ""


class SeatTotals(NamedTuple):
    """Old matches of which nothing but totals survives: points by seat, scored hands, points of the standings ledger.

    `adjustments` has None for a seat that no ruling touched (D18).
    """

    points: Points
    hands_played: int
    adjustments: tuple[int | None, ...]


class GoldenCall(NamedTuple):
    """The highest bid won in a match, the earliest of equals (D4)."""

    seat: int
    bid: int
    solo: bool


class Line(NamedTuple):
    """One row of the sheet: what holds now, what it replaced (oldest first), its points and the running totals.

    `dealer` is None for an award; `hand` counts the sheet's hands, repeats included, from 1.
    """

    number: int
    hand: int | None
    dealer: int | None
    content: Content
    replaced: tuple[Entry, ...]
    reason: str
    effect: Effect | None
    points: Points
    totals: Points


class Scoresheet(NamedTuple):
    """A folded sheet. By seat: totals, hands won, best call won (0: none), offences in this match.

    `ledger`: a pair (seat, points) for each ruling that touches the standings of the tournament (D18).
    """

    lines: tuple[Line, ...]
    totals: Points
    hands_played: int
    hands_voided: int
    hands_won: Points
    best_calls: Points
    golden_call: GoldenCall | None
    ledger: tuple[tuple[int, int], ...]
    offences: Points
    next_dealer: int


def append_entry(entries: Sequence[Entry], entry: Entry, rules: ScoringRules) -> tuple[Entry, ...]:
    """The sheet with one more entry, if it may be written.

    Refusals: `bid_out_of_range`, `made_out_of_range`, `seat_unknown`; for corrections (S11) `reason_required`,
    `entry_unknown`, `entry_already_replaced`, `correction_changes_kind`. Rulings are checked by the fold, which
    alone knows the offence count.
    """
    check_content(entry.content, rules)
    if entry.replaces is not None:
        _check_correction(entries, entry)
    grown = (*entries, entry)
    fold(grown, rules)
    return grown


def check_content(content: Content, rules: ScoringRules) -> None:
    """Numbers and seats of one entry. Refusals: `bid_out_of_range`, `made_out_of_range`, `seat_unknown`."""
    match content:
        case Played(outcome):
            seats: tuple[int, ...] = (outcome.caller, outcome.called)
            check_outcome(outcome, rules)
        case Admitted(caller, bid):
            seats = (caller,)
            check_bid(bid, rules)
        case Award():
            seats = (content.seat,)
        case _:  # Voided
            seats = ()
    for seat in seats:
        if not 0 <= seat < SEATS:
            raise Refusal("seat_unknown", {"seat": seat}, article="S1")


def _check_correction(entries: Sequence[Entry], entry: Entry) -> None:
    if not entry.reason:
        raise Refusal("reason_required", article="S11", pointer="/reason")
    old = entry.replaces
    if old is None or not 0 <= old < len(entries):
        raise Refusal("entry_unknown", article="S11", pointer="/replaces")
    if any(other.replaces == old for other in entries):
        raise Refusal("entry_already_replaced", article="S11", pointer="/replaces")
    if not isinstance(entry.content, Voided):
        first = entries[old]
        while first.replaces is not None:
            first = entries[first.replaces]
        if isinstance(first.content, Award) != isinstance(entry.content, Award):
            raise Refusal("correction_changes_kind", article="S11", pointer="/content")


def lines_of(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Entries by line in the order of the lines; inside a line the oldest first."""
    lines: list[list[Entry]] = []
    line_of: list[list[Entry]] = []
    for entry in entries:
        if entry.replaces is None:
            lines.append([])
            line = lines[-1]
        else:
            line = line_of[entry.replaces]
        line.append(entry)
        line_of.append(line)
    return lines


def fold(entries: Iterable[Entry], rules: ScoringRules, offences_before: Points = NO_POINTS) -> Scoresheet:
    """The whole sheet from its entries, always from the first (about thirty hands).

    `offences_before`: disloyal raises by seat that count from earlier stages (`offence_scope` tournament).
    Refusals of the rulings at `/<line index>/ruling`: `suicidal_needs_lost_hand`, `disloyal_needs_higher_bid`.
    """
    lines: list[Line] = []
    totals, won, best = [0] * SEATS, [0] * SEATS, [0] * SEATS
    offences = list(NO_POINTS)
    ledger: list[tuple[int, int]] = []
    golden: GoldenCall | None = None
    hand = dealer = played = voided = 0

    for number, written in enumerate(lines_of(entries), start=1):
        entry = written[-1]
        content = entry.content
        is_hand = not isinstance(written[0].content, Award)
        try:
            effect, points = _judge(content, rules, offences_before, offences)
        except Refusal as refusal:
            raise refusal.at(f"/{number - 1}") from None
        for seat in range(SEATS):
            totals[seat] += points[seat]
        repeated = False
        if is_hand:
            hand += 1
        if effect is not None:
            repeated = effect.repeated
            if effect.kind == "suicidal_call":
                ledger.append((effect.offender, effect.ledger))
        if isinstance(content, Played) and effect is None:
            played += 1
            outcome = content.outcome
            if outcome.won:
                for seat in {outcome.caller, outcome.called}:
                    won[seat] += 1
                best[outcome.caller] = max(best[outcome.caller], outcome.bid)
                if golden is None or outcome.bid > golden.bid:
                    golden = GoldenCall(outcome.caller, outcome.bid, outcome.solo)
        elif is_hand:
            voided += 1
            repeated = repeated or (isinstance(content, Voided) and content.repeated)
        lines.append(
            Line(
                number,
                hand if is_hand else None,
                dealer if is_hand else None,
                content,
                tuple(written[:-1]),
                entry.reason,
                effect,
                points,
                tuple(totals),
            )
        )
        if is_hand and not repeated:
            dealer = (dealer + 1) % SEATS  # S5: the deal moves to the right
    return Scoresheet(
        tuple(lines),
        tuple(totals),
        played,
        voided,
        tuple(won),
        tuple(best),
        golden,
        tuple(ledger),
        tuple(offences),
        dealer,
    )


def _judge(content: Content, rules: ScoringRules, before: Points, offences: list[int]) -> tuple[Effect | None, Points]:
    """Effect and points of one line; a disloyal raise adds to `offences`."""
    effect: Effect | None
    match content:
        case Played(outcome, None):
            return None, hand_points(outcome)
        case Played(outcome, "suicidal_call"):
            effect = suicidal_call(outcome, rules)
        case Played(outcome, _):
            offence = before[outcome.caller] + offences[outcome.caller] + 1
            effect = disloyal_raise(outcome.caller, outcome.bid, rules, offence=offence, outcome=outcome)
        case Admitted(caller, bid):
            effect = disloyal_raise(caller, bid, rules, offence=before[caller] + offences[caller] + 1)
        case Award():
            effect = Effect("award", content.seat, content.points, content.article, voided=False)
        case _:  # Voided
            return None, NO_POINTS
    if effect.kind == "disloyal_raise":
        offences[effect.offender] += 1
    return effect, tuple(effect.points if seat == effect.offender else 0 for seat in range(SEATS))
