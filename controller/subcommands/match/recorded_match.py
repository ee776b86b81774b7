"""Referees the recordings of one match into its log, from where an earlier run ended."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from controller.match import MatchStarted, Peripheral, PeripheralEvent, RefereeEvent
from controller.match_log import EvidencePicture, MatchLog, StorageError, revise
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, replay_events
from controller.refereeing.state import RefereeState
from controller.session import (
    FrameProcessor,
    StillsProcessor,
    UnrefereedThrows,
    VideoProcessor,
    infer_table,
    referee_match,
    report_jumps,
    restore_progress,
)
from controller.subcommands.match.recording import Recording
from controller.subcommands.options import CommandFailedError
from vision.frame import Frame

_LOG = logging.getLogger("zarbiter.transcribe")
_GAP_MS = 2  # before the first picture of a later recording: the camera is lost, and back
_GAP = "A recording ends here, and {} begins."


class DiskRefusesError(CommandFailedError):
    """The disk takes no more of a log."""


@dataclass(frozen=True, slots=True)
class _WholeLog:
    """Ends the run when the disk refuses: unlike players, a recording waits, and no turn of it is passed over."""

    log: MatchLog

    def append(self, events: tuple[RefereeEvent, ...], pictures: tuple[EvidencePicture, ...] = ()) -> object:
        try:
            return self.log.append(events, pictures)
        except StorageError as error:
            raise DiskRefusesError(
                f"{error.path} takes no more ({error.reason}); see that the disk has room and call this again: it goes on"
            ) from None


@dataclass(slots=True)
class RecordedMatch:
    """The recordings in their order in the match. `throws`: throws that no game was refereed with."""

    recordings: Sequence[Recording]
    log: MatchLog
    table: MatchConfig
    are_stills: bool
    throws: UnrefereedThrows = field(default_factory=UnrefereedThrows)

    def transcribe(self) -> None:
        """Transcribes what the log does not hold yet."""
        if self.log.n_events == 0:
            used = tuple(one.known.used for one in self.recordings)
            begun = begin_match(self.table, 0)[1]
            _WholeLog(self.log).append(
                tuple(replace(one, recordings=used) if isinstance(one, MatchStarted) else one for one in begun)
            )
        events = revise(self.log.read().events)
        state, left = replay_events(events), list(self.recordings)
        if state.game.number > 0:
            _LOG.info("%s goes on after %d events", self.log.path, len(events))
            done_ms = max(event.at_ms for event in events)
            while len(left) > 1 and left[1].known.used.begins_ms - _GAP_MS <= done_ms:
                left.pop(0).pass_over()
            state = self._resume(left.pop(0), events)
        for recording in left:
            state = self._go_on(recording, state)

    def _resume(self, recording: Recording, events: Sequence[RefereeEvent]) -> RefereeState:
        """The rest of a recording that an earlier run left in the middle."""
        with recording.frames(self._name_pictures(recording, "")) as frames:
            inputs = self._with_gaps(recording, frames)
            watch, left, state = restore_progress(self._watch(recording), inputs, events, self.table)
            return self._referee(left, watch, state)

    def _go_on(self, recording: Recording, state: RefereeState) -> RefereeState:
        """A whole recording. Before the first game it is watched twice: first to see who plays."""
        watch: FrameProcessor = self._watch(recording)
        table = self.table
        if state.game.number == 0:
            with recording.frames(self._name_pictures(recording, ", to see who plays")) as frames:
                table, watch = infer_table(frames, self._watch(recording), self.table)
        with recording.frames(self._name_pictures(recording, "")) as frames:
            state = self._referee(self._with_gaps(recording, frames), watch, state, table)
        if state.game.number > 0:
            self.table = table
        return state

    def _referee(
        self,
        inputs: Iterable[Frame | PeripheralEvent],
        watch: FrameProcessor,
        state: RefereeState,
        table: MatchConfig | None = None,
    ) -> RefereeState:
        log = _WholeLog(self.log)
        return referee_match(inputs, table or self.table, log, (self.throws,), processor=watch, state=state)

    def _watch(self, recording: Recording) -> StillsProcessor | VideoProcessor:
        return (StillsProcessor if self.are_stills else VideoProcessor)(recording.calibration)

    def _with_gaps(self, recording: Recording, frames: Iterator[Frame]) -> Iterator[Frame | PeripheralEvent]:
        """The frames, with the camera lost and back where pictures are missing and before a later recording."""
        if self.are_stills:
            return frames
        begins_ms = recording.known.used.begins_ms
        if begins_ms == 0:
            return report_jumps(frames)
        sentence = _GAP.format(recording.known.used.name)
        lost = PeripheralEvent(Peripheral.CAMERA, False, begins_ms - _GAP_MS, sentence)
        return chain((lost, PeripheralEvent(Peripheral.CAMERA, True, begins_ms - 1)), report_jumps(frames))

    def _name_pictures(self, recording: Recording, purpose: str) -> str:
        of = f" of {recording.known.used.name}" if len(self.recordings) > 1 else ""
        return f"pictures{of}{purpose}"
