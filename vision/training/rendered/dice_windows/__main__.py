"""Renders windows around dice instead of whole boards, for readers of dice.

    python -m vision.training.rendered.dice_windows --out DIR --n 500 --seed 801

Each number is one scene with five to eight dice; most of them lean on checkers, bar or rim, lie on them, touch each
other or are hidden. NNNN.json is its label, written last; NNNN_k.jpg are its windows: one for each die and for the
cube, and one or two without either. They show what a camera of 960x720 to 1600x1200 records, exposed for the whole
picture. `--styles held_apart` draws only the styles that the default never draws (see `styles.py`). `--whole 800` makes
one picture NNNN.jpg of each scene instead, 800 pixels wide, for the proposal network.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2

from vision.training.rendered.command_line import SEED_STEP, render_numbers, write_label
from vision.training.rendered.dice_windows.scene import draw_dice_scene
from vision.training.rendered.dice_windows.styles import StyleSet


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--n", type=int, default=10, help="how many scenes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--threads", type=int, default=0, help="0: one for each core")
    parser.add_argument("--skip-existing", action="store_true", help="leave finished scenes as they are")
    parser.add_argument("--samples", type=int, default=16, help="for each pixel")
    parser.add_argument("--whole", metavar="WIDTH", type=int, help="in pixels, of whole pictures instead of windows")
    parser.add_argument("--styles", type=StyleSet, default=StyleSet.TRAINING, choices=tuple(StyleSet))
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Exit status: 1 when a number failed."""
    return render_numbers(parse(argv), render)


def render(args: argparse.Namespace, number: int, name: str) -> str:
    """Writes windows, or the whole picture, and the label. Returns the line of progress."""
    from vision.training.rendered.dice_windows.picture import take_whole, take_windows
    from vision.training.rendered.dice_windows.throws import throw_many

    begun = time.monotonic()
    dice_scene = draw_dice_scene(args.seed * SEED_STEP + number, throw_many, args.styles)
    drawn = time.monotonic()
    if args.whole is None:
        images, label = take_windows(dice_scene, args.samples, name)
        pictures = {f"{name}_{order}.jpg": image for order, image in enumerate(images)}
    else:
        image, label = take_whole(dice_scene, args.samples, name, args.whole)
        pictures = {f"{name}.jpg": image}
    quality = dice_scene.scene.photo.jpeg_quality
    for picture, image in pictures.items():
        cv2.imwrite(str(args.out / picture), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    write_label(args.out / f"{name}.json", label)
    states = " ".join(die.state.value for die in dice_scene.scene.dice)
    return f"{time.monotonic() - begun:.1f} s (drawn in {drawn - begun:.1f} s) {len(pictures)} pictures: {states}"


if __name__ == "__main__":
    sys.exit(main())
