"""Where the house lives on this machine: its folders, its secrets, the account it runs under.

Standard library only. The embedded servers, the supervisor and the test plugin all stand on it.
"""

from __future__ import annotations

import ctypes
import fcntl
import hashlib
import json
import os
import platform
import pwd
import re
import secrets
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Bytes of a UNIX socket path, without the closing NUL.
SOCKET_PATH_LIMIT = 103 if sys.platform == "darwin" else 107
LONGEST_SOCKET_NAME = "/.s.PGSQL.5432"
# What the wheels of the servers are built for.
OLDEST_GLIBC = (2, 28)
OLDEST_MACOS = (10, 16)  # as macOS 11 calls itself to programs built for an older one
INSTEAD = "Set DATABASE_URL and REDIS_URL to servers of your own, and the house uses those."


class HouseError(Exception):
    """The house cannot be set up or started; the text is one sentence for the person at the keyboard."""


def short_hash(path: Path) -> str:
    """Sixteen hexadecimal digits that stand for an absolute path."""
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def data_folder(given: str = "") -> Path:
    """The data folder of the embedded house: `given`, GINGODROME_DATA, or one of this checkout alone.

    Root keeps the house in that folder and its data one level deeper, which belongs to the unprivileged account.
    """
    given = given or os.environ.get("GINGODROME_DATA", "")
    if os.geteuid() == 0:
        return (Path(given).absolute() if given else root_home()) / "data"
    return Path(given).absolute() if given else ROOT / ".run"


def root_home(checkout: Path | None = None) -> Path:
    """The folder that root keeps for a checkout (this one): reachable by every account, swept by no cleaner of /tmp."""
    return Path("/var/lib") / f"gingodrome-{short_hash(checkout or ROOT)}"


def own_folder(path: Path, mode: int, uid: int | None = None) -> Path:
    """Make `path` a real folder of `uid` (default: the present user) with `mode`, or refuse.

    Folders below /tmp have names that anybody can guess, so a folder which somebody else made first,
    or a link, is never used.
    """
    uid = os.geteuid() if uid is None else uid
    try:
        path.mkdir(mode=0o700, parents=True)
        if uid != os.geteuid():
            os.chown(path, uid, -1, follow_symlinks=False)
    except FileExistsError:
        pass
    except OSError as error:
        raise HouseError(f"The folder {path} cannot be made: {error.strerror}.") from error
    found = path.lstat()
    if not path.is_dir() or path.is_symlink() or found.st_uid != uid:
        raise HouseError(f"{path} belongs to somebody else: remove it, or set GINGODROME_DATA to another folder.")
    if found.st_mode & 0o777 != mode:
        path.chmod(mode)
    return path


@dataclass(frozen=True, slots=True)
class Account:
    """An unprivileged account that root hands processes to."""

    name: str
    uid: int
    gid: int

    def popen(self) -> dict[str, Any]:
        """The arguments of `subprocess` that start a process under this account."""
        return {"user": self.uid, "group": self.gid, "extra_groups": []}


def unprivileged_account() -> Account | None:
    """The account to drop to: none for an ordinary user, `nobody` (or `daemon`) for root."""
    if os.geteuid() != 0:
        return None
    for name in ("nobody", "daemon"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(name, entry.pw_uid, entry.pw_gid)
    raise HouseError("PostgreSQL does not run as root, and there is no account `nobody` to run it: add one.")


def check_platform() -> None:
    """Refuse, in one sentence, a machine or a user that the embedded servers cannot serve."""
    system, machine = platform.system(), platform.machine().lower()
    match system:
        case "Linux":
            kind, version = platform.libc_ver()
            fits = machine in {"x86_64", "amd64", "aarch64", "arm64"} and kind == "glibc"
            fits = fits and _numbers(version) >= OLDEST_GLIBC
        case "Darwin":
            kind, version = "macOS", platform.mac_ver()[0]
            fits = machine in {"x86_64", "arm64"} and _numbers(version) >= OLDEST_MACOS
        case _:
            kind, version, fits = "", "", False
    if not fits:
        here = " ".join(filter(None, (system, machine, kind, version)))
        raise HouseError(
            "The embedded servers run on Linux with glibc 2.28 or newer (in WSL2, too) and on macOS 11 or newer, "
            f"and this is {here}. {INSTEAD}"
        )
    try:
        pwd.getpwuid(os.geteuid())
    except KeyError:
        raise HouseError(
            f"User {os.geteuid()} has no entry in /etc/passwd, and PostgreSQL does not start without one: "
            f"add an entry, or use another user. {INSTEAD}"
        ) from None


def _numbers(version: str) -> tuple[int, ...]:
    """`2.36` as (2, 36); what is no version is older than every one."""
    return tuple(map(int, re.findall(r"\d+", version)))


def socket_folder(base: Path, account: Account | None = None) -> Path:
    """A private folder for the sockets of the house at `base`: short enough for the kernel, plain letters."""
    uid = account.uid if account else os.geteuid()
    best = base / "s"
    fits = len(os.fsencode(best)) + len(LONGEST_SOCKET_NAME) <= SOCKET_PATH_LIMIT
    if fits and re.fullmatch(r"[A-Za-z0-9/._-]+", str(best)):
        return own_folder(best, 0o700, uid)
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    short = runtime if not account and 0 < len(runtime) < 40 and os.access(runtime, os.W_OK) else "/tmp"  # noqa: S108
    return own_folder(Path(short) / f"gingodrome-{uid}-{short_hash(base)}", 0o700, uid)


def secrets_of(base: Path) -> dict[str, str]:
    """The passwords and the secret key of the house at `base`; made on first use, in a 0600 file."""
    file = base / "secrets.json"
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        pass
    made = {name: secrets.token_urlsafe(48) for name in ("admin_password", "password", "secret_key")}
    write_private(file, json.dumps(made))
    return made


def write_private(file: Path, text: str) -> None:
    """Write `text` to `file` (mode 0600) in one step: a reader sees the old text or the new, never half."""
    handle, aside = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
    with os.fdopen(handle, "w") as out:
        out.write(text)
    Path(aside).replace(file)


@contextmanager
def locked(file: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold an exclusive lock on `file` and yield True; yield False where somebody holds it and `wait` is off.

    The kernel gives the lock back when the holder dies, however it dies: nothing stale can block a start.
    """
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def is_locked(file: Path) -> bool:
    """Whether somebody holds a lock on `file`; makes nothing, so root may ask about a file of another account."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False


def forget_libpq() -> None:
    """Drop PGPORT, PGSERVICE and their like: they would send the clients of our server somewhere else."""
    for name in [name for name in os.environ if name.startswith("PG")]:
        del os.environ[name]


def die_with_parent(sent: int) -> Callable[[], None] | None:
    """A `preexec_fn` after which Linux signals the child with `sent` when its parent dies, even by kill -9.

    None on other systems. The parent is the *thread* that starts it: start children from the main thread.
    """
    if sys.platform != "linux":
        return None
    libc, parent = ctypes.CDLL(None), os.getpid()

    def preexec() -> None:
        libc.prctl(1, sent, 0, 0, 0)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:  # it died before the line above
            os.kill(os.getpid(), signal.SIGKILL)

    return preexec
