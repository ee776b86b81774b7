"""The exceptions of `controller.match_log`: a faulty file, disk or caller."""

from pathlib import Path


class MatchLogError(Exception):
    """Base class of the exceptions of `controller.match_log`; the text is one sentence with the remedy."""


class EventTextError(MatchLogError, ValueError):
    """An event that cannot be written as text, or text that is no event. `field` is empty if no field is at fault."""

    def __init__(self, event: str, field: str, problem: str) -> None:
        named = f"event {event}, field {field}" if field else f"event {event}"
        super().__init__(f"{named}: {problem}.")
        self.event = event
        self.field = field
        self.problem = problem


class BadPictureError(MatchLogError, ValueError):
    """An array that cannot be stored as a picture."""


class StorageError(MatchLogError, OSError):
    """Nothing can be saved at present. The batch was not stored; appending it again may succeed later."""

    def __init__(self, path: Path, reason: str, remedy: str = "see to the disk; saving is tried again") -> None:
        super().__init__(f"{path}: not saved ({reason}); {remedy}.")
        self.path = path
        self.reason = reason


class LogInUseError(MatchLogError, BlockingIOError):
    """Another process, or another part of this one, is writing the match."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is being written by another zarbiter; end that one first.")
        self.path = path


class MatchExistsError(MatchLogError, FileExistsError):
    """The file for a new match already exists."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is there already; name another file, or delete it first.")
        self.path = path


class UnreadableLogError(MatchLogError, OSError):
    """A file that does not exist or may not be read."""

    def __init__(self, path: Path, reason: str, remedy: str = "name a match of zarbiter log list, or its file") -> None:
        super().__init__(f"{path} cannot be read ({reason}); {remedy}.")
        self.path = path
        self.reason = reason


class NotAMatchLogError(MatchLogError, ValueError):
    """A file of another program, or of a later version of this one."""

    def __init__(self, path: Path, problem: str, remedy: str) -> None:
        super().__init__(f"{path} {problem}; {remedy}.")
        self.path = path


class DamagedLogError(MatchLogError, ValueError):
    """A match that differs from what was written. `sequence` is the first such event, None if it is unknown."""

    def __init__(self, path: Path, sequence: int | None, problem: str) -> None:
        where = "" if sequence is None else f" at event {sequence}"
        super().__init__(
            f"{path} is damaged{where}: {problem}; take a copy of it from before, or keep what is intact with zarbiter log"
            " salvage."
        )
        self.path = path
        self.sequence = sequence
        self.problem = problem


class UnknownMatchError(MatchLogError, LookupError):
    """No match, or more than one, has that name."""


class MatchNameError(MatchLogError, ValueError):
    """A name that a new match cannot have."""


class SignatureError(MatchLogError, ValueError):
    """A key or a signature that is missing, unreadable or false."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"{problem}.")
