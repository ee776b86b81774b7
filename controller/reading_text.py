"""A reading as the record that `read --json` prints, and as a table for people."""

from collections.abc import Iterator
from dataclasses import dataclass

from vision.calibration import Calibration
from vision.overlay import LIKELY
from vision.reading import BoardReading, Colour, PairReading, PointGuess

_CELL = 5
_LEFT, _RIGHT = range(1, 7), range(7, 13)


@dataclass(frozen=True, slots=True)
class PictureReading:
    """One picture, read."""

    image: str
    calibration: Calibration
    reading: BoardReading


@dataclass(frozen=True, slots=True)
class UnreadPicture:
    """A picture that could not be read, with the reason and the remedy."""

    image: str
    error: str


def reading_record(read: PictureReading | UnreadPicture) -> dict[str, object]:
    """One object of `read --json`, as the contract of the command line has it."""
    if isinstance(read, UnreadPicture):
        return {"image": read.image, "error": read.error}
    reading = read.reading
    return {
        "image": read.image,
        "corners": [[round(x_px, 2), round(y_px, 2)] for x_px, y_px in _corners_px(read.calibration)],
        "points": {place.value: _point_record(seen.best()) for place, seen in reading.points()},
        "bar": _pair_record(reading.bar),
        "tray": None if reading.tray is None else _pair_record(reading.tray),
        "dice": [],
        "roll": {"valid": None, "values": None, "reasons": []},
        "cube": None,
        "hand_in_view": reading.hand_in_view,
    }


def _corners_px(calibration: Calibration) -> list[tuple[float, float]]:
    corners = calibration.projection.to_picture(calibration.field.corners_mm)
    return [(float(x_px), float(y_px)) for x_px, y_px in corners]


def _point_record(guess: PointGuess) -> dict[str, object]:
    return {"colour": guess.colour.value, "count": guess.count, "confidence": round(guess.confidence, 4)}


def _pair_record(seen: PairReading) -> dict[str, object]:
    """Hidden counts are 0 with the confidence of a hidden place, below one half."""
    guess = seen.best()
    return {"light": guess.light or 0, "dark": guess.dark or 0, "confidence": round(guess.confidence, 4)}


def reading_lines(read: PictureReading | UnreadPicture) -> Iterator[str]:
    """The board as it lies in the picture; what is doubtful has a question mark and is told below with its confidence."""
    if isinstance(read, UnreadPicture):
        yield f"{read.image}: not read: {read.error}"
        return
    corners = " ".join(f"{x_px:.0f},{y_px:.0f}" for x_px, y_px in _corners_px(read.calibration))
    yield f"{read.image}: field {corners}"
    guesses = {place.value: seen.best() for place, seen in read.reading.points()}
    bar = read.reading.bar.best()
    yield _row("", {str(column): str(column) for column in range(1, 13)}, "bar")
    for row, colour, count in (("T", "L", bar.light), ("B", "D", bar.dark)):
        cells = {str(column): _cell(guesses[f"{row}{column}"]) for column in range(1, 13)}
        on_bar = (
            "?" if count is None else f"{colour}{count}" + ("?" if bar.confidence < LIKELY else "") if count else "-"
        )
        yield _row(row, cells, on_bar)
    yield from _doubts(read.reading, guesses)
    yield ""


def _row(name: str, cells: dict[str, str], bar: str) -> str:
    left, right = ("".join(cells[str(column)].rjust(_CELL) for column in half) for half in (_LEFT, _RIGHT))
    return f"  {name:<1}{left} |{bar.center(_CELL)}|{right}".rstrip()


def _cell(guess: PointGuess) -> str:
    if guess.colour is Colour.UNKNOWN:
        return "?"
    doubt = "?" if guess.confidence < LIKELY else ""
    if guess.colour is Colour.NONE:
        return "-" + doubt
    letters = "LD" if guess.colour is Colour.BOTH else guess.colour.value[0].upper()
    return f"{letters}{guess.count}{doubt}"


def _doubts(reading: BoardReading, guesses: dict[str, PointGuess]) -> Iterator[str]:
    hidden = [name for name, guess in guesses.items() if guess.colour is Colour.UNKNOWN]
    doubtful = [
        f"{name} {_cell(guess)[:-1]} ({guess.confidence:.0%})"
        for name, guess in guesses.items()
        if guess.colour is not Colour.UNKNOWN and guess.confidence < LIKELY
    ]
    if reading.hand_in_view:
        yield "  a hand, or something else, covers a part of the board"
    if hidden:
        yield f"  hidden: {', '.join(hidden)}"
    if doubtful:
        yield f"  doubtful: {', '.join(doubtful)}"
