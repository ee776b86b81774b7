import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice

import cv2
import numpy as np
import pytest

from tests.vision.camera.fake_cameras import frames_of
from vision.camera.live import open_live_source
from vision.camera.stream import Stream, parse_stream, public_address
from vision.camera.watchdog import WatchdogTimeouts
from vision.errors import SourceRefusedError
from vision.frame import Condition

pytestmark = pytest.mark.broad

FRAME_S = 0.005
ONCE = WatchdogTimeouts(first_pause_ms=600_000, longest_pause_ms=600_000)


class MjpegServer(ThreadingHTTPServer):
    """A telephone as a camera: endless JPEGs, each brighter than the last, until `stopped` is set."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.stopped = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/video"


class _Answer(BaseHTTPRequestHandler):
    server: MjpegServer

    def do_GET(self) -> None:
        if self.path not in ("/video", "/huge"):
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            self._send_pictures()
        except OSError:
            return  # the reader has gone

    def _send_pictures(self) -> None:
        number = 0
        huge = cv2.imencode(".jpg", np.zeros((7_100, 7_100), np.uint8))[1].tobytes() if self.path == "/huge" else b""
        while not self.server.stopped.wait(FRAME_S):
            number += 1
            jpeg = huge or cv2.imencode(".jpg", np.full((96, 128, 3), 20 + number % 200, np.uint8))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
            self.wfile.write(head.encode() + jpeg + b"\r\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        """Says nothing."""


@pytest.fixture
def server() -> Iterator[MjpegServer]:
    with MjpegServer() as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield serving
        serving.stopped.set()
        serving.shutdown()
        thread.join()


def test_a_stream_over_http_is_read_and_its_end_detected(server: MjpegServer) -> None:
    """Frames of a real server through FFmpeg; when it stops the source vanishes."""
    with open_live_source(Stream(server.url), ONCE) as source:
        frames = list(islice(frames_of(source), 5))
        assert {frame.pixels.shape for frame in frames} == {(96, 128, 3)}
        assert all(np.ptp(frame.pixels) <= 2 for frame in frames)
        server.stopped.set()
        while source.state.condition is Condition.LIVE:
            source.latest(1000)
        assert source.state.condition in (Condition.VANISHED, Condition.HANGS)
        assert source.state.sentence.startswith(f"The stream {server.url} ")


def test_a_missing_stream_is_reported(server: MjpegServer) -> None:
    """A wrong path: one sentence with the address, without the password in the URL."""
    url = server.url.replace("http://", "http://referee:secret@").replace("/video", "/nothing?token=secret")
    with open_live_source(Stream(url), ONCE) as source:
        while source.state.condition is Condition.OPENING:
            source.latest(1000)
        assert source.state.condition is Condition.VANISHED
        assert source.state.sentence == (
            f"The stream http://127.0.0.1:{server.server_port}/nothing cannot be opened;"
            " check the address, the password and the network by opening it in a video player."
        )


def test_a_stream_of_huge_pictures_is_refused(server: MjpegServer) -> None:
    with open_live_source(Stream(server.url.replace("/video", "/huge")), ONCE) as source:
        while source.state.condition is Condition.OPENING:
            source.latest(1000)
        assert source.state.sentence == (
            f"The stream http://127.0.0.1:{server.server_port}/huge has pictures of 7100x7100 pixels, and at most"
            " 50 million can be read; choose a smaller picture in the settings of its camera."
        )


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("rtsp://admin:p%40ss@10.0.0.7:554/stream1", "rtsp://10.0.0.7:554/stream1"),
        ("http://phone.local:8080/video?password=x#y", "http://phone.local:8080/video"),
        ("rtsps://user@[fe80::1]:322/", "rtsps://[fe80::1]:322/"),
        ("HTTPS://Host/a", "https://host/a"),
    ],
)
def test_no_password_is_shown(url: str, shown: str) -> None:
    """The address, the name and the printed recipe hide it."""
    stream = parse_stream(url)
    assert public_address(url) == shown
    assert stream.name == f"The stream {shown}"
    assert repr(stream) == f"Stream('{shown}')"
    assert stream.url == url


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://host/a", "ftp://host/a: streams come by RTSP or HTTP; begin it with rtsp://, http:// or https://."),
        ("rtsp:///a", "rtsp:///a: it names no host; write it as rtsp://HOST:PORT/PATH."),
        ("rtsp://h:x/a", "the URL: its host or port is malformed; write it as rtsp://HOST:PORT/PATH."),
        ("http://[::1/a", "the URL: its host or port is malformed; write it as rtsp://HOST:PORT/PATH."),
    ],
)
def test_another_url_is_refused(url: str, sentence: str) -> None:
    with pytest.raises(SourceRefusedError) as caught:
        parse_stream(url)
    assert str(caught.value) == sentence
