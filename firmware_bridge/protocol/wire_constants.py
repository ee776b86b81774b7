"""The numbers of the wire protocol BGLP v1, each once. The firmware's header is checked against this table by a test.

A wire unit is `00 | COBS(body) | 00`, the body `type u8 | seq u8 | payload | crc16 u16`, the checksum CRC-16/CCITT-FALSE
over type to payload. All integers are little-endian. Empty units are ignored. `seq` is chosen by the host and echoed;
0 marks what the board says unasked, and a NAK for a unit whose `seq` could not be read.

The payload of each message stands at its type below, in the letters of `struct`; `messages.py` uses the same strings.
"""

from enum import IntEnum, IntFlag, unique

PROTOCOL_VERSION = 1
MAGIC = b"BGLP"

MAX_LEDS = 120
BYTES_PER_LED = 3
BUFFER_BYTES = MAX_LEDS * BYTES_PER_LED + 16
"""The longest COBS-coded body, without the zeros around it, that a board takes; beyond it NAK OVERFLOW."""
COBS_BLOCK = 254
"""The most bytes without a zero that one COBS code byte covers."""

FROM_BOARD = 0x80
"""Set in the types that a board sends. A board passes them over: it may hear itself over a looped line."""
UNASKED_SEQ = 0
FIRST_SEQ = 1
LAST_SEQ = 127
NO_SESSION = 0
"""What the board names as its session while it has none; the host draws 1 to 0xFFFF."""

CRC_START = 0xFFFF
CRC_POLYNOMIAL = 0x1021

BAUD = 115_200
BAUDS = (115_200, 500_000)
"""The rates to try on one open port, the usual one first."""
BITS_PER_BYTE = 10
"""Start bit, eight bits, stop bit."""

HOST_SILENCE_MS = 2_000
"""After so long without a valid unit the board declares the host dead. Asked for in HELLO, echoed as granted."""
HOST_SILENCE_MIN_MS = 250
HOST_SILENCE_MAX_MS = 10_000
"""The board clamps what HELLO asks for to this range."""
MARKER_MS = 10_000
"""How long LED 0 stays dim amber after the host was declared dead; then the strip is dark."""
MARKER_RGB = (24, 10, 0)
HARDWARE_WATCHDOG_MS = 500

CURRENT_CAP_MAX_MA = 1_500
"""The board clamps the cap that HELLO asks for to this, whatever the host says: 5 V 3 A supply, strip of 120."""
RAIL_MIN_MV = 4_300
"""Below this the strip's supply counts as missing."""
RAIL_UNKNOWN_MV = 0

PING_EVERY_MS = 500
"""How long the host lets the line be idle before it sends PING."""
MEASURE_EVERY_MS = 2_000
"""However many pictures it sends, the host sends PING at least so often: only PONG tells of the strip's supply."""
HELLO_EVERY_MS = 250
HELLO_FOR_MS = 6_000
"""A bootloader eats what comes in its first 1 to 2 s; some boards need longer."""
TRIES = 4
ACK_MARGIN_MS = 40
ACK_MIN_MS = 100
"""An answer is waited for twice the wire time and ACK_MARGIN_MS, at least ACK_MIN_MS: 120 LEDs take 42 ms, and an FTDI
bridge holds bytes back for up to 16 ms."""

# `struct` formats of the payloads; RUN and PIXEL follow their heads n and count times.
HELLO_PAYLOAD = "<BHHH"
PIXELS_HEAD = "<BB"
PIXEL = "<BBB"
RUNS_HEAD = "<B"
RUN = "<BBBBB"
HELLO_OK_PAYLOAD = "<HB4sBBBBHHHHHI"
ACK_PAYLOAD = "<HBHH"
NAK_PAYLOAD = "<BHBB"
PONG_PAYLOAD = "<HBHHHHHHHI"
CHAIN_COUNT_PAYLOAD = "<B"
LOST_PAYLOAD = "<HB"

