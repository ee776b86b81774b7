"""What only the real firmware can show, in a simulated chip: its waveform, its interrupts, its start, its noise."""

from collections.abc import Iterator
from random import Random

import pytest

from firmware_bridge import wire_constants as wire
from firmware_bridge.bglp import BglpBoard
from firmware_bridge.errors import BoardLostError
from firmware_bridge.fake_line import Damage, damaged
from firmware_bridge.framing import Decoder, Unit, digest_of, encode
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.link_state import LinkSettings
from firmware_bridge.messages import (
    Ack,
    Boot,
    Chain,
    ChainCount,
    Hello,
    HelloOk,
    Message,
    Nak,
    Ping,
    Pong,
    Runs,
    picture_command,
)
from firmware_bridge.port import Port
from firmware_bridge.power import capped
from firmware_bridge.wire_constants import ResetCause
from tests.firmware_bridge.light_targets import ChipPort, Lockstep
from tests.firmware_bridge.simulated_chip import (
    PICTURES_KEPT,
    FirmwareMake,
    SimulatedChip,
    made,
    require_toolchain,
)
from tests.firmware_bridge.test_conformance import DARK, MARKER, SIX_POINTS, random_frame

LATE_MS = 40  # how long a damaged line may hold bytes back in these tests


@pytest.fixture
def chip() -> Iterator[SimulatedChip]:
    """Just switched on."""
    with SimulatedChip() as chip:
        yield chip


def said(chip: SimulatedChip, for_ms: float) -> list[Unit]:
    """All that the board says in that time."""
    chip.run(for_ms)
    return [heard for heard in Decoder().feed(chip.received()) if isinstance(heard, Unit)]


def ask(chip: SimulatedChip, message: Message, seq: int = 5) -> Message:
    chip.received()
    chip.send(encode(message, seq))
    answers = said(chip, 60)
    assert [answer.seq for answer in answers] == [seq]
    return answers[0].message


def greeted(chip: SimulatedChip, hello: Hello | None = None) -> SimulatedChip:
    chip.run(50)
    assert isinstance(ask(chip, hello or Hello(77, host_ms=wire.HOST_SILENCE_MAX_MS)), HelloOk)
    return chip


def test_the_waveform_keeps_to_the_data_sheet(chip: SimulatedChip, full_counts: bool) -> None:
    """Every bit of random pictures is within the WS2812B's limits, without jitter; so are the rests between LEDs, 1.7 and 2.2 us."""
    greeted(chip).forget_timing()
    random = Random(11)
    for _ in range(50 if full_counts else 5):
        frame = random_frame(random)
        ask(chip, picture_command(frame))
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
    """Whatever the memory holds: the line is low, one dark picture is clocked out at once, and BOOT follows."""
    before = chip.pictures
    chip.power_on(seed)
    began_ms = chip.now_ms
    boot = said(chip, 20)[0].message
    assert isinstance(boot, Boot)
    assert boot.reset_cause is ResetCause.POWER_ON
    assert chip.pictures == before + 1
    dark = chip.picture(before)
    assert (dark.rgb, dark.n_leds) == (bytes(3 * wire.MAX_LEDS), wire.MAX_LEDS)
    assert dark.lit_ms - began_ms < 10
    assert (chip.lit_pictures, chip.timing.n_faults) == (0, 0)


def test_what_was_lit_goes_dark_with_a_restart(chip: SimulatedChip) -> None:
    """LEDs keep what they show through a reset of the chip; the firmware's first act is to blank them."""
    ask(greeted(chip), picture_command(SIX_POINTS))
    chip.reset(ResetCause.BROWN_OUT)
    assert chip.lit == SIX_POINTS
    chip.run(10)
    assert chip.lit == DARK


