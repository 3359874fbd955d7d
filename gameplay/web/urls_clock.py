"""Addresses of clocks, bells and tables."""

from __future__ import annotations

from django.urls import URLPattern, path

from gameplay.web import bell_views, clock_views, table_views
from players.web.demo import Frame


def patterns(frame: Frame) -> list[URLPattern]:
    """`frame`: makes the context of a page out of crumbs and values."""
    framed = {"frame": frame}
    return [
        path("matches/<uuid:match>/clock/", clock_views.match_clock, framed, name="match_clock"),
        path("matches/<uuid:match>/time/", clock_views.reveal_time, framed, name="reveal_time"),
        path("matches/<uuid:match>/award/", bell_views.award, framed, name="award_auction"),
        path("matches/<uuid:match>/bell/", bell_views.match_bell, framed, name="match_bell"),
        path("matches/<uuid:match>/table/", table_views.table, framed, name="table"),
        path("bell/", bell_views.bell_device, framed, name="bell_device"),
        path("bell/armed/", bell_views.bell_armed, name="bell_armed"),
    ]
