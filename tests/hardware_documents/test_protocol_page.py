"""protocol.md is held to the table of constants, and its examples to Python and to the firmware's C."""

import re
import subprocess

import pytest

from firmware_bridge.led_frame import LedFrame, Rgb, Run
from firmware_bridge.power import estimate_ma
from firmware_bridge.protocol import messages
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, cobs_decode, crc16, digest_of, encode
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, MessageType, NakReason, ResetCause
from tests.firmware_bridge.simulated_chip import made, require_toolchain
from tests.hardware_documents.document_tools import HARDWARE

PAGE = (HARDWARE / "protocol.md").read_text(encoding="utf-8")
SESSION = 0x075A
DIM_GREEN, WHITE = Rgb(0, 40, 20), Rgb(255, 255, 255)
LIT = (Run(6, 2, DIM_GREEN), Run(18, 1, WHITE))
CAPS = Capability.RAIL_VOLTAGE | Capability.CHAIN_RETURN | Capability.HARDWARE_WATCHDOG | Capability.GOODBYE
BUILD = 0x2D1E0301

# In the order of the page: seq and message.
EXAMPLES: tuple[tuple[int, messages.Message], ...] = (
    (1, messages.Hello(SESSION, cap_ma=1500, host_ms=2000, proto=1)),
    (1, messages.HelloOk(SESSION, 24, reset_cause=ResetCause.EXTERNAL, caps=CAPS, build_id=BUILD)),
    (2, messages.Runs(LIT)),
    (2, messages.Ack(SESSION, AckFlag.NONE, 0x6D01, 93)),
    (2, messages.Pixels(6, (DIM_GREEN, DIM_GREEN))),
    (6, messages.Runs(())),
    (7, messages.Bye()),
    (3, messages.Nak(NakReason.NOSESSION, wire.NO_SESSION)),
    (4, messages.Ping()),
    (4, messages.Pong(SESSION, AckFlag.NONE, 1, 0, 0, 0, 93, 0x6D01, 4987, 61_000)),
    (5, messages.Chain()),
    (5, messages.ChainCount(24)),
    (0, messages.Boot(wire.NO_SESSION, 24, reset_cause=ResetCause.POWER_ON, caps=CAPS, build_id=BUILD)),
    (0, messages.Lost(SESSION, AckFlag.LOST)),
)
NAMES = tuple(f"{message.type.name}_{seq}" for seq, message in EXAMPLES)
HEX = tuple(bytes.fromhex(bytes_) for bytes_ in re.findall(r"^\| .+ \| `((?:[0-9a-f]{2} ?)+)` \|$", PAGE, re.MULTILINE))


def test_python_says_the_examples() -> None:
    """Every example of the page, byte for byte, and every type of message has one."""
    assert tuple(encode(message, seq) for seq, message in EXAMPLES) == HEX
    assert {message.type for _, message in EXAMPLES} == set(MessageType)


@pytest.mark.parametrize(("unit", "example"), tuple(zip(HEX, EXAMPLES, strict=True)), ids=NAMES)
def test_python_reads_the_examples(unit: bytes, example: tuple[int, messages.Message]) -> None:
    assert UnitDecoder().feed(unit) == [WireUnit(*example)]


def test_the_digest_of_the_example_is_that_of_its_picture() -> None:
    """6D01 and 93 mA are what the picture of the RUNS example gives on 24 LEDs."""
    frame = LedFrame.from_runs(24, LIT)
    assert (digest_of(frame), estimate_ma(frame)) == (0x6D01, 93)