def test_a_reset_in_mid_picture_leaves_no_wrong_one(chip: SimulatedChip) -> None:
    """Wherever the reset falls in the clocking out, 10 ms later the strip is dark and BOOT was said."""
    greeted(chip)
    for at_ms in (33.0, 34.1, 35.7, 36.6):
        chip.send(encode(picture_command(random_frame(Random(at_ms))), 3))
        chip.run(at_ms)
        chip.reset(ResetCause.EXTERNAL)
        assert any(isinstance(unit.message, Boot) for unit in said(chip, 15))
        assert chip.lit == DARK
        greeted(chip)


@pytest.mark.parametrize("delay_ns", [0, 100, 200, 267, 300])
@pytest.mark.parametrize("in_strip", [0, 1, 2, 60, 119, 120])
def test_the_chain_is_counted_however_late_it_comes_back(chip: SimulatedChip, in_strip: int, delay_ns: int) -> None:
    """0.3 us a LED is longer than a LED takes to clock out in a strip of 120, and still each count is right."""
    chip.strip(in_strip, delay_ns=delay_ns)
    assert ask(greeted(chip), Chain()) == ChainCount(in_strip)


def test_a_chain_longer_than_the_firmware_is_no_return(chip: SimulatedChip) -> None:
    """With 122 LEDs nothing comes back after 121, as with a cut wire; the picture stays."""
    greeted(chip)
    ask(chip, picture_command(SIX_POINTS))
    chip.strip(122)
    assert ask(chip, Chain()) == ChainCount(wire.CHAIN_NO_RETURN)
    assert chip.lit == SIX_POINTS


def test_a_missing_led_supply_is_measured(chip: SimulatedChip) -> None:
    """0 V is told as 1 mV, since 0 means not measured; from 3 V to 5.5 V the figure is right within 1.5 %."""
    greeted(chip)
    for rail_mv in (0, 3_000, 4_300, 5_000, 5_500):
        chip.rail(rail_mv)
        chip.run(250)
        pong = ask(chip, Ping())
        assert isinstance(pong, Pong)
        assert pong.rail_mv == (pytest.approx(rail_mv, rel=0.015) if rail_mv else 1)


@pytest.mark.parametrize("baud", [115_200, 500_000])
def test_no_byte_is_lost_with_one_request_in_flight(baud: int, full_counts: bool) -> None:
    """Full pictures at either rate: nothing is overrun, nothing damaged, all shown."""
    with SimulatedChip(FirmwareMake(wire.MAX_LEDS, baud)) as chip:
        greeted(chip)
        random = Random(1)
        pictures = 20 if full_counts else 5
        for _ in range(pictures):
            frame = random_frame(random)
            assert isinstance(ask(chip, picture_command(frame)), Ack)
            assert chip.lit == capped(frame, wire.CURRENT_CAP_MAX_MA).frame
        pong = ask(chip, Ping())
        assert isinstance(pong, Pong)
        assert (pong.frames, pong.crc_errors, pong.hw_overruns, pong.ring_overruns) == (pictures, 0, 0, 0)
        assert chip.bytes_lost == 0


def test_a_host_that_does_not_wait_loses_nothing_at_115200(chip: SimulatedChip) -> None:
    """Bytes that come in while LEDs are clocked out are kept, and the pauses between the LEDs stay under 50 us."""
    greeted(chip).forget_timing()
    random = Random(3)
    frames = [random_frame(random) for _ in range(8)]
    for seq, frame in enumerate(frames, start=1):
        chip.send(encode(picture_command(frame), seq))
    answers = said(chip, 600)
    assert [answer.seq for answer in answers] == list(range(1, 9))
    assert [answer.message.digest for answer in answers if isinstance(answer.message, Ack)] == [
        digest_of(capped(frame, wire.CURRENT_CAP_MAX_MA).frame) for frame in frames
    ]
    assert (chip.bytes_lost, chip.timing.n_faults) == (0, 0)
    assert chip.timing.gap[1] < 15_000


