"""The pictures of a phone: the newest one waits, and a phone that locks itself is reported and waited for."""

from itertools import count

import cv2
import numpy as np
import pytest

from vision.camera.phone import (
    OTHER_PHONE_AFTER_MS,
    PhoneBackend,
    PhoneInbox,
    decode_phone_picture,
    open_phone,
)
from vision.camera.sources import open_source
from vision.errors import CaptureError, CaptureLibraryError, SourceRefusedError
from vision.frame import Condition, Frame, monotonic_ms

NUMBERS = count()


def frame() -> Frame:
    """A picture with noise of its own, taken now."""
    return Frame(np.random.default_rng(next(NUMBERS)).integers(0, 255, (48, 64, 3), np.uint8), monotonic_ms())


def test_the_newest_picture_wins_and_the_others_are_counted() -> None:
    inbox = PhoneInbox()
    with open_phone(inbox) as source:
        sent = [frame() for _ in range(3)]
        assert all(inbox.put(one, "a") for one in sent)
        taken = source.latest(1_000)
        assert taken is not None
        assert taken.pixels is sent[-1].pixels
        assert source.latest(0) is None
        assert (inbox.sent, inbox.taken) == (3, 1)
        assert [inbox.holds(one) for one in sent] == [False] * 3


def test_pictures_that_nobody_wants_are_not_kept() -> None:
    """Before a source is open, and after it was closed."""
    inbox = PhoneInbox()
    assert inbox.put(frame(), "a")
    with open_phone(inbox) as source:
        assert inbox.is_wanted
        assert source.latest(0) is None
    early = frame()
    assert inbox.put(early, "a")
    assert not inbox.holds(early)
    assert not inbox.is_wanted


def test_another_phone_takes_over_only_when_the_first_is_silent() -> None:
    """Two phones would show the referee two boards in turn."""
    now_ms = [10_000]
    inbox = PhoneInbox(lambda: now_ms[0])
    assert inbox.put(frame(), "a")
    assert not inbox.put(frame(), "b")
    now_ms[0] += OTHER_PHONE_AFTER_MS - 1
    assert inbox.put(frame(), "a")
    now_ms[0] += OTHER_PHONE_AFTER_MS
    assert inbox.may_send("b")
    assert inbox.put(frame(), "b")
    assert not inbox.may_send("a")


def test_a_phone_that_locks_is_lost_within_the_usual_time_and_comes_back() -> None:
    """It needs no restart, however long it was away, and its picture counts at once."""
    now_ms = [50_000]
    inbox = PhoneInbox()
    source = open_phone(inbox, clock_ms=lambda: now_ms[0])

    def send() -> None:
        one = frame()
        inbox.put(Frame(one.pixels, now_ms[0]), "a")

    send()
    assert source.latest(0) is not None
    now_ms[0] += 2_499
    source.latest(0)
    before = source.state.condition
    for _ in range(600):  # a minute
        now_ms[0] += 100
        source.latest(0)
    assert (before, source.state.condition) == (Condition.LIVE, Condition.HANGS)
    assert source.state.sentence.startswith("The phone has sent no picture for ")
    assert source.state.sentence.endswith(
        "; unlock it, open its camera page again, and see that it is in the same network."
    )
    assert source.silence_remedy in source.state.sentence
    came_back_ms = now_ms[0]
    while source.state.condition is not Condition.LIVE:
        now_ms[0] += 50
        send()
        source.latest(0)
    assert now_ms[0] - came_back_ms <= 300


def test_a_phone_that_repeats_one_picture_is_told_what_helps_a_phone() -> None:
    now_ms = [0]
    inbox = PhoneInbox()
    source = open_phone(inbox, clock_ms=lambda: now_ms[0])
    same = frame()
    for _ in range(30):
        now_ms[0] += 66
        inbox.put(Frame(same.pixels, now_ms[0]), "a")
        source.latest(0)
    assert source.state.sentence.startswith("The phone repeats one picture for ever; unlock it")


@pytest.mark.parametrize(
    ("error", "condition"),
    [
        (CaptureError("The phone", "finds no page", "choose another port"), Condition.VANISHED),
        (CaptureLibraryError("openssl", "The page", "install it"), Condition.FAILED),
    ],
)
def test_the_reason_why_no_phone_can_connect_is_that_of_the_source(error: Exception, condition: Condition) -> None:
    inbox = PhoneInbox()

    def refuse() -> None:
        raise error

    inbox.on_wanted = refuse
    source = open_phone(inbox)
    source.latest(0)
    assert source.state.condition is condition
    assert source.state.sentence == str(error)


def test_a_command_without_a_page_refuses_a_phone() -> None:
    with pytest.raises(SourceRefusedError, match="and none is open here; use it with play or calibrate --page"):
        open_source("phone")
    assert open_source("phone", phone=PhoneInbox()).describe() == "The phone"


def test_only_pictures_of_a_size_that_can_be_held_are_decoded() -> None:
    """A header of 60,000 pixels a side claims more than 50 megapixels, and nothing is reserved for it."""
    jpeg = cv2.imencode(".jpg", frame().pixels)[1].tobytes()
    pixels = decode_phone_picture(jpeg)
    assert pixels is not None
    assert pixels.shape == (48, 64, 3)
    at = jpeg.index(b"\xff\xc0") + 5
    assert decode_phone_picture(jpeg[:at] + b"\xea\x60\xea\x60" + jpeg[at + 4 :]) is None
    assert decode_phone_picture(b"<html>") is None
    assert PhoneBackend(PhoneInbox()).has_ended()
