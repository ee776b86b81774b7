"""How a calibrated board is read in the picture that calibrated it: a value, its JSON, and sentences for the user."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from controller.match.event_values import Hindrance
from controller.wording.ruling_text import HINDRANCE_TEXTS
from controller.wording.weak_place_text import appraisal_lines, appraisal_record
from vision.board.overlay import draw_reading
from vision.board.read_board import read_board
from vision.board.weak_places import (
    BoardAppraisal,
    Occupancy,
    appraise_board,
    detect_no_dice,
    rotate_appraisal,
)
from vision.frame import Frame
from vision.geometry.calibration import Calibration
from vision.geometry.projection import KnownBoard
from vision.pixels.picture_quality import PictureFault
from vision.places import POINTS, Colour, Place

# Physical: common dice have edges of 14 mm; below 14 px their pips cannot be told apart, from 18 px on they can.
DIE_MM, LEAST_DIE_PX, GOOD_DIE_PX = 14.0, 14.0, 18.0
DIE_POINTS = 0.35  # an edge in widths of a point, 14 of 40 mm, where nobody gave the scale


class DieSize(Enum):
    """How well a die of this size is read."""

    GOOD = "good"
    LITTLE = "little"
    SMALL = "small"


def grade_die(die_px: float) -> DieSize:
    if die_px < LEAST_DIE_PX:
        return DieSize.SMALL
    return DieSize.LITTLE if die_px < GOOD_DIE_PX else DieSize.GOOD


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """`covered` are the points that something hides; `learned` is None where nothing was learned from the picture.

    `fault`: why the picture, or a part of it, cannot be read.
    """

    die_px: float  # the edge of a common die in the middle of the field
    covered: tuple[Place, ...] = ()
    learned: BoardAppraisal | None = None
    fault: PictureFault | None = None

    @property
    def problem(self) -> str:
        """What has to be mended before the board is read well, with the remedy; empty if nothing has."""
        if self.fault is not None:
            return HINDRANCE_TEXTS[Hindrance(self.fault.value)]
        names = ", ".join(place.value for place in self.covered)
        return f"Something covers {names}; take it away, or bring it into the picture." if names else ""


def report_reading(pixels: NDArray[np.uint8], known: Calibration, occupancy: Occupancy | None = None) -> ReadingReport:
    """Reads a picture (h, w, 3). `occupancy` is what stands in it and was learned, by place of the picture."""
    reading = read_board(Frame(pixels, 0), known, detect_dice=detect_no_dice)
    covered = tuple(place for place, seen in reading.points() if seen.best().colour is Colour.UNKNOWN)
    learned = None if occupancy is None else appraise_board(pixels, known, reading, occupancy)
    is_covered = reading.picture_fault is None or reading.hand_in_view
    return ReadingReport(_compute_die_px(known), covered if is_covered else (), learned, reading.picture_fault)


def draw_report(pixels: NDArray[np.uint8], known: Calibration, report: ReadingReport) -> NDArray[np.uint8]:
    """A copy of the picture (h, w, 3) with its reading, and with the sentences of the report."""
    reading = read_board(Frame(pixels, 0), known, detect_dice=detect_no_dice)
    remarks = [line.strip() for line in report_lines(report)]
    return draw_reading(pixels, reading, known.projection, known.field, appraisal=report.learned, remarks=remarks)


def rotate_report(report: ReadingReport) -> ReadingReport:
    """The report with the places of the board after half a turn of its coordinates."""
    learned = None if report.learned is None else rotate_appraisal(report.learned)
    return replace(report, covered=tuple(POINTS[-1 - POINTS.index(one)] for one in report.covered), learned=learned)


def report_lines(report: ReadingReport) -> Iterator[str]:
    """Points that are read rightly with and without what was learned, the weakest places, the size of dice."""
    if report.learned is not None:
        yield from _describe_learned(report.learned)
    if report.problem:
        yield f"{report.problem.rstrip('.')}, and calibrate again."
    size = grade_die(report.die_px)
    if size is DieSize.SMALL:
        yield (
            f"A die is about {report.die_px:.0f} px wide; move the camera nearer or use a larger picture until it has"
            f" {GOOD_DIE_PX:.0f}."
        )
    elif size is DieSize.LITTLE:
        yield f"A die is about {report.die_px:.0f} px wide, which is little; {GOOD_DIE_PX:.0f} px read more surely."


def _describe_learned(learned: BoardAppraisal) -> Iterator[str]:
    yield (
        f"The board was learned from this position: {learned.right} of {len(POINTS)} points of this picture are read as"
        f" they stand, {learned.right_before} without it."
    )
    yield from (f"  {line}" for line in appraisal_lines(learned))


def report_record(report: ReadingReport) -> dict[str, object]:
    """The report as JSON."""
    learned = report.learned
    return {
        "die_px": round(report.die_px, 1),
        "covered": [place.value for place in report.covered],
        "fault": None if report.fault is None else report.fault.value,
        "learned": None
        if learned is None
        else {
            "right": learned.right,
            "right_before": learned.right_before,
            **appraisal_record(learned),
        },
    }


def _compute_die_px(known: Calibration) -> float:
    edge_mm = DIE_POINTS * known.field.pitch_mm if known.scale_is_assumed else DIE_MM
    return edge_mm * KnownBoard(known.projection, known.field).px_per_mm
