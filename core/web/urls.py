"""Addresses of the styleguide; only a debug house has them."""

from __future__ import annotations

from django.urls import path

from core.web.styleguide import styleguide

urlpatterns = [path("", styleguide, name="styleguide")]
