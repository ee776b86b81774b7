"""The driver in front of the fake board, over lines that damage, lose and come back. Time stands still between waits."""

from dataclasses import replace
from random import Random

import pytest

from firmware_bridge import errors
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.boards.light_board import Verification
from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.led_frame import BLACK, LedFrame, Rgb
from firmware_bridge.power import limit_current
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.framing import digest_of
from firmware_bridge.protocol.wire_constants import Capability, ResetCause
from tests.firmware_bridge import boards_on_lines as lines

NANO = FakeBoardSpec(n_led=60, bootloader_ms=1_200)
LEFT = LedFrame((lines.RED,) * 30 + (BLACK,) * 30)
RIGHT = LedFrame((BLACK,) * 30 + (lines.GREEN,) * 30)
WHITE = LedFrame((Rgb(255, 255, 255),) * 60)


class WatchedBoard(FakeBoard):
    """Remembers every picture that was lit, however shortly."""

    def __init__(self, make: FakeBoardSpec) -> None:
        super().__init__(make)
        self.was_lit: set[LedFrame] = set()

    def receive(self, data: bytes, now_ms: int) -> bytes:
        # One unit at a time, or a picture that the next unit replaces would escape us.
        said = b""
        for byte in data:
            said += super().receive(bytes((byte,)), now_ms)
            self.was_lit.add(self.lit)
        return said


def test_a_board_behind_a_bootloader_is_greeted() -> None:
    """BOOT is answered at once, so that nothing is waited for but the bootloader."""
    board, _, plug = lines.bglp_board(NANO)
    identity = board.open()
    assert plug.clock.now_ms < 1_230
    assert identity.name == "BGLP 1, firmware 1.0, build 00000000"
    assert (identity.n_led, identity.answering_leds, identity.cap_ma) == (60, 60, 1_500)
    assert (identity.verified, identity.is_simulated) == (Verification.DIGEST, True)


def test_a_picture_is_lit_when_show_returns() -> None:
    board, fake, _ = lines.open_bglp_board(NANO)
    shown = board.show(LEFT)
    assert fake.lit == LEFT
    assert (shown.digest, shown.limited, shown.current_ma) == (digest_of(LEFT), False, 60 + 30 * 20)
    shown = board.show(WHITE)
    assert fake.lit == limit_current(WHITE, 1_500).frame != WHITE
    assert (shown.digest, shown.limited) == (digest_of(fake.lit), True)


def run_of_pictures(how_many: int, seed: int, kind: type[WatchedBoard] = WatchedBoard) -> tuple[int, int, list[str]]:
    """Acknowledged, lost, and what must not be, with a quarter of the units damaged both ways."""
    random, fake = Random(seed), kind(NANO)
    plug = lines.plugged(fake, seed=seed)
    board = BglpBoard(plug, plug.clock, draw_session=lines.sessions())
    board.open()
    plug.damage_to_device = plug.damage_to_host = 0.25
    may_be_lit = {LedFrame.dark(60), LedFrame((Rgb(*wire.MARKER_RGB),) + (BLACK,) * 59)}
    acknowledged, lost, faults = 0, 0, []
    for number in range(how_many):
        frame = lines.picture(random, 60, colours=number % 10 == 0)
        may_be_lit.add(limit_current(frame, 1_500).frame)
        try:
            shown = board.show(frame)
            acknowledged += 1
            if fake.lit != limit_current(frame, 1_500).frame or shown.digest != digest_of(fake.lit):
                faults.append(f"picture {number} was acknowledged and not shown")
        except errors.BoardLostError:
            lost += 1
            back_by_ms = plug.clock.now_ms + 10_000
            while not board.health().is_answering and plug.clock.now_ms < back_by_ms:
                plug.clock.now_ms += 5
    faults += [f"never sent, yet lit: {frame}" for frame in fake.was_lit - may_be_lit]
    return acknowledged, lost, faults


def test_on_a_line_that_damages_every_fourth_unit_no_wrong_picture_is_lit(full_counts: bool) -> None:
    """200 pictures, 2,000 with --slow: none is lit that was not sent, none acknowledged that is not lit."""
    how_many = 2_000 if full_counts else 200
    acknowledged, lost, faults = run_of_pictures(how_many, seed=3)
    assert faults == []
    assert acknowledged + lost == how_many
    assert acknowledged >= 0.97 * how_many


class Liar(WatchedBoard):
    """Its strip shows another colour than its digest says."""

    def receive(self, data: bytes, now_ms: int) -> bytes:
        said = super().receive(data, now_ms)
        self.lit = LedFrame((Rgb(1, 2, 3), *self.lit.leds[1:]))
        return said


def test_the_run_above_finds_a_board_that_lies() -> None:
    _, _, faults = run_of_pictures(5, seed=3, kind=Liar)
    assert faults != []


