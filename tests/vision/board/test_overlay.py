from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.dice.hand_made_dice import board_with, cocked, die
from tests.vision.drawn_boards import FIELD, calibration_for, checker_mm, drawn_board, said
from vision.board.board_reading import BoardReading
from vision.board.overlay import die_text, draw_dice, draw_reading, mark_cube, mark_dice, plate_mm
from vision.board.read_board import build_board_reading
from vision.board.weak_places import BoardAppraisal, Weakness, WeakPlace
from vision.dice.readings import CubePlace, CubeReading, DieReading, DieState
from vision.geometry.calibration import Calibration
from vision.places import Colour, Place

KNOWN = calibration_for()
BROWN = np.full((300, 400, 3), (70, 105, 150), np.uint8)
CENTRE_PX = (200.0, 150.0)


def reading_of(points: dict[int, tuple[int, float]], visible: dict[int, float] | None = None) -> BoardReading:
    return build_board_reading(said(points, visible=visible), np.ones(25, np.float32), 0)


def over(picture: NDArray[np.uint8], reading: BoardReading, known: Calibration = KNOWN) -> NDArray[np.uint8]:
    return draw_reading(picture, reading, known.projection, FIELD)


def changed(points: dict[int, tuple[int, float]], visible: dict[int, float] | None = None) -> NDArray[np.bool_]:
    """Where an overlay of this reading differs from one of an empty board."""
    picture = drawn_board(KNOWN, {})
    return np.asarray((over(picture, reading_of({})) != over(picture, reading_of(points, visible))).any(axis=2))


def around(name: str, mask: NDArray[np.bool_]) -> int:
    """How many pixels differ around the place of a point's first three checkers."""
    x_px, y_px = KNOWN.projection.to_picture([checker_mm(name, 1)])[0].astype(int)
    return int(mask[y_px - 60 : y_px + 60, x_px - 22 : x_px + 22].sum())


def inked(one: DieReading) -> NDArray[np.bool_]:
    """Where the mark of a die differs from bare wood."""
    picture = BROWN.copy()
    mark_dice(picture, [one])
    return np.asarray((picture != BROWN).any(axis=2))


class TestABoard:
    @pytest.mark.parametrize("is_writeable", [True, False])
    def test_it_is_a_new_picture_of_the_same_size(self, is_writeable: bool) -> None:
        """The frame, which is read-only, stays as it was."""
        picture = drawn_board(KNOWN, {})
        before = picture.copy()
        picture.flags.writeable = is_writeable
        drawn = over(picture, reading_of({}))
        assert (drawn.shape, drawn.dtype) == (picture.shape, picture.dtype)
        assert (picture == before).all()
        assert (drawn != picture).any()

    def test_a_checker_marks_its_own_point_only(self) -> None:
        """T3 changes, T8 and B3 do not."""
        mask = changed({2: (1, 0.999)})
        assert around("T3", mask) > 100
        assert (around("T8", mask), around("B3", mask)) == (0, 0)

    def test_confidence_shows_without_colour(self) -> None:
        """Sure is thick, likely thin, doubtful dashed: each covers less."""
        sure, likely, doubtful = (around("T3", changed({2: (1, chance)})) for chance in (0.999, 0.95, 0.6))
        assert sure > 1.2 * likely > 1.2 * 1.1 * doubtful > 0

    def test_a_hidden_place_is_hatched(self) -> None:
        """Lines all over it, not an outline."""
        mask = changed({}, {14: 0.1})
        x_px, y_px = KNOWN.projection.to_picture([checker_mm("B3", 1)])[0].astype(int)
        assert 0.3 < mask[y_px - 15 : y_px + 15, x_px - 8 : x_px + 8].mean() < 0.9

    @pytest.mark.parametrize(
        "corners", [((-200, -150), (900, -150), (900, 700), (-200, 700)), ((600, 60), (60, 70), (70, 400), (620, 420))]
    )
    def test_boards_that_leave_the_picture(self, corners: tuple[tuple[float, float], ...]) -> None:
        """Badges move inside, lines end at the edge; corners in the wrong order do no harm."""
        drawn = over(drawn_board(KNOWN, {}), reading_of({}), calibration_for(corners_px=corners))
        assert drawn.shape == (480, 640, 3)

    def test_dice_and_cube_are_marked(self) -> None:
        wood = np.full((480, 640, 3), (70, 105, 150), np.uint8)
        cube = CubeReading(2, CubePlace.BAR, (320.0, 150.0), 0.999)
        empty, full = over(wood, board_with()), over(wood, board_with(die(at_px=(200.0, 240.0)), cube=cube))
        mask = (empty != full).any(axis=2)
        assert mask[220:260, 180:220].any()
        assert mask[130:170, 300:340].any()
        assert not mask[:, 400:].any()


