"""What is judged, in words: what a penalty costs before it is saved, who judges it, what came of it."""

from __future__ import annotations

from collections.abc import Iterable

from babel.lists import format_list
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from core.refusal import Refusal
from core.templatetags.look import signed
from gameplay.queries import ClaimView, MatchView, RulingView
from gameplay.web.presenting import Row, score_row, told, with_pass
from players.web.asking import sentence
from scoring.models import Ruling
from scoring.rules.penalties import Effect, judges
from scoring.rules.penalties import Ruling as Penalty
from scoring.rules.procedure import check_claim, hands_on
from scoring.rules.scoresheet import Entry, Line, Played, Scoresheet, fold
from scoring.web.reasons import Reason, award_reason, effect_reason, joined, void_reason

SUICIDAL, DISLOYAL = Ruling.Kind.SUICIDAL_CALL.value, Ruling.Kind.DISLOYAL_RAISE.value
CLAIMED: dict[str, Penalty] = {SUICIDAL: "suicidal_call", DISLOYAL: "disloyal_raise"}
ARTICLES = {SUICIDAL: "S17", DISLOYAL: "S18"}


def names_in_words(names: Iterable[str]) -> str:
    """`Ada, Bruno and Carla` in the active language."""
    return format_list(list(names), locale=(get_language() or "en").replace("-", "_"))


def kind_in_words(kind: str) -> str:
    """What a ruling or a claim is called."""
    return {
        SUICIDAL: _("Suicidal call"),
        DISLOYAL: _("Disloyal raise"),
        "award": _("Points by a ruling"),
        "void": _("Hand voided"),
        "decision": _("Ruling without points"),
        "reopened": _("Match opened again"),
        "revocation": _("Ruling taken back"),
        "appeal": _("Appeal"),
    }[kind]


# Effects


def tried(view: MatchView, entry: Entry, line: int | None = None) -> tuple[Scoresheet, Line]:
    """The sheet with one more entry and the line (number from 1, by default the last) that it would have written.

    Refusals: those of `fold`.
    """
    folded = fold((*view.entries, entry), view.rules, view.offences_before)
    return folded, folded.lines[-1 if line is None else line - 1]


def claimed(view: MatchView, line: int, kind: Penalty) -> tuple[Scoresheet, Line]:
    """The sheet if a claim on this line were upheld. Refusals: `not_a_played_hand`, those of `fold`."""
    content = view.sheet.lines[line - 1].content
    if not isinstance(content, Played):
        raise Refusal("not_a_played_hand", article="S17")
    return tried(view, Entry(Played(content.outcome, kind), view.line_entries[line - 1], "?"), line)


def effect_for_page(view: MatchView, folded: Scoresheet, line: Line) -> Row:
    """A penalty as `gameplay/_effect.html` shows it: `facts` (label, text, article) and the five `scores`."""
    effect = line.effect
    assert effect is not None  # who asks has folded a ruling
    name = view.players[effect.offender]
    lost = line.content.outcome.lost_points if isinstance(line.content, Played) else 0
    facts = [(_("Offence"), offence_in_words(view, effect), effect.article)] if effect.kind != "award" else []
    label = _("Points") if effect.kind == "award" else _("Cost")
    facts.append((label, _cost(effect, name, lost), "D10" if effect.offence else effect.article))
    hand_by = {SUICIDAL: "D18", DISLOYAL: effect.article}
    facts.append((_("The hand"), _hand(view, effect, folded), hand_by.get(effect.kind, "")))
    if effect.ledger:
        text = _("%(points)s for %(name)s, if the match belongs to one.") % {
            "points": signed(effect.ledger),
            "name": name,
        }
        facts.append((_("Standings of the tournament"), text, "D18"))
    return {
        "facts": [{"label": label, "text": text, "article": article} for label, text, article in facts],
        "scores": score_row(line, view.players, folded.totals),
    }


def offence_in_words(view: MatchView, effect: Effect) -> str:
    """`Second disloyal raise of Bruno in this match.`"""
    told = {"name": view.players[effect.offender], "count": effect.offence}
    if effect.kind == SUICIDAL:
        return _("Suicidal call of %(name)s.") % told
    if view.rules.offence_scope == "tournament":
        words = {
            1: _("First disloyal raise of %(name)s in this tournament."),
            2: _("Second disloyal raise of %(name)s in this tournament."),
            3: _("Third disloyal raise of %(name)s in this tournament."),
        }
        more = _("Disloyal raise number %(count)s of %(name)s in this tournament.")
    else:
        words = {
            1: _("First disloyal raise of %(name)s in this match."),
            2: _("Second disloyal raise of %(name)s in this match."),
            3: _("Third disloyal raise of %(name)s in this match."),
        }
        more = _("Disloyal raise number %(count)s of %(name)s in this match.")
    return words.get(effect.offence or 0, more) % told


