import cv2
import numpy as np
import pytest

import vision.field.tag_calibration
from tests.vision.tagged_boards import CORNERS_PX, FIELD, LENS, PROJECTION, SIZE_PX, Picture, photograph
from vision.field.detector import FieldFit, FieldNotFound
from vision.field.tag_calibration import calibrate_from_tags
from vision.field.tags import Tags, find_tags
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.geometry.projection import FieldShape, Lens, Projection

pytestmark = pytest.mark.broad

Answers = dict[str, FieldFit | FieldNotFound]
WIDTH_PX = 412.0
TAKEN = "2026-01-01T12:00:00+00:00"


def found(off_px: list[tuple[float, float]], *, first: int = 0, confidence: float = 0.9) -> FieldFit:
    """A result of the detector: these errors of the corners, this first corner, and the usual lens."""
    corners = np.roll(CORNERS_PX + off_px, -first, axis=0)
    field = FieldShape(440, 360, 200, 240)
    return FieldFit(Projection.of_corners(corners, field, Lens.usual(*SIZE_PX)), field, 0.8, 0.9, confidence)


@pytest.fixture
def finder(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """The results of detection and refinement, which a test can change."""
    answers: Answers = {"field": found([(1.5, -1), (-1, 1), (1, 1.5), (-1, -1)])}
    answers["refined"] = answers["field"]
    monkeypatch.setattr(vision.field.tag_calibration, "find_field", lambda _pixels, **_: answers["field"])
    monkeypatch.setattr(vision.field.tag_calibration, "refine_field", lambda *_, **__: answers["refined"])
    return answers


def worst_share(answer: Calibration | Refusal) -> float:
    assert isinstance(answer, Calibration)
    off_px = answer.projection.to_picture(answer.field.corners_mm) - CORNERS_PX
    return float(np.linalg.norm(off_px, axis=1).max()) / WIDTH_PX


def test_the_tags_are_found() -> None:
    """All four by number, where they were drawn: number 0 around (-15, -15) mm."""
    tags = find_tags(photograph())
    assert (sorted(tags.corners_px), tags.missing) == ([0, 1, 2, 3], ())
    assert tags.corners_px[0].mean(axis=0) == pytest.approx(PROJECTION.to_picture([(-15, -15)])[0], abs=0.5)
    assert tags.is_in_order()


def test_a_tag_that_occurs_twice_counts_as_missing() -> None:
    """The result would be ambiguous."""
    picture = photograph()
    picture[415:475, 280:340] = 255
    marker = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), 2, 40)
    picture[425:465, 290:330] = marker[..., None]
    assert find_tags(picture).missing == (2,)


@pytest.mark.usefixtures("finder")
def test_edges_are_refined() -> None:
    """From corners that are off by half a percent to two thousandths of the width and better."""
    answer = calibrate_from_tags(photograph(checkers={"T1": 5, "B7": 3}), taken_at=TAKEN)
    assert worst_share(answer) < 0.002
    assert isinstance(answer, Calibration)
    assert (answer.way, answer.scale_is_assumed, answer.taken_at) == (CalibrationMethod.TAGS, True, TAKEN)
    assert answer.image_size_px == (640, 480)
    assert answer.error_share is not None
    assert answer.error_share < 0.002
    assert answer.reference is not None
    assert answer.field.height_mm == pytest.approx(360, rel=0.03)
    assert answer.projection.lens.k1 == pytest.approx(LENS.k1, abs=0.04)


@pytest.mark.usefixtures("finder")
def test_the_given_size_is_kept() -> None:
    answer = calibrate_from_tags(photograph(), field_mm=(440, 360), taken_at=TAKEN)
    assert isinstance(answer, Calibration)
    assert answer.field.height_mm == pytest.approx(360, abs=0.01)
    assert not answer.scale_is_assumed


def test_tag_0_determines_the_first_corner(finder: Answers) -> None:
    """The detector begins at the opposite corner; the calibration at tag 0."""
    finder["field"] = found([(1, 0)] * 4, first=2)
    assert worst_share(calibrate_from_tags(photograph(), taken_at=TAKEN)) < 0.002


