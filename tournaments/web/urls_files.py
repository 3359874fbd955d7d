"""Addresses of what can be carried away from one tournament, below `tournaments/`."""

from __future__ import annotations

from django.urls import path

from tournaments.web import files_views

urlpatterns = [
    path("<slug:slug>/file.json", files_views.tournament_file, name="tournament_file"),
    path("<slug:slug>/print/", files_views.prints_page, name="prints"),
    path("<slug:slug>/print/<str:what>.<str:kind>", files_views.one_print, name="print"),
]
