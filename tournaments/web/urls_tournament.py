"""Addresses of the pages of one tournament, below `tournaments/`."""

from __future__ import annotations

from django.urls import path

from tournaments.web import tournament_records, tournament_views, urls_files

urlpatterns = [
    path("<slug:slug>/", tournament_views.tournament, name="tournament"),
    path("<slug:slug>/stages/<int:stage>/", tournament_views.stage, name="stage"),
    path("<slug:slug>/stages/<int:stage>/heats/<int:heat>/", tournament_views.heat, name="heat"),
    path("<slug:slug>/stages/<int:stage>/repechage/", tournament_views.repechage, name="repechage"),
    path("<slug:slug>/ranking/", tournament_views.ranking, name="ranking"),
    path("<slug:slug>/agp/", tournament_views.agp, name="agp"),
    path("<slug:slug>/rules/", tournament_records.tournament_rules, name="tournament_rules"),
    path("<slug:slug>/rulings/", tournament_records.rulings, name="rulings"),
    path("<slug:slug>/versions/", tournament_records.versions, name="versions"),
    path("<slug:slug>/versions/<int:version>/", tournament_records.version, name="version"),
    *urls_files.urlpatterns,
]
