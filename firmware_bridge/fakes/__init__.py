"""Boards and serial lines in memory, for tests, the demo and `--port fake`. They share no code with the drivers."""

from firmware_bridge.fakes.fake_board import FakeBoard, FakeBoardSpec
from firmware_bridge.fakes.fake_line import FakeClock, FakePlug
from firmware_bridge.fakes.fake_wled import FakeWled

__all__ = ["FakeBoard", "FakeBoardSpec", "FakeClock", "FakePlug", "FakeWled"]
