"""Plays a match: frames and commands in, saved events and outputs (lights, buzzer, lines) out. See README.md."""

from controller.session.announcer import Announcer
from controller.session.buzzer_sink import BuzzerSink
from controller.session.camera_watch import CachedProcessor, StillsProcessor, VideoProcessor, warm_up
from controller.session.last_state import LastState
from controller.session.light_sink import LightSink
from controller.session.live_inputs import LiveInput, RecordedInputs, live_inputs, report_jumps
from controller.session.loop import FrameProcessor, Input, Log, Sink, referee_match

__all__ = [
    "Announcer",
    "BuzzerSink",
    "CachedProcessor",
    "FrameProcessor",
    "Input",
    "LastState",
    "LightSink",
    "LiveInput",
    "Log",
    "RecordedInputs",
    "Sink",
    "StillsProcessor",
    "VideoProcessor",
    "live_inputs",
    "referee_match",
    "report_jumps",
    "warm_up",
]
