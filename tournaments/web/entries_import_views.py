"""A list of players is uploaded, looked at row by row, and then entered (UX-02)."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from players.actor import Actor
from players.web.asking import actor_of, refusals_as_pages, status_of
from tournaments.exchange.entries_file import ENCODINGS, ROWS, UTF_16, WORKBOOK, PlayerList, read_players
from tournaments.queries.entries import Entries, entries_for_page
from tournaments.services.entering import enter_players
from tournaments.services.uploads import keep_file, kept_file, remember_form
from tournaments.web.entries_choices import ListChoices, row_of
from tournaments.web.entries_views import DOORS, at_entries
from tournaments.web.house_views_rows import number_asked, number_in, paged
from tournaments.web.importing_views import ENVELOPE, LIMIT, MEGABYTES, STATUS
from tournaments.web.presenting import Row
from tournaments.web.sentences import sentence_for

PER_PAGE = 25  # questions on a page
SHOWN = 200  # names that a list on the page shows
READ_AS: dict[str, str | Promise] = {
    "utf-8": gettext_lazy("Unicode (UTF-8)"),
    "windows-1252": gettext_lazy("Windows, western Europe (1252)"),
    "windows-1254": gettext_lazy("Windows, Turkish (1254)"),
    UTF_16: gettext_lazy("Unicode (UTF-16)"),
    WORKBOOK: gettext_lazy("Excel workbook"),
}


class ListForm(forms.Form):
    """One list of players."""

    file = forms.FileField(
        label=gettext_lazy("List of players"),
        help_text=gettext_lazy(
            "CSV or Excel (.xlsx), at most 5 MB and 2,000 rows: a name in each row, a club if you like. A first row"
            " with headings may name the columns."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,.txt,.tsv,.xlsx,text/csv"}),
        error_messages={
            "required": gettext_lazy("No file was chosen."),
            "empty": gettext_lazy("The file is empty."),
        },
    )


@body_limit(LIMIT + ENVELOPE)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
@refusals_as_pages
def entries_import(request: HttpRequest, slug: str) -> HttpResponse:
    """Upload, preview (`?upload=`), confirm. Nobody is entered before the last; 413, 422, 429 and 503 say why not."""
    actor = actor_of(request)
    view = entries_for_page(actor, slug)
    token = (request.POST if request.method == "POST" else request.GET).get("upload", "")
    if request.method == "POST" and not token:
        return _taken_in(request, actor, view)
    if not token:
        return _upload_page(request, view, ListForm())
    try:
        return _preview(request, actor, view, token)
    except Refusal as refusal:
        if refusal.code not in ("upload_unknown", "house_away"):
            raise
        status = STATUS.get(refusal.code, 404)
        return _upload_page(request, view, ListForm(), status=status, missing=sentence_for(refusal))


def _taken_in(request: HttpRequest, actor: Actor, view: Entries) -> HttpResponse:
    form = ListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, view, form, status=422)
    file = form.cleaned_data["file"]
    try:
        if file.size > LIMIT:
            raise Refusal("upload_too_large", {"limit": MEGABYTES})
        data = file.read()
        read_players(data)
        token = keep_file(data, sender=actor.name, of=str(view.tournament))
    except Refusal as refusal:
        form.add_error("file", sentence_for(refusal))
        return _upload_page(request, view, form, status=STATUS.get(refusal.code, 422))
    return HttpResponseRedirect(f"{request.path}?{urlencode({'upload': token})}")


def _upload_page(
    request: HttpRequest, view: Entries, form: ListForm, *, status: int = 200, missing: str = ""
) -> HttpResponse:
    context = at_entries(view, "entries_import", _("Import a list"), form=form, missing=missing)
    response = render(request, "tournaments/day/entries_import.html", context, status=status)
    if status in (429, 503):
        response["Retry-After"] = "60"
    return response


def _preview(request: HttpRequest, actor: Actor, view: Entries, token: str) -> HttpResponse:
    """What the list gives; POST keeps answers, and goes on to another page of questions or enters everybody."""
    data, form = kept_file(token, of=str(view.tournament))
    told = request.POST if request.method == "POST" else request.GET
    encoding = told.get("letters", "")
    listed = read_players(data, encoding if encoding in ENCODINGS else "")
    choices = ListChoices(listed, view, form.get("choices", {}))
    wrong, status = "", 200
    if request.method == "POST":
        choices.choose(told.dict())
        remember_form(token, {"choices": choices.chosen})
        here = f"{request.path}?{urlencode({'upload': token, 'letters': listed.encoding})}"
        if "go" in told:
            return HttpResponseRedirect(f"{here}&page={number_in(told['go']) or 1}#people")
        left = choices.unanswered()
        if left is not None:
            return HttpResponseRedirect(f"{here}&page={left // PER_PAGE + 1}&left#people")
        try:
            return _entered(request, actor, view, choices)
        except Refusal as refusal:
            if refusal.code in DOORS:
                raise
            name = row_of(refusal, choices.entries())
            wrong = ": ".join(filter(None, (name, sentence_for(refusal))))
            status = 422 if status_of(refusal) == 404 else status_of(refusal)
    elif "left" in told and choices.unanswered() is not None:
        wrong = _("Say for each of these rows who it is.")
    context = _context(request, view, listed, choices) | {"token": token, "wrong": wrong}
    return render(request, "tournaments/day/entries_import_preview.html", context, status=status)


def _entered(request: HttpRequest, actor: Actor, view: Entries, choices: ListChoices) -> HttpResponse:
    rows = choices.entries()
    # Nobody is left where the button was pressed twice: the first press entered them.
    if rows:
        answer = enter_players(actor, view.tournament, rows=rows, key=request.POST.get("key", ""))
        count = len(answer["codes"])
        text = ngettext("%(count)s player is entered.", "%(count)s players are entered.", count)
        messages.success(request, text % {"count": count})
    return HttpResponseRedirect(reverse("entries", args=[view.slug]))


def _context(request: HttpRequest, view: Entries, listed: PlayerList, choices: ListChoices) -> Row:
    number = number_asked(request, "page") or number_in(request.POST.get("page", "")) or 1
    pages = paged(range(len(choices.asked)), number, PER_PAGE)
    letters = [(name, READ_AS[name], name == listed.encoding) for name in ENCODINGS]
    return at_entries(
        view,
        "entries_import",
        _("Import a list"),
        read_as=READ_AS[listed.encoding],
        encoding=listed.encoding,
        letters=letters if listed.encoding in ENCODINGS else (),
        headed=listed.headed,
        limit=ROWS,
        bad=[(bad.row, bad.text, sentence_for(bad.refusal)) for bad in listed.bad[:SHOWN]],
        bad_count=len(listed.bad),
        pages=pages,
        rows=choices.rows(pages.object_list),
        new=[line for line, _nth in choices.new[:SHOWN]],
        new_count=len(choices.new),
        there=choices.there[:SHOWN],
        there_count=len(choices.there),
        asked_count=len(choices.asked),
        shown=SHOWN,
        nobody=not choices.new and not choices.asked,
    )
