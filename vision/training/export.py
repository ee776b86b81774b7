"""Exports trained states to ONNX files in vision/models, verified with OpenCV."""

from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import Tensor, nn

from vision.pixels.inference import read_network
from vision.training.all_networks import NETWORKS, NetworkSpec
from vision.training.networks import CheckerNetwork
from vision.training.published_weights import interpolate_weights

MODELS = Path(__file__).parents[1] / "models"
LARGEST_DIFFERENCE = 1e-3


def export_all(work: Path, share: float = 1.0) -> None:
    """Exports every state in `work` to vision/models/NAME.onnx.

    `share` < 1 interpolates the weights from the published file (0) to the new ones (1).
    """
    MODELS.mkdir(exist_ok=True)
    for name, kind in NETWORKS.items():
        state_file = work / f"{name}.state"
        if state_file.exists():
            averaged = torch.load(state_file, weights_only=True, map_location="cpu")["averaged"]
            weights = {key.removeprefix("module."): value for key, value in averaged.items() if key != "n_averaged"}
            network = kind.build_like(weights)
            network.load_state_dict(weights)
            file = MODELS / f"{name}.onnx"
            learned = file if share == 1 else work / file.name
            export(network.eval(), kind, learned)
            if share != 1:
                onnx.save(interpolate_weights(file, learned, share), str(file))


def export(network: nn.Module, kind: NetworkSpec, path: Path) -> None:
    """Writes the file. Raises ArithmeticError when OpenCV's outputs differ from the network's."""
    picture = torch.randn(1, *kind.input_shape, generator=torch.Generator().manual_seed(0))
    if isinstance(network, CheckerNetwork):
        network.freeze()
    sizes = {"picture": {2: "rows", 3: "columns"}} if kind.any_size else None
    torch.onnx.export(
        network,
        (picture,),
        str(path),
        input_names=["picture"],
        output_names=list(kind.outputs),
        dynamic_axes=sizes,
        opset_version=13,
        dynamo=False,
    )
    _check_outputs(network, picture, kind, path)
    if kind.any_size:  # OpenCV meets other sizes than the exported one
        _check_outputs(network, picture[..., :-64, :-32].contiguous(), kind, path)


def _check_outputs(network: nn.Module, picture: Tensor, kind: NetworkSpec, path: Path) -> None:
    with torch.no_grad():
        answer = network(picture)
    wanted: tuple[Tensor, ...] = answer if isinstance(answer, tuple) else (answer,)
    reader = read_network(str(path))
    reader.setInput(picture.numpy())
    for name, ours, theirs in zip(kind.outputs, wanted, reader.forward(list(kind.outputs)), strict=True):
        difference = float(np.abs(ours.numpy() - theirs).max())
        if difference > LARGEST_DIFFERENCE:
            raise ArithmeticError(f"{path.name}: OpenCV {cv2.__version__} answers {name} differently by {difference}")