def test_a_picture_on_its_head(finder: Answers) -> None:
    """Tag 0, and with it the upper left corner of the board, is at the lower right of the picture."""
    corners = np.array([(639, 479)]) - CORNERS_PX
    field = FieldShape(440, 360, 200, 240)
    fit = Projection.of_corners(np.roll(corners, 2, axis=0) + 1, field, Lens.usual(*SIZE_PX))
    finder["field"] = FieldFit(fit, field, 0.8, 0.9, 0.9)
    answer = calibrate_from_tags(np.ascontiguousarray(photograph()[::-1, ::-1]), taken_at=TAKEN)
    assert isinstance(answer, Calibration)
    assert answer.projection.to_picture(answer.field.corners_mm) == pytest.approx(corners, abs=0.9)


@pytest.mark.usefixtures("finder")
def test_three_tags_are_enough() -> None:
    """A hand may cover one."""
    assert worst_share(calibrate_from_tags(photograph(tags=(0, 1, 3)), taken_at=TAKEN)) < 0.003


@pytest.mark.usefixtures("finder")
def test_missing_tags_are_named() -> None:
    answer = calibrate_from_tags(photograph(tags=(1, 3)), taken_at=TAKEN)
    assert isinstance(answer, Refusal)
    assert "these are not seen: 0 (upper left), 2 (lower right);" in answer.reason


@pytest.mark.usefixtures("finder")
def test_tags_in_a_wrong_order_are_refused() -> None:
    """Anticlockwise, as in a mirrored picture."""
    upright = find_tags(photograph()).corners_px
    swapped = photograph(tags=())
    picture = photograph()
    for one, other in ((1, 3), (3, 1), (0, 0), (2, 2)):
        _move(picture, upright[one], swapped, upright[other])
    answer = calibrate_from_tags(swapped, taken_at=TAKEN)
    assert isinstance(answer, Refusal)
    assert "clockwise as 0, 1, 2, 3" in answer.reason


def _move(picture: Picture, place: np.ndarray, onto: Picture, there: np.ndarray) -> None:
    """Copies a tag with its white border to another tag's place."""
    (x, y), (u, v) = (np.rint(corners.mean(axis=0)).astype(int) for corners in (place, there))
    onto[v - 17 : v + 18, u - 17 : u + 18] = picture[y - 17 : y + 18, x - 17 : x + 18]


def test_a_field_beyond_the_tags_is_rejected(finder: Answers) -> None:
    """The refinement from the corners of the tags decides instead."""
    far = np.array([(0.0, 0.0), (90, 0), (90, 70), (0, 70)])
    finder["field"] = FieldFit(Projection.of_corners(far, FIELD, Lens.usual(*SIZE_PX)), FIELD, 0.5, 0.9, 0.9)
    assert worst_share(calibrate_from_tags(photograph(), taken_at=TAKEN)) < 0.002


@pytest.mark.parametrize("field_mm", [None, (440.0, 360.0)])
def test_an_estimate_keeps_only_a_known_height(
    monkeypatch: pytest.MonkeyPatch, field_mm: tuple[float, float] | None
) -> None:
    """The refinement from the corners of the tags fits the height, unless it is given."""
    asked = []
    monkeypatch.setattr(vision.field.tag_calibration, "find_field", lambda _pixels, **_: FieldNotFound("nothing"))

    def refined(*_: object, keep_size: bool = True) -> FieldNotFound:
        asked.append(keep_size)
        return FieldNotFound("nothing")

    monkeypatch.setattr(vision.field.tag_calibration, "refine_field", refined)
    calibrate_from_tags(photograph(), field_mm=field_mm, taken_at=TAKEN)
    assert asked == [field_mm is not None]


@pytest.mark.usefixtures("finder")
def test_bent_tags_do_not_move_the_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tags whose squares contradict the field are ignored."""
    tags = find_tags(photograph())
    bent = {number: corners.copy() for number, corners in tags.corners_px.items()}
    for number in (0, 3):
        bent[number] = bent[number].mean(axis=0) + 2 * (bent[number] - bent[number].mean(axis=0))
    monkeypatch.setattr(vision.field.tag_calibration, "find_tags", lambda _pixels: Tags(bent))
    assert worst_share(calibrate_from_tags(photograph(), taken_at=TAKEN)) < 0.003


def test_tags_without_a_field_are_refused(finder: Answers) -> None:
    finder["field"] = finder["refined"] = FieldNotFound("nothing")
    answer = calibrate_from_tags(photograph(), taken_at=TAKEN)
    assert isinstance(answer, Refusal)
    assert "The tags are seen, but between them no edges" in answer.reason
