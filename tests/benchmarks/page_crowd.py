"""Spectators and an operator of the page, in a process of their own: `python -m tests.benchmarks.page_crowd PORT TOKEN N`.

Each is a socket that takes everything and says nothing, as browsers do. The process begins with a line on standard input
and ends with the next one; then it prints as JSON how much arrived, and whether any event was missing.
"""

import asyncio
import json
import sys
from asyncio import StreamReader, StreamWriter
from dataclasses import asdict, dataclass

HOST = "127.0.0.1"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
_TWO_BYTES, _EIGHT_BYTES = 126, 127


@dataclass(slots=True)
class Heard:
    """What one browser or all received. `gaps` counts events whose number did not follow the one before."""

    browsers: int = 0
    states: int = 0
    events: int = 0
    gaps: int = 0
    bytes: int = 0

    def add(self, other: "Heard") -> None:
        self.browsers += other.browsers
        self.states += other.states
        self.events += other.events
        self.gaps += other.gaps
        self.bytes += other.bytes


async def listen(port: int, token: str | None, is_over: asyncio.Event) -> Heard:
    """Listens as one browser until `is_over` is set."""
    heard, last = Heard(browsers=1), 0
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(handshake(port, token))
    if not (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 101"):
        raise ConnectionError("the page lets nobody in")
    over = asyncio.create_task(is_over.wait())
    while not is_over.is_set():
        coming = asyncio.create_task(message(reader, writer))
        await asyncio.wait({coming, over}, return_when=asyncio.FIRST_COMPLETED)
        if not coming.done():
            coming.cancel()
            break
        text = coming.result()
        heard.bytes += len(text)
        last = taken(json.loads(text), heard, last)
    over.cancel()
    writer.close()
    return heard


def taken(said: dict[str, object], heard: Heard, last: int) -> int:
    """Counts a message. Returns the number of the last event."""
    events = said.get("events")
    if said["type"] == "match":
        return 0
    if said["type"] == "state":
        heard.states += 1
    elif isinstance(events, list):
        for event in events:
            heard.events += 1
            heard.gaps += event["number"] != last + 1
            last = event["number"]
    return last


def handshake(port: int, token: str | None) -> bytes:
    lines = [
        "GET /api/live HTTP/1.1",
        f"Host: {HOST}:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Protocol: zarbiter{f', operator.{token}' if token else ''}",
    ]
    return "\r\n".join((*lines, "", "")).encode("ascii")


async def message(reader: StreamReader, writer: StreamWriter) -> bytes:
    """The next text; pings are answered. ConnectionError when the server says goodbye."""
    while True:
        first, second = await reader.readexactly(2)
        length = second & 0x7F
        if length == _TWO_BYTES:
            length = int.from_bytes(await reader.readexactly(2))
        elif length == _EIGHT_BYTES:
            length = int.from_bytes(await reader.readexactly(8))
        content = await reader.readexactly(length)
        kind = first & 0x0F
        if kind == TEXT:
            return content
        if kind == PING:
            writer.write(bytes((0x80 | PONG, 0x80 | length, 0, 0, 0, 0)) + content)  # masked with zeroes
        if kind == CLOSE:
            raise ConnectionError("the page ends")


async def listen_all(port: int, token: str, spectators: int) -> Heard:
    """Listens until a line comes on standard input."""
    is_over = asyncio.Event()
    asyncio.get_running_loop().add_reader(sys.stdin, is_over.set)
    tokens = [token, *[None] * spectators]
    heard = Heard()
    for one in await asyncio.gather(*(listen(port, given, is_over) for given in tokens)):
        heard.add(one)
    return heard


def main() -> None:
    port, token, spectators = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    sys.stdin.readline()
    print(json.dumps(asdict(asyncio.run(listen_all(port, token, spectators)))))


if __name__ == "__main__":
    main()
