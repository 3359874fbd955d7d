"""Addresses of penalties, rulings, appeals, cases and calls."""

from __future__ import annotations

from django.urls import URLPattern, path

from gameplay.web import appeal_views, call_views, penalty_views, ruling_views
from players.web.demo import Frame


def patterns(frame: Frame) -> list[URLPattern]:
    """`frame`: makes the context of a page out of crumbs and values."""
    framed = {"frame": frame}
    return [
        path("matches/<uuid:match>/penalty/", penalty_views.penalty, framed, name="penalty"),
        path("matches/<uuid:match>/claims/<int:claim>/", ruling_views.claim, framed, name="claim"),
        path("matches/<uuid:match>/rulings/<uuid:ruling>/", ruling_views.ruling, framed, name="ruling"),
        path("matches/<uuid:match>/reopen/", ruling_views.reopen, framed, name="reopen_match"),
        path("matches/<uuid:match>/call/", call_views.call_referee, name="call_referee"),
        path("matches/<uuid:match>/calls/<int:call>/", call_views.answer_call, name="answer_call"),
        path("calls/", call_views.calls, framed, name="calls"),
        path("appeals/", appeal_views.appeals, framed, name="appeals"),
        path("appeals/<uuid:appeal>/", appeal_views.appeal, framed, name="appeal"),
        path("cases/", appeal_views.cases, framed, name="cases"),
    ]
