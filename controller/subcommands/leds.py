"""`zarbiter leds test`, `leds map` and `leds off`: tries, maps and darkens the LED strip."""

import argparse
import json
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from controller.subcommands.match.calibration_choice import read_calibration
from controller.subcommands.options import (
    SubParsers,
    UsageError,
    add_command,
    add_light_board_options,
    positive,
)

if TYPE_CHECKING:
    from controller.lights.led_mapping import LedMap
    from controller.subcommands.match.light_boards import Strip
    from firmware_bridge import LedLayout
    from vision import Calibration

_LOG = logging.getLogger("zarbiter.leds")

_SCENE_S = 4.0
_PROGRESS_MS = 2_000
_LED_HEIGHT_MM = 15.0  # the printed rail on a usual rim; the same default as in LedLimits
_MAX_LED_HEIGHT_MM = 100.0
_POINTING_MS = 700  # time to find the LED that is lit and to read its number


def add(commands: SubParsers, summary: str) -> None:
    leds = commands.add_parser("leds", help=summary)
    jobs = leds.add_subparsers(title="commands", metavar="COMMAND", required=True)
    test, mapping, _ = (
        add_command(jobs, name, run, description, description)
        for name, run, description in (
            ("test", _test, "show every signal of the lights once and say what should be seen"),
            ("map", _map, "light the LEDs one after the other and find the place of each"),
            ("off", _off, "make the strip dark and verify it"),
        )
    )
    for job in jobs.choices.values():
        add_light_board_options(job)
        job.add_argument("--json", action="store_true", help="one JSON object on one line at the end")
    test.add_argument(
        "--seconds",
        metavar="S",
        type=positive("time", 3600, " seconds"),
        default=_SCENE_S,
        help=f"duration of each scene (default: {_SCENE_S:g})",
    )
    mapping.add_argument("--camera", metavar="SRC", help="the camera over the board; without it a table is printed")
    mapping.add_argument(
        "--calibration", metavar="FILE", type=Path, help="the calibration of that camera, made by zarbiter calibrate"
    )
    mapping.add_argument(
        "--led-height",
        metavar="MM",
        type=_parse_height_mm,
        default=_LED_HEIGHT_MM,
        help=f"height of the LEDs above the playing surface, for the camera (default: {_LED_HEIGHT_MM:g})",
    )
    mapping.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the layout there")


def _parse_height_mm(text: str) -> float:
    try:
        height_mm = float(text)
    except ValueError:
        height_mm = -1.0
    if not 0 <= height_mm <= _MAX_LED_HEIGHT_MM:
        raise argparse.ArgumentTypeError(f"{text} is no height; give millimetres from 0 to {_MAX_LED_HEIGHT_MM:g}")
    return height_mm


def _test(options: argparse.Namespace) -> bool:
    from controller.lights.light_show import SCENES, run_show
    from controller.subcommands.match.light_boards import choose_layout, open_strip, resolve_layout
    from firmware_bridge import BridgeError

    given = resolve_layout(options)
    try:
        with open_strip(options, given) as strip:
            layout = choose_layout(strip, given)
            _warn(strip)
            _warn_of_unlit(layout)
            say = _LOG.info if options.json else print
            done = run_show(strip.board, layout, strip.pace, scene_ms=round(1000 * options.seconds), announce=say)
    except BridgeError as error:
        return _report_failure(error, options)
    scenes = [scene.expected for scene in SCENES]
    record = {**_board_record(strip), "scenes": scenes, "pictures": done.pictures, "limited": done.limited}
    limited = f", {done.limited} of them dimmed to stay below the cap" if done.limited else ""
    _print_result(
        options, record, [f"{done.pictures} pictures were sent{limited}; of each, {_verification_text(strip)}."]
    )
    return True


def _off(options: argparse.Namespace) -> bool:
    from controller.subcommands.match.light_boards import open_strip, resolve_layout
    from firmware_bridge import BridgeError, LedFrame
    from firmware_bridge.boards import Verification

    try:
        with open_strip(options, resolve_layout(options)) as strip:
            strip.board.show(LedFrame.dark(strip.led_count))
    except BridgeError as error:
        return _report_failure(error, options)
    lines = [f"Dark was sent; {_verification_text(strip)}."]
    if strip.identity.verified is Verification.READBACK:
        lines.append("In 2.5 s WLED goes back to its own light; switch that off in WLED.")
    _print_result(options, {**_board_record(strip), "dark": True}, lines)
    return True


def _map(options: argparse.Namespace) -> bool:
    from controller.subcommands.match.light_boards import choose_layout, open_strip, resolve_layout
    from firmware_bridge import BridgeError
    from vision import VisionError

    _check_map(options)
    given = resolve_layout(options)
    calibration = None if options.calibration is None else read_calibration(options.calibration)
    try:
        with open_strip(options, given) as strip:
            _warn(strip)
            if calibration is None:
                return _point_at_each(strip, choose_layout(strip, given), options)
            found = _map_by_camera(strip, calibration, options)
        return _report_map(strip, found, options)
    except (BridgeError, VisionError) as error:
        return _report_failure(error, options)


