"""Every setting that comes from outside, read from the environment once, typed, with every fault named at once.

Standard library only and free of side effects: the door may import it before anything is installed.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
NO_HOSTS: tuple[str, ...] = ()
MIN_SECRET = 50  # characters; what Django's deployment check asks for as well
_HOST = re.compile(r"\.?[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\]")
_PG_OPTIONS = frozenset(
    {"application_name", "sslmode", "sslrootcert", "sslcert", "sslkey", "target_session_attrs", "options"}
)
T = TypeVar("T")


class EnvError(Exception):
    """The environment cannot be used. `faults` holds one sentence per fault, never a secret's value."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("The environment cannot be used:\n" + "\n".join(f"  - {fault}" for fault in faults))
        self.faults = tuple(faults)


@dataclass(frozen=True, slots=True)
class Database:
    """Where PostgreSQL is. `host` may be the folder of its socket."""

    name: str
    user: str
    password: str = field(repr=False)
    host: str
    port: str
    options: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Env:
    """What the house is told from outside. Built by `read`, never by hand outside tests."""

    database: Database
    redis_url: str = field(repr=False)
    broker_url: str = field(repr=False)
    secret_key: str = field(repr=False)
    debug: bool
    https: bool
    embedded: bool
    testing: bool
    hosts: tuple[str, ...]
    threads: int
    static: Path | None
    lan: bool
    address: str
    backup: Path | None


def read(environ: Mapping[str, str] = os.environ) -> Env:
    """The typed environment. Raises `EnvError` with all faults together.

    DATABASE_URL          postgresql://user:password@host:5432/name, or ...@/name?host=/folder/of/the/socket
    REDIS_URL             redis://host:6379/0, rediss://..., or unix:///path/of/the.sock
    SECRET_KEY            at least 50 characters
    GINGODROME_DEBUG      1: error pages with details, the style guide; never on a public host
    GINGODROME_HTTPS      1: served through https only (secure cookies, HSTS, redirect)
    GINGODROME_HOSTS      extra host names this house answers to, separated by commas
    GINGODROME_THREADS    page threads of a web process, task threads of a worker (default 8)
    GINGODROME_STATIC     folder of the collected static files (hashed names); without it they are served as
                          they lie in the checkout
    GINGODROME_LAN        1: phones of a hall reach this house (set by `up --lan`): no sign-in of the demonstration
    GINGODROME_ADDRESS    http://192.168.1.20:8000: what links and codes for phones begin with; without it they
                          begin as the page that shows them
    GINGODROME_BACKUP     folder of the backups, one a minute while something changes
    GINGODROME_EMBEDDED   1: the database and Valkey belong to this house
    PYTEST_VERSION        set by pytest, inherited by the processes a test starts: entropy may be injected
    """
    faults: list[str] = []

    def take(name: str, parse: Callable[[str], T], missing: T | None = None) -> T | None:
        raw = environ.get(name, "").strip()
        if not raw:
            if missing is None:
                faults.append(f"{name} is not set")
            return missing
        try:
            return parse(raw)
        except ValueError as fault:
            faults.append(f"{name}: {fault}")
            return None

    database = take("DATABASE_URL", parse_database_url)
    redis_url = take("REDIS_URL", _redis_url)
    secret_key = take("SECRET_KEY", _secret)
    debug = take("GINGODROME_DEBUG", _switch, False)
    https = take("GINGODROME_HTTPS", _switch, False)
    embedded = take("GINGODROME_EMBEDDED", _switch, False)
    hosts = take("GINGODROME_HOSTS", _hosts, NO_HOSTS)
    threads = take("GINGODROME_THREADS", _threads, 8)
    static = take("GINGODROME_STATIC", _folder, Path())
    lan = take("GINGODROME_LAN", _switch, False)
    address = take("GINGODROME_ADDRESS", _address, "")
    backup = take("GINGODROME_BACKUP", _folder, Path())
    if faults or database is None or redis_url is None or secret_key is None:
        raise EnvError(faults)
    return Env(
        database=database,
        redis_url=redis_url,
        broker_url=broker_url_for(redis_url),
        secret_key=secret_key,
        debug=bool(debug),
        https=bool(https),
        embedded=bool(embedded),
        testing="PYTEST_VERSION" in environ,
        hosts=(*LOCAL_HOSTS, *(hosts or ())),
        threads=threads or 8,
        static=static if static != Path() else None,
        lan=bool(lan),
        address=address or "",
        backup=backup if backup != Path() else None,
    )


