import pytest

from controller.match.events import CameraBack
from controller.refereeing.state import RefereeState
from controller.session.light_sink import LightSink, PictureSource
from firmware_bridge.errors import BoardLostError
from firmware_bridge.fakes.fake_board import FakeBoard
from firmware_bridge.fakes.fake_line import FakePlug
from firmware_bridge.layout import LedLayout, usual_plan
from firmware_bridge.led_frame import LedFrame, Rgb
from tests.firmware_bridge.boards_on_lines import bglp_board

STATE = RefereeState()
LAYOUT = LedLayout.from_plan(usual_plan(72))
BLUE = Rgb(0, 0, 100)


def steady(state: RefereeState, layout: LedLayout, now_ms: int) -> LedFrame:
    """The same picture at all times."""
    return LedFrame((BLUE,) + (Rgb(0, 0, 0),) * (len(layout.place_of) - 1))


def flickering(state: RefereeState, layout: LedLayout, now_ms: int) -> LedFrame:
    """Another picture in every millisecond."""
    return LedFrame((Rgb(now_ms % 200, 0, 1),) * len(layout.place_of))


class Counted:
    """Flickers, and counts its pictures."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self, state: RefereeState, layout: LedLayout, now_ms: int) -> LedFrame:
        self.made += 1
        return flickering(state, layout, now_ms)


def lit_by(picture: PictureSource, **options: int) -> tuple[LightSink, FakeBoard, FakePlug]:
    """A sink on an open board."""
    board, fake, plug = bglp_board()
    board.open()
    plug.written.clear()
    return LightSink(board, "fake", LAYOUT, picture, **options), fake, plug


def test_a_picture_is_sent_once_and_kept_alive() -> None:
    """Ten seconds of one picture: it is lit, the board never reports the link as lost, and hardly anything is sent."""
    sink, fake, plug = lit_by(steady)
    start_ms = plug.clock.now_ms
    for now_ms in range(start_ms, start_ms + 10_000, 40):
        plug.clock.now_ms = max(plug.clock.now_ms, now_ms)
        sink.publish(STATE, (), now_ms)
        assert fake.lit.leds[0] == BLUE
    assert len(plug.written) < 1_000


def test_at_most_25_pictures_a_second() -> None:
    """Called every 5 ms with a picture that always differs, it makes 25 a second."""
    picture = Counted()
    sink, _, _ = lit_by(picture)
    for now_ms in range(0, 1_000, 5):
        sink.publish(STATE, (), now_ms)
    assert picture.made == 25


def test_an_event_is_shown_at_once() -> None:
    sink, fake, _ = lit_by(flickering)
    sink.publish(STATE, (), 100)
    sink.publish(STATE, (CameraBack(101),), 101)
    assert fake.lit.leds[0] == Rgb(101, 0, 1)


def test_a_lost_board_comes_back_by_itself() -> None:
    """Every call fails while the board is unplugged; plugged in again it shows the current picture."""
    sink, fake, plug = lit_by(flickering)
    sink.publish(STATE, (), 100)
    plug.pull()
    failed_ms = []
    for now_ms in range(140, 6_000, 40):
        plug.is_plugged = now_ms >= 3_000
        plug.clock.now_ms += 40
        try:
            sink.publish(STATE, (), now_ms)
        except BoardLostError:
            failed_ms.append(now_ms)
    assert failed_ms == list(range(140, failed_ms[-1] + 40, 40))
    assert 2_960 <= failed_ms[-1] < 5_000
    assert fake.lit == flickering(STATE, LAYOUT, 5_980)


def test_while_it_is_lost_every_call_fails() -> None:
    """Between two pictures too, because the board must not seem to be found."""
    sink, _, plug = lit_by(flickering)
    plug.pull()
    for now_ms in (100, 105, 110):
        with pytest.raises(BoardLostError):
            sink.publish(STATE, (), now_ms)


def test_it_ends_dark() -> None:
    sink, fake, _ = lit_by(steady)
    sink.publish(STATE, (), 100)
    assert fake.lit != LedFrame.dark(72)
    sink.close()
    assert fake.lit == LedFrame.dark(72)


def test_brightness_dims_everything() -> None:
    sink, fake, _ = lit_by(steady, brightness=128)
    sink.publish(STATE, (), 100)
    assert fake.lit.leds[0] == Rgb(0, 0, 51)
