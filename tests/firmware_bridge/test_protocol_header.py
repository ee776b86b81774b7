"""The firmware's constants are those of the Python table."""

import re
from enum import IntEnum, IntFlag
from pathlib import Path

import pytest

from firmware_bridge import power
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, MessageType, NakReason

HEADER = Path(__file__).parents[2] / "hardware/firmware/protocol.h"
PREFIXES: dict[str, type[IntEnum | IntFlag]] = {
    "MSG_": MessageType,
    "NAK_": NakReason,
    "FLAG_": AckFlag,
    "CAP_": Capability,
}
OF_POWER = ("IDLE_MA", "CHANNEL_MA")
# What only the host needs to know; the firmware has the layouts of the payloads in the order of its put calls.
FOR_THE_HOST = {
    *("FIRST_SEQ", "LAST_SEQ", "BAUD", "BAUDS", "BITS_PER_BYTE", "RAIL_MIN_MV"),
    *("PING_EVERY_MS", "MEASURE_EVERY_MS", "HELLO_EVERY_MS", "HELLO_FOR_MS", "TRIES", "ACK_MARGIN_MS", "ACK_MIN_MS"),
    *("HELLO_PAYLOAD", "PIXELS_HEAD", "PIXEL", "RUNS_HEAD", "RUN", "HELLO_OK_PAYLOAD", "ACK_PAYLOAD", "NAK_PAYLOAD"),
    *("PONG_PAYLOAD", "CHAIN_COUNT_PAYLOAD", "LOST_PAYLOAD"),
}

Value = int | tuple[int, ...] | bytes


def defined(text: str) -> dict[str, Value]:
    """Every `#define NAME value` of a header: a number, a list of numbers, a string."""
    found: dict[str, Value] = {}
    for name, value in re.findall(r"^#define (\w+) (.+)$", text, re.MULTILINE):
        if value.startswith('"'):
            found[name] = value.strip('"').encode()
        else:
            numbers = tuple(int(number, 0) for number in value.split(","))
            found[name] = numbers[0] if len(numbers) == 1 else numbers
    return found


def table() -> dict[str, Value]:
    """The same names as the header's, from Python."""
    plain = {name: value for name, value in vars(wire).items() if name.isupper() and name not in FOR_THE_HOST}
    named = {
        prefix + one.name: one.value for prefix, kind in PREFIXES.items() for one in kind if one.name and one.value
    }
    return plain | named | {name: getattr(power, name) for name in OF_POWER}


def test_the_header_is_the_table() -> None:
    assert defined(HEADER.read_text()) == table()


@pytest.mark.parametrize("name", ["MSG_RUNS", "NAK_CRC", "CURRENT_CAP_MAX_MA", "MARKER_RGB", "MAGIC"])
def test_a_drift_is_found(name: str) -> None:
    text = HEADER.read_text()
    line = next(line for line in text.splitlines() if line.startswith(f"#define {name} "))
    changed = line.replace('"BGLP"', '"BGLQ"') if name == "MAGIC" else line + ", 1"
    assert defined(text.replace(line, changed)) != table()
    assert defined(text.replace(line, "")) != table()
