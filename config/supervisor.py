"""Keeps the house running: two servers and four processes, started in order, restarted, stopped in order.

`python -m config.supervisor --data FOLDER`, as the user that the house runs under. One lock per data folder says who
keeps it; what the keeper knows (URLs, address) is in `house.json` beside it and counts only while the lock is held.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from config import house, lan, lifeline
from config.child import BACK_OFF, Child
from config.embedded import Servers
from config.house import ROOT, HouseError

PORTS = range(8000, 8010)
READY_SECONDS = 90.0
STOP_SECONDS = 6.0
FIRST = """  Nobody is an administrator of this house yet. This link makes you one; it works once, within a day:
  {link}
"""
CELERY = [
    "celery",
    "--quiet",
    "-A",
    "config.celery",
    "worker",
    "--without-gossip",
    "--without-mingle",
    "--loglevel=WARNING",
]


class House:
    """One start of the house at `data`, from the first check to the last process gone."""

    def __init__(self, data: Path, options: argparse.Namespace) -> None:
        self.data, self.port, self.once, self.backup = data, options.port, options.once, options.backup
        self.demo = not options.no_demo and not options.lan
        self.lan: bool = options.lan
        self.servers = None if own_servers_given() else Servers(data)
        self.children: list[Child] = []
        self.stopping = False

    def run(self) -> int:
        for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(name, self._stop_soon)
        wait_for_orphans(self.data)
        try:
            return self._serve()
        finally:
            self._stop()

    def _serve(self) -> int:
        with claim_port(self.port, lan.EVERYWHERE if self.lan else lan.HERE) as listener:
            port = listener.getsockname()[1]
            hall = lan.Hall(self.data, port, os.environ) if self.lan else None
            environment = provide(self.servers, self.data)
            write_state(self.data, environment)
            os.environ.update(environment | (hall.environment() if hall else {}))
            if os.environ.get("GINGODROME_DEBUG") != "1":
                os.environ.setdefault("GINGODROME_STATIC", str(self.data / "static"))
            fd = listener.fileno()
            self.children = [
                Child("web", ["config.web", "--fd", str(fd)], fds=(fd,)),
                Child("ticker", ["config.ticker"]),
                Child("worker", [*CELERY, "-B", "--pool=threads", "-Q", "celery", "-n", "worker@%h"]),
                Child("heavy", [*CELERY, "--pool=prefork", "-c1", "-Q", "heavy", "-n", "heavy@%h"], niceness=10),
            ]
            if self.backup:
                self.children.append(Child("backup", ["config.backup", self.backup], niceness=10))
            # The page comes first: four programs that load at the same time would all be late. It loads while the
            # database is brought to the present, and waits at the gate for the end of that.
            os.environ["GINGODROME_GATE"] = str(self.data / "gate.lock")
            with house.locked(self.data / "gate.lock"):
                self.children[0].start()
                code = self._prepare()
            self._until("the pages", lambda: health(port) is not None)
            if self.stopping:
                return 0
            here = f"http://{lan.HERE}:{port}/"
            write_state(self.data, environment, address=here, hall=hall.urls if hall else ())
            print(f"\n  Gingodrome is ready:  {here}\n  Ctrl-C stops it.\n", flush=True)
            if hall:
                print(hall.told(), flush=True)
            if code:
                print(FIRST.format(link=f"{here}join/#{code}"), flush=True)
            for child in self.children[1:]:
                _try_to_start(child)
            if self.once:
                self._until("every process", lambda: bool((health(port) or {}).get("ok")))
            next_look = time.monotonic() + lan.CHECK
            while not self.stopping and not self.once:
                self._restart_what_died()
                if hall and time.monotonic() >= next_look:
                    next_look = time.monotonic() + lan.CHECK
                    self._follow(hall, environment, here)
                time.sleep(0.1)
        return 0

    def _follow(self, hall: lan.Hall, environment: dict[str, str], here: str) -> None:
        """Another network, or a hotspot switched on: the pages answer to its address, too, and the terminal tells it.

        Only the web process reads the addresses, and what comes meanwhile waits on the socket that is kept here.
        """
        if not hall.moved():
            return
        os.environ.update(hall.environment())
        web = self.children[0]
        web.terminate()
        web.finish(time.monotonic() + STOP_SECONDS)
        _try_to_start(web)
        write_state(self.data, environment, address=here, hall=hall.urls)
        print(hall.told(), flush=True)

    def _prepare(self) -> str:
        """Brings the database to the present; the code of the first administrator's link, "" where there is one."""
        heard, told = os.pipe()
        # No demonstration into servers that are somebody's own.
        extra = {"GINGODROME_DEMO": "1" if self.demo and self.servers else "0", "GINGODROME_TELL": str(told)}
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "config.prepare"],
                stdin=subprocess.DEVNULL,
                cwd=ROOT,
                env=os.environ | extra,
                pass_fds=(told,),
                start_new_session=True,
            )
        finally:
            os.close(told)
        with os.fdopen(heard) as pipe:
            while process.poll() is None:
                if self.stopping:
                    process.terminate()
                time.sleep(0.02)
            if process.returncode and not self.stopping:
                raise HouseError("The database could not be brought to the present; the reason is above.")
            return "" if process.returncode else pipe.read()

    def _until(self, what: str, true: Callable[[], bool]) -> None:
        """Wait at the start. A process that dies now would die again: give up and let its last words stand."""
        deadline = time.monotonic() + READY_SECONDS
        while not self.stopping and not true():
            dead = next((child.name for child in self.children if child.died()), None)
            if dead or time.monotonic() > deadline:
                raise HouseError(f"{dead} ended at once; the reason is above." if dead else f"Waited in vain: {what}.")
            time.sleep(0.03)

    def _restart_what_died(self) -> None:
        for child in self.children:
            if child.died():
                code = child.process.returncode if child.process else 0
                child.mourn()
                print(f"{child.name} ended ({code}); next start in {child.wait:.1f} s", file=sys.stderr, flush=True)
            if child.process is None and time.monotonic() >= child.due:
                _try_to_start(child)
        if self.servers:
            for server in (self.servers.valkey, self.servers.postgres):
                if not server.alive():
                    print(f"{server.name} ended; starting it again", file=sys.stderr, flush=True)
                    with_back_off(server.start, lambda: self.stopping)

    def _stop(self) -> None:
        """Web first, so that nobody is promised anything; then a last backup; the servers last."""
        started = time.monotonic()
        (self.data / "house.json").unlink(missing_ok=True)
        for group in (("web",), ("ticker",), ("worker", "heavy"), ("backup",)):
            members = [child for child in self.children if child.name in group]
            for child in members:
                child.terminate()
            deadline = time.monotonic() + STOP_SECONDS
            for child in members:
                child.finish(deadline)
        if self.servers:
            self.servers.stop()
        print(f"Stopped in {time.monotonic() - started:.1f} s.", flush=True)

    def _stop_soon(self, _signal: int, _frame: FrameType | None) -> None:
        self.stopping = True