def _check_map(options: argparse.Namespace) -> None:
    file: Path | None = options.output
    if (options.camera is None) is not (options.calibration is None):
        raise UsageError("--camera and --calibration go together; give both, or none for a table")
    if options.camera is not None and file is None:
        raise UsageError("give -o FILE, where the layout that the camera finds is kept")
    if file is not None and file.is_dir():
        raise UsageError(f"-o: {file} is a folder; name a file in it")
    if file is not None and not file.parent.is_dir():
        raise UsageError(f"-o: the folder {file.parent} is not there; make it, or name a file in another")
    if file is not None and not os.access(file.parent, os.W_OK):
        raise UsageError(f"-o: nothing may be written to the folder {file.parent}; name a file in another")


def _map_by_camera(strip: "Strip", calibration: "Calibration", options: argparse.Namespace) -> "LedMap":
    from controller.lights.led_mapping import CameraPhotographer, map_leds
    from vision.camera.sources import open_source
    from vision.field.led_finder import LedLimits

    limits = LedLimits(rim_height_mm=options.led_height)
    reported_ms = strip.pace.now_ms()

    def report(done: int) -> None:
        nonlocal reported_ms
        if strip.pace.now_ms() - reported_ms >= _PROGRESS_MS:
            reported_ms = strip.pace.now_ms()
            _LOG.warning("%d of %d LEDs checked", done, strip.led_count)

    with open_source(options.camera) as source:
        photographer = CameraPhotographer(strip.board, source, strip.pace)
        return map_leds(photographer, strip.led_count, calibration, report=report, limits=limits)


def _report_map(strip: "Strip", found: "LedMap", options: argparse.Namespace) -> bool:
    """Saves an incomplete layout too, which is a failure; prints the result even if it cannot be saved."""
    from controller.lights.led_mapping import map_lines, map_record

    kept = _save_layout(found.layout, options.output)
    record = {**_board_record(strip), **map_record(found), "layout": None if kept is None else str(kept)}
    _print_result(options, record, [*map_lines(found), *([] if kept is None else [f"Kept in {kept}."])])
    if not found.is_complete:
        _LOG.error("some LEDs were not seen, or some points have none; take away what hides them and map again")
    return found.is_complete and kept is not None


def _save_layout(layout: "LedLayout | None", file: Path | None) -> Path | None:
    """The file, or None if nothing was saved."""
    from firmware_bridge import LayoutFileError, save_layout

    if layout is None or file is None:
        return None
    try:
        save_layout(layout, file)
    except LayoutFileError as error:
        _LOG.error(str(error))
        return None
    return file


def _point_at_each(strip: "Strip", layout: "LedLayout", options: argparse.Namespace) -> bool:
    """Without a camera: lights one LED after the other and prints its place in the layout, for correction by hand."""
    from controller.lights.led_mapping import make_single_led_frame
    from firmware_bridge import LedFrame
    from firmware_bridge.layout_file import layout_value

    say = _LOG.info if options.json else print
    say("Each LED is lit in turn; correct in the layout what lies elsewhere.")
    for led, place in enumerate(layout.place_of):
        strip.board.show(make_single_led_frame(led, layout.led_count))
        say(f"LED {led:3}  {'-' if place is None else place.value}")
        strip.pace.wait(_POINTING_MS // 2)
        strip.board.health()
        strip.pace.wait(_POINTING_MS // 2)
    strip.board.show(LedFrame.dark(layout.led_count))
    file: Path | None = options.output
    kept = _save_layout(layout, file)
    _print_result(
        options, {**_board_record(strip), **layout_value(layout)}, [] if kept is None else [f"Kept in {kept}."]
    )
    return kept == file


def _warn(strip: "Strip") -> None:
    for warning in strip.board.health().warnings:
        _LOG.warning(warning)


def _warn_of_unlit(layout: "LedLayout") -> None:
    unlit = layout.unlit_points()
    if unlit:
        _LOG.warning("no LED lies at %s; what is meant for them is not seen", ", ".join(p.value for p in unlit))


def _board_record(strip: "Strip") -> dict[str, object]:
    identity = strip.identity
    return {
        "board": identity.name,
        "port": identity.port,
        "verified": identity.verified.value,
        "simulated": identity.is_simulated,
        "leds": strip.led_count,
        "cap_ma": identity.cap_ma,
    }


def _verification_text(strip: "Strip") -> str:
    from firmware_bridge.boards import Verification

    name = f"{strip.identity.name} on {strip.identity.port}{' (simulated)' if strip.identity.is_simulated else ''}"
    match strip.identity.verified:
        case Verification.DIGEST:
            how = "confirmed it by the digest of what it clocked out"
        case Verification.READBACK:
            how = "gave it back as it was sent"
        case Verification.NONE:
            how = "cannot say what is lit"
    return f"{name} {how}"


def _print_result(options: argparse.Namespace, record: dict[str, object], lines: list[str]) -> None:
    for line in [json.dumps(record)] if options.json else lines:
        print(line)


def _report_failure(error: Exception, options: argparse.Namespace) -> bool:
    _LOG.error(str(error))
    if options.json:
        print(json.dumps({"error": str(error)}))
    return False
