"""Addresses of a tournament that is run here: its organiser's day and its hall."""

from __future__ import annotations

from django.urls import URLPattern, path

from tournaments.web import (
    board_views,
    check_in_views,
    correct_views,
    day_settings_views,
    draw_views,
    entries_import_views,
    entries_views,
    hall_views,
    heat_views,
    qualified_views,
    seat_draw_views,
)

urlpatterns: list[URLPattern] = [
    path("new/", day_settings_views.new_tournament, name="new_tournament"),
    path("<slug:slug>/settings/", day_settings_views.tournament_settings, name="tournament_settings"),
    path("<slug:slug>/entries/", entries_views.entries, name="entries"),
    path("<slug:slug>/entries/import/", entries_import_views.entries_import, name="entries_import"),
    path("<slug:slug>/check-in/", check_in_views.check_in, name="check_in"),
    path("<slug:slug>/hall/", hall_views.hall, name="hall"),
    path("<slug:slug>/draw/", draw_views.draw, name="draw"),
    path("<slug:slug>/stages/<int:stage>/heats/<int:heat>/seats/", seat_draw_views.seats, name="seat_draw"),
    path("<slug:slug>/day/", board_views.board, name="day"),
    path("<slug:slug>/qualified/", qualified_views.qualified, name="qualified"),
    path("<slug:slug>/stages/<int:stage>/heats/<int:heat>/manage/", heat_views.manage, name="manage_heat"),
    path("<slug:slug>/stages/<int:stage>/heats/<int:heat>/correct/", correct_views.correct, name="correct_heat"),
]
