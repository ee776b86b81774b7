"""Spectators who come and go on the live page, and check that each event reaches them once and in order."""

import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlsplit

from tests.controller.web.test_server import handshake

N_SPECTATORS = 10
STAYS_S = (0.5, 20.0)
AWAY_S = (0.2, 5.0)
PATHS = ("/", "/static/main.js", "/api/state", "/favicon.ico")
_TEXT = 1


@dataclass(slots=True)
class Seen:
    """What came to the spectators; `gaps` holds each event that did not follow the one before it."""

    visits: int = 0
    n_events: int = 0
    gaps: list[str] = field(default_factory=list)


@contextmanager
def spectators_beside(link: str) -> Iterator[Callable[[], Seen]]:
    """They come and go in another process, whose descriptors do not count; after the context the result may be asked for."""
    call = [sys.executable, "-m", "tests.benchmarks.spectators", link]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        answers: list[str] = []
        try:
            yield lambda: Seen(**json.loads(answers[0]))
        finally:
            answers.append(process.communicate()[0])  # the end of its standard input ends it


@dataclass(slots=True)
class _Crowd:
    """Each has a thread and a source of chance of its own."""

    place: tuple[str, int]
    is_over: threading.Event = field(default_factory=threading.Event)
    seen: Seen = field(default_factory=Seen)

    def come_and_go(self, rng: Random) -> None:
        while not self.is_over.wait(rng.uniform(*AWAY_S)):
            with suppress(OSError):
                self._load(rng.choice(PATHS))
                self._watch(time.monotonic() + rng.uniform(*STAYS_S))
                self.seen.visits += 1

    def _load(self, path: str) -> None:
        connection = HTTPConnection(*self.place, timeout=10)
        try:
            connection.request("GET", path)
            connection.getresponse().read()
        finally:
            connection.close()

    def _watch(self, until_s: float) -> None:
        newest = 0
        with socket.create_connection(self.place, timeout=10) as line:
            line.sendall(handshake(self.place[1]))
            line.settimeout(0.5)
            for text in unmasked_texts(line, until_s, self.is_over):
                message = json.loads(text)
                if message["type"] == "match":
                    newest = 0
                for event in message.get("events", ()):
                    self.seen.n_events += 1
                    if event["number"] != newest + 1:
                        self.seen.gaps.append(f"{event['number']} after {newest}")
                    newest = event["number"]


def unmasked_texts(line: socket.socket, until_s: float, is_over: threading.Event) -> Iterator[bytes]:
    """The texts of a WebSocket's unmasked frames, after the answer to the handshake."""
    held = b""
    is_begun = False
    while time.monotonic() < until_s and not is_over.is_set():
        try:
            heard = line.recv(65_536)
        except TimeoutError:
            continue
        if not heard:
            return
        held += heard
        if not is_begun:
            head, found, rest = held.partition(b"\r\n\r\n")
            if not found:
                continue
            if b" 101 " not in head.split(b"\r\n")[0]:
                return
            is_begun, held = True, rest
        while (frame := _first_frame(held)) is not None:
            kind, content, held = frame
            if kind == _TEXT:
                yield content


def _first_frame(held: bytes) -> tuple[int, bytes, bytes] | None:
    if len(held) < 2:
        return None
    n_bytes, begin = held[1] & 0x7F, 2
    if n_bytes >= 126:
        begin = 4 if n_bytes == 126 else 10
        n_bytes = int.from_bytes(held[2:begin], "big")
    if len(held) < begin + n_bytes:
        return None
    return held[0] & 0x0F, held[begin : begin + n_bytes], held[begin + n_bytes :]


def main(arguments: Sequence[str]) -> int:
    where = urlsplit(arguments[0])
    crowd = _Crowd((where.hostname or "", where.port or 0))
    threads = [threading.Thread(target=crowd.come_and_go, args=(Random(number),)) for number in range(N_SPECTATORS)]
    for thread in threads:
        thread.start()
    sys.stdin.read()
    crowd.is_over.set()
    for thread in threads:
        thread.join()
    print(json.dumps(asdict(crowd.seen)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
