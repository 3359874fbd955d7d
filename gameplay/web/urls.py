"""Addresses of matches. The room below knows no addresses of those above: what frames its pages is handed down."""

from __future__ import annotations

from django.urls import URLPattern, path

from gameplay.queries.people import Known
from gameplay.web import grid_views, match_views, new_match_views, passes, recording_views, recovery_views
from gameplay.web.urls_clock import patterns as clocks
from gameplay.web.urls_judging import patterns as judging
from players.web.demo import Frame


def patterns(frame: Frame, known: Known) -> list[URLPattern]:
    """All of them, for the room that has the root. `known`: whom everybody may find by name."""
    framed = {"frame": frame}
    return [
        path("matches/", match_views.matches, framed, name="matches"),
        path("matches/new/", new_match_views.new_match, {**framed, "known": known}, name="new_match"),
        path("matches/<uuid:match>/", match_views.match, framed, name="match"),
        path("matches/<uuid:match>/record/", recording_views.record_hand, framed, name="record_hand"),
        path("matches/<uuid:match>/lines/<int:line>/", recording_views.correct_hand, framed, name="correct_hand"),
        path("matches/<uuid:match>/grid/", grid_views.record_grid, framed, name="record_grid"),
        path("matches/<uuid:match>/deal/", match_views.deal_hand, name="deal_hand"),
        path("matches/<uuid:match>/proposal/", match_views.answer_waiting, name="answer_proposal"),
        path("matches/<uuid:match>/passes/", passes.seat_passes, framed, name="seat_passes"),
        path("matches/<uuid:match>/sign/", match_views.sign_match, framed, name="sign_match"),
        path("recovery/", recovery_views.recovery, framed, name="recovery"),
        *judging(frame),
        *clocks(frame),
    ]
