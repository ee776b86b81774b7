"""Every trained network by the name of its file."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from torch import nn

from vision.dice.proposals import CHECK_PX
from vision.dice.windows import PLANES, WINDOW_PX
from vision.field.network_inputs import EDGE_HEIGHT_PX, EDGE_WIDTH_PX, SMALL_HEIGHT_PX, SMALL_WIDTH_PX
from vision.geometry.top_view import VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.training.dice_networks import CubeNumberNetwork, DiceProposalNetwork, DieNetwork, ProposalFilterNetwork
from vision.training.learning import TrainingError
from vision.training.networks import CheckerNetwork, LineNetwork
from vision.training.pretrained_layers import EfficientNetLayers

EXAMPLE_PICTURE_PX = (624, 752)  # the network for dice proposals takes any size


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """How to build the network, and the inputs and outputs of its ONNX file.

    `build_pretrained` builds it with first layers for weights that were pre-trained on photographs.
    """

    build: Callable[[], nn.Module]
    input_shape: tuple[int, int, int]  # planes, rows, columns
    outputs: tuple[str, ...] = ("maps",)
    any_size: bool = False
    build_pretrained: Callable[[], nn.Module] | None = None

    def build_like(self, weights: Iterable[str]) -> nn.Module:
        """The architecture whose weights have these names."""
        network = self.build()
        is_other = network.state_dict().keys() != set(weights)
        return self.build_pretrained() if is_other and self.build_pretrained is not None else network


NETWORKS = {
    "checkers": NetworkSpec(
        CheckerNetwork,
        (3, VIEW_HEIGHT_PX, VIEW_WIDTH_PX),
        ("points", "bar", "tops", "features"),
        build_pretrained=partial(CheckerNetwork, pretrained=True),
    ),
    "small": NetworkSpec(lambda: LineNetwork(4), (3, SMALL_HEIGHT_PX, SMALL_WIDTH_PX)),
    "edges": NetworkSpec(lambda: LineNetwork(6), (3, EDGE_HEIGHT_PX, EDGE_WIDTH_PX)),
    "dice": NetworkSpec(DieNetwork, (PLANES, WINDOW_PX, WINDOW_PX), ("answers",)),
    "dice_glance": NetworkSpec(ProposalFilterNetwork, (3, CHECK_PX, CHECK_PX), ("answers",)),
    "cube_number": NetworkSpec(CubeNumberNetwork, (3, WINDOW_PX, WINDOW_PX), ("answers",)),
    "dice_finder": NetworkSpec(DiceProposalNetwork, (3, *EXAMPLE_PICTURE_PX), any_size=True),
}


def build_new(name: str, *, pretrained: bool = False) -> nn.Module:
    """The network as a training from nothing begins: with random weights, or with pre-trained first layers.

    Raises TrainingError where there are none for this network, or where the package with them is missing.
    """
    spec = NETWORKS[name]
    if not pretrained:
        return spec.build()
    if spec.build_pretrained is None:
        raise TrainingError(f"{name} has no pre-trained layers; leave out --pretrained.")
    network = spec.build_pretrained()
    for part in network.modules():
        if isinstance(part, EfficientNetLayers):
            part.load_pretrained()
    return network