class OwnDimming(FakeBoard):
    """Clocks out something darker than agreed on, and tells the digest of that."""

    def receive(self, data: bytes, now_ms: int) -> bytes:
        if self.session != wire.NO_SESSION and self._session.cap_ma == wire.CURRENT_CAP_MAX_MA:
            self._session = replace(self._session, cap_ma=wire.CURRENT_CAP_MAX_MA - 100)
        return super().receive(data, now_ms)


def test_a_board_that_clocks_out_something_else_is_not_believed() -> None:
    """The digest is of what it shows, and ours is of what it should show."""
    plug = lines.plugged(OwnDimming(NANO))
    board = BglpBoard(plug, plug.clock, draw_session=lines.sessions())
    board.open()
    board.show(LEFT)
    with pytest.raises(errors.BoardLostError, match="shows another picture than it was sent"):
        board.show(WHITE)


def test_a_silent_host_leaves_the_marker_and_the_picture_comes_back_with_it() -> None:
    board, fake, plug = lines.open_bglp_board(NANO)
    board.show(LEFT)
    fake.advance(plug.clock.now_ms + 3_000)
    plug.clock.now_ms += 3_000
    assert fake.lit.leds[0] == Rgb(*wire.MARKER_RGB)
    lines.wait(board, plug.clock, 200)
    assert fake.lit == LEFT
    assert board.health().is_answering


def test_an_idle_host_that_asks_how_it_is_keeps_the_picture() -> None:
    board, fake, plug = lines.open_bglp_board(NANO)
    board.show(LEFT)
    lines.wait(board, plug.clock, 60_000, step_ms=500)
    assert fake.lit == LEFT
    health = board.health()
    assert (health.is_answering, health.rail_mv, health.current_ma, health.warnings) == (True, 5_000, 660, ())
    assert health.uptime_ms is not None
    assert 59_000 < health.uptime_ms < 61_000


def test_after_a_re_plug_the_picture_is_lit_again_within_1700_ms() -> None:
    """1,200 ms of it are the bootloader's. While it is away showing fails at once, and the newest picture is kept."""
    board, fake, plug = lines.open_bglp_board(NANO)
    board.show(LEFT)
    plug.pull()
    with pytest.raises(errors.BoardLostError, match="fake: the light board was unplugged; check its cable"):
        board.show(LEFT)
    lines.wait(board, plug.clock, 800)
    assert not board.health().is_answering
    with pytest.raises(errors.BoardLostError):
        board.show(RIGHT)
    plug.is_plugged = True
    back_ms = plug.clock.now_ms
    while fake.lit != RIGHT and plug.clock.now_ms < back_ms + 5_000:
        lines.wait(board, plug.clock, 20)
    assert plug.clock.now_ms - back_ms <= 1_700


def test_a_restart_in_the_middle_is_reported_with_its_cause_and_survived() -> None:
    """BOOT ends the session; the picture follows the next one. Three of them in a minute are a warning."""
    board, fake, plug = lines.open_bglp_board(NANO)
    for _ in range(3):
        board.show(LEFT)
        fake.power_on(plug.clock.now_ms, ResetCause.BROWN_OUT)
        assert board.health().warnings == ()
        lines.wait(board, plug.clock, 1_500)
        assert fake.lit == LEFT
    (warning,) = board.health().warnings
    assert warning == "The light board restarts again and again; its supply is too weak or a cable is loose."
    lines.wait(board, plug.clock, 61_000, step_ms=400)
    assert board.health().warnings == ()


def test_a_hung_board_is_lost_after_four_tries_and_found_again() -> None:
    """400 ms of silence; its own watchdog restarts it after 500."""
    board, fake, plug = lines.open_bglp_board(FakeBoardSpec(n_led=60))
    hung_ms = plug.clock.now_ms
    fake.hang(hung_ms)
    with pytest.raises(errors.BoardLostError, match="does not answer"):
        board.show(LEFT)
    assert plug.clock.now_ms - hung_ms == 400
    lines.wait(board, plug.clock, 300)
    assert fake.lit == LEFT


def test_another_rate_is_found_on_the_open_port() -> None:
    board, fake, plug = lines.open_bglp_board(FakeBoardSpec(n_led=60, baud=500_000))
    board.show(LEFT)
    assert fake.lit == LEFT
    assert plug.clock.now_ms < wire.HELLO_FOR_MS + 600
    plug.pull()
    assert not board.health().is_answering
    plug.is_plugged = True
    fake.spec = replace(fake.spec, bootloader_ms=2_000)
    lines.wait(board, plug.clock, 2_600)
    assert fake.lit == LEFT


def test_another_version_is_refused_with_the_remedy() -> None:
    board, _, _ = lines.bglp_board(FakeBoardSpec(proto=2))
    with pytest.raises(
        errors.WrongVersionError, match=r"version 2 of the protocol and this program needs 1; flash the firmware"
    ) as refused:
        board.open()
    assert (refused.value.board_speaks, refused.value.needed) == (2, 1)


