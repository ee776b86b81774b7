"""Exceptions of `firmware_bridge`: a port that is gone or a broken caller. A lost byte is a value, not an exception."""


class BridgeError(Exception):
    """Base of every exception raised by `firmware_bridge`; its text is one sentence with the remedy."""
