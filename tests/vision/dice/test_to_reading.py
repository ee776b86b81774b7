"""What a die leans on where there is no bar, and where a cube stands that is seen from aside."""

import pytest

from tests.vision.dice.fake_networks import PICTURE, fake_dice, fake_number, output
from tests.vision.dice.hand_made_dice import CORNERS_PX, STRAIGHT_DOWN
from tests.vision.drawn_boards import FIELD
from vision.dice.classifier import ObjectClass
from vision.dice.detect import read_dice
from vision.dice.readings import Contact, CubePlace, DieState
from vision.geometry.projection import FieldShape, KnownBoard, Lens, Projection

_OPEN = FieldShape(FIELD.width_mm, FIELD.height_mm, 220, 220)
WITHOUT_BAR = KnownBoard(Projection.of_corners(CORNERS_PX, _OPEN, Lens.usual(640, 480)), _OPEN)
MIDDLE_PX = (320.5, 240.5)


@pytest.mark.parametrize(
    ("board", "at_px", "contact"),
    [
        (STRAIGHT_DOWN, MIDDLE_PX, Contact.BAR),
        (WITHOUT_BAR, MIDDLE_PX, Contact.NOTHING),
        (STRAIGHT_DOWN, (320.5, 452.0), Contact.BAR),
        (STRAIGHT_DOWN, (320.5, 464.0), Contact.NOTHING),
    ],
    ids=["on the bar", "no bar", "at its end", "beyond its end"],
)
def test_a_die_in_the_middle_leans_on_the_bar_if_there_is_one(
    monkeypatch: pytest.MonkeyPatch, board: KnownBoard, at_px: tuple[float, float], contact: Contact
) -> None:
    fake_dice(monkeypatch, lambda _: output(lies=DieState.COCKED), at_px)
    (die,) = read_dice(PICTURE, board).dice
    assert die.touches is contact


@pytest.mark.parametrize(
    ("x_px", "place"), [(104.0, CubePlace.OFFERED), (97.0, CubePlace.OFFERED), (88.0, CubePlace.TABLE)]
)
def test_where_a_cube_stands_counts_and_not_where_its_upper_face_shows(
    monkeypatch: pytest.MonkeyPatch, x_px: float, place: CubePlace
) -> None:
    """The field ends at 100.5; the camera above its middle sees the face of a cube at the rim seven pixels further out."""
    fake_dice(monkeypatch, lambda _: output(ObjectClass.CUBE), (x_px, 240.5))
    fake_number(monkeypatch, 2)
    cube = read_dice(PICTURE, STRAIGHT_DOWN).cube
    assert cube is not None
    assert cube.place is place
