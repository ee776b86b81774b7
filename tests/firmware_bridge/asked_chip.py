"""Asking a simulated chip, and hearing all that it says."""

from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import UnitDecoder, WireUnit, encode
from firmware_bridge.protocol.messages import Hello, HelloOk, Message, Ping, Pong
from tests.firmware_bridge.simulated_chip import SimulatedChip


def said(chip: SimulatedChip, for_ms: float) -> list[WireUnit]:
    """All that the board says in that time."""
    chip.run(for_ms)
    return [heard for heard in UnitDecoder().feed(chip.received()) if isinstance(heard, WireUnit)]


def ask(chip: SimulatedChip, message: Message, seq: int = 5) -> Message:
    chip.received()
    chip.send(encode(message, seq))
    answers = said(chip, 60)
    assert [answer.seq for answer in answers] == [seq]
    return answers[0].message


def greeted(chip: SimulatedChip, hello: Hello | None = None) -> SimulatedChip:
    chip.run(50)
    assert isinstance(ask(chip, hello or Hello(77, host_ms=wire.HOST_SILENCE_MAX_MS)), HelloOk)
    return chip


def ping(chip: SimulatedChip) -> Pong:
    pong = ask(chip, Ping())
    assert isinstance(pong, Pong)
    return pong
