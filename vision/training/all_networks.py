"""Every trained network by the name of its file."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import nn

from vision.dice.proposals import CHECK_PX
from vision.dice.windows import PLANES, WINDOW_PX
from vision.field.network_inputs import EDGE_HEIGHT_PX, EDGE_WIDTH_PX, SMALL_HEIGHT_PX, SMALL_WIDTH_PX
from vision.geometry.top_view import VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.training.dice_networks import CubeNumberNetwork, DiceProposalNetwork, DieNetwork, ProposalFilterNetwork
from vision.training.networks import CheckerNetwork, LineNetwork

EXAMPLE_PICTURE_PX = (624, 752)  # the network for dice proposals takes any size


@dataclass(frozen=True, slots=True)
class NetworkSpec:
    """How to build the network, and the inputs and outputs of its ONNX file."""

    build: Callable[[], nn.Module]
    input_shape: tuple[int, int, int]  # planes, rows, columns
    outputs: tuple[str, ...] = ("maps",)
    any_size: bool = False


NETWORKS = {
    "checkers": NetworkSpec(CheckerNetwork, (3, VIEW_HEIGHT_PX, VIEW_WIDTH_PX), ("points", "bar", "tops", "features")),
    "small": NetworkSpec(lambda: LineNetwork(4), (3, SMALL_HEIGHT_PX, SMALL_WIDTH_PX)),
    "edges": NetworkSpec(lambda: LineNetwork(6), (3, EDGE_HEIGHT_PX, EDGE_WIDTH_PX)),
    "dice": NetworkSpec(DieNetwork, (PLANES, WINDOW_PX, WINDOW_PX), ("answers",)),
    "dice_glance": NetworkSpec(ProposalFilterNetwork, (3, CHECK_PX, CHECK_PX), ("answers",)),
    "cube_number": NetworkSpec(CubeNumberNetwork, (3, WINDOW_PX, WINDOW_PX), ("answers",)),
    "dice_finder": NetworkSpec(DiceProposalNetwork, (3, *EXAMPLE_PICTURE_PX), any_size=True),
}
