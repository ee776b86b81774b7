"""How well boards are found and read: `python -m tests.benchmarks.boards [FOLDER…]`, with options that `--help` lists.

FOLDER holds rendered pictures with their labels (default: ../shared/boards); DIR photographs with `labels.jsonl`
(default: ../shared/real_boards, where it is there). Everything runs on one core. "Corners given" means the four
corners and nothing else, as `read --corners` has them.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar

import cv2
import numpy as np

from controller.pictures.find_board import find_board, find_board_at_corners
from tests.benchmarks.board_labels import (
    VARIATIONS,
    BoardLabel,
    Picture,
    pictures_without_board,
    real_labels,
    rendered_labels,
)
from tests.benchmarks.board_mistakes import Mistake, mistakes_of, sheet_of
from tests.benchmarks.board_scores import (
    CORNER_COLUMNS,
    PLACE_COLUMNS,
    CornerScore,
    PictureScore,
    Reliability,
    by_group,
    corner_row,
    corner_score,
    hidden_row,
    picture_score,
    place_row,
    sure_row,
    table,
    unread,
)
from tests.benchmarks.drawn_hands import drawn_hands
from tests.benchmarks.folded_boards import FOLDS
from vision.board.cached_reading import read_board_cached
from vision.board.read_board import read_board
from vision.errors import ModelFileError, VisionError
from vision.frame import Frame
from vision.geometry.calibration import Calibration, Refusal
from vision.geometry.top_view import view_map
from vision.pixels.picture_file import load_picture

ROOT = Path(__file__).parents[2]
DEFAULT_FOLDER = ROOT.parent / "shared" / "boards"
DEFAULT_REAL = ROOT.parent / "shared" / "real_boards"
TIMED_PICTURES = 40
VARIED_PICTURES = 40
SIZE_TIMED = (1280, 960)


class HasImage(Protocol):
    """A label that names its picture."""

    @property
    def image(self) -> Path: ...


Label = TypeVar("Label", bound=HasImage)


def read_at_corners(picture: Picture, label: BoardLabel) -> PictureScore:
    found = _at_corners(picture, label)
    if isinstance(found, Refusal):
        return unread(label, found.reason)
    return _read(picture, label, found)


def read_at_truth(picture: Picture, label: BoardLabel) -> PictureScore:
    """Reads the board with the lens, field and homography of the label, as after a perfect calibration."""
    near = _true_calibration(picture, label)
    return unread(label, "the label has no projection") if near is None else _read(picture, label, near)


def read_alone(picture: Picture, label: BoardLabel, *, use_tags: bool = True) -> tuple[CornerScore, PictureScore]:
    """Finds the corners without help, and reads the board with them."""
    found = find_board(picture, use_tags=use_tags)
    if isinstance(found, Refusal):
        refused = CornerScore(label.image.name, label.groups, None, None, reason=found.reason)
        return refused, unread(label, found.reason)
    corners = corner_score(label, found.projection.to_picture(found.field.corners_mm), found.way.value)
    return corners, _read(picture, label, found, half_turned=corners.half_turned)


def _read(picture: Picture, label: BoardLabel, found: Calibration, *, half_turned: bool = False) -> PictureScore:
    return picture_score(label, read_board(Frame(picture, 0), found), half_turned=half_turned)


def _at_corners(picture: Picture, label: BoardLabel) -> Calibration | Refusal:
    one, two, three, four = ((float(x_px), float(y_px)) for x_px, y_px in label.corners_px)
    return find_board_at_corners(picture, (one, two, three, four))


def _true_calibration(picture: Picture, label: BoardLabel) -> Calibration | None:
    near = _at_corners(picture, label)
    if label.projection is None or label.field is None or isinstance(near, Refusal):
        return None
    return replace(near, projection=label.projection, field=label.field)


@dataclass(frozen=True, slots=True)
class PictureReadings:
    """The readings of one picture with corners found, corners given and the true camera."""

    corners: CornerScore  # found without help
    alone: PictureScore  # read with these corners
    given: PictureScore  # read with the label's corners
    truth: PictureScore  # read with the true camera


def read_all(labels: Sequence[BoardLabel], *, use_tags: bool = True) -> Iterator[PictureReadings]:
    for label, picture in loaded(labels):
        corners, alone = read_alone(picture, label, use_tags=use_tags)
        yield PictureReadings(corners, alone, read_at_corners(picture, label), read_at_truth(picture, label))


def loaded(labels: Sequence[Label]) -> Iterator[tuple[Label, Picture]]:
    """Each label with its picture (h, w, 3) BGR; unreadable ones are reported and left out."""
    for number, label in enumerate(labels, start=1):
        if sys.stderr.isatty() or number % 50 == 0:
            report(f"{number} of {len(labels)}")
        try:
            picture = load_picture(label.image)
        except VisionError as error:
            report(f"{label.image}: {error}")
            continue
        yield label, picture


def report(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def show(lines: Iterable[str]) -> None:
    for line in lines:
        print(line, flush=True)


def show_folder(title: str, labels: Sequence[BoardLabel], *, wrong_ones: int) -> list[PictureScore]:
    """Prints all tables of one set of pictures. Returns the readings with the corners given."""
    rows = list(read_all(labels))
    if not rows:
        return []
    given = [row.given for row in rows]
    print(f"\n{title}: {len(rows)} pictures")
    show_corners([row.corners for row in rows])
    readings = {"corners given": given, "corners found": [row.alone for row in rows]}
    if labels[0].projection is not None:
        readings["true camera"] = [row.truth for row in rows]
    show(table("places, not hidden, single layer", PLACE_COLUMNS, {name: place_row(s) for name, s in readings.items()}))
    show(
        table(
            "hidden places",
            ("n", "called with > 0.9", "unknown"),
            {name: hidden_row(s) for name, s in readings.items()},
        )
    )
    columns = ("visible", "sure >= 0.99", "of these right", "called unknown")
    show(table("confidence of visible places", columns, {name: sure_row(s) for name, s in readings.items()}))
    reliability = Reliability()
    reliability.add(place for score in given for place in score.places if place.label.is_seen)
    show(table("reliability, corners given, visible places", ("confidence", "n", "right"), reliability.rows))
    groups = {name: place_row(scores) for name, scores in by_group(given).items()}
    show(table("places by condition, corners given", PLACE_COLUMNS, groups))
    wrong = [(score.name, score.wrong) for score in given if score.wrong]
    print(f"\npictures with something wrong, corners given: {len(wrong)}")
    for name, sentences in wrong[:wrong_ones]:
        print(f"  {name}: {'; '.join(sentences[:6])}{' …' if len(sentences) > 6 else ''}")
    return given


def write_mistakes(file: Path, labels: Sequence[BoardLabel], given: Sequence[PictureScore]) -> None:
    """Writes a picture of all places that were read wrongly with the corners given."""
    label_of = {label.image.name: label for label in labels}
    mistakes: list[Mistake] = []
    for score in given:
        if score.wrong and not score.error:
            picture, label = load_picture(label_of[score.name].image), label_of[score.name]
            mistakes += mistakes_of(score, _view(picture, label))
    if mistakes:
        cv2.imwrite(str(file), sheet_of(mistakes))
    report(f"{file}: {len(mistakes)} places")


def _view(picture: Picture, label: BoardLabel) -> Picture:
    """The top view that read_at_corners reads."""
    found = _at_corners(picture, label)
    if isinstance(found, Refusal):
        raise TypeError(found.reason)
    return view_map(found.projection, found.field).warp(picture)


def show_corners(corners: list[CornerScore]) -> None:
    rows = {"all": corner_row(corners)}
    for way in sorted({score.way for score in corners if score.way}):
        rows[f"by {way}"] = corner_row([score for score in corners if score.way == way])
    groups: dict[str, list[CornerScore]] = {}
    for score in corners:
        for group in score.groups:
            groups.setdefault(group, []).append(score)
    rows |= {name: corner_row(scores) for name, scores in sorted(groups.items())}
    show(table("corners found without help, error as a share of the width", CORNER_COLUMNS, rows))
    for score in corners:
        if not score.is_found:
            where = score.reason or f"{100 * (score.mean_share or 0):.1f} % of the width away"
            print(f"  not found: {score.name}: {where}")


def show_variations(labels: Sequence[BoardLabel]) -> None:
    """Prints the tables for turned, mirrored, spoilt, resized and folded boards."""
    chosen = labels[:: max(1, len(labels) // VARIED_PICTURES)][:VARIED_PICTURES]
    places: dict[str, list[str]] = {}
    corners: dict[str, list[str]] = {}
    variations: dict[str, Callable[[Picture, BoardLabel], tuple[Picture, BoardLabel]]]
    variations = {"as they are": lambda picture, label: (picture, label), **VARIATIONS, **FOLDS}
    for name, vary in variations.items():
        seen = [vary(load_picture(label.image), label) for label in chosen]
        places[name] = place_row([read_at_corners(picture, label) for picture, label in seen])
        corners[name] = corner_row([read_alone(picture, label)[0] for picture, label in seen])
        report(name)
    show(table("variations of the pictures: places, corners given", PLACE_COLUMNS, places))
    show(table("variations of the pictures: corners found", CORNER_COLUMNS, corners))


def show_hands(tables: int) -> None:
    """Prints the tables for boards with drawn arms over them."""
    scores = [read_at_corners(picture, label) for picture, label in drawn_hands(tables)]
    columns = ("n", "called with > 0.9", "unknown")
    show(
        table(f"hidden places, {len(scores)} drawn pictures with arms", columns, {"corners given": hidden_row(scores)})
    )
    show(table("places in view beside arms", PLACE_COLUMNS, {"corners given": place_row(scores)}))


def show_refusals() -> None:
    rows = {}
    for name, picture in pictures_without_board().items():
        found = find_board(picture)
        rows[name] = [f"refused: {found.reason}" if isinstance(found, Refusal) else "FOUND A BOARD"]
    print("\npictures without a board")
    for name, (sentence,) in rows.items():
        print(f"  {name}: {sentence}")


def show_times(labels: Sequence[BoardLabel]) -> None:
    """Prints milliseconds on one core at 1280x960."""
    read_ms, same_ms, find_ms = [], [], []
    rng = np.random.default_rng(1)
    for label in labels[:: max(1, len(labels) // TIMED_PICTURES)][:TIMED_PICTURES]:
        picture = load_picture(label.image)
        known = _true_calibration(picture, label)
        if known is None or (picture.shape[1], picture.shape[0]) != SIZE_TIMED:
            continue
        frame = Frame(picture, 0)
        before = read_board_cached(frame, known)
        read_ms += [_ms(partial(read_board, frame, known)) for _ in range(3)]
        noisy = np.clip(picture + rng.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
        again = Frame(noisy, 40)
        same_ms += [_ms(partial(read_board_cached, again, known, before)) for _ in range(3)]
        find_ms.append(_ms(partial(find_board, picture)))
    if not read_ms:
        return
    kinds = {"read_board, calibrated": read_ms, "nothing changed": same_ms, "board found without help": find_ms}
    rows = {
        name: [str(len(times)), *(f"{np.quantile(times, share):.1f}" for share in (0.5, 0.95))]
        for name, times in kinds.items()
    }
    show(table("milliseconds on one core, 1280x960", ("n", "median", "95 %"), rows))


def _ms(job: Callable[[], object]) -> float:
    begun = time.perf_counter()
    job()
    return 1000 * (time.perf_counter() - begun)


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    cv2.setNumThreads(1)
    try:
        return 0 if _show_everything(options) else 1
    except ModelFileError as error:
        report(str(error))
        return 1


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.boards", description=__doc__)
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path, help="rendered pictures with labels")
    parser.add_argument("--limit", metavar="N", type=int, help="read N pictures of each folder, evenly chosen")
    parser.add_argument("--real", metavar="DIR", type=Path, help="photographs with labels.jsonl")
    parser.add_argument(
        "--hands", metavar="N", type=int, default=0, help="read N drawn tables with arms over them, ten pictures each"
    )
    parser.add_argument(
        "--wrong", metavar="N", type=int, default=40, help="name at most N pictures with mistakes (default: 40)"
    )
    parser.add_argument(
        "--mistakes", metavar="FILE", type=Path, help="write a picture of all places that were read wrongly to FILE"
    )
    parser.add_argument("--quick", action="store_true", help="leave out variations, pictures without a board and times")
    return parser.parse_args(argv)


def _show_everything(options: argparse.Namespace) -> bool:
    """Prints everything that was asked for. False when a named folder holds no pictures."""
    is_all_there = True
    labels: list[BoardLabel] = []
    for folder in options.folders or [DEFAULT_FOLDER]:
        own = list(rendered_labels(folder)) if folder.is_dir() else []
        if not own:
            report(f"{folder}: no labelled pictures here; name a folder that has some")
            is_all_there = False
        labels += _thinned(own, options.limit)
    if labels:
        given = show_folder("rendered", labels, wrong_ones=options.wrong)
        if options.mistakes:
            write_mistakes(options.mistakes, labels, given)
        if not options.quick:
            show_variations(labels)
            show_refusals()
            show_times(labels)
    if options.hands:
        show_hands(options.hands)
    real = options.real or DEFAULT_REAL
    if (real / "labels.jsonl").is_file():
        show_folder("photographs", _thinned(list(real_labels(real)), options.limit), wrong_ones=options.wrong)
    elif options.real is not None:
        report(f"{real}: no labels.jsonl here")
        is_all_there = False
    return is_all_there


def _thinned(labels: list[BoardLabel], limit: int | None) -> list[BoardLabel]:
    step = 1 if limit is None else max(1, len(labels) // limit)
    return list(islice(labels[::step], limit))


if __name__ == "__main__":
    sys.exit(main())
