"""The camera that is being calibrated where no match uses it: opened and read in a thread of its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from threading import Event, Lock, Thread
from typing import Protocol

from controller.pictures.calibrate import read_first_pictures
from controller.web.calibration.frame_buffer import FrameBuffer
from vision.camera.recorded import Pictures, Video
from vision.errors import BadPictureError, VisionError
from vision.frame import Frame, FrameSource

_FRAME_TIMEOUT_MS = 100
_ENDS_WITHIN_S = 3.0


class SourceKind(Enum):
    """The origin of a source."""

    GIVEN = "given"  # on the command line
    SETTINGS = "settings"
    CAMERA = "camera"  # found by the operating system
    PI_CAMERA = "pi_camera"
    PHONE = "phone"  # that sends its pictures to the page
    MATCH = "match"  # used by the match that is played


@dataclass(frozen=True, slots=True)
class SourceOption:
    """A source that may be chosen. `name` is the SRC of the command line; the page sends only the index of a source."""

    name: str
    kind: SourceKind
    label: str  # without passwords


class FrameProvider(Protocol):
    """The origin of the pictures for calibration."""

    sources: tuple[SourceOption, ...]
    buffer: FrameBuffer

    @property
    def source_index(self) -> int | None:
        """The chosen source."""
        ...

    @property
    def sentence(self) -> str:
        """Why no picture comes; empty where pictures come."""
        ...

    @property
    def is_recording(self) -> bool:
        """Whether the pictures are files, so that no newer ones follow."""
        ...

    def choose(self, index: int) -> None:
        """Opens a source. Takes seconds where a camera hangs."""
        ...


class CalibrationCamera:
    """A frame provider that opens sources itself. `opener` raises VisionError. The thread ends with `close`."""

    def __init__(self, sources: Sequence[SourceOption], opener: Callable[[str], FrameSource]) -> None:
        self.sources = tuple(sources)
        self.buffer = FrameBuffer()
        self._opener = opener
        self._lock = Lock()
        self._is_closed = False
        self._source_index: int | None = None
        self._reader: _SourceReader | None = None

    @property
    def source_index(self) -> int | None:
        return self._source_index

    @property
    def sentence(self) -> str:
        reader = self._reader
        return "" if reader is None else reader.sentence

    @property
    def is_recording(self) -> bool:
        reader = self._reader
        return reader is not None and reader.is_recording

    def choose(self, index: int) -> None:
        """Opens a source, also one that is open already. Does nothing after `close`."""
        with self._lock:
            if self._is_closed:
                return
            self._end()
            self.buffer.clear()
            self._source_index = index
            self._reader = _SourceReader(self.sources[index].name, self._opener, self.buffer)
            self._reader.start()

    def close(self) -> None:
        """Releases the camera."""
        with self._lock:
            self._is_closed = True
            self._end()

    def _end(self) -> None:
        if self._reader is not None:
            self._reader.end()
        self._reader = None


class _SourceReader(Thread):
    """Reads one source until `end`, or until a recording has no more pictures."""

    def __init__(self, name: str, opener: Callable[[str], FrameSource], buffer: FrameBuffer) -> None:
        super().__init__(name="calibration camera", daemon=True)
        self._source_name = name
        self._opener = opener
        self._buffer = buffer
        self._is_ending = Event()
        self.is_recording = False
        self.sentence = ""

    def run(self) -> None:
        try:
            with self._opener(self._source_name) as source:
                self.is_recording = isinstance(source, Pictures | Video)
                if self.is_recording:
                    self._read_recording(source)
                else:
                    self._read_camera(source)
        except VisionError as error:
            self.sentence = str(error)

    def end(self) -> None:
        self._is_ending.set()
        self.join(_ENDS_WITHIN_S)

    def _read_camera(self, source: FrameSource) -> None:
        while not self._is_ending.is_set():
            try:
                frame = source.latest(_FRAME_TIMEOUT_MS)
            except BadPictureError as error:
                self.sentence = str(error)
                continue
            self.sentence = source.state.sentence
            if frame is not None and not self._is_ending.is_set():
                self._buffer.put(frame)
            elif source.state.condition.is_final:
                return

    def _read_recording(self, source: FrameSource) -> None:
        """Reads the pictures that one calibration uses, and shows them when all are read."""
        found = read_first_pictures(source, report=self._report)
        pictures = list(takewhile(lambda _: not self._is_ending.is_set(), found))
        for number, pixels in enumerate(pictures):
            self._buffer.put(Frame(pixels, number), is_still=True)
        if not pictures:
            self.sentence = self.sentence or source.state.sentence

    def _report(self, sentence: str) -> None:
        self.sentence = sentence
