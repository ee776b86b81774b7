from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import PortGoneError, PortMissingError
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import MAX_DELAY_MS, Damage, FakeClock, FakePlug, apply_damage
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, encode
from firmware_bridge.protocol.messages import Boot, Hello, HelloOk
from tests.firmware_bridge.boards_on_lines import plugged

HELLO = encode(Hello(7), 1)


@given(content=st.binary(min_size=2, max_size=40), seed=st.integers(0, 1_000))
def test_each_damage_does_what_its_name_says(content: bytes, seed: int) -> None:
    random = Random(seed)
    assert apply_damage(content, Damage.LOST, random) == b""
    assert len(apply_damage(content, Damage.FLIPPED, random)) == len(content)
    assert len(apply_damage(content, Damage.BYTE_LOST, random)) == len(content) - 1
    assert content.startswith(apply_damage(content, Damage.CUT, random))
    assert len(apply_damage(content, Damage.CUT, random)) < len(content)
    assert len(apply_damage(content, Damage.JUNK, random)) > len(content)
    assert apply_damage(content, Damage.TWICE, random) == content * 2
    assert apply_damage(content, Damage.LATE, random) == content


def test_bytes_need_their_time_on_the_wire_and_nothing_more() -> None:
    """15 bytes of HELLO are 1.3 ms at 115200; 28 of the answer 2.5 ms."""
    plug = plugged(FakeBoard())
    port = plug.open(115_200)
    assert b"BGLP" in port.read(10)  # BOOT
    began_ms = plug.clock.now_ms
    port.write(HELLO)
    assert port.read(2) == b""
    (heard,) = UnitDecoder().feed(port.read(100))
    assert isinstance(heard, WireUnit)
    assert isinstance(heard.message, HelloOk)
    assert plug.clock.now_ms - began_ms in (5, 6)


def test_what_is_late_keeps_its_order() -> None:
    plug = FakePlug(FakeBoard(), FakeClock(), damage_to_host=1.0, kinds=(Damage.LATE,))
    port = plug.open(115_200)
    for session in range(1, 6):
        port.write(encode(Hello(session), session))
    decoder, seqs = UnitDecoder(), []
    while plug.clock.now_ms < 7 * MAX_DELAY_MS:
        seqs += [heard.seq for heard in decoder.feed(port.read(50)) if isinstance(heard, WireUnit)]
    assert seqs == [0, 1, 2, 3, 4, 5]
    assert plug.clock.now_ms > 50


def test_at_another_rate_nothing_is_understood() -> None:
    plug = plugged(FakeBoard(FakeBoardSpec(baud=500_000)))
    port = plug.open(115_200)
    port.write(HELLO)
    assert not [heard for heard in UnitDecoder().feed(port.read(50)) if isinstance(heard, WireUnit)]
    port.set_baud(500_000)
    port.read(50)
    port.write(b"\0" + HELLO)
    assert [heard for heard in UnitDecoder().feed(port.read(50)) if isinstance(heard, WireUnit)]


def test_opening_restarts_the_device_unless_it_is_wired_otherwise() -> None:
    plug = plugged(FakeBoard())
    for _ in range(2):
        (boot,) = UnitDecoder().feed(plug.open(115_200).read(10))
        assert isinstance(boot, WireUnit)
        assert isinstance(boot.message, Boot)
    plug.restarts_on_opening = False
    assert plug.open(115_200).read(10) == b""


def test_a_pulled_plug_is_gone_and_then_missing() -> None:
    plug = plugged(FakeBoard())
    port = plug.open(115_200)
    plug.pull()
    with pytest.raises(PortGoneError):
        port.read(0)
    with pytest.raises(PortGoneError):
        port.write(HELLO)
    with pytest.raises(PortMissingError):
        plug.open(115_200)