def test_the_firmware_says_and_reads_the_examples() -> None:
    require_toolchain()
    made("firmware", "build/host_runner")
    bodies = [cobs_decode(unit[1:-1]) for unit in HEX]
    contents = [body[:-2] for body in bodies if body is not None]
    questions = [f"unit {content.hex()}" for content in contents] + [f"feed {unit.hex()}" for unit in HEX]
    done = subprocess.run(
        [HARDWARE / "firmware/build/host_runner"],
        input="\n".join(questions) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    said = [unit.hex() for unit in HEX] + [f"good {content.hex()}" for content in contents]
    assert [line.rstrip() for line in done.stdout.splitlines()] == said


LAYOUTS = {
    MessageType.HELLO: f"`{wire.HELLO_PAYLOAD}`",
    MessageType.BYE: "–",
    MessageType.PIXELS: f"`{wire.PIXELS_HEAD}` + count of `{wire.PIXEL}`",
    MessageType.RUNS: f"`{wire.RUNS_HEAD}` + n of `{wire.RUN}`",
    MessageType.PING: "–",
    MessageType.CHAIN: "–",
    MessageType.HELLO_OK: f"`{wire.HELLO_OK_PAYLOAD}`",
    MessageType.ACK: f"`{wire.ACK_PAYLOAD}`",
    MessageType.NAK: f"`{wire.NAK_PAYLOAD}`",
    MessageType.PONG: f"`{wire.PONG_PAYLOAD}`",
    MessageType.CHAIN_COUNT: f"`{wire.CHAIN_COUNT_PAYLOAD}`",
    MessageType.BOOT: f"`{wire.HELLO_OK_PAYLOAD}`",
    MessageType.LOST: f"`{wire.LOST_PAYLOAD}`",
}


def test_the_messages_are_those_of_the_table() -> None:
    rows = re.findall(r"^\| ([0-9A-F]{2}) \| (\w+) \| ([→←]) \| (.+?) \|", PAGE, re.MULTILINE)
    assert rows == [
        (f"{kind:02X}", kind.name, "←" if kind & wire.FROM_BOARD else "→", LAYOUTS[kind]) for kind in MessageType
    ]


def test_the_numbers_are_those_of_the_table() -> None:
    for reason in NakReason:
        assert f"{reason.value} {reason.name}" in PAGE
    for flag in (AckFlag.LOST, AckFlag.LIMITED):
        assert f"{flag.value} {flag.name} (" in PAGE
    for capability in (
        Capability.RAIL_VOLTAGE,
        Capability.CHAIN_RETURN,
        Capability.HARDWARE_WATCHDOG,
        Capability.GOODBYE,
        Capability.SIMULATED,
    ):
        assert f"{capability.value:X} {capability.name}" in PAGE
    plain = " ".join(PAGE.split())
    for sentence in (
        f"# BGLP, version {wire.PROTOCOL_VERSION}:",
        f"{wire.BAUDS[0]} baud ({wire.BAUDS[1]} if",
        f"at most {wire.BUFFER_BYTES} bytes",
        f"`seq` from {wire.FIRST_SEQ} to {wire.LAST_SEQ},",
        f"(polynomial {wire.CRC_POLYNOMIAL:X}, start {wire.CRC_START:X})",
        f"`123456789` it is {crc16(b'123456789'):X}",
        f"at most {wire.CURRENT_CAP_MAX_MA} mA and {wire.HOST_SILENCE_MIN_MS} to {wire.HOST_SILENCE_MAX_MS} ms",
        f"(usually {wire.HOST_SILENCE_MS})",
        f"is amber {wire.MARKER_RGB} for {wire.MARKER_MS} ms",
        f"PING after {wire.PING_EVERY_MS} ms without another request, and every {wire.MEASURE_EVERY_MS} ms in",
        f"types from {wire.FROM_BOARD:X} on",
        f"HELLO every {wire.HELLO_EVERY_MS} ms for {wire.HELLO_FOR_MS} ms",
        f"plus {wire.ACK_MARGIN_MS} ms, at least {wire.ACK_MIN_MS} ms",
        f"count; {wire.CHAIN_NO_RETURN} when nothing came back",
        f"at most {wire.COBS_BLOCK} bytes",
        f"below {wire.RAIL_MIN_MV} the",
        f"within {wire.HARDWARE_WATCHDOG_MS} ms",
    ):
        assert sentence in plain
