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
from vision.training.dice_objectives import cube_number_loss, dice_proposal_loss, die_loss, proposal_filter_loss
from vision.training.export import MODELS, export_all
from vision.training.learning import Batch, Learner, LossFunction, Samples, Schedule, load_batches, train
from vision.training.mask_pretraining import pretrain_masks
from vision.training.objectives import checker_loss, edge_loss, small_loss
from vision.training.published_weights import PublishedTeacher, load_published_weights
from vision.training.samples.checker_samples import make_checker_sample
from vision.training.samples.clutter_augmentation import list_things, write_cluttered_pictures
from vision.training.samples.crop_store import list_crops, read_crop, write_crops
from vision.training.samples.cube_samples import make_cube_samples
from vision.training.samples.dice_crops import CUBE_CROP_OPTIONS, draw_crops
from vision.training.samples.dice_samples import augment_orientation, make_dice_sample
from vision.training.samples.field_samples import make_edge_sample, make_small_sample
from vision.training.samples.hard_negatives import mine_hard_negatives
from vision.training.samples.picture_store import (
    draw_pictures,
    has_board,
    has_dice_labels,
    list_labelled_pictures,
    load_dice,
    load_labelled,
    load_labelled_board,
)
from vision.training.samples.proposal_filter_samples import augment_filter_orientation, make_proposal_filter_sample
from vision.training.samples.proposal_samples import TILES, make_mosaic_sample, make_proposal_sample
from vision.training.samples.rendered_crops import cut_crops, make_known_board, read_window_crops

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

LEARNERS = {
    "dice_as_thrown": ("dice",),
    "dice_side_by_side": ("dice", "dice_quick"),
    "dice_doubt": ("dice_doubt", "dice_doubt_nearer"),
}  # others: the one so called

NORMALISATION_BATCHES = 24  # batches, for the first means and spreads of published weights
ORIENTATIONS = FINDER_CROPS = 3
MOSAIC_THINNING = 4  # of the mosaics that all pieces would make
FLAT_DROP_SHARE = 0.6  # of the crops with one or two dice that lie flat
FLAT = DieState.FLAT.value
SLIGHT_LEAN_DEG = 10.0
SLIGHT_LEAN_DROP_SHARE = 0.8
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
    if options.taught and options.step not in (*DISTILLED, "all"):
        parser.error(f"--taught is for {', '.join(DISTILLED)}: leave it out")
    if options.step == "among_things" and options.things is None:
        parser.error("among_things needs pictures of things: name their folder with --things")
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    for step in STEPS if options.step == "all" else [options.step]:
        if step == "draw":
            draw_pictures(options.work / "drawn", first=options.first, count=options.pictures, seed=options.seed)
        elif step == "dice_crops":
            _write_dice_crops(options)
        elif step == "cube_crops":
            crops = draw_crops(
                _list_backgrounds(options),
                options.cubes,
                seed=options.seed,
                first=options.first,
                options=CUBE_CROP_OPTIONS,
            )
            write_crops(options.work / "cubes", crops, first=options.first)
        elif step == "among_things":
            _write_cluttered_pictures(options)
        elif step == "mistakes":
            pictures = _filter_pictures([options.work / "drawn", *options.rendered], has_dice_labels)
            pictures = pictures[max(len(pictures) - options.mistaken_in, 0) :]
            pictures += list_labelled_pictures([options.work / "among_things"])
            write_crops(options.work / "dice_mistakes", mine_hard_negatives(pictures), first=0)
        elif step == "export":
            export_all(options.work, options.share)
        else:
            _train(step, options)


def _train(what: str, options: argparse.Namespace) -> None:
    asked = {"steps": options.steps, "rate": options.rate, "batch": options.batch}
    schedule = replace(SCHEDULES[what], **{name: value for name, value in asked.items() if value})
    samples = Samples(_select_pictures(what, options), MAKERS[what], options.seed)
    train(_make_learners(what, samples, schedule, options), _select_loss(what, options), samples, options.workers)


def _select_loss(what: str, options: argparse.Namespace) -> LossFunction:
    if not options.taught or what not in DISTILLED:
        return LOSSES[what]
    return partial(LOSSES[what], teacher=PublishedTeacher(MODELS / f"{what}.onnx", NETWORKS[what].outputs[0]))


def _make_learners(what: str, samples: Samples, schedule: Schedule, options: argparse.Namespace) -> list[Learner]:
    """Those that begin with their published weights do so from the same samples, drawn once."""
    some = cache(lambda: list(islice(load_batches(samples, schedule.batch, options.workers), NORMALISATION_BATCHES)))
    learners = []
    for name in LEARNERS.get(what, (what,)):
        state_file = options.work / f"{name}.state"
        goes_on = options.go_on and not state_file.exists()
        network = _load_published(name, some()) if goes_on else NETWORKS[name].build()
        learners.append(Learner(network, state_file, schedule))
    return learners


