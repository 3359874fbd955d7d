"""The house in a hall: its addresses, what the terminal says, what other machines may ask it for."""

from __future__ import annotations

import http.client
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.test import Client, RequestFactory

from config import env, house, lan, supervisor
from config.house import HouseError
from config.lan import Address, Hall, addresses, host_names, ranked
from players.models import User
from players.services import create_people
from players.web.showing import shown
from tests.e2e.house import RunningHouse, clean_environ, running_house

ENGLISH = {"Accept-Language": "en"}
HALL = [Address("wlan0", "192.168.7.20"), Address("eth0", "10.1.2.3")]


@pytest.fixture(scope="module")
def own() -> list[Address]:
    """Of this machine; the tests of a real house need one."""
    found = addresses()
    if not found:
        pytest.skip("this machine has no address but its loopback")
    return found


@pytest.fixture(scope="module")
def running(own: list[Address]) -> Iterator[RunningHouse]:
    with running_house(options=("--lan",)) as here:
        yield here


def test_the_addresses_are_those_that_the_system_tells(own: list[Address]) -> None:
    try:
        told = subprocess.run(["ip", "-4", "-o", "addr"], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        pytest.skip("no `ip` here to compare with")
    rows = re.findall(r"^\d+: (\S+)\s+inet ([\d.]+)", told, re.MULTILINE)
    assert sorted(own) == sorted(Address(*row) for row in rows if not row[1].startswith(("127.", "169.254.")))


def test_the_likely_address_comes_first() -> None:
    found = [
        Address("docker0", "172.17.0.1"),
        Address("tailscale0", "100.64.0.9"),
        Address("eth0", "203.0.113.5"),
        Address("eth1", "10.0.0.4"),
        Address("wlp2s0", "192.168.1.30"),
    ]
    assert [one.interface for one in ranked(found, "192.168.1.30")] == [
        "wlp2s0",
        "eth1",
        "eth0",
        "docker0",
        "tailscale0",
    ]
    # A way out through a tunnel makes the tunnel no likelier: phones are not in it.
    assert ranked(found, "100.64.0.9")[0].interface == "eth1"
    assert ranked(found, "10.0.0.4")[0].interface == "eth1"


def test_given_names_stay_beside_the_addresses() -> None:
    assert host_names("club.example,10.1.2.3", HALL) == "club.example,10.1.2.3,192.168.7.20"
    assert host_names("", HALL[:1]) == "192.168.7.20"


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hall:
    monkeypatch.setattr(lan, "addresses", lambda: list(HALL))
    return Hall(tmp_path, 8000, {})


def test_the_terminal_tells_each_address_with_a_code_and_the_danger(hall: Hall) -> None:
    told = hall.told()
    assert "http://192.168.7.20:8000/   (wlan0; likely this one)" in told
    assert "http://10.1.2.3:8000/   (eth0)" in told
    assert "▀" in told
    assert "whoever is in this network can listen" in told
    assert hall.environment() == {
        "GINGODROME_LAN": "1",
        "GINGODROME_HOSTS": "192.168.7.20,10.1.2.3",
        "GINGODROME_ADDRESS": "http://192.168.7.20:8000",
    }


def test_an_address_that_is_not_that_of_the_last_time_is_said_loudly(hall: Hall, tmp_path: Path) -> None:
    assert "NOTE" not in hall.told()
    assert "NOTE" not in Hall(tmp_path, 8000, {}).told()
    moved = Hall(tmp_path, 8001, {}).told()
    assert "THE ADDRESS IS ANOTHER ONE: it was http://192.168.7.20:8000/ and is http://192.168.7.20:8001/" in moved
    assert "NOTE" not in Hall(tmp_path, 8001, {}).told()


def test_a_hotspot_that_is_switched_on_later_is_seen(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not hall.moved()
    monkeypatch.setattr(lan, "addresses", list)
    assert hall.moved()
    assert "no network that a phone could be in" in hall.told()
    assert hall.environment() == {"GINGODROME_LAN": "1", "GINGODROME_HOSTS": "", "GINGODROME_ADDRESS": ""}
    monkeypatch.setattr(lan, "addresses", lambda: HALL[:1])
    assert hall.moved()
    assert "192.168.7.20" in hall.told()


@pytest.mark.parametrize("name", ["GINGODROME_HTTPS", "GINGODROME_DEBUG"])
def test_what_must_not_meet_a_hall_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert supervisor.main(["--data", str(tmp_path / "data"), "--lan"]) == 1
    assert f"{name}=1" in capsys.readouterr().err
    assert not (tmp_path / "data").exists()


def get(url: str, path: str, **headers: str) -> tuple[int, str]:
    where = urlsplit(url)
    line = http.client.HTTPConnection(str(where.hostname), where.port, timeout=10)
    try:
        line.request("GET", path, headers=headers)
        with line.getresponse() as answer:
            return answer.status, "" if path == "/live/" else answer.read().decode()
    finally:
        line.close()


@pytest.mark.slow
def test_a_house_in_a_hall(running: RunningHouse, own: list[Address]) -> None:
    """Pages, forms and the live stream for another machine; no demonstration, and no strange host."""
    port = urlsplit(running.url).port
    hall = f"http://{own[0].ip}:{port}"
    log = running.log()
    assert f"{hall}/   ({own[0].interface}; likely this one)" in log
    assert get(hall, "/")[0] == get(running.url, "/")[0] == 200
    assert get(hall, "/", Host="elsewhere.example")[0] == 400
    assert get(hall, "/live/")[0] == 200
    assert get(hall, "/live/", Host="elsewhere.example")[0] == 403
    assert get(hall, "/live/", Origin="http://elsewhere.example")[0] == 403

    # A form of this very address is taken, another's is not: wrong password, and no 403.
    for origin, status in ((hall, 422), ("http://elsewhere.example", 403)):
        told = urlencode({"login": "nobody", "password": "x", "csrfmiddlewaretoken": "t" * 32})
        headers = {"Cookie": f"csrftoken={'t' * 32}", "Origin": origin}
        request = urllib.request.Request(f"{hall}/sign-in/", told.encode(), headers)
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)
        with refused.value as answer:
            assert answer.code == status

    # Who asks a second time is told the addresses, too.
    assert f"Gingodrome is already running:  {running.url}/  {hall}/" in manage_up(running.base)
    # Nothing was loaded to look at, and nobody to sign in as.
    assert "/tournaments/" not in get(hall, "/calendar/")[1]
    assert "works only in a browser on the machine" in get(running.url, "/demo/", **ENGLISH)[1]


@pytest.mark.django_db
def test_nobody_of_a_demonstration_signs_in_while_the_house_serves_a_hall(settings: Any) -> None:
    """Not even on the machine itself, and who was signed in before is a stranger."""
    ada = create_people(["Ada"])[0]
    User.objects.filter(pk=ada.pk).update(is_demo=True)
    client = Client(headers={"accept-language": "en"})
    assert client.post("/demo/", {"person": str(ada.pk)}, HTTP_HOST="localhost").status_code == 302
    assert "Ada" in client.get("/", HTTP_HOST="localhost").text
    settings.DEMO_SIGN_IN = False
    assert "Ada" not in client.get("/", HTTP_HOST="localhost").text
    assert client.post("/demo/", {"person": str(ada.pk)}, HTTP_HOST="localhost").status_code == 403


def test_links_for_phones_begin_with_the_address_of_the_hall(settings: Any, rf: RequestFactory) -> None:
    request = rf.get("/", HTTP_HOST="localhost")
    assert shown(request, "/seat/", "code")["link"] == "http://localhost/seat/#code"
    settings.PUBLIC_ADDRESS = "http://192.168.7.20:8000"
    assert shown(request, "/seat/", "code")["link"] == "http://192.168.7.20:8000/seat/#code"


@pytest.mark.parametrize("address", ["192.168.7.20:8000", "ftp://192.168.7.20", "http://192.168.7.20/x", "http://:80"])
def test_an_address_for_phones_that_is_none_is_refused(address: str) -> None:
    given = env.urls_to_nowhere() | {"GINGODROME_ADDRESS": address}
    with pytest.raises(env.EnvError, match="GINGODROME_ADDRESS"):
        env.read(given)
    assert env.read(given | {"GINGODROME_ADDRESS": "http://a.example:8000/"}).address == "http://a.example:8000"


def manage_up(base: Path) -> str:
    words = [sys.executable, str(house.ROOT / "manage.py"), "up", "--lan"]
    done = subprocess.run(words, env=clean_environ() | {"GINGODROME_DATA": str(base)}, capture_output=True, text=True)
    return done.stdout


def test_a_busy_port_of_the_hall_is_an_error_in_a_sentence(own: list[Address]) -> None:
    with supervisor.claim_port(0, lan.EVERYWHERE) as first:
        assert first.getsockname()[0] == lan.EVERYWHERE
        with pytest.raises(HouseError, match="cannot be used"):
            supervisor.claim_port(first.getsockname()[1], lan.HERE)
