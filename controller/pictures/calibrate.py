"""`zarbiter calibrate`: one calibration from some pictures of one still camera, and the lines that report it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from controller.pictures.find_board import (
    KnownPosition,
    Picture,
    SizeMm,
    find_board,
    find_board_at_corners,
    find_unused,
)
from controller.pictures.picture_options import Corners
from controller.pictures.reading_report import ReadingReport, draw_report, report_lines, report_reading, report_record
from vision.errors import BadPictureError
from vision.field.auto_calibration import combine_calibrations, find_agreeing
from vision.field.drift import make_reference
from vision.field.position_calibration import orient_occupancy
from vision.field.position_lesson import learn_position
from vision.frame import Condition, FrameSource
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal
from vision.pixels.picture_quality import PictureFault, find_picture_fault, measure_quality

# A knob: the median of a few pictures is steadier than one picture; more pictures only take longer.
MOST_PICTURES = 8
# A knob: the median of three is steady, and each picture takes seconds on a Raspberry Pi, where somebody waits.
MOST_LIVE_PICTURES = 3
FRAME_TIMEOUT_MS = 500
# A bound: a camera opens, adjusts its exposure and locks it in much less time.
PATIENCE_MS = 10_000
PROGRESS_MS = 2_000

_LIGHT_REASONS = {
    PictureFault.TOO_DARK: "It is too dark to find the board; light it.",
    PictureFault.TOO_BRIGHT: "The picture is too bright to find the board; dim the light.",
    PictureFault.BLURRED: "The picture is too blurred to find the board; focus the camera on it and wipe its lens.",
    PictureFault.ONE_COLOUR: "The light has one colour only; light the board with white light.",
}

_WAYS = {
    CalibrationMethod.TAGS: "by the tags on its rim",
    CalibrationMethod.POSITION: "by the known position",
    CalibrationMethod.ITSELF: "by itself",
    CalibrationMethod.CORNERS: "at the corners given",
}


@dataclass(frozen=True, slots=True)
class CalibrationPriors:
    """What the caller knows about the board."""

    corners: Corners | None = None
    field_mm: SizeMm | None = None
    start: KnownPosition | None = None


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """A calibration, the number of pictures that agree with it, and the number of all pictures.

    `report` says how the last of them, `picture`, is read.
    """

    calibration: Calibration
    n_understood: int
    n_pictures: int
    report: ReadingReport | None = None
    picture: Picture | None = field(default=None, compare=False, repr=False)

    @property
    def problem(self) -> str:
        """Why it is worth trying again, with the remedy; empty if all is well."""
        unused = find_unused(self.calibration)
        return unused or ("" if self.report is None else self.report.problem)


def calibrate_source(
    source: FrameSource,
    known: CalibrationPriors,
    *,
    report: Callable[[str], None],
    progress: Callable[[int], None] | None = None,
) -> CalibrationResult | Refusal:
    """Calibrates from the first pictures of a source.

    `report` gets sentences for the user who waits; `progress` gets the number of pictures processed.
    """
    sentences: list[str] = []
    done = calibrate_pictures(read_first_pictures(source, report=sentences.append), known, progress=progress)
    if done is None and sentences:
        *sentences, last = sentences
        done = Refusal(last)
    for sentence in sentences:
        report(sentence)
    if done is None and source.state.condition is Condition.ENDED:
        return Refusal(f"No usable picture came from {source.describe()}; give one that shows the whole board.")
    if done is None:
        return Refusal(source.state.sentence or f"No picture came from {source.describe()}; see that it works.")
    return done


def calibrate_pictures(
    pictures: Iterable[Picture], known: CalibrationPriors, *, progress: Callable[[int], None] | None = None
) -> CalibrationResult | Refusal | None:
    """Calibrates from pictures of one still camera; None where there are no pictures."""
    seen: list[Picture] = []
    answers: list[Calibration | Refusal] = []
    for pixels in pictures:
        seen.append(pixels)
        answers.append(_explain_refusal(_calibrate_picture(pixels, known), pixels))
        if progress is not None:
            progress(len(answers))
    if not answers:
        return None
    agreeing, found = find_agreeing(answers), combine_calibrations(answers)
    if isinstance(agreeing, Refusal):
        return agreeing
    if isinstance(found, Refusal):
        return found
    last = seen[max(agreeing)]
    found = replace(found, reference=make_reference(last, found.projection))  # for later drift checks
    if known.start is not None and found.placement is not None:
        shown = [seen[index] for index, one in agreeing.items() if one.placement is not None]
        taught = _teach(shown, found, agreeing.values(), known.start)
        if isinstance(taught, Refusal):
            return taught
        found = taught
    return CalibrationResult(found, len(agreeing), len(answers), _report_reading(last, found, known.start), last)


def _explain_refusal(answer: Calibration | Refusal, pixels: Picture) -> Calibration | Refusal:
    """The answer; a refusal has the light of the picture as its reason where that is bad."""
    if isinstance(answer, Calibration):
        return answer
    fault = find_mendable_fault(pixels)
    return answer if fault is None else Refusal(_LIGHT_REASONS[fault])


def find_mendable_fault(pixels: Picture) -> PictureFault | None:
    """What can be mended at lamp or lens before the board is found in a picture (h, w, 3)."""
    fault = find_picture_fault(measure_quality(pixels))
    return fault if fault in _LIGHT_REASONS else None


def _teach(
    pictures: Sequence[Picture], found: Calibration, answers: Iterable[Calibration], start: KnownPosition
) -> Calibration | Refusal:
    """What the known position teaches under the calibration that is kept, from every picture that shows it."""
    setups = [
        orient_occupancy(start.occupancy, one.placement) for one in (found, *answers) if one.placement is not None
    ]
    if any(setup != setups[0] for setup in setups):
        return Refusal(
            "The pictures show the position in different orientations; leave the board as it lies, and try again."
        )
    return found if found.appearance is not None else learn_position(pictures, found, setups[0])


def _report_reading(pixels: Picture, found: Calibration, start: KnownPosition | None) -> ReadingReport:
    if start is None or found.placement is None or found.appearance is None:
        return report_reading(pixels, found)
    return report_reading(pixels, found, orient_occupancy(start.occupancy, found.placement))


def read_first_pictures(source: FrameSource, *, report: Callable[[str], None]) -> Iterator[Picture]:
    """At most MOST_PICTURES pictures of the source. Files that are no pictures are reported and skipped."""
    waited_ms = number = 0
    while number < MOST_PICTURES and waited_ms < PATIENCE_MS:
        try:
            frame = source.latest(FRAME_TIMEOUT_MS)
        except BadPictureError as error:
            report(str(error))
            continue
        if frame is not None:
            number += 1
            yield frame.pixels
        elif source.state.condition.is_final:
            return
        else:
            waited_ms += FRAME_TIMEOUT_MS
            if waited_ms % PROGRESS_MS == 0:
                report(source.state.sentence or f"{source.describe()} has sent no picture yet")


def _calibrate_picture(pixels: Picture, known: CalibrationPriors) -> Calibration | Refusal:
    if known.corners is not None:
        return find_board_at_corners(pixels, known.corners, start=known.start, field_mm=known.field_mm)
    return find_board(pixels, start=known.start, field_mm=known.field_mm)


def draw_calibration(done: CalibrationResult) -> Picture | None:
    """The picture (h, w, 3) with what is read in it, what was learned and what is weak; None without a picture."""
    if done.picture is None or done.report is None:
        return None
    return draw_report(done.picture, done.calibration, done.report)


def calibration_record(done: CalibrationResult | Refusal, file: str) -> dict[str, object]:
    """The object of `calibrate --json`."""
    if isinstance(done, Refusal):
        return {"calibration": None, "error": done.reason}
    known = done.calibration
    corners = known.projection.to_picture(known.field.corners_mm)
    return {
        "calibration": file,
        "way": known.way.value,
        "placement": known.placement.value if known.placement else None,
        "pictures": done.n_pictures,
        "understood": done.n_understood,
        "corners": [[round(float(x_px), 2), round(float(y_px), 2)] for x_px, y_px in corners],
        "field_mm": [round(known.field.width_mm, 1), round(known.field.height_mm, 1)],
        "has_bar": known.field.has_bar,
        "scale_is_assumed": known.scale_is_assumed,
        "error_mm": None if known.error_mm is None else round(known.error_mm, 3),
        "error_percent": None if known.error_share is None else round(100 * known.error_share, 3),
        "notes": list(known.notes),
        "reading": None if done.report is None else report_record(done.report),
    }


def calibration_lines(done: CalibrationResult, file: str) -> Iterator[str]:
    known = done.calibration
    pictures = f"{done.n_understood} of {done.n_pictures} pictures" if done.n_pictures > 1 else "the picture"
    yield f"The board was found {_WAYS[known.way]} in {pictures}."
    if known.error_mm is None or known.error_share is None:
        yield "How far off the corners are was not measured."
    else:
        yield f"Error: {known.error_mm:.2f} mm, {known.error_share:.2%} of the field's width."
    size = f"{known.field.width_mm:.0f} x {known.field.height_mm:.0f} mm"
    if known.scale_is_assumed:
        yield f"The scale is assumed: a field of {size}. Give --field-mm WxH for true millimetres."
    else:
        yield f"Field: {size}."
    if not known.field.has_bar:
        yield "The board has no bar."
    yield from known.notes
    if done.report is not None:
        yield from report_lines(done.report)
    yield f"Kept in {file}."