def in_ci() -> bool:
    """Whether this run must not forgive what the machine lacks (CI is set, as every CI service does)."""
    return os.environ.get("CI", "") not in ("", "0", "false")


def urls_to_nowhere() -> dict[str, str]:
    """What settings need to be imported, well formed, and no server behind it: for what asks no database."""
    return {
        "DATABASE_URL": "postgresql://nobody@/nothing?host=/nonexistent",
        "REDIS_URL": "unix:///nonexistent/valkey.sock",
        "SECRET_KEY": secrets.token_urlsafe(48),
    }


def parse_database_url(raw: str) -> Database:
    """The parts of a postgresql:// URL. Raises ValueError with a sentence that does not repeat the URL."""
    url = _split(raw)
    if url.scheme not in ("postgresql", "postgres"):
        raise ValueError("must begin with postgresql://")
    query = dict(parse_qsl(url.query, strict_parsing=bool(url.query)))
    host = query.pop("host", "") or unquote(url.hostname or "")
    name = unquote(url.path.removeprefix("/"))
    if not name or "/" in name:
        raise ValueError("must end with the name of one database")
    if not host:
        raise ValueError("names no host: give one, or ?host=/folder/of/the/socket")
    if strange := sorted(query.keys() - _PG_OPTIONS):
        raise ValueError("has options this program does not know: " + ", ".join(strange))
    return Database(
        name=name,
        user=unquote(url.username or ""),
        password=unquote(url.password or ""),
        host=host,
        port=str(_port(url.netloc) or ""),
        options=query,
    )


def broker_url_for(redis_url: str) -> str:
    """The same server in the words of Celery: only sockets are spelled differently."""
    url = urlsplit(redis_url)
    if url.scheme != "unix":
        return redis_url
    query = dict(parse_qsl(url.query))
    password = unquote(url.password or "") or query.get("password", "")
    login = f"{quote(query.get('username', '') or url.username or '')}:{quote(password, safe='')}@" if password else ""
    return f"redis+socket://{login}{url.path}?{urlencode({'virtual_host': query.get('db', '0')})}"


def _redis_url(raw: str) -> str:
    url = _split(raw)
    if url.scheme not in ("redis", "rediss", "unix"):
        raise ValueError("must begin with redis://, rediss:// or unix://")
    if url.scheme == "unix":
        if not url.path.startswith("/"):
            raise ValueError("must name the socket with its full path, as in unix:///run/valkey.sock")
        db = dict(parse_qsl(url.query)).get("db", "0")
    else:
        if not url.hostname:
            raise ValueError("names no host")
        _port(url.netloc)
        db = url.path.removeprefix("/") or "0"
    if not db.isascii() or not db.isdigit():
        raise ValueError("the number of the database is not a number")
    return raw


def _split(raw: str) -> SplitResult:
    try:
        return urlsplit(raw)
    except ValueError:
        raise ValueError("is not a URL") from None


def _port(netloc: str) -> int | None:
    match = re.search(r":([^:\]@]*)$", netloc.rpartition("@")[2])
    if match is None or not match[1]:
        return None
    if not (match[1].isascii() and match[1].isdigit() and 0 < int(match[1]) < 65536):
        raise ValueError("the port is not a number from 1 to 65535")
    return int(match[1])


def _secret(raw: str) -> str:
    if len(raw) < MIN_SECRET:
        raise ValueError(f"is shorter than {MIN_SECRET} characters")
    if len(set(raw)) < 5:
        raise ValueError("repeats the same few characters")
    return raw


def _switch(raw: str) -> bool:
    if raw not in ("0", "1"):
        raise ValueError("must be 1 or 0")
    return raw == "1"


def _hosts(raw: str) -> tuple[str, ...]:
    hosts = tuple(part.strip() for part in raw.split(",") if part.strip())
    if bad := [host for host in hosts if not _HOST.fullmatch(host)]:
        raise ValueError("not a host name (no port, no scheme, no *): " + ", ".join(bad))
    return hosts


def _threads(raw: str) -> int:
    if not (raw.isascii() and raw.isdigit() and 1 <= int(raw) <= 64):
        raise ValueError("must be a number from 1 to 64")
    return int(raw)


def _address(raw: str) -> str:
    url = _split(raw)
    if url.scheme not in ("http", "https") or not url.hostname or url.path.strip("/") or url.query or url.fragment:
        raise ValueError("must be like http://192.168.1.20:8000")
    _port(url.netloc)
    return raw.rstrip("/")


def _folder(raw: str) -> Path:
    path = Path(raw)
    if not path.is_absolute():
        raise ValueError("must be a full path")
    return path
