"""`python -m vision.training WHAT`: from nothing to the weights in vision/models, one step or all of them.

Every step goes on where it was stopped. The recipe with its times stands in README.md beside this file.
"""

import argparse
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import chain, islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from vision.dice.readings import DieState
from vision.training.all_networks import NETWORKS
from vision.training.dice_networks import DieNetwork
from vision.training.dice_objectives import cube_number_loss, dice_finder_loss, die_loss, glance_loss
from vision.training.export import MODELS, export_all
from vision.training.learning import Batch, Learner, LossOf, Samples, Schedule, batches, train
from vision.training.objectives import checker_loss, edge_loss, small_loss
from vision.training.published import PublishedAnswers, with_published_weights
from vision.training.published_masks import with_learned_masks
from vision.training.samples.among_things import put_among_things, things_in
from vision.training.samples.checker_samples import sample_of
from vision.training.samples.cube_samples import cube_samples
from vision.training.samples.dice_crops import CUBES, drawn_crops
from vision.training.samples.dice_samples import dice_sample, turned
from vision.training.samples.dice_store import crop_files, read_crop, write_crops
from vision.training.samples.field_samples import edge_sample, small_sample
from vision.training.samples.finder_samples import TILES, finder_sample, mosaic_sample
from vision.training.samples.glance_samples import glance_sample, turned_glance
from vision.training.samples.mistaken_places import mistaken_crops
from vision.training.samples.picture_store import (
    draw_pictures,
    has_board,
    knows_dice,
    labelled_pictures,
    load,
    load_board,
    load_dice,
)
from vision.training.samples.rendered_dice import crops_of, crops_of_windows, known_board

STEPS = (
    "draw",
    "dice_crops",
    "checkers",
    "small",
    "edges",
    "dice_finder",
    "export",
    "among_things",
    "mistakes",
    "dice",
    "dice_as_thrown",
    "dice_quick",
    "dice_side_by_side",
    "dice_second_opinion",
    "dice_third_opinion",
    "dice_doubt",
    "dice_glance",
    "cube_crops",
    "cube_number",
    "export",
)
SCHEDULES = {
    "checkers": Schedule(steps=16000),
    "small": Schedule(steps=5000, batch=24),
    "edges": Schedule(steps=4000),
    "dice": Schedule(steps=17000, batch=64, rate=1e-3),
    "dice_as_thrown": Schedule(steps=23000, batch=64, rate=1e-3),  # goes on with "dice"
    "dice_quick": Schedule(steps=40000, batch=64, rate=1e-3),
    "dice_side_by_side": Schedule(steps=50000, batch=64, rate=5e-4),  # both go on
    "dice_second_opinion": Schedule(steps=40000, batch=64, rate=1e-3),
    "dice_third_opinion": Schedule(steps=40000, batch=64, rate=1e-3),
    "dice_doubt": Schedule(steps=40000, batch=64, rate=1e-3),
    "dice_glance": Schedule(steps=20000, batch=64),
    "dice_finder": Schedule(steps=5000, batch=16),
    "cube_number": Schedule(steps=17000, batch=64),
}

LEARNING = {
    "dice_as_thrown": ("dice",),
    "dice_side_by_side": ("dice", "dice_quick"),
    "dice_doubt": ("dice_doubt", "dice_doubt_nearer"),
}  # others: the one so called

