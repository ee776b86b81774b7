"""Exceptions of `vision`: a broken world or a broken caller. An unreadable board is a value, not an exception."""


class VisionError(Exception):
    """Base of every exception raised by `vision`; its text is one sentence with the remedy."""


class OpenCvShapeError(VisionError, ValueError):
    """OpenCV handed out an array of a shape that no supported version is known to give."""

    def __init__(self, shape: tuple[int, ...], width: int) -> None:
        super().__init__(
            f"OpenCV gave an array of shape {shape} for rows of {width}; install a version from 4.10 to 5.x."
        )
        self.shape = shape
        self.width = width
