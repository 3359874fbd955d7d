"""The addresses of the house: the highest room comes last and owns the root."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.views.i18n import set_language

import config.celery  # noqa: F401 - wherever there are pages, the tasks they send find their way
from core.web.body import body_limit
from core.web.health import healthz
from core.web.theme import set_theme

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", healthz, name="healthz"),
    path("i18n/setlang/", body_limit(4 * 1024)(set_language), name="set_language"),
    path("i18n/theme/", body_limit(4 * 1024)(set_theme), name="set_theme"),
]
if settings.STYLEGUIDE:
    from tournaments.web.styleguide import styleguide

    urlpatterns.append(path("styleguide/", styleguide, name="styleguide"))
urlpatterns.append(path("", include("tournaments.web.urls")))