NORMALISED_OVER = 24  # batches, for the first means and spreads of published weights
TURNS = PIECES = 3
FEWER = 4  # of the mosaics that all pieces would make
FLAT_LEFT_OUT = 0.6  # of the crops with one or two dice that lie flat
FLAT = DieState.FLAT.value
SLIGHT_LEAN_DEG = 10.0
SLIGHT_LEANS_LEFT_OUT = 0.8
_LEANS_ON_NO_CHECKER = re.compile('"state":"cocked","tilt_deg":([0-9.]+)[^{}]*"touches_checker":false')
_CUBE = re.compile('"cube_value":[0-9]')
_STATES = re.compile('"state":"(\\w+)"')


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("step", choices=[*dict.fromkeys(STEPS), "all"])
    parser.add_argument("--work", type=Path, default=Path("training-work"), help="where pictures and states lie")
    parser.add_argument("--rendered", type=Path, nargs="*", default=[], help="folders of vision.training.rendered")
    parser.add_argument("--dice-windows", type=Path, nargs="*", default=[], help="the same, of its windows around dice")
    parser.add_argument("--pictures", type=int, default=6000, help="how many to draw")
    parser.add_argument("--crops", type=int, default=20000, help="how many pieces with dice to draw")
    parser.add_argument("--cubes", type=int, default=5000, help="how many pieces with the cube to draw")
    parser.add_argument("--mistaken-in", type=int, default=1000, help="in how many pictures to look for no dice")
    parser.add_argument("--things", type=Path, help="a folder of things that are no dice, cut out (PNG, WebP)")
    parser.add_argument("--among", type=int, default=4000, help="how many pictures to make with such things in them")
    parser.add_argument("--first", type=int, default=0, help="number of the first picture or piece to draw")
    parser.add_argument("--steps", type=int, help="shorten or lengthen the training")
    parser.add_argument("--rate", type=float, help="another highest rate of learning")
    parser.add_argument("--batch", type=int, help="another number of samples a step")
    parser.add_argument("--workers", type=int, default=1, help="how many processes make samples")
    parser.add_argument("--go-on", action="store_true", help="from the published weights, where no state is there yet")
    parser.add_argument("--taught", action="store_true", help="what the published file says of the same counts as well")
    parser.add_argument("--share", type=float, default=1.0, help="export: of the way from the published weights")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    if options.taught and options.step not in (*TAUGHT, "all"):
        parser.error(f"--taught is for {', '.join(TAUGHT)}: leave it out")
    if options.step == "among_things" and options.things is None:
        parser.error("among_things needs pictures of things: name their folder with --things")
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    for step in STEPS if options.step == "all" else [options.step]:
        if step == "draw":
            draw_pictures(options.work / "drawn", first=options.first, count=options.pictures, seed=options.seed)
        elif step == "dice_crops":
            _dice_crops(options)
        elif step == "cube_crops":
            crops = drawn_crops(_boards(options), options.cubes, seed=options.seed, first=options.first, wishes=CUBES)
            write_crops(options.work / "cubes", crops, first=options.first)
        elif step == "among_things":
            _among_things(options)
        elif step == "mistakes":
            pictures = _chosen([options.work / "drawn", *options.rendered], knows_dice)
            pictures = pictures[max(len(pictures) - options.mistaken_in, 0) :]
            pictures += labelled_pictures([options.work / "among_things"])
            write_crops(options.work / "dice_mistakes", mistaken_crops(pictures), first=0)
        elif step == "export":
            export_all(options.work, options.share)
        else:
            _train(step, options)


def _train(what: str, options: argparse.Namespace) -> None:
    asked = {"steps": options.steps, "rate": options.rate, "batch": options.batch}
    schedule = replace(SCHEDULES[what], **{name: value for name, value in asked.items() if value})
    samples = Samples(_pictures_for(what, options), MAKERS[what], options.seed)
    train(_learners(what, samples, schedule, options), _loss_of(what, options), samples, options.workers)


def _loss_of(what: str, options: argparse.Namespace) -> LossOf:
    if not options.taught or what not in TAUGHT:
        return LOSSES[what]
    return partial(LOSSES[what], teacher=PublishedAnswers(MODELS / f"{what}.onnx", NETWORKS[what].outputs[0]))


def _learners(what: str, samples: Samples, schedule: Schedule, options: argparse.Namespace) -> list[Learner]:
    """Those that begin with their published weights do so from the same samples, drawn once."""
    some = cache(lambda: list(islice(batches(samples, schedule.batch, options.workers), NORMALISED_OVER)))
    learners = []
    for name in LEARNING.get(what, (what,)):
        state_file = options.work / f"{name}.state"
        goes_on = options.go_on and not state_file.exists()
        network = _published(name, some()) if goes_on else NETWORKS[name].new()
        learners.append(Learner(network, state_file, schedule))
    return learners


def _published(name: str, some: Sequence[Batch]) -> nn.Module:
    network = with_published_weights(NETWORKS[name].new(), MODELS / f"{name}.onnx", [batch[0] for batch in some])
    return with_learned_masks(network, some) if isinstance(network, DieNetwork) else network


