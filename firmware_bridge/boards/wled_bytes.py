"""What WLED understands and says on its serial line, as far as we use it. Nothing of it carries a checksum of the data.

Two of its oddities shape this file. The read-back's length has a high byte that is always 0 in many versions, so the
length is believed only modulo 256. And TPM2's length is divided by three byte by byte, so from 86 LEDs on WLED may count
one LED too few and would take its colours for commands: beyond MOST_TPM2_LEDS pictures go as Adalight.
"""

import re

from firmware_bridge.led_frame import LedFrame, Rgb

ASK_VERSION = b"v"
ASK_LEDS = b"L"
PING = b"\xc9\xaa"
PONG = b"\xac"
TPM2_DATA = b"\xc9\xda"
TPM2_END = b"\x36"
READ_BACK_END = b"\x36\n"
TO_FIRST_BAUD = b"\xb0"
BAUDS = (115_200, 230_400, 460_800, 500_000, 576_000, 921_600, 1_000_000, 1_500_000)
"""What the bytes B0 to B7 set."""
MAX_TPM2_LEDS = 85
REALTIME_MS = 2_500
"""So long after the last picture WLED falls back to its own effect."""

_VERSION = re.compile(rb"WLED ([\x21-\x7e]{1,40})\r?\n")
_READ_BACK_OVERHEAD_BYTES = len(TPM2_DATA) + 2 + len(READ_BACK_END)


def version_in(heard: bytes) -> str | None:
    """What WLED calls its version; None where no WLED speaks."""
    found = _VERSION.search(heard)
    return found[1].decode("ascii") if found else None


def flush_bytes(n_led: int) -> bytes:
    """Ends whatever a broken picture has left WLED waiting for: as data they fill it up, as commands they are none."""
    return bytes(3 * n_led + 8)


def without_baud_commands(frame: LedFrame) -> LedFrame:
    """Colour bytes B0 to B7 moved to the next that is none of them, by at most 4 of 255, which nobody sees.

    When a header is lost WLED takes the colours for commands, and these would change its baud rate for good.
    """
    return LedFrame(tuple(Rgb(*(_avoid_baud_command(byte) for byte in (led.r, led.g, led.b))) for led in frame.leds))


def _avoid_baud_command(byte: int) -> int:
    if 0xB0 <= byte <= 0xB7:
        return 0xAF if byte < 0xB4 else 0xB8
    return byte


def tpm2_bytes(frame: LedFrame) -> bytes:
    """For at most MOST_TPM2_LEDS."""
    colours = frame.to_bytes()
    return TPM2_DATA + len(colours).to_bytes(2, "big") + colours + TPM2_END


def read_back_bytes(n_led: int) -> int:
    """How long the answer to ASK_LEDS is."""
    return 3 * n_led + _READ_BACK_OVERHEAD_BYTES


def read_back(heard: bytes) -> LedFrame | None:
    """The picture in an answer to ASK_LEDS that fills `heard`; late PONGs before it are passed over."""
    answer = heard.lstrip(PONG)
    colours = answer[len(TPM2_DATA) + 2 : -len(READ_BACK_END)]
    is_whole = (
        len(answer) > _READ_BACK_OVERHEAD_BYTES
        and answer.startswith(TPM2_DATA)
        and answer.endswith(READ_BACK_END)
        and len(colours) % 3 == 0
        and answer[2] in (0, len(colours) >> 8)
        and answer[3] == len(colours) & 0xFF
    )
    return LedFrame.from_bytes(colours) if is_whole else None