def _try_to_start(child: Child) -> None:
    try:
        child.start()
    except HouseError as error:
        print(f"{error} Next try in {child.wait:.1f} s", file=sys.stderr, flush=True)


def with_back_off(start: Callable[[], None], give_up: Callable[[], bool]) -> None:
    """Start a server again and again until it runs: what it lacks (memory, room on the disk) may come back."""
    wait = BACK_OFF[0]
    while not give_up():
        try:
            start()
            return
        except (HouseError, OSError) as error:
            print(f"{error}\n(next try in {wait:.1f} s)", file=sys.stderr, flush=True)
        until = time.monotonic() + wait
        while time.monotonic() < until and not give_up():
            time.sleep(0.1)
        wait = min(wait * 2, BACK_OFF[1])


def own_servers_given() -> bool:
    """Whether the environment names both servers. One alone is a mistake, said at once."""
    given = [name for name in ("DATABASE_URL", "REDIS_URL") if os.environ.get(name)]
    if len(given) == 1:
        raise HouseError(f"Only {given[0]} is set: set DATABASE_URL and REDIS_URL both, or neither.")
    return bool(given)


def provide(servers: Servers | None, data: Path) -> dict[str, str]:
    """Start the embedded servers, if they are ours, and say what settings need to know."""
    if servers:
        house.forget_libpq()
        servers.start()
        return servers.environment()
    key = os.environ.get("SECRET_KEY") or house.secrets_of(data)["secret_key"]
    return {"DATABASE_URL": os.environ["DATABASE_URL"], "REDIS_URL": os.environ["REDIS_URL"], "SECRET_KEY": key}


