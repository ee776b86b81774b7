"""The losses of the networks for boards."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.checkers import CLASSES, COUNTS
from vision.field.network_inputs import BAR, BAR_LEFT, BAR_RIGHT, CORNERS_B, LEFT
from vision.training.learning import Batch
from vision.training.samples.checker_samples import BARELY_COVERED, IGNORED, WELL_COVERED

LINE_SIGMA_CELLS = 0.7
HIDDEN_WEIGHT = 8.0


def checker_loss(network: nn.Module, batch: Batch) -> dict[str, Tensor]:
    view, classes, visible, bar, tops = batch
    points, bar_logits, tops_logits, _ = network(view)
    place = functional.cross_entropy(points[:, :CLASSES], classes, ignore_index=IGNORED)
    seen = _visibility_loss(points[:, CLASSES], visible)
    bar_flat = bar_logits.flatten(1)
    light, dark = bar_flat[:, :COUNTS], bar_flat[:, COUNTS : 2 * COUNTS]
    on_bar = _masked_cross_entropy(light, bar[:, 0]) + _masked_cross_entropy(dark, bar[:, 1])
    bar_seen = functional.binary_cross_entropy_with_logits(bar_flat[:, -1], (bar[:, 0] != IGNORED).float())
    here = functional.binary_cross_entropy_with_logits(tops_logits[:, 0], tops[:, 0], weight=tops[:, 3])
    at = torch.sigmoid(tops_logits[:, 1:])
    off = ((at - tops[:, 1:3]).abs() * tops[:, :1]).sum() / tops[:, 0].sum().clamp(min=1)
    return {"place": place, "seen": seen, "bar": 0.15 * on_bar + 0.03 * bar_seen, "tops": 3 * here, "off": 0.15 * off}


def _visibility_loss(logits: Tensor, visible: Tensor) -> Tensor:
    """Hidden places are rare and must not pass for visible: each has HIDDEN_WEIGHT times the weight."""
    target = ((visible - (1 - WELL_COVERED)) / (WELL_COVERED - BARELY_COVERED)).clamp(0, 1)
    weight = 1 + (HIDDEN_WEIGHT - 1) * (1 - target)
    return functional.binary_cross_entropy_with_logits(logits, target, weight=weight)


def _masked_cross_entropy(logits: Tensor, counts: Tensor) -> Tensor:
    labelled = counts != IGNORED
    return functional.cross_entropy(logits[labelled], counts[labelled]) if bool(labelled.any()) else logits.sum() * 0


def small_loss(network: nn.Module, batch: Batch) -> dict[str, Tensor]:
    """Corners by CenterNet's focal loss (Zhou et al. 2019, eq. 1), field and bar as masks."""
    picture, maps = batch
    logits = network(picture)
    corners, wanted = logits[:, : CORNERS_B + 1], maps[:, : CORNERS_B + 1]
    chance = torch.sigmoid(corners).clamp(1e-5, 1 - 1e-5)
    peak = (wanted > 0.8).float()
    at_peaks = -(torch.log(chance) * (1 - chance) ** 2 * peak).sum()
    elsewhere = -(torch.log(1 - chance) * chance**2 * (1 - wanted) ** 4 * (1 - peak)).sum()
    masks = functional.binary_cross_entropy_with_logits(
        logits[:, CORNERS_B + 1 : BAR + 1], maps[:, CORNERS_B + 1 : BAR + 1]
    )
    return {"corners": (at_peaks + elsewhere) / peak.sum().clamp(min=1), "masks": 2 * masks}


def edge_loss(network: nn.Module, batch: Batch) -> dict[str, Tensor]:
    """In every column (row) of cells a classification: which cell the line crosses."""
    view, across_columns, across_rows = batch
    logits = network(view)
    losses = {}
    for name, lines, wanted in (
        ("top_bottom", logits[:, :LEFT].transpose(2, 3), across_columns),
        ("left_right", logits[:, LEFT:BAR_LEFT], across_rows[:, : BAR_LEFT - LEFT]),
        ("bar", logits[:, BAR_LEFT : BAR_RIGHT + 1], across_rows[:, BAR_LEFT - LEFT :]),
    ):
        labelled = torch.isfinite(wanted)
        cells = torch.arange(lines.shape[-1], dtype=torch.float32)
        aim = torch.exp(-((cells - wanted[labelled][:, None]) ** 2) / (2 * LINE_SIGMA_CELLS**2))
        aim = aim / aim.sum(dim=1, keepdim=True)
        losses[name] = -(aim * functional.log_softmax(lines[labelled], dim=1)).sum(dim=1).mean()
    return losses
