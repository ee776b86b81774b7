import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.match.events import MatchStarted, SeatingKnown
from controller.match.seating import Checkers
from controller.match_log import IntactChain, frame_files, frames_folder, matches_folder, read_match, verify
from firmware_bridge.fakes.fake_board import FakeBoard
from firmware_bridge.fakes.pty_line import PtyLine
from firmware_bridge.led_frame import LedFrame
from firmware_bridge.serial_port import monotonic_ms
from tests.controller.subcommands.called import Program
from tests.controller.table_pictures import calibration_file, camera_folder, start_pictures

pytestmark = pytest.mark.broad


class LitBoard(FakeBoard):
    """A board that remembers what it has shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[LedFrame] = []

    def receive(self, data: bytes, now_ms: int) -> bytes:
        said = super().receive(data, now_ms)
        if not self.shown or self.shown[-1] != self.lit:
            self.shown.append(self.lit)
        return said


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that serves as a camera: three seconds of the start position."""
    return camera_folder(tmp_path_factory.mktemp("camera"), start_pictures(30))


@pytest.fixture
def strip() -> Iterator[tuple[LitBoard, str]]:
    """A light board in memory behind a real serial port."""
    board = LitBoard()
    with PtyLine(board, monotonic_ms) as line:
        yield board, line.name


def arguments(camera: Path, data: Path, *more: str) -> list[str]:
    calibration = str(calibration_file(data))
    return ["play", "--camera", str(camera), "--calibration", calibration, "--data", str(data), *more]


def match_in(data: Path) -> Path:
    (file,) = matches_folder(data).glob("*.zmatch")
    return file


def test_a_folder_is_refereed_with_lights(
    camera: Path, strip: tuple[LitBoard, str], tmp_path: Path, zarbiter: Program
) -> None:
    """Board found, seating reported, rulings on standard output, lights on the strip, dark at the end, the log intact."""
    board, port = strip
    printed = zarbiter(
        *arguments(camera, tmp_path, "--leds", port, "--white", "Ann", "--game", "backgammon"), "--keep-frames 1"
    )
    said = printed.out.splitlines()
    assert any(line.startswith("Seating (seen): white=light,edge=") for line in said)
    assert "Game 1 begins." in said
    assert any(frame != LedFrame.dark(72) for frame in board.shown)
    assert board.lit == LedFrame.dark(72)
    assert isinstance(verify(match_in(tmp_path)), IntactChain)
    assert frame_files(frames_folder(match_in(tmp_path)))
    assert f"the recording is over, the match is not; zarbiter play --resume {match_in(tmp_path).stem}" in printed.err


def test_events_for_programs(camera: Path, tmp_path: Path, zarbiter: Program) -> None:
    printed = zarbiter(*arguments(camera, tmp_path, "--leds", "none", "--json"))
    said = [json.loads(line)["event"] for line in printed.out.splitlines()]
    assert said == [type(event).__name__ for event in read_match(match_in(tmp_path)).events]
    assert "GameStarted" in said
    assert not frames_folder(match_in(tmp_path)).exists()  # nobody asked for frames


def test_a_seating_given_in_part_and_a_clock(camera: Path, tmp_path: Path, zarbiter: Program) -> None:
    call = arguments(camera, tmp_path, "--leds", "none", "--seating", "white=dark", "--clock", "10+12")
    zarbiter(*call, "--game backgammon")
    events = read_match(match_in(tmp_path)).events
    (seated,) = (event for event in events if isinstance(event, SeatingKnown))
    (started,) = (event for event in events if isinstance(event, MatchStarted))
    assert seated.seating.white_plays is Checkers.DARK
    assert started.clock == "10+12"


def test_a_match_goes_on(camera: Path, tmp_path: Path, zarbiter: Program) -> None:
    """Broken off and resumed: the same file, the names of then, and the board is compared with the log."""
    zarbiter(*arguments(camera, tmp_path, "--leds", "none", "--white", "Zoë"))
    name = match_in(tmp_path).stem
    printed = zarbiter(*arguments(camera, tmp_path, "--leds", "none", "--resume", name))
    assert "The match goes on after a restart." in printed.out
    events = [type(event).__name__ for event in read_match(match_in(tmp_path)).events]
    assert events.count("MatchStarted") == events.count("GameStarted") == events.count("MatchResumed") == 1
    assert events.count("SetUpCertified") == 2


def test_an_unfinished_match_is_pointed_at(camera: Path, tmp_path: Path, zarbiter: Program) -> None:
    zarbiter(*arguments(camera, tmp_path, "--leds", "none"))
    name = match_in(tmp_path).stem
    printed = zarbiter(*arguments(camera, tmp_path, "--leds", "none"))
    assert f"match {name} is not over; --resume {name} would go on with it" in printed.err


def test_without_a_calibration_one_sentence_asks_for_it(tmp_path: Path, zarbiter: Program) -> None:
    error = zarbiter("play --camera 0 --data", tmp_path, status=2).err
    assert error == (
        "zarbiter: the camera is not calibrated yet; set up the start position and call "
        f"zarbiter calibrate 0 --game GAME -o {tmp_path}/calibration.json\n"
    )


def test_all_mistakes_of_a_call_and_its_file(tmp_path: Path, zarbiter: Program) -> None:
    file = tmp_path / "club.toml"
    file.write_text('game = "tafla"\n[leds]\nbrightness = 0\n', encoding="utf-8")
    lines = zarbiter("play --config", file, "--mode loud --data", tmp_path, status=2).err.splitlines()
    assert lines[0].startswith("zarbiter: --mode: 'loud' is none of these; choose one of teach, ")
    assert lines[1].startswith(f"zarbiter: {file}, line 1, game: there is no game 'tafla'; did you mean tavla?")
    assert lines[2] == f"zarbiter: {file}, line 3, leds.brightness: 0 is not possible; give 1 to 255"
    assert len(lines) == 3


def test_a_named_light_board_that_is_not_there(camera: Path, tmp_path: Path, zarbiter: Program) -> None:
    """The match does not begin without the lights that somebody asked for by name."""
    printed = zarbiter(*arguments(camera, tmp_path, "--leds", str(tmp_path / "ttyUSB7")), status=1)
    assert "ttyUSB7 is not there; plug it in" in printed.err


def test_a_position_that_is_none(camera: Path, tmp_path: Path, zarbiter: Program) -> None:
    printed = zarbiter(*arguments(camera, tmp_path, "--position", "0/0"), status=2)
    assert printed.err.startswith("zarbiter: --position: ")


def test_a_missing_camera_is_tried_again_at_a_terminal(
    tmp_path: Path, zarbiter: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Enter tries again, the end of the input gives up; without a terminal nobody is asked."""
    call = arguments(Path("/dev/video77"), tmp_path, "--leds", "none", "--game", "backgammon", "--web", "none")
    assert "try again" not in zarbiter(*call, status=1).err
    terminal = io.StringIO("\n")
    monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdin", terminal)
    assert zarbiter(*call, status=1).err.count("Enter: try again") == 2
