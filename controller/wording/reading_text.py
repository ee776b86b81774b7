"""A reading as the record that `read --json` prints, and as a table for people."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.match import Hindrance
from controller.rules import ThrowRuling
from controller.wording.dice_text import cube_line, cube_record, dice_lines, die_record, roll_lines, roll_record
from controller.wording.ruling_text import HINDRANCE_TEXTS
from controller.wording.weak_place_text import appraisal_lines, appraisal_record
from vision.board.board_reading import BoardReading, PairReading, PointGuess
from vision.board.weak_places import BoardAppraisal
from vision.dice.readings import DieReading
from vision.geometry.calibration import Calibration
from vision.pixels.drawing import LIKELY
from vision.places import Colour

_CELL = 5
_NO_BAR = "no bar"
_LEFT, _RIGHT = range(1, 7), range(7, 13)


@dataclass(frozen=True, slots=True)
class PictureReading:
    """A picture that was read; `throw` is None in a game without dice, `appraisal` unless it was asked for.

    `notes` are sentences about given corners.
    """

    image: str
    calibration: Calibration
    reading: BoardReading
    throw: ThrowRuling | None = None
    appraisal: BoardAppraisal | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiceInPicture:
    """A picture in which only dice were looked for, without a board."""

    image: str
    dice: tuple[DieReading, ...]


@dataclass(frozen=True, slots=True)
class UnreadPicture:
    """A picture that could not be read; `error` has the reason and the remedy."""

    image: str
    error: str


PictureOutcome = PictureReading | DiceInPicture | UnreadPicture


def reading_record(read: PictureOutcome) -> dict[str, object]:
    """One object of `read --json`."""
    if isinstance(read, UnreadPicture):
        return {"image": read.image, "error": read.error}
    if isinstance(read, DiceInPicture):
        return _dice_only_record(read)
    reading = read.reading
    return {
        "image": read.image,
        "corners": [[round(x_px, 2), round(y_px, 2)] for x_px, y_px in _corners_px(read.calibration)],
        "points": {place.value: _point_record(seen.best()) for place, seen in reading.points()},
        "bar": None if reading.bar is None else _pair_record(reading.bar),
        "tray": _tray_record(reading.tray),
        "dice": [die_record(die) for die in reading.dice],
        "roll": roll_record(read.throw),
        "cube": cube_record(reading.cube),
        "hand_in_view": reading.hand_in_view,
        **({} if read.appraisal is None else appraisal_record(read.appraisal)),
        **({} if reading.picture_fault is None else {"picture_fault": reading.picture_fault.value}),
        **({"notes": notes} if (notes := _list_notes(read)) else {}),
    }


def _list_notes(read: PictureReading) -> list[str]:
    fault = read.reading.picture_fault
    return [*read.notes, *([] if fault is None else [HINDRANCE_TEXTS[Hindrance(fault.value)]])]


def _dice_only_record(read: DiceInPicture) -> dict[str, object]:
    """The keys of a full record; everything about the board is unknown, not empty."""
    return {
        "image": read.image,
        "corners": [],
        "points": {},
        "bar": None,
        "tray": None,
        "dice": [die_record(die, knows_the_board=False) for die in read.dice],
        "roll": None,
        "cube": None,
        "hand_in_view": None,
    }


def _corners_px(calibration: Calibration) -> list[tuple[float, float]]:
    corners = calibration.projection.to_picture(calibration.field.corners_mm)
    return [(float(x_px), float(y_px)) for x_px, y_px in corners]


def _point_record(guess: PointGuess) -> dict[str, object]:
    return {"colour": guess.colour.value, "count": guess.count, "confidence": round(guess.confidence, 4)}


def _tray_record(seen: PairReading | None) -> dict[str, object] | None:
    """None if no tray is in view or a tray is hidden, so that a hidden tray is not taken for an empty one."""
    return None if seen is None or seen.best().light is None else _pair_record(seen)


def _pair_record(seen: PairReading) -> dict[str, object]:
    """A hidden count is 0 with the confidence of a hidden place, which is below one half."""
    guess = seen.best()
    return {"light": guess.light or 0, "dark": guess.dark or 0, "confidence": round(guess.confidence, 4)}


def reading_lines(read: PictureOutcome) -> Iterator[str]:
    """The board as it lies in the picture. A doubtful place has a question mark; its confidence is listed below."""
    if isinstance(read, UnreadPicture):
        yield f"{read.image}: not read: {read.error}"
        return
    if isinstance(read, DiceInPicture):
        yield f"{read.image}:"
        yield from dice_lines(read.dice)
        yield ""
        return
    corners = " ".join(f"{x_px:.0f},{y_px:.0f}" for x_px, y_px in _corners_px(read.calibration))
    yield f"{read.image}: field {corners}"
    guesses = {place.value: seen.best() for place, seen in read.reading.points()}
    title, upper, lower = _bar_cells(read.reading.bar)
    yield _format_row("", {str(column): str(column) for column in range(1, 13)}, title)
    for row, bar in (("T", upper), ("B", lower)):
        yield _format_row(row, {str(column): _format_cell(guesses[f"{row}{column}"]) for column in range(1, 13)}, bar)
    yield from _tray_line(read.reading.tray)
    yield from _doubt_lines(read.reading, guesses)
    if read.appraisal is not None:
        yield from (f"  {line}" for line in appraisal_lines(read.appraisal))
    yield from _dice_lines(read)
    yield from (f"  {note}" for note in read.notes)
    yield ""


def _bar_cells(seen: PairReading | None) -> tuple[str, str, str]:
    """The title of the bar's column, and the cells of its light and its dark checkers."""
    if seen is None:
        return _NO_BAR, " " * len(_NO_BAR), " " * len(_NO_BAR)
    bar = seen.best()
    doubt = "?" if bar.confidence < LIKELY else ""
    light, dark = (
        "?" if count is None else f"{colour}{count}{doubt}" if count else "-"
        for colour, count in (("L", bar.light), ("D", bar.dark))
    )
    return "bar".center(_CELL), light.center(_CELL), dark.center(_CELL)


