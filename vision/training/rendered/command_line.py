"""Renders labelled still pictures of boards.

    python -m vision.training.rendered --out DIR --n 200 --seed 7

Picture i depends on the seed and i alone: --start i --n 1 makes it again (its label to the last digit, its pixels up to
noise), and --skip-existing resumes a stopped run. Each picture prints one line of progress.
"""

import argparse
import json
import logging
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.errors import VisionError
from vision.training.rendered.labels import Json
from vision.training.rendered.layout.dice_state import ThrowOutcome, judge_throw
from vision.training.rendered.scene import draw_scene
from vision.training.rendered.tracing.mitsuba_backend import free_memory, start

_LOG = logging.getLogger("vision.training.rendered")
SEED_STEP = 100_003  # prime, so that runs of different seeds share no scene up to this many pictures
_EXIT_OK, _EXIT_FAILED = 0, 1


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--n", type=int, default=10, help="how many pictures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--width", type=int, default=800, help="in pixels; the height is three quarters of it")
    parser.add_argument("--threads", type=int, default=0, help="0: one for each core")
    parser.add_argument("--skip-existing", action="store_true", help="leave finished pictures as they are")
    parser.add_argument("--samples", type=int, default=6, help="for each pixel")
    parser.add_argument("--bounces", type=int, default=3, help="of light")
    parser.add_argument("--scale", type=float, default=0.75, help="traced size over picture size")
    parser.add_argument("--die-samples", type=int, default=64, help="for each pixel around dice; 0: as elsewhere")
    parser.add_argument("--wanted", type=ThrowOutcome, help="an outcome of the dice for all pictures, such as cocked")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 1 when a number failed."""
    return render_numbers(parse(argv), render)


def render_numbers(args: argparse.Namespace, render: Callable[[argparse.Namespace, int, str], str]) -> int:
    """Renders each number and prints a line of progress; a failure is left out. Returns 1 when one failed, else 0."""
    logging.basicConfig(stream=sys.stdout, format="%(message)s", level=logging.INFO)
    args.out.mkdir(parents=True, exist_ok=True)
    start(args.threads)
    status = _EXIT_OK
    for number in range(args.start, args.start + args.n):
        name = f"{number:04d}"
        if args.skip_existing and is_finished(args.out, name):
            continue
        try:
            _LOG.info("%s %s", name, render(args, number, name))
        except (VisionError, RuntimeError, ValueError, cv2.error) as error:
            _LOG.info("%s FAILED %r", name, error)
            status = _EXIT_FAILED
        free_memory()
    return status


def is_finished(folder: Path, name: str) -> bool:
    """The label is written last, so a picture with a label is whole."""
    return (folder / f"{name}.json").exists()


def render(args: argparse.Namespace, number: int, name: str) -> str:
    """Writes picture and label. Returns the line of progress."""
    from vision.training.rendered.layout.dice_throw import throw_dice
    from vision.training.rendered.picture import take_picture
    from vision.training.rendered.tracing.path_tracer import TraceQuality

    begun = time.monotonic()
    scene = draw_scene(args.seed * SEED_STEP + number, throw_dice, args.wanted)
    drawn = time.monotonic()
    quality = TraceQuality(
        samples=args.samples,
        bounces=args.bounces,
        scale=args.scale,
        die_samples=args.die_samples,
        texture_px_per_mm=float(np.clip(3 * args.width / 1280, 1.5, 3)),
    )
    camera = scene.camera.resize(args.width, args.width * 3 // 4)
    image, label = take_picture(scene, camera, quality, f"{name}.jpg")
    cv2.imwrite(str(args.out / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, scene.photo.jpeg_quality])
    write_label(args.out / f"{name}.json", label)
    words = (scene.table.ground.value, scene.lighting.setup.value, judge_throw(scene.dice).value, label["difficulty"])
    return f"{time.monotonic() - begun:.1f} s (drawn in {drawn - begun:.1f} s) {' '.join(map(str, words))}"


def write_label(path: Path, label: Json) -> None:
    """Atomic: a label is whole or absent, even when the run is stopped."""
    unfinished = path.with_suffix(".part")
    unfinished.write_text(json.dumps(label, separators=(",", ":")), encoding="utf-8")
    unfinished.replace(path)
