"""Exceptions of the renderer. The command line skips a scene that cannot be drawn and reports it."""

from vision.errors import VisionError


class SceneError(VisionError, RuntimeError):
    """The draws of this number lead to no valid scene."""


class NoCameraFoundError(SceneError):
    """No camera above this board sees all of it."""

    def __init__(self, tries: int) -> None:
        super().__init__(f"None of {tries} cameras drawn sees the whole board; take another number.")
        self.tries = tries


class NoLlvmError(VisionError, OSError):
    """Mitsuba found no usable LLVM library."""

    def __init__(self) -> None:
        super().__init__("No LLVM library from 17 on was found; install one and name it in DRJIT_LIBLLVM_PATH.")
