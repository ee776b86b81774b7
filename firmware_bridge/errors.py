"""Exceptions of `firmware_bridge`: port trouble and faults of the caller. A damaged unit is a value, not an exception."""


class BridgeError(Exception):
    """Base of all exceptions of `firmware_bridge`; the text is one sentence with the remedy."""


class MalformedPayloadError(BridgeError, ValueError):
    """A unit with a correct checksum whose payload does not fit its type."""


class ImpossibleMessageError(BridgeError, ValueError):
    """A message whose values cannot be encoded."""


class WrongLedCountError(BridgeError, ValueError):
    """The picture is longer than the strip."""

    def __init__(self, in_picture: int, on_strip: int) -> None:
        super().__init__(
            f"The picture has {in_picture} LEDs and the strip {on_strip}; set the number of LEDs in the LED layout."
        )
        self.in_picture = in_picture
        self.on_strip = on_strip


class CommandRefusedError(BridgeError, RuntimeError):
    """The board understood a command and refused it: a fault of this program, so it is not retried."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The light board refused a command ({reason}); please report this as a bug.")
        self.reason = reason


class PortError(BridgeError, OSError):
    """Base of port errors; `port` is its path."""

    def __init__(self, port: str, problem: str, remedy: str) -> None:
        super().__init__(f"{port} {problem}; {remedy}.")
        self.port = port


class PortMissingError(PortError, FileNotFoundError):
    """Nothing is plugged in under this path."""


class PortBusyError(PortError, BlockingIOError):
    """Another program uses the port."""


class PortForbiddenError(PortError, PermissionError):
    """The user may not open the port."""


class PortGoneError(PortError, ConnectionError):
    """An open port is gone: most likely unplugged."""


class NotALightBoardError(BridgeError, ConnectionRefusedError):
    """The port has another device or none that answers. No LED data was sent to it."""

    def __init__(self, port: str, problem: str, remedy: str) -> None:
        super().__init__(f"{port}: {problem}; {remedy}.")
        self.port = port
        self.problem = problem


class WrongVersionError(NotALightBoardError):
    """A light board with another version of the protocol."""

    def __init__(self, port: str, board_speaks: int, needed: int) -> None:
        super().__init__(
            port,
            f"the light board's firmware speaks version {board_speaks} of the protocol and this program needs {needed}",
            f"flash the firmware that came with this program (make flash PORT={port} in hardware/firmware)",
        )
        self.board_speaks = board_speaks
        self.needed = needed


class BoardLostError(BridgeError, ConnectionError):
    """The light board does not answer. The picture is kept and shown as soon as the board is back."""

    def __init__(self, port: str, why: str) -> None:
        super().__init__(f"{port}: the light board {why}; check its cable and supply.")
        self.port = port
        self.why = why


class ComputerBusyError(BoardLostError):
    """The light board was lost while this program did not get the processor in time."""

    def __init__(self, port: str) -> None:
        super().__init__(port, "does not answer")
        self.args = (
            f"{port}: this computer is busy, and the light board heard nothing in time; close other programs.",
        )


class LayoutError(BridgeError, ValueError):
    """An impossible layout; the text is one sentence without a full stop, to be put into others."""


class LayoutFileError(BridgeError, ValueError):
    """A layout cannot be loaded or saved; the text names file, fault and remedy."""

    def __init__(
        self, file: str, problem: str, remedy: str = "correct it, or make it anew with zarbiter leds map"
    ) -> None:
        super().__init__(f"{file}: {problem}; {remedy}.")
        self.file = file
        self.problem = problem


class GpioPinsError(BridgeError, ValueError):
    """An impossible assignment of pins."""
