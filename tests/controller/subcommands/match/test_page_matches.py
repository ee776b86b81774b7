"""`play` with the page: matches set up there, one after the other, by the program as it is."""

import time
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from controller.lights.led_mapping import MAPPING_LIGHT, make_single_led_frame
from controller.match.events import CommandRefused, GameStarted, MatchStarted, MatchWon
from controller.match_log import match_files, matches_folder, read_match
from controller.settings.match_set_up import MatchChoices, make_agreed_match
from controller.settings.store import SettingsStore
from controller.subcommands.match.page_matches import PageMatchRunner
from controller.web.set_up.program_control import ProgramControl, ProgramStage
from firmware_bridge.fakes.fake_board import FakeBoard
from firmware_bridge.fakes.pty_line import PtyLine
from firmware_bridge.led_frame import BLACK, LedFrame
from firmware_bridge.serial_port import monotonic_ms
from tests.controller.subcommands.called import Program
from tests.controller.web.long_film import long_film
from tests.controller.web.operator_at_page import WAIT_S, Operator, played

pytestmark = pytest.mark.broad


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return long_film(tmp_path_factory.mktemp("film"), 4_000)


@pytest.fixture
def board() -> Iterator[tuple[FakeBoard, str]]:
    """A light board in memory behind a real serial port."""
    made = FakeBoard()
    with PtyLine(made, monotonic_ms) as line:
        yield made, line.name


def set_up(film: Path) -> tuple[str, ...]:
    return ("--set-up", "--camera", str(film), "--leds", "none")


def matches_in(data: Path) -> list[Path]:
    """The match files, the oldest first even if two began in one second."""
    return list(match_files(matches_folder(data)))


def test_two_matches_are_set_up_one_after_the_other(film: Path, tmp_path: Path) -> None:
    assert played(_two_matches, tmp_path, *set_up(film)) == 0
    logs = [read_match(file).events for file in matches_in(tmp_path)]
    started = [event for events in logs for event in events if isinstance(event, MatchStarted)]
    assert [(one.white, one.game, one.length, one.crawford) for one in started] == [
        ("Ann", "backgammon", 5, False),
        ("White", "backgammon_house", None, True),
    ]
    assert any(isinstance(event, GameStarted) for event in logs[0])


def _two_matches(operator: Operator) -> None:
    assert operator.until_stage("waiting")["match_id"] == ""
    values: dict[str, object] = {"players.white": "Ann", "match.length": "x", "mode": "loud"}
    assert operator.ask("/api/set-up/start", {"values": values})[0] == 422
    values = {"players.white": "Ann", "match.length": 5, "match.crawford": False, "clock": "us"}
    assert operator.ask("/api/set-up/start", {"values": values}) == (200, {"done": True})
    state = operator.until(lambda state: state["phase"] == "opening")
    assert state["clock"] is not None
    assert operator.ask("/api/set-up/start", {})[0] == 409
    assert operator.ask("/api/set-up/end", {})[0] == 200
    operator.until_stage("waiting")
    assert resumable(operator)["name"] == state["match_id"]
    chosen: dict[str, object] = {"values": {"match.length": None}, "options": {"jacoby": True}}
    assert operator.ask("/api/set-up/start", chosen)[0] == 200
    operator.until(lambda now: now["match_id"] != state["match_id"] and now["phase"] == "opening")


def test_a_match_that_was_broken_off_goes_on(film: Path, tmp_path: Path) -> None:
    played(_begin_and_leave, tmp_path, *set_up(film))
    played(_go_on, tmp_path, *set_up(film))
    (file,) = matches_in(tmp_path)
    names = [type(event).__name__ for event in read_match(file).events]
    assert (names.count("MatchStarted"), names.count("MatchResumed")) == (1, 1)


def _begin_and_leave(operator: Operator) -> None:
    operator.until_stage("waiting")
    assert operator.ask("/api/set-up/start", {})[0] == 200
    operator.until(lambda state: state["phase"] == "opening")


def resumable(operator: Operator) -> dict[str, object]:
    """The match that the page offers to resume."""
    found = operator.ask("/api/set-up")[1]["unfinished"]
    assert isinstance(found, dict)
    return found


def _go_on(operator: Operator) -> None:
    operator.until_stage("waiting")
    known = resumable(operator)
    name = known["name"]
    assert known["begun_utc"]
    assert operator.ask("/api/set-up/resume", {"match": name})[0] == 200
    assert operator.until_stage("playing")["match_id"] == name


