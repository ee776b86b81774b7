"""Light at the other end of a serial line: colours and rhythms in, bytes out. What a colour means is known elsewhere."""

from firmware_bridge.errors import BridgeError

__all__ = ["BridgeError"]