class TestADie:
    @pytest.mark.parametrize(
        ("one", "text"),
        [
            (die(5), "5"),
            (die(5, sure=0.981), "5"),
            (die(5, sure=0.97), "?"),
            (cocked(5), "? cocked"),
            (die(5, lies=DieState.MOVING), "? moving"),
            (die(3, lies=DieState.ON_RIM), "3 on rim"),
            (die(3, lies=DieState.ON_CHECKER, sure=0.5), "? on checker"),
        ],
    )
    def test_its_text(self, one: DieReading, text: str) -> None:
        """A value only where it is sure and the die shows one; a flat die needs no word."""
        assert die_text(one) == text

    def test_its_face_stays_free(self) -> None:
        """The outline is around it, the value beside it, and nothing changes three edges away."""
        mask = inked(die(at_px=CENTRE_PX))  # 24 pixels wide
        assert mask[110:190, 170:230].sum() > 200
        assert not mask[140:161, 190:211].any()
        mask[78:222, 128:272] = False
        assert not mask.any()

    def test_confidence_shows_without_colour(self) -> None:
        """Sure is thick, likely thin, doubtful dashed: each covers less below the die, where no plate is."""
        sure, likely, doubtful = (
            int(inked(die(at_px=CENTRE_PX, lie_sure=lie_sure))[152:].sum()) for lie_sure in (0.995, 0.95, 0.6)
        )
        assert sure > 1.2 * likely > 1.2 * 1.1 * doubtful > 0

    def test_the_confidence_of_the_value_counts_too(self) -> None:
        """A sure value of a doubtful die and a doubtful value of a sure one are both dashed."""
        doubtful = inked(die(at_px=CENTRE_PX, sure=0.6, lie_sure=0.995))[152:].sum()
        assert doubtful == inked(die(at_px=CENTRE_PX, lie_sure=0.6))[152:].sum()

    def test_a_leaning_die_has_no_value_to_doubt(self) -> None:
        """Only the confidence of its lie counts."""
        sure, doubtful = (
            inked(die(at_px=CENTRE_PX, lies=DieState.COCKED, tilt_deg=20.0, sure=face_sure, lie_sure=0.995))
            for face_sure in (0.999, 0.3)
        )
        assert (sure == doubtful).all()

    @pytest.mark.parametrize(("size_px", "side_px"), [(500.0, 750), (2000.0, 1000)])
    def test_a_large_one_of_a_close_picture(self, size_px: float, side_px: int) -> None:
        """Its mark is as large as the die and ends with the picture."""
        picture = np.full((1000, 1200, 3), (70, 105, 150), np.uint8)
        wood = picture.copy()
        mark_dice(picture, [replace(die(at_px=(600.0, 500.0)), size_px=size_px)])
        row = (picture != wood).any(axis=2)[500]
        assert abs(int(row.nonzero()[0][0]) - (600 - side_px // 2)) <= side_px / 20  # its line is thick

    @pytest.mark.parametrize("at_px", [(0.0, 0.0), (399.0, 299.0), (200.0, 3.0), (-80.0, 500.0)])
    def test_at_the_edge_of_the_picture(self, at_px: tuple[float, float]) -> None:
        """The plate moves inside."""
        assert inked(die(at_px=at_px)).sum() > 100

    def test_in_a_picture_without_a_board(self) -> None:
        """A new picture of the same size; the last line explains the marks."""
        picture = BROWN.copy()
        picture.flags.writeable = False
        drawn = draw_dice(picture, [die(at_px=CENTRE_PX)])
        assert (picture == BROWN).all()
        assert drawn.shape == picture.shape
        assert (drawn[140:161, 190:211] == BROWN[140:161, 190:211]).all()
        assert (drawn[-5] != BROWN[-5]).any()


def test_the_cube_is_no_die() -> None:
    """Its square stands on a corner: its sides pass where a die's corners would not."""
    picture = BROWN.copy()
    mark_cube(picture, CubeReading(2, CubePlace.BAR, CENTRE_PX, 0.999), field_px=720.0)  # 40 pixels wide
    mask = (picture != BROWN).any(axis=2)
    assert mask[150, 218:223].any()
    assert not mask[166:174, 216:224].any()
    assert not mask[145:155, 195:205].any()


def test_a_board_without_a_bar_shows_none() -> None:
    """Between the halves nothing is drawn; the note says so."""
    picture, without = drawn_board(KNOWN, {}), replace(FIELD, bar_left_mm=220.0, bar_right_mm=220.0)
    reading = build_board_reading(said(bar=(2, 1)), np.ones(25, np.float32), 0, has_bar=False)
    drawn = draw_reading(picture, reading, KNOWN.projection, without)
    x_px, y_px = KNOWN.projection.to_picture([(220.0, 200.0)])[0].astype(int)
    middle = np.s_[y_px - 60 : y_px + 60, x_px - 6 : x_px + 6]
    assert (drawn[middle] == picture[middle]).all()
    with_bar = build_board_reading(said(bar=(2, 1)), np.ones(25, np.float32), 0)
    assert (draw_reading(picture, with_bar, KNOWN.projection, without)[middle] != picture[middle]).any()


def test_weak_places_and_remarks() -> None:
    """Each weak place and each that was learned has its plate at the tip of its own point; remarks lie below the picture."""
    picture, empty = drawn_board(KNOWN, {}), (Colour.NONE, 0)
    weak = WeakPlace(Place.T8, empty, 0.4, (Colour.LIGHT, 1), 0.5, Weakness.GLARE, 0.1)
    appraisal = BoardAppraisal((weak,), (replace(weak, place=Place.B3),))
    plain = draw_reading(picture, reading_of({}), KNOWN.projection, FIELD)
    marked = draw_reading(picture, reading_of({}), KNOWN.projection, FIELD, appraisal=appraisal)
    changes = (plain != marked).any(axis=2)
    for place, is_marked in ((Place.T8, True), (Place.B3, True), (Place.T3, False)):
        x_px, y_px = KNOWN.projection.to_picture([plate_mm(place, FIELD)])[0].astype(int)
        assert changes[y_px - 5 : y_px + 5, x_px - 5 : x_px + 5].any() == is_marked
    remarked = draw_reading(picture, reading_of({}), KNOWN.projection, FIELD, remarks=["T8: glare", "B3: learned"])
    assert (remarked[: len(picture)] == plain).all()
    assert remarked[len(picture) :].max() > 200
