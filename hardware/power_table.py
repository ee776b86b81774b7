"""Writes power.md, the currents of the strip, from the arithmetic that board and host share.

python -m hardware.power_table
"""

from pathlib import Path

from firmware_bridge.layout import usual_plan
from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.power import CHANNEL_MA, IDLE_MA, estimate_ma, limit_current
from firmware_bridge.protocol.wire_constants import CURRENT_CAP_MAX_MA, RAIL_MIN_MV

PAGE = Path(__file__).with_name("power.md")

CAPS_MA = {24: 350, 48: 800, 72: 1_200, 120: 1_500}
"""LEDs on the strip and the proposed cap; 350 mA is what USB supplies besides the controller's own current."""
_POINTS = 6
_WHITE = Rgb(255, 255, 255)
_COLUMNS = (
    *("LEDs", "dark", "6 points green 255", "6 points amber (255,80,0)", "all (40,40,40)", "all white 64"),
    *("all white 255", "proposed cap", "white under the cap"),
)


def _of_points(led_count: int, rgb: Rgb) -> LedFrame:
    return LedFrame.from_runs(led_count, [Run(0, _POINTS * usual_plan(led_count).leds_per_point, rgb)])


def _of_all(led_count: int, byte: int) -> LedFrame:
    return LedFrame((Rgb(byte, byte, byte),) * led_count)


def _row(led_count: int, cap_ma: int) -> tuple[str, ...]:
    frames = (
        LedFrame.dark(led_count),
        _of_points(led_count, Rgb(0, 255, 0)),
        _of_points(led_count, Rgb(255, 80, 0)),
        *(_of_all(led_count, byte) for byte in (40, 64, 255)),
    )
    white = limit_current(LedFrame((_WHITE,) * led_count), cap_ma).frame
    under_cap = f"byte {white.leds[0].r}, {_ma(estimate_ma(white))}"
    return (str(led_count), *(_ma(estimate_ma(frame)) for frame in frames), _ma(cap_ma), under_cap)


def _ma(current_ma: int) -> str:
    return f"{current_ma:,} mA"


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |\n"


def page() -> str:
    """The text of power.md."""
    table = _line(_COLUMNS) + _line(("---",) * len(_COLUMNS))
    table += "".join(_line(_row(led_count, cap_ma)) for led_count, cap_ma in CAPS_MA.items())
    return f"""# Current of the strip

Made by `python -m hardware.power_table`; do not edit. The arithmetic is that of `firmware_bridge/power.py`, which the
firmware repeats in the same integers: {IDLE_MA} mA for each dark LED, and {CHANNEL_MA} mA more for each colour at byte 255. It is an
estimate, not a measurement: other LEDs draw other currents (V5 parts about 12 mA per colour *[recalled]*), so the fuse
stays.

{table}
The firmware never allows more than it was built for (`MAX_MA`, at most {CURRENT_CAP_MAX_MA:,} mA), whatever the host requests; the
host requests `--max-ma`, usually {CURRENT_CAP_MAX_MA:,}. A picture that would draw more is dimmed as a whole, and the board reports it.
With a cap of {CAPS_MA[24]} mA or less the Nano's 5V pin, that is USB, may feed the strip; otherwise it needs its own supply.

The wires lose part of the 5 V: at 1.5 A half a metre of 0.5 mm² (AWG20), there and back, about 50 mV, and of 0.2 mm²
(AWG24) about 126 mV *[recalled]*. Below {RAIL_MIN_MV:,} mV at the clamps the host reports the LED supply as missing.
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
