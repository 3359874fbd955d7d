"""Request bodies: read by the root, within a limit and a time, before a page thread is used."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import socket
import time
from pathlib import Path

import pytest

from config.settings import WEB_THREADS
from tests.config.house import Web, until

MIB = 1024 * 1024


def answer_of(line: socket.socket) -> tuple[int, str]:
    """Status and text of an answer on a raw connection, read to its end."""
    received = b""
    while more := line.recv(65536):
        received += more
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


def post(web: Web, path: str, length: int | None, *extra: str) -> socket.socket:
    line = web.connect()
    framing = "Transfer-Encoding: chunked" if length is None else f"Content-Length: {length}"
    head = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", framing, *extra]
    line.sendall("\r\n".join([*head, "", ""]).encode())
    return line


@pytest.mark.parametrize("size", [0, 1, 65535, 65536, 65537, 262144])
def test_a_body_arrives_as_it_was_sent(web: Web, size: int) -> None:
    body = bytes(index * 7 % 251 for index in range(size))
    status, _, text = web.request("POST", "/echo/", body)
    told = json.loads(text)
    assert (status, told["size"]) == (200, size)
    assert told["sha256"] == hashlib.sha256(body).hexdigest()


def test_a_chunked_body_gets_its_length_and_arrives(web: Web) -> None:
    with post(web, "/echo/", None, "Connection: close") as line:
        line.sendall(b"5\r\nhello\r\n7\r\n, world\r\n0\r\n\r\n")
        status, text = answer_of(line)
    assert status == 200
    assert '"size": 12' in text
    assert '"length": "12"' in text


def test_a_form_with_a_file_is_parsed(web: Web) -> None:
    parts = (
        b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\xc3\xa7\r\n'
        b'--b\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n' + b"x" * 100_000 + b"\r\n--b--\r\n"
    )
    status, _, text = web.request("POST", "/form/", parts, {"Content-Type": "multipart/form-data; boundary=b"})
    assert (status, json.loads(text)) == (200, {"a": "ç", "file": 100_000})


def test_a_body_above_the_limit_of_its_route_is_refused(web: Web) -> None:
    assert web.request("POST", "/echo/", b"x" * (256 * 1024 + 1))[0] == 413
    assert web.request("POST", "/echo/five/", b"x" * (2 * MIB))[0] == 200
    assert web.request("POST", "/echo/five/", b"x" * (5 * MIB + 1))[0] == 413
    assert web.request("POST", "/i18n/setlang/", b"x" * 4097)[0] == 413
    assert web.request("POST", "/nowhere/", b"x" * (256 * 1024 + 1))[0] == 413


def test_an_announced_length_is_enough_to_refuse(web: Web) -> None:
    with post(web, "/echo/", 10**15) as line:
        status, text = answer_of(line)
    assert status == 413
    assert "256 KiB" in text


def test_a_chunked_body_is_refused_when_it_grows_too_large(web: Web) -> None:
    with post(web, "/echo/", None) as line:
        for _ in range(5):
            line.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        line.sendall(b"0\r\n\r\n")
        assert answer_of(line)[0] == 413


def test_a_body_that_stops_is_refused_in_time(web: Web) -> None:
    began = time.monotonic()
    with post(web, "/echo/", 1000) as line:
        line.sendall(b"a little")
        assert answer_of(line)[0] == 408
    assert 0.4 < time.monotonic() - began < 4


def test_a_body_that_drips_is_refused_however_long_it_drips(web: Web) -> None:
    """8 KiB/s is below the least speed, so the time runs out although something always comes."""
    began = time.monotonic()
    with post(web, "/echo/five/", MIB) as line:
        line.settimeout(0.05)
        received = b""
        while not received and time.monotonic() - began < 8:
            try:
                line.sendall(b"x" * 400)
                received = line.recv(65536)
            except TimeoutError:
                pass
    assert received.startswith(b"HTTP/1.1 408")
    assert time.monotonic() - began < 4


def test_a_slow_but_fast_enough_body_may_take_longer(web: Web) -> None:
    """At 200 KiB/s it takes three times the first patience (half a second here) and still arrives."""
    with post(web, "/echo/five/", 300 * 1024, "Connection: close") as line:
        for _ in range(30):
            line.sendall(b"x" * 10240)
            time.sleep(0.05)
        assert answer_of(line)[0] == 200


def test_the_refusal_speaks_the_reader_s_language(web: Web) -> None:
    texts = {}
    for language in ("en", "it", "tr"):
        with post(web, "/echo/", 10**9, f"Accept-Language: {language}") as line:
            status, texts[language] = answer_of(line)
        assert status == 413
    assert len(set(texts.values())) == 3
    with post(web, "/echo/", 10**9, "Accept-Language: it", "Cookie: language=en") as line:
        assert answer_of(line)[1] == texts["en"]


def test_slow_senders_do_not_hold_up_a_page(web: Web) -> None:
    """More slow POSTs than there are page threads: every page still comes at once."""
    slow = [post(web, "/echo/", 1000) for _ in range(WEB_THREADS * 2)]
    try:
        for line in slow:
            line.sendall(b"a")
        for _ in range(5):
            began = time.monotonic()
            assert web.get("/backend/")[0] == 200
            assert time.monotonic() - began < 0.5
        assert [answer_of(line)[0] for line in slow] == [408] * len(slow)
    finally:
        for line in slow:
            line.close()


def test_slow_readers_do_not_hold_up_a_page(web: Web) -> None:
    """More clients that do not read their large answer than there are page threads."""
    slow = [web.connect(receive_buffer=4096) for _ in range(WEB_THREADS * 2)]
    try:
        for line in slow:
            line.sendall(b"GET /big/?size=6000000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        time.sleep(0.3)
        for _ in range(5):
            began = time.monotonic()
            assert web.get("/backend/")[0] == 200
            assert time.monotonic() - began < 0.5
    finally:
        for line in slow:
            line.close()


def test_a_reader_who_never_reads_is_given_up(web: Web) -> None:
    """Answers too large to be held keep their threads, but not for ever (two seconds here)."""
    slow = [web.connect(receive_buffer=4096) for _ in range(WEB_THREADS)]
    try:
        for line in slow:
            line.sendall(b"GET /big/?size=30000000 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        time.sleep(0.3)
        began = time.monotonic()
        assert web.get("/backend/")[0] == 200
        assert time.monotonic() - began < 6
    finally:
        for line in slow:
            line.close()


def test_a_large_answer_arrives_whole(web: Web) -> None:
    for size in (0, 1, 65536, 3 * MIB, 20 * MIB):
        status, headers, body = web.get(f"/big/?size={size}")
        assert (status, len(body)) == (200, size)
        assert headers["Content-Length"] == str(size)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at the open files of a process: Linux only")
def test_what_is_large_waits_on_the_disk_and_not_in_memory(web: Web) -> None:
    def spooled() -> int:
        """Bytes in the nameless files that the process holds open."""
        sizes = 0
        for fd in Path(f"/proc/{web.process.popen.pid}/fd").iterdir():
            with contextlib.suppress(OSError):
                sizes += fd.stat().st_size if "(deleted)" in os.readlink(fd) else 0
        return sizes

    assert spooled() == 0
    with post(web, "/echo/five/", 2 * MIB, "Connection: close") as line:
        line.sendall(b"x" * MIB)
        until(lambda: spooled() > MIB - 65536, "what has come is in a file")
        line.sendall(b"x" * MIB)
        assert answer_of(line)[0] == 200
    until(lambda: spooled() == 0, "the file is gone")
    with post(web, "/echo/", 60_000, "Connection: close") as line:
        line.sendall(b"x" * 50_000)
        time.sleep(0.1)
        assert spooled() == 0
        line.sendall(b"x" * 10_000)
        assert answer_of(line)[0] == 200


def test_a_header_with_an_underscore_cannot_pose_as_another(web: Web) -> None:
    posed = web.request("POST", "/echo/", b"x", {"Remote_User": "root"})[2]
    real = web.request("POST", "/echo/", b"x", {"Remote-User": "root"})[2]
    assert json.loads(posed)["remote_user"] is None
    assert json.loads(real)["remote_user"] == "root"


def test_a_client_that_hangs_up_leaves_nothing_behind(web: Web) -> None:
    before = len(web.process.lines)
    for _ in range(20):
        line = post(web, "/echo/", 1000)
        line.sendall(b"a")
        line.close()
    assert web.get("/backend/")[0] == 200
    assert web.process.lines[before:] == []
