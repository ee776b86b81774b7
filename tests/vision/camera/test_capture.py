import pytest

from vision.camera.capture import CaptureEnded, Lock, LocksTried, MemoryMade, MessageDecoder, encode
from vision.camera.shared_frames import SlotMemory

MESSAGES = [
    MemoryMade(SlotMemory(1, 960, 1280)),
    LocksTried((Lock("gain", True, "12"),)),
    CaptureEnded("The camera fell off the table; put it back.", is_curable=True),
]


@pytest.mark.parametrize("portion", [1, 3, 7, 10_000])
def test_messages_arrive_however_they_are_cut(portion: int) -> None:
    """Bytes in any portions give the same messages in order."""
    data = b"".join(map(encode, MESSAGES))
    decoder = MessageDecoder()
    found = [value for at in range(0, len(data), portion) for value in decoder.feed(data[at : at + portion])]
    assert found == MESSAGES


def test_half_a_message_is_none() -> None:
    """What a killed process left unfinished is never taken for a message."""
    assert MessageDecoder().feed(encode(MESSAGES[2])[:-1]) == []