def _tray_line(seen: PairReading | None) -> Iterator[str]:
    guess = None if seen is None else seen.best()
    if guess is None:
        return
    if guess.light is None or guess.dark is None:
        yield "  trays: hidden"
    else:
        doubt = "" if guess.confidence >= LIKELY else f"? ({guess.confidence:.0%})"
        yield f"  trays: L{guess.light} D{guess.dark}{doubt}"


def _format_row(name: str, cells: dict[str, str], bar: str) -> str:
    left, right = ("".join(cells[str(column)].rjust(_CELL) for column in half) for half in (_LEFT, _RIGHT))
    return f"  {name:<1}{left} |{bar}|{right}".rstrip()


def _format_cell(guess: PointGuess) -> str:
    if guess.colour is Colour.UNKNOWN:
        return "?"
    doubt = "?" if guess.confidence < LIKELY else ""
    if guess.colour is Colour.NONE:
        return "-" + doubt
    letters = "LD" if guess.colour is Colour.BOTH else guess.colour.value[0].upper()
    return f"{letters}{guess.count}{doubt}"


def _doubt_lines(reading: BoardReading, guesses: dict[str, PointGuess]) -> Iterator[str]:
    hidden = [name for name, guess in guesses.items() if guess.colour is Colour.UNKNOWN]
    doubtful = [
        f"{name} {_format_cell(guess)[:-1]} ({guess.confidence:.0%})"
        for name, guess in guesses.items()
        if guess.colour is not Colour.UNKNOWN and guess.confidence < LIKELY
    ]
    if reading.picture_fault is not None:
        yield f"  {HINDRANCE_TEXTS[Hindrance(reading.picture_fault.value)]}"
    if reading.hand_in_view:
        yield "  a hand, or something else, covers a part of the board"
    if hidden:
        yield f"  hidden: {', '.join(hidden)}"
    if doubtful:
        yield f"  doubtful: {', '.join(doubtful)}"


def _dice_lines(read: PictureReading) -> Iterator[str]:
    """The dice, and the ruling on the throw if there are any."""
    yield from dice_lines(read.reading.dice)
    if read.throw is not None and read.reading.dice:
        yield from roll_lines(read.throw)
    if read.reading.cube is not None:
        yield cube_line(read.reading.cube)
