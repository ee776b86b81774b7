from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.led_frame import Rgb, Run
from firmware_bridge.protocol import framing
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.messages import Ack, Hello, Message, Ping, Runs
from firmware_bridge.protocol.wire_constants import AckFlag, NakReason
from tests.firmware_bridge.messages_drawn import messages, seqs

pytestmark = pytest.mark.broad

SIX_POINTS = Runs(tuple(Run(20 * point, 5, Rgb(0, 255, 90 + point)) for point in range(6)))


@pytest.mark.parametrize(
    ("message", "seq", "unit"),
    [
        (Ping(), 1, "00 05 20 01 c8 0b 00"),
        (Hello(0x1234), 1, "00 0c 01 01 01 34 12 d0 07 dc 05 6b 48 00"),
        (Runs((Run(0, 2, Rgb(255, 0, 0)),)), 5, "00 04 11 05 01 03 02 ff 01 03 55 55 00"),
        (Ack(0x1234, AckFlag.NONE, 0xABCD, 60), 5, "00 05 90 05 34 12 04 cd ab 3c 03 b8 32 00"),
    ],
)
def test_units_are_these_bytes(message: Message, seq: int, unit: str) -> None:
    """Zeros around, COBS and checksum within; the checksums were worked out bit by bit with the polynomial."""
    assert framing.encode(message, seq) == bytes.fromhex(unit)
    assert framing.UnitDecoder().feed(bytes.fromhex(unit)) == [framing.WireUnit(seq, message)]


def test_the_checksum_is_ccitt_false() -> None:
    assert framing.crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize(
    ("body", "coded"),
    [
        (b"", b"\1"),
        (b"\0", b"\1\1"),
        (b"a\0b", b"\2a\2b"),
        (b"a" * 253, b"\xfe" + b"a" * 253),
        (b"a" * 254, b"\xff" + b"a" * 254),
        (b"a" * 255, b"\xff" + b"a" * 254 + b"\2a"),
        (b"a" * 254 + b"\0", b"\xff" + b"a" * 254 + b"\1\1"),
        (b"a" * 253 + b"\0", b"\xfe" + b"a" * 253 + b"\1"),
    ],
)
def test_cobs_at_its_borders(body: bytes, coded: bytes) -> None:
    """Blocks of 254 and zeros at the ends, as the paper has them."""
    assert framing.cobs_encode(body) == coded
    assert framing.cobs_decode(coded) == body


@given(pieces=st.lists(st.binary(max_size=300) | st.just(b"\0") | st.just(b"x" * 254), max_size=5))
def test_cobs_gives_back_any_body_and_never_has_a_zero(pieces: list[bytes]) -> None:
    body = b"".join(pieces)
    coded = framing.cobs_encode(body)
    assert 0 not in coded
    assert framing.cobs_decode(coded) == body


@given(coded=st.binary(min_size=1).map(lambda content: content.replace(b"\0", b"\1")))
def test_cobs_never_invents_bytes(coded: bytes) -> None:
    body = framing.cobs_decode(coded)
    assert body is None or len(body) < len(coded)


@given(message=messages, seq=seqs)
def test_any_message_comes_back(message: Message, seq: int) -> None:
    assert framing.UnitDecoder(longest=2_000).feed(framing.encode(message, seq)) == [framing.WireUnit(seq, message)]


@given(sent=st.lists(st.tuples(messages, seqs), max_size=5), data=st.data())
def test_the_pieces_in_which_bytes_come_do_not_matter(sent: list[tuple[Message, int]], data: st.DataObject) -> None:
    decoder, heard, line = (
        framing.UnitDecoder(longest=2_000),
        list[framing.DecodeResult](),
        b"".join(framing.encode(*unit) for unit in sent),
    )
    while line:
        piece = data.draw(st.integers(1, len(line)))
        heard += decoder.feed(line[:piece])
        line = line[piece:]
    assert heard == [framing.WireUnit(seq, message) for message, seq in sent]


