"""Inference with the trained networks by OpenCV. The weights and their model card are in `vision/models`."""

import hashlib
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
            file.stat()  # a missing file raises FileNotFoundError, where OpenCV gives no reason
            return read_network(str(file))
    except (OSError, cv2.error) as error:
        raise ModelFileError(f"{name}.onnx", str(error)) from error


def read_network(file: str) -> cv2.dnn.Net:
    """Loads an ONNX file; raises cv2.error when OpenCV cannot read it.

    OpenCV 5 still contains the engine of OpenCV 4, which runs these networks in three quarters of the time.
    """
    if hasattr(cv2.dnn, "ENGINE_CLASSIC"):
        return cv2.dnn.readNetFromONNX(file, engine=cv2.dnn.ENGINE_CLASSIC)
    return cv2.dnn.readNetFromONNX(file)


@cache
def identify_network(name: str) -> str:
    """The first twelve digits of the SHA-256 of the weights: what is learned with other weights means something else."""
    try:
        return hashlib.sha256(files("vision.models").joinpath(f"{name}.onnx").read_bytes()).hexdigest()[:12]
    except OSError as error:
        raise ModelFileError(f"{name}.onnx", str(error)) from error


def run_network(name: str, picture: NDArray[np.uint8], outputs: Sequence[str]) -> list[NDArray[np.float32]]:
    """Normalises a picture (h, w, 3) of the network's input size and runs the network; see `run_network_on_planes`."""
    return run_network_on_planes(name, normalise_planes(picture), outputs)


def run_network_on_planes(name: str, planes: NDArray[np.float32], outputs: Sequence[str]) -> list[NDArray[np.float32]]:
    """Runs the network `name` on normalised planes (n, h, w); returns each output without its batch axis.

    Raises ModelFileError when the file is missing or unreadable. Not thread-safe: a network keeps its last input.
    """
    network = _load_network(name)
    network.setInput(planes[None])
    return [np.asarray(answer[0], np.float32) for answer in network.forward(list(outputs))]


def run_network_on_batch(name: str, batch: NDArray[np.float32], output: str) -> NDArray[np.float32]:
    """Runs the network `name` once on a batch (m, n, h, w) of normalised planes; returns the output with its batch axis.

    Raises and limits as `run_network_on_planes`.
    """
    network = _load_network(name)
    network.setInput(batch)
    return np.asarray(network.forward([output])[0], np.float32)


def log_softmax(logits: NDArray[Float]) -> NDArray[Float]:
    """Log-probabilities along the last axis."""
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True), logits.dtype)


def sigmoid(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def limit_threads(count: int) -> int:
    """Lets OpenCV use `count` threads in this process; returns how many it might use before."""
    before: int = cv2.getNumThreads()
    cv2.setNumThreads(count)
    return before


def opencv_version() -> str:
    return str(cv2.__version__)
