"""Upload a file, see what it gives, and import it if you may. A stranger's upload leaves nothing behind."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.commands import checked_key
from core.entropy import new_token
from core.refusal import Refusal
from core.web.body import body_limit
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.queries.staff import Shelf, edition_differences, edition_taken, imported_before, shelves
from tournaments.services import uploads
from tournaments.services.uploads import Upload
from tournaments.web import importing
from tournaments.web.house_views_rows import number_asked, number_in, paged
from tournaments.web.importing import Choices
from tournaments.web.page import page
from tournaments.web.sentences import sentence_for

MEGABYTES = 5
LIMIT = MEGABYTES * 1024 * 1024
ENVELOPE = 16 * 1024  # what a form adds to the file that it carries
STATUS = {"too_many_uploads": 429, "line_full": 429, "house_away": 503, "upload_too_large": 413}


class UploadForm(forms.Form):
    """One tournament file."""

    file = forms.FileField(
        label=gettext_lazy("Tournament file"),
        help_text=gettext_lazy("A .json file of at most 5 MB."),
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        error_messages={
            "required": gettext_lazy("No file was chosen."),
            "empty": gettext_lazy("The file is empty."),
        },
    )


@body_limit(LIMIT + ENVELOPE)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def import_file(request: HttpRequest) -> HttpResponse:
    """Takes a file into the waiting line and goes to its preview; 413, 422, 429 and 503 say why not."""
    if request.method != "POST":
        return _upload_page(request, UploadForm())
    actor = actor_of(request)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, form, status=422)
    file = form.cleaned_data["file"]
    try:
        if file.size > LIMIT:
            raise Refusal("upload_too_large", {"limit": MEGABYTES})
        sender = actor.name if actor.person else request.META.get("REMOTE_ADDR", "")
        token = uploads.take_in(file.read(), sender=sender, keep=bool(shelves(actor)))
    except Refusal as refusal:
        form.add_error("file", sentence_for(refusal))
        return _upload_page(request, form, status=STATUS.get(refusal.code, 422))
    return HttpResponseRedirect(reverse("import_preview", args=[token]))


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def import_preview(request: HttpRequest, token: str) -> HttpResponse:
    """What an uploaded file gives, and for who may: whom its players are, and the import. Gone after 15 minutes."""
    actor = actor_of(request)
    try:
        upload = uploads.upload_of(token)
        if request.method == "POST":
            return _answered(request, actor, token, upload)
        context = _preview_page(request, actor, token, upload)
        response = render(request, "tournaments/import_preview.html", context)
        if context["waiting"]:
            response["Refresh"] = "1"
        return response
    except Refusal as refusal:
        if refusal.code not in ("upload_unknown", "house_away"):
            raise
        return _upload_page(request, UploadForm(), status=STATUS.get(refusal.code, 404), missing=refusal)


def _upload_page(
    request: HttpRequest, form: UploadForm, *, status: int = 200, missing: Refusal | None = None
) -> HttpResponse:
    here = (_("Import"), reverse("import_file"))
    context = page((_("Tournaments"), reverse("home")), here, form=form, missing=missing and sentence_for(missing))
    response = render(request, "tournaments/import.html", context, status=status)
    if status in (429, 503):
        response["Retry-After"] = "60"
    return response


def _preview_page(request: HttpRequest, actor: Actor, token: str, upload: Upload) -> dict[str, Any]:
    crumbs = ((_("Tournaments"), reverse("home")), (_("Import"), reverse("import_file")), (_("Preview"), ""))
    context = page(*crumbs, upload=upload, waiting="waiting" in (upload.reading, upload.importing))
    outcome = upload.outcome
    if upload.reading == "failed" or upload.importing == "failed":
        failed = "import_failed" if upload.importing == "failed" else "upload_failed"
        context["broken"] = sentence_for(Refusal(failed))
    if "faults" in outcome:
        context["faults"] = importing.told_faults(uploads.refusals_in(outcome))
        context["more"] = importing.more_than({"rows": outcome["faults"], "count": outcome["count"]})
    if not outcome.get("source"):
        return context
    found = shelves(actor)
    shelf = importing.chosen_shelf(found, upload.form.get("club")) if found else None
    club = shelf.slug or None if shelf else None
    context |= {
        "preview": importing.told_preview(outcome),
        "staff": shelf is not None,
        "known": imported_before(actor, outcome["source"]),
        "taken": edition_taken(
            actor,
            club=club,
            series=outcome["series"],
            edition=outcome["edition"] if outcome["finished"] else None,
            source=outcome["source"],
        ),
        "differences": edition_differences(club, outcome["before"]),
        "refused": importing.told_faults(uploads.refusals_in(upload.done)),
    }
    if shelf and upload.kept and upload.importing != "waiting" and "slug" not in upload.done:
        context |= _form(request, token, upload, found, shelf)
    return context


def _form(request: HttpRequest, token: str, upload: Upload, found: tuple[Shelf, ...], shelf: Shelf) -> dict[str, Any]:
    choices = Choices(uploads.players_of(token), shelf.slug, upload.form)
    asked = paged(choices.asked, number_asked(request, "page") or 1, importing.PER_PAGE)
    names, count = choices.new_names()
    return {
        "shelves": found,
        "shelf": shelf,
        "draft": upload.form.get("draft", False),
        "asked": asked,
        "rows": choices.rows(asked.object_list),
        "new_names": names,
        "new_count": count,
        "new_more": importing.more_than({"rows": names, "count": count}),
        "key": new_token(),
    }


def _answered(request: HttpRequest, actor: Actor, token: str, upload: Upload) -> HttpResponse:
    """Keeps what was chosen; goes on to another page of choices, or has the file imported."""
    found = shelves(actor)
    if not found:
        raise Refusal("not_allowed")
    if not upload.kept or not upload.outcome.get("source"):
        raise Refusal("upload_unknown")
    told = request.POST
    shelf = importing.chosen_shelf(found, told.get("club", ""))
    choices = Choices(
        uploads.players_of(token), importing.chosen_shelf(found, told.get("shown", shelf.slug)).slug, upload.form
    )
    choices.choose(told.dict())
    draft = "draft" in told
    uploads.remember_form(token, {"club": shelf.slug, "draft": draft, "choices": choices.chosen})
    here = reverse("import_preview", args=[token])
    # Another club knows other people: they are shown before anything is done.
    if "go" in told or shelf.slug != choices.club:
        return HttpResponseRedirect(f"{here}?page={number_in(told.get('go', '')) or 1}#people")
    try:
        key = checked_key(told.get("key", ""))
    except Refusal as refusal:
        context = _preview_page(request, actor, token, uploads.upload_of(token)) | {"wrong": sentence_for(refusal)}
        return render(request, "tournaments/import_preview.html", context, status=status_of(refusal))
    uploads.order_import(
        actor,
        token,
        key=key,
        club=shelf.slug or None,
        publish=not draft,
        people=choices.people(),
    )
    return HttpResponseRedirect(here)
