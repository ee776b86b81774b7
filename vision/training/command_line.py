"""`python -m vision.training WHAT`: from nothing to the weights in vision/models, one step or all of them.

Every step goes on where it was stopped. The recipe with its times stands in README.md beside this file.
"""

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch

from vision.training.checker_samples import sample_of
from vision.training.export import export_all
from vision.training.field_samples import edge_sample, small_sample
from vision.training.learning import Samples, Schedule, train
from vision.training.networks import new_network
from vision.training.objectives import checker_loss, edge_loss, small_loss
from vision.training.picture_store import draw_pictures, has_board, labelled_pictures, load, load_board

STEPS = ("draw", "checkers", "small", "edges", "export")
SCHEDULES = {
    "checkers": Schedule(steps=9000),
    "small": Schedule(steps=5000, batch=24),
    "edges": Schedule(steps=4000),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    parser.add_argument("step", choices=[*STEPS, "all"])
    parser.add_argument("--work", type=Path, default=Path("training-work"), help="where pictures and states lie")
    parser.add_argument("--rendered", type=Path, nargs="*", default=[], help="folders of vision.training.rendered")
    parser.add_argument("--pictures", type=int, default=6000, help="how many to draw")
    parser.add_argument("--first", type=int, default=0, help="number of the first picture to draw")
    parser.add_argument("--steps", type=int, help="shorten or lengthen the training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args(arguments)
    logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    for step in STEPS if options.step == "all" else [options.step]:
        if step == "draw":
            draw_pictures(options.work / "drawn", first=options.first, count=options.pictures, seed=options.seed)
        elif step == "export":
            export_all(options.work)
        else:
            _train(step, options)


def _train(what: str, options: argparse.Namespace) -> None:
    chances = _Chances(options.work / "drawn", options.rendered, boards_only=what != "small")
    schedule = SCHEDULES[what]
    if options.steps:
        schedule = Schedule(options.steps, schedule.batch, schedule.rate, schedule.decay, schedule.warm_up)
    make = {"checkers": _checkers, "small": _small, "edges": _edges}[what]
    loss = {"checkers": checker_loss, "small": small_loss, "edges": edge_loss}[what]
    samples = Samples(chances.pictures, make, options.seed)
    train(new_network(what), loss, samples, schedule=schedule, state_file=options.work / f"{what}.state")


class _Chances:
    """The rendered pictures are few and the best: each is shown as often as makes them half of all samples."""

    def __init__(self, drawn: Path, rendered: Sequence[Path], *, boards_only: bool) -> None:
        self.drawn, self.rendered, self.boards_only = drawn, rendered, boards_only

    def pictures(self) -> list[Path]:
        drawn, rendered = labelled_pictures([self.drawn]), labelled_pictures(self.rendered)
        if self.boards_only:
            drawn = [picture for picture in drawn if has_board(picture)]
        times = max(1, round(len(drawn) / len(rendered))) if rendered else 0
        return drawn + rendered * min(times, 8)


def _checkers(picture: Path, rng: np.random.Generator) -> Sequence[np.ndarray]:
    sample = sample_of(*load_board(picture), rng)
    return sample.view, sample.classes, sample.visible, sample.bar, sample.tops


def _small(picture: Path, rng: np.random.Generator) -> Sequence[np.ndarray]:
    sample = small_sample(*load(picture), rng)
    return sample.picture, sample.maps


def _edges(picture: Path, rng: np.random.Generator) -> Sequence[np.ndarray]:
    sample = edge_sample(*load_board(picture), rng)
    return sample.view, sample.across_columns, sample.across_rows
