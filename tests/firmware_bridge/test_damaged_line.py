"""What the real firmware makes of a line that flips, loses and invents: nothing that was not asked for is ever lit."""

from random import Random

import pytest

from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.errors import BoardLostError
from firmware_bridge.fakes.fake_line import Damage, apply_damage
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.port import Port
from firmware_bridge.power import limit_current
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import digest_of, encode
from firmware_bridge.protocol.link_state import LinkSettings
from firmware_bridge.protocol.messages import Ack, Hello, HelloOk, Ping, picture_command
from tests.firmware_bridge.asked_chip import ask, greeted, said
from tests.firmware_bridge.light_targets import ChipPort, Lockstep
from tests.firmware_bridge.simulated_chip import PICTURES_KEPT, SimulatedChip
from tests.firmware_bridge.talk import DARK, MARKER, SIX_POINTS, random_frame

pytestmark = pytest.mark.broad

LATE_MS = 40  # how long a damaged line may hold bytes back in these tests


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
        return apply_damage(data, kind, self._random)

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
        lit = limit_current(frame, wire.CURRENT_CAP_MAX_MA).frame
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
    return LedFrame.from_runs(wire.MAX_LEDS, runs)
