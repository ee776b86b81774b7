"""The training steps: which network learns from which pictures, by which loss and for how long.

`make` turns one labelled picture or crop into training samples, drawn from a generator; `loss` compares what a network
answers with their labels.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch

from vision.dice.readings import DieState
from vision.training.dice_objectives import cube_number_loss, dice_proposal_loss, die_loss, proposal_filter_loss
from vision.training.learning import Schedule
from vision.training.objectives import checker_loss, edge_loss, small_loss
from vision.training.samples.checker_samples import make_checker_sample
from vision.training.samples.crop_store import list_crops, read_crop
from vision.training.samples.cube_samples import make_cube_samples
from vision.training.samples.dice_samples import augment_orientation, make_dice_sample
from vision.training.samples.field_samples import make_edge_sample, make_small_sample
from vision.training.samples.picture_store import load_dice, load_labelled, load_labelled_board
from vision.training.samples.proposal_samples import (
    TILES,
    augment_filter_orientation,
    make_mosaic_sample,
    make_proposal_filter_sample,
    make_proposal_sample,
)
from vision.training.samples.rendered_crops import make_known_board

ORIENTATIONS = 3  # samples from one window: turning a window costs little beside drawing it
FINDER_CROPS = 3  # samples from one picture: opening a picture takes as long as one sample
FLAT_DROP_SHARE = 0.6  # share of the crops with flat dice only that a step leaves out: leaning dice are harder
FLAT = DieState.FLAT.value
SLIGHT_LEAN_DEG = 10.0
SLIGHT_LEAN_DROP_SHARE = 0.8
_LEANS_ON_NO_CHECKER = re.compile('"state":"cocked","tilt_deg":([0-9.]+)[^{}]*"touches_checker":false')
_STATES = re.compile('"state":"(\\w+)"')

SampleArrays = Iterator[Sequence[np.ndarray]]


class PictureSource(Enum):
    """What a step learns from."""

    ALL_PICTURES = auto()
    BOARDS = auto()  # pictures with a board
    DICE_PICTURES = auto()  # pictures whose dice are labelled, and mosaics of crops
    CROPS = auto()  # crops around dice, the cube and hard negatives
    CUBE_CROPS = auto()


@dataclass(frozen=True, slots=True)
class TrainingStep:
    """`network` names the network that learns; empty: the one with the step's name.

    With `can_distil` the published file may teach the network: knowledge distillation.
    """

    source: PictureSource
    make: Callable[..., SampleArrays]
    loss: Callable[..., dict[str, torch.Tensor]]
    schedule: Schedule
    network: str = ""
    can_distil: bool = False


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
    """Leaves out FLAT_DROP_SHARE of the crops that show one or two flat dice and nothing else."""
    if rng.random() < FLAT_DROP_SHARE and _STATES.findall(label.read_text("utf-8")) in ([FLAT], [FLAT, FLAT]):
        return
    yield from _make_window_arrays(label, rng)


def _make_fine_tuning_arrays(label: Path, rng: np.random.Generator) -> SampleArrays:
    """Slight leans are as rare as on a real board, so that the network's probabilities are calibrated.

    A die on a checker's edge leans by 15 degrees and more; crumbs and hinges tilt a die by less. On a checker that
    itself leans, and between a checker and a wall, every angle occurs, so those crops stay. Some dice are half hidden
    or have a glint.
    """
    leans = [float(tilt) for tilt in _LEANS_ON_NO_CHECKER.findall(label.read_text("utf-8"))]
    if any(tilt < SLIGHT_LEAN_DEG for tilt in leans) and rng.random() < SLIGHT_LEAN_DROP_SHARE:
        return
    yield from _make_window_arrays(label, rng, with_occlusion=True)


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
    """From a picture, samples cut from it; from a crop, mosaics of crops of its folder."""
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


# In the order in which `all` takes them.
TRAINING_STEPS = {
    "checkers": TrainingStep(PictureSource.BOARDS, _make_checker_arrays, checker_loss, Schedule(steps=16000)),
    "small": TrainingStep(PictureSource.ALL_PICTURES, _make_small_arrays, small_loss, Schedule(steps=5000, batch=24)),
    "edges": TrainingStep(PictureSource.BOARDS, _make_edge_arrays, edge_loss, Schedule(steps=4000)),
    "dice_finder": TrainingStep(
        PictureSource.DICE_PICTURES, _make_proposal_arrays, dice_proposal_loss, Schedule(steps=5000), can_distil=True
    ),
    "dice": TrainingStep(
        PictureSource.CROPS,
        _make_dice_arrays,
        die_loss,
        Schedule(steps=17000, batch=64, rate=1e-3),
        can_distil=True,
    ),
    "dice_fine_tune": TrainingStep(
        PictureSource.CROPS,
        _make_fine_tuning_arrays,
        die_loss,
        Schedule(steps=23000, batch=64, rate=1e-3),
        network="dice",
        can_distil=True,
    ),
    "dice_glance": TrainingStep(
        PictureSource.CROPS,
        _make_proposal_filter_arrays,
        proposal_filter_loss,
        Schedule(steps=20000, batch=64),
        can_distil=True,
    ),
    "cube_number": TrainingStep(
        PictureSource.CUBE_CROPS, _make_cube_arrays, cube_number_loss, Schedule(steps=17000, batch=64)
    ),
}
