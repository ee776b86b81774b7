"""`zarbiter calibrate`: finds the board in a source, directly or with a wizard on a page."""

import argparse
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from controller.pictures.picture_options import add_corners_option, parse_size_mm
from controller.subcommands.options import (
    SubParsers,
    UsageError,
    add_command,
    check_new_file,
    make_overlay_folder,
    parse_occupancy,
    resolve_position,
)

if TYPE_CHECKING:
    from controller.pictures.calibrate import CalibrationPriors, CalibrationResult
    from controller.pictures.overlays import OverlayFolder
    from vision import Refusal

_LOG = logging.getLogger("zarbiter.calibrate")


def add(commands: SubParsers, summary: str) -> None:
    calibrate = add_command(
        commands,
        "calibrate",
        _calibrate,
        summary,
        "Finds the board by tags on its rim, by a known position, or by its own outline, and says which.",
    )
    calibrate.add_argument(
        "source", metavar="SRC", nargs="?", help="a camera, a stream, a video, a picture or a folder of pictures"
    )
    calibrate.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="the file of the calibration (default with --page: where play looks for it)",
    )
    calibrate.add_argument(
        "--game", metavar="G", help="the game whose start position stands on the board (default: no known position)"
    )
    calibrate.add_argument(
        "--position", metavar="TEXT", help="this position of the game stands on the board, instead of its start"
    )
    calibrate.add_argument(
        "--seating", metavar="S", help="with --position: white=light|dark,edge=bottom|top,mirrored=yes|no"
    )
    calibrate.add_argument(
        "--occupancy",
        metavar="LIST",
        type=parse_occupancy,
        help="these checkers stand on the board, and no others: T1=dark:2,T6=light:5,...",
    )
    add_corners_option(calibrate)
    calibrate.add_argument(
        "--field-mm",
        metavar="WxH",
        type=parse_size_mm,
        help="the size of the field inside the rims, bar included (default: a width of 440 mm is assumed)",
    )
    calibrate.add_argument(
        "--overlay", metavar="DIR", type=Path, help="write a picture of what was read, learned and is weak in there"
    )
    calibrate.add_argument("--json", action="store_true", help="one JSON object on one line")
    calibrate.add_argument(
        "--page", action="store_true", help="show the result on a page, where its corners can be dragged"
    )
    for_page = calibrate.add_argument_group("with --page")
    for_page.add_argument("--web", metavar="HOST:PORT", help="where the page listens (default: this machine only)")
    for_page.add_argument("--headless", action="store_true", help="open no browser; the page's address is printed")
    calibrate.set_defaults(stay=False)


def _calibrate(options: argparse.Namespace) -> bool:
    _check_options(options)
    return _calibrate_on_page(options) if options.page else _calibrate_directly(options)


def _check_options(options: argparse.Namespace) -> None:
    missing = [name for name, given in (("SRC", options.source), ("-o/--output", options.output)) if given is None]
    if missing and not options.page:
        raise UsageError(f"the following arguments are required: {', '.join(missing)}; see zarbiter calibrate --help")
    if options.occupancy is not None and (options.game or options.position):
        raise UsageError("--occupancy tells the whole board; leave --game and --position out")
    if options.seating and not options.position:
        raise UsageError("--seating goes with --position; add that, or leave it out")
    if options.page and (options.occupancy is not None or options.position):
        raise UsageError("--page knows the start positions of games only; leave --position and --occupancy out")
    for name in ("web", "headless"):
        if getattr(options, name) and not options.page:
            raise UsageError(f"--{name} goes with --page; add that, or leave it out")
    if options.page and options.overlay is not None:
        raise UsageError("--page shows what is read on the page; leave --overlay out")
    if options.page and options.corners is not None:
        raise UsageError("--corners are set on the page with --page; leave one of them out")
    if options.output is not None:
        check_new_file(options.output, "-o")
        _check_not_overwriting(options.output)


def _check_not_overwriting(file: Path) -> None:
    """Only a calibration may be overwritten: a mistyped -o could name the picture itself."""
    from vision.field.calibration_file import may_be_replaced

    if not may_be_replaced(file):
        raise UsageError(f"-o: {file} is there and is no calibration; name another file, or delete it first")


def _calibrate_on_page(options: argparse.Namespace) -> bool:
    from controller.subcommands.match.calibration_choice import calibration_path
    from controller.subcommands.match.calibration_page import calibrate_on_page
    from controller.subcommands.options import resolve_settings

    settings = resolve_settings(options)
    file = options.output or calibration_path(settings.camera.calibration, options.data)
    return calibrate_on_page(options, settings, file)


def _calibrate_directly(options: argparse.Namespace) -> bool:
    from controller.pictures.calibrate import CalibrationPriors
    from vision import Refusal

    file: Path = options.output
    known = CalibrationPriors(options.corners, options.field_mm, resolve_position(options))
    overlays = make_overlay_folder(options.overlay, [options.source])
    done = _calibrate_source(options.source, known, file)
    is_drawn = overlays is None or isinstance(done, Refusal) or _save_overlay(done, overlays)
    _print_result(done, file, as_json=options.json)
    return is_drawn and not isinstance(done, Refusal)


def _save_overlay(done: "CalibrationResult", overlays: "OverlayFolder") -> bool:
    """Whether the picture was written; if it was not, the reason is reported."""
    from controller.pictures.calibrate import draw_calibration
    from vision import VisionError

    drawn = draw_calibration(done)
    if drawn is None:
        _LOG.error("--overlay: no picture shows the calibrated view; give pictures of one size")
        return False
    try:
        overlays.save("calibration", drawn)
    except VisionError as error:
        _LOG.error("%s", error)
        return False
    return True


def _calibrate_source(name: str, known: "CalibrationPriors", file: Path) -> "CalibrationResult | Refusal":
    """Calibrates from the source and saves to `file`; a failing source gives a Refusal."""
    from controller.pictures.calibrate import CalibrationResult, calibrate_source
    from controller.pictures.live_calibration import calibrate_live
    from vision import Refusal, VisionError, save_calibration
    from vision.camera.recorded import Pictures, Video
    from vision.camera.sources import open_source

    try:
        with open_source(name) as source:
            is_recording = isinstance(source, Pictures | Video)
            done = (calibrate_source if is_recording else calibrate_live)(source, known, report=_LOG.warning)
        if isinstance(done, CalibrationResult):
            save_calibration(done.calibration, file)
    except VisionError as error:
        return Refusal(str(error))
    return done


def _print_result(done: "CalibrationResult | Refusal", file: Path, *, as_json: bool) -> None:
    import json

    from controller.pictures.calibrate import CalibrationResult, calibration_lines, calibration_record

    if as_json:
        print(json.dumps(calibration_record(done, str(file))))
    elif isinstance(done, CalibrationResult):
        for line in calibration_lines(done, str(file)):
            print(line)
    else:
        _LOG.error("not calibrated: %s", done.reason)
