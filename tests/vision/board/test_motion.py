from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice_tracking.dice_films import die
from tests.vision.drawn_tables import calibration_of, ivory_die, leds, table, with_die_at
from vision.board.motion import Stillness, field_area, measure_stillness
from vision.dice_tracking.events import DiceEvent, DiceSettled
from vision.dice_tracking.tracker import DiceFrame, TrackerState, step
from vision.errors import ImpossibleReadingError
from vision.frame import Frame
from vision.geometry.projection import Projection
from vision.simulated import draw
from vision.simulated.scene import Finish, Hand, Scene

pytestmark = pytest.mark.broad

Picture = NDArray[np.uint8]
TABLE = table()
KNOWN = calibration_of(TABLE)
AMBER, GREEN, WHITE = (1.0, 0.8, 0.2), (0.0, 1.0, 0.1), (0.9, 0.9, 1.0)


@lru_cache(maxsize=4)
def drawn(scene: Scene) -> Picture:
    return draw(scene)


@lru_cache(maxsize=4)
def noise_of(shape: tuple[int, ...], seed: int) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(shape, np.float32)


def seen(picture: Picture, taken_ms: int, *, noise: float = 3.0, gain: float = 1.0) -> Frame:
    """The picture as a camera gives it: with noise of its own, then as JPEG."""
    noisy = picture * np.float32(gain) + noise * noise_of(picture.shape, taken_ms % 4)
    coded = cv2.imencode(".jpg", np.clip(np.rint(noisy), 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])[1]
    decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert decoded is not None
    return Frame(np.asarray(decoded, np.uint8), taken_ms)


def watched(frames: Iterable[Frame], before: Stillness | None = None) -> list[Stillness]:
    found: list[Stillness] = []
    for frame in frames:
        before = measure_stillness(frame, KNOWN, before)
        found.append(before)
    return found


def is_seen_moving(first: Scene, then: Scene) -> bool:
    return watched([seen(drawn(first), 0), seen(draw(then), 33)])[-1].is_moving


class TestStill:
    def test_since_the_first_frame_of_the_scene(self) -> None:
        """The first frame has no reference; from the second on the time since the first counts."""
        rest = watched(seen(drawn(TABLE), 100 + 33 * number) for number in range(20))
        assert [one.is_moving for one in rest] == [True, *[False] * 19]
        assert [one.still_ms for one in rest] == [33 * number for number in range(20)]

    @pytest.mark.parametrize(
        "frames",
        [
            [{"noise": 0.0}] * 4,
            [{"noise": 6.0}] * 4,
            [{"gain": 0.9965**number} for number in range(200)],  # daylight, until it is half as bright
            [{"gain": 1 - 0.04 * (number % 2)} for number in range(6)],
        ],
        ids=["no noise", "much noise", "dusk", "flicker"],
    )
    def test_in_noise_and_changing_light(self, frames: list[dict[str, float]]) -> None:
        rest = watched(seen(drawn(TABLE), 100 * number, **about) for number, about in enumerate(frames))
        assert rest[-1].still_ms == 100 * (len(frames) - 1)

    @pytest.mark.parametrize("colour", [AMBER, GREEN, WHITE])
    @pytest.mark.parametrize("every", [1, 3])
    def test_while_leds_go_on_and_off(self, colour: tuple[float, float, float], every: int) -> None:
        """All of both rims at once, or every third."""
        assert not is_seen_moving(TABLE, replace(TABLE, leds=leds(colour, every=every)))

    def test_while_something_moves_beside_the_board(self) -> None:
        """A whole side of the table changes, the field does not."""
        picture = drawn(TABLE).copy()
        right_px = round(float(KNOWN.projection.to_picture([(KNOWN.field.width_mm + 30, 200.0)])[0, 0]))
        picture[:, right_px:] = 255 - picture[:, right_px:]
        assert not watched([seen(drawn(TABLE), 0), seen(picture, 33)])[-1].is_moving


