"""The training loop: samples from worker processes, AdamW, averaged weights, resumable state.

Seed and pictures determine a run, up to the order in which workers deliver and the threads of the machine. The state is
written every SAVE_SECONDS, so a run can be stopped at any time and resumes there.
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
LOG_EVERY_STEPS = 25
AVERAGE_OVER_STEPS = 400  # decay of the averaged weights, which are the ones exported

LAYOUT = torch.channels_last
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# Three times as fast on processors with bfloat16 instructions, with errors far below those of the labels; nine times as
# slow on processors without. Every graphics card that PyTorch supports has them.
HAS_BFLOAT16 = DEVICE.type == "cuda" or any(
    torch.cpu.get_capabilities().get(name, False) for name in ("avx512_bf16", "amx_bf16", "bf16")
)

Batch = Sequence[Tensor]
LossFunction = Callable[[nn.Module, Batch], dict[str, Tensor]]


class TrainingError(Exception):
    """A training that cannot begin; the message is one sentence with the remedy."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Steps, batch size and peak rate; the rate rises for `warm_up` steps, then falls along a cosine."""

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
        while True:  # listed again each time round, because pictures may still be added
            pictures = list(self.pictures())
            for index in rng.permutation(len(pictures))[:500]:
                for sample in self.make(pictures[index], rng):
                    yield tuple(torch.from_numpy(array) for array in sample)


def load_batches(samples: Samples, size: int, workers: int = 1) -> Iterator[Batch]:
    """Endless batches, made by `workers` processes."""
    spawned = {"prefetch_factor": 3, "multiprocessing_context": "spawn"}  # a fork may copy held locks
    return iter(DataLoader(samples, batch_size=size, num_workers=workers, **spawned))


class Learner:
    """A network with its averaged weights, its optimiser, and the state file that it resumes from, if it exists."""

    def __init__(self, network: nn.Module, state_file: Path, schedule: Schedule) -> None:
        self.network = network.to(DEVICE, memory_format=LAYOUT)
        self.averaged = torch.optim.swa_utils.AveragedModel(network, multi_avg_fn=_average, use_buffers=True)
        self.optimiser = torch.optim.AdamW(network.parameters(), lr=schedule.rate, weight_decay=schedule.decay)
        self.state_file, self.schedule = state_file, schedule
        self.steps_done = _resume(state_file, self.network, self.averaged, self.optimiser)
        self.network.train()
        self._sums: dict[str, Tensor] = {}

    def train_step(self, batch: Batch, loss_of: LossFunction) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = _learning_rate(self.steps_done, self.schedule)
        with torch.autocast(DEVICE.type, torch.bfloat16, enabled=HAS_BFLOAT16):
            losses = loss_of(self.network, batch)
        self.optimiser.zero_grad()
        torch.stack(list(losses.values())).sum().backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 5.0)
        self.optimiser.step()
        self.averaged.update_parameters(self.network)
        self.steps_done += 1
        for name, loss in losses.items():
            self._sums[name] = loss.detach() + self._sums.get(name, 0.0)
        if self.steps_done % LOG_EVERY_STEPS == 0:
            losses_text = ", ".join(
                f"{name} {float(value) / LOG_EVERY_STEPS:.4f}" for name, value in self._sums.items()
            )
            LOG.info("%s: step %d of %d, %s", self.state_file.stem, self.steps_done, self.schedule.steps, losses_text)
            self._sums = {}

    def save(self) -> None:
        _save(self.state_file, self.steps_done, self.network, self.averaged, self.optimiser)


def train(learner: Learner, loss_of: LossFunction, samples: Samples, workers: int = 1) -> nn.Module:
    """Trains to the end of the schedule and returns the network with averaged weights."""
    samples.seed += learner.steps_done  # other samples than before the stop
    loader = load_batches(samples, learner.schedule.batch, workers)
    saved = time.monotonic()
    while learner.steps_done < learner.schedule.steps:
        learner.train_step([_to_device(array) for array in next(loader)], loss_of)
        if time.monotonic() - saved > SAVE_SECONDS or learner.steps_done == learner.schedule.steps:
            learner.save()
            saved = time.monotonic()
    learner.averaged.module.eval()
    return learner.averaged.module


def _to_device(array: Tensor) -> Tensor:
    array = array.to(DEVICE)
    return array.contiguous(memory_format=LAYOUT) if array.dim() == 4 else array


def _average(averages: Sequence[Tensor], now: Sequence[Tensor], so_far: Tensor | int) -> None:
    """Running means over AVERAGE_OVER_STEPS steps, at the start over fewer; integer counts are copied."""
    share = 1 / min(float(so_far) / 4 + 1, AVERAGE_OVER_STEPS)
    for average, value in zip(averages, now, strict=True):
        if average.is_floating_point():
            average.lerp_(value, share)
        else:
            average.copy_(value)


def _learning_rate(step: int, schedule: Schedule) -> float:
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
    state = torch.load(path, weights_only=True, map_location=DEVICE)
    try:
        network.load_state_dict(state["network"])
    except RuntimeError as error:
        raise TrainingError(
            f"{path} holds weights of another architecture; move it away to train from nothing, or give the options that it"
            " began with."
        ) from error
    averaged.load_state_dict(state["averaged"])
    optimiser.load_state_dict(state["optimiser"])
    LOG.info("%s: resumes at step %d", path.stem, state["step"])
    return int(state["step"])
