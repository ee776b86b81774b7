import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.errors import ImpossibleMessageError, MalformedPayloadError
from firmware_bridge.led_frame import BLACK, LedFrame, Rgb, Run
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import encode
from firmware_bridge.protocol.messages import (
    MESSAGES,
    Ack,
    ChainCount,
    Hello,
    HelloOk,
    Lost,
    Message,
    Nak,
    Pixels,
    Pong,
    Runs,
    picture_command,
)
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, MessageType, NakReason, ResetCause
from tests.firmware_bridge.messages_drawn import MOST_RUNS, frames

pytestmark = pytest.mark.broad

RED, GREEN = Rgb(255, 0, 0), Rgb(0, 255, 0)


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (Hello(0x1234), "01 3412 d007 dc05"),
        (Runs((Run(0, 2, RED), Run(10, 1, GREEN))), "02 0002ff0000 0a0100ff00"),
        (Pixels(3, (RED, BLACK)), "03 02 ff0000 000000"),
        (
            HelloOk(
                *(0x1234, 120, AckFlag.NONE, (1, 2), ResetCause.BROWN_OUT, 376, 1500, 2000),
                *(Capability.RAIL_VOLTAGE | Capability.CHAIN_RETURN, 0xDEADBEEF),
            ),
            "3412 00 42474c50 01 01 02 04 7800 7801 dc05 d007 0300 efbeadde",
        ),
        (Ack(0x1234, AckFlag.LIMITED, 0xABCD, 1475), "3412 02 cdab c305"),
        (Nak(NakReason.VERSION, 0, AckFlag.LOST, 2), "06 0000 01 02"),
        (Pong(1, AckFlag.NONE, 2, 3, 4, 5, 6, 7, 4900, 90_000), "0100 00 0200 0300 0400 0500 0600 0700 2413 905f0100"),
        (ChainCount(120), "78"),
        (Lost(0x1234), "3412 01"),
    ],
)  # fmt: skip
def test_the_payloads_are_these_bytes(message: Message, payload: str) -> None:
    assert message.to_payload() == bytes.fromhex(payload)
    assert type(message).from_payload(bytes.fromhex(payload)) == message


def test_every_type_has_its_message() -> None:
    assert sorted(message.type for message in MESSAGES) == sorted(MessageType)


@pytest.mark.parametrize("kind", [kind for kind in MESSAGES if kind not in (Pixels, Runs)])
@given(payload=st.binary(max_size=40))
def test_a_payload_of_another_length_is_refused(kind: type[Message], payload: bytes) -> None:
    try:
        parsed = kind.from_payload(payload)
    except MalformedPayloadError:
        return
    assert parsed.to_payload() == payload


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (Runs, ""),
        (Runs, "01 0002ff00"),
        (Runs, "01 0002ff0000 00"),
        (Pixels, "00"),
        (Pixels, "00 02 ff0000"),
        (Nak, "08 0000 00 01"),
        (HelloOk, "3412 00 42474c51 01 01 02 04 7800 7801 dc05 d007 0300 efbeadde"),
    ],
)
def test_a_malformed_payload_is_refused(kind: type[Message], payload: str) -> None:
    """A count that does not fit, an unknown reason, another magic word."""
    with pytest.raises(MalformedPayloadError):
        kind.from_payload(bytes.fromhex(payload))


@pytest.mark.parametrize(
    "message", [Hello(0x10000), Runs((Run(0, 0, RED),)), Runs((Run(256, 1, RED),)), Pixels(0, (RED,) * 256)]
)
def test_what_does_not_fit_its_field_is_not_sent(message: Message) -> None:
    with pytest.raises(ImpossibleMessageError):
        message.to_payload()


@given(frame=frames(120))
def test_a_picture_becomes_a_command_of_the_same_picture(frame: LedFrame) -> None:
    """Whichever of the two forms is chosen, and it fits the board's buffer."""
    command = picture_command(frame)
    assert command.on_strip(120) == frame
    assert len(encode(command, 1)) - 2 <= wire.BUFFER_BYTES


def test_the_shorter_form_is_chosen() -> None:
    """A few points are runs; a picture of many colours is pixels, black ends left out."""
    assert picture_command(LedFrame((RED,) * 5 + (BLACK,) * 5)) == Runs((Run(0, 5, RED),))
    assert picture_command(LedFrame((BLACK, RED, GREEN, RED, GREEN, BLACK))) == Pixels(1, (RED, GREEN, RED, GREEN))
    assert picture_command(LedFrame.dark(7)) == Runs(())


def test_the_longest_list_of_runs_fits_the_buffer() -> None:
    run = Run(1, 1, Rgb(1, 1, 1))
    assert len(encode(Runs((run,) * MOST_RUNS), 1)) - 2 <= wire.BUFFER_BYTES
    assert len(encode(Runs((run,) * (MOST_RUNS + 1)), 1)) - 2 > wire.BUFFER_BYTES


@pytest.mark.parametrize("command", [Runs((Run(119, 2, RED),)), Pixels(119, (RED, RED)), Pixels(121, ())])
def test_a_picture_beyond_the_strip_is_none(command: Runs | Pixels) -> None:
    assert command.on_strip(120) is None
