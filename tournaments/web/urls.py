"""Addresses of the pages of tournaments."""

from django.urls import include, path

from gameplay.web.urls import patterns as matches
from tournaments.queries.people import people_found
from tournaments.web.page import page

urlpatterns = [
    path("", include("tournaments.web.urls_house")),
    path("tournaments/", include("tournaments.web.urls_day")),
    path("tournaments/", include("tournaments.web.urls_tournament")),
    path("", include("tournaments.web.urls_staff")),
    # The room below knows no addresses of this one: what frames its pages is handed down.
    *matches(page, people_found),
]
