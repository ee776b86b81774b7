"""`zarbiter calibrate`: some pictures of one still camera in, one calibration out, with what to tell about it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from controller.pictures.find_board import Picture, SizeMm, find_board, find_board_at_corners
from controller.pictures.picture_options import Corners
from vision.errors import BadPictureError
from vision.field.auto_calibration import combine_calibrations
from vision.field.drift import make_reference
from vision.field.position_calibration import OccupancyByPlace
from vision.frame import FrameSource
from vision.geometry.calibration import Calibration, CalibrationMethod, Refusal

# The median of a few pictures is steadier than one, and more would only take longer.
MOST_PICTURES = 8
FRAME_TIMEOUT_MS = 500
# A camera that is opened, adjusts its exposure and locks it has long been there by then.
PATIENCE_MS = 10_000
PROGRESS_MS = 2_000

_WAYS = {
    CalibrationMethod.TAGS: "by the tags on its rim",
    CalibrationMethod.POSITION: "by the start position",
    CalibrationMethod.ITSELF: "by itself",
    CalibrationMethod.CORNERS: "at the corners given",
}


@dataclass(frozen=True, slots=True)
class CalibrationPriors:
    """What the caller tells about the board."""

    corners: Corners | None = None
    field_mm: SizeMm | None = None
    start: OccupancyByPlace | None = None  # the game's start, of any placement


@dataclass(frozen=True, slots=True)
class CalibrationResult:
    """A calibration and how many pictures of how many speak for it."""

    calibration: Calibration
    n_understood: int
    n_pictures: int


def calibrate_source(
    source: FrameSource,
    known: CalibrationPriors,
    *,
    tell: Callable[[str], None],
    context: Callable[[int], None] | None = None,
) -> CalibrationResult | Refusal:
    """From the first pictures of a source; `tell` gets a sentence for whoever waits, `show` how many were looked at."""
    done = calibrate_pictures(read_first_pictures(source, tell=tell), known, context=context)
    if done is None:
        return Refusal(source.state.sentence or f"No picture came from {source.describe()}; see that it works.")
    return done


def calibrate_pictures(
    pictures: Iterable[Picture], known: CalibrationPriors, *, context: Callable[[int], None] | None = None
) -> CalibrationResult | Refusal | None:
    """From all of these, which one still camera took; None where there are none."""
    answers: list[Calibration | Refusal] = []
    last: Picture | None = None
    for pixels in pictures:
        answers.append(calibrate_picture(pixels, known))
        if context is not None:
            context(len(answers))
        last = pixels if isinstance(answers[-1], Calibration) else last
    if not answers:
        return None
    found = combine_calibrations(answers)
    if isinstance(found, Refusal) or last is None:
        return found if isinstance(found, Refusal) else Refusal("No picture was understood.")
    if (last.shape[1], last.shape[0]) == found.image_size_px:
        found = replace(found, reference=make_reference(last, found.projection))  # what a later recheck compares with
    return CalibrationResult(found, sum(isinstance(answer, Calibration) for answer in answers), len(answers))


def read_first_pictures(source: FrameSource, *, tell: Callable[[str], None]) -> Iterator[Picture]:
    """At most MOST_PICTURES, as long as the source has some; files that are no pictures are told and passed over."""
    waited_ms = number = 0
    while number < MOST_PICTURES and waited_ms < PATIENCE_MS:
        try:
            frame = source.latest(FRAME_TIMEOUT_MS)
        except BadPictureError as error:
            tell(str(error))
            continue
        if frame is not None:
            number += 1
            yield frame.pixels
        elif source.state.condition.is_final:
            return
        else:
            waited_ms += FRAME_TIMEOUT_MS
            if waited_ms % PROGRESS_MS == 0:
                tell(source.state.sentence or f"{source.describe()} has sent no picture yet")


def calibrate_picture(pixels: Picture, known: CalibrationPriors) -> Calibration | Refusal:
    if known.corners is not None:
        return find_board_at_corners(pixels, known.corners, field_mm=known.field_mm)
    return find_board(pixels, start=known.start, field_mm=known.field_mm)


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
        "scale_is_assumed": known.scale_is_assumed,
        "error_mm": None if known.error_mm is None else round(known.error_mm, 3),
        "error_percent": None if known.error_share is None else round(100 * known.error_share, 3),
        "notes": list(known.notes),
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
    yield from known.notes
    yield f"Kept in {file}."
