"""What only the real firmware can show, in a simulated chip: its waveform, its interrupts, its start, its noise."""

from random import Random

import pytest

from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.power import limit_current
from firmware_bridge.protocol import messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import WireUnit, digest_of, encode
from firmware_bridge.protocol.wire_constants import Capability, ResetCause
from tests.firmware_bridge.asked_chip import ask, greeted, ping, said
from tests.firmware_bridge.light_targets import Lockstep
from tests.firmware_bridge.simulated_chip import FirmwareMake, SimulatedChip, made, require_toolchain
from tests.firmware_bridge.talk import DARK, SIX_POINTS, random_frame

pytestmark = pytest.mark.broad


def test_the_waveform_keeps_to_the_data_sheet(chip: SimulatedChip, full_counts: bool) -> None:
    """Every bit of random pictures is within the WS2812B's limits, without jitter; so are the rests between LEDs, 1.7 and 2.2 us."""
    greeted(chip).forget_timing()
    random = Random(11)
    for _ in range(50 if full_counts else 5):
        frame = random_frame(random)
        ask(chip, messages.picture_command(frame))
        assert chip.picture(chip.pictures - 1).n_leds == wire.MAX_LEDS
    timing = chip.timing
    assert (timing.t0h, timing.t1h, timing.t0l, timing.t1l) == (
        (312.5, 312.5),
        (812.5, 812.5),
        (937.5, 937.5),
        (437.5, 437.5),
    )
    for (shortest, longest), nominal in zip(
        (timing.t0h, timing.t1h, timing.t0l, timing.t1l), (400, 800, 850, 450), strict=True
    ):
        assert nominal - 150 <= shortest <= longest <= nominal + 150
    assert timing.gap == (1687.5, 2187.5)  # after a one, after a zero
    assert timing.n_faults == 0
    assert timing.n_bits >= 5 * wire.MAX_LEDS * 24


@pytest.mark.parametrize("seed", range(5))
def test_there_is_no_flash_at_power_on(chip: SimulatedChip, seed: int) -> None:
    before = chip.pictures
    chip.power_on(seed)
    began_ms = chip.now_ms
    boot = said(chip, 20)[0].message
    assert isinstance(boot, messages.Boot)
    assert boot.reset_cause is ResetCause.POWER_ON
    assert chip.pictures == before + 1
    dark = chip.picture(before)
    assert (dark.rgb, dark.n_leds) == (bytes(3 * wire.MAX_LEDS), wire.MAX_LEDS)
    assert dark.lit_ms - began_ms < 10
    assert (chip.lit_pictures, chip.timing.n_faults) == (0, 0)


def test_a_reset_in_mid_picture_leaves_no_wrong_one(chip: SimulatedChip) -> None:
    """Wherever the reset falls in the clocking out, 10 ms later the strip is dark and BOOT was said."""
    greeted(chip)
    for at_ms in (33.0, 34.1, 35.7, 36.6):
        chip.send(encode(messages.picture_command(random_frame(Random(at_ms))), 3))
        chip.run(at_ms)
        chip.reset(ResetCause.EXTERNAL)
        assert any(isinstance(unit.message, messages.Boot) for unit in said(chip, 15))
        assert chip.lit == DARK
        greeted(chip)


@pytest.mark.parametrize("delay_ns", [0, 100, 200, 267, 300])
@pytest.mark.parametrize("in_strip", [0, 1, 2, 60, 119, 120])
def test_the_chain_is_counted_however_late_it_comes_back(chip: SimulatedChip, in_strip: int, delay_ns: int) -> None:
    """0.3 us a LED is longer than a LED takes to clock out in a strip of 120, and still each count is right."""
    chip.strip(in_strip, delay_ns=delay_ns)
    assert ask(greeted(chip), messages.Chain()) == messages.ChainCount(in_strip)


def test_a_chain_longer_than_the_firmware_is_no_return(chip: SimulatedChip) -> None:
    greeted(chip)
    ask(chip, messages.picture_command(SIX_POINTS))
    chip.strip(122)
    assert ask(chip, messages.Chain()) == messages.ChainCount(wire.CHAIN_NO_RETURN)
    assert chip.lit == SIX_POINTS