def _pictures_for(what: str, options: argparse.Namespace) -> "_Chances":
    drawn, rendered = options.work / "drawn", options.rendered
    if LOSSES[what] in (die_loss, glance_loss):
        made = [options.work / name for name in ("dice", "dice_mistakes", "dice_among_things", "cubes")]
        return _Chances(partial(crop_files, made), partial(crop_files, [options.work / "dice_traced"]))
    if what == "cube_number":
        drawn_cubes = partial(_with_cube, [options.work / "dice", options.work / "cubes"])
        return _Chances(drawn_cubes, partial(_with_cube, [options.work / "dice_traced"]))
    wanted = {"small": _any_picture, "dice_finder": knows_dice}.get(what, has_board)
    whole = _Chances(partial(_chosen, [drawn], wanted), partial(_chosen, rendered, wanted))
    if what != "dice_finder":
        return whole
    crops = [options.work / name for name in ("dice", "dice_mistakes", "dice_traced")]
    return _Chances(partial(_first_of_mosaics, crops), whole)


def _first_of_mosaics(folders: Sequence[Path]) -> list[Path]:
    """Few: mosaics are full of dice, and a search that saw half of its samples so ranked much else of whole boards before them."""
    return crop_files(folders)[:: FEWER * TILES]


@lru_cache(maxsize=8)
def _cubes_among(labels: tuple[Path, ...]) -> list[Path]:
    return [label for label in labels if _CUBE.search(label.read_text("utf-8"))]


def _with_cube(folders: Sequence[Path]) -> list[Path]:
    return _cubes_among(tuple(crop_files(folders)))


def _any_picture(_: Path) -> bool:
    return True


def _chosen(folders: Sequence[Path], wanted: Callable[[Path], bool]) -> list[Path]:
    return [picture for picture in labelled_pictures(folders) if wanted(picture)]


class _Chances:
    """The rendered pictures are few and the best: each is shown as often as makes them half of all samples."""

    def __init__(self, drawn: Callable[[], list[Path]], rendered: Callable[[], list[Path]]) -> None:
        self.drawn, self.rendered = drawn, rendered

    def __call__(self) -> list[Path]:
        drawn, rendered = self.drawn(), self.rendered()
        times = max(1, round(len(drawn) / len(rendered))) if rendered else 0
        return drawn + rendered * min(times, 8)


def _dice_crops(options: argparse.Namespace) -> None:
    """Pieces with dice: cut from the rendered pictures and windows, and drawn into all kinds of pictures."""
    traced = options.work / "dice_traced"
    if not traced.exists():
        rng = np.random.default_rng(options.seed)
        labels = [picture.with_suffix(".json") for picture in labelled_pictures(options.rendered)]
        count = write_crops(traced, chain.from_iterable(crops_of(label, rng) for label in labels), first=0)
        scenes = [label for folder in options.dice_windows for label in sorted(folder.glob("*.json"))]
        write_crops(traced, chain.from_iterable(crops_of_windows(label) for label in scenes), first=count)
    crops = drawn_crops(_boards(options), options.crops, seed=options.seed, first=options.first)
    write_crops(options.work / "dice", crops, first=options.first)


def _among_things(options: argparse.Namespace) -> None:
    """Pictures with things around and in them, and pieces with the dice there; none where no things are given."""
    if options.things is None:
        return
    among, things = options.work / "among_things", things_in(options.things)
    put_among_things(among, _boards(options), things, first=options.first, count=options.among, seed=options.seed)
    rng = np.random.default_rng(options.seed)
    labels = [picture.with_suffix(".json") for picture in labelled_pictures([among])]
    pieces = chain.from_iterable(crops_of(label, rng) for label in labels if label.exists())
    write_crops(options.work / "dice_among_things", pieces, first=0)


def _boards(options: argparse.Namespace) -> list[Path]:
    """To draw dice into."""
    backgrounds = _chosen([options.work / "drawn", *options.rendered], knows_dice)
    return [picture for picture in backgrounds if has_board(picture)]


Made = Iterator[Sequence[np.ndarray]]


def _checkers(picture: Path, rng: np.random.Generator) -> Made:
    sample = sample_of(*load_board(picture), rng)
    yield sample.view, sample.classes, sample.visible, sample.bar, sample.tops


def _small(picture: Path, rng: np.random.Generator) -> Made:
    sample = small_sample(*load(picture), rng)
    yield sample.picture, sample.maps


def _edges(picture: Path, rng: np.random.Generator) -> Made:
    sample = edge_sample(*load_board(picture), rng)
    yield sample.view, sample.across_columns, sample.across_rows


