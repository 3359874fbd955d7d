"""The live stream: who may listen, what he hears, what happens when something is lost or too much."""

from __future__ import annotations

import contextlib
import json
import signal
import time
from collections.abc import Iterator

import pytest

from config.hub import PER_ADDRESS, PER_SESSION, QUEUE
from tests.config.house import House, Stream, Web, until

PEOPLE = """
from players.models import User
for name in ("ada", "bea", "mia"):
    User.objects.filter(username=name).exists() or User.objects.create_user(name, name.title(), "a good password")
"""


@pytest.fixture(scope="module")
def people(own_house: House) -> None:
    own_house.shell(PEOPLE)


def sign_in(web: Web, username: str) -> str:
    """The Cookie header of a new session."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    status, _, text = web.request("POST", "/sign-in/", f"username={username}", form)
    assert status == 200
    return f"sessionid={json.loads(text)['session']}"


def publish(house: House, topic: str, times: int = 1) -> None:
    """Publishes from another process, as a worker does."""
    house.shell(f"from core.live import publish\nfor _ in range({times}): publish({topic!r})")


def valkey(house: House, *command: str | int) -> object:
    from redis import Redis

    with contextlib.closing(Redis.from_url(house.servers.valkey.url)) as client:
        return client.execute_command(*command)


def opened(stream: Stream) -> Stream:
    assert stream.status == 200, stream.status
    return stream


@contextlib.contextmanager
def streams(web: Web, count: int, **headers: str) -> Iterator[list[Stream]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(web.stream(**headers)) for _ in range(count)]


def test_a_published_topic_reaches_every_viewer(own_house: House, web: Web) -> None:
    with streams(web, 3) as listeners:
        publish(own_house, "public")
        heard = [opened(stream).next() for stream in listeners]
        assert heard[0] is not None
        assert heard[0][0] == "signal"
        assert heard[0][1]["topic"] == "public"
        assert heard[1:] == [heard[0], heard[0]]
        publish(own_house, "public")
        later = listeners[0].next()
        assert later is not None
        assert later[1]["version"] == heard[0][1]["version"] + 1


def test_what_a_stream_answers_carries_no_date_and_passes_proxies(web: Web) -> None:
    with web.stream() as stream:
        assert stream.status == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["x-accel-buffering"] == "no"
        assert stream.headers["cache-control"] == "no-store"
        assert not {"date", "server", "set-cookie", "expires", "last-modified"} & stream.headers.keys()


def test_an_idle_stream_is_kept_alive(web: Web) -> None:
    with web.stream() as stream:
        assert [stream.next(2, comments=True) for _ in range(2)] == [("comment", None)] * 2


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:8000"}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Host": "127.0.0.1.evil.example"}, 403),
        ({"Host": ""}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://localhost", "Host": "localhost"}, 403),
        ({"Origin": "http://localhost:1", "Host": "localhost:2"}, 403),
        ({"Origin": "http://localhost:8000", "Host": "localhost:8000"}, 200),
        ({"Sec_Fetch_Site": "same-origin"}, 200),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "none"}, 403),
    ],
)
def test_only_a_page_of_this_host_may_listen(web: Web, headers: dict[str, str], status: int) -> None:
    with web.stream(**headers) as stream:
        assert stream.status == status


def test_two_hosts_are_no_host(web: Web) -> None:
    with web.connect() as line:
        line.sendall(b"GET /live/ HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")
        assert line.recv(100).split()[1] in (b"400", b"403")


def test_other_methods_and_paths_are_refused(web: Web) -> None:
    assert web.request("POST", "/live/", b"")[0] == 405
    assert web.get("/live/sheet:1")[0] == 404


def test_topics_come_from_rights_and_not_from_the_address(own_house: House, web: Web, people: None) -> None:
    with web.stream() as stranger, web.stream(Cookie=sign_in(web, "ada")) as ada:
        publish(own_house, "person")
        heard = opened(ada).next()
        assert heard is not None
        assert heard[1]["topic"] == "person"
        assert opened(stranger).next(0.8) is None


def test_a_topic_nobody_may_hear_is_heard_by_nobody(own_house: House, web: Web) -> None:
    with web.stream() as stream:
        publish(own_house, "sheet:1")
        assert opened(stream).next(0.8) is None


def test_a_session_has_at_most_six_streams(web: Web, people: None) -> None:
    ada, bea = sign_in(web, "ada"), sign_in(web, "bea")
    with streams(web, PER_SESSION, Cookie=ada) as mine:
        assert [stream.status for stream in mine] == [200] * PER_SESSION
        with web.stream(Cookie=ada) as seventh, web.stream(Cookie=bea) as other:
            assert seventh.status == 429
            assert seventh.headers["retry-after"] == "30"
            assert other.status == 200
        mine.pop().close()

        def again() -> bool:
            with web.stream(Cookie=ada) as stream:
                return stream.status == 200

        until(again, "a closed stream makes room")


def test_an_address_has_at_most_twenty_streams(web: Web) -> None:
    def open_ones() -> int:
        with streams(web, PER_ADDRESS + 1) as all_of_them:
            return sum(stream.status == 200 for stream in all_of_them)

    until(lambda: open_ones() == PER_ADDRESS, "twenty are open, one is refused")


def test_a_revoked_session_is_closed_and_comes_back_as_a_stranger(own_house: House, web: Web, people: None) -> None:
    ada, other = sign_in(web, "ada"), sign_in(web, "ada")
    key = ada.partition("=")[2]
    with web.stream(Cookie=ada) as gone, web.stream(Cookie=other) as stays:
        assert (gone.status, stays.status) == (200, 200)
        own_house.shell(
            "from players.actor import session_digest\n"
            "from core.live import revoke\n"
            "from players.models import Session\n"
            f"Session.objects.filter(pk={key!r}).delete()\n"
            f"revoke(session=session_digest({key!r}))"
        )
        assert gone.closed(0.9)
        publish(own_house, "person")
        assert stays.next() is not None
    with web.stream(Cookie=ada) as back:
        publish(own_house, "person")
        assert opened(back).next(0.8) is None


def test_a_revoked_person_loses_all_streams(own_house: House, web: Web, people: None) -> None:
    with (
        web.stream(Cookie=sign_in(web, "bea")) as one,
        web.stream(Cookie=sign_in(web, "bea")) as two,
        web.stream(Cookie=sign_in(web, "ada")) as other,
    ):
        assert (one.status, two.status, other.status) == (200, 200, 200)
        own_house.shell(
            "from core.live import revoke\nfrom players.models import User\n"
            "revoke(person=User.objects.get(username='bea').pk)"
        )
        assert one.closed(0.9)
        assert two.closed(0.9)
        assert not other.closed(0.3)


def test_rights_are_read_again_without_being_told(own_house: House, web: Web, people: None) -> None:
    """Signed out, renamed out of a topic, shut out: each closes within one reading, nobody published anything."""
    changes = {
        "session": "from players.models import Session; Session.objects.filter(pk={key!r}).delete()",
        "topic": "User.objects.filter(username='mia').update(display_name='Muted')",
        "person": "User.objects.filter(username='mia').update(is_active=False)",
    }
    with web.stream() as stranger, web.stream(Cookie=sign_in(web, "ada")) as unchanged:
        for change in changes.values():
            own_house.shell(
                "from players.models import User\n"
                "User.objects.filter(username='mia').update(display_name='Mia', is_active=True)"
            )
            with web.stream(Cookie=(cookie := sign_in(web, "mia"))) as stream:
                assert stream.status == 200
                key = cookie.partition("=")[2]
                own_house.shell(f"from players.models import User\n{change.format(key=key)}")
                assert stream.closed(4)
        assert not stranger.closed(0.2)
        assert not unchanged.closed(0.2)


def test_a_lost_publish_heals(own_house: House, web: Web) -> None:
    """The version went up and the message never came: the next reading of the versions tells it, once."""
    with web.stream() as stream:
        version = valkey(own_house, "INCR", "version:public")
        assert opened(stream).next(3) == ("signal", {"topic": "public", "version": version})
        assert stream.next(1.2) is None


def test_a_client_that_does_not_read_gets_one_resync(own_house: House, web: Web) -> None:
    with web.stream(receive_buffer=1024) as lazy, web.stream() as quick:
        assert (lazy.status, quick.status) == (200, 200)
        # Fifty publishes at once, as fifty processes would send them, and again.
        code = (
            "from core import live\nfrom core.valkey import client\nimport time\n"
            "for _ in range(200):\n"
            "    burst = client().pipeline(transaction=False)\n"
            "    for _ in range(50):\n"
            "        burst.eval(live._PUBLISH, 1, 'version:public', 60, 'live:signals', 'public')\n"
            "    burst.execute()\n"
            "    time.sleep(0.002)"
        )
        own_house.shell(code)
        last = valkey(own_house, "GET", "version:public")
        assert isinstance(last, bytes)
        heard = []
        while (event := lazy.next(3)) is not None:
            heard.append(event)
        kinds = [kind for kind, _ in heard]
        # What fits into the buffers on the way is sent, then the queue overflows. After the last resync at most what
        # was taken with it and one more queue follow, and the page ends up knowing the last version.
        assert "resync" in kinds
        assert len(heard) < 10_000
        assert kinds[::-1].index("resync") < 2 * QUEUE
        assert heard[-1] in [("signal", {"topic": "public", "version": int(last)}), ("resync", {})]


def test_valkey_comes_back_and_everybody_resyncs(own_house: House, web: Web) -> None:
    with streams(web, 2) as listeners:
        assert [stream.status for stream in listeners] == [200, 200]
        own_house.servers.valkey.stop()
        time.sleep(0.2)
        with web.stream() as late:
            assert late.status == 200  # pages open while the bus is away
            own_house.servers.valkey.start()
            for stream in (*listeners, late):
                assert stream.next(6) == ("resync", {})
            publish(own_house, "public")
            for stream in (*listeners, late):
                heard = stream.next()
                assert heard is not None
                assert heard[0] == "signal"


def test_a_silent_bus_is_noticed(own_house: House, web: Web) -> None:
    """The server hangs without closing the connection: it is asked, does not answer, and counts as lost."""
    process = own_house.servers.valkey.process
    assert process
    with web.stream() as stream:
        assert stream.status == 200
        process.send_signal(signal.SIGSTOP)
        time.sleep(2.6)
        process.send_signal(signal.SIGCONT)
        assert stream.next(6) == ("resync", {})


def test_streams_survive_a_restart_of_the_database(own_house: House, web: Web, people: None) -> None:
    with web.stream(Cookie=sign_in(web, "ada")) as stream:
        assert stream.status == 200
        own_house.servers.postgres.stop()
        time.sleep(1.5)
        own_house.servers.postgres.start()
        assert not stream.closed(1.5)
        publish(own_house, "person")
        assert stream.next() is not None


def test_a_stop_ends_the_streams_and_the_process_at_once(own_house: House) -> None:
    """A process of its own, which answers to one more host."""
    web = Web(own_house, GINGODROME_HOSTS="hall.example")
    assert web.get("/backend/", Host="hall.example")[0] == 200
    assert web.get("/backend/", Host="other.example")[0] == 400
    with web.stream(Host="hall.example") as stream:
        assert stream.status == 200
        began = time.monotonic()
        assert web.process.stop() == -signal.SIGTERM
        assert time.monotonic() - began < 3
        assert stream.closed(1)
    assert not web.process.said("exceeded")
    assert not web.process.said("ASGI")
