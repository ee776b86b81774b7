"""Calibration with a live camera: when it tries, and what it waits for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import controller.pictures.find_board
import controller.pictures.live_calibration
import vision.camera.sources
from controller.pictures.calibrate import MOST_LIVE_PICTURES, CalibrationPriors, CalibrationResult
from controller.pictures.find_board import KnownPosition
from controller.pictures.live_calibration import calibrate_live
from controller.pictures.reading_report import ReadingReport
from controller.pictures.search_pace import MOST_WAITING_MS
from controller.pictures.still_pictures import STILL_MS, Waiting, judge_stillness
from tests.controller.fake_sources import FakeSource
from tests.controller.subcommands.called import Program
from tests.vision.drawn_boards import calibration_for, drawn_board
from vision.field.calibration_file import load_calibration
from vision.frame import Condition, Frame, SourceState
from vision.geometry.calibration import Refusal
from vision.places import Colour, Place

KNOWN = calibration_for()
BOARD = drawn_board(KNOWN, {})
FULL = drawn_board(KNOWN, {"T8": [(225, 230, 235)] * 3})
GOOD = CalibrationResult(KNOWN, 1, 1, ReadingReport(20.0))
COVERED = CalibrationResult(KNOWN, 1, 1, ReadingReport(20.0, (Place.T1, Place.T2)))
REFUSED = Refusal("No board was found; show one.")
UNUSED_NOTE = "The start position was not used. The board does not show it; set it up."
UNUSED = CalibrationResult(replace(KNOWN, notes=(UNUSED_NOTE,)), 1, 1, ReadingReport(20.0))


def with_hand(number: int) -> NDArray[np.uint8]:
    """A dark hand over the board, further to the right in each picture."""
    picture = BOARD.copy()
    picture[100:300, 60 + 40 * (number % 10) : 160 + 40 * (number % 10)] = (40, 60, 90)
    return picture


def frames(pictures: Sequence[NDArray[np.uint8]], *, every_ms: int = 100) -> list[Frame]:
    return [Frame(picture, 1000 + every_ms * number) for number, picture in enumerate(pictures)]


class TestStillness:
    def test_too_few_pictures(self) -> None:
        assert judge_stillness([]) is Waiting.PICTURE
        assert judge_stillness(frames([BOARD] * 3)) is Waiting.PICTURE

    def test_a_still_picture(self) -> None:
        """Noise and a lamp that brightens everything by a tenth are no motion."""
        noisy = [drawn_board(KNOWN, {}, noise=3, seed=number) for number in range(10)]
        assert judge_stillness(frames(noisy)) is Waiting.NOTHING
        brighter = np.clip(BOARD * 1.1, 0, 255).astype(np.uint8)
        assert judge_stillness(frames([BOARD] * 5 + [brighter] * 5)) is Waiting.NOTHING

    @pytest.mark.parametrize("known", [None, KNOWN])
    def test_a_hand_moves(self, known: object) -> None:
        moving = frames([BOARD] * 8 + [with_hand(3), with_hand(4)])
        assert judge_stillness(moving, None, KNOWN if known else None) is Waiting.STILLNESS

    def test_what_was_tried_waits_for_a_change(self) -> None:
        assert judge_stillness(frames([BOARD] * 10), Frame(BOARD, 0)) is Waiting.CHANGE
        assert judge_stillness(frames([FULL] * 10), Frame(BOARD, 0)) is Waiting.NOTHING

    def test_beside_a_known_board_anything_may_move(self) -> None:
        """A person walks behind the table."""
        behind = [BOARD.copy() for _ in range(10)]
        for number, picture in enumerate(behind):
            picture[:40, 60 * number : 60 * number + 50] = 200
        assert judge_stillness(frames(behind), None, KNOWN) is Waiting.NOTHING
        assert judge_stillness(frames(behind)) is Waiting.STILLNESS

    def test_an_old_picture_does_not_count(self) -> None:
        """After a gap the camera has to send pictures for as long as stillness takes."""
        assert judge_stillness([Frame(BOARD, 0), Frame(BOARD, 9 * STILL_MS)]) is Waiting.PICTURE


@dataclass(slots=True)
class FilmedTable(FakeSource):
    """A camera, usually with 10 frames a second, that ends after its film."""

    film: Iterator[NDArray[np.uint8]]
    every_ms: int = 100
    taken_ms: int = 0
    is_over: bool = False

    @property
    def state(self) -> SourceState:
        return SourceState(Condition.CLOSED if self.is_over else Condition.LIVE, self.taken_ms)

    def latest(self, timeout_ms: int) -> Frame | None:
        picture = next(self.film, None)
        self.is_over = picture is None
        self.taken_ms += self.every_ms
        return None if picture is None else Frame(picture, self.taken_ms)


@dataclass
class Tries:
    """The answers to come, and the pictures of each try."""

    answers: list[CalibrationResult | Refusal]
    pictures: list[list[NDArray[np.uint8]]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def film(
        self, *parts: tuple[NDArray[np.uint8], int], known: CalibrationPriors | None = None, every_ms: int = 100
    ) -> object:
        """The result of a film with each picture so many times."""
        film = (picture for picture, count in parts for _ in range(count))
        return calibrate_live(FilmedTable(film, every_ms), known or CalibrationPriors(), report=self.said.append)


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> Tries:
    made = Tries([GOOD])

    def calibrate_pictures(pictures: Iterator[NDArray[np.uint8]], _known: object) -> CalibrationResult | Refusal:
        made.pictures.append(list(pictures))
        return made.answers[min(len(made.pictures), len(made.answers)) - 1]

    monkeypatch.setattr(controller.pictures.live_calibration, "calibrate_pictures", calibrate_pictures)
    return made


class TestTheGuide:
    def test_a_still_board_is_tried_at_once(self, tries: Tries) -> None:
        assert tries.film((BOARD, 20)) is GOOD
        assert [len(pictures) for pictures in tries.pictures] == [MOST_LIVE_PICTURES]
        assert tries.said == []

    def test_it_waits_for_the_hand_and_says_so(self, tries: Tries) -> None:
        moving = [(with_hand(number), 1) for number in range(15)]
        assert tries.film(*moving, (BOARD, 20)) is GOOD
        assert tries.said == ["waiting until nothing moves in the picture"]
        assert all((picture == BOARD).all() for picture in tries.pictures[0])

    def test_after_a_refusal_a_change_brings_the_next_try(self, tries: Tries) -> None:
        """The reason is said once; the picture that was refused is not tried again."""
        tries.answers = [REFUSED, COVERED, GOOD]
        assert tries.film((BOARD, 30), (FULL, 20), (BOARD, 20)) is GOOD
        assert len(tries.pictures) == 3
        assert tries.said == [
            REFUSED.reason,
            "waiting until something changes in the picture, to try again",
            "waiting until nothing moves in the picture",
            "Something covers T1, T2; take it away, or bring it into the picture.",
            "waiting until something changes in the picture, to try again",
            "waiting until nothing moves in the picture",
        ]

    def test_a_start_position_that_is_not_there_yet_is_waited_for(self, tries: Tries) -> None:
        """The board is found without it, but the board would not be learned."""
        tries.answers = [UNUSED, GOOD]
        assert tries.film((BOARD, 30), (FULL, 20)) is GOOD
        assert tries.said[:2] == [UNUSED_NOTE, "waiting until something changes in the picture, to try again"]

    def test_a_hand_that_comes_after_a_long_wait_is_not_tried(self, tries: Tries) -> None:
        """The time without a change does not count as motion that never ends."""
        tries.answers = [REFUSED, GOOD]
        moving = [(with_hand(number), 1) for number in range(15)]
        assert tries.film((BOARD, MOST_WAITING_MS // 100 + 20), *moving, (FULL, 20)) is GOOD
        assert len(tries.pictures) == 2
        assert all((picture == FULL).all() for picture in tries.pictures[1])

    def test_a_slow_camera_is_tried_as_it_is(self, tries: Tries) -> None:
        """One picture in two seconds does not show whether something moves."""
        assert tries.film((BOARD, 10), every_ms=2_000) is GOOD

    def test_the_position_is_asked_for(self, tries: Tries) -> None:
        known = CalibrationPriors(start=KnownPosition({Place.T1: (Colour.LIGHT, 2)}))
        tries.film((BOARD, 20), known=known)
        assert tries.said == ["put up the position, and keep hands and dice off the board"]

    def test_after_a_minute_the_last_answer_stands(self, tries: Tries, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(controller.pictures.live_calibration, "MOST_GUIDED_MS", 5_000)
        tries.answers = [REFUSED]
        assert tries.film((BOARD, 100)) is REFUSED
        assert len(tries.pictures) == 1  # and the film is not watched to its end

    def test_a_picture_that_never_rests_is_tried_as_it_is(self, tries: Tries) -> None:
        assert tries.film(*((with_hand(number), 1) for number in range(MOST_WAITING_MS // 100 + 20))) is GOOD

    def test_a_camera_that_sends_nothing(self, tries: Tries) -> None:
        assert tries.film() == Refusal("No picture came from The fake camera; see that it works.")
        assert tries.pictures == []


def test_the_command_waits_for_a_still_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, zarbiter: Program
) -> None:
    """`calibrate` with a camera says what it waits for on standard error, and its result on standard output."""
    film = [*(with_hand(number) for number in range(12)), *[BOARD] * 20]
    monkeypatch.setattr(vision.camera.sources, "open_source", lambda _name: FilmedTable(iter(film)))
    monkeypatch.setattr(controller.pictures.find_board, "calibrate_automatically", lambda *_args, **_more: KNOWN)
    printed = zarbiter("calibrate", "0", "-o", tmp_path / "c.json")
    assert printed.err.splitlines() == ["zarbiter: waiting until nothing moves in the picture"]
    assert printed.out.startswith("The board was found at the corners given in 3 of 3 pictures.")
    assert load_calibration(tmp_path / "c.json").image_size_px == KNOWN.image_size_px