def _load_published(name: str, some: Sequence[Batch]) -> nn.Module:
    network = load_published_weights(NETWORKS[name].build(), MODELS / f"{name}.onnx", [batch[0] for batch in some])
    return pretrain_masks(network, some) if isinstance(network, DieNetwork) else network


def _select_pictures(what: str, options: argparse.Namespace) -> "_BalancedPictures":
    drawn, rendered = options.work / "drawn", options.rendered
    if LOSSES[what] in (die_loss, proposal_filter_loss):
        made = [options.work / name for name in ("dice", "dice_mistakes", "dice_among_things", "cubes")]
        return _BalancedPictures(partial(list_crops, made), partial(list_crops, [options.work / "dice_traced"]))
    if what == "cube_number":
        drawn_cubes = partial(_list_cube_crops, [options.work / "dice", options.work / "cubes"])
        return _BalancedPictures(drawn_cubes, partial(_list_cube_crops, [options.work / "dice_traced"]))
    wanted = {"small": _accept_any, "dice_finder": has_dice_labels}.get(what, has_board)
    whole = _BalancedPictures(partial(_filter_pictures, [drawn], wanted), partial(_filter_pictures, rendered, wanted))
    if what != "dice_finder":
        return whole
    crops = [options.work / name for name in ("dice", "dice_mistakes", "dice_traced")]
    return _BalancedPictures(partial(_list_mosaic_crops, crops), whole)


def _list_mosaic_crops(folders: Sequence[Path]) -> list[Path]:
    """Few: mosaics are full of dice, and a search that saw half of its samples so ranked much else of whole boards before them."""
    return list_crops(folders)[:: MOSAIC_THINNING * TILES]


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
    """The rendered pictures are few and the best: each is shown as often as makes them half of all samples."""

    def __init__(self, drawn: Callable[[], list[Path]], rendered: Callable[[], list[Path]]) -> None:
        self.drawn, self.rendered = drawn, rendered

    def __call__(self) -> list[Path]:
        drawn, rendered = self.drawn(), self.rendered()
        times = max(1, round(len(drawn) / len(rendered))) if rendered else 0
        return drawn + rendered * min(times, 8)


def _write_dice_crops(options: argparse.Namespace) -> None:
    """Pieces with dice: cut from the rendered pictures and windows, and drawn into all kinds of pictures."""
    traced = options.work / "dice_traced"
    if not traced.exists():
        rng = np.random.default_rng(options.seed)
        labels = [picture.with_suffix(".json") for picture in list_labelled_pictures(options.rendered)]
        count = write_crops(traced, chain.from_iterable(cut_crops(label, rng) for label in labels), first=0)
        scenes = [label for folder in options.dice_windows for label in sorted(folder.glob("*.json"))]
        write_crops(traced, chain.from_iterable(read_window_crops(label) for label in scenes), first=count)
    crops = draw_crops(_list_backgrounds(options), options.crops, seed=options.seed, first=options.first)
    write_crops(options.work / "dice", crops, first=options.first)


def _write_cluttered_pictures(options: argparse.Namespace) -> None:
    """Pictures with things around and in them, and pieces with the dice there; none where no things are given."""
    if options.things is None:
        return
    among, things = options.work / "among_things", list_things(options.things)
    write_cluttered_pictures(
        among, _list_backgrounds(options), things, first=options.first, count=options.among, seed=options.seed
    )
    rng = np.random.default_rng(options.seed)
    labels = [picture.with_suffix(".json") for picture in list_labelled_pictures([among])]
    pieces = chain.from_iterable(cut_crops(label, rng) for label in labels if label.exists())
    write_crops(options.work / "dice_among_things", pieces, first=0)


def _list_backgrounds(options: argparse.Namespace) -> list[Path]:
    """To draw dice into."""
    backgrounds = _filter_pictures([options.work / "drawn", *options.rendered], has_dice_labels)
    return [picture for picture in backgrounds if has_board(picture)]


SampleArrays = Iterator[Sequence[np.ndarray]]


def _make_checker_arrays(picture: Path, rng: np.random.Generator) -> SampleArrays:
    sample = make_checker_sample(*load_labelled_board(picture), rng)
    yield sample.view, sample.classes, sample.visible, sample.bar, sample.tops


def _make_small_arrays(picture: Path, rng: np.random.Generator) -> SampleArrays:
    sample = make_small_sample(*load_labelled(picture), rng)
    yield sample.picture, sample.maps


