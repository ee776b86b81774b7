"""The constants of the wire protocol BGLP v1. A test checks the firmware's header and `hardware/protocol.md` against them.

A wire unit is `00 | COBS(body) | 00`, the body is `type u8 | seq u8 | payload | crc16 u16` with CRC-16/CCITT-FALSE over
type, seq and payload. Integers are little-endian. Empty units are ignored. The host chooses `seq` and the board echoes
it; 0 marks what the board sends unasked, and a NAK for a unit whose `seq` could not be read.
"""

from enum import IntEnum, IntFlag, unique

PROTOCOL_VERSION = 1
MAGIC = b"BGLP"

MAX_LEDS = 120
BYTES_PER_LED = 3
BUFFER_BYTES = MAX_LEDS * BYTES_PER_LED + 16
"""The longest COBS-coded body, without its zeros, that a board accepts; NAK OVERFLOW beyond."""
COBS_BLOCK = 254
"""The most bytes without a zero that one COBS code byte covers."""

FROM_BOARD = 0x80
"""Set in the types that a board sends. A board ignores such types, since a looped line echoes its own."""
UNASKED_SEQ = 0
FIRST_SEQ = 1
LAST_SEQ = 127
NO_SESSION = 0
"""The session number of a board without a session; the host draws 1 to 0xFFFF."""

CRC_START = 0xFFFF
CRC_POLYNOMIAL = 0x1021

BAUD = 115_200
BAUDS = (115_200, 500_000)
"""The rates to try on an open port, the usual one first."""
BITS_PER_BYTE = 10
"""Start bit, eight bits, stop bit."""

HOST_SILENCE_MS = 2_000
"""Time without a valid unit after which the board declares the host dead. Requested in HELLO, returned as granted."""
HOST_SILENCE_MIN_MS = 250
HOST_SILENCE_MAX_MS = 10_000
"""The board clamps the requested time to this range."""
MARKER_MS = 10_000
"""How long LED 0 is dim amber after the host was declared dead; then the strip is dark."""
MARKER_RGB = (24, 10, 0)
HARDWARE_WATCHDOG_MS = 500

CURRENT_CAP_MAX_MA = 1_500
"""The board clamps the requested cap to this, for a 5 V 3 A supply and a strip of 120 LEDs."""
RAIL_MIN_MV = 4_300
"""Below this voltage the strip's supply counts as missing."""
RAIL_UNKNOWN_MV = 0

PING_EVERY_MS = 500
"""Idle time after which the host sends PING."""
MEASURE_EVERY_MS = 2_000
"""Interval of PING even between pictures, since only PONG reports the strip's supply."""
HELLO_EVERY_MS = 250
HELLO_FOR_MS = 6_000
"""How long the host greets: a bootloader discards bytes for 1 to 2 s, and some boards need longer."""
TRIES = 4
ACK_MARGIN_MS = 40
ACK_MIN_MS = 100
"""The time limit of an answer is twice the wire time plus ACK_MARGIN_MS, at least ACK_MIN_MS: 120 LEDs take 42 ms, and an
FTDI bridge delays bytes by up to 16 ms."""

# `struct` formats of the payloads; RUN and PIXEL follow their heads, n and count times.
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
"""The answer to CHAIN if nothing came back: strip cut, connector off, or no return wire."""


@unique
class MessageType(IntEnum):
    """The first byte of a body; the board's types have the bit FROM_BOARD. The docstrings give the payloads."""

    HELLO = 0x01
    """proto u8, session u16 (not 0), host_ms u16, cap_ma u16. Starts a session and blanks the LEDs. Another proto: NAK
    VERSION; session 0: NAK RANGE."""
    BYE = 0x02
    """Empty. The host leaves: the LEDs are blanked, ACK confirms it, and the session ends without a marker. Only for
    boards with the capability GOODBYE; without a session NAK NOSESSION."""
    PIXELS = 0x10
    """start u8, count u8, count x (r g b). Other LEDs are black."""
    RUNS = 0x11
    """n u8, n x (start u8, len u8, r g b), len at least 1. Other LEDs are black; a later run overwrites an earlier one."""
    PING = 0x20
    """Empty. Answered with or without a session."""
    CHAIN = 0x21
    """Empty. Counts the LEDs by the return wire and shows the picture again."""
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
    """count u8, CHAIN_NO_RETURN if nothing came back."""
    BOOT = 0xB0
    """As HELLO_OK with session NO_SESSION. Unasked, after every start of the board."""
    LOST = 0xB1
    """session u16 (the one that ended), flags u8. Unasked: the host was declared dead."""


@unique
class NakReason(IntEnum):
    """Why a command was refused.

    CRC and OVERFLOW are faults of the line; NOSESSION means greet again; LEN, TYPE and RANGE are faults of the program.
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
    """The picture was dimmed to stay below the cap."""


class Capability(IntFlag):
    """The `caps` bits: optional abilities of a board. A host ignores unknown bits."""

    NONE = 0
    RAIL_VOLTAGE = 1
    """PONG's rail_mv is measured."""
    CHAIN_RETURN = 2
    """CHAIN is answered; without the bit NAK TYPE."""
    HARDWARE_WATCHDOG = 4
    """A hung firmware restarts within HARDWARE_WATCHDOG_MS."""
    GOODBYE = 8
    """BYE is obeyed; without the bit NAK TYPE."""
    SIMULATED = 0x8000
    """A board in memory, without LEDs."""


class ResetCause(IntFlag):
    """The register MCUSR of the ATmega328P; some bootloaders clear it."""

    UNKNOWN = 0
    POWER_ON = 1
    EXTERNAL = 2
    BROWN_OUT = 4
    WATCHDOG = 8
