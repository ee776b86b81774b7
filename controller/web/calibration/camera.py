"""The source that is being calibrated, where no match has it: opened and read in a thread of its own, one at a time."""

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

_ASK_MS = 100
_ENDS_WITHIN_S = 3.0


class SourceKind(Enum):
    """Where a source is known from."""

    GIVEN = "given"  # on the command line
    SETTINGS = "settings"
    CAMERA = "camera"  # it is plugged in
    PI_CAMERA = "pi_camera"
    MATCH = "match"  # the match that is played has it


@dataclass(frozen=True, slots=True)
class SourceOption:
    """A source that may be chosen. `name` is what the command line calls SRC; a page only ever says which of them."""

    name: str
    kind: SourceKind
    label: str  # without passwords


class FrameProvider(Protocol):
    """What brings the pictures."""

    sources: tuple[SourceOption, ...]
    buffer: FrameBuffer

    @property
    def source_index(self) -> int | None:
        """Which of the sources."""
        ...

    @property
    def sentence(self) -> str:
        """Why no picture comes; empty where nothing is wrong."""
        ...

    @property
    def is_recording(self) -> bool:
        """Whether its pictures are files: nothing newer will come."""
        ...

    def choose(self, index: int) -> None:
        """Takes seconds where a camera hangs."""
        ...


class CalibrationCamera:
    """Eyes of its own. `opener` raises VisionError; the thread ends with `close`."""

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
        """The same one again is opened anew; nothing is, once this is closed."""
        with self._lock:
            if self._is_closed:
                return
            self._end()
            self.buffer.clear()
            self._source_index = index
            self._reader = _SourceReader(self.sources[index].name, self._opener, self.buffer)
            self._reader.start()

    def close(self) -> None:
        """The camera is free for somebody else."""
        with self._lock:
            self._is_closed = True
            self._end()

    def _end(self) -> None:
        if self._reader is not None:
            self._reader.end()
        self._reader = None


class _SourceReader(Thread):
    """Reads one source until it is told to end, or a recording has no more."""

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
                frame = source.latest(_ASK_MS)
            except BadPictureError as error:
                self.sentence = str(error)
                continue
            self.sentence = source.state.sentence
            if frame is not None and not self._is_ending.is_set():
                self._buffer.put(frame)
            elif source.state.condition.is_final:
                return

    def _read_recording(self, source: FrameSource) -> None:
        """As many pictures as a calibration looks at; shown when all of them are there."""
        pictures = list(
            takewhile(lambda _: not self._is_ending.is_set(), read_first_pictures(source, tell=self._report))
        )
        for number, pixels in enumerate(pictures):
            self._buffer.put(Frame(pixels, number), is_still=True)
        if not pictures:
            self.sentence = self.sentence or source.state.sentence

    def _report(self, sentence: str) -> None:
        self.sentence = sentence
