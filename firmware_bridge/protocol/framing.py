"""Encodes messages to bytes and decodes them: the wire unit `00 | COBS(type seq payload crc16) | 00`.

COBS (consistent overhead byte stuffing, Cheshire and Baker 1999) removes zeros from a unit, so a zero is always a border:
after any damage the next zero resynchronises, and the leading zero discards half a unit in the receiver. Order, time and
retries belong to `link.py`.
"""

import struct
from binascii import crc_hqx
from dataclasses import dataclass
from typing import TypeAlias

from firmware_bridge.errors import MalformedPayloadError
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.messages import BODY_OVERHEAD_BYTES, MESSAGES, Message
from firmware_bridge.protocol.wire_constants import MessageType, NakReason

_MESSAGE_OF = {message.type: message for message in MESSAGES}


@dataclass(frozen=True, slots=True)
class WireUnit:
    """An intact message. `seq` is UNASKED_SEQ for what the board sends unasked."""

    seq: int
    message: Message


@dataclass(frozen=True, slots=True)
class UnitFault:
    """Bytes between two zeros that are no valid message; `why` is the reason that a board would give in a NAK.

    `seq` is UNASKED_SEQ if it may be damaged too.
    """

    why: NakReason
    seq: int = wire.UNASKED_SEQ


DecodeResult: TypeAlias = WireUnit | UnitFault


def crc16(content: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    return crc_hqx(content, wire.CRC_START)


def digest_of(frame: LedFrame) -> int:
    """The digest that an ACK reports for this picture, without dimming."""
    return crc16(frame.to_bytes())


def cobs_encode(body: bytes) -> bytes:
    """Removes the zeros: each code byte gives the distance to the next zero."""
    coded = bytearray()
    *before_zeros, last = body.split(b"\0")
    for stretch in before_zeros:
        coded += _encode_full_blocks(stretch)
        coded += _encode_block(stretch[len(stretch) // wire.COBS_BLOCK * wire.COBS_BLOCK :])
    coded += _encode_full_blocks(last)
    rest = last[len(last) // wire.COBS_BLOCK * wire.COBS_BLOCK :]
    return bytes(coded + (_encode_block(rest) if rest or not last else b""))


def _encode_block(stretch: bytes) -> bytes:
    return bytes((len(stretch) + 1,)) + stretch


def _encode_full_blocks(stretch: bytes) -> bytes:
    """The full blocks, which no zero ends."""
    full = range(0, len(stretch) - wire.COBS_BLOCK + 1, wire.COBS_BLOCK)
    return b"".join(_encode_block(stretch[at : at + wire.COBS_BLOCK]) for at in full)


def cobs_decode(coded: bytes) -> bytes | None:
    """The body; None if the code bytes do not fit the length. `coded` has no zero."""
    body = bytearray()
    at = 0
    while at < len(coded):
        code = coded[at]
        stretch = coded[at + 1 : at + code]
        if len(stretch) != code - 1:
            return None
        body += stretch
        at += code
        if code <= wire.COBS_BLOCK and at < len(coded):
            body.append(0)
    return bytes(body)


def encode(message: Message, seq: int) -> bytes:
    """The wire unit, zeros included."""
    content = bytes((message.type, seq)) + message.to_payload()
    return b"\0" + cobs_encode(content + struct.pack("<H", crc16(content))) + b"\0"


def wire_ms(n_bytes: int, baud: int) -> float:
    """The time of these bytes on the wire."""
    return n_bytes * wire.BITS_PER_BYTE * 1000 / baud


class UnitDecoder:
    """Decodes a stream of bytes in pieces of any size; keeps at most one incomplete unit."""

    def __init__(self, longest: int = wire.BUFFER_BYTES) -> None:
        self._longest = longest
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[DecodeResult]:
        """The units that these bytes complete, in order."""
        heard: list[DecodeResult] = []
        *ended, rest = data.split(b"\0")
        for stretch in ended:
            self._append(stretch)
            if self._buffer:
                heard.append(self._decode_unit(bytes(self._buffer)))
                self._buffer.clear()
        self._append(rest)
        return heard

    def _append(self, stretch: bytes) -> None:
        """Keeps at most one byte beyond the maximum, which marks an overflow."""
        self._buffer += stretch[: self._longest + 1 - len(self._buffer)]

    def _decode_unit(self, coded: bytes) -> DecodeResult:
        if len(coded) > self._longest:
            return UnitFault(NakReason.OVERFLOW)
        body = cobs_decode(coded)
        if body is None or len(body) < BODY_OVERHEAD_BYTES or crc16(body[:-2]) != int.from_bytes(body[-2:], "little"):
            return UnitFault(NakReason.CRC)
        return _parse_message(body[:-2])


def _parse_message(content: bytes) -> DecodeResult:
    """Parses type, seq and payload after the checksum was verified."""
    kind, seq = content[0], content[1]
    if kind not in list(MessageType):
        return UnitFault(NakReason.TYPE, seq)
    try:
        return WireUnit(seq, _MESSAGE_OF[MessageType(kind)].from_payload(content[2:]))
    except MalformedPayloadError:
        return UnitFault(NakReason.LEN, seq)
