"""One-time links and seat passes as they are used: a token behind the `#` of an address, posted by a button.

A GET uses nothing up, and neither does the first POST: it looks, and says who one would be. The next one does it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from players.models import Link
from players.services import NAME_LENGTH
from players.services.links import LinkView, look_at_link, use_link
from players.services.passes import look_at_pass, take_pass
from players.web.asking import sentence
from players.web.demo import Frame
from players.web.entering import enter, sit_down
from players.web.signing import SMALL, USER_NAME

TOKEN = 100  # characters at most; what is longer is nobody's


class JoinForm(forms.Form):
    """Who comes by a link: a name (the first administrator), a user name (who has none yet) and a password."""

    name = forms.CharField(label=gettext_lazy("Your name"), max_length=NAME_LENGTH)
    username = forms.CharField(
        label=gettext_lazy("User name"),
        help_text=gettext_lazy("2 to 40 small letters a-z, digits, dots, dashes or underscores. You sign in with it."),
        max_length=40,
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        help_text=gettext_lazy("At least 8 characters, not only digits, and none that everybody uses."),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, link: LinkView, *args: Any, **told: Any) -> None:
        super().__init__(*args, **told)
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        self.fields["username"].widget.attrs |= USER_NAME
        if link.kind != Link.Kind.FIRST:
            del self.fields["name"]
        if link.kind == Link.Kind.RESET:
            del self.fields["username"]


@sensitive_post_parameters()
@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
def join(request: HttpRequest, frame: Frame) -> HttpResponse:
    """POST token: shows what the link is for and its form; with the form filled in, does it and signs in.

    422 where the link is over (then a field for another one) or the form is to be mended.
    """
    token = request.POST.get("token", "").strip()[:TOKEN]
    here = (_("One-time link"), "")
    if request.method != "POST":
        return render(request, "players/code.html", frame(here, kind="link"))
    try:
        link = look_at_link(token)
        form = JoinForm(link, request.POST if "password" in request.POST else None)
        if form.is_valid():
            try:
                person = use_link(token, **{"username": link.username, **form.cleaned_data})
            except Refusal as refusal:
                if not refusal.pointer:
                    raise
                form.add_error(refusal.pointer.strip("/"), sentence(refusal))
            else:
                enter(request, person)
                return HttpResponseRedirect("/")
    except Refusal as refusal:
        return render(request, "players/code.html", frame(here, kind="link", refused=sentence(refusal)), status=422)
    context = frame(here, link=link, form=form, token=token)
    return render(request, "players/join.html", context, status=422 if form.is_bound else 200)


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
def take_seat(request: HttpRequest, frame: Frame, table: Callable[[UUID], str]) -> HttpResponse:
    """POST token: says whose seat the pass is for; with take=1 takes it, and the browser is that seat from then on.

    `table`: where one goes then. 422 where the pass is over.
    """
    token = request.POST.get("token", "").strip()[:TOKEN]
    here = (_("Seat pass"), "")
    if request.method != "POST":
        return render(request, "players/code.html", frame(here, kind="seat"))
    try:
        if request.POST.get("take"):
            taken = take_pass(token)
            sit_down(request, taken)
            return HttpResponseRedirect(table(taken.place))
        seat = look_at_pass(token)
    except Refusal as refusal:
        return render(request, "players/code.html", frame(here, kind="seat", refused=sentence(refusal)), status=422)
    return render(request, "players/seat.html", frame(here, name=seat.name, seat=seat.number + 1, token=token))
