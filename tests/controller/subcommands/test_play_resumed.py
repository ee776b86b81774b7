"""What a resumed match keeps, and how the pictures of earlier matches make room."""

import threading
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.cli import main
from controller.match.commands import ConfirmResult
from controller.match.events import DiceRolled, GameStarted, MatchResumed, MatchStarted, Mode, ModeChanged
from controller.match.seating import Checkers, PictureEdge, Seating
from controller.match_log import (
    EvidencePicture,
    IntactChain,
    MatchLog,
    PictureKind,
    create_match,
    matches_folder,
    read_match,
    verify,
)
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.referee import begin_match, replay_events, step
from controller.rules import RULESETS, MatchRules, Player, position_text, start_position
from controller.session.live_inputs import LiveInput
from controller.session.loop import referee_match
from controller.subcommands.match import match_run
from controller.subcommands.match.calibration_choice import resolve_calibration
from controller.subcommands.match.match_resuming import find_unfinished_match, resume_from_log
from controller.subcommands.options.call import UsageError
from tests.controller.refereeing.test_cube_and_match import won_game
from tests.controller.table_pictures import calibration_file, camera_folder, start_pictures

pytestmark = pytest.mark.broad

LATER = position_text(start_position(RULESETS["nackgammon"]))
"""A board of backgammon that is not its start."""


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second of the start position."""
    return camera_folder(tmp_path_factory.mktemp("camera"), start_pictures(10))


def play(camera: Path, data: Path, *more: str) -> int:
    """Plays without lights and page, and waits for the thread that makes room on the disk."""
    options = ["--leds", "none", "--web", "none", "--data", str(data), "--calibration", str(calibration_file(data))]
    code = main(["play", "--camera", str(camera), *options, *more])
    for thread in threading.enumerate():
        if thread.name == "make-room":
            thread.join()
    return code


def match_in(data: Path) -> Path:
    return max(matches_folder(data).glob("*.zmatch"))


def test_a_match_without_a_first_event_cannot_be_resumed(tmp_path: Path) -> None:
    """The power failed while it was created; the match before it can still be resumed."""
    for name in ("20260101-180000", "20260102-180000"):
        create_match(tmp_path / f"{name}.zmatch", "backgammon").close()
    assert find_unfinished_match(tmp_path) is None
    with MatchLog(tmp_path / "20260101-180000.zmatch") as log:
        log.append(begin_match(MatchConfig(game="backgammon", rules=RULESETS["backgammon"]), 0)[1])
    assert find_unfinished_match(tmp_path) == "20260101-180000"


def test_a_match_that_is_played_at_another_table_is_not_offered(tmp_path: Path) -> None:
    begun = begin_match(MatchConfig(game="backgammon", rules=RULESETS["backgammon"]), 0)[1]
    create_match(tmp_path / "20260101-180000.zmatch", "backgammon", begun).close()
    with create_match(tmp_path / "20260102-180000.zmatch", "backgammon", begun):
        assert find_unfinished_match(tmp_path) == "20260101-180000"
    assert find_unfinished_match(tmp_path) == "20260102-180000"


def test_a_match_goes_on_in_its_own_mode(camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A power cut does not bring back hints that a tournament forbids."""
    assert play(camera, tmp_path, "--mode", "tournament") == 0
    file = match_in(tmp_path)
    assert play(camera, tmp_path, "--resume", file.stem) == 0
    assert replay_events(read_match(file).events).mode is Mode.TOURNAMENT
    assert "the match goes on in the mode tournament, as it was left" in capsys.readouterr().err


def test_another_mode_is_taken_where_it_is_asked_for(camera: Path, tmp_path: Path) -> None:
    assert play(camera, tmp_path, "--mode", "tournament") == 0
    file = match_in(tmp_path)
    assert play(camera, tmp_path, "--resume", file.stem, "--mode", "silent") == 0
    events = read_match(file).events
    at = next(number for number, event in enumerate(events) if isinstance(event, MatchResumed))
    assert [event.mode for event in events[at:] if isinstance(event, ModeChanged)] == [Mode.SILENT]


@pytest.mark.parametrize(("mode", "goes_on"), [(Mode.TOURNAMENT, True), (Mode.REFEREE, False)])
def test_a_score_that_is_not_confirmed_yet_can_be_after_a_power_cut(mode: Mode, goes_on: bool, tmp_path: Path) -> None:
    match = won_game(match=MatchRules(target=1), mode=mode)
    file = tmp_path / "final.zmatch"
    create_match(file, "backgammon", match.events).close()
    with ExitStack() as opened:
        if not goes_on:
            with pytest.raises(UsageError, match=r"final.zmatch is over; begin a new one"):
                resume_from_log(file, match.table, lambda: 0, 1_000, opened)
            return
        resumed = resume_from_log(file, match.table, lambda: 0, 1_000, opened)
        state = resumed.state
        for player in Player:
            state, _ = step(state, ConfirmResult(player), resumed.table)
        assert state.is_match_over


def club(data: Path, text: str) -> str:
    """A settings file."""
    file = data / "club.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> list[MatchConfig]:
    """The configuration of each match that is refereed."""
    tables: list[MatchConfig] = []

    def noted(inputs: Iterable[LiveInput], table: MatchConfig, *others: Any, **named: Any) -> None:
        tables.append(table)
        referee_match(inputs, table, *others, **named)

    monkeypatch.setattr(match_run, "referee_match", noted)
    return tables


