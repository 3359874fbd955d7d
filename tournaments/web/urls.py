"""Addresses of the pages of tournaments."""

from django.urls import include, path

urlpatterns = [
    path("", include("tournaments.web.urls_house")),
    path("tournaments/", include("tournaments.web.urls_tournament")),
    path("", include("tournaments.web.urls_staff")),
]