class _RecordingPage:
    """Records (stage, unfinished match, can calibrate) whenever the page would show a new stage."""

    def __init__(self) -> None:
        self.control, self.session, self.door = ProgramControl(), None, None
        self.shown: list[tuple[ProgramStage, str | None, bool]] = []

    def show(self, *_: object, path: Path | None) -> None:
        assert path is None
        self._record()

    def wake(self) -> None:
        self._record()
        raise KeyboardInterrupt

    def set_calibration_session(self, session: None) -> None:
        self.session = session

    def _record(self) -> None:
        known = self.control.unfinished
        self.shown.append((self.control.stage, known.name if known else None, self.session is not None))


def test_when_it_waits_everything_is_there(film: Path, tmp_path: Path) -> None:
    """The unfinished match and the calibration are available before the stage `waiting` is published."""
    played(_begin_and_leave, tmp_path, *set_up(film))
    page, keeper = _RecordingPage(), SettingsStore(tmp_path / "settings.toml")
    options = Namespace(data=tmp_path, rules=None)
    runner = PageMatchRunner(options, page, keeper, str(film))  # type: ignore[arg-type]
    runner.run(make_agreed_match(MatchChoices({}, {}), keeper).table)
    (file,) = matches_in(tmp_path)
    assert page.shown == [(ProgramStage.STARTING, None, False), (ProgramStage.WAITING, file.stem, True)]


def test_after_a_match_the_next_one_is_set_up(film: Path, tmp_path: Path) -> None:
    call = ("--game", "tavla", "--stay", "--camera", str(film), "--leds", "none", "--match", "1")
    assert played(_resign, tmp_path, *call) == 0
    logs = [read_match(file).events for file in matches_in(tmp_path)]
    assert [sum(isinstance(event, MatchWon) for event in events) for events in logs] == [1, 0]
    assert not any(isinstance(event, CommandRefused) for event in logs[1])


def _resign(operator: Operator) -> None:
    state = operator.until(lambda state: state["phase"] == "opening")
    orders: tuple[dict[str, object], ...] = (
        {"command": "SetStarter", "player": "W"},
        {"command": "Resign", "player": "W", "kind": "single"},
        {"command": "AnswerResignation", "player": "B", "accept": True},
    )
    for order in orders:
        assert operator.ask("/api/commands", order)[0] == 202
    operator.until_stage("waiting")
    assert operator.ask("/api/commands", {"command": "Pause"})[0] == 409
    form = operator.ask("/api/set-up")[1]
    assert form["unfinished"] is None
    assert operator.ask("/api/set-up/start", {"values": {"game": "plakoto", "match.length": None}})[0] == 200
    operator.until(lambda now: now["match_id"] != state["match_id"])


def test_leds_are_pointed_at_with_and_without_a_match(film: Path, tmp_path: Path, board: tuple[FakeBoard, str]) -> None:
    """The one LED alone is lit, dark again at the end; the map that is saved is that of the next match."""
    lit, port = board
    seen: list[LedFrame] = []
    visit = partial(_point, lit, seen)
    assert played(visit, tmp_path, "--set-up", "--camera", str(film), "--leds", port) == 0
    assert seen == [make_single_led_frame(7, 72), LedFrame.dark(72), make_single_led_frame(71, 72)]
    assert set(lit.lit.leds) == {BLACK}
    settings = (tmp_path / "settings.toml").read_text(encoding="utf-8")
    assert settings == f'[leds]\nlayout = "{tmp_path}/leds.json"\n'


def _point(board: FakeBoard, seen: list[LedFrame], operator: Operator) -> None:
    operator.until_stage("waiting")
    assert operator.ask("/api/leds/point", {"led": 7}) == (200, {"done": True})
    seen.append(board.lit)
    assert operator.ask("/api/leds/point", {"led": 72})[0] == 409
    assert operator.ask("/api/leds/point", {"led": None})[0] == 200
    seen.append(board.lit)
    _map_and_play(operator)
    end_s = time.monotonic() + WAIT_S
    while board.lit.leds[71] != MAPPING_LIGHT and time.monotonic() < end_s:
        time.sleep(0.01)
    seen.append(board.lit)


