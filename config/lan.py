"""The house in a hall: which addresses of this machine phones can reach, told in the terminal with a QR code.

`up --lan`. Before Django: standard library and segno only. The addresses become host names that the house answers to;
a browser's Origin is compared with the Host that was asked for, so a page is trusted on exactly these.
"""

from __future__ import annotations

import contextlib
import ctypes
import io
import os
import re
import socket
import struct
import sys
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import ClassVar, NamedTuple

import segno

from config import house
from config.house import HouseError

EVERYWHERE = "0.0.0.0"  # noqa: S104 - a hall is what it is for
HERE = "127.0.0.1"
CHECK = 5.0  # seconds between two looks at the addresses: a hotspot may be switched on after the start
IFF_UP, IFF_LOOPBACK = 0x1, 0x8
# Networks inside of this machine, or to one that is far away: no phone of the hall is in them.
_VIRTUAL = re.compile(
    r"(docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun|wg|zt|tailscale|ppp|cni|lxc|lxd|podman|awdl|llw)"
)
_PRIVATE = tuple(IPv4Network(text) for text in ("192.168.0.0/16", "10.0.0.0/8", "172.16.0.0/12"))
PLAIN = """\
  This is plain http: whoever is in this network can listen, and act as those who sign in here. Use a network that
  only the hall has the password of, best a hotspot of this laptop: docs/operations/lan.md. Nobody of a demonstration
  can sign in while the house serves a hall.
"""
NOWHERE = """
  This machine is in no network that a phone could be in: switch its Wi-Fi or hotspot on, and the address appears here.
"""


class Address(NamedTuple):
    """An IPv4 address of this machine, and the name of the interface that has it."""

    interface: str
    ip: str


def addresses() -> list[Address]:
    """Addresses that another machine may reach, the likely one first."""
    found = [one for one in _interfaces() if not IPv4Address(one.ip).is_link_local]
    return ranked(found, _of_the_way_out())


def ranked(found: Iterable[Address], way_out: str) -> list[Address]:
    """The likely one first: of a real interface, private, the one through which this machine reaches others."""

    def unlikely(one: Address) -> tuple[bool, bool, bool, str, str]:
        private = any(IPv4Address(one.ip) in network for network in _PRIVATE)
        return (_VIRTUAL.match(one.interface) is not None, not private, one.ip != way_out, one.interface, one.ip)

    return sorted(found, key=unlikely)


def host_names(given: str, found: Iterable[Address]) -> str:
    """GINGODROME_HOSTS: what was given, and the addresses."""
    return ",".join(dict.fromkeys([*filter(None, given.split(",")), *(one.ip for one in found)]))


def check(environ: Mapping[str, str]) -> None:
    """HouseError for an environment that must not meet a hall."""
    if environ.get("GINGODROME_HTTPS") == "1":
        raise HouseError("--lan serves plain http, and GINGODROME_HTTPS=1 lets browsers ask for https: unset it.")
    if environ.get("GINGODROME_DEBUG") == "1":
        raise HouseError("GINGODROME_DEBUG=1 shows the inside of the house to everybody in the hall: unset it.")


class Hall:
    """The addresses of one start with `--lan`. `environment` is what its processes are told."""

    def __init__(self, data: Path, port: int, environ: Mapping[str, str]) -> None:
        self.port = port
        self._last = data / "lan"
        self._given = environ.get("GINGODROME_HOSTS", "")
        self.found = addresses()

    @property
    def urls(self) -> list[str]:
        """The addresses of the first page, the likely one first."""
        return [f"http://{one.ip}:{self.port}/" for one in self.found]

    def environment(self) -> dict[str, str]:
        first = self.urls[0].rstrip("/") if self.found else ""
        hosts = host_names(self._given, self.found)
        return {"GINGODROME_LAN": "1", "GINGODROME_HOSTS": hosts, "GINGODROME_ADDRESS": first}

    def moved(self) -> bool:
        """Whether the addresses are others than before; `environment` and `told` then speak of the new ones."""
        before, self.found = self.found, addresses()
        return self.found != before

    def told(self) -> str:
        """What the terminal says: every address, a QR code of the likely one, and what to know about it."""
        if not self.found:
            return NOWHERE
        lines = ["", "  Phones in the same network open one of these:", ""]
        for number, (url, one) in enumerate(zip(self.urls, self.found, strict=True)):
            lines.append(f"    {url}   ({one.interface}{'; likely this one' if number == 0 else ''})")
        lines += ["", *(f"    {line}" for line in _square(self.urls[0])), "", PLAIN]
        if warning := self._warning():
            lines = ["", warning, *lines]
        return "\n".join(lines)

    def _warning(self) -> str:
        """Loud where codes that hang in the hall lead nowhere now. Remembers the address for the next start."""
        before = self._last.read_text() if self._last.exists() else ""
        house.write_private(self._last, self.urls[0])
        if before in ("", *self.urls):
            return ""
        return (
            f"  NOTE: THE ADDRESS IS ANOTHER ONE: it was {before} and is {self.urls[0]}\n"
            "  QR codes that are printed or bookmarked lead to the old one: print and show them anew."
        )


def _square(url: str) -> list[str]:
    """A QR code in lines of half blocks; nothing for a terminal that has none."""
    out = io.StringIO()
    segno.make(url, micro=False).terminal(out, border=2, compact=True)
    try:
        out.getvalue().encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return out.getvalue().splitlines()


def _of_the_way_out() -> str:
    """The address that this machine speaks from when it speaks to far away, "" without such a way; nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(("198.51.100.1", 9))
        return str(line.getsockname()[0])
    return ""


class _Interface(ctypes.Structure):
    """`struct ifaddrs` as far as it is needed; the same on Linux and macOS."""

    _fields_: ClassVar = [
        ("next", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("flags", ctypes.c_uint),
        ("address", ctypes.c_void_p),
    ]


def _interfaces() -> list[Address]:
    """IPv4 addresses of interfaces that are up, the loopback left out. Asked of the C library: Python has no word."""
    libc = ctypes.CDLL(None, use_errno=True)
    first = ctypes.c_void_p()
    if libc.getifaddrs(ctypes.byref(first)):
        raise HouseError(f"The addresses of this machine cannot be read: {os.strerror(ctypes.get_errno())}.")
    found, at = [], first.value
    try:
        while at:
            one = _Interface.from_address(at)
            if one.address and one.flags & IFF_UP and not one.flags & IFF_LOOPBACK:
                head = ctypes.string_at(one.address, 2)
                family = head[1] if sys.platform == "darwin" else struct.unpack("=H", head)[0]
                if family == socket.AF_INET:
                    packed = ctypes.string_at(one.address + 4, 4)
                    found.append(Address(one.name.decode(errors="replace"), socket.inet_ntoa(packed)))
            at = one.next
    finally:
        libc.freeifaddrs(first)
    return found