def test_a_board_that_was_refused_can_be_flashed_and_opened() -> None:
    board, fake, _ = lines.bglp_board(FakeBoardSpec(proto=2))
    with pytest.raises(errors.WrongVersionError):
        board.open()
    fake.spec = FakeBoardSpec(n_led=60)
    assert board.open().n_led == 60
    fake.spec = FakeBoardSpec(n_led=60, bootloader_ms=60_000)
    board.close()
    with pytest.raises(errors.NotALightBoardError, match="no light board answers"):
        board.open()
    fake.spec = FakeBoardSpec(n_led=60, bootloader_ms=3_500)
    assert board.open().n_led == 60


def test_a_shorter_strip_that_was_plugged_in_instead_is_reported() -> None:
    """The picture that is owed is too long for it; showing does not wait for ever."""
    board, fake, plug = lines.open_bglp_board(FakeBoardSpec(n_led=60))
    board.show(LEFT)
    plug.pull()
    board.health()
    fake.spec = FakeBoardSpec(n_led=30)
    plug.is_plugged = True
    lines.wait(board, plug.clock, 500)
    with pytest.raises(errors.WrongLedCountError):
        board.show(LEFT)
    board.show(LedFrame((lines.RED,) * 30))
    assert fake.lit == LedFrame((lines.RED,) * 30)


def test_a_port_without_an_answer_is_no_light_board() -> None:
    board, _, plug = lines.bglp_board(FakeBoardSpec(bootloader_ms=60_000))
    with pytest.raises(errors.NotALightBoardError, match="no light board answers"):
        board.open()
    plug.pull()
    with pytest.raises(errors.PortMissingError):
        board.open()


def test_a_picture_longer_than_the_strip_is_a_mistake() -> None:
    board, fake, _ = lines.open_bglp_board(NANO)
    board.show(LEFT)
    with pytest.raises(errors.WrongLedCountError):
        board.show(LedFrame.dark(61))
    assert fake.lit == LEFT


@pytest.mark.parametrize(
    ("make", "warning"),
    [
        (
            FakeBoardSpec(n_led=120, answering_leds=60),
            "Only 60 of 120 LEDs answer; check the strip behind the last one lit.",
        ),
        (FakeBoardSpec(answering_leds=0), "No LED answers; check the strip's plug, its supply and the return wire."),
        (FakeBoardSpec(rail_mv=300), "The LEDs have 0.3 V instead of 5 V; check their supply."),
    ],
)
def test_what_is_wrong_with_the_strip_is_reported(make: FakeBoardSpec, warning: str) -> None:
    board, _, _ = lines.open_bglp_board(make)
    assert board.health().warnings == (warning,)


class SlowToMeasure(FakeBoard):
    """Knows the voltage a while after its start, as a chip does; or never."""

    def __init__(self, knows_after_ms: int) -> None:
        super().__init__(FakeBoardSpec(n_led=60, rail_mv=0))
        self._knows_after_ms = knows_after_ms

    def receive(self, data: bytes, now_ms: int) -> bytes:
        if now_ms >= self._knows_after_ms:
            self.spec = replace(self.spec, rail_mv=4_900)
        return super().receive(data, now_ms)


@pytest.mark.parametrize(("knows_after_ms", "rail_mv", "open_by_ms"), [(130, 4_900, 200), (60_000, None, 600)])
def test_the_first_measurement_is_waited_for_but_not_for_ever(
    knows_after_ms: int, rail_mv: int | None, open_by_ms: int
) -> None:
    plug = lines.plugged(SlowToMeasure(knows_after_ms))
    board = BglpBoard(plug, plug.clock, draw_session=lines.sessions())
    board.open()
    assert plug.clock.now_ms <= open_by_ms
    assert (board.health().rail_mv, board.health().warnings) == (rail_mv, ())


def test_a_board_without_return_wire_and_rail_says_nothing_of_them() -> None:
    board, _, plug = lines.bglp_board(FakeBoardSpec(caps=Capability.NONE))
    assert board.open().answering_leds is None
    lines.wait(board, plug.clock, 1_200, step_ms=100)
    assert (board.health().rail_mv, board.health().warnings) == (None, ())


def test_a_closed_driver_opens_again() -> None:
    board, fake, _ = lines.open_bglp_board(NANO)
    board.close()
    board.close()
    board.open()
    board.show(LEFT)
    assert fake.lit == LEFT


def test_a_failing_supply_is_reported_while_the_strip_blinks() -> None:
    """Pictures 25 times a second leave no idle time for the heartbeat, and still it comes."""
    board, fake, plug = lines.open_bglp_board(FakeBoardSpec(n_led=60))
    fake.spec = replace(fake.spec, rail_mv=3_100)
    for number in range(80):
        plug.clock.now_ms += 40
        board.show(LEFT if number % 2 else RIGHT)
    assert board.health().warnings == ("The LEDs have 3.1 V instead of 5 V; check their supply.",)
