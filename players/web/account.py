"""A person's own account: password, open sessions."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from core.refusal import Refusal
from core.web.body import body_limit
from players.models import User
from players.queries import open_doors
from players.services import sign_out_everywhere
from players.services.account import change_password, close_door
from players.web.asking import actor_of, sentence
from players.web.demo import Frame
from players.web.entering import enter, leave
from players.web.signing import SMALL


class PasswordForm(forms.Form):
    """The present password and a new one, twice. Wrong present ones count like wrong sign-ins."""

    old = forms.CharField(
        label=gettext_lazy("Present password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    password = forms.CharField(
        label=gettext_lazy("New password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label=gettext_lazy("New password once more"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, request: HttpRequest, person: User, *args: Any, **told: Any) -> None:
        super().__init__(*args, **told)
        self.request, self.person = request, person

    def clean_old(self) -> str:
        typed: str = self.cleaned_data["old"]
        if authenticate(self.request, username=self.person.username, password=typed) != self.person:
            raise forms.ValidationError(_("This is not your password."))
        return typed

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if again != self.cleaned_data.get("password"):
            raise forms.ValidationError(_("The two are not the same."))
        return again


@body_limit(SMALL)
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(no_store=True)
def account(request: HttpRequest, frame: Frame) -> HttpResponse:
    """POST do=password (old, password, again), do=close (key: one of the open doors) or do=everywhere.

    A stranger is sent to the sign-in, and so is whoever is only a seat.
    """
    actor = actor_of(request)
    if actor.person is None or actor.came != "session":
        return HttpResponseRedirect(f"{reverse('sign_in')}?next={reverse('account')}")
    person = User.objects.get(pk=actor.person)
    wanted = request.POST.get("do", "")
    if wanted == "everywhere":
        sign_out_everywhere(person.pk)
        leave(request)
        return HttpResponseRedirect("/")
    if wanted == "close":
        close_door(actor, key=request.POST.get("key", ""))
        return HttpResponseRedirect(reverse("account"))
    form = PasswordForm(request, person, request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            changed = change_password(person.pk, form.cleaned_data["password"])
        except Refusal as refusal:
            form.add_error("password", sentence(refusal))
        else:
            enter(request, changed)
            messages.success(request, _("The password was changed. All other browsers were signed out."))
            return HttpResponseRedirect(reverse("account"))
    context = frame((_("Account"), ""), person=person, form=form, doors=open_doors(actor))
    return render(request, "players/account.html", context, status=422 if request.method == "POST" else 200)
