"""Addresses of the public pages."""

from django.urls import path

from tournaments.web import views

urlpatterns = [
    path("", views.home, name="home"),
    path("championships/<slug:slug>/<int:stage>/<int:heat>/", views.scoresheet, name="scoresheet"),
    path("rules/", views.rules, name="rules"),
]
