"""Every network that is trained here, by the name of its step and its file."""

from collections.abc import Callable
from dataclasses import dataclass

from torch import nn

from vision.dice.proposals import GLANCE_PX
from vision.dice.windows import PLANES, WINDOW_PX
from vision.field.network_inputs import EDGE_HEIGHT_PX, EDGE_WIDTH_PX, SMALL_HEIGHT_PX, SMALL_WIDTH_PX
from vision.geometry.top_view import VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.training.dice_networks import (
    CubeNumberNetwork,
    DiceFinderNetwork,
    DieGlanceNetwork,
    DieNetwork,
    quick_die_network,
)
from vision.training.networks import CheckerNetwork, LineNetwork

SOME_PICTURE_PX = (624, 752)  # the dice finder takes any size


@dataclass(frozen=True, slots=True)
class TrainedNetwork:
    """How it is made, and what goes in and out of its file."""

    new: Callable[[], nn.Module]
    input_shape: tuple[int, int, int]  # planes, rows, columns
    outputs: tuple[str, ...] = ("maps",)
    any_size: bool = False


CAREFUL_DIE = TrainedNetwork(DieNetwork, (PLANES, WINDOW_PX, WINDOW_PX), ("answers",))
QUICK_DIE = TrainedNetwork(quick_die_network, (PLANES, WINDOW_PX, WINDOW_PX), ("answers",))
NETWORKS = {
    "checkers": TrainedNetwork(CheckerNetwork, (3, VIEW_HEIGHT_PX, VIEW_WIDTH_PX), ("points", "bar", "tops")),
    "small": TrainedNetwork(lambda: LineNetwork(4), (3, SMALL_HEIGHT_PX, SMALL_WIDTH_PX)),
    "edges": TrainedNetwork(lambda: LineNetwork(6), (3, EDGE_HEIGHT_PX, EDGE_WIDTH_PX)),
    "dice": CAREFUL_DIE,
    "dice_second_opinion": CAREFUL_DIE,
    "dice_third_opinion": CAREFUL_DIE,
    "dice_quick": QUICK_DIE,
    "dice_doubt": QUICK_DIE,
    "dice_doubt_nearer": CAREFUL_DIE,
    "dice_glance": TrainedNetwork(DieGlanceNetwork, (3, GLANCE_PX, GLANCE_PX), ("answers",)),
    "cube_number": TrainedNetwork(CubeNumberNetwork, (3, WINDOW_PX, WINDOW_PX), ("answers",)),
    "dice_finder": TrainedNetwork(DiceFinderNetwork, (3, *SOME_PICTURE_PX), any_size=True),
}
