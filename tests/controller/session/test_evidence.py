import numpy as np
import pytest

from controller.match.events import DiceRolled, PlayMade, PlayRefused
from controller.match_log import EvidencePicture, PictureKind
from controller.observing.board_evidence import BoardEvidence
from controller.observing.observation import Observation
from controller.rules import Player, Rule
from controller.session.evidence import EvidenceFrames, crop_field, locate_places, update_evidence
from tests.vision.dice_tracking.dice_films import die
from tests.vision.drawn_boards import calibration_for
from vision.dice_tracking.events import DiceSettled, SettledDie
from vision.frame import Frame

SEEN = BoardEvidence(
    points=np.zeros((24, 4, 16), np.float32),
    bar=np.zeros((16, 16), np.float32),
    tray=None,
    visible=np.ones(25, np.float32),
    frame_count=1,
    since_ms=0,
    taken_ms=0,
)
ROLLED = DiceRolled(1, Player.WHITE, (6, 5))
MADE = PlayMade(2, Player.WHITE, (6, 5), "24/13", "", "", "end_turn")
REFUSED = PlayRefused(2, Player.WHITE, (6, 5), "", "", (Rule.HEAD,), ("One checker.",))


def frame(level: int) -> Frame:
    """A picture of one grey."""
    return Frame(np.full((480, 640, 3), level, np.uint8), level)


def seen(level: int, *, is_settled: bool = True, dice: bool = False) -> Observation:
    settled = DiceSettled((SettledDie(1, 1, die(), level),), level)
    return Observation(level, SEEN, SEEN if is_settled else None, (settled,) if dice else ())


def reported(pictures: tuple[EvidencePicture, ...]) -> list[tuple[PictureKind, int, int]]:
    """Kind, event and frame of each picture."""
    return [(picture.kind, picture.of_event, int(picture.pixels[0, 0, 0])) for picture in pictures]


def after_a_turn() -> EvidenceFrames:
    """Board at rest in 10, a hand in 20, dice in 30, a hand in 40, board at rest in 50."""
    evidence = EvidenceFrames()
    for now in (seen(10), seen(20, is_settled=False), seen(30, dice=True), seen(40, is_settled=False), seen(50)):
        evidence = update_evidence(evidence, frame(now.taken_ms), now)
    return evidence


def test_each_event_gets_what_proves_it() -> None:
    """A throw gets its dice, a legal play the board after it, a play that may be disputed all three."""
    known = calibration_for()
    evidence = after_a_turn()
    assert reported(evidence.pictures((ROLLED, MADE), known)) == [(PictureKind.DICE, 0, 30), (PictureKind.AFTER, 1, 50)]
    assert reported(evidence.pictures((REFUSED,), known)) == [
        (PictureKind.BEFORE, 0, 10),
        (PictureKind.DICE, 0, 30),
        (PictureKind.AFTER, 0, 50),
    ]


def test_the_board_is_cut_out() -> None:
    """Less than the frame, more than the field: the rims are evidence too."""
    known = calibration_for()
    height_px, width_px = crop_field(frame(9), known).shape[:2]
    corners_px = known.projection.to_picture(known.field.corners_mm)
    assert np.ptp(corners_px[:, 0]) < width_px <= 640
    assert np.ptp(corners_px[:, 1]) < height_px <= 480


def test_nothing_seen_is_no_evidence() -> None:
    assert EvidenceFrames().pictures((ROLLED, REFUSED), calibration_for()) == ()


def test_a_picture_says_where_the_checkers_of_a_point_lie() -> None:
    """Each first checker lies beside the rim, the fifth one further in, and the columns are as wide as in the picture."""
    known = calibration_for()
    places = locate_places(frame(10), known)
    assert len(places) == 25
    cut, field = crop_field(frame(10), known), known.field
    for name, (x, y, _, fifth_y) in places.items():
        assert 0 < x < 1
        assert 0 < y < 1
        if name.startswith("T"):
            assert y < fifth_y < 0.5
    across = (places["T12"][0] - places["T1"][0]) * cut.shape[1]
    expected = known.projection.to_picture([(field.point_middle_mm(column), 0.0) for column in (1, 12)])
    assert across == pytest.approx(expected[1][0] - expected[0][0], abs=3)
