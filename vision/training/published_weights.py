"""Fine-tuning from a published ONNX file, distillation from it, and weight interpolation.

The exporter folds each normalisation into the preceding convolution; `load_published_weights` unfolds it. After a short
fine-tuning an interpolation between old and new weights is often better than either: the few new pictures teach what is
new and let fade what the many old ones taught (Wortsman et al. 2022, Robust fine-tuning of zero-shot models).
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

from vision.pixels.inference import read_network
from vision.training.dice_networks import DieNetwork
from vision.training.dice_objectives import mask_loss
from vision.training.learning import Batch

FOLDED = "onnx::"  # prefix that the exporter gives to weights which are no parameter of the network
MASK_STEPS, MASK_RATE = 300, 0.02  # of Adam


def load_published_weights(network: nn.Module, path: Path, pictures: Sequence[Tensor]) -> nn.Module:
    """`network` with the outputs of the file; ValueError when the file holds another architecture.

    Each unfolded normalisation gets the mean and variance of its channel over these pictures, and a scale and shift
    that cancel them. Layers that the file lacks (used in training only) start at zero.
    """
    given, folded = _read_weights(path)
    pairs = _find_normalised(network, pictures[0])
    plain = _select_plain_parameters(network, pairs)
    wanted = [convolution.weight.shape for convolution, _ in pairs]
    if wanted != [weight.shape for weight, _ in folded] or any(
        name in plain and weight.shape != plain[name].shape for name, weight in given.items()
    ):
        raise ValueError(f"{path} holds weights of another architecture; train this network from scratch.")
    with torch.no_grad():
        for name, parameter in plain.items():
            parameter.copy_(given.get(name, torch.zeros_like(parameter)))
        for (convolution, normalisation), (weight, bias) in zip(pairs, folded, strict=True):
            convolution.weight.copy_(weight)
            _make_identity(normalisation, torch.zeros_like(bias), torch.ones_like(bias), bias)
        seen = _measure_statistics(network, pairs, pictures)
        for (_, normalisation), (_, bias), (mean, variance) in zip(pairs, folded, seen, strict=True):
            _make_identity(normalisation, mean, variance, bias)
    return network


def pretrain_masks(network: DieNetwork, batches: Sequence[Batch]) -> DieNetwork:
    """Trains only the mask layer, which a published file lacks, on these batches over and over.

    Untrained masks are wrong everywhere; their gradient would disturb the layers that the published outputs depend on.
    """
    seen, wanted = [], []
    with torch.no_grad():
        for windows, *_, masks in batches:
            seen.append(network.eval().to_4(windows))
            wanted.append(masks)
    optimiser = torch.optim.Adam(network.masks.parameters(), lr=MASK_RATE)
    for step in range(MASK_STEPS):
        _train_masks(network.masks, optimiser, seen[step % len(seen)], wanted[step % len(seen)])
    return network


def _train_masks(masks: nn.Module, optimiser: torch.optim.Optimizer, seen: Tensor, wanted: Tensor) -> None:
    optimiser.zero_grad()
    mask_loss(masks(seen), wanted).backward()
    optimiser.step()


class PublishedTeacher:
    """The outputs of a published file, as the teacher of another network."""

    def __init__(self, path: Path, output: str) -> None:
        self._network, self._output = read_network(str(path)), output

    def __call__(self, pictures: Tensor) -> Tensor:
        """Pictures (n, c, h, w) to outputs (n, outputs or maps, rows, columns)."""
        answers = np.concatenate([self._predict(picture) for picture in pictures.float().cpu().numpy()])
        return torch.from_numpy(answers).to(pictures.device)

    def _predict(self, picture: NDArray[np.float32]) -> NDArray[np.float32]:
        self._network.setInput(np.ascontiguousarray(picture)[None])
        return np.array(self._network.forward([self._output])[0], np.float32)


def interpolate_weights(published: Path, learned: Path, share: float) -> onnx.ModelProto:
    """The network with weights `share` (0..1) of the way from the published to the learned file.

    Raises ValueError when their architectures differ.
    """
    between, goal = onnx.load(str(published)), onnx.load(str(learned))
    ours, theirs = _list_weights(between), _list_weights(goal)
    if [tuple(one.dims) for one in ours] != [tuple(one.dims) for one in theirs]:
        raise ValueError(f"{learned} and {published} hold different architectures; export the new network whole.")
    for one, other in zip(ours, theirs, strict=True):
        old, new = numpy_helper.to_array(one), numpy_helper.to_array(other)
        if np.issubdtype(old.dtype, np.floating):
            one.CopyFrom(numpy_helper.from_array(((1 - share) * old + share * new).astype(old.dtype), one.name))
    return between


def _list_weights(model: onnx.ModelProto) -> list[onnx.TensorProto]:
    """All weights: initialisers, and constants that the exporter made of transposed weights."""
    constants = [node for node in model.graph.node if node.op_type == "Constant"]
    values = [attribute.t for node in constants for attribute in node.attribute if attribute.name == "value"]
    return [*model.graph.initializer, *values]


NormalisedConvolution = tuple[nn.Conv2d, nn.BatchNorm2d]


def _read_weights(path: Path) -> tuple[dict[str, Tensor], list[tuple[Tensor, Tensor]]]:
    """Weights by their own names, and those of folded convolutions (weight, bias) in order of application."""
    graph = onnx.load(str(path)).graph
    stored = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    folded = [
        (stored[node.input[1]], stored[node.input[2]])
        for node in graph.node
        if node.op_type == "Conv" and node.input[1].startswith(FOLDED)
    ]
    return {name: weight for name, weight in stored.items() if not name.startswith(FOLDED)}, folded


def _find_normalised(network: nn.Module, picture: Tensor) -> list[NormalisedConvolution]:
    """The convolutions that a normalisation follows, in order of application."""
    before = {
        second: first
        for module in network.modules()
        if isinstance(module, nn.Sequential)
        for first, second in pairwise(module)
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
    }
    order: list[NormalisedConvolution] = []
    hooks = [
        module.register_forward_hook(lambda module, _, __: order.append((before[module], module))) for module in before
    ]
    with torch.no_grad():
        network.eval()(picture)
    for hook in hooks:
        hook.remove()
    return order


def _select_plain_parameters(network: nn.Module, pairs: Iterable[NormalisedConvolution]) -> dict[str, nn.Parameter]:
    """The parameters outside normalised convolutions, by name."""
    others = {id(parameter) for pair in pairs for module in pair for parameter in module.parameters()}
    return {name: parameter for name, parameter in network.named_parameters() if id(parameter) not in others}


def _make_identity(normalisation: nn.BatchNorm2d, mean: Tensor, variance: Tensor, bias: Tensor) -> None:
    """Sets the statistics and makes the normalisation add only `bias`."""
    normalisation.running_mean.copy_(mean)
    normalisation.running_var.copy_(variance)
    normalisation.weight.copy_(torch.sqrt(variance + normalisation.eps))
    normalisation.bias.copy_(bias + mean)


def _measure_statistics(
    network: nn.Module, pairs: list[NormalisedConvolution], pictures: Iterable[Tensor]
) -> Iterator[tuple[Tensor, Tensor]]:
    """Mean and variance of each convolution's output over all pictures and places."""
    sums: dict[nn.Conv2d, list[Tensor]] = {convolution: [] for convolution, _ in pairs}
    hooks = [
        convolution.register_forward_hook(lambda module, _, answer: sums[module].append(_moments(answer)))
        for convolution, _ in pairs
    ]
    for picture in pictures:
        network.eval()(picture)
    for hook in hooks:
        hook.remove()
    for convolution, _ in pairs:
        first, second = torch.stack(sums[convolution]).mean(dim=0)
        yield first, (second - first**2).clamp(min=0)


def _moments(answer: Tensor) -> Tensor:
    """(2, channels): means of the values and of their squares."""
    values = answer.float()
    return torch.stack([values.mean(dim=(0, 2, 3)), (values**2).mean(dim=(0, 2, 3))])
