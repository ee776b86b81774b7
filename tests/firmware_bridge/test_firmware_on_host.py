"""The parts of the firmware that need no chip, compiled for this machine: the same answers as Python's."""

import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.led_frame import LedFrame, Rgb
from firmware_bridge.power import MAX_CAP_MA, estimate_ma, limit_current
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, cobs_encode, crc16, encode
from firmware_bridge.protocol.messages import Pixels
from tests.firmware_bridge.simulated_chip import HARDWARE, made, require_toolchain

pytestmark = pytest.mark.broad

BYTES = st.integers(0, 255)
FRAMES = st.lists(st.builds(Rgb, BYTES, BYTES, BYTES), min_size=1, max_size=120).map(lambda leds: LedFrame(tuple(leds)))


@cache
def runner() -> Path:
    require_toolchain()
    made("firmware", "build/host_runner")
    return HARDWARE / "firmware/build/host_runner"


def answers(questions: Sequence[str]) -> list[str]:
    done = subprocess.run([runner()], input="\n".join(questions) + "\n", capture_output=True, text=True, check=True)
    return [line.rstrip() for line in done.stdout.split("\n")[:-1]]


def in_python(cap_ma: int, frame: LedFrame) -> str:
    lit, is_limited = limit_current(frame, cap_ma)
    return f"{estimate_ma(frame)} {is_limited:d} {lit.to_bytes().hex()} {estimate_ma(lit)}"


@given(st.lists(st.tuples(st.integers(0, MAX_CAP_MA) | st.integers(0, 2_000), FRAMES), min_size=1, max_size=20))
def test_the_cap_is_the_same_arithmetic(cases: list[tuple[int, LedFrame]]) -> None:
    """Estimate, flag and every byte of the picture within the cap, for any picture and cap."""
    assert answers([f"cap {cap} {frame.to_bytes().hex()}" for cap, frame in cases]) == [
        in_python(*one) for one in cases
    ]


def test_the_cap_is_the_same_at_its_edges() -> None:
    random = Random(2)
    cases = []
    for n_led in (1, 2, 24, 119, 120):
        for most in (0, 1, 254, 255):
            frame = LedFrame(tuple(Rgb(*(random.randint(0, most) for _ in range(3))) for _ in range(n_led)))
            ma = estimate_ma(frame)
            cases += [(cap, frame) for cap in (0, 1, n_led - 1, n_led, n_led + 1, ma - 1, ma, ma + 1, MAX_CAP_MA)]
    assert answers([f"cap {cap} {frame.to_bytes().hex()}" for cap, frame in cases]) == [
        in_python(*one) for one in cases
    ]


@given(st.lists(st.binary(min_size=2, max_size=36), min_size=1, max_size=20))
def test_what_it_sends_python_reads(bodies: list[bytes]) -> None:
    expected = [b"\0" + cobs_encode(body + crc16(body).to_bytes(2, "little")) + b"\0" for body in bodies]
    assert answers([f"unit {body.hex()}" for body in bodies]) == [unit.hex() for unit in expected]
    assert answers([f"crc {body.hex()}" for body in bodies]) == [f"{crc16(body):04x}" for body in bodies]


@given(st.lists(st.binary(min_size=2, max_size=370), min_size=1, max_size=10))
def test_what_python_sends_it_reads(bodies: list[bytes]) -> None:
    """Any body up to the longest, the 254-byte border of COBS among them."""
    units = [b"\0" + cobs_encode(body + crc16(body).to_bytes(2, "little")) + b"\0" for body in bodies]
    assert answers([f"feed {b''.join(units).hex()}"]) == [" ".join(f"good {body.hex()}" for body in bodies)]


def test_every_length_around_the_borders_of_cobs() -> None:
    """Bodies without a zero, with one at the end, with only zeros."""
    bodies = [
        body
        for length in (*range(2, 8), *range(248, 262), *range(366, 371))
        for body in (b"\x41" * length, b"\x41" * (length - 1) + b"\0", bytes(length))
    ]
    units = [b"\0" + cobs_encode(body + crc16(body).to_bytes(2, "little")) + b"\0" for body in bodies]
    assert answers([f"feed {unit.hex()}" for unit in units]) == [f"good {body.hex()}" for body in bodies]


@given(st.lists(st.binary(max_size=60).map(lambda noise: noise + b"\0"), min_size=1, max_size=10))
def test_noise_is_judged_as_python_judges_it(stretches: list[bytes]) -> None:
    """Any bytes: the same units are good, damaged or nothing at all."""
    noise = b"".join(stretches)
    heard = UnitDecoder().feed(noise)
    (said,) = answers([f"feed {noise.hex()}"])
    assert len([word for word in said.split() if word in ("good", "damaged", "long")]) == len(heard)
    assert said.count("good") == sum(isinstance(one, WireUnit) for one in heard)


def test_the_longest_and_one_more() -> None:
    """A unit of BUFFER_BYTES is taken, one byte more is too long, and the next unit is good again."""
    longest = crc16(bytes([5]) * 370).to_bytes(2, "little")
    coded = cobs_encode(bytes([5]) * 370 + longest)
    assert len(coded) == 374
    good = encode(Pixels(0, (Rgb(9, 9, 9),) * 120), 1)
    for length, expected in ((wire.BUFFER_BYTES, "damaged"), (wire.BUFFER_BYTES + 1, "long"), (5_000, "long")):
        (said,) = answers([f"feed 00{'01' * length}00{good.hex()}"])
        assert said.split()[:2] == [expected, "good"]


def test_the_host_is_silent_for_as_long_as_granted() -> None:
    assert answers(["silence 2000 0 1999 2000 2001 11999 12000 12001 900000"]) == ["- - marker - - dark - -"]
    assert answers(["silence 0 249 250"]) == ["- marker"]
    assert answers(["silence 65535 9999 10000"]) == ["- marker"]


def test_make_test_is_content() -> None:
    require_toolchain()
    made("firmware", "test")
