"""Plays a match: frames and commands in, saved events and outputs (lights, buzzer, lines) out. See README.md.

Each name loads its module at its first use (`lazy_names.py`).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.session.announcer import Announcer
    from controller.session.asker import Asker
    from controller.session.board_lessons import BoardLessons, has_unused_lessons, learn_from_step, restore_appearance
    from controller.session.button_commands import command_for
    from controller.session.buzzer_sink import BuzzerSink
    from controller.session.camera_watch import StillsProcessor, VideoProcessor
    from controller.session.kept_frames import KeepingProcessor, KeptFrames
    from controller.session.last_state import LastState
    from controller.session.light_sink import LightSink
    from controller.session.live_inputs import LiveInput, RecordedInputs, no_commands, report_jumps
    from controller.session.loop import FrameProcessor, Input, Log, Sink, referee_match
    from controller.session.network_loading import warm_up
    from controller.session.service_manager import ServiceManager
    from controller.session.transcribing import (
        find_other_games,
        infer_table,
        restore_progress,
        with_no_patience,
        with_nobody_to_ask,
    )
    from controller.session.transcription_report import (
        TranscriptionReport,
        UnrefereedThrows,
        report_transcription,
    )
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
