"""Addresses of staff: files that come in, people who are mended, the sign-in of the demonstration."""

from django.urls import URLPattern, path

from players.web.demo import demo, sign_out
from tournaments.web.importing_views import import_file, import_preview
from tournaments.web.page import page
from tournaments.web.staff_views import edit_person, erase_person, merge_person, publish

urlpatterns: list[URLPattern] = [
    path("import/", import_file, name="import_file"),
    path("import/<str:token>/", import_preview, name="import_preview"),
    path("tournaments/<slug:slug>/publish/", publish, name="publish"),
    path("players/<uuid:person>/edit/", edit_person, name="edit_person"),
    path("players/<uuid:person>/merge/", merge_person, name="merge_person"),
    path("players/<uuid:person>/erase/", erase_person, name="erase_person"),
    # The room below knows no addresses of this one: what frames its page is handed down.
    path("demo/", demo, {"frame": page}, name="demo"),
    path("sign-out/", sign_out, name="sign_out"),
]
