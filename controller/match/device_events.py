"""Events of the devices: a picture that shows no board, a camera, lights or a disk that fail, and their return."""

from dataclasses import dataclass

from controller.match.event_values import Event, Hindrance


@dataclass(frozen=True, slots=True)
class SetUpCertified(Event):
    """With what a match is refereed, whenever it begins or goes on.

    `by`: the director, "" where nobody is named. `calibration` and `settings`: digests (SHA-256, hex) of the text of the
    calibration and of the settings file. `calibrated`: when the board was calibrated, in ISO 8601; `error_mm`: the rms
    distance between measurement and model, None where it was not measured.
    """

    by: str
    calibration: str
    calibrated: str
    error_mm: float | None
    settings: str


@dataclass(frozen=True, slots=True)
class SightHindered(Event):
    """The referee waits because the camera does not show the board. `since_ms`: when that began."""

    hindrance: Hindrance
    since_ms: int


@dataclass(frozen=True, slots=True)
class SightClear(Event):
    """What hindered the camera is over."""


@dataclass(frozen=True, slots=True)
class BoardMoved(Event):
    """The board was moved away from its calibrated place."""

    moved_mm: float


@dataclass(frozen=True, slots=True)
class CameraLost(Event):
    """No frames arrive; `sentence` says why and what helps."""

    sentence: str


@dataclass(frozen=True, slots=True)
class CameraBack(Event):
    """Frames arrive again; the board is compared with the log."""


@dataclass(frozen=True, slots=True)
class LightsLost(Event):
    """The light board does not answer; the game goes on without it."""

    sentence: str


@dataclass(frozen=True, slots=True)
class LightsBack(Event):
    """The light board answers again."""


@dataclass(frozen=True, slots=True)
class StorageBack(Event):
    """Saving works again; nothing in between was refereed."""
