"""Light at the other end of a serial line: colours and rhythms in, bytes out. What a colour means is known elsewhere."""

from firmware_bridge.boards.light_board import Health, Identity, LightBoard, ShowReport, Verification
from firmware_bridge.errors import BridgeError
from firmware_bridge.led_frame import LedFrame, Rgb

__all__ = ["BridgeError", "Health", "Identity", "LedFrame", "LightBoard", "Rgb", "ShowReport", "Verification"]
