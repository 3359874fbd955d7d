"""The page with user name and password."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm
from allauth.account.views import LoginView
from django import forms
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import cache_control

from players.web.demo import Frame

SMALL = 4 * 1024  # bytes of a form
USER_NAME = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}


class SignInForm(LoginForm):
    """Ours in words only: what is checked, and in which order, is allauth's and axes's."""

    password = forms.CharField(
        label=gettext_lazy("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, **told: Any) -> None:
        super().__init__(*args, **told)
        self.fields["login"].label = gettext_lazy("User name")
        self.fields["login"].widget.attrs = dict(USER_NAME)


@method_decorator(cache_control(no_store=True), name="dispatch")
class SignIn(LoginView):
    """GET shows the form, POST signs in and goes to `next` (of this house only) or to the first page.

    422 where the two do not fit, with the same words whatever is wrong; 429 after too many of those.
    """

    http_method_names = ["get", "head", "post"]
    template_name = "players/sign_in.html"
    form_class = SignInForm
    frame: Frame | None = None

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)

    def get_context_data(self, **told: Any) -> dict[str, Any]:
        context = super(LoginView, self).get_context_data(**told)  # without addresses of sign-up and mail
        return self.frame((_("Sign in"), ""), **context) if self.frame else context
