"""The trained networks, run by OpenCV; their files lie in `vision/models`, with a card for each."""

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ModelFileError
from vision.pixels.normalise import normalise_planes

Float = TypeVar("Float", np.float32, np.float64)


@cache
def _load_network(name: str) -> cv2.dnn.Net:
    try:
        with as_file(files("vision.models").joinpath(f"{name}.onnx")) as file:
            file.stat()  # a missing file is told as that
            return read_network(str(file))
    except (OSError, cv2.error) as error:
        raise ModelFileError(f"{name}.onnx", str(error)) from error


def read_network(file: str) -> cv2.dnn.Net:
    """Of an ONNX file. By the engine of OpenCV 4, which 5 still has for files: ours take it three quarters of the new one's time.

    cv2.error where it cannot be read.
    """
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(file, engine=cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(file)


def run_network(name: str, picture: NDArray[np.uint8], outputs: Sequence[str]) -> list[NDArray[np.float32]]:
    """What the network `name` says of a picture (h, w, 3) of the size it was made for; each without its first axis.

    ModelFileError when the file is missing or OpenCV cannot read it.
    """
    return run_network_on_planes(name, normalise_planes(picture), outputs)


def run_network_on_planes(name: str, planes: NDArray[np.float32], outputs: Sequence[str]) -> list[NDArray[np.float32]]:
    """As `answers`, for planes (n, h, w) that are ready for the network.

    Not for several threads at once: OpenCV's networks keep their last input.
    """
    network = _load_network(name)
    network.setInput(planes[None])
    return [np.asarray(answer[0], np.float32) for answer in network.forward(list(outputs))]


def log_softmax(logits: NDArray[Float]) -> NDArray[Float]:
    """Log-probabilities along the last axis."""
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True), logits.dtype)


def sigmoid(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)
