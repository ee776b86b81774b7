"""Inputs of the referee besides observations and commands: the time, and the state of camera, lights and storage."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed without a frame."""

    now_ms: int


class Peripheral(Enum):
    """Equipment that may fail and recover."""

    CAMERA = "camera"
    LIGHTS = "lights"
    STORAGE = "storage"  # while it is down, lights show "unsure" only


@dataclass(frozen=True, slots=True)
class PeripheralEvent:
    """A peripheral failed or recovered; `sentence` says what is wrong and what to do."""

    peripheral: Peripheral
    is_up: bool
    now_ms: int
    sentence: str = ""
