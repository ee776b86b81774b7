"""Referees filmed matches until it is killed: `python -m tests.controller.refereeing.refereed_lives`.

For each line `FOLDER NUMBER DONE MOST` on standard input a child is born that goes on with the match which was broken
off in that data folder, or begins it; it opens the match as `play` does. It sees match NUMBER of `MATCHES`, from the
input on that comes after the first DONE, for while nobody looked the film stood still; after MOST more it waits for its
end, if MOST is not negative. Lights are lit. On standard output come records: a word of `Report` and a number. Imports
and film are there before a child is born, so that a life costs no more than what is refereed in it.
"""

import logging
import os
import signal
import struct
import sys
import time
import zlib
from argparse import Namespace
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache, partial
from itertools import islice
from pathlib import Path

from controller.lights.state_lights import render_state
from controller.match.commands import ChoosePlay, CorrectBoard, CorrectRoll, EndTurn
from controller.match.events import RefereeEvent
from controller.match.inputs import Peripheral
from controller.match_log import match_files, matches_folder, read_match
from controller.match_log.event_json import event_text
from controller.observing.observation import Observation
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.state import RefereeState
from controller.rules import RULESETS, MatchRules
from controller.session.camera_watch import VideoProcessor
from controller.session.light_sink import LightSink
from controller.session.loop import Input, referee_match
from controller.settings.settings import Settings
from controller.settings.store import SettingsStore
from controller.simulation.filmed.observations import Observer
from controller.simulation.filmed.snapshots import TableSnapshot
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.beats import Beat, Cue
from controller.simulation.staging.board_plan import BoardPlan
from controller.simulation.staging.script_context import Happening
from controller.subcommands.match.match_opening import SetUpCertificate, open_match
from controller.subcommands.match.match_resuming import OpenMatch
from firmware_bridge.layout import LedLayout, usual_plan
from tests.firmware_bridge.boards_on_lines import bglp_board
from tests.vision.drawn_boards import calibration_for

RECORD = struct.Struct(">cI")
AFTERWARDS_MS = 5_000  # how long the last board lies there before the last turn is ended by the button, and after it


class Report(Enum):
    """What a record says, and what its number is."""

    BORN = b"b"  # process number
    READY = b"r"  # us since it was born: what the log tells is the state again
    SAVED = b"s"  # checksum of an event that is shown to people, and so must be in the log
    DONE = b"i"  # one more input of the film is through; the number says nothing
    OVER = b"o"  # the film is over
    DEAD = b"d"  # said by the process that forked it


@dataclass(frozen=True, slots=True)
class FilmedMatch:
    """A match of one game to one point; nothing goes wrong at the table."""

    game: str
    seed: int

    @property
    def plan(self) -> GamePlan:
        return GamePlan(seed=self.seed)

    @property
    def table(self) -> MatchConfig:
        rules = RULESETS[self.game]
        return MatchConfig(game=self.game, rules=rules, seating=self.plan.seating, match=MatchRules.of(rules, 1))

    @property
    def happenings(self) -> tuple[Happening, ...]:
        return _filmed(self)


# In none of them a throw is like one of the two before it: of dice with such numbers nobody who opens his eyes knows
# whether they lie there since, or were thrown anew.
MATCHES = (
    FilmedMatch("hypergammon", 6),
    FilmedMatch("hypergammon", 20),
    FilmedMatch("backgammon", 49),
    FilmedMatch("tavla", 148),
    FilmedMatch("nackgammon", 189),
)


@cache
def _filmed(match: FilmedMatch) -> tuple[Happening, ...]:
    """The film to the end of the game. If the process was dead when the last dice were lifted, the button ends the turn."""
    film = tuple(film_game(RULESETS[match.game], match.plan))
    last = [one for one in film if isinstance(one, Beat)][-1]
    still = replace(last, starts_ms=last.ends_ms, lasts_ms=AFTERWARDS_MS)
    return (*film, still, Cue(still.ends_ms, EndTurn(None)), replace(still, starts_ms=still.ends_ms))


def checksum(text: str) -> int:
    """The checksum of an event as the log has it."""
    return zlib.crc32(text.encode())