def _cost(effect: Effect, name: str, lost: int) -> str:
    told = {"name": name, "points": signed(effect.points), "fixed": -effect.points - lost, "lost": lost}
    if lost:
        return _("%(points)s for %(name)s: %(fixed)s for the offence and %(lost)s lost in the hand.") % told
    return _("%(points)s for %(name)s.") % told


def _hand(view: MatchView, effect: Effect, folded: Scoresheet) -> str:
    dealer = {"name": view.players[folded.next_dealer]}
    if not effect.voided:
        return _("No hand is touched.")
    if effect.repeated:
        return _("Voided and repeated: nobody else scores, and %(name)s deals it again.") % dealer
    return _("Voided, not repeated: nobody else scores, and %(name)s deals next.") % dealer


def reasons_of(view: MatchView, line: Line) -> Reason | None:
    """What a ruling on a line of the sheet came to, as the sheet says it."""
    effect = line.effect
    if effect is None:
        return None
    name = view.players[effect.offender]
    if effect.kind == "award":
        return award_reason(effect, name, "")
    lost = line.content.outcome.lost_points if isinstance(line.content, Played) else 0
    return joined(void_reason(effect, name), effect_reason(effect, name, lost))


# Claims


def claimable(view: MatchView) -> Line | None:
    """The hand that was played last, None before the first."""
    hands = hands_on(view.sheet)
    return next((line for line in reversed(view.sheet.lines) if line.hand and line.hand == hands), None)


def why_not(view: MatchView, line: Line | None, kind: Penalty) -> Refusal | None:
    """Why this penalty cannot be claimed for the hand, None where it can."""
    if view.state != "open":
        return Refusal(f"sheet_{view.state}", article="S11")
    if line is None:
        return Refusal("not_a_played_hand", article="S17")
    if view.claim is not None:
        return Refusal("claim_open", article="S17")
    if view.proposal is not None:
        return Refusal("proposal_pending", article="S11")
    try:
        check_claim(line, hands_on(view.sheet), view.dealt, kind, view.rules)
    except Refusal as refusal:
        return refusal
    judged = any(
        claim.line == line.number and claim.kind == kind and claim.state in ("upheld", "rejected")
        for claim in view.claims
    )
    return Refusal("already_judged", article="S17") if judged else None


def who_judges(view: MatchView, line: Line) -> Reason:
    """Who would judge a claim on this hand, what a tie does, and that votes are secret."""
    assert isinstance(line.content, Played)  # nothing else is claimed
    caller, called, _bid, _made = line.content.outcome
    seats = judges(caller, called) if view.rules.judge_mode == "players" else ()
    return judges_in_words(view, seats)


def judges_in_words(view: MatchView, seats: Iterable[int]) -> Reason:
    """`seats`: who votes; none where the referee judges."""
    voting = [view.players[seat] for seat in seats]
    if not voting:
        return Reason(_("The referee judges, and says why. It can be brought before the Council of Guarantors."), "D9")
    who = _("%(names)s judge, without appeal: neither caller nor called.") % {"names": names_in_words(voting)}
    tie = _("Three of the four must uphold it; two against two rejects it.") if len(voting) == 4 else ""
    tie = tie or _("Two of the three must uphold it.")
    return Reason(f"{who} {tie} " + _("Nobody sees a vote before all have voted."), "S17 D9")


def claim_for_page(view: MatchView, claim: ClaimView) -> Row:
    """A claim as its page shows it, with no more than this viewer may know."""
    line = view.sheet.lines[claim.line - 1]
    content = view.entries[claim.entry].content
    assert isinstance(content, Played)  # nothing else is claimed
    penalty = CLAIMED[claim.kind]
    effect: Row | None = None
    if claim.state == "open":
        effect = effect_for_page(view, *claimed(view, claim.line, penalty))
    return {
        "headline": kind_in_words(claim.kind),
        "hand": line.hand,
        "words": told(view, content),
        "who": view.players[content.outcome.caller],
        "effect": effect,
        "judges": judges_in_words(view, claim.judges),
        "counted": _counted(claim),
        "votes": [
            {"name": with_pass(view.players[seat], claim.passes[seat]), "uphold": claim.votes[seat]}
            for seat in claim.judges
            if seat in claim.votes
        ]
        if claim.votes
        else [],
        "verdict": verdict_of(view, claim, line),
        "ruling": next((ruling for ruling in view.rulings if ruling.claim == claim.number), None),
    }


