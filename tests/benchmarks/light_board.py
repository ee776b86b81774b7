"""How long light takes: `python -m tests.benchmarks.light_board`. Simulated: the real firmware, in virtual time.

For strips of 24 to 120 LEDs at both rates: from the first bit of the command on the wire to the last bit on the strip's
wire, and to the end of the ACK. A USB bridge adds up to 1 ms each way, latching 0.05 to 0.28 ms. Then the model

    t = 10 · bytes / baud + a · LEDs + b · bytes + c

is fitted to the measurements. The bar stands beside the figure it is for. Virtual time: the load of this machine does
not matter.
"""

import sys
from dataclasses import dataclass
from itertools import product

import numpy as np

from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.protocol.framing import encode
from firmware_bridge.protocol.messages import Hello, Message, Pixels, Runs
from firmware_bridge.protocol.wire_constants import BAUDS, BITS_PER_BYTE, MAX_LEDS
from tests.firmware_bridge.simulated_chip import FirmwareMake, SimulatedChip

STRIPS = (24, 48, 72, MAX_LEDS)
SIX_POINTS_BAR_MS = 8.0  # for 120 LEDs at 115200
ANSWER_MS = 100


@dataclass(frozen=True, slots=True)
class Latency:
    """How long one command to one firmware takes."""

    n_led: int
    baud: int
    name: str
    n_bytes: int
    lit_ms: float
    ack_ms: float

    @property
    def wire_ms(self) -> float:
        return self.n_bytes * BITS_PER_BYTE * 1_000 / self.baud


def commands(n_led: int) -> tuple[tuple[str, Message], ...]:
    """Six points of the board, two LEDs each, and every LED another colour; both below the cap."""
    step = n_led // 6
    six = Runs(tuple(Run(step * at, 2, Rgb(255, 80, 0)) for at in range(6)))
    full = Pixels(0, tuple(Rgb(1 + at % 40, 20, 1 + (7 * at) % 30) for at in range(n_led)))
    return ("six points", six), ("full frame", full)


def measured(n_led: int, baud: int) -> list[Latency]:
    with SimulatedChip(FirmwareMake(n_led, baud)) as chip:
        chip.run(50)
        chip.send(encode(Hello(1, host_ms=10_000), 1))
        chip.run(ANSWER_MS)
        found = []
        for name, message in commands(n_led):
            chip.received()
            unit = encode(message, 2)
            began_ms = chip.now_ms
            chip.send(unit)
            chip.run(ANSWER_MS)
            last_byte_ms = max(at_ms for _, at_ms in chip.received_at())
            lit_ms = chip.picture(chip.pictures - 1).lit_ms
            assert chip.lit != LedFrame.dark(n_led)
            found.append(Latency(n_led, baud, name, len(unit), lit_ms - began_ms, last_byte_ms - began_ms))
        return found


def fitted(all_of_them: list[Latency]) -> tuple[float, float, float, float]:
    """Microseconds a LED and a byte, constant milliseconds, and the largest error in ms."""
    causes = np.array([[one.n_led / 1_000, one.n_bytes / 1_000, 1.0] for one in all_of_them])
    beyond_wire = np.array([one.lit_ms - one.wire_ms for one in all_of_them])
    solution, *_ = np.linalg.lstsq(causes, beyond_wire, rcond=None)
    per_led, per_byte, besides = (float(value) for value in solution)
    return per_led, per_byte, besides, float(np.abs(causes @ solution - beyond_wire).max())


def main() -> int:
    """Prints the table; 1 when the bar is not met."""
    found = [one for n_led, baud in product(STRIPS, BAUDS) for one in measured(n_led, baud)]
    print("LEDs    baud  command     bytes  lit ms  ACK ms  pictures/s")
    for one in found:
        print(
            f"{one.n_led:4} {one.baud:7}  {one.name}  {one.n_bytes:5}  {one.lit_ms:6.2f}  {one.ack_ms:6.2f}  {1_000 / one.ack_ms:10.0f}"
        )
    per_led, per_byte, besides, error = fitted(found)
    print(
        f"t = 10·bytes/baud + {per_led:.1f} us·LEDs + {per_byte:.2f} us·bytes + {besides:.2f} ms, within {error:.2f} ms"
    )
    (six,) = (one for one in found if (one.n_led, one.baud, one.name) == (MAX_LEDS, BAUDS[0], "six points"))
    print(f"six points, {MAX_LEDS} LEDs, {BAUDS[0]} baud: {six.lit_ms:.2f} ms (bar: {SIX_POINTS_BAR_MS} ms)  [sim]")
    return int(six.lit_ms > SIX_POINTS_BAR_MS)


if __name__ == "__main__":
    sys.exit(main())
