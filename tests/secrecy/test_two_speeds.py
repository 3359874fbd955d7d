"""The same day at one and at two speeds of the clock: a player, a spectator and a stranger get the same bytes (S9)."""

from datetime import timedelta

import pytest
from django.urls import reverse

from core.clock import database_now
from gameplay.models import Match
from gameplay.queries import match as match_queries
from gameplay.services import clock, ringing
from players.services import create_people
from tests.secrecy.worlds import Viewer, Wire, differences, world
from tests.tournaments.evening import Evening
from tournaments.services import finals, running

pytestmark = pytest.mark.django_db

MINUTES = {1: 120, 2: 60}


def pages(evening, stage):
    """What a viewer may ask for: the house, the tournament, its tables, its files."""
    slug = evening.slug
    of_day = ("tournament", "hall", "draw", "ranking", "agp", "tournament_rules", "rulings", "versions", "prints")
    found = [reverse("home"), reverse("calendar"), reverse("cases"), reverse("matches"), reverse("day", args=[slug])]
    found += [reverse(name, args=[slug]) for name in of_day]
    found += [reverse("tournament_file", args=[slug]), reverse("bell_device"), reverse("recovery")]
    for number in range(1, stage + 1):
        found += [reverse("stage", args=[slug, number]), reverse("repechage", args=[slug, number])]
        for heat in evening.heats(number):
            found.append(reverse("heat", args=[slug, number, heat.number]))
            names = ("match", "table", "match_bell", "record_hand", "match_clock", "sign_match", "record_grid")
            found += [reverse(name, args=[heat.sheet_id]) for name in names]
    return found


LOOKS = ("start", "suspended", "award", "bell", "signed", "finals")
"""When everybody looks at everything."""


def the_day(speed, callbacks, looks=LOOKS, reveal=0):
    """A day of ten players whose matches last 120 minutes divided by `speed`; what everybody got, and the live bus.

    `reveal`: how often the keeper looks at the time after each step.
    """
    wire, heard = Wire(), []
    with world() as time:
        with callbacks(execute=True):
            evening = Evening(10, match_minutes=120, second_final=False)
            evening.enter()
            evening.draw()
            evening.seats(1)
        one, two = evening.sheets(1)
        Match.objects.filter(pk__in=[one, two]).update(length=MINUTES[speed] * 60)
        viewers = {
            "stranger": Viewer("stranger"),
            "spectator": Viewer("spectator", create_people(["Spectator"])[0].pk),
            "player": Viewer("player", evening.seat(one, 0).person),
        }
        wire.hear()
        rung = []
        stop = {"clock_stopped": True, "reason": "light"}
        # What happens, and so many minutes of the slower day before it.
        steps = (
            ("start", 10, lambda: evening.start(1)),
            ("hands", 30, lambda: (evening.play(one, 3), evening.play(two, 2))),
            ("suspended", 5, lambda: evening.at(one, clock.suspend_match, **stop)),
            ("resumed", 20, lambda: evening.at(one, clock.resume_match)),
            ("award", 10, lambda: evening.at(two, clock.award_auction, hand=3)),
            ("bell", 200, lambda: rung.extend(ringing.ring_due(database_now()))),
            ("answer", 2, lambda: evening.at(one, clock.answer_bell, how="awarded")),
            ("last hands", 10, lambda: (evening.play(one, 1), evening.play(two, 1))),
            ("signed", 5, lambda: (evening.sign(one), evening.sign(two))),
            ("closed", 5, lambda: evening.do(running.close_stage)),
            ("finals", 5, lambda: evening.do(finals.open_finals, names=("Finale", "Seconda"))),
        )
        for name, after, work in steps[: 1 + max(at for at, step in enumerate(steps) if step[0] in looks)]:
            time.pass_(timedelta(minutes=after) / speed)
            with callbacks(execute=True):
                work()
                for _ in range(reveal if name != "closed" else 0):
                    clock.reveal_time(evening.referees[0], one)
            heard.append((name, "live", repr(wire.hear()).encode()))
            for viewer in viewers.values() if name in looks else ():
                for path in pages(evening, 2 if name == "finals" else 1):
                    viewer.get(name, path)
        assert len(looks) < len(LOOKS) or set(rung) == {one, two}
    wire.close()
    return {**{name: viewer.got for name, viewer in viewers.items()}, "live": heard}


@pytest.fixture
def callbacks(django_capture_on_commit_callbacks, settings):
    settings.CLOCK_GUARD = False  # the boot clock of this machine knows nothing of the time that passes here
    return django_capture_on_commit_callbacks


def unlike(slow, fast):
    return [found for name in slow for found in differences(slow[name], fast[name])]


def test_two_speeds_are_one_day_for_everybody_who_plays_or_watches(callbacks):
    slow, fast = the_day(1, callbacks), the_day(2, callbacks)
    seen = {name: sum(got.startswith(b"200") for _, _, got in slow[name]) for name in slow}
    assert seen["stranger"] > 80  # most of what he asks for is there
    assert seen["player"] > seen["stranger"]
    assert unlike(slow, fast) == []


def test_a_look_at_the_time_changes_nothing_for_anybody(callbacks):
    looks = ("suspended", "bell")
    assert unlike(the_day(1, callbacks, looks), the_day(1, callbacks, looks, reveal=3)) == []


def test_a_time_that_gets_into_a_page_is_seen(callbacks, monkeypatch):
    def leaky(found, rung, sheet):
        view = honest(found, rung, sheet)
        deadline = found.deadline and str(found.deadline)
        return view if not deadline else type(view)(**{**vars(view), "suspended": True, "because": deadline})

    honest = match_queries.view_of
    monkeypatch.setattr(match_queries, "view_of", leaky)
    assert unlike(the_day(1, callbacks, ("start",)), the_day(2, callbacks, ("start",)))
