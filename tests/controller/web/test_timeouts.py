"""Deadlines of connections, on a real socket."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing

import pytest

from controller.web import connections
from controller.web.address import LOOPBACK
from controller.web.server import PageServer
from tests.controller.web.shown_match import TOKEN, ShownMatch
from tests.controller.web.test_server import asked, served

pytestmark = pytest.mark.broad

WAIT_S = 20
SOON_S = 0.3


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[PageServer]:
    """A server with short deadlines."""
    monkeypatch.setattr(connections, "ASKED_WITHIN_S", SOON_S)
    monkeypatch.setattr(connections, "SEND_WITHIN_S", SOON_S)
    with served(ShownMatch.begun()) as found:
        yield found


def head(server: PageServer, first_line: str, *more: str) -> bytes:
    lines = (first_line, f"Host: {LOOPBACK}:{server.address.port}", *more, "", "")
    return "\r\n".join(lines).encode("ascii")


def begun_order(server: PageServer) -> bytes:
    """The head of an order and the first of its ten bytes."""
    more = (f"Authorization: Bearer {TOKEN}", "Content-Type: application/json", "Content-Length: 10")
    return head(server, "POST /api/commands HTTP/1.1", *more) + b"{"


@pytest.mark.parametrize("what", ["nothing", "half a head", "half an order", "another half after an answer"])
def test_an_unfinished_request_is_cut_off(server: PageServer, what: str) -> None:
    """The number of connections is limited."""
    sent = {
        "nothing": b"",
        "half a head": b"GET /api/live HTTP/1.1\r\n",
        "half an order": begun_order(server),
        "another half after an answer": head(server, "HEAD /static/x HTTP/1.1") + b"GET ",
    }
    with socket.create_connection((LOOPBACK, server.address.port), timeout=WAIT_S) as line:
        line.sendall(sent[what])
        try:
            while line.recv(4_096):
                pass
        except ConnectionResetError:
            pass
    assert asked(server, "/api/state")[0] == 200


def is_watched(server: PageServer) -> bool:
    """A frame is kept only while somebody watches."""
    return server.camera.newest is not None


class EndlessPicture:
    """A picture that exceeds every buffer of the system."""

    def to_jpeg(self) -> bytes:
        return b"x" * 30_000_000


def test_a_viewer_that_takes_no_pictures_loses_its_slot(server: PageServer) -> None:
    """The number of camera viewers is limited."""
    with closing(socket.create_connection((LOOPBACK, server.address.port), timeout=WAIT_S)) as line:
        line.sendall(head(server, "GET /api/camera HTTP/1.1"))
        assert line.recv(12) == b"HTTP/1.1 200"
        while not is_watched(server):
            server.camera.put(EndlessPicture())  # type: ignore[arg-type]
        end_s = time.monotonic() + WAIT_S
        while is_watched(server) and time.monotonic() < end_s:
            time.sleep(0.01)
        assert not is_watched(server)


def test_a_viewer_that_waits_for_pictures_is_not_cut_off(server: PageServer) -> None:
    """The deadline concerns the request, not the response."""
    with closing(socket.create_connection((LOOPBACK, server.address.port), timeout=WAIT_S)) as line:
        line.sendall(head(server, "GET /api/camera HTTP/1.1"))
        assert line.recv(4_096).startswith(b"HTTP/1.1 200")
        line.settimeout(3 * SOON_S)
        with pytest.raises(TimeoutError):
            line.recv(1)
