"""Light at the other end of a serial line: colours and rhythms in, bytes out. See README.md."""

from firmware_bridge.boards.light_board import Health, Identity, LightBoard, ShowReport, Verification
from firmware_bridge.errors import (
    BoardLostError,
    BridgeError,
    LayoutError,
    LayoutFileError,
    NotALightBoardError,
)
from firmware_bridge.layout import LedLayout, usual_plan
from firmware_bridge.layout_file import load_layout, save_layout
from firmware_bridge.led_frame import LedFrame, Rgb
from firmware_bridge.port import Clock, Plug
from firmware_bridge.power import IDLE_MA

__all__ = [
    "IDLE_MA", "BoardLostError", "BridgeError", "Clock", "Health", "Identity", "LayoutError", "LayoutFileError",
    "LedFrame", "LedLayout", "LightBoard", "NotALightBoardError", "Plug", "Rgb", "ShowReport", "Verification",
    "load_layout", "save_layout", "usual_plan",
]  # fmt: skip
