"""The loop that all three networks are trained with: samples by workers, AdamW, averaged weights, resumable.

A run is decided by its seed and its pictures up to the order in which workers deliver and to the threads of the
machine; its state is written every SAVE_SECONDS, so that it can be stopped at any time and goes on where it was.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

LOG = logging.getLogger("zarbiter.training")
SAVE_SECONDS = 120
SAY_EVERY_STEPS = 25
AVERAGE_OVER_STEPS = 400  # decay of the averaged weights, which are the ones exported

# Three times as fast on processors that know bfloat16, and the answers stay far closer than the labels are sure.
LAYOUT = torch.channels_last

Batch = Sequence[Tensor]


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long, how many at once, how fast: the rate rises for `warm_up` steps, then falls along a cosine."""

    steps: int
    batch: int = 16
    rate: float = 2e-3
    decay: float = 0.02
    warm_up: int = 150


class Samples(IterableDataset[Batch]):
    """Endless samples: `make(picture, rng)` of pictures in random order, one or several of each."""

    def __init__(
        self,
        pictures: Callable[[], Sequence[Path]],
        make: Callable[[Path, np.random.Generator], Iterable[Sequence[np.ndarray]]],
        seed: int,
    ) -> None:
        super().__init__()
        self.pictures, self.make, self.seed = pictures, make, seed

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        cv2.setNumThreads(1)
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        while True:  # the folder is read again each time round: pictures may still be coming in
            pictures = list(self.pictures())
            for index in rng.permutation(len(pictures))[:500]:
                for sample in self.make(pictures[index], rng):
                    yield tuple(torch.from_numpy(array) for array in sample)


def batches(samples: Samples, size: int) -> Iterator[Batch]:
    """Endless batches, made by a process of their own."""
    workers = {"num_workers": 1, "prefetch_factor": 3, "multiprocessing_context": "spawn"}  # a fork may copy held locks
    return iter(DataLoader(samples, batch_size=size, **workers))


def train(
    network: nn.Module,
    loss_of: Callable[[nn.Module, Batch], dict[str, Tensor]],
    samples: Samples,
    *,
    schedule: Schedule,
    state_file: Path,
) -> nn.Module:
    """The network with averaged weights after `schedule.steps` steps; goes on from `state_file` where there is one."""
    network = network.to(memory_format=LAYOUT)
    averaged = torch.optim.swa_utils.AveragedModel(network, avg_fn=_averaged, use_buffers=True)
    optimiser = torch.optim.AdamW(network.parameters(), lr=schedule.rate, weight_decay=schedule.decay)
    done = _resume(state_file, network, averaged, optimiser)
    samples.seed += done  # other samples than those before the stop
    loader = batches(samples, schedule.batch)
    network.train()
    sums: dict[str, float] = {}
    saved = time.monotonic()
    for step in range(done, schedule.steps):
        for group in optimiser.param_groups:
            group["lr"] = _rate(step, schedule)
        batch = [array.contiguous(memory_format=LAYOUT) if array.dim() == 4 else array for array in next(loader)]
        with torch.autocast("cpu", torch.bfloat16):
            losses = loss_of(network, batch)
        optimiser.zero_grad()
        torch.stack(list(losses.values())).sum().backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        averaged.update_parameters(network)
        for name, loss in losses.items():
            sums[name] = sums.get(name, 0.0) + float(loss.detach())
        if (step + 1) % SAY_EVERY_STEPS == 0:
            said = ", ".join(f"{name} {value / SAY_EVERY_STEPS:.4f}" for name, value in sums.items())
            LOG.info("%s: step %d of %d, %s", state_file.stem, step + 1, schedule.steps, said)
            sums = {}
        if time.monotonic() - saved > SAVE_SECONDS or step + 1 == schedule.steps:
            _save(state_file, step + 1, network, averaged, optimiser)
            saved = time.monotonic()
    averaged.module.eval()
    return averaged.module


def _averaged(average: Tensor, now: Tensor, so_far: Tensor | int) -> Tensor:
    """A running mean over as many steps as there were, AVERAGE_OVER_STEPS at most."""
    return average + (now - average) / min(float(so_far) / 4 + 1, AVERAGE_OVER_STEPS)


def _rate(step: int, schedule: Schedule) -> float:
    warm = min(1.0, (step + 1) / schedule.warm_up)
    return float(schedule.rate * warm * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * step / schedule.steps))))


def _save(path: Path, step: int, network: nn.Module, averaged: nn.Module, optimiser: torch.optim.Optimizer) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partly = path.with_suffix(".part")
    state = {"step": step, "network": network.state_dict(), "averaged": averaged.state_dict()}
    torch.save({**state, "optimiser": optimiser.state_dict()}, partly)
    partly.replace(path)


def _resume(path: Path, network: nn.Module, averaged: nn.Module, optimiser: torch.optim.Optimizer) -> int:
    if not path.exists():
        return 0
    state = torch.load(path, weights_only=True)
    network.load_state_dict(state["network"])
    averaged.load_state_dict(state["averaged"])
    optimiser.load_state_dict(state["optimiser"])
    LOG.info("%s: goes on at step %d", path.stem, state["step"])
    return int(state["step"])
