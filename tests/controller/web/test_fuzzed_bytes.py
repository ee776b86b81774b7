"""Bytes of any kind on the page's port: handshakes without the token, and orders with it."""

import json
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from itertools import islice
from pathlib import Path

import pytest

from controller.refereeing.referee import without_perception
from controller.web.server import PageServer
from tests.controller.web.shown_match import TOKEN, ShownMatch
from tests.controller.web.strangers import SEEDS, connected, seed_for
from tests.controller.web.test_server import asked, handshake, served
from tests.fuzz.mutations import draw_inputs

pytestmark = [pytest.mark.broad, pytest.mark.timeout(600), pytest.mark.usefixtures("unlimited")]

ORDERS = (Path(__file__).parent / "orders.jsonl").read_bytes().splitlines()
WORDS = (b":", b",", b" ", b"\r\n", b"\n\n", b"{", b"[" * 400, b"NaN", b"4294967296")  # of headers and of JSON
SOON_S = 0.03  # an unfinished request gets no answer
AT_ONCE = 25  # connections side by side; one address may hold 86
EACH = 100  # inputs between two questions whether the page still answers
SAFE = {
    b"101",
    b"200",
    b"202",
    b"307",
    b"400",
    b"401",
    b"403",
    b"404",
    b"405",
    b"409",
    b"413",
    b"415",
    b"421",
    b"422",
    b"426",
}


def statuses_of(server: PageServer, batch: Sequence[bytes]) -> list[bytes]:
    """The statuses of the answers to inputs that are sent side by side; empty where there is none."""
    with ExitStack() as held:
        lines = [held.enter_context(closing(connected(server, number))) for number in range(len(batch))]
        for line, sent in zip(lines, batch, strict=True):
            _send(line, sent)
        end_s = time.monotonic() + SOON_S
        return [_read_status(line, end_s) for line in lines]


def _send(line: socket.socket, sent: bytes) -> None:
    with suppress(ConnectionError):
        line.sendall(sent)


def _read_status(line: socket.socket, end_s: float) -> bytes:
    line.settimeout(max(end_s - time.monotonic(), 0.001))
    try:
        return line.recv(64)[9:12]
    except (TimeoutError, ConnectionError):
        return b""


def test_handshakes_of_any_kind(fuzz_s: float, capfd: pytest.CaptureFixture[str]) -> None:
    """The page answers, its state stays, and the terminal stays quiet."""
    shown = ShownMatch.begun()
    before = without_perception(shown.match.state)
    with served(shown) as server:
        seeds = [seed_for(seed, server) for seed in SEEDS]
        inputs = draw_inputs(seeds, WORDS, fuzz_s)
        while batch := list(islice(inputs, AT_ONCE)):
            statuses = statuses_of(server, batch)
            assert set(statuses) <= SAFE | {b""}, dict(zip(statuses, batch, strict=True))
            assert asked(server, "/api/state")[0] == 200, batch
        assert asked(server, "/api/state")[0] == 200
        assert shown.obey() == ()
    assert without_perception(shown.match.state) == before
    assert capfd.readouterr().err == ""


def test_frames_of_any_kind(fuzz_s: float, capfd: pytest.CaptureFixture[str]) -> None:
    """A browser sends nothing but answers to pings; whatever else comes ends its socket at most."""
    frames = [
        b"\x81\x82aaaabb",
        b"\x8a\x84aaaabbbb",
        b"\x89\x80aaaa",
        b"\x88\x82aaaa\x62\x89",
        b"\x01\x80aaaa\x80\x80aaaa",
    ]
    with served(ShownMatch.begun()) as server:
        shake = handshake(server.address.port)
        for number, sent in enumerate(draw_inputs(frames, WORDS, fuzz_s)):
            with closing(connected(server, number % 200)) as line:
                line.sendall(shake)
                assert line.recv(12) == b"HTTP/1.1 101", sent
                _send(line, sent)
            if number % EACH == 0:
                assert asked(server, "/api/state")[0] == 200, sent
        assert asked(server, "/api/state")[0] == 200
    assert capfd.readouterr().err == ""


def test_orders_of_any_bytes(fuzz_s: float, capfd: pytest.CaptureFixture[str]) -> None:
    """An order is refused, or the referee answers it; the log and the state agree."""
    shown = ShownMatch.begun()
    with served(shown) as server:
        address = f"{server.address.host}:{server.address.port}"
        for number, body in enumerate(draw_inputs(ORDERS, WORDS, fuzz_s)):
            head = f"POST /api/commands HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            assert statuses_of(server, [head.encode("ascii") + body])[0] in SAFE | {b""}, body
            shown.obey()
            if number % EACH == 0:
                assert json.loads(asked(server, "/api/state")[1])["viewer"] == "operator", body
        assert asked(server, "/api/state")[0] == 200
    assert shown.match.is_what_the_log_says()
    assert capfd.readouterr().err == ""