def _dice(label: Path, rng: np.random.Generator) -> Made:
    """Several turns of one window: to turn it costs little beside drawing and disturbing it.

    Most dice lie flat; crops that show only such are often left out, for what is hard is to see that one leans.
    """
    if rng.random() < FLAT_LEFT_OUT and _STATES.findall(label.read_text("utf-8")) in ([FLAT], [FLAT, FLAT]):
        return
    yield from _windows(label, rng)


def _dice_as_thrown(label: Path, rng: np.random.Generator, *, at_times_spoiled: bool = False) -> Made:
    """The same with slight leans as rare as they are on a board, at the end: probabilities shall mean something.

    A die on a checker's edge leans by 15 degrees and more (vision.md); less comes from crumbs and hinges. On a checker that leans,
    or on one and a wall, dice lean by all angles.
    """
    leans = [float(tilt) for tilt in _LEANS_ON_NO_CHECKER.findall(label.read_text("utf-8"))]
    if any(tilt < SLIGHT_LEAN_DEG for tilt in leans) and rng.random() < SLIGHT_LEANS_LEFT_OUT:
        return
    yield from _windows(label, rng, at_times_spoiled=at_times_spoiled)


def _windows(label: Path, rng: np.random.Generator, *, at_times_spoiled: bool = False) -> Made:
    first = dice_sample(read_crop(label), rng, at_times_spoiled=at_times_spoiled)
    for _ in range(TURNS):
        sample = turned(first, rng)
        classes = np.array([sample.kind, sample.face, sample.lie], np.int64)
        yield sample.planes, classes, np.array(sample.checker, np.float32), sample.shape, sample.masks


def _dice_glance(label: Path, rng: np.random.Generator) -> Made:
    crop = read_crop(label)
    for _ in range(TURNS):
        sample = turned_glance(glance_sample(crop, rng), rng)
        yield sample.window, np.array(sample.kind, np.int64), sample.shape


def _cube_number(label: Path, rng: np.random.Generator) -> Made:
    for planes, number in cube_samples(read_crop(label), rng):
        yield planes, np.array(number, np.int64)


def _dice_finder(picture: Path, rng: np.random.Generator) -> Made:
    """Several pieces of one picture: to open it takes as long as a piece. Of a crop a mosaic with others of its folder."""
    if picture.suffix == ".json":
        crops = _crops_beside(picture.parent)
        for _ in range(PIECES):
            chosen = [crops[int(number)] for number in rng.integers(len(crops), size=TILES)]
            sample = mosaic_sample([read_crop(label) for label in chosen], rng)
            yield sample.picture, sample.maps
        return
    pixels, truth = load(picture)
    board, dice = None if truth is None else known_board(truth), load_dice(picture)
    for _ in range(PIECES):
        sample = finder_sample(pixels, board, dice, rng)
        yield sample.picture, sample.maps


@lru_cache(maxsize=8)
def _crops_beside(folder: Path) -> list[Path]:
    return crop_files([folder])


MAKERS: dict[str, Callable[..., Made]] = {
    "checkers": _checkers,
    "small": _small,
    "edges": _edges,
    "dice": _dice,
    "dice_as_thrown": _dice_as_thrown,
    "dice_quick": _dice_as_thrown,
    "dice_side_by_side": _dice_as_thrown,
    "dice_second_opinion": _dice_as_thrown,
    "dice_third_opinion": _dice_as_thrown,
    "dice_doubt": partial(_dice_as_thrown, at_times_spoiled=True),
    "dice_glance": _dice_glance,
    "cube_number": _cube_number,
    "dice_finder": _dice_finder,
}
LOSSES: dict[str, Callable[..., dict[str, torch.Tensor]]] = {
    "checkers": checker_loss,
    "small": small_loss,
    "edges": edge_loss,
    "dice": die_loss,
    "dice_as_thrown": die_loss,
    "dice_quick": die_loss,
    "dice_side_by_side": die_loss,
    "dice_second_opinion": die_loss,
    "dice_third_opinion": die_loss,
    "dice_doubt": die_loss,
    "dice_glance": glance_loss,
    "cube_number": cube_number_loss,
    "dice_finder": dice_finder_loss,
}
# With one published file each, whose answers count as well if so asked.
TAUGHT = ("dice_finder", "dice", "dice_quick", "dice_second_opinion", "dice_third_opinion", "dice_glance")
