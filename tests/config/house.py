"""The real processes on servers of their own, which a test may restart; and clients that can be slow and rude."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from config.embedded import Servers
from config.testing import ThrowawayServers

ROOT = Path(__file__).resolve().parent.parent.parent
TIMES = {
    "config.hub.REREAD": 0.5,
    "config.hub.RIGHTS": 1.0,
    "config.hub.KEEP_ALIVE": 0.5,
    "config.hub.SILENCE": 1.0,
    "config.body.PATIENCE": 0.5,
    "config.body.LINGER": 0.3,
    "config.outbox.PATIENCE": 2.0,
}


def until(true: Callable[[], Any], what: str = "", seconds: float = 40.0, pause: float = 0.02) -> Any:
    """The first true value of `true()`; AssertionError after `seconds` (long, for a busy machine)."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := true():
            return value
        time.sleep(pause)
    raise AssertionError(f"did not happen within {seconds} s: {what or true}")


class Process:
    """One process of the house, its standard error collected line by line."""

    def __init__(self, *command: str, environ: dict[str, str], fds: tuple[int, ...] = ()) -> None:
        self.lines: list[str] = []
        self.popen = subprocess.Popen(
            [sys.executable, *command],
            cwd=ROOT,
            env=environ,
            stderr=subprocess.PIPE,
            text=True,
            bufsize=1,
            pass_fds=fds,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.popen.stderr
        for line in self.popen.stderr:
            self.lines.append(line.rstrip())

    def said(self, words: str) -> bool:
        return any(words in line for line in list(self.lines))

    def stop(self, seconds: float = 40.0) -> int:
        """SIGTERM; the exit status. A process that does not obey tells where it is, and fails the test."""
        self.popen.terminate()
        try:
            return self.popen.wait(seconds)
        except subprocess.TimeoutExpired:
            self.popen.send_signal(signal.SIGABRT)
            self.popen.wait()
            self._reader.join(2)
            raise AssertionError("did not stop:\n" + "\n".join(self.lines[-200:])) from None
        finally:
            self._reader.join(2)
            if self.popen.stderr:
                self.popen.stderr.close()


class House:
    """PostgreSQL and Valkey of our own, migrated; `run` starts a process that lives until `stop`."""

    def __init__(self) -> None:
        self._throwaway = ThrowawayServers()
        self._throwaway.start()
        self.servers: Servers = self._throwaway.servers
        self._processes: list[Process] = []
        self._agent: subprocess.Popen[str] | None = None
        self.environ = {
            **os.environ,
            **self._throwaway.environment,
            "DJANGO_SETTINGS_MODULE": "tests.config.probe.settings",
            "PROBE_TIMES": json.dumps(TIMES),
            "PYTHONUNBUFFERED": "1",
            "PYTHONFAULTHANDLER": "1",
        }
        self.django("migrate", "--verbosity", "0")

    def django(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "django", *command], cwd=ROOT, env=self.environ, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def shell(self, code: str) -> None:
        """Runs Python inside Django in another process, as a task or a service would."""
        if self._agent is None:
            self._agent = subprocess.Popen(
                [sys.executable, "-m", "tests.config.probe.agent"],
                cwd=ROOT,
                env=self.environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._agent.stdin
        assert self._agent.stdout
        self._agent.stdin.write(json.dumps(code) + "\n")
        self._agent.stdin.flush()
        fault = json.loads(self._agent.stdout.readline())
        assert fault is None, fault

    def run(self, *command: str, fds: tuple[int, ...] = (), **environ: str) -> Process:
        process = Process(*command, environ={**self.environ, **environ}, fds=fds)
        self._processes.append(process)
        return process

    def stop(self) -> None:
        if self._agent:
            self._agent.communicate()
        for process in self._processes:
            if process.popen.poll() is None:
                process.stop()
        self._throwaway.stop()


class Web:
    """A running web process and ways to talk to it."""

    def __init__(self, house: House, port: int | None = None, **environ: str) -> None:
        with socket.create_server(("127.0.0.1", port or 0)) as free:
            self.port = free.getsockname()[1]
        self.process = house.run("-m", "config.web", "--port", str(self.port), **environ)
        until(lambda: self._answers() or self.process.popen.poll() is not None, "web starts")
        assert self.process.popen.poll() is None, "\n".join(self.process.lines)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            return True
        return False

    def request(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None, timeout: float = 10
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def get(self, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, bytes]:
        return self.request("GET", path, headers=headers)

    def json(self, path: str) -> Any:
        return json.loads(self.get(path)[2])

    def connect(self, receive_buffer: int | None = None) -> socket.socket:
        line = socket.socket()
        if receive_buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        line.settimeout(10)
        line.connect(("127.0.0.1", self.port))
        return line

    @contextlib.contextmanager
    def stream(self, receive_buffer: int | None = None, **headers: str) -> Iterator[Stream]:
        stream = Stream(self, headers, receive_buffer)
        try:
            yield stream
        finally:
            stream.close()


class Stream:
    """A live stream, as a browser reads it: `status`, `headers`, then `next` event by event."""

    def __init__(self, web: Web, headers: dict[str, str], receive_buffer: int | None = None) -> None:
        self._line = web.connect(receive_buffer)
        asked = {"Host": f"127.0.0.1:{web.port}", **{key.replace("_", "-"): value for key, value in headers.items()}}
        self._line.sendall(
            b"GET /live/ HTTP/1.1\r\n" + b"".join(f"{k}: {v}\r\n".encode() for k, v in asked.items()) + b"\r\n"
        )
        self._bytes = b""
        self._text = ""
        while b"\r\n\r\n" not in self._bytes:
            assert self._fill(5), "no answer"
        head, _, self._bytes = self._bytes.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines)}
        self.ended = False

    def _fill(self, seconds: float) -> bool:
        """Reads something; False when nothing came in time or the line was closed."""
        if not select.select([self._line], [], [], seconds)[0]:
            return False
        more = self._line.recv(65536)
        self._bytes += more
        return bool(more)

    def _chunk(self, seconds: float) -> bool:
        """Takes one HTTP chunk into the text."""
        while True:
            size, found, rest = self._bytes.partition(b"\r\n")
            if found and len(rest) >= int(size, 16) + 2:
                length = int(size, 16)
                self._text += rest[:length].decode()
                self._bytes = rest[length + 2 :]
                self.ended = length == 0
                return not self.ended
            if not self._fill(seconds):
                return False

    def next(self, seconds: float = 5.0, comments: bool = False) -> tuple[str, Any] | None:
        """The next (event, data), or None when none came in time or the stream ended; comments on request only."""
        end = time.monotonic() + seconds
        while True:
            while "\n\n" in self._text:
                event, _, self._text = self._text.partition("\n\n")
                fields = dict(line.split(":", 1) for line in event.split("\n"))
                if "event" in fields:
                    return fields["event"].strip(), json.loads(fields["data"])
                if comments and "" in fields:
                    return "comment", None
            left = end - time.monotonic()
            if left <= 0 or not self._chunk(left):
                return None

    def closed(self, seconds: float = 5.0) -> bool:
        """Whether the stream ends in time; events before the end are passed over."""
        end = time.monotonic() + seconds
        while not self.ended and time.monotonic() < end:
            self.next(end - time.monotonic())
        return self.ended

    def close(self) -> None:
        self._line.close()