CHAIN_NO_RETURN = 255
"""CHAIN's answer when nothing came back: strip cut, connector off, or no return wire."""


@unique
class MessageType(IntEnum):
    """The first byte of a body; what the board sends has the bit FROM_BOARD."""

    HELLO = 0x01
    """proto u8, session u16 (not 0), host_ms u16, cap_ma u16. Starts a session and blanks the LEDs. Another proto: NAK
    VERSION; session 0: NAK RANGE."""
    BYE = 0x02
    """Nothing. The host leaves: the LEDs are blanked, ACK says so in the session, and then the session is over without a
    marker. Only for boards with the capability GOODBYE; without a session NAK NOSESSION."""
    PIXELS = 0x10
    """start u8, count u8, count x (r g b). All other LEDs black."""
    RUNS = 0x11
    """n u8, n x (start u8, len u8, r g b). All other LEDs black; a later run overwrites an earlier one; len is at
    least 1. The normal message."""
    PING = 0x20
    """Nothing. Answered with or without a session."""
    CHAIN = 0x21
    """Nothing. Counts the LEDs by the return wire; the picture is shown again afterwards."""
    HELLO_OK = 0x81
    """session u16, flags u8, "BGLP", proto u8, fw_major u8, fw_minor u8, reset_cause u8, n_led u16, max_frame u16
    (BUFFER_BYTES of this board), cap_ma u16, host_ms u16 (both as granted), caps u16, build_id u32."""
    ACK = 0x90
    """session u16, flags u8, digest u16, est_ma u16. Sent after the LEDs were clocked out; digest is the CRC of the
    r g b bytes of all n_led LEDs, first LED first, as clocked out after the cap."""
    NAK = 0x91
    """reason u8, session u16, flags u8, proto u8 (the version that the board speaks)."""
    PONG = 0xA0
    """session u16, flags u8, frames u16, crc_errors u16, hw_overruns u16, ring_overruns u16 (these four wrap), est_ma
    u16, digest u16, rail_mv u16 (RAIL_UNKNOWN_MV: not measured), uptime_ms u32 (wraps after 49 days)."""
    CHAIN_COUNT = 0xA1
    """count u8, CHAIN_NO_RETURN when nothing came back."""
    BOOT = 0xB0
    """As HELLO_OK with session NO_SESSION; unasked, after every start of the board."""
    LOST = 0xB1
    """session u16 (the one that ended), flags u8. Unasked: the host was declared dead."""


@unique
class NakReason(IntEnum):
    """Why a command was refused.

    CRC and OVERFLOW are the line's fault; NOSESSION means greet again; LEN, TYPE and RANGE are errors of the program that
    sent it.
    """

    CRC = 1
    LEN = 2
    TYPE = 3
    NOSESSION = 4
    RANGE = 5
    VERSION = 6
    OVERFLOW = 7


class AckFlag(IntFlag):
    """The `flags` byte of every message from the board."""

    NONE = 0
    LOST = 1
    """The host was declared dead and has not greeted since."""
    LIMITED = 2
    """The picture on the strip was dimmed to stay below the cap."""


class Capability(IntFlag):
    """The `caps` bits: what this board has beyond version 1. A host ignores bits that it does not know."""

    NONE = 0
    RAIL_VOLTAGE = 1
    """PONG's rail_mv is measured."""
    CHAIN_RETURN = 2
    """CHAIN is answered from a return wire; without the bit it is refused with NAK TYPE."""
    HARDWARE_WATCHDOG = 4
    """A hung firmware restarts by itself within HARDWARE_WATCHDOG_MS."""
    GOODBYE = 8
    """BYE is obeyed; without the bit it is refused with NAK TYPE."""
    SIMULATED = 0x8000
    """No LEDs: a board in memory."""


class ResetCause(IntFlag):
    """The ATmega328P's MCUSR; some bootloaders clear it."""

    UNKNOWN = 0
    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8