@pytest.mark.parametrize("host_baud", [57_600, 112_000 - 4_000, 250_000, 500_000])
def test_at_another_rate_nothing_is_understood(chip: SimulatedChip, host_baud: int) -> None:
    """Bits are sampled at the chip's own rate, so a host at another one is noise: no session, no light."""
    chip.run(20)
    chip.host_baud(host_baud)
    for _ in range(5):
        chip.send(encode(Hello(77), 1))
        chip.run(50)
    answers = said(chip, 50)
    assert not [answer for answer in answers if isinstance(answer.message, HelloOk)]
    assert (chip.lit_pictures, chip.resets) == (0, 0)


@pytest.mark.parametrize("host_baud", [114_000, 115_200, 117_647, 120_000])
def test_a_rate_that_is_a_little_off_is_understood(chip: SimulatedChip, host_baud: int) -> None:
    """115200 is really 117647 on a chip of 16 MHz."""
    chip.host_baud(host_baud)
    assert ask(greeted(chip), picture_command(SIX_POINTS)) is not None
    assert chip.lit == SIX_POINTS


def flipped(unit: bytes, bits: tuple[int, ...]) -> bytes:
    changed = bytearray(unit)
    for bit in bits:
        changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_flipped_bits_are_refused(chip: SimulatedChip, full_counts: bool) -> None:
    """A RUNS of 38 bytes with one or two bits flipped, all 46,360 ways: never a light, never an ACK."""
    unit = encode(picture_command(SIX_POINTS), 7)
    assert len(unit) >= 38
    n_bits = 8 * len(unit)
    ways = [(one,) for one in range(n_bits)] + [(one, other) for one in range(n_bits) for other in range(one)]
    if not full_counts:
        ways = Random(4).sample(ways, 400)
    greeted(chip)
    for at, bits in enumerate(ways):
        chip.send(flipped(unit, bits) + b"\0")
        chip.run_until_quiet()
        if at % 100 == 99:
            chip.send(encode(Ping(), 1))
            chip.run(30)
            assert not any(isinstance(unit.message, Ack) for unit in said(chip, 1))
    assert (chip.lit_pictures, chip.resets) == (0, 0)
    assert ask(chip, picture_command(SIX_POINTS)) is not None
    assert chip.lit == SIX_POINTS


def test_random_bytes_light_nothing_and_hang_nothing(chip: SimulatedChip, full_counts: bool) -> None:
    """100 kB at full speed, 10 MB with --slow: no light, no restart, and then a picture as if nothing had been."""
    greeted(chip)
    random = Random(6)
    for at in range(2_500 if full_counts else 25):
        chip.send(random.randbytes(4_000))
        chip.run_until_quiet()
        chip.received()
        if at % 10 == 0:
            chip.send(b"\0")  # ends what the noise has begun
            chip.run(20)
            assert isinstance(ask(chip, Hello(78, host_ms=wire.HOST_SILENCE_MAX_MS)), HelloOk)
    chip.send(b"\0")
    chip.run(50)
    assert (chip.lit_pictures, chip.resets, chip.timing.n_faults) == (0, 0, 0)
    assert isinstance(ask(chip, Hello(79)), HelloOk)
    assert isinstance(ask(chip, picture_command(SIX_POINTS)), Ack)
    assert chip.lit == SIX_POINTS


class BadLine:
    """A Port that damages a quarter of what is written, in either direction: whole writes, and whole answers."""

    name = "bad line"

    def __init__(self, port: ChipPort, chip: SimulatedChip, random: Random) -> None:
        self._port = port
        self._chip = chip
        self._random = random
        self.n_damaged = 0

    def _carried(self, data: bytes) -> bytes:
        if not data or self._random.random() >= 0.25:
            return data
        self.n_damaged += 1
        kind = self._random.choice(tuple(Damage))
        if kind is Damage.LATE:
            self._chip.run(self._random.randint(1, LATE_MS))
        return damaged(data, kind, self._random)

    def read(self, wait_ms: int) -> bytes:
        heard = self._port.read(wait_ms)
        if heard and not heard.endswith(b"\0"):
            self._chip.run(4)  # so that a unit mostly comes in one piece
            heard += self._port.read(0)
        return self._carried(heard)

    def write(self, data: bytes) -> None:
        self._port.write(self._carried(data))

    def set_baud(self, baud: int) -> None:
        self._port.set_baud(baud)

    def close(self) -> None:
        pass