def claim_port(wanted: int | None, host: str = lan.HERE) -> socket.socket:
    """A listening socket: on the port that was asked for, or on the first free one from 8000 on."""
    for port in PORTS if wanted is None else (wanted,):
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(1024)
        except OSError as error:
            listener.close()
            if wanted is not None:
                raise HouseError(f"Port {port} cannot be used: {error.strerror}.") from error
            continue
        if wanted is None and port != PORTS[0]:
            print(f"\n  NOTE: port {PORTS[0]} is busy; Gingodrome takes port {port}.", flush=True)
        return listener
    raise HouseError(f"The ports {PORTS[0]} to {PORTS[-1]} are all busy: choose one with --port.")


def health(port: int) -> dict[str, Any] | None:
    """What /healthz tells, or None while there are no pages. No proxy of the environment is asked."""
    line = http.client.HTTPConnection(lan.HERE, port, timeout=5)
    try:
        line.request("GET", "/healthz")
        answer = line.getresponse()
        return json.loads(answer.read()) if answer.status == 200 else None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        line.close()


def wait_for_orphans(data: Path) -> None:
    """Processes of a killed supervisor end by themselves within seconds; wait until the last is gone."""
    file = data / "children.lock"
    file.touch(mode=0o600)
    os.environ[lifeline.LOCK] = str(file)
    deadline = time.monotonic() + 3 * lifeline.GRACE_SECONDS
    while True:
        with house.locked(file, wait=False) as alone:
            if alone:
                return
        if time.monotonic() > deadline:
            raise HouseError(f"Processes of an earlier run still hold {file}: end them first.")
        time.sleep(0.05)


def write_state(
    data: Path, environment: dict[str, str], *, address: str = "", hall: Sequence[str] = (), keeper: bool = False
) -> None:
    state = {"environment": environment, "address": address, "hall": [*hall], "keeper": keeper}
    house.write_private(data / "house.json", json.dumps(state))


def read_state(data: Path) -> dict[str, Any]:
    """What the keeper of `data` wrote; empty before it did. Only to be believed while its lock is held."""
    try:
        return json.loads((data / "house.json").read_text())
    except FileNotFoundError:
        return {}


def greet_second(data: Path) -> int | None:
    """A second `up`: say where the first one is. None when the first one has ended meanwhile."""
    deadline = time.monotonic() + READY_SECONDS
    while house.is_locked(data / "lock"):
        state = read_state(data)
        if state.get("address"):
            print("  ".join([f"Gingodrome is already running:  {state['address']}", *state["hall"]]), flush=True)
            return 0
        if state.get("keeper"):
            raise HouseError("Another manage.py command uses the embedded servers: let it end first.")
        if time.monotonic() > deadline:
            raise HouseError("Another start of Gingodrome is under way here and does not get ready.")
        time.sleep(0.1)
    return None


def keep_servers(data: Path) -> int:
    """Run only the servers, until standard input closes and no other command uses them any more."""
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    (data / "attached.lock").touch(mode=0o600)

    def watch() -> None:
        sys.stdin.buffer.read()
        over.set()

    threading.Thread(target=watch, daemon=True).start()
    with Servers(data) as servers:
        write_state(data, servers.environment(), keeper=True)
        print("ready", flush=True)
        while not over.wait(0.1) or house.is_locked(data / "attached.lock"):
            pass
        (data / "house.json").unlink(missing_ok=True)
    return 0


def port_number(text: str) -> int:
    """The number of a port as a person gives it; 0 lets the system choose."""
    if not (text.isascii() and text.isdigit() and int(text) < 1 << 16):
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, and {text!r} is none")
    return int(text)


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="manage.py up")
    parser.add_argument("--data", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--servers", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=port_number, help="the port to serve (default: the first free one from 8000 on)")
    parser.add_argument("--once", action="store_true", help="start, wait until every process lives, and stop")
    parser.add_argument("--no-demo", action="store_true", help="begin empty: load no demonstration")
    parser.add_argument("--lan", action="store_true", help="serve the phones of a hall, too; without a demonstration")
    parser.add_argument("--backup", metavar="FOLDER", help="a backup a minute into it, while something changes")
    options = parser.parse_args(args)
    try:
        if options.lan:
            lan.check(os.environ)
        house.own_folder(options.data, 0o700)
        while True:
            with house.locked(options.data / "lock", wait=False) as mine:
                if mine:
                    (options.data / "house.json").unlink(missing_ok=True)
                    if options.servers:
                        return keep_servers(options.data)
                    return House(options.data, options).run()
            # The servers of another command serve this one as well; the caller attaches to them.
            greeted = 0 if options.servers else greet_second(options.data)
            if greeted is not None:
                return greeted
    except HouseError as error:
        print(error, file=sys.stderr, flush=True)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
