"""What reaches the referee besides observations and commands: the time, and what became of camera, lights and disk."""

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Tick:
    """Time passed and no frame came."""

    now_ms: int


class Peripheral(Enum):
    """What may be lost and come back."""

    CAMERA = "camera"
    LIGHTS = "lights"
    STORAGE = "storage"  # nothing can be saved: no light may say anything but "unsure"


@dataclass(frozen=True, slots=True)
class PeripheralEvent:
    """A link was lost or came back; `sentence` says what is wrong and what to do."""

    peripheral: Peripheral
    is_up: bool
    now_ms: int
    sentence: str = ""