def tell(report: Report, number: int = 0) -> None:
    os.write(1, RECORD.pack(report.value, number))


@dataclass(slots=True)
class Eye:
    """Sees nothing until it is opened; `now_ms` is the film's time."""

    observer: Observer
    is_open: bool = False
    now_ms: int = 0

    def __call__(self, moment: TableSnapshot) -> Observation | None:
        self.now_ms = moment.taken_ms
        return self.observer(moment) if self.is_open else None


@dataclass(slots=True)
class Teller:
    """A sink, the first of all, that tells which events are shown."""

    link: Peripheral | None = field(default=None, init=False)

    def publish(self, state: RefereeState, events: tuple[RefereeEvent, ...], now_ms: int) -> None:
        for event in events:
            tell(Report.SAVED, checksum(event_text(event)))


@dataclass(slots=True)
class Life:
    """One child. The person at the simulated table sees what is still open, and answers it."""

    match: FilmedMatch
    folder: Path
    n_done: int
    n_most: int  # negative: to the end of the film
    eye: Eye
    simulated: SimulatedTable[Observation | None]

    @classmethod
    def of(cls, line: str) -> "Life":
        folder, number, n_done, n_most = line.rsplit(maxsplit=3)
        match = MATCHES[int(number)]
        eye = Eye(Observer(BoardPlan(), match.seed))
        simulated = SimulatedTable(match.happenings, BoardPlan(), eye)
        return cls(match, Path(folder), int(n_done), int(n_most), eye, simulated)

    def lived(self, born_s: float) -> None:
        """Runs a child until it is dead."""
        inputs = self.simulated.inputs()
        deque(islice(inputs, self.n_done), maxlen=0)
        self.eye.is_open = True
        with ExitStack() as opened:
            going_on = self._opened(opened)
            tell(Report.READY, int(1e6 * (time.monotonic() - born_s)))
            Teller().publish(going_on.state, going_on.events, self.eye.now_ms)
            self._ask_again(going_on.state)
            strip, _, _ = bglp_board()
            strip.open()
            layout, picture = LedLayout.from_plan(usual_plan(72)), partial(render_state, table=going_on.table)
            referee_match(
                self._going_on(inputs),
                going_on.table,
                going_on.log,
                [Teller(), LightSink(strip, "fake", layout, picture), self.simulated],
                processor=VideoProcessor(calibration_for()),
                state=going_on.state,
            )
        tell(Report.OVER)

    def _opened(self, opened: ExitStack) -> OpenMatch:
        """Opens the match, or begins another one if the match was killed before its first event."""
        files = match_files(matches_folder(self.folder))
        broken_off = files[-1].stem if files and read_match(files[-1]).logged else None
        options = Namespace(data=self.folder, resume=broken_off, mode=None)
        certificate = SetUpCertificate("", calibration_for(), SettingsStore(self.folder / "settings.toml"))
        return open_match(
            options, Settings(), self.match.table, lambda: self.eye.now_ms, opened, certificate=certificate
        )

    def _ask_again(self, state: RefereeState) -> None:
        """The page shows what has not been answered."""
        asked = (state.questions.throw_unclear, state.questions.unclear, state.questions.differs)
        self.simulated.publish(state, tuple(one for one in asked if one is not None), self.eye.now_ms)

    def _going_on(self, inputs: Iterator[Input | None]) -> Iterator[Input]:
        n_more = 0
        while n_more != self.n_most and (given := next(inputs, None)) is not None:
            yield given
            if not isinstance(given, ChoosePlay | CorrectBoard | CorrectRoll):  # an answer is no part of the film
                n_more += 1
                tell(Report.DONE)
        while n_more == self.n_most:
            signal.pause()


def main() -> None:
    logging.getLogger("zarbiter").setLevel(logging.ERROR)  # that a match is not over is no news here
    for line in sys.stdin:
        life = Life.of(line)
        born_s = time.monotonic()
        child = os.fork()
        if child == 0:
            tell(Report.BORN, os.getpid())
            life.lived(born_s)
            return
        os.waitpid(child, 0)
        tell(Report.DEAD)


if __name__ == "__main__":
    main()