def test_no_host_gets_more_current_than_the_firmware_was_built_for() -> None:
    """Built for USB, 350 mA: BOOT says so, HELLO is granted no more, and white on 24 LEDs is dimmed to it."""
    with SimulatedChip(FirmwareMake(24, max_ma=350)) as chip:
        (boot,) = said(chip, 50)
        assert isinstance(boot.message, messages.Boot)
        ok = ask(chip, messages.Hello(77, cap_ma=1_500))
        assert isinstance(ok, messages.HelloOk)
        assert (boot.message.cap_ma, ok.cap_ma) == (350, 350)
        white = LedFrame((Rgb(255, 255, 255),) * 24)
        ack = ask(chip, messages.picture_command(white))
        assert isinstance(ack, messages.Ack)
        assert 330 < ack.est_ma <= 350
        assert chip.lit == limit_current(white, 350).frame


def test_without_divider_and_return_wire_nothing_is_claimed() -> None:
    with SimulatedChip(FirmwareMake(24, has_extras=False)) as chip:
        chip.run(50)
        ok = ask(chip, messages.Hello(77))
        assert isinstance(ok, messages.HelloOk)
        assert ok.caps == Capability.HARDWARE_WATCHDOG | Capability.GOODBYE
        assert ask(chip, messages.Chain()) == messages.Nak(wire.NakReason.TYPE, 77)
        chip.run(300)
        assert ping(chip).rail_mv == wire.RAIL_UNKNOWN_MV
        assert isinstance(ask(chip, messages.Runs((Run(3, 2, Rgb(9, 9, 9)),))), messages.Ack)
        assert chip.lit == LedFrame.from_runs(24, [Run(3, 2, Rgb(9, 9, 9))])


def test_a_missing_led_supply_is_measured(chip: SimulatedChip) -> None:
    """0 V is reported as 1 mV, since 0 means not measured; from 3 V to 5.5 V the figure is right within 1.5 %."""
    greeted(chip)
    for rail_mv in (0, 3_000, 4_300, 5_000, 5_500):
        chip.rail(rail_mv)
        chip.run(250)
        assert ping(chip).rail_mv == (pytest.approx(rail_mv, rel=0.015) if rail_mv else 1)


def test_what_is_missing_is_known_when_the_board_is_open(chip: SimulatedChip) -> None:
    """Strip and supply are away, as in step 6 of the bench checklist: both are reported at once, 0.3 s after the start."""
    chip.power_on()
    chip.strip(None)
    chip.rail(700)
    target = Lockstep(chip)
    began_ms = target.clock()
    board = BglpBoard(target, target.clock)
    board.open()
    assert target.clock() - began_ms < 300
    assert board.health().warnings == (
        "No LED answers; check the strip's plug, its supply and the return wire.",
        "The LEDs have 0.7 V instead of 5 V; check their supply.",
    )


@pytest.mark.parametrize("baud", [115_200, 500_000])
def test_no_byte_is_lost_with_one_request_in_flight(baud: int, full_counts: bool) -> None:
    """Full pictures at either rate: nothing is overrun, nothing damaged, all shown."""
    with SimulatedChip(FirmwareMake(wire.MAX_LEDS, baud)) as chip:
        greeted(chip)
        random = Random(1)
        pictures = 20 if full_counts else 5
        for _ in range(pictures):
            frame = random_frame(random)
            assert isinstance(ask(chip, messages.picture_command(frame)), messages.Ack)
            assert chip.lit == limit_current(frame, wire.CURRENT_CAP_MAX_MA).frame
        pong = ping(chip)
        assert (pong.frames, pong.crc_errors, pong.hw_overruns, pong.ring_overruns) == (pictures, 0, 0, 0)
        assert chip.bytes_lost == 0


