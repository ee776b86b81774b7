"""The server as it runs beside a match: with a real socket, on a port of this machine."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from http.client import HTTPConnection
from pathlib import Path

import pytest

from controller.session.camera_watch import VideoProcessor
from controller.web.address import LOOPBACK, Address
from controller.web.camera_view import CameraView, InterpretedFrame, ViewableProcessor
from controller.web.connections import PageError
from controller.web.match_page import open_page
from controller.web.page_context import STATE_INTERVAL_S, PageContext
from controller.web.server import PageServer
from tests.controller.table_pictures import SEED, SIZE_PX, start_pictures
from tests.controller.web.shown_match import TOKEN, ShownMatch, play_first_turn
from tests.vision.simulated.played_tables import calibration_of, style
from vision.frame import Frame

ANY_PORT = Address(LOOPBACK, 0)


@contextmanager
def served(shown: ShownMatch) -> Iterator[PageServer]:
    with closing(PageServer(ANY_PORT, TOKEN)) as server:
        shown.sink = server.show_match(shown.live)
        shown.orders = server.orders
        yield server


def asked(server: PageServer, path: str, body: dict[str, object] | None = None) -> tuple[int, bytes]:
    """Status and content of a response to the operator."""
    connection = HTTPConnection(server.address.host, server.address.port, timeout=10)
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    with closing(connection):
        connection.request("GET" if body is None else "POST", path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_it_answers_during_a_match_and_frees_the_port_at_the_end() -> None:
    """It serves the page, the last state, and takes orders."""
    shown = ShownMatch.begun()
    with served(shown) as server:
        assert asked(server, "/")[0] == 200
        play_first_turn(shown.match)
        shown.publish()
        state = json.loads(asked(server, "/api/state")[1])["state"]
        assert state["on_turn"] == "B"
        assert asked(server, "/api/commands", {"command": "Pause"})[0] == 202
        shown.obey()
        assert json.loads(asked(server, "/api/state")[1])["state"]["phase"] == "paused"
    with socket.create_server((LOOPBACK, server.address.port)):
        pass


def test_a_page_without_a_match_ends_too() -> None:
    PageServer(ANY_PORT, TOKEN).close()


def test_a_taken_port_is_an_error_unless_it_is_the_usual_one(tmp_path: Path) -> None:
    """A requested address is used or raises PageError; the usual port is replaced by a free one."""
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PageError, match=r"no page at 127\.0\.0\.1"):
            open_page(Address(LOOPBACK, port), 8080, tmp_path)
        page = open_page(None, port, tmp_path)
        assert f":{port}/" not in page.spectators_link
        assert page.operators_link.startswith(f"{page.spectators_link}#operator=")
        page.close()


def test_dead_and_silent_browsers_cost_the_match_nothing() -> None:
    """A thousand states are published quickly in spite of sockets that never read or never finish their request."""
    shown = ShownMatch.begun()
    state = shown.match.state
    with served(shown) as server:
        dead = [socket.create_connection((LOOPBACK, server.address.port)) for _ in range(20)]
        for number, one in enumerate(dead):
            one.sendall(b"GET /api/live HTTP/1.1\r\n" if number % 2 else handshake(server.address.port))
        began_s = time.process_time()
        for now_ms in range(1_000):
            shown.sink.publish(state, (), now_ms)
        assert time.process_time() - began_s < 2.0  # 2 ms each, of all threads together
        assert asked(server, "/api/state")[0] == 200
        for one in dead:
            one.close()


def test_states_that_follow_each_other_wake_the_server_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that is woken takes time from the loop; the last state is shown all the same."""
    shown, woken = ShownMatch.begun(), list[float]()
    monkeypatch.setattr(PageContext, "wake", lambda _: woken.append(time.monotonic()))
    with served(shown):
        woken.clear()
        for now_ms in range(30):
            time.sleep(0.002)
            last_s = time.monotonic()
            shown.sink.publish(shown.match.state, (), now_ms)
        while not woken or woken[-1] < last_s:
            assert time.monotonic() < last_s + 10
            time.sleep(0.005)
        assert len(woken) <= 2 + (woken[-1] - woken[0]) / STATE_INTERVAL_S


def handshake(port: int) -> bytes:
    """The request of a browser that opens a WebSocket."""
    lines = (
        "GET /api/live HTTP/1.1",
        f"Host: {LOOPBACK}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    )
    return "\r\n".join((*lines, "", "")).encode("ascii")


class TestCamera:
    def test_no_frame_is_kept_while_nobody_watches(self) -> None:
        """Frames are large."""
        view, frame = CameraView(), filmed()
        view.put(frame)
        assert newest_of(view) is None
        view.begin_watching()
        view.put(frame)
        assert newest_of(view) is frame
        view.end_watching()
        assert newest_of(view) is None

    def test_pictures_come_as_parts_of_a_stream(self) -> None:
        """Each part is a JPEG with its length."""
        shown = ShownMatch.begun()
        with served(shown) as server:
            connection = HTTPConnection(server.address.host, server.address.port, timeout=20)
            with closing(connection):
                connection.request("GET", "/api/camera")
                answer = connection.getresponse()
                assert answer.headers["Content-Type"] == "multipart/x-mixed-replace; boundary=frame"
                while server.camera.newest is None:  # the viewer takes a slot in the server's thread
                    server.camera.put(filmed())
                head = answer.readline() + answer.readline()
                assert head == b"--frame\r\nContent-Type: image/jpeg\r\n"
                length = int(answer.readline().split()[1])
                answer.readline()
                assert answer.read(length)[:2] == b"\xff\xd8"


def newest_of(view: CameraView) -> InterpretedFrame | None:
    return view.newest


@cache
def filmed() -> InterpretedFrame:
    """A simulated picture of the start position, and its reading."""
    (pixels,) = start_pictures(1)
    view = CameraView()
    view.begin_watching()
    ViewableProcessor(VideoProcessor(calibration_of(style(SEED, SIZE_PX))), view).process(Frame(pixels, 0))
    found = view.newest
    assert found is not None
    return found
