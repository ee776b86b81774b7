"""The part of WLED's serial protocol that the driver uses. No data in it has a checksum.

Source: WLED, `wled00/wled_serial.cpp`. Two of its quirks shape this file. The high byte of the read-back's length is
always 0 in many versions, so only the length modulo 256 is checked. WLED divides each byte of a TPM2 length by three
separately, so from 86 LEDs on it may count one LED too few and take the rest for commands: longer pictures than
MAX_TPM2_LEDS go as Adalight.
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
"""The baud rates that the bytes B0 to B7 select."""
MAX_TPM2_LEDS = 85
REALTIME_MS = 2_500
"""Time after the last picture until WLED returns to its own effect."""

_VERSION = re.compile(rb"WLED ([\x21-\x7e]{1,40})\r?\n")
_READ_BACK_OVERHEAD_BYTES = len(TPM2_DATA) + 2 + len(READ_BACK_END)


def version_in(heard: bytes) -> str | None:
    """WLED's version in these bytes; None if there is none."""
    found = _VERSION.search(heard)
    return found[1].decode("ascii") if found else None


def flush_bytes(n_led: int) -> bytes:
    """Zeros that complete any picture that WLED may be waiting for; zero is no command."""
    return bytes(3 * n_led + 8)


def without_baud_commands(frame: LedFrame) -> LedFrame:
    """Moves colour bytes B0 to B7 to the nearest other value, by at most 4 of 255, which is invisible.

    If a header is lost, WLED takes colours for commands, and these bytes would change its baud rate.
    """
    return LedFrame(tuple(Rgb(*(_avoid_baud_command(byte) for byte in (led.r, led.g, led.b))) for led in frame.leds))


def _avoid_baud_command(byte: int) -> int:
    if 0xB0 <= byte <= 0xB7:
        return 0xAF if byte < 0xB4 else 0xB8
    return byte


def tpm2_bytes(frame: LedFrame) -> bytes:
    """A picture of at most MAX_TPM2_LEDS as TPM2."""
    colours = frame.to_bytes()
    return TPM2_DATA + len(colours).to_bytes(2, "big") + colours + TPM2_END


def read_back_bytes(n_led: int) -> int:
    """The length of the answer to ASK_LEDS."""
    return 3 * n_led + _READ_BACK_OVERHEAD_BYTES


def read_back(heard: bytes) -> LedFrame | None:
    """The picture in a complete answer to ASK_LEDS, after any late PONGs; None otherwise."""
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
