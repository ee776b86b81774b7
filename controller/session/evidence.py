"""The evidence pictures of a ruling: the board before the throw, the settled dice, the board after the play.

`EvidenceFrames` is a value that holds three frames and crops the board only when an event needs a picture. A turn stores
each picture once: a throw is proved by the picture of its dice, a play by the board after it. A ruling that players may
dispute gets all three.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from controller.match import RefereeEvent, events
from controller.match_log import EvidencePicture, PictureKind
from controller.observing import Observation
from vision.dice_tracking.events import DiceSettled, ExtraDice
from vision.frame import Frame
from vision.geometry.calibration import Calibration, scale_to_picture

RIM_SHARE = 0.06  # margin as a share of the field's width, so that dice on the rim and checkers in trays are in view
POINTS_A_ROW = 12
STACKED_FROM = 5  # a sixth checker lies on top of others
CHECKER_SHARE = 0.91  # of a point's width: the diameter that the reader of trays uses, with a spread of 9 %


@dataclass(frozen=True, slots=True, eq=False)
class EvidenceFrames:
    """The frames that the next ruling may need; empty at the start."""

    before: Frame | None = None
    dice: Frame | None = None
    settled: Frame | None = None  # the newest frame of a board at rest

    def pictures(self, events: tuple[RefereeEvent, ...], calibration: Calibration) -> tuple[EvidencePicture, ...]:
        """The evidence of these events; a picture's number is its event's index."""
        frames = {PictureKind.BEFORE: self.before, PictureKind.DICE: self.dice, PictureKind.AFTER: self.settled}
        return tuple(
            EvidencePicture(kind, crop_field(frame, calibration), number, locate_places(frame, calibration))
            for number, event in enumerate(events)
            for kind in _kinds_for(event)
            if (frame := frames[kind]) is not None
        )


def update_evidence(evidence: EvidenceFrames, frame: Frame, seen: Observation) -> EvidenceFrames:
    """Adds one frame. When dice settle, the last frame of the board at rest becomes the board before the throw."""
    settled = evidence.settled if seen.board is None else frame
    if any(isinstance(event, DiceSettled | ExtraDice) for event in seen.dice_events):
        return EvidenceFrames(before=evidence.settled, dice=frame, settled=settled)
    return replace(evidence, settled=settled)


def crop_field(frame: Frame, calibration: Calibration) -> NDArray[np.uint8]:
    """The field with its rims, (height, width, 3), as a view into the frame; the whole frame if the field lies outside."""
    left, top, right, bottom = _find_crop(frame, scale_to_picture(calibration, *_size_of(frame)))
    cut: NDArray[np.uint8] = frame.pixels[top:bottom, left:right]
    return cut


def locate_places(frame: Frame, calibration: Calibration) -> dict[str, tuple[float, ...]]:
    """Where the first and the fifth checker of the 24 points and the bar lie in the crop, as `Places`."""
    known = scale_to_picture(calibration, *_size_of(frame))
    left, top, right, bottom = _find_crop(frame, known)
    field, slots_mm = known.field, dict[str, list[tuple[float, float]]]()
    first_mm, fifth_mm = ((slot - 0.5) * CHECKER_SHARE * field.pitch_mm for slot in (1, STACKED_FROM))
    for column in range(1, POINTS_A_ROW + 1):
        x_mm = field.point_middle_mm(column)
        slots_mm[f"T{column}"] = [(x_mm, first_mm), (x_mm, fifth_mm)]
        slots_mm[f"B{column}"] = [(x_mm, field.height_mm - first_mm), (x_mm, field.height_mm - fifth_mm)]
    slots_mm["bar"] = [((field.bar_left_mm + field.bar_right_mm) / 2, field.height_mm / 2)] * 2
    at_px = known.projection.to_picture([slot for slots in slots_mm.values() for slot in slots])
    shares = ((at_px - (left, top)) / (right - left, bottom - top)).reshape(-1, 4).tolist()
    return {name: tuple(at) for name, at in zip(slots_mm, shares, strict=True)}


def _size_of(frame: Frame) -> tuple[int, int]:
    """Width and height in px."""
    height_px, width_px = frame.pixels.shape[:2]
    return width_px, height_px


def _find_crop(frame: Frame, known: Calibration) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of the field with its rims in px, within the frame."""
    width_px, height_px = _size_of(frame)
    margin_mm = RIM_SHARE * known.field.width_mm
    outward = margin_mm * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    corners_px = known.projection.to_picture(known.field.corners_mm + outward)
    left, top = np.clip(np.floor(corners_px.min(axis=0)), 0, (width_px, height_px)).astype(int).tolist()
    right, bottom = np.clip(np.ceil(corners_px.max(axis=0)), 0, (width_px, height_px)).astype(int).tolist()
    return (0, 0, width_px, height_px) if right - left < 1 or bottom - top < 1 else (left, top, right, bottom)


def _kinds_for(event: RefereeEvent) -> tuple[PictureKind, ...]:
    match event:
        case (
            events.OpeningThrown()
            | events.DiceRolled()
            | events.ThrowRefused()
            | events.ThrowUnclear()
            | events.DieTurnedOver()
        ):
            return (PictureKind.DICE,)
        case events.PlayRefused() | events.PlayUnclear() | events.PlayCondoned():
            return (PictureKind.BEFORE, PictureKind.DICE, PictureKind.AFTER)
        case (
            events.PlayMade()
            | events.GameStarted()
            | events.GameWon()
            | events.BoardDiffers()
            | events.SetUpUnclear()
            | events.BoardCorrected()
            | events.CubeTurned()
        ):
            return (PictureKind.AFTER,)
        case _:
            return ()
