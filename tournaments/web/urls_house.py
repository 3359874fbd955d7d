"""Addresses of the house: its tournaments, people, clubs, rankings and rules."""

from __future__ import annotations

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from tournaments.web import house_views, house_views_people, house_views_series


class AnyNameConverter(StringConverter):
    """The name of a series as a file spells it, line breaks and slashes included."""

    regex = r"[\s\S]+"


register_converter(AnyNameConverter, "any")

urlpatterns = [
    path("", house_views.home, name="home"),
    path("tournaments/", house_views.calendar, name="calendar"),
    path("players/", house_views_people.players, name="players"),
    path("players/<uuid:person>/", house_views_people.player, name="player"),
    path("clubs/", house_views.clubs, name="clubs"),
    path("clubs/<slug:club>/", house_views.club, name="club"),
    path("clubs/<slug:club>/rankings/<any:name>/", house_views_series.series, name="club_series"),
    path("rankings/", house_views_series.rankings, name="rankings"),
    path("rankings/<any:name>/", house_views_series.series, name="series"),
    path("rules/", house_views.rules, name="rules"),
]