@given(parts=st.lists(st.tuples(st.binary(max_size=60), st.tuples(messages, seqs)), max_size=4), tail=st.binary())
def test_garbage_between_units_costs_no_unit_and_makes_none(
    parts: list[tuple[bytes, tuple[Message, int]]], tail: bytes
) -> None:
    line = b"".join(garbage + framing.encode(*unit) for garbage, unit in parts) + tail
    units = [heard for heard in framing.UnitDecoder(longest=2_000).feed(line) if isinstance(heard, framing.WireUnit)]
    assert units == [framing.WireUnit(seq, message) for _, (message, seq) in parts]


def with_flips(content: bytes, bits: tuple[int, ...]) -> bytes:
    flipped = bytearray(content)
    for bit in bits:
        flipped[bit // 8] ^= 1 << bit % 8
    return bytes(flipped)


def accepted_after_flips(how_many: int, every: int) -> list[tuple[int, ...]]:
    """Which flips of so many bits let a wrong picture through; `every` thins out the combinations."""
    unit = framing.encode(SIX_POINTS, 5)
    decoder, accepted = framing.UnitDecoder(), []
    for number, bits in enumerate(combinations(range(8 * len(unit)), how_many)):
        if number % every:
            continue
        heard = decoder.feed(with_flips(unit, bits)) + decoder.feed(b"\0")
        if any(isinstance(one, framing.WireUnit) and one.message != SIX_POINTS for one in heard):
            accepted.append(bits)
    return accepted


def test_any_flipped_bit_of_a_command_is_refused() -> None:
    assert accepted_after_flips(1, every=1) == []


def test_two_flipped_bits_of_a_command_are_refused(full_counts: bool) -> None:
    assert accepted_after_flips(2, every=1 if full_counts else 23) == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("00 05 20 01 c9 0b 00", framing.UnitFault(NakReason.CRC)),  # another checksum
        ("00 09 20 01 c8 0b 00", framing.UnitFault(NakReason.CRC)),  # a code byte that reaches beyond the end
        ("00 02 20 00", framing.UnitFault(NakReason.CRC)),  # shorter than any message
    ],
)
def test_damage_is_reported_as_a_board_would(line: str, fault: framing.UnitFault) -> None:
    assert framing.UnitDecoder().feed(bytes.fromhex(line)) == [fault]


def unit_of(content: bytes) -> bytes:
    return b"\0" + framing.cobs_encode(content + framing.crc16(content).to_bytes(2, "little")) + b"\0"


def test_a_whole_unit_that_is_no_message_is_reported_with_its_number() -> None:
    """An unknown type, and a length that its type does not have."""
    assert framing.UnitDecoder().feed(unit_of(b"\x7f\x09")) == [framing.UnitFault(NakReason.TYPE, 9)]
    assert framing.UnitDecoder().feed(unit_of(b"\x20\x09\x01")) == [framing.UnitFault(NakReason.LEN, 9)]


@pytest.mark.parametrize("content", [b"", b"\x20"])
def test_a_right_checksum_of_too_little_is_damage(content: bytes) -> None:
    assert framing.UnitDecoder().feed(unit_of(content)) == [framing.UnitFault(NakReason.CRC)]


def test_a_unit_beyond_the_buffer_is_refused_and_the_next_is_heard() -> None:
    at_most, too_long = b"\1" * wire.BUFFER_BYTES, b"\1" * (wire.BUFFER_BYTES + 1)
    assert framing.UnitDecoder().feed(b"\0" + at_most + b"\0") == [framing.UnitFault(NakReason.CRC)]
    assert framing.UnitDecoder().feed(b"\0" + too_long * 50 + framing.encode(Ping(), 3)) == [
        framing.UnitFault(NakReason.OVERFLOW),
        framing.WireUnit(3, Ping()),
    ]


def test_wire_time_counts_ten_bits_a_byte() -> None:
    assert framing.wire_ms(120, 115_200) == pytest.approx(10.417, abs=0.001)
