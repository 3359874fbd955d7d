"""The root: pages through threads, what each answer carries, and servers that go and come back."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from email.utils import formatdate

import psycopg
from django.core.signing import TimestampSigner, b62_decode
from django.utils.http import http_date as cookie_date

from config.settings import LIVE_THREADS, WEB_THREADS
from tests.config.house import House, Web, until


def test_healthz_tells_each_part_with_its_age(web: Web) -> None:
    status, headers, _ = web.get("/healthz")
    told = web.json("/healthz")
    assert status == 200
    assert set(told["parts"]) == {"web", "database", "valkey", "ticker", "worker", "heavy"}
    assert all(told["parts"][name]["alive"] for name in ("web", "database", "valkey"))
    assert told["ok"] == all(part["alive"] for part in told["parts"].values())
    assert "no-store" in headers["Cache-Control"]
    assert web.request("POST", "/healthz", b"")[0] in (403, 405)


def test_healthz_tells_what_is_away(own_house: House, web: Web) -> None:
    own_house.servers.valkey.stop()
    try:
        status, _, _ = web.get("/healthz")
        parts = web.json("/healthz")["parts"]
        assert status == 200  # pages are still served
        assert not parts["valkey"]["alive"]
        assert parts["ticker"] == {"alive": False, "age": None}
    finally:
        own_house.servers.valkey.start()
    own_house.servers.postgres.stop()
    try:
        began = time.monotonic()
        assert web.get("/healthz")[0] == 503
        assert time.monotonic() - began < 2.5
    finally:
        own_house.servers.postgres.start()
    until(lambda: web.get("/healthz")[0] == 200, "healthy again")


def test_no_dead_connection_after_a_restart_of_the_database(own_house: House, web: Web) -> None:
    """All pooled connections are used, then die: every page afterwards gets a living one."""

    def pages(count: int) -> list[int]:
        found: list[int] = []
        threads = [threading.Thread(target=lambda: found.append(web.get("/backend/")[0])) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found

    assert pages(WEB_THREADS * 2) == [200] * WEB_THREADS * 2
    own_house.servers.postgres.stop()
    own_house.servers.postgres.start()
    for _ in range(3):
        assert pages(WEB_THREADS * 2) == [200] * WEB_THREADS * 2


def times_in(value: str) -> list[str]:
    """What in a header can be read as a moment: a date, seconds since 1970 as they are or as Django signs them."""
    now = time.time()
    found = re.findall(r"\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,|\bGMT\b|\d{4}-\d\d-\d\d|\d\d:\d\d", value)
    found += [number for number in re.findall(r"\d{10}", value) if abs(int(number) - now) < 1e6]
    for part in re.findall(r"(?<=:)[0-9A-Za-z]{6}(?=:)", value):
        with contextlib.suppress(ValueError):
            found += [part] if abs(b62_decode(part) - now) < 1e6 else []
    return found


def test_what_looks_like_a_moment_is_seen() -> None:
    signed = TimestampSigner(key="k").sign("x")
    for value in (formatdate(usegmt=True), cookie_date(time.time()), str(int(time.time())), signed, "2026-01-01T00:00"):
        assert times_in(value), value
    assert not times_in("csrftoken=Ab3; Max-Age=31449600; Path=/; SameSite=Lax")


def test_no_answer_tells_the_time(web: Web) -> None:
    """A clock that is hidden from players must not come back through a header or the date on a cookie."""
    _, headers, page = web.get("/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.decode())
    assert token
    cookie = headers["Set-Cookie"].partition(";")[0]
    sent = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    form = f"csrfmiddlewaretoken={token[1]}&next=/"
    answers = {
        **{path: web.get(path) for path in ("/", "/rules/", "/healthz", "/notice/", "/nowhere", "/fail/", "/forbid/")},
        "setlang": web.request("POST", "/i18n/setlang/", f"{form}&language=tr", sent),
        "theme": web.request("POST", "/i18n/theme/", f"{form}&theme=dark", sent),
        "no theme": web.request("POST", "/i18n/theme/", form, sent),
        "no token": web.request("POST", "/i18n/theme/", "theme=dark", sent),
        "too large": web.request("POST", "/i18n/theme/", "x" * 5000, sent),
        "live": web.get("/live/none"),
        "static": web.get("/static/js/app.js"),
    }
    cookies = set()
    for name, (status, headers, _) in answers.items():
        for header, value in headers.items():
            # when a file was made is no secret
            assert not times_in(value) or (name, header.lower()) == ("static", "last-modified"), (
                name,
                status,
                header,
                value,
            )
        cookies |= {value.partition("=")[0] for value in headers.get_all("Set-Cookie", [])}
        assert headers["Date"] is headers["Expires"] is None
    assert cookies == {"csrftoken", "language", "theme", "sessionid"}
    assert "Max-Age=31536000" in answers["setlang"][1]["Set-Cookie"]
    assert answers["/healthz"][1]["Cache-Control"] == "no-store"


def test_pages_carry_their_security_headers(web: Web) -> None:
    for path in ("/backend/", "/nowhere/", "/healthz"):
        headers = web.get(path)[1]
        assert headers["Server"] is None
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy + ";"
        assert "style-src 'self';" in policy + ";"
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_a_foreign_host_is_refused(web: Web) -> None:
    assert web.get("/backend/", Host="evil.example")[0] == 400
    assert web.get("/backend/", Host="localhost")[0] == 200


def test_the_language_can_be_chosen_and_stays(web: Web) -> None:
    page = web.get("/page/")
    assert page[1]["Content-Language"] == "it"
    assert web.request("GET", "/page/", headers={"Accept-Language": "tr"})[1]["Content-Language"] == "tr"
    chosen = {"Accept-Language": "tr", "Cookie": "language=en"}
    assert web.request("GET", "/page/", headers=chosen)[1]["Content-Language"] == "en"


def test_setting_the_language_needs_a_token(web: Web) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert web.request("POST", "/i18n/setlang/", "language=tr", form)[0] == 403


def test_static_files_are_served_and_nothing_beside_them(web: Web) -> None:
    status, headers, body = web.get("/static/js/live.js")
    assert status == 200
    assert "javascript" in headers["Content-Type"]
    assert b"EventSource" in body
    assert web.get("/static/../config/settings.py")[0] == 404
    assert web.get("/static/%2e%2e/config/settings.py")[0] == 404


def test_busy_threads_do_not_hold_up_the_stream(own_house: House, web: Web) -> None:
    """Every page thread is busy, and a signal still comes at once: the loop has a thread to itself."""
    busy = [threading.Thread(target=lambda: web.get("/sleep/?seconds=1")) for _ in range(WEB_THREADS)]
    with web.stream() as stream:
        assert stream.status == 200
        for thread in busy:
            thread.start()
        own_house.shell("from core.live import publish; publish('public')")
        began = time.monotonic()
        assert stream.next(1) is not None
        assert time.monotonic() - began < 0.5
        for thread in busy:
            thread.join()


def test_a_busy_thread_gives_the_interpreter_back_soon(web: Web) -> None:
    """With the five milliseconds that Python has by default, a signal would wait behind every busy page."""
    assert web.json("/interpreter/") == {"switch": 0.0005}


def test_a_blocked_table_holds_up_only_those_who_open_a_stream(own_house: House, web: Web) -> None:
    """Sessions cannot be read for a while: open streams hear, pages come, and new streams wait in their few threads."""
    asked = f"GET /live/ HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nCookie: sessionid="
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(web.stream())
        assert listener.status == 200
        observer = stack.enter_context(psycopg.connect(own_house.servers.postgres.url, autocommit=True))
        blocker = stack.enter_context(psycopg.connect(own_house.servers.postgres.url))
        blocker.execute("LOCK TABLE players_session IN ACCESS EXCLUSIVE MODE")
        waiting = [stack.enter_context(web.connect()) for _ in range(LIVE_THREADS * 4)]
        for number, line in enumerate(waiting):
            line.sendall(f"{asked}{number:032}\r\n\r\n".encode())
        question = (
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%players_session%'"
        )
        until(lambda: observer.execute(question).fetchone() == (LIVE_THREADS,), "the threads of the streams are busy")
        pages: list[int] = []
        threads = [threading.Thread(target=lambda: pages.append(web.get("/backend/")[0])) for _ in range(WEB_THREADS)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert pages == [200] * WEB_THREADS
        assert time.monotonic() - began < 3
        own_house.shell("from core.live import publish; publish('public')")
        assert listener.next() is not None
        assert observer.execute(question).fetchone() == (LIVE_THREADS,)
        blocker.rollback()
        assert [line.recv(100).split()[1] for line in waiting] == [b"200"] * len(waiting)


def test_every_kind_of_websocket_is_refused(web: Web) -> None:
    with web.connect() as line:
        line.sendall(
            b"GET /live/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert line.recv(100).split()[1] != b"101"