def _make_edge_arrays(picture: Path, rng: np.random.Generator) -> SampleArrays:
    sample = make_edge_sample(*load_labelled_board(picture), rng)
    yield sample.view, sample.across_columns, sample.across_rows


def _make_dice_arrays(label: Path, rng: np.random.Generator) -> SampleArrays:
    """Several turns of one window: to turn it costs little beside drawing and disturbing it.

    Most dice lie flat; crops that show only such are often left out, for what is hard is to see that one leans.
    """
    if rng.random() < FLAT_DROP_SHARE and _STATES.findall(label.read_text("utf-8")) in ([FLAT], [FLAT, FLAT]):
        return
    yield from _make_window_arrays(label, rng)


def _make_fine_tuning_arrays(label: Path, rng: np.random.Generator, *, with_occlusion: bool = False) -> SampleArrays:
    """The same with slight leans as rare as they are on a board, at the end: probabilities shall mean something.

    A die on a checker's edge leans by 15 degrees and more (vision.md); less comes from crumbs and hinges. On a checker that leans,
    or on one and a wall, dice lean by all angles.
    """
    leans = [float(tilt) for tilt in _LEANS_ON_NO_CHECKER.findall(label.read_text("utf-8"))]
    if any(tilt < SLIGHT_LEAN_DEG for tilt in leans) and rng.random() < SLIGHT_LEAN_DROP_SHARE:
        return
    yield from _make_window_arrays(label, rng, with_occlusion=with_occlusion)


def _make_window_arrays(label: Path, rng: np.random.Generator, *, with_occlusion: bool = False) -> SampleArrays:
    first = make_dice_sample(read_crop(label), rng, with_occlusion=with_occlusion)
    for _ in range(ORIENTATIONS):
        sample = augment_orientation(first, rng)
        classes = np.array([sample.kind, sample.face, sample.lie], np.int64)
        yield sample.planes, classes, np.array(sample.checker, np.float32), sample.shape, sample.masks


def _make_proposal_filter_arrays(label: Path, rng: np.random.Generator) -> SampleArrays:
    crop = read_crop(label)
    for _ in range(ORIENTATIONS):
        sample = augment_filter_orientation(make_proposal_filter_sample(crop, rng), rng)
        yield sample.window, np.array(sample.kind, np.int64), sample.shape


def _make_cube_arrays(label: Path, rng: np.random.Generator) -> SampleArrays:
    for planes, number in make_cube_samples(read_crop(label), rng):
        yield planes, np.array(number, np.int64)


def _make_proposal_arrays(picture: Path, rng: np.random.Generator) -> SampleArrays:
    """Several pieces of one picture: to open it takes as long as a piece. Of a crop a mosaic with others of its folder."""
    if picture.suffix == ".json":
        crops = _list_folder_crops(picture.parent)
        for _ in range(FINDER_CROPS):
            chosen = [crops[int(number)] for number in rng.integers(len(crops), size=TILES)]
            sample = make_mosaic_sample([read_crop(label) for label in chosen], rng)
            yield sample.picture, sample.maps
        return
    pixels, truth = load_labelled(picture)
    board, dice = None if truth is None else make_known_board(truth), load_dice(picture)
    for _ in range(FINDER_CROPS):
        sample = make_proposal_sample(pixels, board, dice, rng)
        yield sample.picture, sample.maps


@lru_cache(maxsize=8)
def _list_folder_crops(folder: Path) -> list[Path]:
    return list_crops([folder])


MAKERS: dict[str, Callable[..., SampleArrays]] = {
    "checkers": _make_checker_arrays,
    "small": _make_small_arrays,
    "edges": _make_edge_arrays,
    "dice": _make_dice_arrays,
    "dice_as_thrown": _make_fine_tuning_arrays,
    "dice_quick": _make_fine_tuning_arrays,
    "dice_side_by_side": _make_fine_tuning_arrays,
    "dice_second_opinion": _make_fine_tuning_arrays,
    "dice_third_opinion": _make_fine_tuning_arrays,
    "dice_doubt": partial(_make_fine_tuning_arrays, with_occlusion=True),
    "dice_glance": _make_proposal_filter_arrays,
    "cube_number": _make_cube_arrays,
    "dice_finder": _make_proposal_arrays,
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
    "dice_glance": proposal_filter_loss,
    "cube_number": cube_number_loss,
    "dice_finder": dice_proposal_loss,
}
# With one published file each, whose answers count as well if so asked.
DISTILLED = ("dice_finder", "dice", "dice_quick", "dice_second_opinion", "dice_third_opinion", "dice_glance")
