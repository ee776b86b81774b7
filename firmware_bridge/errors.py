"""Exceptions of `firmware_bridge`: a port that is gone or a broken caller. A lost byte is a value, not an exception."""


class BridgeError(Exception):
    """Base of every exception raised by `firmware_bridge`; its text is one sentence with the remedy."""


class MalformedPayloadError(BridgeError, ValueError):
    """A unit with a right checksum whose content no message of its type can have."""


class ImpossibleMessageError(BridgeError, ValueError):
    """Somebody made a message that cannot be sent."""


class WrongLedCountError(BridgeError, ValueError):
    """A picture that is longer than the strip."""

    def __init__(self, in_picture: int, on_strip: int) -> None:
        super().__init__(
            f"The picture has {in_picture} LEDs and the strip {on_strip}; set the number of LEDs in the LED layout."
        )
        self.in_picture = in_picture
        self.on_strip = on_strip


class CommandRefusedError(BridgeError, RuntimeError):
    """The board understood a command and refused it: a fault of this program, so it is not sent again."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The light board refused a command ({reason}); please report this as a bug.")
        self.reason = reason


class PortError(BridgeError, OSError):
    """Base of what goes wrong with a port; `port` is its path."""

    def __init__(self, port: str, problem: str, remedy: str) -> None:
        super().__init__(f"{port} {problem}; {remedy}.")
        self.port = port


class PortMissingError(PortError, FileNotFoundError):
    """Nothing is plugged in under this path."""


class PortBusyError(PortError, BlockingIOError):
    """Another program has the port."""


class PortForbiddenError(PortError, PermissionError):
    """The user may not open the port."""


class PortGoneError(PortError, ConnectionError):
    """The port was open and is no more: unplugged, most likely."""


class NotALightBoardError(BridgeError, ConnectionRefusedError):
    """Something else answers on the port, or nothing does. It was never sent LED data."""

    def __init__(self, port: str, problem: str, remedy: str) -> None:
        super().__init__(f"{port}: {problem}; {remedy}.")
        self.port = port
        self.problem = problem


class WrongVersionError(NotALightBoardError):
    """A light board that speaks another version of the protocol."""

    def __init__(self, port: str, board_speaks: int, needed: int) -> None:
        super().__init__(
            port,
            f"the light board's firmware speaks version {board_speaks} of the protocol and this program needs {needed}",
            f"flash the firmware that came with this program (make flash PORT={port} in hardware/firmware)",
        )
        self.board_speaks = board_speaks
        self.needed = needed


class BoardLostError(BridgeError, ConnectionError):
    """The light board does not answer at present. The picture is kept and shown as soon as the board is back."""

    def __init__(self, port: str, why: str) -> None:
        super().__init__(f"{port}: the light board {why}; check its cable and supply.")
        self.port = port
        self.why = why


class LayoutError(BridgeError, ValueError):
    """A layout that no strip can have; the text is one sentence without a full stop, for it is put into others."""


class LayoutFileError(BridgeError, ValueError):
    """A layout that cannot be loaded or saved; names the file, the mistake and the remedy."""

    def __init__(
        self, file: str, problem: str, remedy: str = "correct it, or make it anew with zarbiter leds map"
    ) -> None:
        super().__init__(f"{file}: {problem}; {remedy}.")
        self.file = file
        self.problem = problem


class GpioPinsError(BridgeError, ValueError):
    """Pins that cannot be wired so."""
