"""Masks that a published file lacks, learned before all else goes on.

From nothing they are wrong everywhere, and what they ask for would throw about the layers that the published answers stand
on: a training that went on without this step read worse than what it went on from.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from vision.training.dice_networks import DieNetwork
from vision.training.dice_objectives import mask_loss
from vision.training.learning import Batch

STEPS = 300
RATE = 0.02


def pretrain_masks(network: DieNetwork, batches: Sequence[Batch]) -> DieNetwork:
    """`network`, of which only the layer that paints the masks has learned, from these batches over and over."""
    seen, wanted = [], []
    with torch.no_grad():
        for windows, *_, masks in batches:
            seen.append(network.eval().to_4(windows))
            wanted.append(masks)
    optimiser = torch.optim.Adam(network.masks.parameters(), lr=RATE)
    for step in range(STEPS):
        _train_step(network.masks, optimiser, seen[step % len(seen)], wanted[step % len(seen)])
    return network


def _train_step(masks: nn.Module, optimiser: torch.optim.Optimizer, seen: Tensor, wanted: Tensor) -> None:
    optimiser.zero_grad()
    mask_loss(masks(seen), wanted).backward()
    optimiser.step()
