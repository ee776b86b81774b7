"""What a match that goes on keeps, and what becomes of the pictures of those before it."""

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.cli import main
from controller.events import DiceRolled, MatchResumed, Mode, ModeChanged
from controller.match_log import (
    Intact,
    MatchLog,
    Picture,
    PictureKind,
    create_match,
    matches_folder,
    read_match,
    verify,
)
from controller.referee import replayed
from controller.rules.player import Player
from controller.rules.variants import RULESETS
from controller.seating import Seating
from controller.subcommands import match_played
from controller.subcommands.calibration_used import calibration_asked_for
from controller.subcommands.call import UsageError
from controller.subcommands.match_opened import as_agreed
from controller.table import Table
from tests.controller.table_pictures import calibration_file, camera_folder, start_pictures


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second of the start position."""
    return camera_folder(tmp_path_factory.mktemp("camera"), start_pictures(10))


def play(camera: Path, data: Path, *more: str) -> int:
    """Without lights and page; whatever it begins beside the match is over afterwards."""
    options = ["--leds", "none", "--web", "none", "--data", str(data), "--calibration", str(calibration_file(data))]
    code = main(["play", "--camera", str(camera), *options, *more])
    for thread in threading.enumerate():
        if thread.name == "make-room":
            thread.join()
    return code


def match_in(data: Path) -> Path:
    return max(matches_folder(data).glob("*.zmatch"))


def test_a_match_goes_on_in_its_own_mode(camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hints that a tournament forbids are not brought back by a plug that was pulled."""
    assert play(camera, tmp_path, "--mode", "tournament") == 0
    file = match_in(tmp_path)
    assert play(camera, tmp_path, "--resume", file.stem) == 0
    assert replayed(read_match(file).events).mode is Mode.TOURNAMENT
    assert "the match goes on in the mode tournament, as it was left" in capsys.readouterr().err


def test_another_mode_is_taken_where_it_is_asked_for(camera: Path, tmp_path: Path) -> None:
    """The log says since when."""
    assert play(camera, tmp_path, "--mode", "tournament") == 0
    file = match_in(tmp_path)
    assert play(camera, tmp_path, "--resume", file.stem, "--mode", "silent") == 0
    events = read_match(file).events
    at = next(number for number, event in enumerate(events) if isinstance(event, MatchResumed))
    changed = events[at + 1]
    assert isinstance(changed, ModeChanged)
    assert changed.mode is Mode.SILENT


def test_a_match_goes_on_in_its_own_game(camera: Path, tmp_path: Path) -> None:
    """White begins where that game says, and not where the settings' one does; a position of theirs is none of it."""
    assert play(camera, tmp_path, "--game", "long_nardy") == 0
    started = replayed(read_match(match_in(tmp_path)).events).started
    assert started is not None
    rules, other = RULESETS["long_nardy"], RULESETS["backgammon"]
    seating = Seating(white_head=36 - rules.white_head)
    now = Table(game="backgammon", rules=other, seating=seating, start="x", on_turn=Player.BLACK, has_bar=False)
    table = as_agreed(started, now)
    assert table.seating == replace(seating, white_head=rules.white_head)
    assert (table.start, table.on_turn, table.has_bar) == (None, None, False)
    assert as_agreed(started, replace(now, game="long_nardy")).start == "x"


def test_settings_that_break_while_a_match_begins_break_nothing(
    camera: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is played as they were, and no log of a match is left behind that never was."""
    file = tmp_path / "settings.toml"
    file.write_text('mode = "silent"\n', encoding="utf-8")
    monkeypatch.setattr(match_played, "get_ready", lambda _: file.write_text('mode = "loud"\n', encoding="utf-8"))
    assert play(camera, tmp_path) == 0
    assert replayed(read_match(match_in(tmp_path)).events).mode is Mode.SILENT


def test_passwords_of_streams_are_not_told(tmp_path: Path) -> None:
    """What the program says is read by everybody before its terminal, and may be kept."""
    with pytest.raises(UsageError, match=r"calibrate rtsp://camera/1 --game") as raised:
        calibration_asked_for(None, tmp_path, source="rtsp://me:secret@camera/1")
    assert "secret" not in str(raised.value)


def test_old_pictures_make_room_for_a_new_match(camera: Path, tmp_path: Path) -> None:
    """As much as the settings leave to all matches together; the events of the old ones stay, and are proved."""
    old, noise = matches_folder(tmp_path) / "2020-old.zmatch", np.random.default_rng(1)
    old.parent.mkdir(parents=True)
    with create_match(old, "backgammon") as log:
        for number in range(30):
            pixels = noise.integers(0, 255, (480, 640, 3), dtype=np.uint8)
            log.append([DiceRolled(number, Player.WHITE, (6, 5))], [Picture(PictureKind.DICE, pixels, 0)])
    settings = tmp_path / "club.toml"
    settings.write_text("[log]\nevidence_mb = 1\nall_evidence_mb = 3\n", encoding="utf-8")
    before = verify(old)
    assert play(camera, tmp_path, "--config", str(settings)) == 0
    after = verify(old)
    assert isinstance(before, Intact)
    assert isinstance(after, Intact)
    assert (before.pruned, before.events, after.events) == (0, 30, 30)
    assert 0 < after.pruned < 30
    assert old.stat().st_size <= 2_500_000


def broken_off(camera: Path, data: Path) -> Path:
    assert play(camera, data) == 0
    return match_in(data)


def test_a_log_that_was_changed_meanwhile_is_not_gone_on_with(
    camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One letter of an event is another: it is told which, and nothing is added."""
    file = broken_off(camera, tmp_path)
    before = file.read_bytes().replace(b'"game":"backgammon"', b'"game":"hypergammo"', 1)
    file.write_bytes(before)
    assert play(camera, tmp_path, "--resume", file.stem) == 1
    assert "event 1" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_a_match_that_is_written_is_not_written_twice(
    camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second program says so and ends; the first one goes on."""
    file = broken_off(camera, tmp_path)
    with MatchLog(file) as log:
        assert play(camera, tmp_path, "--resume", file.stem) == 1
        log.append([DiceRolled(1, Player.WHITE, (6, 5))])
    assert file.stem in capsys.readouterr().err
    assert isinstance(verify(file), Intact)


def test_a_folder_that_takes_no_matches(camera: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, before any light is shown."""
    (tmp_path / "matches").write_text("a file where the folder should be", encoding="utf-8")
    assert play(camera, tmp_path) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
