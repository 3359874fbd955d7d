"""The live tournament of the demonstration begins anew, for whoever sits at the machine that serves it."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.web.body import body_limit
from players.web.asking import on_this_machine, refusals_as_pages
from players.web.demo import SMALL
from tournaments.services.demo_day import begin_day, table_of_demo


@body_limit(SMALL)
@require_POST
@refusals_as_pages
def demo_again(request: HttpRequest) -> HttpResponse:
    """POST: a clock of four minutes runs, a new one if the last has rung. 403 beyond this machine."""
    if not on_this_machine(request):
        raise PermissionDenied
    table = table_of_demo() if begin_day() else None
    if table is None:
        raise Http404
    messages.success(request, _("The clock runs: stay here, and within five minutes you hear its bell."))
    return HttpResponseRedirect(reverse("match", args=[table]))
