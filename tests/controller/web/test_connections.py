"""What strangers send and hold open: the page answers others, the terminal stays quiet, files stay free."""

import os
import resource
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from controller.web import connections
from controller.web.address import LOOPBACK, Address
from controller.web.connections import open_listening_socket, raise_descriptor_limit
from controller.web.match.match_texts import StateText
from controller.web.page_context import PageContext
from controller.web.server import PageServer
from controller.web.server_thread import ServerThread
from tests.controller.web.shown_match import TOKEN, ShownMatch
from tests.controller.web.strangers import SEEDS, WAIT_S, connected, first_line, is_ended, seed_for
from tests.controller.web.test_server import asked, handshake, served

pytestmark = pytest.mark.broad

ONLY_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere this machine has one address alone")
OPERATOR = f"\r\nSec-WebSocket-Protocol: zarbiter, operator.{TOKEN}\r\n\r\n".encode("ascii")
N_STRANGERS = 150


@pytest.fixture
def page() -> Iterator[PageServer]:
    with served(ShownMatch.begun()) as server:
        yield server


def n_open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.stem)
def test_a_handshake_gets_its_answer(page: PageServer, seed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The number before the name of a seed is the status."""
    with connected(page) as line:
        assert first_line(line, seed_for(seed, page)).split()[1:2] == [seed.stem[:3].encode("ascii")]
    assert asked(page, "/api/state")[0] == 200
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("unlimited")
def test_no_number_of_malformed_handshakes_ends_the_page(page: PageServer, capfd: pytest.CaptureFixture[str]) -> None:
    """Each of them is forgotten; a limit of connections would be reached otherwise."""
    before = n_open_files()
    malformed = [seed_for(seed, page) for seed in SEEDS if seed.stem.startswith("400")]
    for number in range(600):
        with connected(page, number) as line:
            assert first_line(line, malformed[number % len(malformed)]).startswith(b"HTTP/1.1 400")
            assert is_ended(line)
    assert n_open_files() == before
    assert asked(page, "/api/state")[0] == 200
    assert capfd.readouterr().err == ""


@ONLY_LINUX
def test_silent_connections_of_one_address_are_limited(page: PageServer, capfd: pytest.CaptureFixture[str]) -> None:
    """Of 150 it may hold a third of the page's 256 places; everybody else is served, and files stay free."""
    before = n_open_files()
    with ExitStack() as held:
        lines = [held.enter_context(closing(connected(page, 1))) for _ in range(N_STRANGERS)]
        assert asked(page, "/api/state")[0] == 200
        assert n_open_files() - before - N_STRANGERS <= 86 + 1  # one was asked just now
        for line in lines:
            line.settimeout(0.0)
        assert sum(not _is_refused(line) for line in lines) == 86
    assert capfd.readouterr().err == ""


def _is_refused(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionError:
        return True
    except BlockingIOError:
        return False


def test_the_page_leaves_files_to_the_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system allows few files, the page takes a quarter of them at most."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        assert raise_descriptor_limit() > 1_000
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 1_000
        monkeypatch.setattr(connections, "_WANTED_DESCRIPTORS", 256)
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        with open_listening_socket(Address(LOOPBACK, 0)) as listening, ExitStack() as held:
            listening.settimeout(1.0)
            for _ in range(64):
                held.enter_context(socket.create_connection(listening.getsockname()))
            for _ in range(22):  # a third of the page's 64
                held.enter_context(closing(listening.accept()[0]))
            with pytest.raises(BlockingIOError):
                listening.accept()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@ONLY_LINUX
@pytest.mark.usefixtures("unlimited")
def test_spectators_cannot_take_the_operators_seat(page: PageServer) -> None:
    """Many addresses take all the seats that they get; the operator, at one of them, gets a live page."""
    shake = handshake(page.address.port)
    with ExitStack() as held:
        lines = [held.enter_context(closing(connected(page, number % 20))) for number in range(160)]
        assert sum(first_line(line, shake).startswith(b"HTTP/1.1 101") for line in lines) == 118
        line = held.enter_context(closing(connected(page, 1)))
        assert first_line(line, shake.removesuffix(b"\r\n\r\n") + OPERATOR).startswith(b"HTTP/1.1 101")


def test_a_socket_that_takes_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its unsent states would keep it open for ever."""
    monkeypatch.setattr(connections, "SEND_WITHIN_S", 0.3)
    monkeypatch.setattr("controller.web.socket_feed.SEND_WITHIN_S", 0.3)
    monkeypatch.setattr(PageContext, "state_text", lambda *_: StateText(f'"{"x" * 30_000_000}"', 0))
    with served(ShownMatch.begun()) as server:
        asked(server, "/")
        before = n_open_files()
        with connected(server) as line:
            assert first_line(line, handshake(server.address.port)).startswith(b"HTTP/1.1 101")
            end_s = time.monotonic() + WAIT_S
            while n_open_files() > before + 1 and time.monotonic() < end_s:
                time.sleep(0.02)
            assert n_open_files() == before + 1  # the stranger's own end


def test_a_socket_that_sends_much_is_cut_off(page: PageServer) -> None:
    """A browser only answers pings. A flood of pings without a reader would fill the memory with answers."""
    ping = b"\x89\xfdaaaa" + b"\0" * 125
    with connected(page) as line:
        assert first_line(line, handshake(page.address.port)).startswith(b"HTTP/1.1 101")
        line.sendall(ping)
        with pytest.raises(ConnectionError):
            line.sendall(100_000 * ping)
    assert asked(page, "/api/state")[0] == 200


async def broken(scope: Scope, receive: Receive, send: Send) -> None:
    """An application with a fault."""
    raise ValueError("\x1b]0;title\x07")


def test_a_fault_of_a_handler_leaves_one_line_and_few_of_them(capfd: pytest.CaptureFixture[str]) -> None:
    """The line names the place in the code, and has nothing that a stranger has sent."""
    with open_listening_socket(Address(LOOPBACK, 0)) as listening:
        server = ServerThread(broken, listening, "broken page")
        for _ in range(20):
            with socket.create_connection(listening.getsockname(), WAIT_S) as line:
                assert first_line(line, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n") == b"HTTP/1.1 500 Internal Server Error"
        server.end()
    said = capfd.readouterr().err.splitlines()
    assert len(said) == 5
    assert all(one.startswith("The page has failed to answer a request (ValueError in ") for one in said)
    assert f"{os.path.basename(__file__)}, line " in said[0]  # noqa: PTH119 - the name alone
    assert "\x1b" not in "".join(said)