class TestMoving:
    @pytest.mark.parametrize(
        "then",
        [
            *(
                with_die_at(TABLE, 330.0 + away_mm, 200.0, yaw_deg=yaw_deg)
                for away_mm, yaw_deg in [(1.0, 20.0), (3.0, 20.0), (40.0, 50.0), (0.0, 35.0)]
            ),
            replace(TABLE, dice=(ivory_die((330.0, 200.0), up=6), TABLE.dice[1])),
            replace(TABLE, checkers=TABLE.checkers[1:]),
            replace(TABLE, hands=(Hand((300.0, 250.0), 90.0, (0.8, 0.6, 0.5), Finish(colour=(0.2, 0.2, 0.3)), 150.0),)),
        ],
        ids=[
            "pushed 1 mm",
            "pushed 3 mm",
            "rolled",
            "turned",
            "another face",
            "a dark checker on a dark point",
            "a hand",
        ],
    )
    def test_a_change_of_the_scene(self, then: Scene) -> None:
        assert is_seen_moving(TABLE, then)

    def test_slow_motion_accumulates(self) -> None:
        """A quarter of a millimetre a frame is detected before it is a millimetre."""
        rest = watched(seen(draw(with_die_at(TABLE, 330.0 + 0.25 * number, 200.0)), 33 * number) for number in range(5))
        assert any(one.is_moving for one in rest[1:])

    def test_then_the_time_begins_anew(self) -> None:
        """From the first frame that shows the new place."""
        before, after = drawn(TABLE), drawn(with_die_at(TABLE, 345.0, 200.0))
        shown = [before] * 10 + [after] * 10
        rest = watched(seen(picture, 33 * number) for number, picture in enumerate(shown))
        assert [number for number, one in enumerate(rest) if one.is_moving] == [0, 10]
        assert rest[-1].still_ms == 9 * 33

    def test_a_camera_that_is_blind_with_noise(self) -> None:
        """Where noise could hide a die the scene counts as moving."""
        rest = watched(seen(drawn(TABLE), 33 * number, noise=60.0) for number in range(4))
        assert all(one.is_moving for one in rest)

    def test_a_board_that_lies_elsewhere(self) -> None:
        before = measure_stillness(seen(drawn(TABLE), 0), KNOWN)
        shift = np.array([(1, 0, 25), (0, 1, 0), (0, 0, 1)])
        moved = replace(KNOWN, projection=Projection.of(shift @ KNOWN.projection.matrix, KNOWN.projection.lens))
        assert measure_stillness(seen(drawn(TABLE), 33), moved, before).is_moving


@pytest.mark.parametrize("back_ms", [0, 1, 1000])
def test_time_that_goes_backwards_is_refused(back_ms: int) -> None:
    before = measure_stillness(seen(drawn(TABLE), 1000), KNOWN)
    with pytest.raises(ImpossibleReadingError, match="cannot follow one of 1000 ms"):
        measure_stillness(seen(drawn(TABLE), 1000 - back_ms), KNOWN, before)


def test_the_strip_with_the_leds_is_no_field() -> None:
    """The middle of the field counts, the strips along the upper and lower rim do not."""
    area = field_area(KNOWN.projection, KNOWN.field, (640, 480))
    small_px = np.rint(KNOWN.projection.to_picture([(240, 200), (100, 12), (100, 388), (100, 30)]) / area.shrink)
    counted = [bool(area.inside[int(y), int(x)]) for x, y in small_px]
    assert counted == [True, False, False, True]


def test_a_throw_under_pulsing_leds_settles_in_time() -> None:
    """Pictures at 10 a second, the strip changing in each: the verdict falls half a second after the die lies still."""
    roll_mm = (120.0, 180.0, 230.0, 270.0, 300.0, 318.0, 326.0, *[330.0] * 9)
    stillness, state = None, TrackerState()
    seen_events: list[DiceEvent] = []
    for number, x_mm in enumerate(roll_mm):
        lit = leds(AMBER if number % 2 else None)
        stillness = measure_stillness(
            seen(draw(replace(with_die_at(TABLE, x_mm, 200.0), leds=lit)), 100 * number), KNOWN, stillness
        )
        top_px = KNOWN.projection.to_picture([(x_mm, 200.0), TABLE.dice[1].centre_mm], 13.0).tolist()
        dice = tuple(die(5, (x_px, y_px)) for x_px, y_px in top_px)
        state, events = step(state, DiceFrame(dice, False, stillness.is_moving, 100 * number))
        seen_events += events
    (settled,) = seen_events
    assert isinstance(settled, DiceSettled)
    assert settled.taken_ms == 700 + 500
