"""What comes by wire or lies on disk: frames from serial, events of a log.

Handshakes and orders are fuzzed at the page itself (`tests/controller/web/test_fuzzed_bytes.py`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.match_log.errors import EventTextError
from controller.match_log.event_json import event_text, parse_event
from firmware_bridge.protocol.framing import UnitDecoder, cobs_decode, cobs_encode, crc16
from firmware_bridge.protocol.link_state import LinkTick
from tests.firmware_bridge.link_alone import greeted
from tests.fuzz.fuzzed import Kind, Reader, refusing, seeds_of


@contextmanager
def _serial(_folder: Path) -> Iterator[Reader]:
    """As bytes of the line, and as the payload of a unit whose checksum is right."""

    def read(content: bytes) -> None:
        link, _ = greeted()
        for at_ms, piece in enumerate((content, *_with_checksums(content))):
            link.receive(piece, 1_000 + at_ms)
            link.handle(LinkTick(), 2_000 + at_ms)
            link.take_bytes()
            link.take_events()
        decoder = UnitDecoder()
        whole = decoder.feed(content + b"\0")
        again = UnitDecoder()
        assert [unit for at in range(len(content) + 1) for unit in again.feed((content + b"\0")[at : at + 1])] == whole

    yield read


def _with_checksums(content: bytes) -> Iterator[bytes]:
    for unit in content.split(b"\0"):
        body = cobs_decode(unit) or unit
        body = body[:-2]
        yield cobs_encode(body + crc16(body).to_bytes(2, "little")) + b"\0"


@contextmanager
def _events(_folder: Path) -> Iterator[Reader]:
    def read(content: bytes) -> None:
        with refusing(EventTextError):
            event = parse_event(content.decode("utf-8", "replace"))
            assert parse_event(event_text(event)) == event

    yield read


KINDS = (
    Kind("serial", seeds_of("serial"), (b"\0", b"\0\0", b"\x01", b"\xfe", b"\x81\x01", b"\x82\x02"), _serial),
    Kind(
        "events",
        seeds_of("json_lines"),
        (
            b'"event":',
            b'"version":1',
            b'"MatchStarted"',
            b'"PlayMade"',
            b"null",
            b"[",
            b"]",
            b"{",
            b"}",
            b'"W"',
            b"1e400",
        ),
        _events,
    ),
)
