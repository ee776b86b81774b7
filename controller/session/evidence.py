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
            EvidencePicture(kind, crop_field(frame, calibration), number)
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
    height_px, width_px = frame.pixels.shape[:2]
    known = scale_to_picture(calibration, width_px, height_px)
    margin_mm = RIM_SHARE * known.field.width_mm
    outward = margin_mm * np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    corners_px = known.projection.to_picture(known.field.corners_mm + outward)
    left, top = np.clip(np.floor(corners_px.min(axis=0)), 0, (width_px, height_px)).astype(int)
    right, bottom = np.clip(np.ceil(corners_px.max(axis=0)), 0, (width_px, height_px)).astype(int)
    if right - left < 1 or bottom - top < 1:
        return frame.pixels
    cut: NDArray[np.uint8] = frame.pixels[top:bottom, left:right]
    return cut


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
