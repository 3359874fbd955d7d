"""The clock of a match in words: nothing here knows a time, except what somebody who may see it asks for."""

from __future__ import annotations

from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.live import HALL
from gameplay.queries import MatchView
from gameplay.queries.clock import ClockView
from gameplay.rules.clock import Ending
from gameplay.web.presenting import Row
from players.models import Scope


def bell_row(match: UUID, table: str, *topics: str) -> Row:
    """A match for `components/bell.html`, which every page shows that has such rows as `bells` in its context.

    `topics`: the signals after which the page asks whether the bell has rung.
    """
    words = _("%(table)s: the bell has rung") % {"table": table}
    return {
        "id": str(match),
        "href": reverse("match_bell", args=[match]),
        "topic": " ".join(topics),
        "table": table,
        "words": words,
    }


def topics_of(view: MatchView) -> tuple[str, ...]:
    """What this viewer's pages of a match listen to: a stranger's stream has no topic of a table, only the hall's.

    One query for a stranger.
    """
    own = f"sheet:{view.id}"
    if view.powers.staff or view.powers.clock or view.powers.seat is not None:
        return (own,)
    in_tournament = Scope.objects.filter(pk=view.scope, kind=Scope.Kind.TOURNAMENT).exists()
    return (own, HALL) if in_tournament else (own,)


def bells_of(view: MatchView) -> list[Row]:
    """The bell of one match, for its own pages; none without a clock, nor when the match is closed."""
    if view.clock is None or view.state != "open":
        return []
    return [bell_row(view.id, view.table_name, *topics_of(view))]


def clock_for_page(view: MatchView, at: str) -> Row | None:
    """What `gameplay/clock_table.html` shows: how the match stands, and what this viewer may do about it.

    None for a match without a clock. `at`: `match`, `record` or `clock`, the page that it stands on. `blocks`: no
    hand can be written now. `question`: the hand that this viewer may be asked about (D21); `award`: the hand whose
    auction he may call awarded, `awarded` if it is.
    """
    clock = view.clock
    if clock is None or view.state == "frozen":
        return None
    is_open = view.state == "open"
    ending = clock.ending
    seated = view.powers.staff or view.powers.seat is not None
    due = view.next_hand
    plays = is_open and clock.state in ("running", "stopped") and not clock.interrupted
    return {
        **state_in_words(clock),
        "at": at,
        "blocks": is_open and (clock.state == "ready" or (ending is not None and (ending.question or ending.over))),
        "ready": is_open and clock.state == "ready" and not clock.interrupted,
        "starts": is_open and clock.state == "ready" and view.powers.clock,
        "suspended": is_open and clock.suspended,
        "question": ending.hand if is_open and ending is not None and ending.question and seated else None,
        "awards": plays and view.powers.records,
        "award": due,
        "can_award": not clock.suspended and view.claim is None and view.proposal is None,
        "awarded": clock.awarded == due,
        "keeps": is_open and view.powers.clock,
        "over": clock.over,
    }


def state_in_words(clock: ClockView) -> Row:
    """`mood`, `title`, `text`, `article`: how the match stands, and why."""
    ending = clock.ending
    if ending is not None:
        return _ending_in_words(clock, ending)
    if clock.state == "ready":
        text = _("Nobody plays before the start: from then on the hidden clock runs, and a bell ends the match.")
        return _told("", _("Not started yet"), text, "S9")
    if clock.suspended:
        stopped = clock.state == "stopped"
        clock_words = _("The clock is stopped.") if stopped else _("The clock could not be stopped and runs on.")
        return _told("warning", _("Suspended: %(reason)s") % {"reason": clock.because}, clock_words, "S10")
    return _told("", _("The clock runs"), _("Nobody at the table sees it; a bell ends the match."), "S9")


def _ending_in_words(clock: ClockView, ending: Ending) -> Row:
    if ending.why == "interrupted":
        text = _("A player retired, and Gingo is played by exactly five: the match counts as it stands.")
        if clock.interrupted == "replay":
            text = _("A player retired, and Gingo is played by exactly five: the match is played again.")
        return _told("warning", _("The match is interrupted"), text, "D8")
    if ending.question:
        title = _("The bell has rung: was the auction of hand %(hand)s awarded?") % {"hand": ending.hand}
        text = _("A hand whose auction was awarded is finished; any other is not played. Table or referee say so.")
        return _told("warning", title, text, "S9 D21")
    if ending.over:
        return _told("good", _("The bell has rung: the match is over"), _why_over(ending), _article(ending.why))
    title = _("The bell has rung: finish hand %(hand)s") % {"hand": ending.hand}
    return _told("warning", title, *_why_on(ending))


def _why_over(ending: Ending) -> str:
    hole = {"hand": ending.last, "next": (ending.last or 0) + 1}
    reasons = {
        "not_awarded": _("The auction of hand %(next)s was not awarded: it is not played."),
        "recovery": _("Hand %(hand)s was the recovery hand, and the last."),
        "repeat": _("Hand %(hand)s was played again, and was the last."),
    }
    return reasons.get(ending.why, _("Hand %(hand)s was the last.")) % hole


def _why_on(ending: Ending) -> tuple[str, str]:
    """The reason and its article, for a hand that is still played after the bell."""
    reasons = {
        "in_progress": _("Its auction was awarded before the bell: it is in progress. Then the match is over."),
        "called_at_120": _("It was called at 120, which nobody can raise: it is in progress. Then the match is over."),
        "repeat": _("A hand was annulled and is played again, after the bell too."),
        "recovery": _("One recovery hand was granted, because the clock could not be stopped."),
        "not_awarded": _("It was over before the bell, and was not written yet."),
    }
    return reasons[ending.why], _article(ending.why)


def _article(why: str) -> str:
    return {
        "in_progress": "S9",
        "not_awarded": "S9",
        "called_at_120": "D5",
        "repeat": "D6",
        "recovery": "S10 D7",
    }[why]


def _told(mood: str, title: str, text: str, article: str) -> Row:
    return {"mood": mood, "title": title, "text": text, "article": article}


def time_in_words(seconds: int) -> str:
    """A duration for who keeps the clock: minutes and seconds."""
    minutes, rest = divmod(max(seconds, 0), 60)
    hole = {"minutes": minutes, "seconds": f"{rest:02}"}
    return ngettext("%(minutes)s minute %(seconds)s", "%(minutes)s minutes %(seconds)s", minutes) % hole
