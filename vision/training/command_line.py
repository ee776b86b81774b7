"""`python -m vision.training STEP`: makes the weights in vision/models, one step or all of them.

A step that was stopped resumes where it was. README.md beside this file describes data, steps and options.
"""

import argparse
import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.training.all_networks import NETWORKS, build_new
from vision.training.dice_networks import DieNetwork
from vision.training.export import MODELS, export_all
from vision.training.learning import Learner, LossFunction, Samples, Schedule, TrainingError, load_batches, train
from vision.training.published_weights import PublishedTeacher, load_published_weights, pretrain_masks
from vision.training.samples.clutter_augmentation import list_things, write_cluttered_pictures
from vision.training.samples.crop_store import list_crops, write_crops
from vision.training.samples.dice_crops import CUBE_CROP_OPTIONS, draw_crops
from vision.training.samples.hard_negatives import mine_hard_negatives
from vision.training.samples.picture_store import draw_pictures, has_board, has_dice_labels, list_labelled_pictures
from vision.training.samples.rendered_crops import cut_crops, read_window_crops
from vision.training.steps import TRAINING_STEPS, PictureSource

STEPS = (
    *("draw", "dice_crops", "checkers", "small", "edges", "dice_finder", "export", "clutter", "hard_negatives"),
    *("dice", "dice_fine_tune", "dice_glance", "cube_crops", "cube_number", "export"),
)
NORMALISATION_BATCHES = 24  # batches that give the first means and variances of published weights
# One mosaic for every 64 crops. Mosaics are full of dice: with half of all samples mosaics, the network ranks much
# else on whole boards above dice.
CROPS_A_MOSAIC = 64
MOST_REPEATS = 8
_CUBE = re.compile('"cube_value":[0-9]')


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parse(arguments)
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    for step in STEPS if options.step == "all" else [options.step]:
        try:
            _take_step(step, options)
        except TrainingError as error:
            raise SystemExit(str(error)) from error


def _take_step(step: str, options: argparse.Namespace) -> None:
    if step in TRAINING_STEPS:
        _train(step, options)
    else:
        _OTHER_STEPS[step](options)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    add = parser.add_argument
    add("step", choices=[*dict.fromkeys(STEPS), "all"])
    add("--work", type=Path, default=Path("training-work"), help="folder of pictures, crops and training states")
    add("--rendered", type=Path, nargs="*", default=[], help="folders of vision.training.rendered")
    add("--dice-windows", type=Path, nargs="*", default=[], help="folders of vision.training.rendered.dice_windows")
    add("--textures", type=Path, help="a folder of real textures with index.jsonl: `draw` ornaments boards with them")
    add("--pictures", type=int, default=6000, help="how many pictures `draw` makes")
    add("--crops", type=int, default=20000, help="how many crops with dice `dice_crops` draws")
    add("--cubes", type=int, default=5000, help="how many crops with the cube `cube_crops` draws")
    add("--negatives-in", type=int, default=1000, help="in how many pictures to mine hard negatives")
    add("--clutter", type=Path, help="a folder of cut-out objects that are no dice (PNG, WebP)")
    add("--cluttered-pictures", type=int, default=4000, help="how many pictures with such objects to make")
    add("--first", type=int, default=0, help="number of the first picture or crop")
    add("--steps", type=int, help="another number of optimiser steps")
    add("--rate", type=float, help="another peak learning rate")
    add("--batch", type=int, help="another batch size")
    add("--workers", type=int, default=1, help="how many processes make samples")
    add("--fine-tune", action="store_true", help="start from the published weights, where no state exists yet")
    add("--pretrained", action="store_true", help="checkers: begin with layers that were pre-trained on photographs")
    add("--distil", action="store_true", help="the published network's answers count beside the labels")
    add("--interpolate", type=float, default=1.0, help="export: 0 keeps the published weights, 1 takes the new ones")
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    distilled = [name for name, step in TRAINING_STEPS.items() if step.can_distil]
    if options.distil and options.step not in (*distilled, "all"):
        parser.error(f"--distil is for {', '.join(distilled)}: leave it out")
    if options.pretrained and options.fine_tune:
        parser.error("--pretrained trains from nothing and --fine-tune from the published weights: leave one out")
    if options.step == "clutter" and options.clutter is None:
        parser.error("the step clutter needs pictures of objects: name their folder with --clutter")
    return options


def _train(name: str, options: argparse.Namespace) -> None:
    step = TRAINING_STEPS[name]
    network = step.network or name
    overrides = {"steps": options.steps, "rate": options.rate, "batch": options.batch}
    schedule = replace(step.schedule, **{key: value for key, value in overrides.items() if value})
    samples = Samples(_select_pictures(step.source, options), step.make, options.seed)
    loss: LossFunction = step.loss
    if options.distil and step.can_distil:
        loss = partial(step.loss, teacher=PublishedTeacher(MODELS / f"{network}.onnx", NETWORKS[network].outputs[0]))
    train(_make_learner(network, samples, schedule, options), loss, samples, options.workers)


def _make_learner(name: str, samples: Samples, schedule: Schedule, options: argparse.Namespace) -> Learner:
    state_file = options.work / f"{name}.state"
    if options.fine_tune and not state_file.exists():
        network = _load_published(name, samples, schedule, options)
    else:
        is_without = options.step == "all" and NETWORKS[name].build_pretrained is None
        network = build_new(name, pretrained=options.pretrained and not is_without)
    return Learner(network, state_file, schedule)


def _load_published(name: str, samples: Samples, schedule: Schedule, options: argparse.Namespace) -> nn.Module:
    some = list(islice(load_batches(samples, schedule.batch, options.workers), NORMALISATION_BATCHES))
    network = load_published_weights(NETWORKS[name].build(), MODELS / f"{name}.onnx", [batch[0] for batch in some])
    return pretrain_masks(network, some) if isinstance(network, DieNetwork) else network


