"""Rulings of referees, and appeals to the Council of Guarantors (S2, S16, S19, D8)."""

from __future__ import annotations

from uuid import UUID

from core.refusal import Refusal
from gameplay.services.acting import REASON, Answer, Table, act, checked_reason, checked_text
from players.actor import Actor
from scoring.models import Appeal, Ruling
from scoring.rules.ruleset import ScoringRules
from scoring.rules.scoresheet import Award, Entry, check_content
from scoring.services import judging

ARTICLE = 40
LARGEST_AWARD = 10_000
"""Points that no ruling reaches: beyond them a finger slipped."""


def award(actor: Actor, match: UUID, *, seat: int, points: int, article: str, reason: str, key: str) -> Answer:
    """Points plus or minus to one seat by a referee's ruling; counts no hand (S2, S16, S19, D8).

    Answer: `{"ruling", "entry"}`. Refusals: `not_allowed`, `sheet_closed`, `seat_unknown`, `points_out_of_range`,
    `article_required`, `reason_required`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True)
        table.require_open()
        content = checked_award(table.rules, seat=seat, points=points, article=article, reason=reason)
        entry = judging.write(table.sheet, Entry(content))
        ruling = _rule(table, Ruling.Kind.AWARD, content.article, "", content.reason, entry=entry)
        return {"ruling": str(ruling.pk), "entry": entry.number}

    told = {"seat": seat, "points": points, "article": article, "reason": reason}
    return act(actor, match, "award", key, told, work)


def rule(actor: Actor, match: UUID, *, article: str, question: str, reason: str, key: str) -> Answer:
    """A referee's ruling that moves no points: what happened, what was decided and why (S2, S19, D8).

    Answer: `{"ruling"}`. Refusals: `not_allowed`, `sheet_closed`, `article_required`, `reason_required`,
    `words_too_long`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True)
        table.require_open()
        why = checked_reason(reason)
        asked = question.strip() and checked_text(question, length=REASON, code="words_too_long", pointer="/question")
        ruling = _rule(table, Ruling.Kind.DECISION, _article(article), asked, why)
        return {"ruling": str(ruling.pk)}

    return act(actor, match, "rule", key, {"article": article, "question": question, "reason": reason}, work)


def revoke(actor: Actor, match: UUID, *, ruling: UUID, reason: str, key: str) -> Answer:
    """A referee takes a referee's ruling back, and what it wrote, as long as the match is open and nobody appealed.

    What the table judged stays: there is no appeal (S17). Answer: `{"ruling": id of the revocation}`.
    Refusals: `not_allowed`, `sheet_closed`, `sheet_frozen`, `ruling_unknown`, `judged_by_players`, `appeal_open`,
    `appeal_decided`, `claim_open`, `proposal_pending`, `already_revoked`, `nothing_to_revoke`, `stale_entry`,
    `reason_required`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True)
        table.require_open()
        found = judging.ruling_of(table.sheet, ruling)
        if found.decided_by == Ruling.By.TABLE:
            raise Refusal("judged_by_players", article="S17")
        if not found.upheld:
            raise Refusal("nothing_to_revoke", article="S19", pointer="/ruling")
        judging.check_not_appealed(found)
        new = judging.revoke(
            table.scope,
            table.sheet,
            found,
            reason=checked_reason(reason),
            kind=Ruling.Kind.REVOCATION,
            decided_by=Ruling.By.REFEREE,
            person_id=actor.person,
            article="S2",
            question=found.reason,
        )
        return {"ruling": str(new.pk), "revokes": str(ruling)}

    return act(actor, match, "revoke", key, {"ruling": str(ruling), "reason": reason}, work)


def appeal(actor: Actor, match: UUID, *, ruling: UUID, reason: str, key: str) -> Answer:
    """Brings a referee's ruling before the council: by a player of the match, or its organiser (S19).

    Answer: `{"appeal"}`. Refusals: `not_allowed`, `ruling_unknown`, `no_appeal`, `already_revoked`, `appeal_open`,
    `appeal_decided`, `reason_required`.
    """

    def work(table: Table) -> Answer:
        table.require(staff=True, seat=True)
        found = judging.ruling_of(table.sheet, ruling)
        opened = judging.open_appeal(found, table.by, checked_reason(reason))
        return {"appeal": str(opened.pk)}

    return act(actor, match, "appeal", key, {"ruling": str(ruling), "reason": reason}, work)


def vote_appeal(actor: Actor, appeal: UUID, *, uphold: bool, key: str) -> Answer:
    """The vote of a guarantor who did not play the match. Four of seven decide; upheld, the ruling is revoked (S19).

    Answer: `{"appeal", "state"}`. Refusals: `not_allowed`, `party_to_appeal` (he ruled or appealed),
    `appeal_unknown`, `appeal_closed`, `already_voted`, `claim_open`, `proposal_pending`, `sheet_frozen`, `stale_entry`.
    """
    match = Appeal.objects.filter(pk=appeal).values_list("ruling__sheet", flat=True).first()
    if match is None:
        raise Refusal("appeal_unknown")

    def work(table: Table) -> Answer:
        if actor.person is None or not table.powers.council:
            raise Refusal("not_allowed")
        found = Appeal.objects.select_related("ruling").get(pk=appeal)
        if actor.person in (found.person_id, found.ruling.person_id):
            raise Refusal("party_to_appeal", article="S19")
        judging.vote_appeal(table.scope, table.sheet, found, actor.person, uphold=uphold)
        return {"appeal": str(appeal), "state": str(found.state)}

    return act(actor, match, "vote_appeal", key, {"appeal": str(appeal), "uphold": uphold}, work)


def checked_award(rules: ScoringRules, *, seat: int, points: int, article: str, reason: str) -> Award:
    """An award as it would be written. Refusals: as `award`, but for who asks and where."""
    content = Award(seat, points, _article(article), checked_reason(reason))
    if not 0 < abs(points) <= LARGEST_AWARD:
        raise Refusal("points_out_of_range", {"high": LARGEST_AWARD}, article="S16", pointer="/points")
    check_content(content, rules)
    return content


def _article(article: str) -> str:
    return checked_text(article, length=ARTICLE, code="article_required", pointer="/article", article="S19")


def _rule(table: Table, kind: str, article: str, question: str, reason: str, **values: object) -> Ruling:
    return judging.rule(
        table.scope,
        table.sheet,
        kind=kind,
        decided_by=Ruling.By.REFEREE,
        person_id=table.actor.person,
        article=article,
        question=question,
        reason=reason,
        **values,
    )
