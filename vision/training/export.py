"""Trained states -> ONNX files in vision/models, checked against OpenCV's own answers."""

from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.field_views import EDGE_HEIGHT_PX, EDGE_WIDTH_PX, SMALL_HEIGHT_PX, SMALL_WIDTH_PX
from vision.rectify import VIEW_HEIGHT_PX, VIEW_WIDTH_PX
from vision.training.networks import CheckerNetwork, new_network

MODELS = Path(__file__).parents[1] / "models"
LARGEST_DIFFERENCE = 1e-3


def export_all(work: Path) -> None:
    """Every state found in `work` becomes vision/models/NAME.onnx."""
    MODELS.mkdir(exist_ok=True)
    for name, size in (
        ("checkers", (VIEW_HEIGHT_PX, VIEW_WIDTH_PX)),
        ("small", (SMALL_HEIGHT_PX, SMALL_WIDTH_PX)),
        ("edges", (EDGE_HEIGHT_PX, EDGE_WIDTH_PX)),
    ):
        state_file = work / f"{name}.state"
        if state_file.exists():
            averaged = torch.load(state_file, weights_only=True)["averaged"]
            weights = {key.removeprefix("module."): value for key, value in averaged.items() if key != "n_averaged"}
            network = new_network(name)
            network.load_state_dict(weights)
            export(network.eval(), size, MODELS / f"{name}.onnx")


def export(network: nn.Module, size_px: tuple[int, int], path: Path) -> None:
    """Writes the file and raises ArithmeticError when OpenCV's answers differ from those of the network."""
    picture = torch.randn(1, 3, *size_px, generator=torch.Generator().manual_seed(0))
    names = ["points", "bar", "tops"] if isinstance(network, CheckerNetwork) else ["maps"]
    if isinstance(network, CheckerNetwork):
        network.freeze()
    torch.onnx.export(
        network, (picture,), str(path), input_names=["picture"], output_names=names, opset_version=13, dynamo=False
    )
    with torch.no_grad():
        answer = network(picture)
    wanted: tuple[Tensor, ...] = answer if isinstance(answer, tuple) else (answer,)
    reader = cv2.dnn.readNetFromONNX(str(path))
    reader.setInput(picture.numpy())
    for name, ours, theirs in zip(names, wanted, reader.forward(names), strict=True):
        difference = float(np.abs(ours.numpy() - theirs).max())
        if difference > LARGEST_DIFFERENCE:
            raise ArithmeticError(f"{path.name}: OpenCV {cv2.__version__} answers {name} differently by {difference}")
