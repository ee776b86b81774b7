"""`zarbiter play` is killed at any moment and resumed: nothing that it reported is lost, and the match goes on."""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import pytest

from controller.match.events import BoardDiffers, MatchResumed, PlayMade, PlayRefused, PlayUnclear
from controller.match_log import IntactChain, match_files, matches_folder, read_match, verify
from controller.rules import RULESETS
from controller.simulation.filmed.arrangements import plan_of
from controller.simulation.filmed.frames import FrameMaker
from controller.simulation.filmed.snapshots import FrameRates
from controller.simulation.filmed.table import SimulatedTable
from controller.simulation.referee_run import film_game
from controller.simulation.scripts.script import GamePlan
from controller.simulation.staging.mishaps import NO_MISHAPS
from controller.simulation.staging.truth import TruePlay, TrueThrow
from tests.vision.simulated.played_tables import calibration_of
from vision.field.calibration_file import save_calibration
from vision.frame import Frame
from vision.simulated.painter import Painter
from vision.simulated.table_styles import table_style

pytestmark = pytest.mark.broad

ROOT = Path(__file__).parents[3]
TABLE_SEED, GAME_SEED, SIZE_PX, GAME = 3, 7, (640, 480), "hypergammon"  # every throw can be read
HALF_OF_THE_FRAMES = FrameRates(5.0, 2.5)
KILLS, ALL_KILLS = 1, 10
TURNS, ALL_TURNS = 2, 6
RUN_S = 120.0
RESUME_S = 5.0  # as promised: from the start of the process until the match is resumed
BUSY = 6  # allowance for a machine that is busy with other tests


@dataclass
class FilmedGame:
    """The beginning of a game as the camera sees it, and what was really played."""

    pictures: list[tuple[int, bytes]] = field(default_factory=list)
    throws: list[TrueThrow] = field(default_factory=list)
    plays: list[TruePlay] = field(default_factory=list)

    def answer(self, event: dict[str, object], now_ms: int) -> str:
        """What a person at the table types to answer a question; "" without a question."""
        throws = [throw for throw in self.throws if throw.at_ms <= now_ms]
        if event["event"] == "ThrowUnclear" and throws:
            return "roll {} {}\n".format(*throws[-1].values)
        return ""

    def folder(self, folder: Path, from_ms: int) -> Path:
        """The pictures from this moment on, timed as by a program that starts then."""
        folder.mkdir()
        lines = []
        for taken_ms, png in self.pictures:
            if taken_ms >= from_ms:
                (folder / f"{taken_ms:07}.png").write_bytes(png)
                lines.append(f"{taken_ms:07}.png,{taken_ms - from_ms}\n")
        (folder / "timestamps.csv").write_text("".join(lines), encoding="utf-8")
        return folder


