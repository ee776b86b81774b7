"""How well dice are read: `python -m tests.benchmarks.dice [FOLDER…] [--windows DIR…] [--drawn N] [--real DIR] [--limit N] …`.

FOLDER holds rendered pictures of whole boards with their labels; a DIR of `--windows` crops of such pictures around dice;
the DIR of `--real` photographs of dice without a board, and the DIR of `--real-boards` photographs of boards, both with
`labels.jsonl`. By default they are ../shared/boards and, if they exist, ../shared/real_dice and ../shared/real_boards.
Camera and field come from the label, for a photographed board from its corners. Only dice plainly in view are scored, and
a throw only when no hand is in the picture; in a crop the dice in it are the throw. The bars are the project's.

With `--spoiled` the pictures are read again with a glare or a glint on each die, half covered, blurred and so on. With
`--put-off 6` each picture is read six times with small shifts of the proposals, because one reading depends on luck.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.benchmarks import dice_tables as tables
from tests.benchmarks.board_photographs import photographed_boards
from tests.benchmarks.board_scores import table
from tests.benchmarks.boards import loaded, report, show
from tests.benchmarks.dice_labels import BadLabelError, DiceLabel, photograph_labels, rendered_labels
from tests.benchmarks.dice_scores import PictureScore, Stray, picture_score
from tests.benchmarks.disturbed_search import disturbed_search
from tests.benchmarks.drawn_dice import drawn_throws
from tests.benchmarks.spoiled_pictures import SPOILS, spoiled
from vision.checkers.colour_classes import fuse_face_counts
from vision.checkers.network import read_view
from vision.checkers.occupancy import CheckerPositions, locate_checkers
from vision.dice.detect import read_dice
from vision.errors import ModelFileError
from vision.geometry.top_view import view_map

ROOT = Path(__file__).parents[2]
DEFAULT_FOLDER = ROOT.parent / "shared" / "boards"
DEFAULT_REAL = ROOT.parent / "shared" / "real_dice"
DEFAULT_REAL_BOARDS = ROOT.parent / "shared" / "real_boards"
RENDERED_BAR = ">= 99.5 % right of >= 99.3 %"
PHOTOGRAPHS_BAR = "<= 1 wrong, >= 95 % answered"
Thing = TypeVar("Thing")


def read_all(labels: Sequence[DiceLabel], times: int = 0) -> Iterator[PictureScore]:
    """Reads each picture, `times` times with shifted proposals if given. Unreadable pictures are reported and left out."""
    for order, (label, picture) in enumerate(loaded(labels)):
        pixels = _with_border(picture, label.border_px)
        standing = _standing(pixels, label)
        if not times:
            yield read_one(pixels, label, standing)
        for again in range(times):
            with disturbed_search(np.random.default_rng([again, order])):
                score = read_one(pixels, label, standing)
            yield score


def show_spoiled(labels: Sequence[DiceLabel], listed: int) -> None:
    """Prints a table with a row for each way to spoil a picture, and names what is accepted wrongly then."""
    scores: dict[str, list[PictureScore]] = {kind: [] for kind in SPOILS}
    for order, (label, picture) in enumerate(loaded(labels)):
        pixels = _with_border(picture, label.border_px)
        for kind, own in scores.items():
            worse = spoiled(kind, pixels, label, order)
            own.append(read_one(worse, label, _standing(worse, label)))
    print(f"\npictures made worse on purpose: {len(labels)} of each kind")
    rows = {kind: tables.spoiled_row(own) for kind, own in scores.items()}
    show(table("flat dice, and throws", tables.SPOILED_COLUMNS, rows))
    wrong = [
        (kind, die) for kind, own in scores.items() for picture in own for die in tables.accepted_wrong(picture.dice)
    ]
    show_some("accepted with a wrong value", [f"{kind}: {die.sentence}" for kind, die in wrong], listed)
    throws = [(kind, picture.throw) for kind, own in scores.items() for picture in own]
    sentences = [f"{kind}: {throw.sentence}" for kind, throw in throws if throw is not None and throw.is_wrong]
    show_some("throws accepted wrongly", sentences, listed)


def read_one(pixels: NDArray[np.uint8], label: DiceLabel, standing: CheckerPositions | None) -> PictureScore:
    begun_s = time.thread_time()
    seen = read_dice(pixels, label.board, positions=standing)
    read_ms = 1000 * (time.thread_time() - begun_s)
    score = picture_score(label, seen, (pixels.shape[1], pixels.shape[0]))
    return replace(score, read_ms=read_ms)


def _standing(pixels: NDArray[np.uint8], label: DiceLabel) -> CheckerPositions | None:
    """Positions of the checkers, as `read_board` finds them; None for a crop. Not part of the time for the dice."""
    if label.board is None or label.border_px:
        return None
    view = view_map(label.board.projection, label.board.field).warp(pixels)
    return locate_checkers(fuse_face_counts(read_view(view)), label.board)


def _with_border(pixels: NDArray[np.uint8], border_px: int) -> NDArray[np.uint8]:
    if not border_px:
        return pixels
    wider = cv2.copyMakeBorder(pixels, border_px, border_px, border_px, border_px, cv2.BORDER_REPLICATE)
    return wider.astype(np.uint8, copy=False)


def show_pictures(title: str, pictures: Sequence[PictureScore], *, value_bar: str, listed: int) -> None:
    """Prints all tables of one set of pictures, except empty ones."""
    if not pictures:
        return
    asked, dice = tables.asked_of(pictures), [die for picture in pictures for die in picture.dice]
    print(f"\n{title}: {len(pictures)} pictures, {len(asked)} dice in view")
    show(table("value of flat dice of 18 px and more", tables.VALUE_COLUMNS, tables.value_rows(asked, value_bar)))
    show(
        table(
            "value of flat dice of 18 px and more, by threshold of confidence",
            tables.ABSTENTION_COLUMNS,
            tables.abstention_rows(tables.readable(asked)),
        )
    )
    show(
        table(
            "dice accepted: lie flat with a value, both confident", tables.ACCEPTED_COLUMNS, tables.accepted_rows(dice)
        )
    )
    show_some("accepted with a wrong value", [die.sentence for die in tables.accepted_wrong(dice)], listed)
    show_some("accepted though not flat", [die.sentence for die in tables.accepted_askew(dice)], listed)
    bold = [die for die in asked if die.is_answered and not die.is_value_right and die.label.is_flat]
    show_some("flat and answered with a wrong value, accepted or not", [die.sentence for die in bold], listed)
    show(table("how dice lie, label by reading", tables.STATE_COLUMNS, tables.state_rows(asked)))
    show(table("error of the tilt in degrees", tables.TILT_COLUMNS, tables.tilt_rows(asked)))
    show_throws(pictures, listed)
    strays = [stray for picture in pictures for stray in picture.strays]
    show(table("dice read where there are none", tables.STRAY_COLUMNS, tables.stray_rows(pictures)))
    show_some(
        "read where there are none", [stray.sentence for stray in strays if stray.kind is not Stray.TWICE], listed
    )
    show_some("dice not found", [die.sentence for die in asked if die.read is None], listed)
    if any(picture.cube for picture in pictures):
        show(table("the cube", tables.CUBE_COLUMNS, tables.cube_rows(pictures)))
    show(table("milliseconds on one core", tables.TIME_COLUMNS, tables.time_rows(pictures)))


def show_throws(pictures: Iterable[PictureScore], listed: int) -> None:
    throws = [picture.throw for picture in pictures if picture.throw is not None]
    if not throws:
        return
    show(table("throws under backgammon", tables.THROW_COLUMNS, tables.throw_rows(throws)))
    show_some("accepted wrongly", [throw.sentence for throw in throws if throw.is_wrong], listed)
    kept_back = [throw.sentence for throw in throws if throw.label.reason is None and not throw.valid]
    show_some("valid and not accepted", kept_back, listed)


def show_some(title: str, sentences: Sequence[str], listed: int) -> None:
    if sentences:
        more = [f"  … {len(sentences) - listed} more"] if len(sentences) > listed else []
        show(["", f"{title}: {len(sentences)}", *(f"  {sentence}" for sentence in sentences[:listed]), *more])


def sample_evenly(things: Sequence[Thing], limit: int | None) -> list[Thing]:
    """At most `limit` things, evenly chosen from first to last."""
    if limit is None or limit >= len(things):
        return list(things)
    return [things[number * len(things) // limit] for number in range(limit)]


def main(argv: Sequence[str] | None = None) -> int:
    options = _options(argv)
    cv2.setNumThreads(1)
    try:
        return 0 if _show_everything(options) else 1
    except (ModelFileError, BadLabelError) as error:
        report(str(error))
        return 1


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.dice", description=__doc__)
    parser.add_argument("folders", metavar="FOLDER", nargs="*", type=Path, help="rendered pictures with labels")
    parser.add_argument("--windows", metavar="DIR", nargs="+", type=Path, default=[], help="rendered crops around dice")
    parser.add_argument("--drawn", metavar="N", type=int, default=0, help="read throws on N drawn tables, 16 each")
    parser.add_argument("--real", metavar="DIR", type=Path, help="photographs of dice with labels.jsonl")
    parser.add_argument("--real-boards", metavar="DIR", type=Path, help="photographs of boards with labels.jsonl")
    parser.add_argument("--limit", metavar="N", type=int, help="read N pictures of each folder, evenly chosen")
    parser.add_argument(
        "--put-off",
        metavar="TIMES",
        type=int,
        default=0,
        help="read each picture of a folder TIMES times with small shifts of the proposals",
    )
    parser.add_argument("--spoiled", action="store_true", help="also read the pictures spoiled on purpose")
    parser.add_argument(
        "--wrong", metavar="N", type=int, default=40, help="name at most N of each kind of fault (default: 40)"
    )
    options = parser.parse_args(argv)
    if options.put_off < 0:
        parser.error(
            f"--put-off {options.put_off}: a picture is read once or more often; leave it out to read it as it is"
        )
    if options.limit is not None and options.limit < 1:
        parser.error(f"--limit {options.limit}: that leaves nothing to read; give 1 or more, or leave it out")
    if min(options.drawn, options.wrong) < 0:
        parser.error("--drawn and --wrong count things; give 0 or more")
    return options


def _show_everything(options: argparse.Namespace) -> bool:
    """Prints everything that was asked for, by default the usual folders. False when a named folder holds no pictures."""
    is_anything_named = bool(options.folders or options.windows or options.real or options.real_boards or options.drawn)
    boards = options.folders if is_anything_named else [DEFAULT_FOLDER]
    real, real_boards = (
        [default] if not is_anything_named and default.is_dir() else [named] if named else []
        for named, default in ((options.real, DEFAULT_REAL), (options.real_boards, DEFAULT_REAL_BOARDS))
    )
    kinds = (
        ("rendered boards", boards, rendered_labels, RENDERED_BAR),
        ("rendered windows", options.windows, rendered_labels, RENDERED_BAR),
        ("photographs", real, photograph_labels, PHOTOGRAPHS_BAR),
        ("photographs of boards", real_boards, photographed_boards, ""),
    )
    is_all_there = True
    for title, folders, labels_of, value_bar in kinds:
        labels: list[DiceLabel] = []
        for folder in folders:
            own = list(labels_of(folder))
            if not own:
                report(f"{folder}: no labelled pictures here; name a folder that has some")
                is_all_there = False
            labels += sample_evenly(own, options.limit)
        show_pictures(title, list(read_all(labels, options.put_off)), value_bar=value_bar, listed=options.wrong)
        if options.spoiled and folders is boards and labels:
            show_spoiled(labels, options.wrong)
    drawn = [read_one(pixels, label, _standing(pixels, label)) for pixels, label in drawn_throws(options.drawn)]
    show_pictures("drawn throws", drawn, value_bar=RENDERED_BAR, listed=options.wrong)
    return is_all_there


if __name__ == "__main__":
    sys.exit(main())
