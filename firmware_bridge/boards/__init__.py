"""Drivers of light boards behind one protocol, `LightBoard`, and the detection of which board is on a port."""

from firmware_bridge.boards.adalight import AdalightBoard
from firmware_bridge.boards.bglp import BglpBoard
from firmware_bridge.boards.device_detection import detect_first_light_board, detect_light_board
from firmware_bridge.boards.light_board import Health, Identity, LightBoard, ShowReport, Verification
from firmware_bridge.boards.null import NullBoard
from firmware_bridge.boards.steady import SteadyBoard, keep_beating
from firmware_bridge.boards.wled import WledBoard

__all__ = [
    "AdalightBoard", "BglpBoard", "Health", "Identity", "LightBoard", "NullBoard", "ShowReport", "SteadyBoard",
    "Verification", "WledBoard", "detect_first_light_board", "detect_light_board", "keep_beating",
]  # fmt: skip