def _select_pictures(source: PictureSource, options: argparse.Namespace) -> "_BalancedPictures":
    work, traced = options.work, [options.work / "dice_traced"]
    if source is PictureSource.CROPS:
        drawn_crops = [work / name for name in ("dice", "dice_mistakes", "dice_among_things", "cubes")]
        return _BalancedPictures(partial(list_crops, drawn_crops), partial(list_crops, traced))
    if source is PictureSource.CUBE_CROPS:
        drawn_cubes = partial(_list_cube_crops, [work / "dice", work / "cubes"])
        return _BalancedPictures(drawn_cubes, partial(_list_cube_crops, traced))
    wanted = {PictureSource.ALL_PICTURES: _accept_any, PictureSource.DICE_PICTURES: has_dice_labels}.get(
        source, has_board
    )
    drawn, rendered = (partial(_filter_pictures, folders, wanted) for folders in ([work / "drawn"], options.rendered))
    whole = _BalancedPictures(drawn, rendered)
    if source is not PictureSource.DICE_PICTURES:
        return whole
    mosaics = partial(_list_mosaic_crops, [work / "dice", work / "dice_mistakes", *traced])
    return _BalancedPictures(mosaics, whole)


def _list_mosaic_crops(folders: Sequence[Path]) -> list[Path]:
    return list_crops(folders)[::CROPS_A_MOSAIC]


@lru_cache(maxsize=8)
def _filter_cube_crops(labels: tuple[Path, ...]) -> list[Path]:
    return [label for label in labels if _CUBE.search(label.read_text("utf-8"))]


def _list_cube_crops(folders: Sequence[Path]) -> list[Path]:
    return _filter_cube_crops(tuple(list_crops(folders)))


def _accept_any(_: Path) -> bool:
    return True


def _filter_pictures(folders: Sequence[Path], wanted: Callable[[Path], bool]) -> list[Path]:
    return [picture for picture in list_labelled_pictures(folders) if wanted(picture)]


class _BalancedPictures:
    """Rendered pictures are few and the best: each is repeated until they make half of all samples."""

    def __init__(self, drawn: Callable[[], list[Path]], rendered: Callable[[], list[Path]]) -> None:
        self.drawn, self.rendered = drawn, rendered

    def __call__(self) -> list[Path]:
        drawn, rendered = self.drawn(), self.rendered()
        times = max(1, round(len(drawn) / len(rendered))) if rendered else 0
        return drawn + rendered * min(times, MOST_REPEATS)


def _draw_pictures(options: argparse.Namespace) -> None:
    count, textures = options.pictures, options.textures
    draw_pictures(options.work / "drawn", first=options.first, count=count, seed=options.seed, textures=textures)


def _write_dice_crops(options: argparse.Namespace) -> None:
    """Crops with dice: cut from the rendered pictures and windows, and drawn into all labelled pictures."""
    traced = options.work / "dice_traced"
    if not traced.exists():
        rng = np.random.default_rng(options.seed)
        labels = [picture.with_suffix(".json") for picture in list_labelled_pictures(options.rendered)]
        count = write_crops(traced, chain.from_iterable(cut_crops(label, rng) for label in labels), first=0)
        scenes = [label for folder in options.dice_windows for label in sorted(folder.glob("*.json"))]
        write_crops(traced, chain.from_iterable(read_window_crops(label) for label in scenes), first=count)
    crops = draw_crops(_list_backgrounds(options), options.crops, seed=options.seed, first=options.first)
    write_crops(options.work / "dice", crops, first=options.first)


def _write_cube_crops(options: argparse.Namespace) -> None:
    crops = draw_crops(
        _list_backgrounds(options), options.cubes, seed=options.seed, first=options.first, options=CUBE_CROP_OPTIONS
    )
    write_crops(options.work / "cubes", crops, first=options.first)


def _write_cluttered_pictures(options: argparse.Namespace) -> None:
    """Pictures with objects around and on the board, and crops of their dice; nothing where no objects are given."""
    if options.clutter is None:
        return
    out, things = options.work / "among_things", list_things(options.clutter)
    backgrounds, count = _list_backgrounds(options), options.cluttered_pictures
    write_cluttered_pictures(out, backgrounds, things, first=options.first, count=count, seed=options.seed)
    rng = np.random.default_rng(options.seed)
    labels = [picture.with_suffix(".json") for picture in list_labelled_pictures([out])]
    crops = chain.from_iterable(cut_crops(label, rng) for label in labels if label.exists())
    write_crops(options.work / "dice_among_things", crops, first=0)


def _write_hard_negatives(options: argparse.Namespace) -> None:
    pictures = _filter_pictures([options.work / "drawn", *options.rendered], has_dice_labels)
    pictures = pictures[max(len(pictures) - options.negatives_in, 0) :]
    pictures += list_labelled_pictures([options.work / "among_things"])
    write_crops(options.work / "dice_mistakes", mine_hard_negatives(pictures), first=0)


def _list_backgrounds(options: argparse.Namespace) -> list[Path]:
    backgrounds = _filter_pictures([options.work / "drawn", *options.rendered], has_dice_labels)
    return [picture for picture in backgrounds if has_board(picture)]


def _export(options: argparse.Namespace) -> None:
    export_all(options.work, options.interpolate)


_OTHER_STEPS: dict[str, Callable[[argparse.Namespace], None]] = {
    "draw": _draw_pictures,
    "dice_crops": _write_dice_crops,
    "cube_crops": _write_cube_crops,
    "clutter": _write_cluttered_pictures,
    "hard_negatives": _write_hard_negatives,
    "export": _export,
}
