"""Exceptions of `vision`, for a broken environment or a broken caller.

An unreadable board is a value, not an exception. Each text is one sentence that ends with the remedy.
"""


class VisionError(Exception):
    """Base of every exception that `vision` raises."""


class OpenCvShapeError(VisionError, ValueError):
    """OpenCV returned an array whose shape no supported version of OpenCV returns."""

    def __init__(self, shape: tuple[int, ...], width: int) -> None:
        super().__init__(
            f"OpenCV gave an array of shape {shape} for rows of {width}; install a version from 4.11 to 5.x."
        )
        self.shape = shape
        self.width = width


class ImpossibleReadingError(VisionError, ValueError):
    """A reading was built from values that no reading can have."""


class ModelFileError(VisionError, RuntimeError):
    """A network's file is missing from the installation or damaged."""

    def __init__(self, file_name: str, why: str) -> None:
        super().__init__(f"The network {file_name} cannot be used ({why.strip()}); install zarbiter again.")
        self.file_name = file_name


class PictureFileError(VisionError, OSError):
    """A file holds no picture, or cannot be read or written as one."""


class WrongPictureSizeError(VisionError, ValueError):
    """The aspect ratio of a picture differs from that of the calibrated picture."""

    def __init__(self, size_px: tuple[int, int], known_size_px: tuple[int, int]) -> None:
        super().__init__(
            f"The picture is {size_px[0]}x{size_px[1]} px and the calibration was made at {known_size_px[0]}x"
            f"{known_size_px[1]} px, which is another cut-out; use the same resolution or calibrate anew."
        )
        self.size_px = size_px
        self.known_size_px = known_size_px


class CalibrationFileError(VisionError, ValueError):
    """A calibration cannot be loaded or saved; the text names the file and the field."""

    def __init__(self, file: str, problem: str, remedy: str = "make it anew with zarbiter calibrate") -> None:
        super().__init__(f"{file}: {problem}; {remedy}.")
        self.file = file
        self.problem = problem


class NoBoardInSceneError(VisionError, ValueError):
    """The true position was requested for a simulated scene without a board."""

    def __init__(self) -> None:
        super().__init__("The scene has no board; ask for the truth only of scenes that have one.")


class FrameError(VisionError, ValueError):
    """An array is no camera picture."""

    def __init__(self, shape: tuple[int, ...], dtype: str) -> None:
        super().__init__(
            f"A frame is (height, width, 3) of uint8, not {shape} of {dtype}; convert the picture to 8-bit BGR."
        )
        self.shape = shape
        self.dtype = dtype


class SourceRefusedError(VisionError, ValueError):
    """A name denotes no source of pictures; `source` holds no password."""

    def __init__(self, source: str, problem: str, remedy: str) -> None:
        super().__init__(f"{source}: {problem}; {remedy}.")
        self.source = source


class SourceMissingError(VisionError, FileNotFoundError):
    """A file, folder or device does not exist."""

    def __init__(self, source: str, remedy: str) -> None:
        super().__init__(f"{source} is not there; {remedy}.")
        self.source = source


class CaptureError(VisionError, OSError):
    """A camera or stream cannot be opened or has stopped, and may work later. `source` holds no password."""

    def __init__(self, source: str, problem: str, remedy: str) -> None:
        super().__init__(f"{source} {problem}; {remedy}.")
        self.source = source


class NoPictureError(VisionError, TimeoutError):
    """A source gave no picture in time. `why` is the sentence of the source, or empty."""

    def __init__(self, source: str, why: str) -> None:
        super().__init__(why or f"No picture came from {source}; see that it works.")
        self.source = source


class CaptureLibraryError(VisionError, ImportError):
    """The library that a camera needs is not installed; a new attempt does not help."""

    def __init__(self, library: str, source: str, remedy: str) -> None:
        super().__init__(f"{source} needs {library}, which is not installed; {remedy}.")
        self.library = library
        self.source = source


class BadPictureError(PictureFileError):
    """One picture of a recording cannot be read; the pictures after it still can."""

    def __init__(self, file: str, problem: str) -> None:
        super().__init__(f"{file}: {problem.removesuffix('.')}.")
        self.file = file


class VideoFileError(VisionError, OSError):
    """A file cannot be opened as a video."""

    def __init__(
        self,
        file: str,
        problem: str = "cannot be read as a video",
        remedy: str = "convert it to MP4 (H.264) or play it to see if it is whole",
    ) -> None:
        super().__init__(f"{file} {problem}; {remedy}.")
        self.file = file


class TimestampsError(VisionError, ValueError):
    """A line of a timestamps file is invalid; `line` counts from 1."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}, line {line}: {problem}.")
        self.file = file
        self.line = line
        self.problem = problem
