"""The losses of the networks for dice and the doubling cube.

Labels may be missing: IGNORED for classes, nan for numbers. A missing label adds nothing to the loss.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.dice.classifier import BASE, CHECKER, CLASS, FACE, LIE, NORMAL, NORMAL_SPREAD, SIZE, TOP, ObjectClass
from vision.dice.proposals import CHECK_CLASS, CHECK_SIZE, CHECK_TOP, CUBE_MAP, DIE_MAP, SIZE_MAP, X_MAP, Y_MAP
from vision.training.learning import Batch
from vision.training.samples.dice_samples import IGNORED

LINEAR_FROM = 0.1  # share of a unit normal, or of a die's edge
LEANS = 0.1  # length of the normal's horizontal part: about 6 degrees
NOTHING_LOGIT, POSSIBLE_LOGIT = -6.0, -2.0  # logits of a die or the cube in a cell
DISTILLED_OUTPUTS = [*range(NORMAL.start, NORMAL.stop), *range(TOP.start, BASE.stop), SIZE]
FACE_SMOOTHING = 0.002  # label smoothing: limits certainty to what the number of samples supports

Teacher = Callable[[Tensor], Tensor]


def die_loss(network: nn.Module, batch: Batch, teacher: Teacher | None = None) -> dict[str, Tensor]:
    """With a teacher its outputs for the same windows count as well, except in windows without an object."""
    planes, classes, checker, shape, masks = batch
    answers, mask_logits = network(planes)
    outputs = answers.flatten(1).float()
    kind, face, lie = classes.unbind(1)
    losses = {
        "kind": _choice_loss(outputs[:, CLASS], kind),
        "face": 1.5 * _choice_loss(outputs[:, FACE], face, smoothing=FACE_SMOOTHING),
        "lie": 1.5 * _choice_loss(outputs[:, LIE], lie, smoothing=FACE_SMOOTHING),
        "tilt": _tilt_loss(outputs, shape[:, :2]),
        "places": 3.0 * _smooth_l1(torch.cat([outputs[:, TOP], outputs[:, BASE]], dim=1), shape[:, 2:6]),
        "size": 0.5 * _smooth_l1(outputs[:, SIZE : SIZE + 1], shape[:, 6:7]),
        "checker": 0.3 * _binary_loss(outputs[:, CHECKER], checker),
        "masks": 2.0 * mask_loss(mask_logits.float(), masks),
    }
    if teacher is not None:
        losses["distillation"] = _distillation_loss(
            outputs, _teacher_outputs(teacher, planes), kind, (CLASS, FACE, LIE), DISTILLED_OUTPUTS
        )
    return losses


def proposal_filter_loss(network: nn.Module, batch: Batch, teacher: Teacher | None = None) -> dict[str, Tensor]:
    """With a teacher its outputs count as in `die_loss`."""
    windows, kind, shape = batch
    outputs = network(windows).flatten(1).float()
    losses = {
        "kind": _choice_loss(outputs[:, CHECK_CLASS], kind),
        "places": 3.0 * _smooth_l1(outputs[:, CHECK_TOP], shape[:, :2]),
        "size": 0.5 * _smooth_l1(outputs[:, CHECK_SIZE : CHECK_SIZE + 1], shape[:, 2:3]),
    }
    if teacher is not None:
        places = [*range(CHECK_TOP.start, CHECK_TOP.stop), CHECK_SIZE]
        losses["distillation"] = _distillation_loss(
            outputs, _teacher_outputs(teacher, windows), kind, (CHECK_CLASS,), places
        )
    return losses


def _teacher_outputs(teacher: Teacher, windows: Tensor) -> Tensor:
    with torch.no_grad():
        return teacher(windows).flatten(1).float()


def _distillation_loss(
    outputs: Tensor, targets: Tensor, kind: Tensor, choices: Sequence[slice], places: Sequence[int]
) -> Tensor:
    """Distance of outputs (n, m) from a teacher's, so that the teacher's knowledge persists (Li and Hoiem 2016).

    Windows without an object are left out: there the network shall improve on the teacher. Outputs about a die count by
    the teacher's probability that the window shows one.
    """
    first, *others = (
        functional.kl_div(
            functional.log_softmax(outputs[:, part], dim=1),
            functional.softmax(targets[:, part], dim=1),
            reduction="none",
        ).sum(dim=1)
        for part in choices
    )
    far = functional.smooth_l1_loss(outputs[:, places], targets[:, places], reduction="none", beta=LINEAR_FROM).sum(
        dim=1
    )
    has_object = (kind != ObjectClass.NOTHING.value).float()
    die_weight = has_object * functional.softmax(targets[:, choices[0]], dim=1)[:, ObjectClass.DIE.value]
    die_loss_sum = (die_weight * sum(others, far)).sum() / die_weight.sum().clamp(min=1)
    return (has_object * first).sum() / has_object.sum().clamp(min=1) + die_loss_sum


def cube_number_loss(network: nn.Module, batch: Batch) -> dict[str, Tensor]:
    windows, number = batch
    return {"number": _choice_loss(network(windows).flatten(1).float(), number, smoothing=FACE_SMOOTHING)}


def _choice_loss(logits: Tensor, wanted: Tensor, smoothing: float = 0.0) -> Tensor:
    labelled = wanted != IGNORED
    if not bool(labelled.any()):
        return logits.sum() * 0
    return functional.cross_entropy(logits[labelled], wanted[labelled], label_smoothing=smoothing)


def _binary_loss(logits: Tensor, wanted: Tensor) -> Tensor:
    labelled = torch.isfinite(wanted)
    if not bool(labelled.any()):
        return logits.sum() * 0
    return functional.binary_cross_entropy_with_logits(logits[labelled], wanted[labelled])


def _smooth_l1(outputs: Tensor, wanted: Tensor) -> Tensor:
    """Quadratic up to LINEAR_FROM, then linear: large errors do not drown small ones."""
    labelled = torch.isfinite(wanted)
    off = functional.smooth_l1_loss(outputs, torch.nan_to_num(wanted), reduction="none", beta=LINEAR_FROM)
    return off[labelled].sum() / labelled.sum().clamp(min=1)


def mask_loss(logits: Tensor, wanted: Tensor) -> Tensor:
    """`wanted` holds shares of cells 0..1; a window without known masks holds nan."""
    labelled = torch.isfinite(wanted)
    each = functional.binary_cross_entropy_with_logits(logits, torch.nan_to_num(wanted), reduction="none")
    return each[labelled].sum() / labelled.sum().clamp(min=1)


def _tilt_loss(outputs: Tensor, normal: Tensor) -> Tensor:
    """Loss of the normal, and of its predicted error as the scale of a Laplace distribution.

    The scale learns from the error without a gradient into the normal. As one joint likelihood, flat dice drive the
    scale so low that the few tilted dice dominate the gradient.
    """
    labelled = torch.isfinite(normal).all(dim=1)
    if not bool(labelled.any()):
        return outputs.sum() * 0
    spread = outputs[labelled, NORMAL_SPREAD].clamp(-5, 1)
    off = (outputs[labelled, NORMAL] - normal[labelled]).abs().sum(dim=1).detach()
    scale = (off * torch.exp(-spread) + 2 * spread).clamp(max=20).mean() + 10
    leans = normal.norm(dim=1) > LEANS
    # Flat and leaning dice count separately: among many flat dice the best single guess is no tilt at all.
    return (
        3 * _smooth_l1(outputs[~leans, NORMAL], normal[~leans])
        + 3 * _smooth_l1(outputs[leans, NORMAL], normal[leans])
        + 0.03 * scale
    )


def dice_proposal_loss(network: nn.Module, batch: Batch, teacher: Teacher | None = None) -> dict[str, Tensor]:
    """Focal loss of the maps. `wanted` (n, 6, rows, columns) holds the maps of `dice.proposals`, last a cell's weight.

    With a teacher its maps count as well.
    """
    picture, wanted = batch
    maps = network(picture).float()
    weight = wanted[:, 5]
    losses = {}
    for name, index in (("here", DIE_MAP), ("cube", CUBE_MAP)):
        truth = wanted[:, index]
        chance = torch.sigmoid(maps[:, index])
        focal = torch.where(truth > 0.5, 1 - chance, chance) ** 2
        each = functional.binary_cross_entropy_with_logits(maps[:, index], truth, reduction="none")
        losses[name] = (focal * each * weight).sum() / (truth.sum().clamp(min=1))
    middle = (wanted[:, DIE_MAP] + wanted[:, CUBE_MAP] > 0.5).float()
    at = torch.sigmoid(maps[:, X_MAP : Y_MAP + 1])
    off = (at - wanted[:, X_MAP : Y_MAP + 1]).abs().sum(dim=1) + (maps[:, SIZE_MAP] - wanted[:, SIZE_MAP]).abs()
    losses["off"] = 0.5 * (off * middle).sum() / middle.sum().clamp(min=1)
    if teacher is not None:
        losses["distillation"] = _map_distillation_loss(maps, teacher(picture))
    return losses


def _map_distillation_loss(maps: Tensor, targets: Tensor) -> Tensor:
    """Squared distance of logits, clamped where surely no object is (Ba and Caruana 2014)."""
    outputs, wanted = (each[:, : CUBE_MAP + 1].clamp(min=NOTHING_LOGIT) for each in (maps, targets))
    middle = (targets[:, : CUBE_MAP + 1].max(dim=1).values > POSSIBLE_LOGIT).float()
    off = (maps[:, X_MAP:] - targets[:, X_MAP:]).abs().sum(dim=1)
    return ((outputs - wanted) ** 2).mean() + 0.2 * (off * middle).sum() / middle.sum().clamp(min=1)
