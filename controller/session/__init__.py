"""Plays a match: frames and commands in, saved events and outputs (lights, buzzer, lines) out. See README.md.

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.session.announcer import Announcer
    from controller.session.button_commands import command_for
    from controller.session.buzzer_sink import BuzzerSink
    from controller.session.camera_watch import CachedProcessor, StillsProcessor, VideoProcessor, warm_up
    from controller.session.last_state import LastState
    from controller.session.light_sink import LightSink
    from controller.session.live_inputs import LiveInput, RecordedInputs, no_commands, report_jumps
    from controller.session.loop import FrameProcessor, Input, Log, Sink, referee_match
    from controller.session.transcribing import (
        infer_table,
        is_of_this_match,
        restore_progress,
        summarize_events,
        with_no_patience,
    )

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
    "command_for",
    "infer_table",
    "is_of_this_match",
    "no_commands",
    "referee_match",
    "report_jumps",
    "restore_progress",
    "summarize_events",
    "warm_up",
    "with_no_patience",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "announcer": ("Announcer",),
    "button_commands": ("command_for",),
    "buzzer_sink": ("BuzzerSink",),
    "camera_watch": ("CachedProcessor", "StillsProcessor", "VideoProcessor", "warm_up"),
    "last_state": ("LastState",),
    "light_sink": ("LightSink",),
    "live_inputs": ("LiveInput", "RecordedInputs", "no_commands", "report_jumps"),
    "loop": ("FrameProcessor", "Input", "Log", "Sink", "referee_match"),
    "transcribing": ("infer_table", "is_of_this_match", "restore_progress", "summarize_events", "with_no_patience"),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