def _counted(claim: ClaimView) -> str:
    """How many have voted; never who, and never how."""
    if not claim.judges:
        return _("The referee has not decided yet.")
    told = {"voted": claim.voted, "judges": len(claim.judges)}
    return (
        ngettext(
            "%(voted)s of %(judges)s has voted.",
            "%(voted)s of %(judges)s have voted.",
            claim.voted,
        )
        % told
    )


def verdict_of(view: MatchView, claim: ClaimView, line: Line) -> Reason | None:
    """What was decided and why, None as long as it is open."""
    if claim.state == "withdrawn":
        return Reason(_("Withdrawn: “%(why)s” Nothing was judged.") % {"why": claim.withdrawn_because}, "")
    if claim.state == "open":
        return None
    article = ARTICLES[claim.kind]
    if claim.votes:
        ayes = sum(claim.votes.values())
        told = {"ayes": ayes, "noes": len(claim.votes) - ayes}
        if claim.state == "upheld":
            text = _("Upheld by the table, %(ayes)s to %(noes)s.")
        elif told["ayes"] == told["noes"]:
            text = _("Rejected by the table: %(ayes)s to %(noes)s is a tie, and a tie rejects.")
        else:
            text = _("Rejected by the table, %(noes)s to %(ayes)s.")
        article = f"{article} D9"
        decided = Reason(text % told, article)
    else:
        decided = Reason(
            _("Upheld by the referee.") if claim.state == "upheld" else _("Rejected by the referee."), article
        )
    if claim.state == "rejected":
        return joined(decided, Reason(_("The hand counts as it was played."), article))
    return joined(decided, reasons_of(view, line))


# Rulings


def decided_by_words(decided_by: str, name: str) -> str:
    """Who decided: `the table, by vote`, `the referee Rita`, `the Council of Guarantors`."""
    if decided_by == "table":
        return _("the table, by vote")
    if decided_by == "council":
        return _("the Council of Guarantors")
    return _("the referee %(name)s") % {"name": name} if name else _("the referee")


def outcome_in_words(ruling: RulingView) -> str:
    """What a claim or an appeal came to; "" for rulings that nobody asked for."""
    if ruling.kind not in (SUICIDAL, DISLOYAL, "appeal"):
        return ""
    return _("upheld") if ruling.upheld else _("rejected")


def appeal_in_words(ruling: RulingView) -> Reason | None:
    """Where an appeal against a ruling stands, with nothing finer than whole days."""
    states = {
        "upheld": _("The Council of Guarantors upheld the appeal: the ruling is taken back."),
        "rejected": _("The Council of Guarantors rejected the appeal: the ruling stands."),
        "lapsed": _("The Council of Guarantors did not decide in time: the ruling stands."),
    }
    if ruling.appeal_state == "open":
        return Reason(
            " ".join([_("Sub iudice: the Council of Guarantors decides."), days_in_words(ruling.days)]), "S19"
        )
    return Reason(states[ruling.appeal_state], "S19") if ruling.appeal_state else None


def days_in_words(days: int) -> str:
    """How long the council has, in whole days."""
    if days < 1:
        return _("Less than a day is left.")
    return ngettext("%(days)s whole day is left.", "%(days)s whole days are left.", days) % {"days": days}


def ruling_rows(rulings: Iterable[RulingView]) -> list[Row]:
    """Rulings in a list: `gameplay/_cases.html`."""
    return [
        {
            "ruling": ruling,
            "title": kind_in_words(ruling.kind),
            "by": decided_by_words(ruling.decided_by, ruling.by),
            "outcome": outcome_in_words(ruling),
            "appeal": appeal_in_words(ruling),
        }
        for ruling in rulings
    ]


def refused_words(refusal: Refusal | None) -> Row | None:
    """A refusal as a reason line."""
    return {"text": sentence(refusal), "article": refusal.article} if refusal else None