@pytest.fixture(scope="module")
def game(full_counts: bool) -> FilmedGame:
    style, filmed = table_style(TABLE_SEED, SIZE_PX), FilmedGame()
    board, turns = plan_of(style), ALL_TURNS if full_counts else TURNS
    plan = GamePlan(seed=GAME_SEED, board=board, mishaps=NO_MISHAPS, max_turns=turns)
    rates = FrameRates() if full_counts else HALF_OF_THE_FRAMES
    table = SimulatedTable(film_game(RULESETS[GAME], plan), board, FrameMaker(Painter(style)), rates)
    for given in table.inputs():
        if isinstance(given, Frame):
            png = cv2.imencode(".png", given.pixels, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()
            filmed.pictures.append((given.taken_ms, png))
    filmed.throws = [truth for truth in table.truths if isinstance(truth, TrueThrow)]
    filmed.plays = [truth for truth in table.truths if isinstance(truth, TruePlay)]
    return filmed


@dataclass
class Calls:
    """Successive calls of `play` with one data folder; the next one begins `from_ms` into the film."""

    game: FilmedGame
    data: Path
    from_ms: int = 0
    n_calls: int = 0
    begun_s: float = 0.0
    resumed_s: list[float] = field(default_factory=list)

    def begun(self) -> "subprocess.Popen[str]":
        """Starts `play` with the rest of the film; an existing match is resumed."""
        self.n_calls += 1
        camera = self.game.folder(self.data / f"camera{self.n_calls}", self.from_ms)
        calibration = self.data / "calibration.json"
        save_calibration(calibration_of(table_style(TABLE_SEED, SIZE_PX)), calibration)
        resumed = [option for file in match_files(matches_folder(self.data)) for option in ("--resume", file.stem)]
        options = ["--leds", "none", "--web", "none", "--json", "--game", GAME, *resumed]
        places = ["--camera", str(camera), "--calibration", str(calibration), "--data", str(self.data)]
        command = [sys.executable, "-m", "controller", "play", *options, *places]
        self.begun_s = time.perf_counter()
        return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def killed(self, *, after: int, and_s: float) -> list[str]:
        """Kills `play` after this many events and seconds, and gives the events that it reported."""
        with self.begun() as process:
            lines = self._lines(process)
            reported = [line for _, line in zip(range(after), lines, strict=False)]
            until = time.perf_counter() + and_s
            while time.perf_counter() < until:  # the moment is chance, and never that of an event
                pass
            process.kill()
            reported += lines
        self._goes_on_from(reported)
        return reported

    def to_the_end(self) -> list[str]:
        with self.begun() as process:
            reported = list(self._lines(process))
            assert process.wait(RUN_S) == 0
        return reported

    def _goes_on_from(self, reported: list[str]) -> None:
        """The film stands still between two calls."""
        self.from_ms += max((json.loads(line)["at_ms"] for line in reported), default=0)

    def _lines(self, process: "subprocess.Popen[str]") -> Iterator[str]:
        """The whole lines of output, as a kill may cut the last one. Questions are answered as they come."""
        assert process.stdout is not None
        assert process.stdin is not None
        for line in process.stdout:
            if line.endswith("\n"):
                event = json.loads(line)
                if event["event"] == "MatchResumed":
                    self.resumed_s.append(time.perf_counter() - self.begun_s)
                with suppress(OSError):  # it is dead already
                    process.stdin.write(self.game.answer(event, self.from_ms + event["at_ms"]))
                yield line.removesuffix("\n")


def test_a_match_survives_the_death_of_its_program(game: FilmedGame, tmp_path: Path, full_counts: bool) -> None:
    chance, calls, n_before = random.Random(6), Calls(game, tmp_path), 0
    for _ in range(ALL_KILLS if full_counts else KILLS):
        reported = calls.killed(after=chance.randint(1, 4), and_s=chance.random() / 2)
        (file,) = match_files(matches_folder(tmp_path))
        logged = [one.text for one in read_match(file).logged]
        assert logged[n_before : n_before + len(reported)] == reported
        n_before = len(logged)
    reported = calls.to_the_end()
    (file,) = match_files(matches_folder(tmp_path))
    events = read_match(file).events
    assert [one.text for one in read_match(file).logged][n_before:] == reported
    assert isinstance(verify(file), IntactChain)
    made = [(event.player, event.numbers, event.after) for event in events if isinstance(event, PlayMade)]
    played = [(play.player, play.numbers, play.after) for play in game.plays]
    assert made == played[: len(made)]
    assert len(made) >= len(played) - 1  # the film may end before the board of the last turn was looked at
    assert sum(isinstance(event, MatchResumed) for event in events) == calls.n_calls - 1
    assert not [event for event in events if isinstance(event, PlayRefused | PlayUnclear | BoardDiffers)]
    assert len(calls.resumed_s) == calls.n_calls - 1
    print(f"resumed within {max(calls.resumed_s):.1f} s")
    assert max(calls.resumed_s) <= BUSY * RESUME_S