class BadPlug:
    """Always the same bad line: opening it restarts nothing."""

    name = "bad line"

    def __init__(self, line: BadLine) -> None:
        self._line = line

    def open(self, baud: int) -> Port:
        return self._line


def test_a_quarter_damaged_and_no_picture_is_wrong(chip: SimulatedChip, full_counts: bool) -> None:
    """2,000 pictures with --slow, 25 % of all units damaged either way: what is acknowledged is lit, and every picture
    that left the data pin was asked for at that moment.
    """
    random = Random(9)
    target, line = Lockstep(chip), BadLine(ChipPort(chip), chip, random)
    board = BglpBoard(BadPlug(line), target.clock, settings=LinkSettings(host_ms=10_000))
    board.open()
    shown, lost, before = 0, 0, DARK
    for _ in range(2_000 if full_counts else 60):
        frame = random_frame(random) if random.random() < 0.3 else few_runs(random)
        lit = capped(frame, wire.CURRENT_CAP_MAX_MA).frame
        first = chip.pictures
        try:
            answer = board.show(frame)
        except BoardLostError:
            lost += 1
        else:
            assert answer.digest == digest_of(lit)
            assert target.lit() == lit
            shown += 1
        for number in range(max(first, chip.pictures - PICTURES_KEPT), chip.pictures):
            clocked = chip.picture(number)
            counting = clocked.n_leds != wire.MAX_LEDS  # CHAIN clocks out parts of what is lit
            allowed = {one.to_bytes()[: len(clocked.rgb)] for one in (lit, before, DARK, MARKER)}
            assert clocked.rgb[: 3 * wire.MAX_LEDS] in allowed, (number, counting)
        before = lit
        while not board.health().is_answering:
            line.read(20)
    assert line.n_damaged > 20
    assert shown > 10 * lost
    assert chip.timing.n_faults == 0


def few_runs(random: Random) -> LedFrame:
    """A picture as the game draws them."""
    runs = [
        Run(random.randrange(wire.MAX_LEDS - 5), random.randint(1, 5), Rgb(*random.randbytes(3)))
        for _ in range(random.randint(0, 6))
    ]
    return LedFrame.of_runs(wire.MAX_LEDS, runs)


def test_the_firmware_fits_with_room_to_spare() -> None:
    """`make size` is content: less than 80 % of flash and of RAM."""
    require_toolchain()
    made("firmware", "size")


def test_a_firmware_too_large_is_refused() -> None:
    """With an allowance of 1 % `make size` fails."""
    require_toolchain()
    with pytest.raises(AssertionError, match="more than 1 %"):
        made("firmware", "size", "PERCENT_ALLOWED=1")


def test_what_the_board_itself_says_is_no_command(chip: SimulatedChip) -> None:
    """With its own line looped back it does not answer itself for ever."""
    greeted(chip)
    chip.send(encode(Nak(wire.NakReason.TYPE, 77), 3) + encode(Ack(77, wire.AckFlag.NONE, 1, 2), 3))
    assert said(chip, 100) == []


def test_an_answer_is_sent_when_the_picture_is_lit() -> None:
    """ACK begins no earlier than the latch time after the last bit, on the shortest strip too."""
    with SimulatedChip(FirmwareMake(24, wire.BAUD)) as chip:
        greeted(chip)
        chip.received()
        chip.send(encode(Runs((Run(0, 24, Rgb(20, 20, 20)),)), 2))
        chip.run(60)
        first_byte_ms = next(chip.received_at())[1] - 10 * 1_000 / 117_647
        assert first_byte_ms - chip.picture(chip.pictures - 1).lit_ms >= 0.3
        assert set(chip.lit.leds) == {Rgb(20, 20, 20)}