def test_a_match_goes_on_at_its_own_board(
    camera: Path, tmp_path: Path, tables: list[MatchConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    """Bar, seating and position stay as agreed; with the new settings the first game would begin at once."""
    then = f'position = "{LATER}"\nbar = false\nseating = "white=dark,edge=top,mirrored=no"\n'
    assert play(camera, tmp_path, "--config", club(tmp_path, then), "--on-turn", "black") == 0
    file, seating = match_in(tmp_path), Seating(Checkers.DARK, PictureEdge.TOP)
    capsys.readouterr()
    now = 'bar = true\nseating = "white=light,edge=bottom,mirrored=no"\n'
    assert play(camera, tmp_path, "--config", club(tmp_path, now), "--resume", file.stem) == 0
    assert [(one.has_bar, one.seating, one.start.position, one.start.on_turn) for one in tables] == [
        (False, seating, LATER, Player.BLACK)
    ] * 2
    assert not any(isinstance(event, GameStarted) for event in read_match(file).events)
    assert (
        "the match goes on as its log says, and not as the settings do: the board has no bar; "
        f"the seating is white=dark,edge=top,mirrored=no; it begins with {LATER} with Black on turn\n"
    ) in capsys.readouterr().err


def test_a_seating_that_was_seen_is_kept(
    camera: Path, tmp_path: Path, tables: list[MatchConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    """The start position showed it, and a later setting does not turn the board round."""
    assert play(camera, tmp_path) == 0
    file = match_in(tmp_path)
    seen = replay_events(read_match(file).events).seating
    assert seen is not None
    other = "bottom" if seen.edge is PictureEdge.TOP else "top"
    assert play(camera, tmp_path, "--resume", file.stem, "--seating", f"white=light,edge={other},mirrored=no") == 0
    assert tables[1].seating == replay_events(read_match(file).events).seating == seen
    assert f"the seating is white=light,edge={seen.edge.value}," in capsys.readouterr().err


def test_an_older_log_goes_on_at_the_board_of_the_settings(
    camera: Path, tmp_path: Path, tables: list[MatchConfig], capsys: pytest.CaptureFixture[str]
) -> None:
    (started,) = begin_match(MatchConfig(game="backgammon", rules=RULESETS["backgammon"]), 0)[1]
    assert isinstance(started, MatchStarted)
    file = matches_folder(tmp_path) / "2020-old.zmatch"
    file.parent.mkdir(parents=True)
    with create_match(file, "backgammon") as log:
        log.append([replace(started, board=None)])
    now = f'position = "{LATER}"\nbar = false\nseating = "white=dark,edge=top,mirrored=no"\n'
    assert play(camera, tmp_path, "--config", club(tmp_path, now), "--resume", file.stem) == 0
    (table,) = tables
    expected = (False, Seating(Checkers.DARK, PictureEdge.TOP), LATER)
    assert (table.has_bar, table.seating, table.start.position) == expected
    assert "as its log says" not in capsys.readouterr().err


def test_settings_that_break_while_a_match_begins_break_nothing(
    camera: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('mode = "silent"\n', encoding="utf-8")
    monkeypatch.setattr(match_run, "warm_up", lambda _: file.write_text('mode = "loud"\n', encoding="utf-8"))
    assert play(camera, tmp_path) == 0
    assert replay_events(read_match(match_in(tmp_path)).events).mode is Mode.SILENT


def test_passwords_of_streams_are_not_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"calibrate rtsp://camera/1 --game") as raised:
        resolve_calibration(None, tmp_path, source="rtsp://me:secret@camera/1")
    assert "secret" not in str(raised.value)


def test_old_pictures_make_room_for_a_new_match(camera: Path, tmp_path: Path) -> None:
    old, noise = matches_folder(tmp_path) / "2020-old.zmatch", np.random.default_rng(1)
    old.parent.mkdir(parents=True)
    with create_match(old, "backgammon") as log:
        for number in range(30):
            pixels = noise.integers(0, 255, (480, 640, 3), dtype=np.uint8)
            log.append([DiceRolled(number, Player.WHITE, (6, 5))], [EvidencePicture(PictureKind.DICE, pixels, 0)])
    before = verify(old)
    settings = club(tmp_path, "[log]\nevidence_mb = 1\nall_evidence_mb = 3\n")
    assert play(camera, tmp_path, "--config", settings) == 0
    after = verify(old)
    assert isinstance(before, IntactChain)
    assert isinstance(after, IntactChain)
    assert (before.pruned, before.events, after.events) == (0, 30, 30)
    assert 0 < after.pruned < 30
    assert old.stat().st_size <= 2_500_000


def broken_off(camera: Path, data: Path) -> Path:
    assert play(camera, data) == 0
    return match_in(data)


def test_a_log_that_was_changed_meanwhile_is_not_resumed(
    camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = broken_off(camera, tmp_path)
    before = file.read_bytes().replace(b'"game":"backgammon"', b'"game":"hypergammo"', 1)
    file.write_bytes(before)
    assert play(camera, tmp_path, "--resume", file.stem) == 1
    assert "event 1" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_match_that_is_written_is_not_written_twice(
    camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second program reports it and ends; the first one goes on."""
    file = broken_off(camera, tmp_path)
    with MatchLog(file) as log:
        assert play(camera, tmp_path, "--resume", file.stem) == 1
        log.append([DiceRolled(1, Player.WHITE, (6, 5))])
    assert file.stem in capsys.readouterr().err
    assert isinstance(verify(file), IntactChain)


def test_a_folder_that_takes_no_matches(camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "matches").write_text("a file where the folder should be", encoding="utf-8")
    assert play(camera, tmp_path) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