def _map_and_play(operator: Operator) -> None:
    places = operator.ask("/api/leds")[1]["places"]
    assert isinstance(places, list)
    assert len(places) == 72
    assert operator.ask("/api/leds", {"places": places[::-1], "seal": ""})[0] == 200
    assert operator.ask("/api/set-up/start", {})[0] == 200
    operator.until(lambda state: state["phase"] == "opening")
    assert operator.ask("/api/leds/point", {"led": 71})[0] == 409  # a game is played by these lights
    assert operator.ask("/api/commands", {"command": "Pause"})[0] == 202
    operator.until(lambda state: state["phase"] == "paused")
    assert operator.ask("/api/leds/point", {"led": 71})[0] == 200


def test_settings_act_while_a_match_is_played(film: Path, tmp_path: Path) -> None:
    """The mode from the next second on, as an event; also where the match was begun on the command line."""
    assert played(_change_mode, tmp_path, "--game", "backgammon", "--camera", str(film), "--leds", "none") == 0
    (file,) = matches_in(tmp_path)
    assert "ModeChanged" in [type(event).__name__ for event in read_match(file).events]


def _change_mode(operator: Operator) -> None:
    state = operator.until_stage("playing")
    assert (state["match"]["mode"], state["office"]["can_begin"]) == ("teach", False)  # type: ignore[index]
    seal = operator.ask("/api/settings")[1]["seal"]
    assert operator.ask("/api/settings", {"seal": seal, "changes": {"mode": "silent"}})[0] == 200
    operator.until(lambda now: now["match"]["mode"] == "silent")  # type: ignore[index]
    assert operator.ask("/api/set-up/end", {})[0] == 409


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [(["--leds", "/nowhere/ttyUSB7"], "ttyUSB7 is not there; plug it in"), (["--camera", "/nowhere"], "/nowhere")],
)
def test_why_a_match_does_not_begin_is_reported_on_the_page(
    film: Path, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    reported: list[object] = []
    assert played(partial(_try, reported), tmp_path, "--set-up", "--camera", str(film), *arguments) == 0
    assert sentence in str(reported)
    assert matches_in(tmp_path) == []


def _try(reported: list[object], operator: Operator) -> None:
    operator.until_stage("waiting")
    status, body = operator.ask("/api/set-up/start", {})
    assert status == 409
    reported.append(body)
    operator.until_stage("waiting")


def test_a_calibration_that_is_broken_is_reported_too(film: Path, tmp_path: Path) -> None:
    reported: list[object] = []
    assert played(partial(_break, reported), tmp_path, *set_up(film)) == 0
    assert "calibration.json" in str(reported)


def _break(reported: list[object], operator: Operator) -> None:
    operator.until_stage("waiting")
    (operator.data / "calibration.json").write_text("{", encoding="utf-8")
    _try(reported, operator)


def test_without_a_game_the_page_asks_for_it(tmp_path: Path) -> None:
    reported: list[object] = []
    assert played(partial(_try, reported), tmp_path, "--camera", "/dev/video77", "--leds", "none") == 0
    assert "/dev/video77" in str(reported)


def test_a_game_of_the_settings_is_only_the_usual_one(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('game = "tavla"\n', encoding="utf-8")
    assert played(_look, tmp_path, "--camera", "/dev/video77", "--leds", "none") == 0


def _look(operator: Operator) -> None:
    assert operator.until_stage("waiting")["match"]["game"] == "tavla"  # type: ignore[index]
    fields = operator.ask("/api/set-up")[1]["fields"]
    assert isinstance(fields, list)
    assert [field["value"] for field in fields if field["name"] == "game"] == ["tavla"]


@pytest.mark.parametrize("arguments", [["--web", "none"], ["--resume", "x"]])
def test_what_does_not_go_with_a_set_up(tmp_path: Path, arguments: list[str], zarbiter: Program) -> None:
    zarbiter("play --set-up --data", tmp_path, *arguments, status=2)


def test_the_settings_of_the_data_folder_are_used(tmp_path: Path, zarbiter: Program) -> None:
    (tmp_path / "settings.toml").write_text('game = "tafla"\n', encoding="utf-8")
    printed = zarbiter("play --data", tmp_path, "--camera 0", status=2)
    assert f"{tmp_path}/settings.toml, line 1, game: there is no game 'tafla'" in printed.err
    (tmp_path / "settings.toml").write_text("game = \n", encoding="utf-8")
    assert "this is no TOML" in zarbiter("play --data", tmp_path, "--camera 0", status=2).err
