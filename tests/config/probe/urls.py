from __future__ import annotations

import hashlib
import sys
import time

from django.contrib import messages
from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from config.settings import BASE_DIR
from core.valkey import client
from core.web.body import body_limit
from players.models import User
from players.web.entering import PASSWORD

HTMX = next((BASE_DIR / "static/vendor").glob("htmx-*.min.js")).name


@csrf_exempt
def echo(request: HttpRequest) -> JsonResponse:
    return JsonResponse(
        {
            "size": len(request.body),
            "sha256": hashlib.sha256(request.body).hexdigest(),
            "length": request.META.get("CONTENT_LENGTH"),
            "remote_user": request.META.get("HTTP_REMOTE_USER"),
        }
    )


@csrf_exempt
def form(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"a": request.POST.get("a"), "file": request.FILES["f"].size if request.FILES else None})


def big(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"x" * int(request.GET["size"]), content_type="application/octet-stream")


def backend(request: HttpRequest) -> JsonResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return JsonResponse({"pid": cursor.fetchone()[0]})


def sleep(request: HttpRequest) -> HttpResponse:
    time.sleep(float(request.GET["seconds"]))
    return HttpResponse("slept")


@csrf_exempt
def sign_in(request: HttpRequest) -> JsonResponse:
    login(request, User.objects.get(username=request.POST["username"]), PASSWORD)
    return JsonResponse({"session": request.session.session_key})


@never_cache
def notice(request: HttpRequest) -> HttpResponse:
    messages.info(request, "Saved.")
    return HttpResponse("noticed")


def fail(request: HttpRequest) -> HttpResponse:
    raise RuntimeError("a fault of ours")


def forbid(request: HttpRequest) -> HttpResponse:
    raise PermissionDenied


def interpreter(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"switch": sys.getswitchinterval()})


def streams(request: HttpRequest) -> JsonResponse:
    from config.asgi import application

    return JsonResponse({"open": len(application.live.hub)})


def part(request: HttpRequest) -> HttpResponse:
    return HttpResponse(f"version {client().get('version:public')}")


def page(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        f'<!doctype html><html lang="en"><title>probe</title><script src="/static/vendor/{HTMX}" defer></script>'
        '<meta name="htmx-config" content=\'{"includeIndicatorCSS": false}\'><body>'
        '<p id="part" hx-get="/part/" hx-trigger="live:public from:body, live:resync from:body"></p>'
        '<script type="module" src="/probe.js"></script>'
        '<script type="module" src="/static/js/live.js"></script></body></html>'
    )


def script(request: HttpRequest) -> HttpResponse:
    return HttpResponse(
        "window.heard = [];"
        "for (const name of ['live:public', 'live:person', 'live:resync'])"
        "  document.body.addEventListener(name, (e) => window.heard.push([name, e.detail]));",
        content_type="text/javascript",
    )


urlpatterns = [
    path("echo/", echo),
    path("echo/five/", body_limit(5 * 1024 * 1024)(echo)),
    path("form/", form),
    path("big/", big),
    path("backend/", backend),
    path("sleep/", sleep),
    path("sign-in/", sign_in),
    path("notice/", notice),
    path("fail/", fail),
    path("forbid/", forbid),
    path("interpreter/", interpreter),
    path("streams/", streams),
    path("page/", page),
    path("part/", part),
    path("probe.js", script),
    path("", include("config.urls")),
]