def test_a_host_that_does_not_wait_loses_nothing_at_115200(chip: SimulatedChip) -> None:
    """Bytes that come in while LEDs are clocked out are kept, and the pauses between the LEDs stay under 50 us."""
    greeted(chip).forget_timing()
    random = Random(3)
    frames = [random_frame(random) for _ in range(8)]
    for seq, frame in enumerate(frames, start=1):
        chip.send(encode(messages.picture_command(frame), seq))
    answers = said(chip, 600)
    assert [answer.seq for answer in answers] == list(range(1, 9))
    assert [answer.message.digest for answer in answers if isinstance(answer.message, messages.Ack)] == [
        digest_of(limit_current(frame, wire.CURRENT_CAP_MAX_MA).frame) for frame in frames
    ]
    assert (chip.bytes_lost, chip.timing.n_faults) == (0, 0)
    assert chip.timing.gap[1] < 15_000


@pytest.mark.parametrize("host_baud", [57_600, 112_000 - 4_000, 250_000, 500_000])
def test_at_another_rate_nothing_is_understood(chip: SimulatedChip, host_baud: int) -> None:
    """Bits are sampled at the chip's own rate, so a host at another one is noise: no session, no light."""
    chip.run(20)
    chip.host_baud(host_baud)
    for _ in range(5):
        chip.send(encode(messages.Hello(77), 1))
        chip.run(50)
    answers = said(chip, 50)
    assert not [answer for answer in answers if isinstance(answer.message, messages.HelloOk)]
    assert (chip.lit_pictures, chip.resets) == (0, 0)


@pytest.mark.parametrize("host_baud", [114_000, 115_200, 117_647, 120_000])
def test_a_rate_that_is_a_little_off_is_understood(chip: SimulatedChip, host_baud: int) -> None:
    chip.host_baud(host_baud)
    assert ask(greeted(chip), messages.picture_command(SIX_POINTS)) is not None
    assert chip.lit == SIX_POINTS


def test_the_firmware_fits_with_room_to_spare() -> None:
    """`make size` is content: less than 80 % of flash and of RAM."""
    require_toolchain()
    made("firmware", "size")


def test_a_firmware_too_large_is_refused() -> None:
    require_toolchain()
    with pytest.raises(AssertionError, match="more than 1 %"):
        made("firmware", "size", "PERCENT_ALLOWED=1")


def with_misframed_end(chip: SimulatedChip, unit: bytes) -> None:
    """Its last byte, a zero, comes so slowly that there is no stop bit: all bytes are right, and one is misframed."""
    assert unit.endswith(b"\0")
    chip.send(unit[:-1])
    chip.run_until_quiet()
    chip.host_baud(57_600)
    chip.send(b"\0")
    chip.run(0.5)
    chip.host_baud(wire.BAUD)


def test_a_unit_with_a_misframed_byte_is_refused_though_its_checksum_is_right(chip: SimulatedChip) -> None:
    greeted(chip)
    with_misframed_end(chip, encode(messages.picture_command(SIX_POINTS), 3))
    assert said(chip, 50) == [WireUnit(0, messages.Nak(wire.NakReason.CRC, 77))]
    assert chip.lit == DARK
    grey = LedFrame((Rgb(9, 9, 9),) * wire.MAX_LEDS)
    chip.send(encode(messages.picture_command(grey), 4))
    with_misframed_end(chip, encode(messages.picture_command(SIX_POINTS), 5))
    heard = said(chip, 50)
    assert [(unit.seq, type(unit.message)) for unit in heard] == [(4, messages.Ack), (0, messages.Nak)]
    assert chip.lit == grey
    assert isinstance(ask(chip, messages.picture_command(SIX_POINTS)), messages.Ack)


def test_an_answer_is_sent_when_the_picture_is_lit() -> None:
    """ACK begins no earlier than the latch time after the last bit, on the shortest strip too."""
    with SimulatedChip(FirmwareMake(24, wire.BAUD)) as chip:
        greeted(chip)
        chip.received()
        chip.send(encode(messages.Runs((Run(0, 24, Rgb(20, 20, 20)),)), 2))
        chip.run(60)
        first_byte_ms = next(chip.received_at())[1] - 10 * 1_000 / 117_647
        assert first_byte_ms - chip.picture(chip.pictures - 1).lit_ms >= 0.3
        assert set(chip.lit.leds) == {Rgb(20, 20, 20)}
