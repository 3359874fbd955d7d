"""Addresses of staff: files that come in, people who are mended, the sign-in of the demonstration."""

from uuid import UUID

from django.urls import URLPattern, path, reverse

from players.web.urls import patterns as doors
from tournaments.web.demo_views import demo_again
from tournaments.web.importing_views import import_file, import_preview
from tournaments.web.page import page
from tournaments.web.rights_views import scope_staff
from tournaments.web.staff_views import edit_person, erase_person, merge_person, publish


def table_of(sheet: UUID) -> str:
    """Where the table of a sheet is."""
    return reverse("match", args=[sheet])


urlpatterns: list[URLPattern] = [
    path("import/", import_file, name="import_file"),
    path("import/<str:token>/", import_preview, name="import_preview"),
    path("tournaments/<slug:slug>/publish/", publish, name="publish"),
    path("players/<uuid:person>/edit/", edit_person, name="edit_person"),
    path("players/<uuid:person>/merge/", merge_person, name="merge_person"),
    path("players/<uuid:person>/erase/", erase_person, name="erase_person"),
    path("demo/again/", demo_again, name="demo_again"),
    path("staff/<uuid:scope>/", scope_staff, name="scope_staff"),
    # The room below knows no addresses of this one: what frames its pages is handed down.
    *doors(page, table_of),
]
