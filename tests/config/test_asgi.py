"""The root: pages through threads, what each answer carries, and servers that go and come back."""

from __future__ import annotations

import threading
import time

from config.settings import WEB_THREADS
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


def test_pages_carry_no_date_and_their_security_headers(web: Web) -> None:
    for path in ("/backend/", "/nowhere/", "/healthz"):
        headers = web.get(path)[1]
        assert headers["Date"] is None
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


def test_every_kind_of_websocket_is_refused(web: Web) -> None:
    with web.connect() as line:
        line.sendall(
            b"GET /live/ HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert line.recv(100).split()[1] != b"101"
